// The quick interpreter does what rp2040js does, instruction by instruction: registers, flags, memory and cycles.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RP2040 } from "../../tools/picosim/node_modules/rp2040js/dist/esm/index.js";
import { FlashCache } from "../../tools/picosim/cache.js";
import { Clock } from "../../tools/picosim/clock.js";
import { Interpreter } from "../../tools/picosim/interpreter.js";

const CODE = 0x20000100;
const DATA = 0x20001000;   // what registers point to

const BLX_LR = 0x47f0;     // rp2040js sets the link register before it reads where to go

// Flags that rp2040js 1.4.1 gets wrong, and the quick interpreter right: those of a shift by nothing or by more than 32,
// and the overflow of a sum whose carry changes a sign.
function doubtful(op, registers, carry) {
  const by = registers[(op >> 3) & 7];
  const kind = op >> 6;
  if (kind >= 0x102 && kind <= 0x104) return (by & 255) === 0 || (by & 255) > 32 ? "C" : "";
  const more = kind === 0x105 ? registers[op & 7] : by;
  const added = kind === 0x105 ? carry : !carry;
  return (kind === 0x105 || kind === 0x106) && added && (more === 0x7fffffff || more === 0xffffffff) ? "V" : "";
}

let seed = 7;
function random(limit) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

function machine() {
  const mcu = new RP2040(new Clock());
  mcu.logger = { debug() {}, info() {}, warn() {}, error() {} };
  return mcu;
}

// Values that tell a sign, a carry or an overflow from their absence more often than any number would.
const EDGES = [0, 1, 2, 31, 255, 0x7fffffff, 0x80000000, 0x80000001, 0xffffff80, 0xfffffffe, 0xffffffff];

function prepare(mcu, op, second, state) {
  mcu.sram.set(state.memory, DATA - 0x20000000);
  const at = state.at - 0x20000000;
  mcu.sramView.setUint16(at, op, true);
  mcu.sramView.setUint16(at + 2, second, true);
  const core = mcu.core;
  core.registers.set(state.registers);
  core.PC = state.at;
  [core.N, core.Z, core.C, core.V] = state.flags;
  core.interruptsUpdated = false;
  core.waiting = false;
}

function seen(mcu) {
  const { core } = mcu;
  return {
    registers: [...core.registers],
    flags: [core.N, core.Z, core.C, core.V],
    memory: Buffer.from(mcu.sram.subarray(DATA - 0x20000000, DATA - 0x20000000 + 1024)).toString("hex"),
  };
}

function anyState() {
  const pointers = random(2) === 0;
  const registers = Array.from({ length: 16 }, () => {
    if (pointers) return DATA + 256 + 4 * random(64) + (random(8) ? 0 : random(4));
    return random(3) ? EDGES[random(EDGES.length)] : random(2 ** 32);
  });
  registers[13] = DATA + 256 + 4 * random(64);
  if (pointers) registers[random(8)] = random(16);   // an offset
  return {
    at: CODE + 2 * random(2),
    registers,
    flags: Array.from({ length: 4 }, () => random(2) === 1),
    memory: Uint8Array.from({ length: 1024 }, () => random(256)),
  };
}

test("each instruction as rp2040js has it", () => {
  const quick = machine();
  const slow = machine();
  const interpreter = new Interpreter(quick, null);
  const ours = new Set();
  for (let top = 0; top < 256; top++) {
    for (let i = 0; i < 60; i++) {
      const op = (top << 8) | random(256);
      if (op === BLX_LR) continue;
      const second = random(3) ? 0xd000 | random(0x3000) : random(65536);
      const state = anyState();
      prepare(quick, op, second, state);
      const cycles = interpreter.run(1);
      if (!cycles) {
        assert.equal(quick.core.PC, state.at, `0x${op.toString(16)} was left alone`);
        continue;
      }
      ours.add(top);
      prepare(slow, op, second, state);
      const expected = slow.core.executeInstruction();
      const what = `0x${op.toString(16)} 0x${second.toString(16)} from ${JSON.stringify({ ...state, memory: 0 })}`;
      assert.equal(cycles, expected, what);
      const [have, want] = [seen(quick), seen(slow)];
      const flag = ["N", "Z", "C", "V"].indexOf(doubtful(op, state.registers, state.flags[2]));
      if (flag >= 0) want.flags[flag] = have.flags[flag];
      assert.deepEqual(have, want, what);
    }
  }
  // All but system instructions, and what no program has
  assert.ok(ours.size > 215, `${ours.size} of the 256 first bytes`);
});

test("it stops in front of peripherals, and where its cycles are used up", () => {
  const mcu = machine();
  const interpreter = new Interpreter(mcu, null);
  const state = { at: CODE, registers: Array(16).fill(0), flags: [false, false, false, false], memory: new Uint8Array(16) };
  state.registers[1] = 0x40054000;   // the timer
  state.registers[2] = 0xd0000004;   // the levels of the pins
  prepare(mcu, 0x6808, 0, state);    // ldr r0, [r1]
  assert.equal(interpreter.run(10), 0);
  prepare(mcu, 0x6810, 0x6808, state);   // ldr r0, [r2]; ldr r0, [r1]
  mcu.gpio[3].padValue |= 0x40;
  mcu.gpio[3].setInputValue(true);
  assert.equal(interpreter.run(10), 1);
  assert.equal(mcu.core.registers[0], 8);
  prepare(mcu, 0xe7fe, 0, state);    // b to itself
  assert.equal(interpreter.run(7), 8);
});

// a, b, and the flags Z, C, V after the instruction from a set carry: as the ARMv6-M manual has them
const SUMS = [
  ["adcs", 0x4148, 0xffffffff, 0x7fffffff, 0x7fffffff, [false, true, false]],
  ["adcs", 0x4148, 0x7fffffff, 0x7fffffff, 0xffffffff, [false, false, true]],
  ["adcs", 0x4148, 0xffffffff, 0, 0, [true, true, false]],
  ["sbcs without borrow", 0x4188, 5, 5, 0, [true, true, false]],
  ["lsls by nothing", 0x4088, 5, 0, 5, [false, true, false]],
  ["lsls by 32", 0x4088, 5, 32, 0, [true, true, false]],
  ["lsls by 33", 0x4088, 5, 33, 0, [true, false, false]],
  ["lsrs by nothing", 0x40c8, 5, 0, 5, [false, true, false]],
  ["lsrs by 32", 0x40c8, 0x80000000, 32, 0, [true, true, false]],
  ["asrs by 40", 0x4108, 0x80000000, 40, 0xffffffff, [false, true, false]],
];
for (const [name, op, a, b, result, flags] of SUMS) {
  test(`${name}: ${a.toString(16)}, ${b.toString(16)}`, () => {
    const mcu = machine();
    const registers = Array(16).fill(0);
    [registers[0], registers[1]] = [a, b];
    prepare(mcu, op, 0, { at: CODE, registers, flags: [false, false, true, false], memory: new Uint8Array(16) });
    new Interpreter(mcu, null).run(1);
    assert.equal(mcu.core.registers[0], result);
    assert.deepEqual([mcu.core.Z, mcu.core.C, mcu.core.V], flags);
  });
}

test("the timer is read to the cycle", () => {
  const mcu = machine();
  const state = { at: CODE, registers: Array(16).fill(0), flags: [false, false, false, false], memory: new Uint8Array(16) };
  state.registers[1] = 0x40054028;
  mcu.clock.ns = 2 ** 32 * 1000 + 999_960;
  prepare(mcu, 0xbf00, 0x6808, state);   // nop; ldr r0, [r1]
  const interpreter = new Interpreter(mcu, null);
  assert.equal(interpreter.run(2), 5);
  assert.equal(mcu.core.registers[0], 999);
  mcu.clock.ns += 40;
  prepare(mcu, 0xbf00, 0x6808, state);
  interpreter.run(2);
  assert.equal(mcu.core.registers[0], 1000);
  state.registers[1] = 0x40054024;
  prepare(mcu, 0xbf00, 0x6808, state);
  interpreter.run(2);
  assert.equal(mcu.core.registers[0], 1);
});

test("flash is waited for once a line", () => {
  const mcu = machine();
  const cache = new FlashCache(90);
  const interpreter = new Interpreter(mcu, cache);
  for (let at = 0; at < 64; at += 2) mcu.flashView.setUint16(at, 0xbf00, true);   // nop
  mcu.core.PC = 0x10000000;
  assert.equal(interpreter.run(1), 91);
  assert.equal(interpreter.run(3), 3);
  assert.equal(interpreter.run(1), 91);
  mcu.core.PC = 0x10000000;
  assert.equal(interpreter.run(4), 4);
  cache.flush();
  mcu.core.PC = 0x10000000;
  assert.equal(interpreter.run(4), 91);
});
