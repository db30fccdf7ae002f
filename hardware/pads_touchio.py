"""Pads on bare pins, read by `touchio`, with one resistor of 1 Mohm each."""

from hardware.pads import FAULTS, GONE, LEAST, MASK, MAYBE, SAMPLES, SCALE, TRACK, Pads, median

PART = 5  # a press: 1/5 above the baseline
APART = 6  # pads read between a pad's two readings
RETRY_MS = 10_000  # how often a pad without a sensor is tried again


def open_pin(name, pull):
    """The sensor on a pin; `pull` says where its resistor goes, "down" or "up". ValueError where there is no
    such pin, or no resistor."""
    import board
    import touchio

    pin = getattr(board, name, None)
    if pin is None:
        raise ValueError("this board has no %s" % name)
    if pull == "up":
        from digitalio import Pull

        return touchio.TouchIn(pin, Pull.UP)
    return touchio.TouchIn(pin)


class TouchioPads(Pads):
    """`open_pad(i)` makes the sensor of pad i: an object with `raw_value` and `deinit`. One that raises is
    out of order, and is made again every 10 s."""

    def __init__(self, count, open_pad, now):
        super().__init__(count, PART, now)
        self._open = open_pad
        self._sensors = [None] * count
        self._next = 0  # the pad to be tried again next
        self._at = 0  # the pad to be read next
        for pad in range(count):
            self._make(pad)
        self._judge(now)

    def _make(self, pad):
        """Open a pad's sensor and read its first baseline."""
        sensor = None
        try:
            sensor = self._open(pad)
            self._found(pad, median([sensor.raw_value for _ in range(SAMPLES)]))
            self._sensors[pad] = sensor
        except FAULTS:
            self._close(sensor)

    def _close(self, sensor):
        try:
            if sensor is not None:
                sensor.deinit()
        except FAULTS:
            return  # it could not even be let go of: trying again will tell

    def raw(self, pad):
        """A reading for the self-test, or None."""
        sensor = self._sensors[pad]
        return None if sensor is None else sensor.raw_value

    def scan(self, now, listener):
        """Read every pad once, from where the last scan stopped; stop early when a touch has been believed, so
        that it is answered at once. A reading that says something new is believed when a second one, some
        pads later, says it too: one burst of noise spoils only one of them."""
        track = self._begin_scan(now, listener)
        sensors = self._sensors
        bases = self._base
        states = self._state
        self._heard = False
        pad = self._at
        left = self.count
        apart = 0  # pads read since the first one with MAYBE
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
                apart += 1
                if apart >= APART:
                    apart = 0
                    self._confirm(now, listener)
            else:
                apart = 0
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

    def _fail(self, pad, now, listener):
        """The sensor raised."""
        self._lose(pad, now, listener)
        self._close(self._sensors[pad])
        self._sensors[pad] = None
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
        self._make(pad)
        if not self._state[pad] & GONE:
            self._back(pad, now, listener)
