"""What each event of a move looks like: one frame of it, `x` ms of its `ms` gone by.

    lift      the hole swells into the hand's colour (the mover's, whitened) and goes dark
    drop      the hand is a light that walks from hole to hole; where it is, the count changes
    skip      the hand is no light where it passes a hole over: that hole darkens
    relay     where the last seed fell the hand stays and swells, then the seeds go out and it walks on
    jump      laps that the trace has not kept: a veil in the hand's colour lifts from the whole board
    claim     the owner's colour runs in from both sides and stays
    take      the hole turns into the mover's colour, which sinks there and rises in his left-hand hole
    endless   one white light runs round the board twice
    bonus     a wave over the mover's holes; forgone: it dies half way
    pass      the holes of him who passes darken and come back
    over      every hole takes the colour of its side, in two waves along the ring

The hand adds to what lies in a hole, and as much of it comes as goes: the board as a whole does not flicker.
"""

from engine.replay import CLAIM, DROP, ENDLESS, JUMP, LIFT, SKIP, TAKE
from table.cues import OWNERS, owner_of, swell

# What follows the events of `engine.replay`.
BONUS = 8
FORGONE = 9
PASS = 10
PASS_2 = 11
OVER = 12
REST = 13

HAND = 140  # level of the hand's light
HAND_MIN = 30  # ms a drop; in quicker sowing only the colours could still be followed


class Scenes:
    """Draws events over the position, into `canvas` (Lights: `mix`, `add`, `dim`, `count`)."""

    def __init__(self, n, canvas):
        self.n = n
        self.canvas = canvas
        self._hand = bytearray(3)
        self._trace = None
        self._replay = None
        self._claims = None
        self._mover = 0

    def begin(self, trace, replay, marks):
        """The move to draw; `replay` will stand after the event drawn, `marks` are as after the move."""
        self._trace = trace
        self._replay = replay
        self._claims = marks
        self._mover = marks[trace.start] & 1
        for i in range(3):
            self._hand[i] = (OWNERS[3 * self._mover + i] + 255) >> 1

    def draw(self, event, x, ms):
        """The event that `replay` has just stepped over, or what follows it."""
        hole = self._replay.hole
        if event == LIFT:
            self._lift(hole, x, ms)
        elif DROP <= event <= SKIP:
            self._walk(hole, x, ms, event == SKIP)
        elif event == JUMP:
            for hole in range(self.n):
                self.canvas.mix(hole, self._hand, 0, (ms - x) * 200 // ms)
        elif event == CLAIM:
            self._claim(hole, x, ms)
        elif event == TAKE:
            self._take(hole, x, ms)
        elif event == ENDLESS:
            self._runner(hole, x, ms)
        elif BONUS <= event <= FORGONE:
            self._wave(x, ms, event == FORGONE)
        elif PASS <= event <= PASS_2:
            self._pass(self._mover ^ (1 if event == PASS else 0), x, ms)
        elif event == OVER:
            self._over(x, ms)

    def _walk(self, hole, x, ms, passes):
        """The hand on its way from a hole to the next."""
        if ms < HAND_MIN:
            return
        replay = self._replay
        level = (ms - x) * HAND // ms
        if not replay.hand and replay.lap + 1 < replay.laps:
            level = HAND + (256 - HAND) * x // ms  # a relay follows
        if passes:
            self.canvas.dim(hole, 256 - level * 3 // 2)
        else:
            self.canvas.add(hole, self._hand, level)
        if replay.hand:
            hole = hole + 1 if hole + 1 < self.n else 0
            if replay.seeds[hole] == 2 and self._claims[hole] & 1 == self._trace.skips:
                self.canvas.dim(hole, 256 - (HAND - level) * 3 // 2)
            else:
                self.canvas.add(hole, self._hand, HAND - level)

    def _lift(self, hole, x, ms):
        half = ms // 2
        if ms < 2 * HAND_MIN:
            return
        canvas = self.canvas
        replay = self._replay
        gambit = 0 if replay.lap else self._trace.gambit
        level = x * HAND // half if x < half else (ms - x) * HAND // (ms - half)
        for i in range(self.n):
            if gambit >> i & 1 and i != hole:
                if x < half:
                    canvas.count(i, replay.seeds[i] + 1, -1)
                canvas.add(i, self._hand, level)
        if x >= half:
            self._walk(hole, x - half, ms - half, False)
        elif replay.lap:
            canvas.add(hole, self._hand, 256 - (256 - HAND) * x // half)
        else:
            canvas.count(hole, replay.seeds[hole] + 1 if gambit else replay.count, -1)
            canvas.add(hole, self._hand, level)

    def _claim(self, hole, x, ms):
        canvas = self.canvas
        at = 3 * owner_of(self._claims[hole])
        half = ms // 2
        if x < half:
            level = swell(x, half) * 200 >> 8
            canvas.mix(hole - 1 if hole else self.n - 1, OWNERS, at, level)
            canvas.mix(hole + 1 if hole + 1 < self.n else 0, OWNERS, at, level)
            canvas.mix(hole, OWNERS, at, x * 256 // half)
        else:
            fade = ms - x
            canvas.mix(hole, OWNERS, at, 256 if fade > 200 else fade * 256 // 200)

    def _take(self, hole, x, ms):
        canvas = self.canvas
        mover = self._mover
        rise = ms // 3
        if x < rise:
            canvas.count(hole, self._replay.seeds[hole] + self._replay.count, owner_of(self._claims[hole]))
            level = x * 256 // rise
        else:
            level = (ms - x) * 256 // (ms - rise)
            home = self.n // 2 if mover else 0
            if home != hole:
                canvas.mix(home, OWNERS, 3 * mover, swell(x - rise, ms - rise) * 200 >> 8)
        canvas.mix(hole, OWNERS, 3 * mover, level)

    def _runner(self, hole, x, ms):
        """One light twice round the board from the hole that would be lifted for ever, a tail behind it."""
        n = self.n
        head = x * (n + n) * 16 // ms
        for i in range(n):
            behind = head - (i - hole + n) % n * 16
            if behind >= n * 16:
                behind -= n * 16
            if 0 <= behind < 64:
                self.canvas.mix(i, self._hand, 0, 256 - behind * 4)

    def _wave(self, x, ms, dies):
        """A wave along the mover's holes, from his left."""
        n = self.n
        mover = self._mover
        width = ms // 2
        start = n // 2 if mover else 0
        for i in range(n):
            hole = start + i if start + i < n else start + i - n
            if self._claims[hole] & 1 == mover:
                level = swell(x - i * width // n, width)
                if dies:
                    level = level * (ms - 2 * x) // ms if x + x < ms else 0
                self.canvas.mix(hole, OWNERS, 3 * mover, level)

    def _pass(self, side, x, ms):
        level = 256 - (swell(x, ms) * 210 >> 8)
        for hole in range(self.n):
            if self._claims[hole] & 1 == side:
                self.canvas.dim(hole, level)

    def _over(self, x, ms):
        n = self.n
        half = n // 2
        fade = ms // 4
        for i in range(n):
            level = (x - (i if i < half else i - half) * (ms // 2) // half) * 256 // fade
            if ms - x < fade:
                level = (ms - x) * 256 // fade
            if level > 0:
                self.canvas.mix(i, OWNERS, 3 * (self._claims[i] & 1), min(256, level))
