"""Gabata of Aksum: 3x6, three seeds in each hole, as told to Pankhurst by players from Aksum.

Source: Pankhurst 1971, pp. 164-165 ([A] in docs/rules/gabata_aksum.md).
"""

from engine.core import GAIN, NOTHING, PART
from engine.endless import came_back
from engine.selus import HOLES, NO_CLAIM, Selus
from engine.state import FIRST, LIFTED, TAKEN, const

# That of `engine.state` once more: see `const` there.
_MOVER = const(2)


class GabataAksum(Selus):
    NAME = "gabata_aksum"
    VALUES = "2 0 / 0 2 1 0 2 3 / -2 1 1 0 1 0 0 -1 -1 / 26 11 1 0 -3 -9 -15 -20 -23"
    OPTIONS = {"claims": ("unmoved", "second_turn", "any"), "rounds": ("0", "N")}

    def _moves(self):
        """The left-hand hole must hold more than three, or be the only move."""
        seeds = self.seeds
        legal = self.legal
        mover = self.tally[_MOVER]
        left = 9 * mover
        held = seeds[left]
        guarded = 0 < held < 4
        if guarded:
            seeds[left] = 0  # hidden for a moment: quicker than moving all others down in `legal`
        count = 0
        for hole in self._owned[mover]:  # as in Selus; a call to that would take as long as a hole
            if seeds[hole]:
                legal[count] = hole
                count += 1
        if guarded:
            seeds[left] = held
            return count + PART if count else super()._moves()
        return count

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
        if self._unmoved and self.trace.count > HOLES and came_back(self):
            return NOTHING
        if self._own[38] != 1 + (self.marks[hole] & 1):
            return Selus._claim(self, hole, mover)
        self.seeds[hole] -= 3
        self.tally[TAKEN + mover] += 3
        self.trace.take(hole, 3)
        return GAIN

    def _in_claim(self, hole, mover, owner):
        return NOTHING if owner == mover else GAIN


GAME = GabataAksum
