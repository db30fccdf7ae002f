// The parts that hang on the emulated chip, each by itself.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { GPIOPinState } from "../../tools/picosim/node_modules/rp2040js/dist/esm/index.js";
import { FlashCache } from "../../tools/picosim/cache.js";
import { Clock } from "../../tools/picosim/clock.js";
import { loadUf2 } from "../../tools/picosim/flash.js";
import { Pad } from "../../tools/picosim/pad.js";
import { Strip } from "../../tools/picosim/strip.js";

test("alarms come at their own moments, and in order", () => {
  const clock = new Clock();
  const seen = [];
  const late = clock.createAlarm(() => seen.push(["late", clock.ns]));
  const early = clock.createAlarm(() => {
    seen.push(["early", clock.ns]);
    again.schedule(5);
  });
  const again = clock.createAlarm(() => seen.push(["again", clock.ns]));
  const never = clock.createAlarm(() => seen.push(["never", clock.ns]));
  late.schedule(100);
  early.schedule(40);
  never.schedule(50);
  never.cancel();
  clock.tick(70);
  assert.deepEqual(seen, [["early", 40], ["again", 45]]);
  assert.equal(clock.ns, 70);
  assert.equal(clock.nanosToNextAlarm, 30);
  clock.tick(1000);
  assert.deepEqual(seen.pop(), ["late", 100]);
});

// The edges of bytes as a WS2812 gets them.
function send(strip, bytes, start, { zero = 300, one = 700, period = 1250 } = {}) {
  let at = start;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      strip.edge(true, at);
      strip.edge(false, at + ((byte >> bit) & 1 ? one : zero));
      at += period;
    }
  }
  return at;
}

test("a strip turns edges into colours", () => {
  const frames = [];
  const strip = new Strip(28, "GRB", (frame) => frames.push(frame));
  let at = send(strip, [1, 2, 3, 0x80, 0xff, 0], 10_000);
  strip.poll(at + 20_000);
  assert.equal(frames.length, 0, "it has not latched");
  strip.poll(at + 60_000);
  assert.deepEqual(frames[0].rgb, [[2, 1, 3], [255, 128, 0]]);
  assert.equal(frames[0].t_us, 10);
  assert.equal(frames[0].bits, 48);
  assert.deepEqual(frames[0].high_ns, [300, 300, 700, 700]);
  // the next one latches by its own beginning; half a pixel is no pixel
  at = send(strip, [9, 9, 9, 9], at + 100_000);
  send(strip, [1], at + 100_000);
  assert.deepEqual(frames[1].rgb, [[9, 9, 9]]);
});

test("a strip with white has four channels, and a long high is no bit", () => {
  const frames = [];
  const strip = new Strip(28, "GRBW", (frame) => frames.push(frame));
  strip.edge(true, 0);
  strip.edge(false, 20_000);
  const at = send(strip, [1, 2, 3, 4], 100_000);
  strip.poll(at + 60_000);
  assert.deepEqual(frames.map((frame) => frame.rgb), [[[2, 1, 3, 4]]]);
});

// A pin as far as a pad needs one.
class Pin {
  constructor() {
    this.level = null;
    this.listeners = [];
  }

  setInputValue(level) { this.level = level; }
  addListener(listener) { this.listeners.push(listener); }
  set(state) { for (const listener of this.listeners) listener(state); }
}

for (const [pull, drive, rests] of [["down", GPIOPinState.High, false], ["up", GPIOPinState.Low, true]]) {
  test(`a pad pulled ${pull} keeps its charge for a while, and longer when touched`, () => {
    const clock = new Clock();
    const pin = new Pin();
    const pad = new Pad(pin, clock, { idle_us: 20, touch_us: 60, pull }, () => 0.5);
    assert.equal(pin.level, rests);
    for (const [touched, us] of [[false, 20], [true, 60]]) {
      pad.touched = touched;
      pin.set(drive);
      assert.equal(pin.level, !rests);
      pin.set(GPIOPinState.Input);
      clock.tick(us * 1000 - 1);
      assert.equal(pin.level, !rests);
      clock.tick(1);
      assert.equal(pin.level, rests);
    }
    pad.open = true;
    pin.set(drive);
    pin.set(GPIOPinState.Input);
    clock.tick(1e9);
    assert.equal(pin.level, !rests, "without its resistor it never comes back");
  });
}

test("the flash cache keeps two lines of a set, the ones used last", () => {
  const cache = new FlashCache(90);
  const [a, b, c] = [5, 5 + 1024, 5 + 2048];
  assert.deepEqual([a, b, a, b].map((line) => cache.wait(line)), [90, 90, 0, 0]);
  assert.equal(cache.wait(a), 0);
  assert.equal(cache.wait(c), 90);   // in b's place
  assert.equal(cache.wait(a), 0);
  assert.equal(cache.wait(b), 90);
  assert.equal(cache.misses, 4);
});

function uf2(blocks) {
  return Buffer.concat(blocks.map(([address, bytes]) => {
    const block = Buffer.alloc(512);
    block.writeUInt32LE(0x0a324655, 0);
    block.writeUInt32LE(0x9e5d5157, 4);
    block.writeUInt32LE(address, 12);
    block.writeUInt32LE(bytes.length, 16);
    Buffer.from(bytes).copy(block, 32);
    return block;
  }));
}

test("UF2 blocks go where they belong, and what is no UF2 file is said so", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "picosim-"));
  const file = path.join(folder, "x.uf2");
  const flash = new Uint8Array(0x200000);
  const load = (data) => {
    fs.writeFileSync(file, data);
    loadUf2(file, flash);
  };
  load(uf2([[0x10000000, [1, 2]], [0x10100000, [3]]]));
  assert.deepEqual([flash[0], flash[1], flash[0x100000]], [1, 2, 3]);
  assert.throws(() => load(Buffer.from("<html>")), /x\.uf2: no UF2 file/);
  assert.throws(() => load(Buffer.alloc(1024)), /block 0 has no magic number/);
  assert.throws(() => load(uf2([[0x10200000, [1]]])), /0x10200000, not a Pico's flash/);
  fs.rmSync(folder, { recursive: true });
});
