// An I2C bus: its two wires with their pull-ups, the RP2040's controller on it, and the chips.
//
// Most goes through the controller, byte by byte. CircuitPython asks whether a chip is there by moving the wires itself,
// and a program that frees a stuck bus does so too: hence the wires are watched as well.

import { GPIOPinState } from "rp2040js";

const RESETS = 0x4000c;
const RESET_I2C0 = 1 << 3;  // the next bit is the other controller's
const TX_EMPTY = 1 << 4;    // an interrupt of the controller
const FREEING_CLOCKS = 9;   // so many pulses let a chip that holds the data line finish its byte

export class I2cBus {
  // `chips` maps an address to a chip: an object with `select(read)`, `write(byte)`, `read()` and `fault`.
  constructor(mcu, clock, sda, scl, chips) {
    this.clock = clock;
    this.chips = chips;
    this.sda = mcu.gpio[sda];
    this.scl = mcu.gpio[scl];
    this.controller = mcu.i2c[(sda >> 1) & 1];
    this.mcu = mcu;
    this.resets = mcu.peripherals[RESETS];
    this.chip = null;          // the one being talked to
    this.then = null;          // what the controller does when its bits are through
    this.waiting = null;       // a start that waits for the data line
    this.freed = 0;            // pulses that the holding chip has seen
    this.alarm = clock.createAlarm(() => {
      const then = this.then;
      this.then = null;
      then();
    });
    this.bits = -1;            // of a byte that comes over the wires; -1: no transfer
    this.byte = 0;
    this.acknowledge = false;
    this.wireChip = null;
    this.wasSda = true;
    this.wasScl = true;
    this.#attach();
    this.sda.addListener(() => this.#wires());
    this.scl.addListener(() => this.#wires());
    this.#wires();
  }

  // A chip's fault has changed.
  refresh() {
    this.freed = 0;
    this.#wires();
  }

  get #held() {
    for (const chip of this.chips.values()) if (chip.fault === "hold_sda") return chip;
    return null;
  }

  // ---- through the controller

  #after(bits, then) {
    const c = this.controller;
    const cycles = Math.max(1, c.sclHighPeriod + c.sclLowPeriod);
    this.then = then;
    this.alarm.schedule((bits * cycles * 1e9) / this.mcu.clkPeri);
  }

  #attach() {
    const c = this.controller;
    c.onStart = () => {
      if (this.#held) this.waiting = () => c.completeStart();
      else this.#after(1, () => c.completeStart());
    };
    c.onConnect = (address, mode) => {
      this.chip = this.chips.get(address) ?? null;
      const answers = this.chip !== null && this.chip.select(mode === 1);
      this.#after(9, () => this.#finish(answers, () => c.completeConnect(answers)));
    };
    c.onWriteByte = (byte) => {
      const answers = this.chip.write(byte);
      this.#after(9, () => this.#finish(answers, () => c.completeWrite(answers)));
    };
    c.onReadByte = () => {
      const byte = this.chip.read();
      this.#after(9, () => c.completeRead(byte));
    };
    c.onStop = () => this.#after(1, () => c.completeStop());
    // rp2040js resets no peripheral; a program that starts anew after a stuck transfer counts on it.
    const { resets } = this;
    const write = resets.writeUint32;
    resets.writeUint32 = (offset, value) => {
      write.call(resets, offset, value);
      if (resets.reset & (c === this.mcu.i2c[0] ? RESET_I2C0 : RESET_I2C0 << 1)) this.#reset();
    };
  }

  #reset() {
    const c = this.controller;
    this.alarm.cancel();
    this.waiting = null;
    c.txFIFO.reset();
    c.rxFIFO.reset();
    c.enable = c.state = c.intRaw = c.intEnable = c.abortSource = 0;
    c.busy = c.stop = c.pendingRestart = false;
    c.checkInterrupts();
  }

  // Where nobody answers, the controller throws away what was to be sent, and says that its queue is empty. rp2040js leaves
  // the second out, and a program that waits for it would wait for its time-out.
  #finish(answers, complete) {
    complete();
    if (!answers) this.controller.setInterrupts(TX_EMPTY);
  }

  // ---- over the wires

  #wires() {
    const sdaDriven = this.sda.value === GPIOPinState.Low;
    const scl = this.scl.value !== GPIOPinState.Low;
    const rises = scl && !this.wasScl;
    const falls = !scl && this.wasScl;
    this.wasScl = scl;
    const holder = this.#held;
    if (rises && holder && ++this.freed >= FREEING_CLOCKS) holder.fault = "none";
    if (falls) this.#clockFell();
    const sda = !sdaDriven && !this.acknowledge && !this.#held;
    if (scl && !rises && sda !== this.wasSda) this.#condition(!sda);
    else if (rises) this.#clockRose(sda);
    this.wasSda = sda;
    this.sda.setInputValue(sda);
    this.scl.setInputValue(scl);
    if (this.waiting && sda && scl) {
      const then = this.waiting;
      this.waiting = null;
      this.#after(1, then);
    }
  }

  // The data line moved while the clock was high.
  #condition(start) {
    this.bits = start ? 0 : -1;
    this.byte = 0;
    this.wireChip = null;
  }

  #clockRose(sda) {
    if (this.bits >= 0 && this.bits < 8) {
      this.byte = ((this.byte << 1) | (sda ? 1 : 0)) & 0xff;
      this.bits++;
    } else if (this.bits === 8) this.bits = 9;   // the pulse of the answer
  }

  #clockFell() {
    if (this.bits === 8 && !this.acknowledge) {
      if (this.wireChip) this.acknowledge = this.wireChip.write(this.byte);
      else {
        const chip = this.chips.get(this.byte >> 1);
        // Reading over the wires is left out: CircuitPython does not.
        if (chip && !(this.byte & 1) && chip.select(false)) {
          this.wireChip = chip;
          this.acknowledge = true;
        }
      }
    } else if (this.bits === 9) {
      this.acknowledge = false;
      this.bits = 0;
      this.byte = 0;
    }
  }
}
