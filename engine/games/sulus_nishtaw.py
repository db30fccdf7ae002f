"""Sulus Nishtaw: 3x6, three seeds in each hole.

Sources: Courlander 1943 and Abstract Games 16 (2003) ([N] in docs/rules/sulus_nishtaw.md).
"""

from engine.gambit import Nishtaw


class SulusNishtaw(Nishtaw):
    NAME = "sulus_nishtaw"
    VALUES = (3, 5, (0, 3), (34, 13, 8, -6, -8, -13, -27, -33, -47))
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
