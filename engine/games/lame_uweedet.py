"""Lamè Uwèièdèt: 3x6, three seeds in each hole. Sulus Nishtaw with another gambit.

Source: a Spanish description ([U] in docs/rules/lame_uweedet.md).
"""

from engine.gambit import Nishtaw


class LameUweedet(Nishtaw):
    NAME = "lame_uweedet"
    VALUES = "1 8 / 0 5 4 3 4 7 / -1 0 2 1 1 1 -1 -1 -1 / 45 17 6 -2 -10 -20 -23 -31 -39"
    GAMBIT = (0, 2, 4, 6, 8)  # one seed each, sown into the five holes after his ninth; played by touching it


GAME = LameUweedet
