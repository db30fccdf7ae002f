// A whole Pico with programs of a few instructions, on a boot ROM that is next to nothing: strips, resets, flash.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { Pico } from "../../tools/picosim/pico.js";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "picosim-"));
after(() => fs.rmSync(folder, { recursive: true }));

const ERASE = 0x201;     // where this boot ROM has its two routines, as Thumb addresses
const PROGRAM = 0x211;
const FOREVER = 0xe7fe;

// A boot ROM with the table of its functions, and nothing in it.
function bootrom() {
  const rom = new DataView(new ArrayBuffer(16384));
  rom.setUint16(0x14, 0x100, true);
  [["RE", ERASE], ["RP", PROGRAM]].forEach(([code, address], i) => {
    rom.setUint16(0x100 + 4 * i, code.charCodeAt(0) | (code.charCodeAt(1) << 8), true);
    rom.setUint16(0x102 + 4 * i, address, true);
  });
  return new Uint32Array(rom.buffer);
}

// A UF2 file of a program: its instructions, then the words that it loads, and what else lies in flash.
function uf2(name, code, words, elsewhere = []) {
  const program = Buffer.alloc(256);
  code.forEach((op, i) => program.writeUInt16LE(op, 2 * i));
  const at = Math.ceil(code.length / 2) * 4;
  words.forEach((word, i) => program.writeUInt32LE(word >>> 0, at + 4 * i));
  const blocks = [[0x10000000, program], ...elsewhere].map(([address, bytes]) => {
    const block = Buffer.alloc(512);
    block.writeUInt32LE(0x0a324655, 0);
    block.writeUInt32LE(address, 12);
    block.writeUInt32LE(bytes.length, 16);
    Buffer.from(bytes).copy(block, 32);
    return block;
  });
  const file = path.join(folder, name);
  fs.writeFileSync(file, Buffer.concat(blocks));
  return file;
}

// Sends one pixel over and over, by its own loops.
const BLINK = [
  0x480d,           // ldr r0, the function of GP28
  0x2205, 0x6002,   // it is SIO's
  0x490d,           // ldr r1, SIO
  0x2201, 0x0712,   // r2: bit 28
  0x624a,           // an output
  0x4b0c, 0x2418,   // ldr r3, the pixel; r4: 24 bits
  0x614a,           // bit: high
  0x250a, 0x005b, 0xd300, 0x251e,   // for 10 rounds, or 30 for a one
  0x3d01, 0xd1fd, 0x618a,           // low
  0x251e, 0x3d01, 0xd1fd,
  0x3c01, 0xd1f2,                   // the next bit
  0x25ff, 0x016d, 0x3d01, 0xd1fd,   // let it latch
  0xe7eb, 0xbf00,
];
const PIXEL = [0x400140e4, 0xd0000000, (0x12 << 24) | (0x80 << 16) | (0xff << 8)];

for (const cache of [0, 90]) {
  test(`a program lights a pixel; cache misses of ${cache} cycles`, () => {
    const frames = [];
    const pico = new Pico({
      uf2: [uf2("blink.uf2", BLINK, PIXEL)], bootrom: bootrom(), cache,
      strips: [{ pin: 28, order: "GRB" }], onFrame: (frame) => frames.push(frame),
    });
    pico.run(2);
    assert.equal(pico.broken, null);
    assert.ok(frames.length >= 8, `${frames.length} frames`);
    // Waiting for flash makes ones of the first frame's first zeros, as it would on the chip.
    for (const frame of frames.slice(1)) assert.deepEqual(frame.rgb, [[0x80, 0x12, 0xff]]);
    assert.ok(frames[1].high_ns[1] < 400 && frames[1].high_ns[2] > 600, JSON.stringify(frames[1].high_ns));
    assert.equal(pico.cacheMisses, cache ? 9 : 0, "its nine lines, once each");
  });
}

test("a reset by the watchdog keeps its reason, a power cut does not", () => {
  // r0: the watchdog, r1: bit 31. Its reason goes to the first scratch register, then it is triggered - or not.
  const code = [0x4804, 0x6882, 0x60c2, 0x2101, 0x07c9, 0x2a00, 0xd100, 0x6001, FOREVER, 0xbf00];
  const pico = new Pico({ uf2: [uf2("reset.uf2", code, [0x40058000])], bootrom: bootrom() });
  const watchdog = () => pico.mcu.peripherals[0x40058];
  pico.run(1);
  assert.equal(pico.resets, 1);
  assert.equal(watchdog().reason, 2, "forced");
  assert.equal(watchdog().scratchData[0], 2);
  pico.powerCut();
  assert.equal(watchdog().reason, 0);
  pico.run(2);
  assert.equal(pico.resets, 2);
});

test("RAM outlives a reset, but no power cut", () => {
  // r0: a word of RAM; it goes up by one. r1: the watchdog, which is triggered once: the first time.
  const code = [
    0x4805, 0x6801, 0x3101, 0x6001,
    0x4a04, 0x2301, 0x07db, 0x2901, 0xd100, 0x6013, FOREVER, 0xbf00,
  ];
  const pico = new Pico({ uf2: [uf2("ram.uf2", code, [0x20000100, 0x40058000])], bootrom: bootrom() });
  const count = () => pico.mcu.sram[0x100];
  pico.run(1);
  assert.deepEqual([pico.resets, count()], [1, 2]);
  pico.powerCut();
  pico.run(2);
  assert.deepEqual([pico.resets, count()], [2, 2]);
});

function flasher() {
  // r0: where, r1: how much; erase. Then r0: where, r1: from, r2: how much; program.
  const code = [
    0x4806, 0x4907, 0x4b07, 0x4798,
    0x4804, 0x4907, 0x4a07, 0x4b08, 0x4798, FOREVER,
    0xbf00, 0xbf00, 0xbf00, 0xbf00,
  ];
  const words = [0x180000, 4096, ERASE, 0x10000100, 256, PROGRAM];
  const elsewhere = [
    [0x10180000, Buffer.alloc(256, 0x55)], [0x10180f00, Buffer.alloc(256, 0x55)], [0x10181000, Buffer.alloc(256, 0x55)],
    [0x10000100, Buffer.from([1, 2, 3, 4])],
  ];
  return new Pico({ uf2: [uf2("flash.uf2", code, words, elsewhere)], bootrom: bootrom() });
}

test("the power goes in the middle of an erase: the sector is empty", () => {
  const pico = flasher();
  assert.equal(pico.powerCutInErase(100, 0x180000), true);
  assert.equal(pico.programs, 0);
  assert.equal(pico.resets, 0, "a cut is no reset");
  assert.deepEqual([pico.mcu.flash[0x180000], pico.mcu.flash[0x181000]], [0xff, 0x55]);
  pico.run(pico.ms + 60);
  assert.equal(pico.mcu.flash[0x180000], 1, "and all goes on");
  assert.equal(pico.powerCutInErase(100, 0x180000), false, "there is no other");
});

test("the boot ROM's routines change flash, take their time, and it outlives a power cut", () => {
  const pico = flasher();
  pico.run(40);
  assert.equal(pico.programs, 0, "erasing takes 45 ms");
  pico.run(50);
  assert.equal(pico.broken, null);
  assert.deepEqual([pico.erases, pico.programs], [1, 1]);
  pico.powerCut();
  const flash = pico.mcu.flash;
  assert.deepEqual([...flash.subarray(0x180000, 0x180005)], [1, 2, 3, 4, 0xff]);
  assert.equal(flash[0x180100], 0xff);
  assert.equal(flash[0x180f00], 0xff);
  assert.equal(flash[0x181000], 0x55, "the next sector");
  assert.equal(pico.drive()[0x80000], 1);
});

test("a breakpoint that is no routine stops the machine", () => {
  const pico = new Pico({ uf2: [uf2("break.uf2", [0xbe07, FOREVER], [])], bootrom: bootrom() });
  pico.run(1);
  assert.match(pico.broken, /breakpoint 7 at 0x10000000/);
  assert.ok(pico.ms < 1);
});
