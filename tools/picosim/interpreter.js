// The Thumb instructions that make up nearly all of a program, run several times as fast as rp2040js runs them.
//
// rp2040js looks through some eighty cases for each instruction, and holds registers as unsigned numbers, which
// JavaScript engines keep as floating point. Here one switch and signed integers do. Whatever is rare (system
// instructions and the like), touches a peripheral, or may change what interrupts are pending is not done here: `run`
// stops in front of it, and rp2040js executes that one instruction. Reading the pins and the timer are the exceptions:
// touchio does little else. Cycles are counted as rp2040js counts them; a test compares the two on random instructions.

const FLASH = 0x10;   // the top byte of an address
const SRAM = 0x20;
const SRAM_BYTES = 264 * 1024;
const PINS_IN = 0xd0000004 | 0;   // SIO's register of the levels of all pins
const TIMER_HIGH = 0x40054024;    // the microseconds as they are, without latching
const TIMER_LOW = 0x40054028;

const bits = new Uint8Array(256);
for (let i = 1; i < 256; i++) bits[i] = bits[i >> 1] + (i & 1);

export class Interpreter {
  // `mcu` is an RP2040 of rp2040js, `cache` a FlashCache or null (flash as quick as RAM).
  constructor(mcu, cache) {
    this.mcu = mcu;
    this.clock = mcu.clock;
    this.core = mcu.core;
    this.cache = cache;
    this.registers = new Int32Array(mcu.core.registers.buffer);
    this.flash8 = mcu.flash;
    this.flash16 = new Uint16Array(mcu.flash.buffer);
    this.flash32 = new Int32Array(mcu.flash.buffer);
    this.ram8 = mcu.sram;
    this.ram16 = new Uint16Array(mcu.sram.buffer);
    this.ram32 = new Int32Array(mcu.sram.buffer);
    this.rom16 = new Uint16Array(mcu.bootrom.buffer);
    this.rom32 = new Int32Array(mcu.bootrom.buffer);
    this.rom8 = new Uint8Array(mcu.bootrom.buffer);
    this.instructions = 0;
  }

  // Run until `budget` cycles have passed or an instruction comes that is none of ours; returns the cycles. Nothing else
  // than instructions may happen meanwhile: no alarm of the clock is due.
  run(budget) {
    const { mcu, clock, core, cache, registers: r, flash8, flash16, flash32, ram8, ram16, ram32, rom8, rom16, rom32 } = this;
    const cycleNs = 1e9 / mcu.clkSys;
    let pc = r[15];
    let sign = core.N ? -1 : 0;    // N is its sign,
    let zero = core.Z ? 0 : 1;     // Z whether this is 0
    let carry = core.C ? 1 : 0;
    let overflow = core.V ? 1 : 0;
    let cycles = 0;
    let count = 0;
    let line = -1;                 // of the instruction before: it is in the cache
    let a = 0, b = 0, at = 0, value = 0, n = 0, top = 0;

    loop: while (cycles < budget) {
      let op;
      top = pc >>> 24;
      if (top === FLASH) {
        op = flash16[(pc & 0xffffff) >> 1];
        if (cache !== null && pc >>> 3 !== line) {
          line = pc >>> 3;
          cycles += cache.wait(line);
        }
      } else if (top === SRAM) {
        op = ram16[(pc & 0xffffff) >> 1];
      } else if (pc >>> 0 < 0x4000) {
        op = rom16[pc >> 1];
      } else break;

      switch (op >> 8) {
        // shifts by a number
        case 0x00: case 0x01: case 0x02: case 0x03: case 0x04: case 0x05: case 0x06: case 0x07:   // LSLS
          n = (op >> 6) & 31;
          a = r[(op >> 3) & 7];
          if (n) carry = (a >>> (32 - n)) & 1;
          r[op & 7] = sign = zero = a << n;
          break;
        case 0x08: case 0x09: case 0x0a: case 0x0b: case 0x0c: case 0x0d: case 0x0e: case 0x0f:   // LSRS
          n = (op >> 6) & 31;
          a = r[(op >> 3) & 7];
          carry = (a >>> (n ? n - 1 : 31)) & 1;
          r[op & 7] = sign = zero = n ? a >>> n : 0;
          break;
        case 0x10: case 0x11: case 0x12: case 0x13: case 0x14: case 0x15: case 0x16: case 0x17:   // ASRS
          n = (op >> 6) & 31;
          if (!n) break loop;
          a = r[(op >> 3) & 7];
          carry = (a >>> (n - 1)) & 1;
          r[op & 7] = sign = zero = a >> n;
          break;

        // sums and differences
        case 0x18: case 0x19: case 0x1c: case 0x1d: case 0x30: case 0x31: case 0x32: case 0x33:
        case 0x34: case 0x35: case 0x36: case 0x37:   // ADDS
          if (op < 0x3000) {
            a = r[(op >> 3) & 7];
            b = op & 0x400 ? (op >> 6) & 7 : r[(op >> 6) & 7];
            n = op & 7;
          } else {
            n = (op >> 8) & 7;
            a = r[n];
            b = op & 255;
          }
          value = (a + b) | 0;
          carry = (value >>> 0) < (a >>> 0) ? 1 : 0;
          overflow = ((a ^ value) & (b ^ value)) < 0 ? 1 : 0;
          r[n] = sign = zero = value;
          break;
        case 0x1a: case 0x1b: case 0x1e: case 0x1f: case 0x38: case 0x39: case 0x3a: case 0x3b:
        case 0x3c: case 0x3d: case 0x3e: case 0x3f: case 0x28: case 0x29: case 0x2a: case 0x2b:
        case 0x2c: case 0x2d: case 0x2e: case 0x2f:   // SUBS, CMP with a number
          if (op < 0x2000) {
            a = r[(op >> 3) & 7];
            b = op & 0x400 ? (op >> 6) & 7 : r[(op >> 6) & 7];
            n = op & 7;
          } else {
            n = (op >> 8) & 7;
            a = r[n];
            b = op & 255;
          }
          value = (a - b) | 0;
          carry = (a >>> 0) >= (b >>> 0) ? 1 : 0;
          overflow = ((a ^ b) & (a ^ value)) < 0 ? 1 : 0;
          sign = zero = value;
          if (op < 0x2000 || op >= 0x3000) r[n] = value;
          break;
        case 0x20: case 0x21: case 0x22: case 0x23: case 0x24: case 0x25: case 0x26: case 0x27:   // MOVS
          r[(op >> 8) & 7] = sign = zero = op & 255;
          break;

        // two registers
        case 0x40: case 0x41: case 0x42: case 0x43:
          n = op & 7;
          a = r[n];
          b = r[(op >> 3) & 7];
          switch ((op >> 6) & 15) {
            case 0: r[n] = sign = zero = a & b; break;       // ANDS
            case 1: r[n] = sign = zero = a ^ b; break;       // EORS
            case 2:                                          // LSLS
              b &= 255;
              if (b) carry = b < 32 ? (a >>> (32 - b)) & 1 : b === 32 ? a & 1 : 0;
              r[n] = sign = zero = b < 32 ? a << b : 0;
              break;
            case 3:                                          // LSRS
              b &= 255;
              if (b) carry = b <= 32 ? (a >>> (b - 1)) & 1 : 0;
              r[n] = sign = zero = b < 32 ? a >>> b : 0;
              break;
            case 4:                                          // ASRS
              b &= 255;
              if (b) carry = (a >> Math.min(b - 1, 31)) & 1;
              r[n] = sign = zero = a >> Math.min(b, 31);
              break;
            case 5:                                          // ADCS
              value = (a + b + carry) | 0;
              overflow = ((a ^ value) & (b ^ value)) < 0 ? 1 : 0;
              carry = (a >>> 0) + (b >>> 0) + carry > 0xffffffff ? 1 : 0;
              r[n] = sign = zero = value;
              break;
            case 6:                                          // SBCS
              value = (a - b - 1 + carry) | 0;
              overflow = ((a ^ b) & (a ^ value)) < 0 ? 1 : 0;
              carry = (a >>> 0) - (b >>> 0) - 1 + carry >= 0 ? 1 : 0;
              r[n] = sign = zero = value;
              break;
            case 8: sign = zero = a & b; break;              // TST
            case 9:                                          // RSBS
              value = -b | 0;
              carry = b === 0 ? 1 : 0;
              overflow = (b & value) < 0 ? 1 : 0;
              r[n] = sign = zero = value;
              break;
            case 10:                                         // CMP
              value = (a - b) | 0;
              carry = (a >>> 0) >= (b >>> 0) ? 1 : 0;
              overflow = ((a ^ b) & (a ^ value)) < 0 ? 1 : 0;
              sign = zero = value;
              break;
            case 12: r[n] = sign = zero = a | b; break;      // ORRS
            case 13: r[n] = sign = zero = Math.imul(a, b); break;   // MULS
            case 14: r[n] = sign = zero = a & ~b; break;     // BICS
            case 15: r[n] = sign = zero = ~b; break;         // MVNS
            default: break loop;
          }
          break;
        case 0x44:   // ADD with high registers
          n = (op & 7) | ((op >> 4) & 8);
          at = (op >> 3) & 15;
          if (n === 15 || n === 13) break loop;
          r[n] = r[n] + (at === 15 ? pc + 4 : r[at]);
          break;
        case 0x45:   // CMP with high registers
          a = r[(op & 7) | ((op >> 4) & 8)];
          at = (op >> 3) & 15;
          if (at === 15 || ((op & 7) | ((op >> 4) & 8)) === 15) break loop;
          b = r[at];
          value = (a - b) | 0;
          carry = (a >>> 0) >= (b >>> 0) ? 1 : 0;
          overflow = ((a ^ b) & (a ^ value)) < 0 ? 1 : 0;
          sign = zero = value;
          break;
        case 0x46:   // MOV with high registers
          n = (op & 7) | ((op >> 4) & 8);
          at = (op >> 3) & 15;
          value = at === 15 ? pc + 4 : r[at];
          if (n === 15) {
            pc = value & ~1;
            cycles += 2;
            count++;
            continue;
          }
          r[n] = n === 13 ? value & ~3 : value;
          break;
        case 0x47:   // BX, BLX
          if (op & 7) break loop;
          at = (op >> 3) & 15;
          value = r[at];
          if (at === 15 || value >>> 28 === 15) break loop;   // perhaps the end of an interrupt
          if (op & 0x80) r[14] = (pc + 2) | 1;
          pc = value & ~1;
          cycles += 2;
          count++;
          continue;

        // loads and stores
        case 0x48: case 0x49: case 0x4a: case 0x4b: case 0x4c: case 0x4d: case 0x4e: case 0x4f:   // LDR literal
          at = ((pc + 4) & ~3) + ((op & 255) << 2);
          top = at >>> 24;
          if (top === FLASH) {
            value = flash32[(at & 0xffffff) >> 2];
            if (cache !== null) {
              cycles += cache.wait(at >>> 3);
              line = -1;
            }
          } else if (top === SRAM) value = ram32[(at & 0xffffff) >> 2];
          else if (at >>> 0 < 0x4000) value = rom32[at >> 2];
          else break loop;
          r[(op >> 8) & 7] = value;
          cycles++;
          break;
        case 0x50: case 0x51:   // STR with two registers
        case 0x60: case 0x61: case 0x62: case 0x63: case 0x64: case 0x65: case 0x66: case 0x67:   // STR
        case 0x90: case 0x91: case 0x92: case 0x93: case 0x94: case 0x95: case 0x96: case 0x97:   // STR on the stack
          if (op < 0x6000) at = (r[(op >> 3) & 7] + r[(op >> 6) & 7]) | 0;
          else if (op < 0x9000) at = (r[(op >> 3) & 7] + ((op >> 4) & 0x7c)) | 0;
          else at = (r[13] + ((op & 255) << 2)) | 0;
          n = (at - 0x20000000) | 0;
          if (n >>> 0 >= SRAM_BYTES || n & 3) break loop;
          ram32[n >> 2] = r[op < 0x9000 ? op & 7 : (op >> 8) & 7];
          cycles++;
          break;
        case 0x52: case 0x53:   // STRH with two registers
        case 0x80: case 0x81: case 0x82: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87:   // STRH
          at = (r[(op >> 3) & 7] + (op < 0x8000 ? r[(op >> 6) & 7] : (op >> 5) & 0x3e)) | 0;
          n = (at - 0x20000000) | 0;
          if (n >>> 0 >= SRAM_BYTES || n & 1) break loop;
          ram16[n >> 1] = r[op & 7];
          cycles++;
          break;
        case 0x54: case 0x55:   // STRB with two registers
        case 0x70: case 0x71: case 0x72: case 0x73: case 0x74: case 0x75: case 0x76: case 0x77:   // STRB
          at = (r[(op >> 3) & 7] + (op < 0x7000 ? r[(op >> 6) & 7] : (op >> 6) & 31)) | 0;
          n = (at - 0x20000000) | 0;
          if (n >>> 0 >= SRAM_BYTES) break loop;
          ram8[n] = r[op & 7];
          cycles++;
          break;
        case 0x58: case 0x59:   // LDR with two registers
        case 0x68: case 0x69: case 0x6a: case 0x6b: case 0x6c: case 0x6d: case 0x6e: case 0x6f:   // LDR
        case 0x98: case 0x99: case 0x9a: case 0x9b: case 0x9c: case 0x9d: case 0x9e: case 0x9f:   // LDR on the stack
          if (op < 0x6000) at = (r[(op >> 3) & 7] + r[(op >> 6) & 7]) | 0;
          else if (op < 0x9000) at = (r[(op >> 3) & 7] + ((op >> 4) & 0x7c)) | 0;
          else at = (r[13] + ((op & 255) << 2)) | 0;
          if (at & 3) break loop;
          n = (at - 0x20000000) | 0;
          if (n >>> 0 < SRAM_BYTES) value = ram32[n >> 2];
          else if (at >>> 24 === FLASH) {
            value = flash32[(at & 0xffffff) >> 2];
            if (cache !== null) {
              cycles += cache.wait(at >>> 3);
              line = -1;
            }
          } else if (at >>> 0 < 0x4000) value = rom32[at >> 2];
          else if (at === PINS_IN) {
            value = mcu.gpioValues;
            cycles--;      // SIO is as quick as a register,
          } else if (at === TIMER_LOW || at === TIMER_HIGH) {
            const micros = (clock.ns + cycles * cycleNs) / 1000;
            value = at === TIMER_LOW ? micros >>> 0 : Math.floor(micros / 2 ** 32);
            cycles += 2;   // and what hangs on the slow bus three cycles slower
          } else break loop;
          r[op < 0x9000 ? op & 7 : (op >> 8) & 7] = value;
          cycles++;
          break;
        case 0x5a: case 0x5b: case 0x5e: case 0x5f:   // LDRH, LDRSH with two registers
        case 0x88: case 0x89: case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x8e: case 0x8f:   // LDRH
          at = (r[(op >> 3) & 7] + (op < 0x8000 ? r[(op >> 6) & 7] : (op >> 5) & 0x3e)) | 0;
          if (at & 1) break loop;
          n = (at - 0x20000000) | 0;
          if (n >>> 0 < SRAM_BYTES) value = ram16[n >> 1];
          else if (at >>> 24 === FLASH) {
            value = flash16[(at & 0xffffff) >> 1];
            if (cache !== null) {
              cycles += cache.wait(at >>> 3);
              line = -1;
            }
          } else if (at >>> 0 < 0x4000) value = rom16[at >> 1];
          else break loop;
          r[op & 7] = op < 0x8000 && op & 0x400 ? (value << 16) >> 16 : value;
          cycles++;
          break;
        case 0x56: case 0x57: case 0x5c: case 0x5d:   // LDRSB, LDRB with two registers
        case 0x78: case 0x79: case 0x7a: case 0x7b: case 0x7c: case 0x7d: case 0x7e: case 0x7f:   // LDRB
          at = (r[(op >> 3) & 7] + (op < 0x7000 ? r[(op >> 6) & 7] : (op >> 6) & 31)) | 0;
          n = (at - 0x20000000) | 0;
          if (n >>> 0 < SRAM_BYTES) value = ram8[n];
          else if (at >>> 24 === FLASH) {
            value = flash8[at & 0xffffff];
            if (cache !== null) {
              cycles += cache.wait(at >>> 3);
              line = -1;
            }
          } else if (at >>> 0 < 0x4000) value = rom8[at];
          else break loop;
          r[op & 7] = op < 0x5800 ? (value << 24) >> 24 : value;
          cycles++;
          break;

        // addresses and the stack
        case 0xa0: case 0xa1: case 0xa2: case 0xa3: case 0xa4: case 0xa5: case 0xa6: case 0xa7:   // ADR
          r[(op >> 8) & 7] = ((pc & ~3) + 4) + ((op & 255) << 2);
          break;
        case 0xa8: case 0xa9: case 0xaa: case 0xab: case 0xac: case 0xad: case 0xae: case 0xaf:   // ADD to the stack
          r[(op >> 8) & 7] = r[13] + ((op & 255) << 2);
          break;
        case 0xb0:   // ADD, SUB of the stack
          r[13] = r[13] + (op & 0x80 ? -((op & 127) << 2) : (op & 127) << 2);
          break;
        case 0xb2:   // SXTH, SXTB, UXTH, UXTB
          a = r[(op >> 3) & 7];
          n = (op >> 6) & 3;
          r[op & 7] = n === 0 ? (a << 16) >> 16 : n === 1 ? (a << 24) >> 24 : n === 2 ? a & 0xffff : a & 0xff;
          break;
        case 0xb4: case 0xb5:   // PUSH
          n = bits[op & 255];
          at = r[13] - ((n + ((op >> 8) & 1)) << 2);
          b = (at - 0x20000000) | 0;
          if (b >>> 0 >= SRAM_BYTES || (b + 36) >>> 0 >= SRAM_BYTES) break loop;
          r[13] = at;
          b >>= 2;
          for (a = 0; a < 8; a++) if (op & (1 << a)) ram32[b++] = r[a];
          if (op & 0x100) ram32[b] = r[14];
          cycles += n;
          break;
        case 0xbc: case 0xbd:   // POP
          n = bits[op & 255];
          at = r[13];
          b = (at - 0x20000000) | 0;
          if (b >>> 0 >= SRAM_BYTES || (b + 36) >>> 0 >= SRAM_BYTES) break loop;
          b >>= 2;
          if (op & 0x100) {
            value = ram32[b + n];
            if (value >>> 28 === 15) break loop;   // the end of an interrupt
            for (a = 0; a < 8; a++) if (op & (1 << a)) r[a] = ram32[b++];
            r[13] = at + ((n + 1) << 2);
            pc = value & ~1;
            cycles += n + 3;
            count++;
            continue;
          }
          for (a = 0; a < 8; a++) if (op & (1 << a)) r[a] = ram32[b++];
          r[13] = at + (n << 2);
          cycles += n;
          break;
        case 0xc0: case 0xc1: case 0xc2: case 0xc3: case 0xc4: case 0xc5: case 0xc6: case 0xc7:   // STMIA
        case 0xc8: case 0xc9: case 0xca: case 0xcb: case 0xcc: case 0xcd: case 0xce: case 0xcf:   // LDMIA
          n = (op >> 8) & 7;
          at = r[n];
          b = (at - 0x20000000) | 0;
          if (b >>> 0 >= SRAM_BYTES || (b + 32) >>> 0 >= SRAM_BYTES || b & 3 || op & (1 << n)) break loop;
          b >>= 2;
          if (op & 0x800) {
            for (a = 0; a < 8; a++) if (op & (1 << a)) r[a] = ram32[b++];
          } else {
            for (a = 0; a < 8; a++) if (op & (1 << a)) ram32[b++] = r[a];
          }
          r[n] = at + (bits[op & 255] << 2);
          cycles += bits[op & 255];
          break;
        case 0xbf:
          if (op !== 0xbf00) break loop;   // NOP; the others wait for something
          break;

        // branches
        case 0xd0: case 0xd1: case 0xd2: case 0xd3: case 0xd4: case 0xd5: case 0xd6: case 0xd7:
        case 0xd8: case 0xd9: case 0xda: case 0xdb: case 0xdc: case 0xdd:   // B with a condition
          switch ((op >> 8) & 15) {
            case 0: a = zero === 0 ? 1 : 0; break;
            case 1: a = zero === 0 ? 0 : 1; break;
            case 2: a = carry; break;
            case 3: a = carry ^ 1; break;
            case 4: a = sign < 0 ? 1 : 0; break;
            case 5: a = sign < 0 ? 0 : 1; break;
            case 6: a = overflow; break;
            case 7: a = overflow ^ 1; break;
            case 8: a = carry && zero !== 0 ? 1 : 0; break;
            case 9: a = carry && zero !== 0 ? 0 : 1; break;
            case 10: a = (sign < 0 ? 1 : 0) === overflow ? 1 : 0; break;
            case 11: a = (sign < 0 ? 1 : 0) === overflow ? 0 : 1; break;
            case 12: a = zero !== 0 && (sign < 0 ? 1 : 0) === overflow ? 1 : 0; break;
            default: a = zero !== 0 && (sign < 0 ? 1 : 0) === overflow ? 0 : 1;
          }
          if (a) {
            pc = pc + 4 + (((op & 255) << 24) >> 23);
            cycles += 2;
            count++;
            continue;
          }
          break;
        case 0xe0: case 0xe1: case 0xe2: case 0xe3: case 0xe4: case 0xe5: case 0xe6: case 0xe7:   // B
          pc = pc + 4 + (((op & 0x7ff) << 21) >> 20);
          cycles += 2;
          count++;
          continue;
        case 0xf0: case 0xf1: case 0xf2: case 0xf3: case 0xf4: case 0xf5: case 0xf6: case 0xf7:   // BL
          at = pc + 2;
          if (top === FLASH) {
            value = flash16[(at & 0xffffff) >> 1];
            if (cache !== null && at >>> 3 !== line) {
              line = at >>> 3;
              cycles += cache.wait(line);
            }
          } else value = top === SRAM ? ram16[(at & 0xffffff) >> 1] : rom16[at >> 1];
          if ((value & 0xd000) !== 0xd000) break loop;
          a = (op << 21) >> 31;   // S in all bits
          at = (a << 24) | ((~(a ^ (value >> 13)) & 1) << 23) | ((~(a ^ (value >> 11)) & 1) << 22)
            | ((op & 0x3ff) << 12) | ((value & 0x7ff) << 1);
          r[14] = (pc + 4) | 1;
          pc = pc + 4 + at;
          cycles += 3;
          count++;
          continue;
        default:
          break loop;
      }
      pc += 2;
      cycles++;
      count++;
    }

    r[15] = pc;
    core.N = sign < 0;
    core.Z = zero === 0;
    core.C = carry === 1;
    core.V = overflow === 1;
    core.cycles += cycles;
    this.instructions += count;
    return cycles;
  }
}
