"""The only place that draws: the state of the table becomes a frame of colours.

`frame` is 3n bytes, R G B of each hole in ring order at full scale. Brightness, colour order, the order of
the pixels and the current belong to the strip, not here.
"""

from engine import FULL
from table import cues
from table.calm import Calm
from table.cues import BREATH, BRIGHT, DEAD, END, LEGAL, OWNERS, START, TWICE, swell  # noqa: F401

NO_MS = 600  # a wrong tap's answer, both parts of it
COUNT_MS = 150  # counting: one hole
GROW_MS = 1500  # the bars of the result
EMBER = bytes((255, 30, 0, 255, 120, 20))
HANDS = bytes([(c + 255) >> 1 for c in OWNERS])  # both players' colours, whitened


class Lights:
    """Draws for a board of `n` holes. Each tick: `clear()`, some of the calls, then `finish(now)`.

    Later calls draw over earlier ones. Every `t` is ms since that cue began, `clock` is 0..3999, two cycles of
    the slow clock. Levels are 0..256.
    """

    def __init__(self, n, drop_ms=180):
        self.n = n
        self._want = bytearray(3 * n)
        self._touched = bytearray(n)
        self._ground = bytes(3 * n)  # what a frame begins with
        self._stir = 0
        self._calm = Calm(n)
        self.frame = self._calm.shown
        self._rest = cues.Rest()
        self._drop_ms = drop_ms
        self.moves = None  # a Motion, once there are moves to show; sounds follow it too

    def clear(self):
        """Begin a frame: all dark."""
        self._want[FULL] = self._ground
        for hole in range(self.n):
            self._touched[hole] = 0
        self._stir = 0

    def finish(self, now):
        """Calm the frame down and show it: True if `frame` changed. `now`: ms, wrapping at 2**29."""
        return self._calm.show(self._want, self._touched, now, self._stir)

    # The position and the move.

    def rest(self, seeds, marks, flags, clock):
        """The position: `seeds[h]`, claims in `marks[h]` as the games keep them, `flags[h]`."""
        self._rest.set(clock, True)
        for hole in range(self.n):
            self._rest.hole(self._want, 3 * hole, seeds[hole], (marks[hole] >> 2 & 3) - 1, flags[hole])

    def keep(self, seeds, marks, flags, clock, kept, key):
        """The position, where nothing breathes: drawn anew only if a cue has begun or ended since the call that
        returned `key` (-1: do it), else as it was kept then in `kept` (3n bytes), which is ten times as quick. Returns
        the key for the next call."""
        want = self._want
        now = self._rest.set(clock, True)
        if now == key:
            want[FULL] = kept
        else:
            self.rest(seeds, marks, flags, clock)
            kept[FULL] = want
        return now

    def ripple(self, player, seeds, t, level=256):
        """The board thinks about a move of that player's: soft rings of light over his half, from its middle.

        One a second; each comes to a hole 80 ms after the one before, and takes 640 ms to pass over it. Holes with more
        than 14 seeds are left alone: with their dips it would be too many swings in a second."""
        half = self.n // 2
        hole = half if player else 0
        for i in range(1 - half, half, 2):
            x = t - 40 * abs(i)
            if x > 0 and seeds[hole] <= 14:
                x = swell(x % 1000, 640)
                self.mix(hole, HANDS, 3 * player, (x * x >> 8) * level * 72 >> 16)
            hole += 1

    def hint(self, hole, clock):
        """A hole that would be a good choice: it glows softly in the part of the clock that shows no counts."""
        level = swell(clock % cues.CYCLE, cues.OWNER_MS)
        if level:
            self.mix(hole, BRIGHT, 0, level * 110 >> 8)

    def load(self):
        """Get ready to show moves: until then a board does without `table.motion` and what it needs."""
        from table.motion import Motion

        self.moves = Motion(self.n, self._drop_ms, self)

    def begin(self, trace, marks):
        """Get ready to show the move in `trace`; `marks` as after it. Returns its duration in ms."""
        if not self.moves:
            self.load()
        return self.moves.begin(trace, marks)

    def motion(self, t, clock):
        """The move at `t` ms, in any order of t; from its duration on, the picture at rest."""
        self._stir = 2
        self.moves.draw(t, clock)

    def film(self, scene, t, clock):
        """Something else that moves, drawn by `scene.draw(t, clock)` in place of the position."""
        self._stir = 2
        scene.draw(t, clock)

    def next_drop(self, hole, player, clock, racing):
        """In a race: where that player's next seed falls; it glows once the race is on."""
        level = 120
        if racing:
            level = 160 + (glow(clock, 0) * 60 >> 8)
            self._touched[hole] = 1  # it is the answer to a drop
        self.mix(hole, OWNERS, 3 * player, level)

    def pulse(self, marks, t, total):
        """A race is about to start: every hole swells softly towards its side's colour."""
        level = swell(t, total) * 100 >> 8
        for hole in range(self.n):
            self.mix(hole, OWNERS, 3 * (marks[hole] & 1), level)

    # Answers to touches.

    def press(self, hole, level):
        """Brighten a touched hole over whatever is there."""
        self._touch(hole)
        self.mix(hole, BRIGHT, 0, level * 160 >> 8)

    def no(self, hole, t):
        """A wrong tap: its hole shakes dimly twice."""
        self._touch(hole)
        half = NO_MS // 2
        self.mix(hole, BRIGHT, 0, swell(t if t < half else t - half, half) * 80 >> 8)

    def swell(self, flags, t):
        """The legal holes swell once, beside `no`."""
        level = swell(t, NO_MS) * 110 >> 8
        for hole in range(self.n):
            if flags[hole] & LEGAL:
                self.mix(hole, BRIGHT, 0, level)

    def count_out(self, hole, seeds, t):
        """Counting: the next holes along the ring light one by one, as many as there are seeds."""
        n = self.n
        lit = t // COUNT_MS + 1
        fade = (t - (lit - 1) * COUNT_MS) * 256 // COUNT_MS
        if lit > seeds:
            lit = seeds
            fade = 256
        self._touch(hole)
        for i in range(1, n + 1):
            at = hole + i
            if at >= n:
                at -= n
            times = (lit - i + n) // n
            if at != hole or times:
                self.dim(at, 64)
            if times:
                # Each circuit after the first adds a dip, as seven seeds do.
                level = fade if times == 1 and lit == i else 256
                self.mix(at, BRIGHT, 0, level * self._rest.dips[times - 1 if times < 4 else 3] >> 9)

    def glow_end(self, hole, t):
        """Where the first lap would end: a glow that rises and then swells slowly."""
        level = min(256, t)
        self.mix(hole, BRIGHT, 0, level * (BREATH[t // 20 % 100] + 1) >> 8)

    def filling(self, hole, t, total):
        """A gesture held down for t of total ms: its hole fills up."""
        self._touch(hole)
        self.dim(hole, 64)
        self.mix(hole, BRIGHT, 0, t * 256 // total if t < total else 256)

    def _touch(self, hole):
        self._touched[hole] = 1
        if not self._stir:
            self._stir = 1

    # Choices and results.

    def entry(self, hole, index, clock, level=256):
        """Entry `index` of a choice, at `hole`: its colour, glowing slowly, at most as bright as `level`."""
        self._rest.set(clock, True)
        self._rest.hole(self._want, 3 * hole, index + 1, -1, LEGAL)
        self.dim(hole, level)

    def bars(self, south, north, t):
        """The result: both scores as bars from each left-hand hole, growing; together as long as one half."""
        total = south + north or 1
        if t < GROW_MS:
            south = south * t // GROW_MS
            north = north * t // GROW_MS
        half = self.n // 2
        south = south * half * 256 // total
        north = north * half * 256 // total
        for i in range(half):
            self.mix(i, OWNERS, 0, 0 if south < 0 else min(south, 256))
            self.mix(half + i, OWNERS, 3, 0 if north < 0 else min(north, 256))
            south -= 256
            north -= 256

    def winner(self, side, clock):
        """The half of `side` glows (0, 1); both for a draw (-1)."""
        half = self.n // 2
        level = glow(clock, 0)
        for hole in range(self.n):
            of = 0 if hole < half else 1
            if of == side or side < 0:
                self.mix(hole, OWNERS, 3 * of, 256)
                self.dim(hole, 100 + (level * 156 >> 8))

    def call(self, flags, clock):
        """The legal holes call for a player: they swell white, once a second."""
        level = swell(clock % 1000, 800) * 170 >> 8
        for hole in range(self.n):
            if flags[hole] & LEGAL:
                self.mix(hole, BRIGHT, 0, level)

    def countdown(self, t, total):
        """A ring that empties within `total` ms, the position dim beneath it."""
        left = (total - t) * self.n if t < total else 0
        for hole in range(self.n):
            at = self.n - 1 - hole
            self.dim(at, 64)
            level = (left - at * total) * 90 // (total or 1)
            self.mix(at, BRIGHT, 0, 0 if level < 0 else min(level, 90))

    def ember(self, clock):
        """A slow glow, to attract: embers, no two holes in step."""
        for hole in range(self.n):
            level = glow(clock, hole * 37) * glow(clock >> 1, hole * 61) >> 8
            self.mix(hole, EMBER, 3 if hole * 5 % 7 < 3 else 0, 20 + (level * 200 >> 8))

    def veil(self, level):
        """Multiply all there is by `level`: for a picture that fades, or is to be dim as a whole.

        Down to 60 %, where the colours are known to stay apart, it rounds up as `Rest` does."""
        want = self._want
        up = 255 if level >= cues.BREATH_MIN else 0
        for i in range(3 * self.n):
            want[i] = want[i] * level + up >> 8

    # What everything above is made of; `Motion` draws with these too.

    def base(self, seeds, marks, clock, dips):
        """The position without flags; `dips` False: counts by their colour alone."""
        self._rest.set(clock, dips)
        for hole in range(self.n):
            self._rest.hole(self._want, 3 * hole, seeds[hole], (marks[hole] >> 2 & 3) - 1, 0)

    def count(self, hole, seeds, owner):
        """So many seeds in place of what is there, at the instant of `base`."""
        self._rest.hole(self._want, 3 * hole, seeds, owner, 0)

    def mix(self, hole, palette, at, level):
        """Blend the light of a hole into the colour at an offset of `palette`; level 256: wholly."""
        want = self._want
        i = 3 * hole
        for k in range(3):
            have = want[i + k]
            want[i + k] = have + ((palette[at + k] - have) * level >> 8)

    def add(self, hole, colour, level):
        """Add to the light of a hole."""
        want = self._want
        i = 3 * hole
        for k in range(3):
            want[i + k] = min(255, want[i + k] + (colour[k] * level >> 8))

    def dim(self, hole, level):
        """Multiply the light of a hole."""
        want = self._want
        i = 3 * hole
        for k in range(3):
            want[i + k] = want[i + k] * level >> 8


def glow(clock, phase):
    """A slow wave of the clock, 0..256; `phase` in hundredths of its cycle."""
    return (BREATH[(clock // 20 + phase) % 100] + 1 - cues.BREATH_MIN) * 256 // (256 - cues.BREATH_MIN)
