"""Readings become presses and releases: what both drivers of the pads share.

A sensor's own threshold is fixed when it is made (`touchio`) or creeps while it is touched (MPR121), so that a
finger that is there at power-up, a wet cloth or a change of weather spoils it. Here each pad has a baseline
of its own that follows the readings, which rise with the capacitance of the pad.

A driver's `scan(now, listener)` reads every pad and calls `listener.press(pad, strength, now)`,
`listener.release(pad, now)` and `listener.out_of_order(pad, yes)`. Strength is 64 times the rise over the
baseline, as a part of it. Times are milliseconds that wrap at 2**29.
"""

MASK = 0x1FFFFFFF

SAMPLES = 5  # readings of each pad at power-up, of which the median counts
SCALE = 16  # a baseline is kept in sixteenths of a count, so that it can follow slowly
LEAST = 15 * SCALE  # no press is less than this above the baseline
TRACK_MS = 100  # how often a baseline takes a step towards the reading: by 1/TRACK of the way,
TRACK = 32  # which is halved in some two seconds
LOW_MS = 200  # readings so long below the baseline: it follows at once
HELD_MS = 20_000  # a pad down so long is taken to be touched by a thing: re-based
STUCK_MS = 20_000  # if it has not fallen so long after that, it is out of order,
QUIET_MS = 10_000  # until it falls and stays quiet so long

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
    """The baselines of `count` pads, and what a reading means. A press is `1/part` above the baseline, a
    release less than half of that. Every pad is gone until its driver has found it."""

    def __init__(self, count, part, now):
        self.count = count
        self.held = ()  # the pads touched at power-up
        self._part = part
        self._base = [0] * count
        self._mark = [0] * count
        self._since = [now] * count
        self._lows = [now] * count
        self._highest = [0] * count  # of the readings below: the baseline is not to follow the noise down
        self._state = bytearray([GONE | OUT] * count)
        self._missing = count  # pads with GONE
        self._waiting = 0  # pads with MAYBE
        self._tracked = now
        self._retried = now  # when the driver last looked for them
        self._heard = False  # a press or a release has been believed in this scan
        self._told = False

    def baseline(self, pad):
        return self._base[pad] // SCALE

    def is_out(self, pad):
        """Whether it is out of order."""
        return self._state[pad] & OUT > 0

    # ---- for the drivers

    def _found(self, pad, reading):
        """A pad has a sensor, and this is its first baseline."""
        self._base[pad] = SCALE * reading
        self._state[pad] = 0
        self._missing -= 1

    def _judge(self, now):
        """Power-up: which of the pads found are touched."""
        usual = self._usual()
        self.held = [pad for pad in range(self.count) if self._start(pad, usual, now)]

    def _back(self, pad, now, listener):
        """A pad was gone, and has been found again."""
        self._start(pad, self._usual(), now)
        listener.out_of_order(pad, False)

    def _lose(self, pad, now, listener):
        """There is no reading to be had: this pad is out of order, and the rest plays on."""
        self._once(pad)
        if self._state[pad] & DOWN:
            listener.release(pad, now)
        if not self._state[pad] & OUT:
            listener.out_of_order(pad, True)
        self._base[pad] = 0
        self._state[pad] = GONE | OUT
        self._missing += 1

    def _begin_scan(self, now, listener):
        """What comes before the readings. Returns whether the baselines are to take a step."""
        if not self._told:
            self._told = True
            for pad in range(self.count):
                if self._state[pad] & OUT:
                    listener.out_of_order(pad, True)
        if self._missing:
            self._retry(now, listener)
        if (now - self._tracked) & MASK < TRACK_MS:
            return False
        self._tracked = now
        return True

    # ---- what a reading means

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

    def _look(self, pad, over, track, now, listener):
        """All that may follow from a reading `over` sixteenths above the baseline."""
        states = self._state
        state = states[pad]
        base = self._base[pad]
        rise = base // self._part
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
