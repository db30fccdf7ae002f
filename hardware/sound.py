"""A piezo on one pin (`pwmio`): a queue of notes, played by `tick(now)`, which the loop calls once a pass.

Nothing waits and nothing is allocated: a note lasts as many passes as its time takes, so it may end one pass late.
"""

import pwmio

MASK = 0x1FFFFFFF  # milliseconds wrap here
ROOM = 32  # notes that wait
GAP_MS = 12  # between two notes of one height, so that they are heard as two


class Speaker:
    """`pin` from `board`; `volume` 1..10. Raises what `pwmio.PWMOut` raises where the pin cannot be had.

    The duty cycle makes the loudness: half of a period is the loudest, and at the lowest volume it is 1/200.
    """

    def __init__(self, pin, volume):
        self._pwm = pwmio.PWMOut(pin, frequency=440, duty_cycle=0, variable_frequency=True)
        self._duty = 32767 * volume * volume // 100
        self._hz = [0] * ROOM
        self._ms = [0] * ROOM
        self._first = 0  # of those that wait,
        self._count = 0  # so many
        self._sounds = 0  # Hz, or 0
        self._began = 0  # when the present note, rest or gap did,
        self._lasts = 0  # and for how long; 0: none

    def play(self, hz, ms):
        """Queue a note, or with 0 Hz a rest. One that finds no room is not heard."""
        if self._count < ROOM:
            i = (self._first + self._count) % ROOM
            self._hz[i] = hz
            self._ms[i] = ms
            self._count += 1

    def stop(self):
        """Forget what waits; what sounds ends with the next tick, or goes over into the next note."""
        self._count = 0
        self._lasts = 0

    def tick(self, now):
        """Go on to the next note when it is time. `now`: ms that wrap at 2**29."""
        if self._lasts and (now - self._began) & MASK < self._lasts:
            return
        self._began = now
        if not self._count:
            self._lasts = 0
            if self._sounds:
                self._sound(0)
            return
        hz = self._hz[self._first]
        if hz and hz == self._sounds:
            self._sound(0)
            self._lasts = GAP_MS
            return
        self._lasts = self._ms[self._first]
        self._first = (self._first + 1) % ROOM
        self._count -= 1
        if hz != self._sounds:
            self._sound(hz)

    def _sound(self, hz):
        pwm = self._pwm
        if hz:
            pwm.frequency = hz
            pwm.duty_cycle = self._duty
        else:
            pwm.duty_cycle = 0
        self._sounds = hz
