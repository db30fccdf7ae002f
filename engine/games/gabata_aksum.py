"""Gabata of Aksum: 3x6, three seeds in each hole, as told to Pankhurst by players from Aksum.

Source: Pankhurst 1971, pp. 164-165 ([A] in docs/rules/gabata_aksum.md).
"""

from engine.core import GAIN, NOTHING
from engine.selus import HALF, HOLES, NO_CLAIM, Selus
from engine.state import LIFTED


class GabataAksum(Selus):
    NAME = "gabata_aksum"
    OPTIONS = {"claims": ("unmoved", "second_turn", "any"), "rounds": ("0", "N")}

    def _moves(self):
        """The left-hand hole must hold more than three, or be the only move."""
        count = super()._moves()
        left = HALF * self.mover
        if count < 2 or self.seeds[left] > 3:
            return count
        legal = self.legal
        kept = 0
        for i in range(count):
            if legal[i] != left:
                legal[kept] = legal[i]
                kept += 1
        return kept

    def _claimable(self, mover):
        claims = self.options["claims"]
        other = 1 - mover
        if claims == "unmoved":  # "until the original three counters have been moved": lifted in this round
            return (1 | LIFTED) << 4 | other | LIFTED
        if claims == "second_turn" and self._first_turn():
            return NO_CLAIM
        return 16 | other

    def _claim(self, hole):
        """The last single hole of a territory is not claimed: three of its four seeds are taken."""
        owner = self.marks[hole] & 1
        holes = 0
        for other in range(HOLES):
            if self.marks[other] & 1 == owner:
                holes += 1
        if holes > 1:
            return super()._claim(hole)
        self._take(hole, 3)
        return GAIN

    def _in_claim(self, hole, owner):
        return NOTHING if owner == self.mover else self._take_two(hole)


GAME = GabataAksum
