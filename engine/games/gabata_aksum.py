"""Gabata of Aksum: 3x6, three seeds in each hole, as told to Pankhurst by players from Aksum.

Source: Pankhurst 1971, pp. 164-165 ([A] in docs/rules/gabata_aksum.md).
"""

from engine.core import GAIN, NOTHING
from engine.endless import came_back
from engine.selus import HALF, HOLES, NO_CLAIM, Selus
from engine.state import FIRST, LIFTED, MOVER


class GabataAksum(Selus):
    NAME = "gabata_aksum"
    OPTIONS = {"claims": ("unmoved", "second_turn", "any"), "rounds": ("0", "N")}

    def _moves(self):
        """The left-hand hole must hold more than three, or be the only move."""
        count = self._loose()
        left = HALF * self.tally[MOVER]
        if count < 2 or not 0 < self.seeds[left] < 4:
            return count
        legal = self.legal
        kept = 0
        for i in range(count):
            if legal[i] != left:
                legal[kept] = legal[i]
                kept += 1
        return kept

    def _configure(self):
        super()._configure()
        self._unmoved = self.options["claims"] == "unmoved"
        self._from_second_turn = self.options["claims"] == "second_turn"

    def _claimable(self, mover):
        if self._unmoved:  # "until the original three counters have been moved": lifted in this round
            return (1 | LIFTED) << 4 | LIFTED | 1 - mover
        if self._from_second_turn and self.tally[FIRST]:
            return NO_CLAIM
        return 16 | 1 - mover

    def _claim(self, hole, mover):
        """The last single hole of a territory is not claimed: three of its four seeds are taken."""
        if self._unmoved and came_back(self):
            return NOTHING
        owner = self.marks[hole] & 1
        holes = 0
        for other in range(HOLES):
            if self.marks[other] & 1 == owner:
                holes += 1
        if holes > 1:
            return super()._claim(hole, mover)
        self._take(hole, 3)
        return GAIN

    def _in_claim(self, hole, mover, owner):
        return NOTHING if owner == mover else self._take_two(hole)


GAME = GabataAksum
