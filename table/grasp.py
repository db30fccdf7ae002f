"""Both left-hand holes held down together: the game is given up."""

from table.touch import TREMBLE_MS

GRASP_MS = 250  # down so long: no taps any more, but the gesture, and seen filling
ABANDON_MS = 3000


class Grasp:
    """Watches the two pads, however they came down, while a game lasts."""

    def __init__(self, table):
        self.table = table
        self._ms = 0  # they have been down together, and nothing else, for so long
        self._gap_ms = 0  # a moment's trembling does not end it
        self._done = False  # they have given a game up, and are not up yet

    def begin(self):
        """A game begins."""
        self._ms = 0

    def _left(self, side):
        """The pad of a side's left-hand hole, or the next living one of that side; -1 if all are dead."""
        half = self.table.n // 2
        for hole in range(side * half, side * half + half):
            if not self.table.dead[hole]:
                return hole
        return -1

    def tick(self, dt):
        """True when the game is to be given up."""
        touch = self.table.touch
        if not touch.count and not self._ms:
            self._done = False
            return False
        south = self._left(0)
        north = self._left(1)
        if south < 0 or north < 0 or not touch.exactly(south, north):
            self._done = False
            self._gap_ms += dt
            if self._gap_ms >= TREMBLE_MS:
                self._ms = 0
        elif not self._done:
            self._ms += dt
            self._gap_ms = 0
            if self._ms >= GRASP_MS:
                touch.void(south)
                touch.void(north)
            if self._ms >= ABANDON_MS:
                self._done = True
                self._ms = 0
                return True
        return False

    def draw(self, lights):
        if self._ms >= GRASP_MS:
            lights.filling(self._left(0), self._ms, ABANDON_MS)
            lights.filling(self._left(1), self._ms, ABANDON_MS)
