// The script of a run: what hangs on the board, and what happens to it, in order. README.md describes it. A script is
// checked whole before anything runs, so that a wrong word in its last line is not found after ten minutes.

import { FAULTS } from "./mpr121.js";
import { HOSTS } from "./usb_host.js";

const PINS = 29;
const TIMEOUT_MS = 12_000;
const CHIP_FAULTS = [...FAULTS, "reset", "over_current"];

class Problem extends Error {}

function fail(where, text) {
  throw new Problem(`${where}: ${text}`);
}

function known(where, object, keys) {
  if (object === null || typeof object !== "object" || Array.isArray(object)) fail(where, `an object with ${keys.join(", ")}`);
  for (const key of Object.keys(object)) {
    if (!keys.includes(key)) fail(where, `no ${JSON.stringify(key)}; allowed are ${keys.join(", ")}`);
  }
}

function number(where, value, low, high) {
  if (typeof value !== "number" || !(value >= low && value <= high)) {
    fail(where, `${JSON.stringify(value)}: a number from ${low} to ${high}`);
  }
}

function whole(where, value, low, high) {
  number(where, value, low, high);
  if (!Number.isInteger(value)) fail(where, `${value}: a whole number from ${low} to ${high}`);
}

function oneOf(where, value, allowed) {
  if (!allowed.includes(value)) fail(where, `${JSON.stringify(value)}: one of ${allowed.join(", ")}`);
}

function pin(where, value) {
  whole(where, value, 0, PINS - 1);
}

function text(where, value) {
  if (typeof value !== "string" || !value) fail(where, `${JSON.stringify(value)}: a text`);
}

// ---- what hangs on the board

function checkBoard(script) {
  known("script", script, ["strips", "pads", "levels", "i2c", "host", "seed", "events"]);
  if (script.seed !== undefined) whole("seed", script.seed, 1, 2 ** 32 - 1);
  if (script.host !== undefined) oneOf("host", script.host, HOSTS);
  (script.strips ?? []).forEach((strip, i) => {
    const where = `strips[${i}]`;
    known(where, strip, ["pin", "order"]);
    pin(`${where}.pin`, strip.pin);
    if (strip.order !== undefined && !/^(?=.*R)(?=.*G)(?=.*B)[RGBW]{3,4}$/.test(strip.order)) {
      fail(`${where}.order`, `${JSON.stringify(strip.order)}: an order of RGB or RGBW, such as GRB`);
    }
  });
  for (const [name, how] of Object.entries(script.pads ?? {})) {
    const where = `pads.${name}`;
    pin(where, Number(name));
    known(where, how, ["idle_us", "touch_us", "noise_us", "pull"]);
    for (const key of ["idle_us", "touch_us", "noise_us"]) {
      if (how[key] !== undefined) number(`${where}.${key}`, how[key], 0, 10_000);
    }
    if (how.pull !== undefined) oneOf(`${where}.pull`, how.pull, ["down", "up"]);
  }
  for (const [name, level] of Object.entries(script.levels ?? {})) {
    pin(`levels.${name}`, Number(name));
    oneOf(`levels.${name}`, level, [0, 1]);
  }
  if (script.i2c !== undefined) {
    known("i2c", script.i2c, ["sda", "scl", "chips"]);
    pin("i2c.sda", script.i2c.sda);
    pin("i2c.scl", script.i2c.scl);
    if (script.i2c.sda % 2 || script.i2c.scl !== script.i2c.sda + 1) fail("i2c", "sda is an even pin, and scl the next one");
    for (const [name, how] of Object.entries(script.i2c.chips ?? {})) {
      const where = `i2c.chips.${name}`;
      whole(where, Number(name), 0x5a, 0x5d);
      known(where, how, ["idle", "touched", "noise"]);
      for (const key of ["idle", "touched", "noise"]) {
        if (how[key] !== undefined) whole(`${where}.${key}`, how[key], 0, 1023);
      }
    }
  }
}

// ---- what happens

const list = (value) => (Array.isArray(value) ? value : [value]);

// Each kind of event: its keys, what they may be, and what it does to a Pico.
const KINDS = {
  touched: {
    keys: ["pin", "electrode", "touched"],
    check(where, event, script) {
      oneOf(`${where}.touched`, event.touched, [true, false]);
      if ((event.pin === undefined) === (event.electrode === undefined)) fail(where, "touched has a pin or an electrode");
      for (const one of list(event.pin ?? [])) {
        if (!script.pads?.[one]) fail(`${where}.pin`, `${JSON.stringify(one)}: a pin of pads`);
      }
      for (const one of list(event.electrode ?? [])) checkElectrode(`${where}.electrode`, one, script);
    },
    act(pico, event) {
      for (const one of list(event.pin ?? [])) pico.touch(one, event.touched);
      for (const one of list(event.electrode ?? [])) {
        const [address, electrode] = one.split(":").map(Number);
        pico.touchElectrode(address, electrode, event.touched);
      }
    },
  },
  move: {
    keys: ["move", "pins"],
    check(where, event, script) {
      whole(`${where}.move`, event.move, 0, 1000);
      if (!Array.isArray(event.pins)) fail(`${where}.pins`, `${JSON.stringify(event.pins)}: the pin of each hole, a list`);
      for (const one of event.pins) {
        if (!script.pads?.[one]) fail(`${where}.pins`, `${JSON.stringify(one)}: a pin of pads`);
      }
    },
    act(pico, event) {
      const holes = lastMoves(pico.text);
      if (!holes.length) return "a position with moves";
      pico.touch(event.pins[holes[event.move % holes.length]], true);
      return null;
    },
  },
  open: {
    keys: ["pin", "open"],
    check(where, event, script) {
      oneOf(`${where}.open`, event.open, [true, false]);
      if (!script.pads?.[event.pin]) fail(`${where}.pin`, `${JSON.stringify(event.pin)}: a pin of pads`);
    },
    act: (pico, event) => pico.openPad(event.pin, event.open),
  },
  level: {
    keys: ["pin", "level"],
    check(where, event) {
      pin(`${where}.pin`, event.pin);
      oneOf(`${where}.level`, event.level, [0, 1]);
    },
    act: (pico, event) => pico.level(event.pin, event.level),
  },
  fault: {
    keys: ["chip", "fault"],
    check(where, event, script) {
      oneOf(`${where}.fault`, event.fault, CHIP_FAULTS);
      if (!script.i2c?.chips?.[event.chip]) fail(`${where}.chip`, `${JSON.stringify(event.chip)}: an address of i2c.chips`);
    },
    act: (pico, event) => pico.chipFault(Number(event.chip), event.fault),
  },
  host: {
    keys: ["host"],
    check: (where, event) => oneOf(`${where}.host`, event.host, HOSTS.filter((kind) => kind !== "none")),
    act: (pico, event) => pico.become(event.host),
  },
  type: {
    keys: ["type"],
    check: (where, event) => text(`${where}.type`, event.type),
    act: (pico, event) => pico.type(event.type),
  },
  power_cut: {
    keys: ["power_cut"],
    check: (where, event) => oneOf(`${where}.power_cut`, event.power_cut, [true, "erase"]),
    act(pico, event) {
      if (event.power_cut === true) pico.powerCut();
      else if (!pico.powerCutInErase(TIMEOUT_MS)) return "an erase";
      return null;
    },
  },
  mark: {
    keys: ["mark"],
    check: (where, event) => text(`${where}.mark`, event.mark),
    act() {},
  },
};
const WHEN = ["t_ms", "dt_ms", "wait_for", "timeout_ms"];

// The holes that may be chosen, as the console has told last.
export function lastMoves(text) {
  const told = /^"moves":\[([\d,]+)\]/.exec(text.slice(text.lastIndexOf('"moves":[')));
  return told ? told[1].split(",").map(Number) : [];
}

// "0x5a:3": the fourth electrode of the chip at that address
function checkElectrode(where, value, script) {
  const [address, electrode] = String(value).split(":");
  if (!script.i2c?.chips?.[address] || !/^([0-9]|1[01])$/.test(electrode ?? "")) {
    fail(where, `${JSON.stringify(value)}: ADDRESS:NUMBER, an address of i2c.chips and 0 to 11`);
  }
}

function checkEvent(where, event, script) {
  const kinds = Object.keys(KINDS).filter((kind) => event?.[kind] !== undefined);
  if (kinds.length > 1) fail(where, `one of ${kinds.join(" and ")}, not both`);
  const kind = kinds.length ? KINDS[kinds[0]] : { keys: [], check() {} };
  known(where, event, [...WHEN, ...(kinds.length ? kind.keys : Object.keys(KINDS))]);
  const when = ["t_ms", "dt_ms"].filter((key) => event[key] !== undefined);
  if (when.length === 2) fail(where, "t_ms or dt_ms, not both");
  if (!when.length && event.wait_for === undefined && !kinds.length) fail(where, `an event says when (${WHEN.join(", ")}) or what`);
  for (const key of [...when, "timeout_ms"]) if (event[key] !== undefined) number(`${where}.${key}`, event[key], 0, 1e9);
  if (event.wait_for !== undefined) text(`${where}.wait_for`, event.wait_for);
  kind.check(where, event, script);
}

// The script that this text holds, checked. Throws an Error that says what would have been right.
export function parse(source) {
  let script;
  try {
    script = JSON.parse(source);
  } catch (error) {
    throw new Problem(`the script is no JSON: ${error.message}`, { cause: error });
  }
  checkBoard(script);
  (script.events ?? []).forEach((event, i) => checkEvent(`events[${i}]`, event, script));
  return script;
}

// Let the events happen to a Pico, one after another. `note(event)` is told of each. Returns what was waited for in vain,
// or null.
export function play(pico, events, note) {
  let seen = 0;   // characters of the console that earlier events have waited for
  for (const event of events) {
    if (event.wait_for !== undefined) {
      if (!pico.waitFor(event.wait_for, event.timeout_ms ?? TIMEOUT_MS, seen)) return event.wait_for;
      seen = pico.text.indexOf(event.wait_for, seen) + event.wait_for.length;
    }
    if (event.t_ms !== undefined) pico.run(event.t_ms);
    if (event.dt_ms !== undefined) pico.run(pico.ms + event.dt_ms);
    if (pico.broken) return null;
    for (const [kind, { act }] of Object.entries(KINDS)) {
      if (event[kind] !== undefined) {
        note(event);
        const missed = act(pico, event);
        if (typeof missed === "string") return missed;
      }
    }
  }
  return null;
}
