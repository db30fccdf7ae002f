// The page of the virtual board: light from the strip, touches to the pads, and what the console tells of the position.
//
// What is known of the game comes from the console's lines (GEBETA_LOG=1): positions in the engine's line protocol (seeds,
// claims, territory, mover, moves, score, over, game), {"state": ...}, {"pad": 3, "out_of_order": 1}, and the games that
// the board offers. Without them the board plays all the same.

import { layout } from "./wood.js";
import { Scene } from "./light.js";

const $ = (id) => document.getElementById(id);
const LETTERS = [
  ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY", "KeyU", "KeyI", "KeyO", "KeyP", "BracketLeft", "BracketRight"],
  ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG", "KeyH", "KeyJ", "KeyK", "KeyL", "Semicolon", "Quote", "Backslash"],
  ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyN", "KeyM", "Comma", "Period", "Slash"],
];
const TAP_MS = 140;         // a touch made by a screen reader, which has no length of its own
const TALLER = 1.35;        // the board stands on end where that makes it larger by this much
const LEARNT = 3;           // touches after which the hint has done its work

let texts = {};
let board = null;           // {board, rows, leds} from the server
let plan = null;
let position = null;        // the newest JSON line of the console
let state = "";             // what the board is doing, if it says so
let offered = [];           // the games that can be chosen, in order
const broken = new Set();   // pads that are out of order
let light = "";
let fresh = false;          // light has changed since it was drawn
let socket = null;
let touches = 0;
let partial = "";           // the console's unfinished line
const buttons = [];
const scene = new Scene({ wood: $("wood"), spill: $("spill"), bowls: $("bowls") });

// ---- words ----------------------------------------------------------------------------------------------------

const say = (key, values = {}) =>
  (texts.page?.[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const side = (player) => say(player ? "north" : "south");

async function speak() {
  const wanted = (new URLSearchParams(location.search).get("lang") || navigator.language || "en").slice(0, 2).toLowerCase();
  for (const lang of [wanted, "en"]) {
    if (!/^[a-z]{2}$/.test(lang)) continue;
    const answer = await fetch(`/texts/${lang}.json`);
    if (!answer.ok) continue;
    texts = await answer.json();
    document.documentElement.lang = lang;
    break;
  }
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  $("board").setAttribute("aria-label", say("board"));
}

// ---- the board ------------------------------------------------------------------------------------------------

const tallOf = (...selectors) => selectors.reduce((sum, s) => sum + document.querySelector(s).offsetHeight, 0);

// What is left of the window for the board and the players at its sides.
function room() {
  const { clientWidth } = document.documentElement;
  const short = innerHeight < 480 && clientWidth > innerHeight;
  document.body.classList.toggle("short", short);
  const phone = clientWidth <= 560;   // there the buttons stand under the board
  const taken = tallOf(phone ? "h1" : "header", "#turn", "#hint", "#keys") + (phone ? tallOf(".tools") : 0);
  return { width: clientWidth - Math.max(16, clientWidth * 0.04), height: innerHeight - taken - (short ? 8 : 30), short };
}

function fit() {
  if (!board) return;
  const { width, height, short } = room();
  const size = (tall) => {
    const p = layout(board.rows, tall), w = p.width - 2 * p.room, h = p.height - 2 * p.room;
    const beside = tall ? 68 : short ? 90 : 0, above = tall || short ? 0 : 64;
    return { p, w, h, unit: Math.min((width - beside) / w, (height - above) / h, 150) };
  };
  const flat = size(false), onEnd = size(true);
  const best = onEnd.unit > flat.unit * TALLER ? onEnd : flat;
  best.unit = Math.max(best.unit, 24);
  document.body.classList.toggle("tall", best.p.tall);
  const style = $("board").style;
  style.width = `${best.w * best.unit}px`;
  style.height = `${best.h * best.unit}px`;
  style.setProperty("--unit", `${best.unit}px`);
  style.setProperty("--room", `${-best.p.room * best.unit}px`);
  const fine = Math.round(Math.min(210, Math.max(110, best.unit * devicePixelRatio)));
  if (!plan || plan.tall !== best.p.tall || fine > scene.unit * 1.3) {
    plan = best.p;
    place();
    scene.build(plan, fine);
    fresh = true;
    document.body.classList.add("ready");
  }
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
      button.append(document.createElement("span"));
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
  const already = [...held.values()].includes(hole);
  held.set(source, hole);
  if (already) return;
  send({ down: hole });
  buttons[hole].classList.add("down");
  if (++touches === LEARNT) document.body.classList.add("learnt");
}

function release(source) {
  const hole = held.get(source);
  if (!held.delete(source) || [...held.values()].includes(hole)) return;
  send({ up: hole });
  buttons[hole].classList.remove("down");
}

function letGo() {
  for (const source of [...held.keys()]) release(source);
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

function label() {
  const half = buttons.length / 2;
  const on = $("power").getAttribute("aria-checked") === "true";
  buttons.forEach((button, h) => {
    const p = on ? position : null;
    const parts = [say("hole", { hole: h }), side(p?.territory ? p.territory[h] : Number(h >= half))];
    if (p) {
      parts.push(say(p.seeds[h] === 1 ? "seed" : "seeds", { seeds: p.seeds[h] }));
      if (p.claims?.[h] >= 0) parts.push(say("claimed", { side: side(p.claims[h]) }));
      if (p.moves?.includes(h) && !p.over) parts.push(say("playable"));
    }
    if (on && broken.has(h)) parts.push(say("broken"));
    button.setAttribute("aria-label", parts.join(", "));
    button.firstChild.textContent = p ? p.seeds[h] : "";
    button.classList.toggle("claim0", p?.claims?.[h] === 0);
    button.classList.toggle("claim1", p?.claims?.[h] === 1);
  });
  const p = on ? position : null;
  for (const player of [0, 1]) {
    $("score" + player).textContent = p?.score ? p.score[player] : "";
    $("seat" + player).classList.toggle("moving", Boolean(p && !p.over && (p.race || p.mover === player)));
  }
  let words = "";
  if (!socket || socket.readyState > WebSocket.OPEN) words = say("lost");
  else if (!on) words = say("off");
  else if (p?.over && state !== "asleep") {
    const [south, north] = p.score;
    words = say(south === north ? "drawn" : "won", { side: side(Number(north > south)), south, north });
  } else if (p?.race && state !== "asleep") words = say("race");
  else if (p && state !== "asleep") words = say(p.again ? "again" : "turn", { side: side(p.mover) });
  else if (state === "choose" && offered.length) {
    const entry = (game, i) => say("entry", { game: texts.games?.[game]?.name ?? game, south: i, north: half + i });
    words = say("choose", { games: offered.map(entry).join("; ") });
  } else if (["attract", "asleep", "stopped"].includes(state)) words = say(state);
  if ($("turn").textContent !== words) $("turn").textContent = words;
  document.body.dataset.state = state;
  rules(p ? [p.game] : offered);
}

// The game that is being played, or those that may be.
function rules(names) {
  const games = names.filter((name) => texts.games?.[name]), key = games.join();
  const box = $("rules-text");
  if (box.dataset.games === key && box.childElementCount) return;
  box.dataset.games = key;
  const add = (tag, text, className = "") => {
    const node = document.createElement(tag);
    node.textContent = text;
    node.className = className;
    box.append(node);
  };
  box.replaceChildren();
  for (const name of games) {
    add("h3", texts.games[name].name);
    add("p", texts.games[name].rules);
    add("p", say("sources", { sources: texts.games[name].sources.join("; ") }), "small");
  }
  if (!games.length) add("p", say("norules"));
}

// One whole line of the console.
function understand(line) {
  const ready = /^gebeta ready .*\bgames=([\w,]+)/.exec(line);
  if (ready) offered = ready[1].split(",");
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
    if (state === "attract" || state === "choose") position = null;
  } else if (Number.isInteger(value.pad)) broken[value.out_of_order ? "add" : "delete"](value.pad);
  else if (isPosition(value)) position = value;
}

function forget() {
  position = null;
  state = "";
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
    const node = document.createElement("div");
    node.textContent = line;
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
    } else if (message.light !== undefined) {
      light = message.light;
      document.body.dataset.light = light;
      fresh = true;
    } else if (message.console !== undefined) {
      hear(message.console);
    } else if (message.power !== undefined) {
      $("power").setAttribute("aria-checked", message.power);
      document.body.classList.toggle("on", message.power);
      if (!message.power) forget();
      label();
    }
  };
  socket.onclose = () => {
    held.clear();
    for (const button of buttons) button.classList.remove("down");
    label();
    setTimeout(connect, wait, Math.min(wait * 2, 4000));
  };
}

function tools() {
  const toggle = (button, panel) => $(button).addEventListener("click", () => {
    const open = $(panel).hidden;
    $(panel).hidden = !open;
    $(button).setAttribute("aria-expanded", open);
    if (open) {
      $("lines").scrollTop = $("lines").scrollHeight;
      $(panel).focus({ preventScroll: true });
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      $(panel).scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    }
  });
  toggle("show-rules", "rules");
  toggle("show-console", "console");
  $("numbers").addEventListener("click", () => {
    const on = document.body.classList.toggle("numbers");
    $("numbers").setAttribute("aria-pressed", on);
  });
  $("power").addEventListener("click", () => send({ power: $("power").getAttribute("aria-checked") !== "true" }));
  $("type").addEventListener("submit", (event) => {
    event.preventDefault();
    send({ type: $("line").value + "\n" });
    $("line").value = "";
  });
}

await speak();
tools();
touchable();
addEventListener("resize", fit);
connect();
requestAnimationFrame(draw);
