// The page of the virtual board: light from the strip, touches to the pads, and what the console tells of the position.
//
// What is known of the game comes from the console's lines (GEBETA_LOG=1): positions in the engine's line protocol (seeds,
// claims, territory, mover, moves, score, over, game), {"state": ...}, {"pad": 3, "out_of_order": 1}, and the games that
// the board offers. Without them the board plays all the same.

import { layout } from "./wood.js";
import { Scene } from "./light.js";
import { Piezo } from "./sound.js";

const $ = (id) => document.getElementById(id);
const LETTERS = [
  ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY", "KeyU", "KeyI", "KeyO", "KeyP", "BracketLeft", "BracketRight"],
  ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG", "KeyH", "KeyJ", "KeyK", "KeyL", "Semicolon", "Quote", "Backslash"],
  ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyN", "KeyM", "Comma", "Period", "Slash"],
];
const TAP_MS = 140;         // a touch made by a screen reader, which has no length of its own
const TALLER = 1.2;         // the board stands on end where that makes it larger by this much
const TAP_LIMIT_MS = 1000;  // of the board's time: what is held for longer is no tap
const SHOWN_MS = 13000;     // no turn is shown for longer
const GRASP_MS = 3200;      // both left-hand holes down for so long give a game up
const OFF_MS = 600;         // a power switch that is turned off and on again
const CLOTH = [2.9, 2.2];    // the wet cloth: its length and width in holes
const WIPE_MS = 5000;       // once over the board
const TROUGHS = 0.25;       // on end, bowls grow wider in steps of this much,
const WIDEST = 2;           // up to twice their height

let texts = {};
let plural = new Intl.PluralRules("en");
let board = null;           // {board, rows, leds, speed, rules} from the server
let plan = null;
let position = null;        // the newest JSON line of the console
let state = "";             // what the board is doing, if it says so
let offered = [];           // the games that can be chosen, in order
let question = "";          // what is to be chosen: game, players, level,
let away = [];              // and which of its answers are not there
let computer = -1;          // the side that the board plays itself, and how strongly
let level = 0;
let item = "";              // what the staff is doing
const broken = new Set();   // pads that are out of order, as the board says
let faults = {};            // pads that have been broken here: {hole: fault}
let hammer = null;          // the fault that the next touch gives
let cloth = null;           // where the middle of the wet cloth is: {x, y, holes}, x and y as parts of the board
let wiping = null;          // its timer
let light = "";
let fresh = false;          // light has changed since it was drawn
let socket = null;
const taught = [false, false];   // whether South, North have made a move, and no slip since
let told = "";              // what has just happened, in words
let sowing = 0;             // until then at the latest the board shows a turn
let alone = true;           // the press that is under way is of one hole only
let grasp = null;           // the timer of a game that is being given up
let partial = "";           // the console's unfinished line
const buttons = [];
const piezo = new Piezo();
const scene = new Scene({ wood: $("wood"), spill: $("spill"), bowls: $("bowls") });

// ---- words ----------------------------------------------------------------------------------------------------

// A text with its {places} filled in; one that depends on a number has forms for `count`.
function say(key, values = {}) {
  let text = texts.page?.[key] ?? key;
  if (typeof text === "object") text = text[plural.select(values.count ?? 0)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
const side = (player) => say(player ? "north" : "south");
const who = (player) => (player === computer ? say("itself") : side(player));
const title = (game) => texts.games?.[game]?.name ?? game;

async function read(path) {
  const answer = await fetch(path);
  return answer.ok ? answer.json() : null;
}

// English, and over it what there is in the reader's language.
async function speak() {
  const there = (await read("/languages.json")) ?? [];
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = (asked ? [asked] : navigator.languages ?? []).map((tag) => tag.split("-")[0].toLowerCase());
  const lang = wanted.find((tag) => there.includes(tag)) ?? "en";
  texts = (await read("/texts/en.json")) ?? {};
  if (lang !== "en") {
    const own = (await read(`/texts/${lang}.json`)) ?? {};
    texts = { page: { ...texts.page, ...own.page }, games: { ...texts.games, ...own.games } };
  }
  plural = new Intl.PluralRules(lang);
  document.documentElement.lang = lang;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  $("board").setAttribute("aria-label", say("board"));
}

// What the reader has opened stays open over a reload.
function remember(key, on) {
  try {
    sessionStorage.setItem(key, on ? "1" : "");
  } catch { /* not allowed: then it is forgotten */ }
}

function remembered(key) {
  try {
    return sessionStorage.getItem(key) === "1";
  } catch {
    return false;
  }
}

// ---- the board ------------------------------------------------------------------------------------------------

// What an element takes of the height, with its margins.
function tallOf(selector) {
  const node = document.querySelector(selector), style = getComputedStyle(node);
  return node.offsetHeight && node.offsetHeight + parseFloat(style.marginTop) + parseFloat(style.marginBottom);
}

// What is left of the window for the board and the players at its sides.
function room() {
  const { clientWidth } = document.documentElement, main = document.querySelector("main");
  const short = innerHeight < 480 && clientWidth > innerHeight;
  document.body.classList.toggle("short", short);
  const phone = clientWidth <= 560;   // there the buttons stand under the board
  const parts = phone ? ["h1", ".tools"] : ["header"];
  const taken = [...parts, "#status", "#legend", "#keys"].reduce((sum, part) => sum + tallOf(part), 0);
  const width = main.clientWidth - Math.max(16, main.clientWidth * 0.04);
  return { width, height: innerHeight - taken - (short ? 6 : phone ? 12 : 18), short };
}

function fit() {
  if (!board) return;
  const { width, height, short } = room();
  const size = (tall, wide = 1) => {
    const p = layout(board.rows, tall, wide), w = p.width - 2 * p.room, h = p.height - 2 * p.room;
    const beside = tall ? 68 : short ? 90 : 0, above = tall || short ? 0 : 64;
    return { p, w, h, spare: width - beside, unit: Math.min((width - beside) / w, (height - above) / h, 170) };
  };
  const flat = size(false), onEnd = size(true);
  let best = onEnd.unit > flat.unit * TALLER ? onEnd : flat;
  if (best.p.tall) {
    // A long board leaves much of the width: there the bowls become troughs.
    const free = (best.spare / best.unit - (best.w - best.p.columns)) / best.p.columns;
    const wide = Math.min(WIDEST, Math.floor(free / TROUGHS) * TROUGHS);
    if (wide > 1) best = size(true, wide);
  }
  best.unit = Math.max(best.unit, 24);
  document.body.classList.toggle("tall", best.p.tall);
  const style = $("board").style;
  style.width = `${best.w * best.unit}px`;
  style.height = `${best.h * best.unit}px`;
  style.setProperty("--unit", `${best.unit}px`);
  style.setProperty("--wide", best.p.wide);
  style.setProperty("--room", `${-best.p.room * best.unit}px`);
  const fine = Math.round(Math.min(210, Math.max(110, best.unit * devicePixelRatio)));
  if (!plan || plan.tall !== best.p.tall || plan.wide !== best.p.wide || fine > scene.unit * 1.3) {
    plan = best.p;
    place();
    if (cloth) layCloth(cloth.x, cloth.y);
    scene.build(plan, fine);
    fresh = true;
    document.body.classList.add("ready");
  }
}

// Again whenever words have grown or panels have opened.
function fitting() {
  let asked = false;
  const watcher = new ResizeObserver(() => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; fit(); });
  });
  for (const part of ["header", ".tools", "main", "#status", "#legend", "#keys"]) watcher.observe(document.querySelector(part));
  addEventListener("resize", fit);
}

// A button for each hole, in ring order, so that reading on follows the sowing.
function place() {
  plan.place.forEach((p) => {
    let button = buttons[p.hole];
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.className = "hole";
      button.dataset.hole = p.hole;
      button.tabIndex = p.hole ? -1 : 0;
      button.append(...["span", "b", "small"].map((tag) => document.createElement(tag)));
      buttons[p.hole] = button;
      $("holes").append(button);
    }
    const w = plan.width - 2 * plan.room, h = plan.height - 2 * plan.room;
    button.style.left = `${((p.cx - plan.room) / w) * 100}%`;
    button.style.top = `${((p.cy - plan.room) / h) * 100}%`;
    const row = LETTERS[p.y], code = !plan.tall && row && row[p.x];
    if (code) button.setAttribute("aria-keyshortcuts", code.replace(/^Key/, ""));
    else button.removeAttribute("aria-keyshortcuts");
  });
  label();
}

function hole(x, y) {
  return plan.place.find((p) => p.x === x && p.y === y)?.hole;
}

function draw() {
  requestAnimationFrame(draw);
  if (!fresh || !plan || document.hidden) return;
  fresh = false;
  const colors = [];
  board.leds.forEach((hole, pixel) => {
    const hex = light.slice(pixel * 6, pixel * 6 + 6);
    if (hex.length === 6) colors[hole] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
  });
  scene.draw(colors);
  document.body.dataset.frames = 1 + Number(document.body.dataset.frames || 0);
}

// ---- touches --------------------------------------------------------------------------------------------------

const held = new Map();     // what presses (a pointer, a key) -> hole

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function press(source, hole) {
  if (hole === undefined || held.has(source)) return;
  if (hammer && !String(source).startsWith("new")) return strike(hole);
  const already = [...held.values()].some((touch) => touch.hole === hole);
  alone = !held.size;
  held.set(source, { hole, since: performance.now() });
  if (already) return;
  send({ down: hole });
  buttons[hole].classList.add("down");
}

function release(source) {
  const touch = held.get(source);
  if (!held.delete(source) || [...held.values()].some((other) => other.hole === touch.hole)) return;
  send({ up: touch.hole });
  buttons[touch.hole].classList.remove("down");
  if (alone) tapped(touch);
}

// What a tap in play meant. Only words depend on it: the board itself decides.
function tapped({ hole, since }) {
  const now = performance.now(), speed = board?.speed ?? 1;
  if (state !== "play" || !position || position.over || now < sowing || (now - since) * speed >= TAP_LIMIT_MS) return;
  const half = buttons.length / 2, partner = (hole + half) % buttons.length;
  if (position.mover === computer) {
    // Its turn: no hole is anybody's to choose.
  } else if (position.moves?.includes(hole) || (broken.has(partner) && position.moves?.includes(partner))) {
    sowing = now + SHOWN_MS / speed;
    return;
  } else taught[position.mover] = false;
  label();
  $("turn").classList.remove("nudge");
  void $("turn").offsetWidth;           // so that it begins anew
  $("turn").classList.add("nudge");
}

function letGo() {
  letGrasp();
  for (const source of [...held.keys()]) release(source);
}

// A new game as a person asks for it: both left-hand holes held down together. A result knows no such gesture.
function newGame() {
  if (grasp) return letGrasp();
  const speed = board?.speed ?? 1;
  if (state !== "play") return cutPower();
  const half = buttons.length / 2;
  const left = [0, half].map((from) => {
    for (let h = from; h < from + half; h++) if (!broken.has(h)) return h;
    return from;
  });
  left.forEach((hole, player) => press(`new${player}`, hole));
  grasp = setTimeout(letGrasp, GRASP_MS / speed);
  $("new").style.setProperty("--time", `${GRASP_MS / speed}ms`);
  $("new").classList.add("holding");
  label();
}

function letGrasp() {
  if (!grasp) return;
  clearTimeout(grasp);
  grasp = null;
  for (const player of [0, 1]) release(`new${player}`);
  $("new").classList.remove("holding");
  label();
}

// ---- what can happen to it ------------------------------------------------------------------------------------

function cutPower() {
  send({ power: false });
  setTimeout(send, OFF_MS / (board?.speed ?? 1), { power: true });
}

// Takes up a fault, to be given to the holes that are touched next; null puts it down.
function takeUp(fault) {
  hammer = fault;
  if (fault) letGo();
  for (const button of $("faults").children) button.setAttribute("aria-pressed", button.dataset.fault === fault);
  document.body.classList.toggle("breaking", Boolean(fault));
  label();
}

function strike(hole) {
  send({ break: [hole, faults[hole] === hammer ? null : hammer] });
}

// The middle of the cloth, in parts of the board; it wets the holes whose middle it covers.
function layCloth(x, y) {
  if (!plan) return;
  const limit = (value) => Math.min(1, Math.max(0, value));
  const w = plan.width - 2 * plan.room, h = plan.height - 2 * plan.room;
  const size = plan.tall ? [CLOTH[1] * plan.wide, CLOTH[0]] : CLOTH;
  const at = { x: limit(x), y: limit(y) };
  at.holes = plan.place.filter((p) =>
    Math.abs((p.cx - plan.room) - at.x * w) < size[0] / 2 && Math.abs((p.cy - plan.room) - at.y * h) < size[1] / 2).map((p) => p.hole);
  if (!cloth || cloth.holes.join() !== at.holes.join()) send({ cloth: at.holes });
  cloth = at;
  Object.assign($("cloth").style, {
    left: `${at.x * 100}%`, top: `${at.y * 100}%`, width: `${(size[0] / w) * 100}%`, height: `${(size[1] / h) * 100}%`,
  });
  $("cloth").hidden = false;
  $("lay").setAttribute("aria-pressed", "true");
}

function takeCloth() {
  clearInterval(wiping);
  wiping = null;
  if (!cloth) return;
  const focused = document.activeElement === $("cloth");
  cloth = null;
  send({ cloth: [] });
  $("cloth").hidden = true;
  $("lay").setAttribute("aria-pressed", "false");
  if (focused) $("lay").focus();
}

// Along the board and back, a stroke for each row or two of holes.
function wipe() {
  takeCloth();
  if (!plan) return;
  const time = WIPE_MS / (board?.speed ?? 1), began = performance.now(), strokes = 2;
  const step = () => {
    const done = (performance.now() - began) / time;
    if (done >= 1) return takeCloth();
    const stroke = Math.floor(done * strokes), far = (1 - Math.cos(Math.PI * (done * strokes - stroke))) / 2;
    const along = 0.1 + 0.8 * (stroke % 2 ? 1 - far : far), across = (stroke + 0.5) / strokes;
    if (plan.tall) layCloth(across, along);
    else layCloth(along, across);
  };
  wiping = setInterval(step, 40);
  step();
}

function mishaps() {
  const piece = $("cloth");
  let grip = null;          // where in the cloth the pointer holds it
  const part = (event) => {
    const box = $("board").getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  piece.addEventListener("pointerdown", (event) => {
    if (event.button || !cloth) return;
    clearInterval(wiping);
    const [x, y] = part(event);
    grip = [cloth.x - x, cloth.y - y];
    piece.setPointerCapture(event.pointerId);
  });
  piece.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = part(event);
    layCloth(x + grip[0], y + grip[1]);
  });
  for (const type of ["pointerup", "pointercancel"]) piece.addEventListener(type, () => { grip = null; });
  piece.addEventListener("contextmenu", (event) => event.preventDefault());
  piece.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, way = ways[event.key];
    if (!cloth || (!way && !["Delete", "Backspace", "Escape"].includes(event.key))) return;
    event.preventDefault();
    clearInterval(wiping);
    if (way) layCloth(cloth.x + way[0] * 0.5 / plan.columns, cloth.y + way[1] * 0.5 / plan.lines);
    else takeCloth();
  });
  $("lay").addEventListener("click", () => {
    if (cloth) return takeCloth();
    layCloth(0.5, 0.5);
    seeBoard();
    piece.focus({ preventScroll: true });
  });
  $("wipe").addEventListener("click", () => {
    wipe();
    seeBoard();
  });
  $("faults").addEventListener("click", ({ target }) => {
    const fault = target.dataset.fault;
    if (!fault) return;
    takeUp(hammer === fault ? null : fault);
    if (hammer) seeBoard();
  });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && hammer) takeUp(null); });
  $("mend").addEventListener("click", () => {
    for (const hole of Object.keys(faults)) send({ break: [Number(hole), null] });
    $("mishaps").focus({ preventScroll: true });
  });
  $("cut").addEventListener("click", cutPower);
}

// On a small screen the panel lies below the board.
function seeBoard() {
  $("stage").scrollIntoView({ block: "nearest", behavior: "instant" });
}

// What the machine says of its pads.
function padsAre(pads) {
  faults = pads.faults;
  for (const button of buttons) button.classList.toggle("wet", pads.wet.includes(Number(button.dataset.hole)));
  label();
}

const holeOf = (target) => {
  const button = target.closest?.(".hole");
  return button ? Number(button.dataset.hole) : undefined;
};

function touchable() {
  const holes = $("holes");
  let handled = 0;          // when a pointer or key last did the work that a click would do again
  holes.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    press(event.pointerId, holeOf(event.target));
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    addEventListener(type, (event) => {
      if (held.has(event.pointerId)) handled = event.timeStamp;
      release(event.pointerId);
    });
  }
  // A finger that slides off a pad has left it.
  const slide = (event) => {
    const touch = held.get(event.pointerId);
    if (!touch) return;
    const under = event.type === "pointermove" && document.elementFromPoint(event.clientX, event.clientY);
    if (under && holeOf(under) === touch.hole) return;
    if (event.type === "pointerout" && event.relatedTarget) return;
    release(event.pointerId);
  };
  addEventListener("pointermove", slide);
  addEventListener("pointerout", slide);     // out of the window
  holes.addEventListener("contextmenu", (event) => event.preventDefault());   // a long touch is a long touch
  // A screen reader's or a switch's activation is a click without pointer or key.
  holes.addEventListener("click", (event) => {
    const hole = holeOf(event.target);
    if (hole === undefined || event.detail || event.timeStamp - handled < 300) return;
    press("click", hole);
    setTimeout(release, TAP_MS, "click");
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea")) return;
    const here = holeOf(event.target);
    if (here !== undefined && (event.key === " " || event.key === "Enter")) {
      event.preventDefault();
      if (!event.repeat) press(event.code, here);
      return;
    }
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0] };
    if (here !== undefined && steps[event.key]) {
      event.preventDefault();
      const at = plan.place[here], [dx, dy] = steps[event.key];
      const limit = (value, most) => Math.min(most - 1, Math.max(0, value));
      focusHole(hole(limit(at.x + dx, plan.columns), limit(at.y + dy, plan.lines)));
      return;
    }
    // A row of letters is a row of holes; the board's own rows, however it lies on the screen.
    if (!board) return;
    const y = LETTERS.findIndex((row) => row.includes(event.code));
    const target = y < 0 ? undefined : board.rows[y]?.[LETTERS[y].indexOf(event.code)];
    if (target === undefined) return;
    event.preventDefault();
    if (!event.repeat) press(event.code, target);
  });
  addEventListener("keyup", (event) => {
    if (held.has(event.code)) handled = event.timeStamp;
    release(event.code);
  });
  addEventListener("blur", letGo);
  document.addEventListener("visibilitychange", () => { letGo(); fresh = true; });
  $("holes").addEventListener("focusin", (event) => roving(holeOf(event.target)));
}

function roving(hole) {
  if (hole === undefined) return;
  for (const button of buttons) button.tabIndex = Number(button.dataset.hole) === hole ? 0 : -1;
}

function focusHole(hole) {
  if (hole === undefined) return;
  roving(hole);
  buttons[hole].focus();
}

// ---- what the console tells -----------------------------------------------------------------------------------

const powered = () => $("power").getAttribute("aria-checked") === "true";
const write = (node, words) => { if (node.textContent !== words) node.textContent = words; };

// The answers to what the board asks, in words.
function answers() {
  if (question === "players") return [say("two"), say("one")];
  if (question === "level") return ["1", "2", "3"].map((number) => say("level" + number));
  return offered.map(title);
}

// What lies where meanwhile: answer i is at hole i and at its partner, on pads that live.
function choices() {
  const half = buttons.length / 2, at = [], all = answers();
  let next = 0;
  for (let h = 0; h < half && next < all.length; h++) {
    const both = [h, h + half].filter((hole) => !broken.has(hole));
    for (const hole of both) if (!away.includes(next)) at[hole] = all[next];
    if (both.length) next++;
  }
  return at;
}

function label() {
  const half = buttons.length / 2, on = powered(), p = on ? position : null;
  const names = on && state === "choose" ? choices() : [];
  const uneven = Boolean(p?.territory?.some((player, h) => player !== Number(h >= half)));
  buttons.forEach((button, h) => {
    const owner = p?.territory ? p.territory[h] : Number(h >= half);
    let parts = [say("hole", { hole: h }), side(owner)];
    if (p) {
      parts.push(say("seeds", { count: p.seeds[h] }));
      if (p.claims?.[h] >= 0) parts.push(say("claimed", { side: side(p.claims[h]) }));
      if (p.moves?.includes(h) && !p.over && p.mover !== computer) parts.push(say("playable"));
    }
    if (names[h]) parts = [say("choice", { answer: names[h] })];
    if (on && broken.has(h)) parts.push(say("broken"));
    const fault = faults[h] ? say(`fault-${faults[h]}`) : "";
    if (fault) parts.push(say("faulty", { fault }));
    write(button.children[2], fault);
    button.setAttribute("aria-label", parts.join(", "));
    write(button.firstChild, p ? String(p.seeds[h]) : "");
    write(button.children[1], names[h] ?? "");
    for (const player of [0, 1]) {
      button.classList.toggle("claim" + player, p?.claims?.[h] === player);
      button.classList.toggle("land" + player, uneven && owner === player);
    }
  });
  for (const player of [0, 1]) {
    write($("score" + player), p?.score ? String(p.score[player]) : "");
    write($("who" + player), computer < 0 || !on ? "" : player === computer ? say("plays", { level }) : say("you"));
    $("seat" + player).classList.toggle("moving", Boolean(p && !p.over && (p.race || p.mover === player)));
  }
  const list = Object.keys(faults).map((hole) => say("brokenone", { hole, fault: say(`fault-${faults[hole]}`) }));
  write($("broken"), list.length ? `${list.join("; ")}.` : say("breakhelp"));
  $("mend").hidden = !list.length;
  const words = next(p, on);
  write($("told"), on && socket?.readyState === WebSocket.OPEN && !["asleep", "stopped"].includes(state) ? told : "");
  write($("turn"), words);
  document.body.dataset.state = state;
  document.body.classList.toggle("playing", Boolean(p) && ["play", "result"].includes(state));
  explain(p, uneven);
  rules(p ? [p.game] : offered);
}

// What there is to do now, in one sentence.
function next(p, on) {
  if (!socket || socket.readyState > WebSocket.OPEN) return say("lost");
  if (hammer) return say("breaking", { fault: say(`fault-${hammer}`) });
  if (!on) return say("off");
  if (state === "staff" && item === "wipe-down") return say("wipedown");
  if (["asleep", "stopped", "selftest", "staff"].includes(state)) return say(state);
  if (grasp) return say("holding");
  if (p?.over) {
    const [south, north] = p.score, last = p.match_over !== 0;   // a game without rounds does not speak of it
    return say((south === north ? "drawn" : "won") + (last ? "" : "round"), {
      side: who(Number(north > south)), more: Math.max(south, north), less: Math.min(south, north),
      round: p.round, next: p.round + 1,
    });
  }
  if (p?.race) return say(computer < 0 ? "race" : "racealone");
  if (p && p.mover === computer) return say("thinks");
  if (p) {
    const key = p.again ? "again" : taught[p.mover] ? "turn" : "first";
    return say(key, { side: side(p.mover), count: p.moves?.length });
  }
  if (state === "choose") return say(question === "players" || question === "level" ? question : state);
  return state === "attract" ? say(state) : "";
}

// A turn that is over, in words: `before` it and `after`.
function tell(before, after) {
  const count = (kind) => after.events.filter((event) => event[0] === kind).length;
  const lifts = after.events.filter((event) => event[0] === "lift");
  if (!lifts.length || after.race || before?.race) return "";   // drops of a race are no turns
  const known = before && !before.over && before.game === after.game;
  const player = known ? before.mover : after.territory?.[lifts[0][1]] ?? 0;
  const taken = after.events.reduce((sum, event) => sum + (event[0] === "take" ? event[2] : 0), 0);
  const key = count("claim") ? (taken ? "sowedboth" : "sowedclaimed") : taken ? "sowedtook" : "sowed";
  const words = [say(key, {
    side: who(player), handfuls: say("handfuls", { count: lifts.length }), seeds: say("seeds", { count: taken }),
  })];
  if (count("endless")) words.push(say("endless"));
  if (known && !after.over && after.turns?.[1 - player] > before.turns?.[1 - player]) {
    words.push(say("passes", { side: who(1 - player) }));
  }
  if (player !== computer) taught[player] = true;
  return words.join(" ");
}

// Beside the numbers: what the rings around the holes mean.
function explain(p, uneven) {
  const rings = [];
  for (const player of [0, 1]) if (p?.claims?.includes(player)) rings.push([`claim${player}`, say("claimed", { side: side(player) })]);
  if (uneven) for (const player of [0, 1]) rings.push([`land${player}`, say("holeof", { side: side(player) })]);
  const legend = $("legend"), key = rings.map((ring) => ring[0]).join();
  legend.hidden = !key || state === "result" || !document.body.classList.contains("numbers");
  if (legend.dataset.rings === key) return;
  legend.dataset.rings = key;
  legend.replaceChildren(...rings.map(([name, words]) => {
    const item = document.createElement("span"), ring = document.createElement("i");
    ring.className = name;
    item.append(ring, words);
    return item;
  }));
}

// The game that is being played, or those that may be.
function rules(names) {
  const games = [...new Set(names)].filter((name) => texts.games?.[name]), key = games.join();
  const box = $("rules-text");
  if (box.dataset.games === key && box.childElementCount) return;
  box.dataset.games = key;
  const add = (to, tag, words = "", className = "") => {
    const node = document.createElement(tag);
    node.textContent = words;
    node.className = className;
    to.append(node);
    return node;
  };
  box.replaceChildren();
  for (const name of games) {
    const game = texts.games[name], many = games.length > 1;
    const part = many ? add(box, "details") : box;
    if (many) add(part, "summary", game.name);
    else add(part, "h3", game.name);
    const list = add(part, "ol");
    for (const rule of [game.rules].flat()) add(list, "li", rule);
    add(part, "p", say("sources", { sources: game.sources.join("; ") }), "small");
    if (board?.rules?.includes(name)) {
      const more = add(add(part, "p", "", "small"), "a", say("more", { page: `docs/rules/${name}.md` }));
      more.href = `/rules/${name}.md`;
      more.target = "_blank";
      more.rel = "noopener";
    }
  }
  if (!games.length) add(box, "p", say("norules"));
}

// One whole line of the console.
function understand(line) {
  const ready = /^gebeta ready .*\bgames=([\w,]+)/.exec(line);
  if (ready) offered = ready[1].split(",");
  if (line.startsWith("self-test: ")) state = "selftest";
  if (line === "Code done running.") {
    forget();
    state = "stopped";
  }
  if (!line.startsWith("{")) return;
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    return;               // cut off, or not for us
  }
  if (typeof value.state === "string") {
    state = value.state;
    item = "";
    question = value.question ?? "";
    away = Array.isArray(value.away) ? value.away : [];
    if (["play", "race", "result"].includes(state)) {
      level = value.level ?? 0;
      computer = level ? 1 - value.person : -1;
    }
    if (state !== "play") letGrasp();
    if (state === "attract" || state === "choose") {
      position = null;
      computer = -1;
    }
    if (state === "attract") told = "";
  } else if (typeof value.staff === "string") item = value.staff;
  else if (value.takeback) told = say("takenback");
  else if (value.abandoned) {
    told = say("givenup");
    letGrasp();
  } else if (Number.isInteger(value.pad)) broken[value.out_of_order ? "add" : "delete"](value.pad);
  else if (isPosition(value)) {
    const back = told === say("takenback") && !value.events;
    if (!back) told = value.events ? tell(position, value) : "";
    position = value;
    if (state === "selftest") state = "play";
    sowing = 0;
  }
}

function forget() {
  position = null;
  computer = -1;
  state = told = question = item = "";
  sowing = 0;
  taught.fill(false);
  broken.clear();
}

function isPosition(value) {
  return Array.isArray(value?.seeds) && value.seeds.length === buttons.length && Array.isArray(value.score);
}

function hear(text) {
  const lines = (partial + text).split("\n");
  partial = lines.pop();
  const list = $("lines"), following = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
  for (const line of lines) {
    const up = /^\x1b\[(\d+)A/.exec(line);     // a table that is written over the one before
    for (let i = Number(up?.[1] ?? 0); i > 0; i--) list.lastChild?.remove();
    const node = document.createElement("div");
    node.textContent = line.slice(up?.[0].length ?? 0);
    if (line.startsWith("{")) node.className = "data";
    understand(line);
    list.append(node);
  }
  while (list.childElementCount > 500) list.firstChild.remove();
  if (following) list.scrollTop = list.scrollHeight;
  label();
}

// ---- the wire -------------------------------------------------------------------------------------------------

function connect(wait = 250) {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    wait = 250;
    if (message.hello) {
      board = message.hello;
      document.body.dataset.board = board.board;
      partial = "";
      $("lines").replaceChildren();
      forget();
      fit();
      if (cloth) send({ cloth: cloth.holes });
    } else if (message.pads) {
      padsAre(message.pads);
    } else if (message.light !== undefined) {
      light = message.light;
      document.body.dataset.light = light;
      fresh = true;
    } else if (message.notes) {
      piezo.play(message.notes, board.speed);
    } else if (message.console !== undefined) {
      hear(message.console);
    } else if (message.power !== undefined) {
      $("power").setAttribute("aria-checked", message.power);
      document.body.classList.toggle("on", message.power);
      if (!message.power) {
        letGrasp();
        forget();
      }
      label();
    }
  };
  socket.onclose = () => {
    letGrasp();
    held.clear();
    for (const button of buttons) button.classList.remove("down");
    label();
    setTimeout(connect, wait, Math.min(wait * 2, 4000));
  };
}

function tools() {
  const toggle = (button, panel) => {
    const show = (open) => {
      $(panel).hidden = !open;
      $(button).setAttribute("aria-expanded", open);
      document.body.classList.toggle("panels", ["rules", "console", "mishaps"].some((name) => !$(name).hidden));
      remember(panel, open);
      if (panel === "mishaps") {
        document.body.classList.toggle("mishaps", open);
        if (!open) takeUp(null);
      }
      if (open) $("lines").scrollTop = $("lines").scrollHeight;
      fit();
    };
    show(remembered(panel));
    $(button).addEventListener("click", () => {
      show($(panel).hidden);
      if ($(panel).hidden) return;
      $(panel).focus({ preventScroll: true });
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      $(panel).scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    });
  };
  $("typed").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    send({ type: event.target.value });
    event.target.value = "";
  });
  toggle("show-rules", "rules");
  toggle("show-console", "console");
  toggle("show-mishaps", "mishaps");
  const number = (on) => {
    document.body.classList.toggle("numbers", on);
    $("numbers").setAttribute("aria-pressed", on);
    remember("numbers", on);
    label();
  };
  number(remembered("numbers"));
  $("numbers").addEventListener("click", () => number(!document.body.classList.contains("numbers")));
  $("sound").addEventListener("click", () => {
    piezo.turn(!piezo.on);
    $("sound").setAttribute("aria-pressed", piezo.on);
  });
  $("power").addEventListener("click", () => send({ power: !powered() }));
  $("new").addEventListener("click", newGame);
}

await speak();
$("cloth").setAttribute("aria-label", say("cloth"));
tools();
mishaps();
touchable();
fitting();
connect();
requestAnimationFrame(draw);
