"""Lamlameta, as played in Konso: 2x12, two seeds in each hole.

Source: Pankhurst 1971, pp. 187-188, and Russ 2000 ([L] in docs/rules/lamlameta.md).

    North   23 22 21 20 19 18 17 16 15 14 13 12
    South    0  1  2  3  4  5  6  7  8  9 10 11
"""

from engine.core import GAIN, NOTHING, Game
from engine.state import FIRST, LIFTED, MOVER, QUIET_END, TAKEN

HOLES = 24
HALF = 12


class Lamlameta(Game):
    NAME = "lamlameta"
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
        if self.tally[MOVER]:
            hole = HALF
            row = self._north
        for seeds in row:  # 10 us a hole on the Pico; by `range` and index it was 11
            if seeds:
                legal[count] = hole
                count += 1
            hole += 1
        # The opening is asked first, then Russ's rule; either yields where it would leave no hole.
        if self._right2 and self.tally[FIRST]:
            count = self._keep_right2(count)
        if self._russ:
            count = self._keep_not_two(count)
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
        trace = self.trace
        laps = trace.laps
        room = trace.room
        marks = self.marks
        skips = -1 if tally[FIRST] else 1 - tally[MOVER]
        if lap == 0:
            trace.skips = skips
        while lap != stop:
            hand = seeds[hole]
            if lap < room:
                at = lap + lap
                laps[at] = hole
                laps[at + 1] = hand
            lap += 1
            marks[hole] |= 2  # LIFTED
            seeds[hole] = 0
            while hand:
                hole += 1
                if hole == 24:
                    hole = 0
                held = seeds[hole]
                if held == 2 and marks[hole] & 1 == skips:
                    continue
                seeds[hole] = held + 1
                hand -= 1
            if not held:
                trace.count = lap
                trace.kept = lap if lap < room else room
                return hole + QUIET_END if seeds[23 - hole] != 2 else hole
        return -1 - hole

    def _finish(self, hole, mover):
        """In an empty own hole that faces exactly two: every opponent's hole of exactly two is taken."""
        seeds = self.seeds
        marks = self.marks
        if marks[hole] & 1 != mover or (self._russ and self.tally[FIRST]):
            return NOTHING
        for other in range(HOLES):
            if seeds[other] == 2 and marks[other] & 1 != mover:
                self._take(other, 2)
        return GAIN

    def _ended(self):
        """The player to move has no seed in his row: the other takes all that is left."""
        if self.moves():
            return False
        other = 1 - self.tally[MOVER]
        for hole in range(HOLES):
            self.tally[TAKEN + other] += self.seeds[hole]
            self.seeds[hole] = 0
        return True


GAME = Lamlameta
