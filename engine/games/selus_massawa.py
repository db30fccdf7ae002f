"""Selus of Massawa: 3x6, three seeds in each hole. A fourth seed claims on either side.

Source: Pankhurst 1971, pp. 171-172 ([M] in docs/rules/selus_massawa.md).
"""

from engine.core import BONUS, GAIN, NOTHING
from engine.selus import ANY_SIDE, HALF, NO_CLAIM, Selus
from engine.state import TURNS


class SelusMassawa(Selus):
    NAME = "selus_massawa"
    VALUES = "2 4 / / 5 5 4 4 3 2 1 0 -2 / 19 8 5 4 1 2 1 -4 -7 -21 -7 -3 -4 -5 -3 -1 5 10"

    def _claimable(self, mover):
        """No claims until each player has completed a turn, a pass too."""
        tally = self.tally
        for player in range(2):
            if not tally[TURNS + player] and not tally[TURNS + 2 + player]:
                return NO_CLAIM
        return ANY_SIDE

    def _in_claim(self, hole, mover, owner):
        """The left-hand holes are special, whoever claimed them."""
        if hole == HALF * mover:
            return NOTHING
        if hole == HALF - HALF * mover or owner == mover:
            return GAIN | BONUS
        return GAIN


GAME = SelusMassawa
