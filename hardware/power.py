"""A board on a battery: the strip's supply is switched off while the board sleeps, and a weak cell dims the lights.

One Li-ion cell gives 4.2 V when full and 3.0 V when empty. Below some 3.5 V the blue of a WS2812 no longer gets its
current, and a bright frame pulls the cell further down than a dim one, by its own resistance, up to where the chip
or the cell's protection gives up. So the lights are halved at 3.5 V, when a tenth of the cell is left or so, and once
more at 3.3 V. What dimming gives back at once, 0.1 V with the usual wires, must not undo it: hence RISE_MV.
"""

from analogio import AnalogIn
from digitalio import DigitalInOut

MASK = 0x1FFFFFFF  # milliseconds wrap here

# From switching on to the first frame: the strip's capacitor fills, its chips come out of reset.
SETTLE_MS = 50
LINGER_MS = 2000  # asleep so long before switching off: the lights have faded out by then
NAP_S = 0.1  # from then on between two looks at the pads, while nobody touches any: the chip rests meanwhile
READ_MS = 5000
WEAK_MV = 3500  # the lights are halved,
LOW_MV = 3300  # and halved again
RISE_MV = 150  # so much above, it is undone
FULL_SCALE_MV = 9900  # of VOLTAGE_MONITOR: 3.3 V behind a divider by three


def stage_of(mv, stage):
    """0: well, 1: weak, 2: low, for a supply of so many mV that was at `stage` before."""
    if mv < (LOW_MV + RISE_MV if stage > 1 else LOW_MV):
        return 2
    return 1 if mv < (WEAK_MV + RISE_MV if stage else WEAK_MV) else 0


class Power:
    """Looks after the supply of `strip` (hardware/lights.py), each pass by `tick`.

    `switch` is the pin that is high while the strip is fed, `monitor` the pin at a third of the supply; either may be
    None. `sleep(seconds)` lets the chip rest. Raises ValueError where a pin cannot be had.
    """

    def __init__(self, strip, switch, monitor, now, sleep):
        self._strip = strip
        self._output = strip.output
        self._sleep = sleep
        self._monitor = AnalogIn(monitor) if monitor else None
        self._switch = None
        if switch:
            self._switch = DigitalInOut(switch)
            self._switch.switch_to_output(True)
            strip.output = self  # until it has settled
        self._since = now  # when the strip was switched on
        self._awake = now  # when the board was last seen awake
        self._read = now  # when the battery was last read
        self._fed = True  # the strip, where there is a switch
        self._stage = self._next = 0
        self.mv = 0  # the last reading

    def write(self, data):
        """In place of the strip's output while it has no supply: its data line stays low, as each frame leaves it, for
        through a high one it would be fed."""

    def tick(self, now, awake, touched):
        """`awake`: the board is to shine; `touched`: some pad is down. True if the battery is found better or worse
        than before."""
        if awake:
            self._awake = now
        late = (now - self._awake) & MASK >= LINGER_MS
        if self._switch:
            self._feed(now, awake, late)
        if late and not touched:
            self._awake = (now - LINGER_MS) & MASK  # so that it does not come round again
            self._sleep(NAP_S)
        if not self._monitor or (now - self._read) & MASK < READ_MS:
            return False
        self._read = now
        self.mv = self._monitor.value * FULL_SCALE_MV // 65535
        stage = stage_of(self.mv, self._stage)
        changed = stage != self._stage and stage == self._next  # two readings in a row say so
        self._next = stage
        if changed:
            # Whatever brightness has been set meanwhile: it is 256 times a whole number.
            self._strip.full = self._strip.full << self._stage >> stage
            self._stage = stage
            self._strip.rising = True  # so that it is shown
        return changed

    def _feed(self, now, awake, late):
        strip = self._strip
        if awake:
            if not self._fed:
                self._fed = True
                self._since = now
                self._switch.value = True
            if strip.output is self and (now - self._since) & MASK >= SETTLE_MS:
                strip.output = self._output
                strip.fresh = strip.rising = True
        elif self._fed and late:
            self._fed = False
            strip.output = self
            self._switch.value = False
