"""Pads that are held down together, however they came down: both left-hand holes give the game up, the four corners
open *staff*."""

from table.touch import TREMBLE_MS

GRASP_MS = 250  # down so long: no taps any more, but the gesture
ABANDON_MS = 3000
STAFF_MS = 5000
# Hands that rest on the corners of the board are nothing to show at once.
SEEN_MS = 1000


class Held:
    """`pads` that are to be down together, and no other, for `total` ms; seen filling after `seen` ms."""

    def __init__(self, table, pads, total, seen):
        self.table = table
        self._pads = pads
        self._total = total
        self._seen = seen
        self._ms = 0  # they have been down together, and nothing else, for so long
        self._gap_ms = 0  # a moment's trembling does not end it
        self._done = False  # they have done what they do, and are not up yet

    def begin(self):
        """Whatever has been held so far does not count."""
        self._ms = 0

    def _there(self):
        """Whether there are such pads."""
        return True

    def tick(self, dt):
        """True when they have been held for long enough: once."""
        touch = self.table.touch
        if not touch.count and not self._ms:
            self._done = False
        elif not self._there() or not touch.exactly(self._pads):
            self._done = False
            self._gap_ms += dt
            if self._gap_ms >= TREMBLE_MS:
                self._ms = 0
        elif not self._done:
            self._ms += dt
            self._gap_ms = 0
            if self._ms >= GRASP_MS:
                for i in range(len(self._pads)):
                    touch.void(self._pads[i])
            if self._ms >= self._total:
                self._done = True
                self._ms = 0
                return True
        return False

    def draw(self, lights):
        if self._ms >= self._seen:
            for i in range(len(self._pads)):
                lights.filling(self._pads[i], self._ms, self._total)


class Grasp(Held):
    """The left-hand holes, while a game lasts; a dead one is stood in for by the next living one of its side."""

    def __init__(self, table):
        super().__init__(table, bytearray(2), ABANDON_MS, GRASP_MS)

    def _there(self):
        half = self.table.n // 2
        for side in range(2):
            hole = side * half
            end = hole + half
            while self.table.dead[hole]:
                hole += 1
                if hole == end:
                    return False
            self._pads[side] = hole
        return True


class Corners(Held):
    """The four corners of the board."""

    def __init__(self, table):
        corners = bytes((0, 5, 9, 14)) if table.n == 18 else bytes((0, 11, 12, 23))
        super().__init__(table, corners, STAFF_MS, SEEN_MS)

    def open_staff(self):
        """Set aside what is going on for the staff; returns whether that can be."""
        table = self.table
        if table.state is table.asleep:
            table.resume()
        while table.load():
            pass
        may = table.state.STAFF
        if may:
            table.tidy()
            from table.staff import Staff

            table.staff = Staff(table)
            table.set_aside(table.staff)
        return may
