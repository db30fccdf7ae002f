"""The rest of *choose*: who plays, and how strongly the computer does. Loaded for that only.

Who plays: each half lies in a faint light of its side's colour. *Two* breathes in South's colour and in North's by
turns, and the halves grow lighter with it; *one* breathes in the colour of the side that it lies on.

How strongly: the computer is there, its rings spread over its half as they do when it thinks. Its colour is that of
the levels as well, the stronger the brighter.
"""

from table.choose import Choose
from table.cues import BREATH, OWNERS

LEVELS = bytes((26, 90, 255))  # the light of each, of 256
FAINT = bytes((10, 6))  # of South's half, of North's; twice as much on its turn


class Players(Choose):
    """Who plays that entry's game; answers: two, one. `tapped`: whether somebody has chosen it."""

    QUESTION = "players"

    def __init__(self, table, entry, tapped):
        super().__init__(table)
        self._entry = entry
        self._tapped = tapped

    def _possible(self):
        return 2

    def offers(self, answer):
        return self.table.settings.players != ("two" if answer else "one")

    def _take(self, answer):
        if answer:
            Level(self.table, self._entry, self._tapped)._ask()
        else:
            self._start(0)

    def _start(self, level):
        self.table.level = level
        self.table.start(self._entry)

    def draw(self, lights, now):
        draw(lights, self._choice, -1, self.table.clock)


class Level(Players):
    """How strongly the computer plays; answers: levels 1 to 3."""

    QUESTION = "level"

    def _possible(self):
        return 3

    def offers(self, answer):
        return self.table.settings.level in (0, answer + 1)

    def _take(self, answer):
        self._start(answer + 1)

    def draw(self, lights, now):
        draw(lights, self._choice, self.table.person, self.table.clock)


def draw(lights, choice, person, clock):
    """`choice[h]`: which answer hole h stands for, plus one. `person`: which side's the one person is, for whom a level
    is asked; -1: it is asked who plays."""
    n = lights.n
    half = n // 2
    # How much of it is North's turn, of 256: the colours change within 600 ms, while the breath is dimmest.
    north = (clock if clock < 2000 else 4000 - clock) - 700
    north = 0 if north < 0 else 256 if north > 600 else north * 256 // 600
    if person >= 0:
        lights.ripple(1 - person, choice, clock + 4000)
    for hole in range(n):
        side = 0 if hole < half else 1
        answer = choice[hole]
        if not answer:
            if person < 0:
                lights.mix(
                    hole, OWNERS, 3 * side, FAINT[side] * (256 + (north if side else 256 - north)) >> 8
                )
            continue
        if person >= 0:
            lights.dim(hole, 0)
            lights.mix(hole, OWNERS, 3 - 3 * side, LEVELS[answer - 1] + 1)
        elif answer == 1:
            lights.mix(hole, OWNERS, 0, 256)
            lights.mix(hole, OWNERS, 3, north)
        else:
            lights.mix(hole, OWNERS, 3 * side, 256)
        lights.dim(hole, BREATH[clock // 20 % 100] + 1)
