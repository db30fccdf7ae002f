"""Lamè Uwèièdèt: 3x6, three seeds in each hole. Sulus Nishtaw with another gambit.

Source: a Spanish description ([U] in docs/rules/lame_uweedet.md).
"""

from engine.gambit import Nishtaw


class LameUweedet(Nishtaw):
    NAME = "lame_uweedet"
    VALUES = (3, 3, (0, 3), (34, 14, 8, 0, -12, -16, -21, -35, -41))
    GAMBIT = (0, 2, 4, 6, 8)  # one seed each, sown into the five holes after his ninth; played by touching it


GAME = LameUweedet
