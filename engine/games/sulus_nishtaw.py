"""Sulus Nishtaw: 3x6, three seeds in each hole.

Sources: Courlander 1943 and Abstract Games 16 (2003) ([N] in docs/rules/sulus_nishtaw.md).
"""

from engine.gambit import Nishtaw


class SulusNishtaw(Nishtaw):
    NAME = "sulus_nishtaw"
    VALUES = "2 8 / 0 5 3 3 3 6 / 0 0 1 1 2 1 0 -2 -3 / 45 12 7 -5 -4 -15 -24 -26 -26"
    GAMBIT = (
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    )  # one seed each, into the eight holes after his eighth; played by touching it


GAME = SulusNishtaw
