"""On MicroPython, with the heap locked: matches that open each round with a race, from attract on: lifts, pulses, drops
by both hands, two in one scan, dead pads, the board's own drops, the dealing between rounds. Nothing is allocated."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

from mp_checks import check, finish, locked

import table.play
from table.lights import Lights
from table.settings import read
from table.table import Table

table.play.seat = lambda its: False  # no hint for whoever waits: opponent_quiet.py has that


class Ear:
    """A piezo for which each note is one."""

    def __init__(self):
        self.count = 0

    def play(self, hz, ms):
        self.count += 1

    def stop(self):
        pass


class Board:
    """A table and its clock; pads are pressed and released without a driver."""

    def __init__(self, now, get):
        settings = read(get, print)
        self.now = now
        self.lights = Lights(settings.holes)
        self.ear = Ear()
        self.table = Table(self.lights, settings, speaker=self.ear)
        while self.table.load():
            pass
        self.seed = 7
        self.races = 0
        self.deals = 0
        self.drops = 0

    def run(self, ms):
        for _ in range(ms // 10):
            self.now = (self.now + 10) & 0x1FFFFFFF
            self.table.tick(self.now)

    def touch(self, pad, ms):
        self.table.press(pad, 100, self.now)
        self.run(ms)
        self.table.release(pad, self.now)
        self.run(300)

    def random(self, below):
        self.seed = (self.seed * 1103 + 12345) & 0xFFFF
        return (self.seed >> 4) % below

    def race(self):
        """One step of a race: both hands, one of them, or a press in vain."""
        table = self.table
        game = table.game
        if game.next_drop(0) < 0 and game.next_drop(1) < 0:
            self.run(600)
            self.touch(self.random(9), 100)
            if self.random(2):
                self.touch(9 + self.random(9), 100)
            else:
                self.run(9000)
            self.run(2000)
            self.races += 1
            return
        kind = self.random(5)
        south = game.next_drop(0) if kind else self.random(18)
        north = game.next_drop(1) if kind < 3 else -1
        if south >= 0:
            table.press(south, 100, self.now)
        if north >= 0:
            table.press(north, 100, self.now)
        self.run(50)
        if south >= 0:
            table.release(south, self.now)
        if north >= 0:
            table.release(north, self.now)
        self.run(20)
        self.drops += 1

    def play(self, steps):
        table = self.table
        for _ in range(steps):
            if table.state is table.race:
                self.race()
            elif table.state is table.deal:
                self.run(500)
                self.touch(self.random(18), 50)
                while table.state is table.deal:
                    self.run(50)
                self.deals += 1
            elif table.state is table.play:
                self.touch(table.game.legal[self.random(table.game.moves())], 100)
                if table.play.moving:
                    self.touch(self.random(18), 50)
                while table.play.moving:
                    self.run(50)
            else:
                self.run(2000)
                self.touch(3, 100)


def nobody(board):
    """Nobody comes to the race: it lifts, drops, and plays nothing."""
    board.run(200_000)


SETTINGS = {"GEBETA_GAMES": "sulus_aidi race=1", "GEBETA_PLAYERS": "two"}
board = Board(0x1FFFFFFF - 20000, SETTINGS.get)  # the clock wraps on the way
check("attract", locked(board.run, 1000))
check("matches", locked(board.play, 600))
check("some races were run", board.races >= 3)
check("some rounds were dealt", board.deals >= 2)
check("many drops", board.drops > 50)
check("and all heard", board.ear.count > board.drops)

board = Board(0x1FFFFFFF - 9000, SETTINGS.get)
board.touch(3, 100)
check("a race begins", board.table.state is board.table.race)
board.table.out_of_order(5, True)
board.table.out_of_order(13, True)
check("nobody there", locked(nobody, board) and board.table.state is board.table.play)

finish()
