"""Sulus Aidi: 3x6, three seeds in each hole. Claims, but nothing is ever taken; a race opens it, if one likes.

Source: Courlander 1943 ([D] in docs/rules/sulus_aidi.md).
"""

from engine.core import NOTHING
from engine.selus import Selus


class SulusAidi(Selus):
    NAME = "sulus_aidi"
    VALUES = "0 0 / 0 1 1 0 3 3 / / 9 5 5 7 8 10 10 13 14"
    OPTIONS = {"race": ("0", "1"), "rounds": ("0", "N")}

    @classmethod
    def variant(cls, options):
        """With race=1 another class, so that a board without races needs no memory for them."""
        if options.get("race") != "1":
            return cls
        from engine.race import SulusAidiRace

        return SulusAidiRace

    def _in_claim(self, hole, mover, owner):
        return NOTHING


GAME = SulusAidi
