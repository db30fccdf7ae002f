// Scripts are checked before anything runs, and their events happen in order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parse, play } from "../../tools/picosim/script.js";

const BOARD = { pads: { 2: {}, 3: {} }, i2c: { sda: 20, scl: 21, chips: { "0x5a": {} } } };
const withEvents = (...events) => JSON.stringify({ ...BOARD, events });

test("a whole script passes", () => {
  const text = withEvents(
    { wait_for: "gebeta ready", timeout_ms: 12000 },
    { dt_ms: 200, pin: [2, 3], touched: true },
    { t_ms: 9000, electrode: "0x5a:11", touched: false },
    { chip: "0x5a", fault: "reset" },
    { move: 4, pins: [2, 3] },
    { pin: 2, open: true },
    { dt_ms: 1, host: "deaf" },
    { type: "x\n" },
    { dt_ms: 10, power_cut: true },
    { power_cut: "erase" },
    { mark: "rest" },
    { dt_ms: 5 },
  );
  assert.equal(parse(text).events.length, 12);
  assert.deepEqual(parse("{}"), {});
});

const WRONG = [
  ["{", /no JSON/],
  ['{"neopixels": []}', /script: no "neopixels"; allowed are strips/],
  ['{"strips": [{"pin": 40}]}', /strips\[0\]\.pin.*0 to 28/],
  ['{"strips": [{"pin": 4, "order": "RRG"}]}', /strips\[0\]\.order.*GRB/],
  ['{"pads": {"2": {"idle": 3}}}', /pads\.2: no "idle"; allowed are idle_us/],
  ['{"pads": {"2": {"pull": "left"}}}', /one of down, up/],
  ['{"i2c": {"sda": 20, "scl": 23}}', /scl the next one/],
  ['{"i2c": {"sda": 20, "scl": 21, "chips": {"0x40": {}}}}', /i2c\.chips\.0x40.*90 to 93/],
  ['{"host": "asleep"}', /host.*one of open, closed, deaf, none/],
  ['{"seed": 0}', /seed.*1 to/],
  [withEvents({ touched: true }), /events\[0\]: touched has a pin or an electrode/],
  [withEvents({ pin: 5, touched: true }), /events\[0\]\.pin: 5: a pin of pads/],
  [withEvents({ electrode: "0x5b:1", touched: true }), /ADDRESS:NUMBER/],
  [withEvents({ electrode: "0x5a:12", touched: true }), /0 to 11/],
  [withEvents({}), /an event says when/],
  [withEvents({ t_ms: 1, dt_ms: 1 }), /t_ms or dt_ms, not both/],
  [withEvents({ dt_ms: -1 }), /events\[0\]\.dt_ms/],
  [withEvents({ dt_ms: 1 }, { type: "a", mark: "b" }), /events\[1\]: one of type and mark, not both/],
  [withEvents({ chip: "0x5a", fault: "tired" }), /one of none, silent, garbage, hold_sda, reset, over_current/],
  [withEvents({ power_cut: 1 }), /power_cut/],
  [withEvents({ move: 1.5, pins: [2] }), /events\[0\]\.move: 1\.5: a whole number/],
  [withEvents({ move: 1, pins: 2 }), /events\[0\]\.pins: 2: the pin of each hole, a list/],
  [withEvents({ move: 1, pins: [5] }), /events\[0\]\.pins: 5: a pin of pads/],
  [withEvents({ wait_for: "" }), /wait_for.*a text/],
];
for (const [text, problem] of WRONG) {
  test(`refused: ${text.slice(-60)}`, () => assert.throws(() => parse(text), problem));
}

// A Pico that only notes what happens to it; its console says `says` at that time.
class Notes {
  constructor(says = []) {
    this.says = says;
    this.text = "";
    this.ms = 0;
    this.did = [];
    this.broken = null;
  }

  run(ms) {
    this.ms = ms;
    for (const [at, text] of this.says) if (at <= ms && !this.text.includes(text)) this.text += text;
  }

  waitFor(text, timeout, from) {
    const end = this.ms + timeout;
    while (this.text.indexOf(text, from) < 0 && this.ms < end) this.run(this.ms + 1);
    return this.text.indexOf(text, from) >= 0;
  }

  touch(pin, yes) { this.did.push([this.ms, "touch", pin, yes]); }
  touchElectrode(...what) { this.did.push([this.ms, "electrode", ...what]); }
  become(host) { this.did.push([this.ms, host]); }
  powerCut() { this.did.push([this.ms, "cut"]); }
}

test("events happen in order, each at its time", () => {
  const pico = new Notes([[500, "ready "], [800, "one "], [900, "two "]]);
  const { events } = parse(withEvents(
    { wait_for: "ready" },
    { dt_ms: 100, pin: [2, 3], touched: true },
    { dt_ms: 50, electrode: "0x5a:4", touched: false },
    { wait_for: "two" },
    { dt_ms: 5, host: "closed" },
    { t_ms: 2000, power_cut: true },
  ));
  const noted = [];
  assert.equal(play(pico, events, (event) => noted.push(event)), null);
  assert.deepEqual(pico.did, [
    [600, "touch", 2, true], [600, "touch", 3, true], [650, "electrode", 0x5a, 4, false], [905, "closed"], [2000, "cut"],
  ]);
  assert.equal(noted.length, 4);
});

test("a move is made on the pad of a hole that the console has told last", () => {
  const pico = new Notes([[5, '{"moves":[1,2]}\n'], [10, '{"moves":[3,5,8],"over":0}\n'], [50, '{"moves":[],"over":1}\n']]);
  const pins = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(() => 2).with(5, 3);
  const { events } = parse(withEvents({ dt_ms: 20, move: 4, pins }, { dt_ms: 1, move: 2, pins }, { dt_ms: 100, move: 0, pins }));
  assert.equal(play(pico, events, () => {}), "a position with moves");
  assert.deepEqual(pico.did, [[20, "touch", 3, true], [21, "touch", 2, true]]);
});

test("what was waited for once is not found again, and in vain is said", () => {
  const pico = new Notes([[10, "one"]]);
  const { events } = parse(withEvents({ wait_for: "one" }, { wait_for: "one", timeout_ms: 100 }, { dt_ms: 1, host: "deaf" }));
  assert.equal(play(pico, events, () => {}), "one");
  assert.deepEqual(pico.did, []);
});
