"""Lamlameta, as played in Konso: 2x12, two seeds in each hole.

Source: Pankhurst 1971, pp. 187-188, and Russ 2000 ([L] in docs/rules/lamlameta.md).

    North   23 22 21 20 19 18 17 16 15 14 13 12
    South    0  1  2  3  4  5  6  7  8  9 10 11
"""

from engine.core import GAIN, NOTHING, PART, Game
from engine.state import LIFTED, TAKEN, const

# Those of `engine.state` that each turn needs, once more: see `const` there.
_MOVER = const(2)
_FIRST = const(28)
_QUIET_END = const(32)

HOLES = 24
HALF = const(12)


SOUTHS = bytes(range(12))
NORTHS = bytes(range(12, 24))
AFTER = bytes(range(1, 24)) + bytes(1)  # the next hole; a table is quicker than counting and wrapping
PASSED = (bytes([1] * 12 + [0] * 12), bytes([0] * 12 + [1] * 12), bytes(24))


class Lamlameta(Game):
    NAME = "lamlameta"
    VALUES = "4 0 / 0 2 1 5 8 14 / /"
    BOARD = "2x12"
    HOLES = HOLES
    EACH = 2
    OPTIONS = {"opening": ("any", "right2"), "russ": ("0", "1")}

    def _configure(self):
        self._right2 = self.options["opening"] == "right2"
        self._russ = self.options["russ"] == "1"
        self._south = memoryview(self.seeds)[:HALF]
        self._north = memoryview(self.seeds)[HALF:]

    def put_up(self):
        """The two rows are the territories, and nothing is claimed."""
        super().put_up()
        for hole in range(HOLES):
            if self.marks[hole] & ~LIFTED != (hole >= HALF):
                raise ValueError("in Lamlameta nothing is claimed (all -1), and each owns his own row")

    def _moves(self):
        legal = self.legal
        count = 0
        hole = 0
        row = self._south
        tally = self.tally
        if tally[_MOVER]:
            hole = 12
            row = self._north
        for seeds in row:  # 10 us a hole on the Pico; by `range` and index it was 11
            if seeds:
                legal[count] = hole
                count += 1
            hole += 1
        # The opening is asked first, then Russ's rule; either yields where it would leave no hole.
        if self._right2 and tally[_FIRST]:
            count = self._keep_right2(count) | PART
        if self._russ:
            count = self._keep_not_two(count & 31) | PART
        return count

    def _keep_right2(self, count):
        """The first move of the round starts from one of the two right-hand holes [L]."""
        legal = self.legal
        kept = 0
        for i in range(count):
            if legal[i] % HALF >= HALF - 2:
                kept += 1
        if kept:
            for i in range(kept):
                legal[i] = legal[count - kept + i]
            return kept
        return count

    def _keep_not_two(self, count):
        """A hole of exactly two is not started from while there is another kind (Russ)."""
        legal = self.legal
        seeds = self.seeds
        kept = 0
        for i in range(count):
            if seeds[legal[i]] != 2:
                kept += 1
        if not kept:
            return count
        kept = 0
        for i in range(count):
            if seeds[legal[i]] != 2:
                legal[kept] = legal[i]
                kept += 1
        return kept

    def _sow(self, seeds, hole, lap, stop):
        tally = self.tally
        marks = self.marks
        skips = -1 if tally[_FIRST] else 1 - tally[_MOVER]
        if not lap:
            self.trace.skips = skips
        # Which holes of exactly two are passed over; none: a table of zeros.
        passed = PASSED[skips]
        after = AFTER
        hand = seeds[hole]
        drops = 0
        while True:
            seeds[hole] = 0
            marks[hole] |= 2  # LIFTED
            drops += hand
            while hand:
                hole = after[hole]
                held = seeds[hole]
                if held == 2 and passed[hole]:
                    continue
                seeds[hole] = held + 1
                hand -= 1
            lap += 1
            if not held:
                trace = self.trace
                trace.count = lap
                trace.drops = drops
                return hole if seeds[23 - hole] == 2 else hole + _QUIET_END
            if lap == stop:
                self.trace.drops = drops
                return -1 - hole
            hand = held + 1

    def _finish(self, hole, mover):
        """In an empty own hole that faces exactly two: every opponent's hole of exactly two is taken."""
        if self.marks[hole] & 1 != mover or (self._russ and self.tally[_FIRST]):
            return NOTHING
        trace = self.trace
        took = trace.took
        seeds = self.seeds
        i = 0
        for other in SOUTHS if mover else NORTHS:  # written out, since calls would cost more than all else
            if seeds[other] == 2:
                took[i] = other
                took[i + 1] = 2
                i += 2
                seeds[other] = 0
        self.tally[mover] += i  # TAKEN: two from each
        trace.takes = i >> 1
        trace.dirty |= 1
        return GAIN

    def _ended(self):
        """The player to move has no seed in his row: the other takes all that is left."""
        other = 1 - self.tally[_MOVER]
        for hole in range(HOLES):
            self.tally[TAKEN + other] += self.seeds[hole]
            self.seeds[hole] = 0
        return True


GAME = Lamlameta
