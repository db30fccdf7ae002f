"""On MicroPython, with the heap locked: attract's show, games, lessons and rests, allocates nothing from tick to tick.
Only where the next game is made does it."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

from mp_checks import check, finish, locked, unlocked

from table.lights import Lights
from table.settings import read
from table.show import BARS, EMBERS, GAME, LESSON, WINNER, Show
from table.states import seat
from table.table import Table


class Board:
    """A table that nobody touches, on a clock of its own."""

    def __init__(self, board):
        settings = read({"GEBETA_BOARD": board, "GEBETA_MODE": "exhibit"}.get, print)
        self.now = 0x1FFFFFFF - 20_000  # the clock wraps on the way
        self.seed = 7
        self.table = Table(Lights(settings.holes), settings)
        while self.table.load():
            pass
        self.table.make = unlocked(self.table.make)
        while not seat(self.table):
            pass
        self.table.opponent.take = unlocked(self.table.opponent.take)
        self.show = self.table.attract.show = Show(self.table, self.random)
        self.seen = bytearray(5)  # how often each scene has begun
        self.frames = 0

    def random(self, below):
        self.seed = (self.seed * 1103 + 12345) & 0xFFFF
        return (self.seed >> 4) % below

    def run(self, seconds):
        scene = -1
        for _ in range(seconds * 25):
            self.now = (self.now + 40) & 0x1FFFFFFF
            self.frames += self.table.tick(self.now)
            if self.show._scene != scene:
                scene = self.show._scene
                self.seen[scene] += 1


for name in ("3x6", "2x12"):
    board = Board(name)
    check(name + ": half an hour of it", locked(board.run, 1800))
    for scene in (EMBERS, GAME, BARS, WINNER, LESSON):
        check("%s: scene %d was seen" % (name, scene), board.seen[scene])
    check(name + ": it moved", board.frames > 20_000)

finish()
