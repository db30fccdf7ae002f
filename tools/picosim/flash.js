// The flash of a Pico: where what lies, UF2 files, and the boot ROM's routines that erase and write it.

import fs from "node:fs";

export const FLASH_START = 0x10000000;
export const FLASH_BYTES = 0x200000;    // a Pico's 2 MiB
export const DRIVE_OFFSET = 0x100000;   // CircuitPython keeps its drive in the second half,
export const NVM_OFFSET = 0xff000;      // and microcontroller.nvm below it
const SECTOR_BYTES = 4096;
const PAGE_BYTES = 256;

// A W25Q16, typically. Meanwhile interrupts are off and nothing else runs.
const ERASE_NS = 45e6;    // a sector
const PROGRAM_NS = 0.4e6; // a page

const UF2_MAGIC = 0x0a324655;

// Write the blocks of a UF2 file into `flash`. Throws an Error when it is none.
export function loadUf2(file, flash) {
  const data = fs.readFileSync(file);
  if (data.length < 512 || data.length % 512) throw new Error(`${file}: no UF2 file (its blocks are of 512 bytes)`);
  for (let at = 0; at < data.length; at += 512) {
    if (data.readUInt32LE(at) !== UF2_MAGIC) throw new Error(`${file}: no UF2 file (block ${at / 512} has no magic number)`);
    const address = data.readUInt32LE(at + 12);
    const length = data.readUInt32LE(at + 16);
    if (address < FLASH_START || address + length > FLASH_START + FLASH_BYTES) {
      throw new Error(`${file}: block ${at / 512} is for address 0x${address.toString(16)}, not a Pico's flash`);
    }
    flash.set(data.subarray(at + 32, at + 32 + length), address - FLASH_START);
  }
}

// Where the boot ROM has the function of that two-letter code (RP2040 datasheet, 2.8.3).
function romFunction(rom, code) {
  const wanted = code.charCodeAt(0) | (code.charCodeAt(1) << 8);
  for (let at = rom.getUint16(0x14, true); rom.getUint16(at, true); at += 4) {
    if (rom.getUint16(at, true) === wanted) return rom.getUint16(at + 2, true) & ~1;
  }
  throw new Error(`the boot ROM has no function ${code}`);
}

// The boot ROM talks to the flash chip over SPI, which rp2040js does not go into: its two routines that change flash are
// replaced by breakpoints, and what they do is done here. `sim.spend(ns)` is told how long it takes, and
// `sim.flashWritten(erased, offset)` that it was done.
export function hookRom(mcu, sim) {
  const rom = new DataView(mcu.bootrom.buffer);
  const routines = {
    0xe1: ["RE", (offset, bytes) => {
      mcu.flash.fill(0xff, offset, offset + bytes);
      sim.spend((bytes / SECTOR_BYTES) * ERASE_NS);
      sim.flashWritten(true, offset);
    }],
    0xe2: ["RP", (offset, from, bytes) => {
      for (let i = 0; i < bytes; i++) mcu.flash[offset + i] &= mcu.readUint8(from + i);
      sim.spend((bytes / PAGE_BYTES) * PROGRAM_NS);
      sim.flashWritten(false);
    }],
  };
  for (const [number, [code]] of Object.entries(routines)) {
    rom.setUint16(romFunction(rom, code), 0xbe00 | number, true);
  }
  mcu.onBreak = (number) => {
    const routine = routines[number];
    if (!routine) {
      sim.broken = `breakpoint ${number} at 0x${(mcu.core.PC - 2).toString(16)}`;
      return;
    }
    routine[1](...mcu.core.registers.subarray(0, 3));
    mcu.core.PC = mcu.core.LR & ~1;
  };
}
