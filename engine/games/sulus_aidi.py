"""Sulus Aidi: 3x6, three seeds in each hole. Claims, but nothing is ever taken; a race opens it, if one likes.

Source: Courlander 1943 ([D] in docs/rules/sulus_aidi.md).
"""

from engine.core import NOTHING
from engine.race import Race


class SulusAidi(Race):
    NAME = "sulus_aidi"
    OPTIONS = {"race": ("0", "1"), "rounds": ("0", "N")}

    def _in_claim(self, hole, mover, owner):
        return NOTHING


GAME = SulusAidi
