"""An I2C bus with MPR121 chips, as far as a program can tell them from real ones.

A chip converts its electrodes every 4 ms (at the fastest; as it was set up), charging each pad's capacitance with
the current and for the time in its registers. `Pad.raw`, which touchio counts, stands for that capacitance.
"""

from __future__ import annotations

ELECTRODES = 12
BYTE_US = 22.5  # 9 bits at 400 kHz
HANGS_US = 1_000_000  # CircuitPython's own limit for a transfer that does not end
NACK, HUNG = 19, 116  # errno

FILTERED, CONFIG_1, CONFIG_2, ECR, RESET = 0x04, 0x5C, 0x5D, 0x5E, 0x80
AFTER_RESET = {CONFIG_1: 0x10, CONFIG_2: 0x24}
# 220 of touchio's counts, a pad nobody touches, are some 20 pF; 32 uA for 0.5 us bring it to a quarter of the
# supply. Counts are proportional to charge and to 1 / capacitance.
COUNTS = 248 * 220 / (32 * 0.5)
SAMPLES = (4, 6, 10, 18)  # of the second filter


class Chip:
    """One MPR121. `pads` are its electrodes' (machine.Pad).

    fault: None, "gone" (does not answer), "ones" or "zeros" (answers nothing else), "dull" (never leaves reset)
    """

    FAULTS = (None, "gone", "ones", "zeros", "dull")

    def __init__(self, pads, rng):
        self.pads = pads
        self.fault = None
        self.set_ups = 0
        self._rng = rng
        self.reset()

    def reset(self):
        """What a dip of its supply does: it stands still, and its data is 0."""
        self.registers = bytearray(0x81)
        for register, value in AFTER_RESET.items():
            self.registers[register] = value
        self._at = 0
        self._due_us = 0

    def write(self, data, now_us):
        """The bus writes: a register, and what follows goes there and into those after it."""
        self._at = data[0]
        for value in data[1:]:
            if self._at == RESET and value == 0x63:
                self.reset()
            elif self.fault != "dull":
                self._store(value, now_us)
            self._at += 1

    def _store(self, value, now_us):
        if self._at != ECR and self.registers[ECR]:
            return  # while it runs, nothing else can be changed
        self.registers[self._at] = value
        if self._at == ECR and value:
            self.set_ups += 1
            self._due_us = now_us + self._period_us()

    def read(self, buffer, now_us):
        """The bus reads, from that register on."""
        if self.fault in ("ones", "zeros"):
            buffer[:] = bytes([0xFF if self.fault == "ones" else 0]) * len(buffer)
            return
        if self.registers[ECR] & 0x0F and now_us >= self._due_us:
            self._convert(now_us)
            self._due_us = now_us - (now_us - self._due_us) % self._period_us() + self._period_us()
        buffer[:] = self.registers[self._at : self._at + len(buffer)]

    def _period_us(self):
        config = self.registers[CONFIG_2]
        return SAMPLES[config >> 3 & 3] * 1000 << (config & 7)

    def _convert(self, now_us):
        time = self.registers[CONFIG_2] >> 5
        charge = (self.registers[CONFIG_1] & 0x3F) * (0.5 * 2 ** (time - 1) if time else 0)
        for electrode, pad in enumerate(self.pads[: self.registers[ECR] & 0x0F]):
            raw = pad.raw(self._rng, now_us)
            counts = 0 if pad.fault == "open" else min(1023, round(COUNTS * charge / max(1, raw)))
            self.registers[FILTERED + 2 * electrode] = counts & 0xFF
            self.registers[FILTERED + 2 * electrode + 1] = counts >> 8


class Bus:
    """The two lines on pins `sda` and `scl`, and the chips on them: {address: Chip}.

    fault: None, "held" (a chip holds SDA down until it has been clocked nine times), "short" (SDA is down for
    good), "loose" (nothing pulls the lines up)
    """

    FAULTS = (None, "held", "short", "loose")

    def __init__(self, machine, chips, sda=20, scl=21):
        self.chips = chips
        self.sda = sda
        self.scl = scl
        self.fault = None
        self.opened = 0
        self._machine = machine
        self._clocks = 0

    def level(self, pin, pulled):
        """What a digital input there sees; None: it is no line of this bus."""
        if pin not in (self.sda, self.scl):
            return None
        if self.fault == "loose":
            return pulled
        return not (pin == self.sda and self.fault in ("held", "short"))

    def clocked(self, pin):
        """A digital output there has gone down and up."""
        if pin == self.scl and self.fault == "held":
            self._clocks += 1
            if self._clocks == 9:
                self._clocks = 0
                self.fault = None

    def open(self, scl, sda):
        """RuntimeError where the lines are not up, as CircuitPython has it."""
        self.opened += 1
        if self.fault or (scl, sda) != (self.scl, self.sda):
            raise RuntimeError("No pull up found on SDA or SCL; check your wiring")

    def write(self, address, data):
        self._chip(address, len(data)).write(data, self._machine.t_us)

    def read(self, address, buffer):
        self._chip(address, len(buffer)).read(buffer, self._machine.t_us)

    def _chip(self, address, count):
        if self.fault:
            self._machine.spend(HANGS_US)
            raise OSError(HUNG, "the bus hangs")
        chip = self.chips.get(address)
        if chip is None or chip.fault == "gone":
            self._machine.spend(round(BYTE_US))
            raise OSError(NACK, "no such device")
        self._machine.spend(round(BYTE_US * (count + 1)))
        return chip


class I2C:
    """busio.I2C of a machine's bus. `claim` and `release` take pin numbers."""

    def __init__(self, bus, scl, sda, claim, release):
        self._bus = bus
        self._pins = ()
        self._release = release
        bus.open(scl, sda)
        for pin in (scl, sda):
            claim(pin)
        self._pins = (scl, sda)
        self._locked = False

    def try_lock(self):
        free = not self._locked
        self._locked = True
        return free

    def unlock(self):
        self._locked = False

    def deinit(self):
        for pin in self._pins:
            self._release(pin)
        self._pins = ()

    def _check(self):
        if not self._pins:
            raise ValueError("Object has been deinitialized and can no longer be used. Create a new object.")
        if not self._locked:
            raise RuntimeError("Function requires lock")

    def writeto(self, address, buffer):
        self._check()
        self._bus.write(address, bytes(buffer))

    def readfrom_into(self, address, buffer):
        self._check()
        self._bus.read(address, buffer)

    def writeto_then_readfrom(self, address, out_buffer, in_buffer):
        self._check()
        self._bus.write(address, bytes(out_buffer))
        self._bus.read(address, in_buffer)
