// A touch pad on a bare pin with its resistor of 1 Mohm: once the pin lets go of it, it keeps the level it was driven
// to for some microseconds, and longer with a finger on it.

import { GPIOPinState } from "rp2040js";

export class Pad {
  // Times in microseconds; `pull` says where the resistor goes, `random()` gives 0 to 1.
  constructor(gpio, clock, { idle_us = 20, touch_us = 60, noise_us = 0, pull = "down" }, random) {
    this.gpio = gpio;
    this.idleUs = idle_us;
    this.touchUs = touch_us;
    this.noiseUs = noise_us;
    this.rests = pull === "up";
    this.random = random;
    this.touched = false;
    this.open = false;       // the resistor has come off: the pad keeps its charge
    this.driven = null;      // the level that the chip drives, or drove last
    this.alarm = clock.createAlarm(() => this.gpio.setInputValue(this.rests));
    gpio.setInputValue(this.rests);
    gpio.addListener((state) => this.#changed(state));
  }

  #changed(state) {
    if (state === GPIOPinState.High || state === GPIOPinState.Low) {
      this.alarm.cancel();
      this.driven = state === GPIOPinState.High;
      this.gpio.setInputValue(this.driven);
    } else if (this.driven !== null) {
      if (this.driven !== this.rests && !this.open) {
        const noise = this.noiseUs ? (2 * this.random() - 1) * this.noiseUs : 0;
        this.alarm.schedule(1000 * Math.max(0, (this.touched ? this.touchUs : this.idleUs) + noise));
      }
      this.driven = null;
    }
  }
}
