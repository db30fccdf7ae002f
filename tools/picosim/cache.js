// The timing of the flash cache in front of the RP2040's flash (XIP): 16 kB, two ways, lines of 8 bytes. Only what a
// miss costs is modelled; the bytes come from the emulated flash in either case.

export const MISS_CYCLES = 90;   // a line over quad SPI at the clock that boot2 sets, and the bus in between
const SETS = 1024;

export class FlashCache {
  constructor(missCycles = MISS_CYCLES) {
    this.missCycles = missCycles;
    this.misses = 0;
    this.first = new Int32Array(SETS);
    this.second = new Int32Array(SETS);
    this.older = new Uint8Array(SETS);   // which way of each set goes next: 0 the first
    this.flush();
  }

  // Flash has been written: the boot ROM empties the cache.
  flush() {
    this.first.fill(-1);
    this.second.fill(-1);
  }

  // The cycles that an access to this line (an address without its last three bits) waits.
  wait(line) {
    const set = line & (SETS - 1);
    if (this.first[set] === line) {
      this.older[set] = 1;
      return 0;
    }
    if (this.second[set] === line) {
      this.older[set] = 0;
      return 0;
    }
    this.misses++;
    if (this.older[set]) {
      this.second[set] = line;
      this.older[set] = 0;
    } else {
      this.first[set] = line;
      this.older[set] = 1;
    }
    return this.missCycles;
  }
}
