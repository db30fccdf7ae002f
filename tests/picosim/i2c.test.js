// The MPR121 and its bus: through rp2040js's controller, as busio uses it, and over the wires.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RP2040 } from "../../tools/picosim/node_modules/rp2040js/dist/esm/index.js";
import { Clock } from "../../tools/picosim/clock.js";
import { I2cBus } from "../../tools/picosim/i2c_bus.js";
import { Mpr121 } from "../../tools/picosim/mpr121.js";

const SDA = 20, SCL = 21;

// Registers of the RP2040's controller.
const TAR = 0x04, DATA = 0x10, FS_HIGH = 0x1c, FS_LOW = 0x20, RAW = 0x34, CLEAR = 0x40, ENABLE = 0x6c, RX_LEVEL = 0x78, ABORTED = 0x80;
const READ = 0x100, STOP = 0x200, RESTART = 0x400;

class Board {
  constructor(how = { noise: 0 }) {
    this.clock = new Clock();
    this.mcu = new RP2040(this.clock);
    this.mcu.logger = { debug() {}, info() {}, warn() {}, error() {} };
    this.chips = new Map([0x5a, 0x5b].map((address) => [address, new Mpr121(this.clock, how, () => 0.25)]));
    this.bus = new I2cBus(this.mcu, this.clock, SDA, SCL, this.chips);
    this.chip = this.chips.get(0x5a);
    this.controller = this.mcu.i2c[0];
    this.controller.writeUint32(FS_HIGH, 125);
    this.controller.writeUint32(FS_LOW, 187);
  }

  // Write these bytes, then read so many; null if nobody answered, undefined if the bus stood still.
  transfer(address, bytes, count = 0) {
    const c = this.controller;
    c.writeUint32(ENABLE, 0);
    c.readUint32(CLEAR);
    c.writeUint32(TAR, address);
    c.writeUint32(ENABLE, 1);
    const commands = [...bytes];
    for (let i = 0; i < count; i++) commands.push(READ | (i === 0 ? RESTART : 0));
    commands[commands.length - 1] |= STOP;
    const got = [];
    for (const command of commands) {
      c.writeUint32(DATA, command);
      this.clock.tick(100_000);
      if (c.readUint32(RAW) & 0x40) {
        c.readUint32(ABORTED);
        this.clock.tick(100_000);
        return null;
      }
    }
    while (c.readUint32(RX_LEVEL)) got.push(c.readUint32(DATA) & 0xff);
    return c.readUint32(RAW) & 0x200 ? got : undefined;
  }

  // What a driver does first.
  start(electrodes = 12) {
    this.transfer(0x5a, [0x80, 0x63]);
    for (let i = 0; i < 12; i++) this.transfer(0x5a, [0x41 + 2 * i, 12, 6]);
    this.transfer(0x5a, [0x5d, 0x20]);          // a sample a millisecond, four of them
    this.transfer(0x5a, [0x5e, 0x80 | electrodes]);
  }

  // The reading of an electrode, as drivers take it.
  data(electrode) {
    const [low, high] = this.transfer(0x5a, [0x04 + 2 * electrode], 2);
    return low | (high << 8);
  }

  status() {
    const [low, high] = this.transfer(0x5a, [0x00], 2);
    return low | (high << 8);
  }

  // CircuitPython's probe: the address alone, by hand, wires let go for a high.
  probe(address) {
    const { sda, scl } = this.bus;
    const sio = this.mcu.sio;
    const wire = (pin, high) => {
      pin.ctrl = 5;
      pin.padValue |= 0x40;
      if (high) sio.gpioOutputEnable &= ~(1 << pin.index);
      else sio.gpioOutputEnable |= 1 << pin.index;
      pin.checkForUpdates();
    };
    wire(scl, true);
    wire(sda, true);
    wire(sda, false);   // start
    wire(scl, false);
    for (let bit = 7; bit >= 0; bit--) {
      wire(sda, (((address << 1) >> bit) & 1) === 1);
      wire(scl, true);
      wire(scl, false);
    }
    wire(sda, true);
    wire(scl, true);
    const answers = !sda.inputValue;
    wire(scl, false);
    wire(sda, false);
    wire(scl, true);
    wire(sda, true);    // stop
    return answers;
  }

  // Nine pulses of the clock by hand.
  clockOut() {
    const { scl } = this.bus;
    for (let i = 0; i < 9; i++) {
      for (const low of [true, false]) {
        scl.ctrl = 5;
        if (low) this.mcu.sio.gpioOutputEnable |= 1 << scl.index;
        else this.mcu.sio.gpioOutputEnable &= ~(1 << scl.index);
        scl.checkForUpdates();
      }
    }
  }
}

test("registers at power-up, and what a soft reset does", () => {
  const board = new Board();
  assert.deepEqual(board.transfer(0x5a, [0x5c], 3), [0x10, 0x24, 0]);
  board.transfer(0x5a, [0x41, 12]);
  board.transfer(0x5a, [0x80, 0x00]);
  assert.deepEqual(board.transfer(0x5a, [0x41], 1), [12], "only 0x63 resets");
  board.transfer(0x5a, [0x80, 0x63]);
  assert.deepEqual(board.transfer(0x5a, [0x41], 1), [0]);
});

test("readings come with measuring only, and fall under a finger", () => {
  const board = new Board({ idle: 700, touched: 520, noise: 0 });
  assert.equal(board.data(3), 0);
  board.start();
  assert.equal(board.data(3), 0, "not measured yet");
  board.clock.tick(5e6);
  assert.equal(board.data(3), 700);
  assert.equal(board.status(), 0);
  board.chip.fingers[3] = 1;
  board.clock.tick(5e6);
  assert.equal(board.data(3), 520);
  assert.equal(board.data(4), 700);
  assert.equal(board.status(), 8);
  board.chip.fingers[3] = 0;
  board.clock.tick(5e6);
  assert.equal(board.status(), 0);
  const [baseline] = board.transfer(0x5a, [0x1e + 3], 1);
  assert.equal(baseline, (700 >> 2) & 0xf8);
});

test("while it measures, only ECR and GPIO registers can be written", () => {
  const board = new Board();
  board.start();
  board.transfer(0x5a, [0x41, 99]);
  assert.deepEqual(board.transfer(0x5a, [0x41], 1), [12]);
  board.transfer(0x5a, [0x5e, 0]);
  board.transfer(0x5a, [0x41, 99]);
  assert.deepEqual(board.transfer(0x5a, [0x41], 1), [99]);
});

test("electrodes that are not enabled read nothing", () => {
  const board = new Board();
  board.start(6);
  board.clock.tick(5e6);
  assert.equal(board.data(5), 680);
  assert.equal(board.data(6), 0);
});

test("a brown-out resets it without a word; over-current stops it and says so", () => {
  const board = new Board();
  board.start();
  board.clock.tick(5e6);
  board.chip.reset();
  assert.equal(board.data(0), 0);
  assert.deepEqual(board.transfer(0x5a, [0x5e], 1), [0]);
  board.start();
  board.chip.overCurrent();
  assert.deepEqual(board.transfer(0x5a, [0x5e], 1), [0]);
  assert.equal(board.status() & 0x8000, 0x8000);
  board.transfer(0x5a, [0x5e, 0x8c]);
  assert.deepEqual(board.transfer(0x5a, [0x5e], 1), [0], "it does not start before the bit is cleared");
  board.transfer(0x5a, [0x01, 0x80]);
  board.transfer(0x5a, [0x5e, 0x8c]);
  assert.deepEqual(board.transfer(0x5a, [0x5e], 1), [0x8c]);
});

test("nobody at an address, a silent chip, a chip that talks nonsense", () => {
  const board = new Board();
  assert.equal(board.transfer(0x5c, [0], 1), null);
  assert.equal(board.controller.readUint32(RAW) & 0x10, 0x10, "nothing is left to be sent");
  board.chip.fault = "silent";
  assert.equal(board.transfer(0x5a, [0], 1), null);
  assert.deepEqual(board.transfer(0x5b, [0x5d], 1), [0x24], "the other one answers");
  board.chip.fault = "garbage";
  assert.deepEqual(board.transfer(0x5a, [0x5d], 1), [64]);
  board.chip.fault = "none";
  assert.deepEqual(board.transfer(0x5a, [0x5d], 1), [0x24]);
});

test("a chip that holds the data line stops the bus until nine pulses of the clock", () => {
  const board = new Board();
  board.mcu.gpio[SDA].padValue |= 0x40;
  assert.equal(board.mcu.gpio[SDA].inputValue, true);
  board.chip.fault = "hold_sda";
  board.bus.refresh();
  assert.equal(board.mcu.gpio[SDA].inputValue, false);
  assert.equal(board.transfer(0x5a, [0x5d], 1), undefined);
  board.clockOut();
  assert.equal(board.mcu.gpio[SDA].inputValue, true);
  board.clock.tick(1e6);
  assert.deepEqual(board.transfer(0x5a, [0x5d], 1), [0x24]);
});

test("a reset of the controller ends a transfer that hangs", () => {
  const board = new Board();
  board.chip.fault = "hold_sda";
  board.bus.refresh();
  assert.equal(board.transfer(0x5a, [0x5d], 1), undefined);
  const resets = board.mcu.peripherals[0x4000c];
  resets.writeUint32(0, 1 << 4);   // the other one's
  assert.equal(board.controller.readUint32(ENABLE), 1);
  resets.writeUint32(0, 1 << 3);
  resets.writeUint32(0, 0);
  assert.equal(board.controller.readUint32(ENABLE), 0);
  board.chip.fault = "none";
  board.bus.refresh();
  assert.deepEqual(board.transfer(0x5a, [0x5d], 1), [0x24]);
});

test("a probe by hand finds who is there", () => {
  const board = new Board();
  assert.deepEqual([0x5a, 0x5b, 0x5c].map((address) => board.probe(address)), [true, true, false]);
  board.chip.fault = "silent";
  assert.equal(board.probe(0x5a), false);
});
