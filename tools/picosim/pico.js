// A Raspberry Pi Pico: rp2040js's chip, with what rp2040js leaves to others. Its PIO runs in step with the processor (a
// WS2812's bits are told apart by 400 ns), flash can be written, a PC holds the USB cable, pads and strips hang on pins,
// and time is the chip's own: nothing here depends on how quick this computer is.

import { ConsoleLogger, GPIOPinState, LogLevel, RP2040, RPPIO } from "rp2040js";

import { FlashCache } from "./cache.js";
import { Clock } from "./clock.js";
import { DRIVE_OFFSET, FLASH_BYTES, NVM_OFFSET, hookRom, loadUf2 } from "./flash.js";
import { I2cBus } from "./i2c_bus.js";
import { Interpreter } from "./interpreter.js";
import { Mpr121 } from "./mpr121.js";
import { Pad } from "./pad.js";
import { Strip } from "./strip.js";
import { UsbHost } from "./usb_host.js";

const BOOT2 = 0x10000000;      // the second stage of the boot, at the beginning of flash
const IO_BANK0 = 0x40014;
const PADS_BANK0 = 0x4001c;
const WATCHDOG = 0x40058;
const LOOK_NS = 100_000;       // how often strips and conditions are looked at
const PIO_STEP_NS = 200;       // while the processor sleeps and the PIO works
const GUARD = 100_000;         // steps of a state machine at once, at the very most

RPPIO.prototype.run = function () {};   // it is stepped here

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

export class Pico {
  // `options`, as the script has them (README.md): strips, pads, levels, i2c, host, seed; besides
  // uf2       files to be flashed, in this order
  // bootrom   the 16 kB of the chip's boot ROM
  // cache     the cycles of a miss in the flash cache, or 0: flash as quick as RAM
  // log       "warn" or "debug": what rp2040js has to say
  // onSerial(text), onFrame(frame)
  constructor(options) {
    this.options = options;
    this.clock = new Clock();
    this.random32 = (options.seed ?? 1) >>> 0 || 1;
    this.text = "";               // all that came over the console
    this.broken = null;           // why the machine has stopped for good
    this.resets = 0;
    this.erases = 0;
    this.cutInErase = null;      // of this sector: the power is to go then
    this.programs = 0;
    this.instructions = 0;
    this.host = options.host ?? "open";
    this.levels = { ...options.levels };
    this.fingers = new Set();     // pads that are touched
    this.openPads = new Set();    // pads whose resistor is off
    this.chips = new Map();
    this.flash = new Uint8Array(FLASH_BYTES).fill(0xff);
    for (const file of options.uf2) loadUf2(file, this.flash);
    const chip = options.i2c?.chips ?? {};
    for (const [address, how] of Object.entries(chip)) {
      this.chips.set(Number(address), new Mpr121(this.clock, how, () => this.random()));
    }
    this.#boot({});
  }

  get ms() { return this.clock.ns / 1e6; }
  get nowNs() { return this.pioNs >= 0 ? this.pioNs : this.clock.ns; }
  get cacheMisses() { return this.cache ? this.cache.misses : 0; }

  // xorshift: the same numbers for the same seed
  random() {
    let x = this.random32;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.random32 = x >>> 0;
    return this.random32 / 2 ** 32;
  }

  // A new chip, as a reset leaves it; `kept` is what outlives the reset.
  #boot({ reason = 0, scratch = null, sram = null }) {
    const { options, clock } = this;
    clock.clear();
    const mcu = new RP2040(clock);
    this.mcu = mcu;
    mcu.logger = options.log ? new ConsoleLogger(options.log === "debug" ? LogLevel.Debug : LogLevel.Warn, false) : SILENT;
    mcu.loadBootrom(options.bootrom);
    mcu.flash.set(this.flash);
    if (sram) mcu.sram.set(sram);
    this.penalty = 0;            // cycles that the instruction under way costs besides
    this.extraNs = 0;
    this.pioNs = -1;             // the time within a step of the PIO
    this.pioNext = new Map();    // when each state machine goes on
    this.reset = null;           // asked for by the chip: what is kept
    hookRom(mcu, this);
    this.cache = options.cache ? new FlashCache(options.cache) : null;
    if (this.cache) this.#slowFlash();
    this.#quickPins();
    this.interpreter = new Interpreter(mcu, this.cache);
    const decoder = new TextDecoder();
    this.usb = new UsbHost(mcu.usbCtrl, clock, this.host, (bytes) => {
      const text = decoder.decode(bytes, { stream: true });
      this.text += text;
      options.onSerial?.(text);
    });
    this.#watchdog(reason, scratch);
    this.#wire();
    for (const pin of mcu.qspi) {   // the BOOTSEL button, on the flash chip's select line, is not pressed
      pin.padValue |= 0x40;
      pin.setInputValue(true);
    }
    mcu.core.PC = BOOT2;
    mcu.core.LR = 0;                // boot2 goes on at the vector table then, as when the boot ROM has called it
  }

  #watchdog(reason, scratch) {
    const watchdog = this.mcu.peripherals[WATCHDOG];
    watchdog.reason = reason;
    if (scratch) watchdog.scratchData.set(scratch);
    watchdog.onWatchdogTrigger = () => {
      this.reset = { reason: watchdog.reason, scratch: watchdog.scratchData.slice(), sram: this.mcu.sram };
      // rp2040js would let it go off again at the same instant, for ever
      watchdog.alarm.enable = false;
      watchdog.timer.enable = false;
    };
  }

  // What hangs on the pins.
  #wire() {
    const { options, mcu } = this;
    this.strips = (options.strips ?? []).map(({ pin, order = "GRB" }) => {
      const strip = new Strip(pin, order, (frame) => options.onFrame?.(frame));
      mcu.gpio[pin].addListener((state) => strip.edge(state === GPIOPinState.High, this.nowNs));
      return strip;
    });
    this.pads = new Map();
    for (const [pin, how] of Object.entries(options.pads ?? {})) {
      this.pads.set(Number(pin), new Pad(mcu.gpio[pin], this.clock, how, () => this.random()));
    }
    for (const [pin, pad] of this.pads) {
      pad.touched = this.fingers.has(pin);
      pad.open = this.openPads.has(pin);
    }
    for (const [pin, level] of Object.entries(this.levels)) mcu.gpio[pin].setInputValue(level === 1);
    if (options.i2c) {
      const { sda, scl } = options.i2c;
      this.bus = new I2cBus(mcu, this.clock, sda, scl, this.chips);
    }
  }

  // Instructions that rp2040js executes wait for the flash too.
  #slowFlash() {
    const { mcu, cache } = this;
    for (const name of ["readUint32", "readUint16", "readUint8"]) {
      const read = mcu[name].bind(mcu);
      mcu[name] = (address) => {
        if (address >>> 24 === 0x10) this.penalty += cache.wait(address >>> 3);
        return read(address);
      };
    }
  }

  // touchio reads all pins hundreds of thousands of times a second: rp2040js asks each of them every time, here only when
  // something has changed.
  #quickPins() {
    const { gpio, peripherals } = this.mcu;
    let values = 0;
    let known = false;
    for (const pin of gpio) {
      const set = pin.setInputValue;
      pin.setInputValue = (value) => {
        known = false;
        set.call(pin, value);
      };
    }
    for (const address of [IO_BANK0, PADS_BANK0]) {
      const write = peripherals[address].writeUint32;
      peripherals[address].writeUint32 = (offset, value) => {
        known = false;
        write.call(peripherals[address], offset, value);
      };
    }
    Object.defineProperty(this.mcu, "gpioValues", {
      get() {
        if (!known) {
          values = gpio.reduce((all, pin, i) => all | (pin.inputValue ? 1 << i : 0), 0);
          known = true;
        }
        return values;
      },
    });
  }

  // ---- for flash.js

  spend(ns) { this.extraNs += ns; }

  flashWritten(erased, offset) {
    if (erased) this.erases++;
    else this.programs++;
    this.cache?.flush();
    if (erased && offset === this.cutInErase) {
      this.cutInErase = null;
      this.#keepFlash();           // as it stands now
      this.reset = { cut: true };
    }
  }

  // ---- running

  #stepPio(nowNs) {
    const cycleNs = 1e9 / this.mcu.clkSys;
    for (const pio of this.mcu.pio) {
      for (const machine of pio.machines) {
        if (pio.stopped || !machine.enabled) {
          this.pioNext.delete(machine);
          continue;
        }
        const stepNs = ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256) * cycleNs;
        let next = this.pioNext.get(machine) ?? nowNs;
        for (let i = 0; next <= nowNs && machine.enabled && i < GUARD; i++) {
          this.pioNs = next;
          const before = machine.cycles;
          machine.step();
          pio.checkChangedPins();
          next += Math.max(1, machine.cycles - before) * stepNs;
        }
        this.pioNext.set(machine, next);
      }
    }
    this.pioNs = -1;
  }

  get #pioRuns() {
    return !this.mcu.pio[0].stopped || !this.mcu.pio[1].stopped;
  }

  // One instruction by rp2040js, with all that it waits for.
  #slowly() {
    const { mcu, clock } = this;
    const cycles = mcu.core.executeInstruction() + this.penalty;
    this.penalty = 0;
    this.instructions++;
    clock.tick((cycles * 1e9) / mcu.clkSys + this.extraNs);
    this.extraNs = 0;
  }

  // Run until the emulated time `untilMs`, or until `stop()`, asked every 0.1 ms, is true; returns whether it was.
  run(untilMs, stop) {
    const { clock } = this;
    const endNs = untilMs * 1e6;
    let lookNs = clock.ns + LOOK_NS;
    while (clock.ns < endNs && !this.broken) {
      if (this.reset?.cut) {
        this.#afterCut();
      } else if (this.reset) {
        this.resets++;
        this.#keepFlash();
        this.#boot(this.reset);
      }
      const { mcu, interpreter } = this;
      const core = mcu.core;
      while (clock.ns < lookNs && clock.ns < endNs && !this.reset && !this.broken) {
        const pioRuns = this.#pioRuns;
        if (core.waiting) {
          let idle = Math.max(0, Math.min(clock.nextNs, endNs, lookNs) - clock.ns);
          if (pioRuns) idle = Math.min(idle, PIO_STEP_NS);
          clock.tick(idle);
          if (core.interruptsUpdated) this.#slowly();
          else if (!idle) break;
        } else if (pioRuns || core.interruptsUpdated) {
          this.#slowly();
        } else {
          const budget = ((Math.min(clock.nextNs, endNs, lookNs) - clock.ns) * mcu.clkSys) / 1e9;
          const cycles = interpreter.run(budget);
          clock.tick((cycles * 1e9) / mcu.clkSys);
          if (cycles < budget && !core.interruptsUpdated) this.#slowly();
        }
        if (pioRuns) this.#stepPio(clock.ns);
      }
      if (clock.ns >= lookNs) {
        lookNs = clock.ns + LOOK_NS;
        for (const strip of this.strips) strip.poll(clock.ns);
        if (stop?.()) return true;
      }
    }
    this.instructions += this.interpreter.instructions;
    this.interpreter.instructions = 0;
    return false;
  }

  // Run until `text` has come over the console after the first `from` characters of it; returns whether it has.
  waitFor(text, timeoutMs, from = 0) {
    const there = () => this.text.indexOf(text, from) >= 0;
    return there() || this.run(this.ms + timeoutMs, there) || there();
  }

  // ---- what happens to the board

  type(text) { this.usb.send(text); }

  become(host) {
    this.host = host;
    this.usb.become(host);
  }

  touch(pin, yes) {
    if (yes) this.fingers.add(pin);
    else this.fingers.delete(pin);
    this.pads.get(pin).touched = yes;
  }

  openPad(pin, yes) {
    if (yes) this.openPads.add(pin);
    else this.openPads.delete(pin);
    this.pads.get(pin).open = yes;
  }

  level(pin, level) {
    this.levels[pin] = level;
    this.mcu.gpio[pin].setInputValue(level === 1);
  }

  touchElectrode(address, electrode, yes) {
    this.chips.get(address).fingers[electrode] = yes ? 1 : 0;
  }

  chipFault(address, fault) {
    const chip = this.chips.get(address);
    if (fault === "reset") chip.reset();
    else if (fault === "over_current") chip.overCurrent();
    else chip.fault = fault;
    this.bus.refresh();
  }

  // Off and on again: flash is kept, and nothing else.
  powerCut() {
    this.#keepFlash();
    this.#afterCut();
  }

  // The same in the middle of the next erase of a sector; returns whether that came within the time.
  powerCutInErase(timeoutMs, sector = NVM_OFFSET) {
    this.cutInErase = sector;
    return this.run(this.ms + timeoutMs, () => this.cutInErase === null && !this.reset);
  }

  #afterCut() {
    for (const chip of this.chips.values()) chip.reset();
    this.#boot({});
  }

  #keepFlash() {
    this.flash = this.mcu.flash.slice(0, FLASH_BYTES);
  }

  // The CIRCUITPY drive as it is now: a FAT file system's bytes.
  drive() {
    return this.mcu.flash.slice(DRIVE_OFFSET, FLASH_BYTES);
  }
}
