// What a strip of WS2812 or SK6812 LEDs makes of the edges on its data pin: frames of colours, with their times.

const THRESHOLD_NS = 500;   // a high for longer is a one
const LATCH_NS = 50_000;    // low for so long: the strip shows what it has got
const LONGEST_NS = 5_000;   // a high for longer is no bit: somebody uses the pin for something else

export class Strip {
  // `order` is that of the bytes in a pixel, such as GRB or GRBW. `onFrame` gets
  // {t_us, dur_us, pin, bits, rgb: [[r, g, b(, w)], ...], high_ns: [shortest and longest zero, the same for one]}.
  constructor(pin, order, onFrame) {
    this.pin = pin;
    this.order = order;
    this.onFrame = onFrame;
    this.level = false;
    this.rise = 0;
    this.fall = 0;
    this.start = 0;
    this.#clear();
  }

  #clear() {
    this.bits = [];
    this.highs = [Infinity, 0, Infinity, 0];
  }

  edge(high, ns) {
    if (high === this.level) return;
    this.level = high;
    if (high) {
      this.#latch(ns);
      this.rise = ns;
      if (!this.bits.length) this.start = ns;
      return;
    }
    const width = ns - this.rise;
    this.fall = ns;
    if (width > LONGEST_NS) return;
    const bit = width > THRESHOLD_NS ? 1 : 0;
    this.bits.push(bit);
    this.highs[2 * bit] = Math.min(this.highs[2 * bit], width);
    this.highs[2 * bit + 1] = Math.max(this.highs[2 * bit + 1], width);
  }

  // Call it now and then: a strip latches by nothing happening.
  poll(ns) {
    if (!this.level) this.#latch(ns);
  }

  #latch(ns) {
    if (!this.bits.length || ns - this.fall <= LATCH_NS) return;
    const width = 8 * this.order.length;
    const rgb = [];
    for (let at = 0; at + width <= this.bits.length; at += width) {
      const channels = {};
      [...this.order].forEach((name, i) => {
        const bits = this.bits.slice(at + 8 * i, at + 8 * i + 8);
        channels[name] = bits.reduce((value, bit) => 2 * value + bit, 0);
      });
      rgb.push([..."RGBW"].filter((name) => name in channels).map((name) => channels[name]));
    }
    const frame = {
      t_us: Math.round(this.start / 10) / 100,
      dur_us: Math.round((this.fall - this.start) / 10) / 100,
      pin: this.pin,
      bits: this.bits.length,
      rgb,
      high_ns: this.highs.map((ns) => (Number.isFinite(ns) ? Math.round(ns) : null)),
    };
    this.#clear();
    this.onFrame(frame);
  }
}
