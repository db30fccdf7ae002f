"""Pads on MPR121 chips, 12 electrodes each, on one I2C bus.

The chips only measure: their own baselines, thresholds and automatic charging stay off, for they would follow
a finger that is there at power-up. That leaves four registers to write, and so no library is needed; Adafruit's
allocates at each reading.

Electrodes are charged with a fixed current for a fixed time, and what the chip converts is the voltage they
reach: counts = charge / capacitance. Turned over, it is a reading that rises with the capacitance when touched,
as `touchio`'s does, and all that is said of readings, strengths and power-up holds for both.
"""

from hardware.pads import FAULTS, GONE, LEAST, MASK, MAYBE, SAMPLES, SCALE, TRACK, Pads, median

PART = 10  # a press: 1/10 above the baseline; the chip averages 24 conversions, and is the quieter sensor
WHOLE = 1 << 17  # a reading is this divided by the counts: 528 where they are 248
ELECTRODES = 12
NONE = 255  # an electrode without a pad
FREQUENCY = 400_000  # the most that the chip takes
# A chip converts anew every 4 ms, and one reading of it takes at least 0.6 ms on the bus: so many readings later
# what it says is new.
ANEW = 8
FIRST = 64  # readings until a chip that has just been set up must have measured something
CHECK_MS = 250  # how often a chip is asked whether it still runs: after a brown-out it stands still, and says nothing
GRACE_MS = 1000  # a chip that has not run for so long is out of order, with all its pads
BLANK_MS = 2000  # ... and so is a pad of which no reading has been possible for so long
RETRY_MS = 3000  # how often what is out of order is tried again
NACK = 19  # errno: nobody answers. Any other means that the bus itself is stuck

# Registers, and what is written there
FILTERED = bytes((0x04,))  # 2 bytes an electrode, the lower one first
STATE = bytes((0x5D,))  # how it converts, and which electrodes run: 0 after a reset
RUNS = bytes((0x20, 0x4C))  # as SET_UP has it: all twelve, the chip's own baseline switched off
SET_UP = (
    bytes((0x80, 0x63)),  # reset
    bytes((0x5C, 0x20)),  # 32 uA, 6 conversions for the first average
    bytes((0x5D, RUNS[0])),  # for 0.5 us: 6 to 23 pF are its best range; 4 of those averages, 1 ms apart
    bytes((0x5E, RUNS[1])),
)


def free(data, clock):
    """A chip that was cut off in the middle of an answer holds the data line down until it has been clocked to
    the end of it: nine times, and a stop."""
    from digitalio import DigitalInOut, Pull

    with DigitalInOut(data) as sda, DigitalInOut(clock) as scl:
        sda.switch_to_input(Pull.UP)
        for _ in range(9):
            scl.switch_to_output(False)
            scl.switch_to_input(Pull.UP)
        sda.switch_to_output(False)
        sda.switch_to_input(Pull.UP)


def open_bus(sda, scl):
    """The I2C bus on two pins, freed and locked. Raises RuntimeError where nothing pulls its lines up."""
    import board
    from busio import I2C

    data = getattr(board, sda, None)
    clock = getattr(board, scl, None)
    if data is None or clock is None:
        raise ValueError("this board has no %s or no %s" % (sda, scl))
    free(data, clock)
    bus = I2C(clock, data, frequency=FREQUENCY)
    bus.try_lock()
    return bus


def reading(data, electrode):
    """The reading of an electrode, or 0 where the counts cannot be: a stuck bus reads as 0 or as all ones."""
    counts = (data[2 * electrode] | data[2 * electrode + 1] << 8) & 0x0FFF  # bit 15: too much current
    return WHOLE // counts if 0 < counts < 1024 else 0


class Chip:
    """One MPR121; `pads[electrode]` is its pad, or NONE."""

    def __init__(self, address, pads, now):
        self.address = address
        self.pads = pads
        self.data = bytearray(2 * ELECTRODES)
        self.alive = False
        self.well = now  # when it was last known to run,
        self.clear = now  # and when each of its readings was last possible


class Mpr121Pads(Pads):
    """`open_bus()` makes the bus, a locked I2C object; `addresses` are those of the chips; `electrodes[pad]` is
    12 times the chip plus the electrode. A chip that does not answer, and a bus that hangs, are tried again every
    3 s. A transfer that hangs holds everything up for a second (CircuitPython's own limit), once or twice."""

    def __init__(self, count, open_bus, addresses, electrodes, now):
        super().__init__(count, PART, now)
        self._open = open_bus
        self._bus = None
        self._two = bytearray(2)
        self._chips = []
        for i in range(len(addresses)):
            pads = bytearray([NONE] * ELECTRODES)
            for pad in range(count):
                if electrodes[pad] // ELECTRODES == i:
                    pads[electrodes[pad] % ELECTRODES] = pad
            self._chips.append(Chip(addresses[i], pads, now))
        if self._connect():
            for chip in self._chips:
                self._begin(chip, now, None)
        self._judge(now)

    def close(self):
        """Let go of the bus."""
        try:
            if self._bus is not None:
                self._bus.deinit()
        except FAULTS:
            pass
        self._bus = None

    def raw(self, pad):
        """A reading for the self-test, or None."""
        for chip in self._chips:
            for electrode in range(ELECTRODES):
                if chip.pads[electrode] == pad and chip.alive:
                    try:
                        self._read(chip)
                    except FAULTS:
                        return None
                    return reading(chip.data, electrode) or None
        return None

    # ---- the scan

    def scan(self, now, listener):
        """Read every chip once. A reading that says something new is believed when the chip's next conversion
        says it too, some 5 ms later, and the chip proves that it runs."""
        track = self._begin_scan(now, listener)
        for chip in self._chips:
            if chip.alive:
                self._hear(chip, track, now, listener)

    def _hear(self, chip, track, now, listener):
        if not self._fetch(chip, 1, (now - chip.well) & MASK >= CHECK_MS, now, listener):
            return
        data = chip.data
        pads = chip.pads
        bases = self._base
        states = self._state
        blank = False
        for electrode in range(ELECTRODES):
            pad = pads[electrode]
            if pad == NONE or states[pad] & GONE:
                continue
            raw = reading(data, electrode)
            if not raw:
                blank = True
                continue
            over = SCALE * raw - bases[pad]
            if states[pad] or over > LEAST or over < -LEAST:
                self._look(pad, over, track, now, listener)
            elif track:
                bases[pad] += over // TRACK
        if not blank:
            chip.clear = now
        elif (now - chip.clear) & MASK >= BLANK_MS:
            self._blank(chip, now, listener)
        if self._waiting:
            self._confirm(chip, now, listener)

    def _confirm(self, chip, now, listener):
        """The second reading of those that have just said something new."""
        believed = self._fetch(chip, ANEW, True, now, listener)
        for electrode in range(ELECTRODES):
            pad = chip.pads[electrode]
            if pad != NONE and self._state[pad] & MAYBE:
                raw = reading(chip.data, electrode) if believed else 0
                if raw:
                    self._look(pad, SCALE * raw - self._base[pad], False, now, listener)
                else:
                    self._once(pad)

    def _blank(self, chip, now, listener):
        """Some electrodes have not been read for too long."""
        chip.alive = False  # unless one of them can be
        for electrode in range(ELECTRODES):
            pad = chip.pads[electrode]
            if pad != NONE and not self._state[pad] & GONE:
                if reading(chip.data, electrode):
                    chip.alive = True
                else:
                    self._lose(pad, now, listener)

    # ---- the bus

    def _read(self, chip):
        self._bus.writeto_then_readfrom(chip.address, FILTERED, chip.data)

    def _fetch(self, chip, times, check, now, listener):
        """Read a chip so many times; if asked to, see whether it runs, and set it up anew if not. Returns
        whether its data is to be believed."""
        try:
            for _ in range(times):
                self._read(chip)
            if not check:
                return True
            if self._runs(chip):
                chip.well = now
                return True
            self._set_up(chip)
        except FAULTS as error:
            self._trouble(chip, error, now, listener)
        return False

    def _runs(self, chip):
        """Whether the chip is there, and as it was set up."""
        self._bus.writeto_then_readfrom(chip.address, STATE, self._two)
        return self._two == RUNS

    def _set_up(self, chip):
        for message in SET_UP:
            self._bus.writeto(chip.address, message)
        if not self._runs(chip):
            raise OSError(NACK)

    def _connect(self):
        self.close()
        try:
            self._bus = self._open()
            return True
        except FAULTS:
            return False

    def _begin(self, chip, now, listener):
        """Set the chip up if it has been out of order, and take the first baseline of each pad without one."""
        samples = []
        try:
            if not chip.alive:
                self._set_up(chip)
            tries = 1 if chip.alive else FIRST
            while not self._speaks(chip):
                tries -= 1
                if not tries:
                    return
            for _ in range(SAMPLES):
                for _ in range(ANEW):
                    self._read(chip)
                samples.append(bytes(chip.data))
        except FAULTS:
            return
        chip.alive = True
        chip.well = chip.clear = now
        for electrode in range(ELECTRODES):
            pad = chip.pads[electrode]
            if pad != NONE and self._state[pad] & GONE:
                readings = [reading(data, electrode) for data in samples]
                if 0 not in readings:
                    self._found(pad, median(readings))
                    if listener:
                        self._back(pad, now, listener)

    def _speaks(self, chip):
        """Whether a new reading holds something for one of the pads that have no baseline."""
        self._read(chip)
        for electrode in range(ELECTRODES):
            pad = chip.pads[electrode]
            if pad != NONE and self._state[pad] & GONE and reading(chip.data, electrode):
                return True
        return False

    def _trouble(self, chip, error, now, listener):
        """The chip has not answered, or not rightly. A shake of the plug is let pass."""
        late = (now - chip.well) & MASK >= GRACE_MS
        if error.args[:1] != (NACK,):
            if late or not self._connect():
                self.close()
                for other in self._chips:
                    self._drop(other, now, listener)
        elif late:
            self._drop(chip, now, listener)

    def _drop(self, chip, now, listener):
        chip.alive = False
        self._retried = now
        for pad in chip.pads:
            if pad != NONE and not self._state[pad] & GONE:
                self._lose(pad, now, listener)

    def _retry(self, now, listener):
        """Every 3 s, look for what is missing. With no chip alive the bus may be what is wrong."""
        if (now - self._retried) & MASK < RETRY_MS:
            return
        self._retried = now
        for chip in self._chips:
            if chip.alive:
                break
        else:
            if not self._connect():
                return
        for chip in self._chips:
            self._begin(chip, now, listener)
