// An MPR121: twelve touch electrodes behind I2C, register by register as its datasheet (Freescale MPR121 Rev 4) has them.
// Not modelled: proximity, GPIO and LED functions, the search of auto-configuration, and the tracking of the chip's own
// baseline once it is loaded.

const ELECTRODES = 12;
const STATUS = 0x00;
const STATUS_HIGH = 0x01;
const DATA = 0x04;
const BASELINE = 0x1e;
const TOUCH_THRESHOLD = 0x41;    // then the release threshold, and so on for each electrode
const CURRENT = 0x5c;
const SAMPLING = 0x5d;
const ECR = 0x5e;
const GPIO_FIRST = 0x73;
const GPIO_LAST = 0x7a;
const SOFT_RESET = 0x80;
const RESET_KEY = 0x63;

const OVER_CURRENT = 0x80;       // in STATUS_HIGH
const SAMPLES = [4, 6, 10, 18];  // of the second filter, by the bits 3-4 of SAMPLING

// What a chip can do wrong: answer nothing (no power), answer nonsense, hold the data line down in the middle of a byte.
export const FAULTS = ["none", "silent", "garbage", "hold_sda"];

export class Mpr121 {
  // `idle` and `touched` are readings of an electrode, 0 to 1023; a finger lowers them. `random()` gives 0 to 1.
  constructor(clock, { idle = 680, touched = 560, noise = 1 }, random) {
    this.clock = clock;
    this.idle = idle;
    this.low = touched;
    this.noise = noise;
    this.random = random;
    this.fingers = new Uint8Array(ELECTRODES);
    this.fault = "none";
    this.registers = new Uint8Array(0x80);
    this.reset();
  }

  // Power-up, the soft reset, or a brown-out that nobody hears of: everything at its default, measuring stopped.
  reset() {
    this.registers.fill(0);
    this.registers[CURRENT] = 0x10;
    this.registers[SAMPLING] = 0x24;
    this.pointer = 0;
    this.addressed = false;     // the next byte written is the pointer
    this.startedNs = 0;
    this.measured = -1;         // the last measurement that the registers hold
  }

  // The supply of the sensing current gave out: the chip stops and says so in one bit.
  overCurrent() {
    this.registers[STATUS_HIGH] |= OVER_CURRENT;
    this.registers[ECR] = 0;
  }

  get #running() {
    return Math.min(this.registers[ECR] & 15, ELECTRODES);
  }

  // ---- the bus

  // Its address was called; whether it answers.
  select(read) {
    if (this.fault === "silent") return false;
    if (!read) this.addressed = true;
    else this.#measure();
    return true;
  }

  // A byte is written to it; whether it answers.
  write(byte) {
    if (this.fault === "silent") return false;
    if (this.addressed) {
      this.pointer = byte;
      this.addressed = false;
      return true;
    }
    this.#set(this.pointer, byte);
    this.pointer = (this.pointer + 1) & 0xff;
    return true;
  }

  // A byte is read from it.
  read() {
    const byte = this.pointer < 0x80 ? this.registers[this.pointer] : 0;
    this.pointer = (this.pointer + 1) & 0xff;
    return this.fault === "garbage" ? Math.floor(256 * this.random()) : byte;
  }

  #set(register, byte) {
    if (register === SOFT_RESET) {
      if (byte === RESET_KEY) this.reset();
    } else if (register === ECR) {
      if (byte && !this.registers[ECR]) {
        this.startedNs = this.clock.ns;
        this.measured = -1;
      }
      if (!this.#stopsAt(byte)) this.registers[ECR] = byte;
    } else if (register === STATUS_HIGH) {
      if (byte & OVER_CURRENT) this.registers[STATUS_HIGH] &= ~OVER_CURRENT;
    } else if (register >= BASELINE && register < 0x80) {
      // While it measures it takes nothing but ECR and the GPIO's registers.
      if (!this.registers[ECR] || (register >= GPIO_FIRST && register <= GPIO_LAST)) this.registers[register] = byte;
    }
  }

  // It does not start while the over-current bit stands.
  #stopsAt(byte) {
    return byte !== 0 && (this.registers[STATUS_HIGH] & OVER_CURRENT) !== 0;
  }

  // ---- the electrodes

  // Bring the registers up to date: a new measurement comes every so many samples.
  #measure() {
    const electrodes = this.#running;
    if (!electrodes) return;
    const sampling = this.registers[SAMPLING];
    const periodNs = 1e6 * (1 << (sampling & 7)) * SAMPLES[(sampling >> 3) & 3];
    const measurement = Math.floor((this.clock.ns - this.startedNs) / periodNs);
    if (measurement < 1 || measurement === this.measured) return;
    const first = this.measured < 0;
    this.measured = measurement;
    let status = this.registers[STATUS] | (this.registers[STATUS_HIGH] << 8);
    for (let i = 0; i < electrodes; i++) {
      const noise = Math.round((2 * this.random() - 1) * this.noise);
      const reading = (this.fingers[i] ? this.low : this.idle) + noise;
      this.registers[DATA + 2 * i] = reading & 0xff;
      this.registers[DATA + 2 * i + 1] = reading >> 8;
      if (first && this.registers[ECR] & 0x80) {
        // CL = 10: its five upper bits, 11: all eight of them
        this.registers[BASELINE + i] = (reading >> 2) & (this.registers[ECR] & 0x40 ? 0xff : 0xf8);
      }
      const fallen = 4 * this.registers[BASELINE + i] - reading;
      const threshold = this.registers[TOUCH_THRESHOLD + 2 * i + ((status >> i) & 1)];
      status = fallen > threshold ? status | (1 << i) : status & ~(1 << i);
    }
    this.registers[STATUS] = status & 0xff;
    this.registers[STATUS_HIGH] = status >> 8;
  }
}
