"""Capacitive pads on bare pins (`touchio`, one 1 Mohm resistor each): readings become presses and releases.

`touchio` fixes a threshold when a pad is made, so that a finger that is there at power-up, a wet cloth or a
change of weather spoils it for good. Here each pad has a baseline of its own that follows the readings.

A driver's `scan(now, listener)` reads every pad once and calls `listener.press(pad, strength, now)`,
`listener.release(pad, now)` and `listener.out_of_order(pad, yes)`. Times are milliseconds that wrap at 2**29.
"""

MASK = 0x1FFFFFFF

SAMPLES = 5  # readings of each pad at power-up, of which the median counts
SCALE = 16  # a baseline is kept in sixteenths of a count, so that it can follow slowly
ON = 5  # a press: 1/5 above the baseline, and LEAST counts; a release: less than half of that
LEAST = 15 * SCALE
TRACK_MS = 100  # how often a baseline takes a step towards the reading: by 1/TRACK of the way,
TRACK = 32  # which is halved in some two seconds
LOW_MS = 200  # readings so long below the baseline: it follows at once
HELD_MS = 20_000  # a pad down so long is taken to be touched by a thing: re-based
STUCK_MS = 20_000  # if it has not fallen so long after that, it is out of order,
QUIET_MS = 10_000  # until it falls and stays quiet so long
APART = 6  # pads read between a pad's two readings
RETRY_MS = 10_000  # how often a pad without a sensor is tried again

# _state[pad]
DOWN = 1
MAYBE = 2  # one reading said otherwise; the next one decides
LOW = 4  # below its baseline
STUCK = 8  # re-based while touched: watched until the baseline falls under _mark
START = 16  # ... since power-up: it has HELD_MS more
QUIET = 32  # out of order, but fallen
OUT = 64  # out of order
GONE = 128  # no sensor at all

FAULTS = (ValueError, OSError, RuntimeError)


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def touched_at_start(reading, usual):
    """Whether a first reading is that of a touched pad. `usual` is the median of all pads, and a long wire
    alone may add half as much again."""
    return 4 * reading > 7 * usual


class Pads:
    """`open_pad(i)` makes the sensor of pad i: an object with `raw_value` and `deinit`. One that raises is
    out of order, and is made again every 10 s."""

    def __init__(self, count, open_pad, now):
        self.count = count
        self._open = open_pad
        self._sensors = [None] * count
        self._base = [0] * count
        self._mark = [0] * count
        self._since = [now] * count
        self._lows = [now] * count
        self._highest = [0] * count  # of the readings below: the baseline is not to follow the noise down
        self._state = bytearray(count)
        self._waiting = 0  # pads with MAYBE
        self._tracked = now
        self._retried = now
        self._next = 0  # the pad to be tried again next
        self._missing = 0
        self._at = 0  # the pad to be read next
        self._apart = 0  # pads read since the first one with MAYBE
        self._heard = False  # a press or a release has been believed in this scan
        self._told = False
        for pad in range(count):
            self._make(pad)
        usual = self._usual()
        self.held = [pad for pad in range(count) if self._start(pad, usual, now)]  # touched at power-up

    def _make(self, pad):
        """Open a pad's sensor and read its first baseline."""
        sensor = None
        try:
            sensor = self._open(pad)
            self._base[pad] = SCALE * median([sensor.raw_value for _ in range(SAMPLES)])
            self._sensors[pad] = sensor
            self._state[pad] = 0
        except FAULTS:
            self._state[pad] = GONE | OUT
            self._missing += 1
            self._close(sensor)

    def _close(self, sensor):
        try:
            if sensor is not None:
                sensor.deinit()
        except FAULTS:
            return  # it could not even be let go of: trying again will tell

    def _usual(self):
        known = [base for base in self._base if base]
        return median(known) if known else 0

    def _start(self, pad, usual, now):
        """Judge a first baseline; a pad that is touched now costs nothing once the finger is lifted."""
        if self._state[pad] & GONE or not touched_at_start(self._base[pad], usual):
            return False
        self._state[pad] = STUCK | START
        self._mark[pad] = (self._base[pad] + usual) // 2
        self._since[pad] = now
        return True

    def raw(self, pad):
        """A reading for the self-test, or None."""
        sensor = self._sensors[pad]
        return None if sensor is None else sensor.raw_value

    def baseline(self, pad):
        return self._base[pad] // SCALE

    # ---- the scan

    def scan(self, now, listener):
        """Read every pad once, from where the last scan stopped; stop early when a touch has been believed, so
        that it is answered at once. A reading that says something new is believed when a second one, some
        pads later, says it too: one burst of noise spoils only one of them."""
        if not self._told:
            self._told = True
            for pad in range(self.count):
                if self._state[pad] & OUT:
                    listener.out_of_order(pad, True)
        if self._missing:
            self._retry(now, listener)
        track = (now - self._tracked) & MASK >= TRACK_MS
        if track:
            self._tracked = now
        sensors = self._sensors
        bases = self._base
        states = self._state
        self._heard = False
        pad = self._at
        left = self.count
        while left > 0 or self._waiting:
            left -= 1
            raw = -1
            try:
                if sensors[pad] is not None:
                    raw = sensors[pad].raw_value
            except FAULTS:
                self._fail(pad, now, listener)
            if raw >= 0:
                over = SCALE * raw - bases[pad]
                if states[pad] or over > LEAST or over < -LEAST:
                    self._look(pad, over, track, now, listener)
                elif track:
                    bases[pad] += over // TRACK
            pad += 1
            if pad == self.count:
                pad = 0
            if self._waiting:
                self._apart += 1
                if self._apart >= APART:
                    self._confirm(now, listener)
            if self._heard:
                break
        self._at = pad

    def _confirm(self, now, listener):
        """The second reading of those that have just said something new."""
        for pad in range(self.count):
            if self._state[pad] & MAYBE:
                raw = -1
                try:
                    raw = self._sensors[pad].raw_value
                except FAULTS:
                    self._fail(pad, now, listener)
                if raw >= 0:
                    self._look(pad, SCALE * raw - self._base[pad], False, now, listener)
        self._apart = 0

    def _look(self, pad, over, track, now, listener):
        """All that may follow from a reading `over` sixteenths above the baseline."""
        states = self._state
        state = states[pad]
        base = self._base[pad]
        rise = base // ON
        if rise < LEAST:
            rise = LEAST
        if state & DOWN:
            if over < rise // 2:
                if self._twice(pad):
                    states[pad] &= ~DOWN
                    listener.release(pad, now)
                return
            self._once(pad)
            if (now - self._since[pad]) & MASK >= HELD_MS:
                states[pad] = STUCK
                self._mark[pad] = base + over // 2
                self._base[pad] = base + over
                self._since[pad] = now
                listener.release(pad, now)
            return
        if over > rise:
            states[pad] &= ~(LOW | QUIET)
            if not state & OUT and self._twice(pad):
                states[pad] |= DOWN
                self._since[pad] = now
                listener.press(pad, over * 64 // (base or 1), now)
            return
        self._once(pad)
        if over < -rise // 2:
            if not state & LOW:
                states[pad] |= LOW
                self._lows[pad] = now
                self._highest[pad] = over
            elif over > self._highest[pad]:
                self._highest[pad] = over
            if (now - self._lows[pad]) & MASK >= LOW_MS:
                states[pad] &= ~LOW
                self._base[pad] = base + self._highest[pad]
        else:
            states[pad] &= ~LOW
            if track:
                self._base[pad] = base + over // TRACK
        if state & STUCK:
            self._watch(pad, now, listener)

    def _twice(self, pad):
        """Whether this is the second reading in a row that says so."""
        if self._state[pad] & MAYBE:
            self._once(pad)
            self._heard = True
            return True
        self._state[pad] |= MAYBE
        if not self._waiting:
            self._apart = 0
        self._waiting += 1
        return False

    def _once(self, pad):
        """It was a lone reading, or it has been dealt with."""
        if self._state[pad] & MAYBE:
            self._state[pad] &= ~MAYBE
            self._waiting -= 1

    def _watch(self, pad, now, listener):
        """A pad that was re-based while touched: has its reading fallen, and stayed down?"""
        states = self._state
        state = states[pad]
        passed = (now - self._since[pad]) & MASK
        if self._base[pad] >= self._mark[pad]:
            states[pad] &= ~QUIET
            if state & START:
                if passed >= HELD_MS:
                    states[pad] &= ~START
                    self._since[pad] = now
            elif not state & OUT and passed >= STUCK_MS:
                if touched_at_start(self._base[pad], self._usual()):
                    states[pad] |= OUT
                    listener.out_of_order(pad, True)
                else:  # it reads as untouched pads do: what was wrong was the baseline before
                    states[pad] &= ~STUCK
        elif not state & OUT:
            states[pad] &= ~(STUCK | START)
        elif not states[pad] & QUIET:
            states[pad] |= QUIET
            self._since[pad] = now
        elif passed >= QUIET_MS:
            states[pad] &= ~(STUCK | OUT | QUIET)
            listener.out_of_order(pad, False)

    def _fail(self, pad, now, listener):
        """The sensor raised: this pad is out of order, and the rest plays on."""
        self._once(pad)
        if self._state[pad] & DOWN:
            listener.release(pad, now)
        if not self._state[pad] & OUT:
            listener.out_of_order(pad, True)
        self._close(self._sensors[pad])
        self._sensors[pad] = None
        self._base[pad] = 0
        self._state[pad] = GONE | OUT
        self._missing += 1
        self._retried = now

    def _retry(self, now, listener):
        """Every 10 s, try the missing pads again: one a scan, since each takes its time."""
        if (now - self._retried) & MASK < RETRY_MS:
            return
        while self._next < self.count and not self._state[self._next] & GONE:
            self._next += 1
        if self._next == self.count:
            self._next = 0
            self._retried = now
            return
        pad = self._next
        self._next += 1
        self._missing -= 1
        self._make(pad)
        if not self._state[pad] & GONE:
            self._start(pad, self._usual(), now)
            listener.out_of_order(pad, False)
