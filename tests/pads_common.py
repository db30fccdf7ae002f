"""Pads on a bench: sensors that a test may touch, either driver, and what it reports."""

import random

from hardware.pads_mpr121 import Mpr121Pads
from hardware.pads_touchio import TouchioPads
from simulator import i2c

MASK = (1 << 29) - 1
SCAN_MS = 10
CLOCKS = [0, (1 << 29) - 5000]
ADDRESSES = (0x5A, 0x5B, 0x5C, 0x5D)


class Sensor:
    """A pad as touchio sees it, 220 counts, 620 when touched; or an electrode, of which that is the capacitance."""

    fault = None

    def __init__(self, idle=220, touched=620, noise=0.0, rng=None):
        self.idle = idle
        self.extra = touched - idle
        self.noise = noise
        self.rng = rng or random.Random(0)
        self.touched = False
        self.spike = 0  # added to the next reading only
        self.wrong = None  # an exception to raise
        self.closed = False

    @property
    def raw_value(self):
        if self.wrong:
            raise self.wrong
        value = self.idle + (self.extra if self.touched else 0) + self.spike
        self.spike = 0
        return round(value + self.rng.uniform(-self.noise, self.noise))

    def raw(self, rng, now_us):
        return self.raw_value

    def deinit(self):
        self.closed = True


class Bench:
    """Pads with a clock, and what they report: "+3" a press, "-3" a release, "!3" out of order, "?3" in order.

    driver: "touchio" or "mpr121"; refuse: pads without a resistor, whose sensor cannot be made (touchio only);
    electrodes: those of the pads (mpr121 only). With mpr121 `bus` and `chips` are simulator.i2c's.
    """

    def __init__(self, driver="touchio", count=18, start=0, sensors=None, refuse=(), electrodes=None):
        self.sensors = sensors or [Sensor() for _ in range(count)]
        self.refuse = set(refuse)
        self.start = start
        self.t_us = 0
        self.t = 0
        self.said = []
        self.strengths = {}
        if driver == "touchio":
            self.pads = TouchioPads(count, self.open, start)
        else:
            self.make_chips(electrodes or range(count))
            self.power_up()

    # ---- touchio

    def open(self, pad):
        if pad in self.refuse:
            raise ValueError("No pulldown on pin; 1Mohm recommended")
        return self.sensors[pad]

    # ---- MPR121

    def make_chips(self, electrodes):
        spare = Sensor()
        self.electrodes = bytes(electrodes)
        wired = [spare] * (i2c.ELECTRODES * (max(self.electrodes) // i2c.ELECTRODES + 1))
        for pad, electrode in enumerate(self.electrodes):
            wired[electrode] = self.sensors[pad]
        self.chips = [
            i2c.Chip(wired[at : at + i2c.ELECTRODES], None) for at in range(0, len(wired), i2c.ELECTRODES)
        ]
        self.bus = i2c.Bus(self, dict(zip(ADDRESSES, self.chips, strict=False)))

    def power_up(self):
        """The driver starts, as often as a test likes."""
        addresses = ADDRESSES[: len(self.chips)]
        self.pads = Mpr121Pads(
            len(self.electrodes), self.open_bus, addresses, self.electrodes, (self.start + self.t) & MASK
        )

    def open_bus(self):
        for _ in range(9):
            self.bus.clocked(self.bus.scl)
        bus = i2c.I2C(self.bus, self.bus.scl, self.bus.sda, lambda pin: None, lambda pin: None)
        bus.try_lock()
        return bus

    def spend(self, us):
        self.t_us += us

    # ---- what the pads report

    def press(self, pad, strength, now):
        self.strengths[pad] = strength
        self.said.append(f"+{pad}")

    def release(self, pad, now):
        self.said.append(f"-{pad}")

    def out_of_order(self, pad, yes):
        self.said.append(f"{'!' if yes else '?'}{pad}")

    # ---- time and fingers

    def scan(self):
        self.t_us = max(self.t_us, 1000 * self.t)
        self.pads.scan((self.start + self.t) & MASK, self)
        self.t = max(self.t + SCAN_MS, self.t_us // 1000)

    def run(self, ms):
        """What was said in `ms`."""
        first = len(self.said)
        end = self.t + ms
        while self.t < end:
            self.scan()
        return " ".join(self.said[first:])

    def touch(self, *pads):
        for pad in pads:
            self.sensors[pad].touched = True

    def lift(self, *pads):
        for pad in pads:
            self.sensors[pad].touched = False
