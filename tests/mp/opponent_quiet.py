"""On MicroPython, with the heap locked: the questions who plays and how strongly; games of one person against the
computer, at each level and from either side, with its ripple, taps in vain, take-back, hints, and a race against its
hand, allocate nothing from tick to tick. Only getting ready for a question and for a game does."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

from mp_checks import check, finish, locked, unlocked

import table.play
import table.table
from table.choose import Choose
from table.lights import Lights
from table.players import Players
from table.settings import read
from table.states import equip, seat
from table.table import Table

table.play.seat = unlocked(seat)
table.table.equip = unlocked(equip)
Choose._take = unlocked(Choose._take)
Players._take = unlocked(Players._take)


class Board:
    """A table and its clock; pads are pressed and released without a driver."""

    def __init__(self, get):
        settings = read(get, print)
        self.n = settings.holes
        self.now = 0x1FFFFFFF - 20_000  # the clock wraps on the way
        self.table = Table(Lights(self.n), settings)
        while self.table.load():
            pass
        self.seed = 7
        self.backs = self.hints = self.theirs = self.races = 0

    def run(self, ms):
        its = self.table
        for _ in range(ms // 20):
            self.now = (self.now + 20) & 0x1FFFFFFF
            moving = its.play.moving
            its.tick(self.now)
            if its.play._choice >= 0:
                self.hints += 1
            if its.play._theirs and its.play.moving and not moving:
                self.theirs += 1

    def touch(self, pad, ms):
        self.table.press(pad, 100, self.now)
        self.run(ms)
        self.table.release(pad, self.now)
        self.run(300)

    def answer(self, pads):
        """Touches on these answers, one after the other, when each question has been looked at."""
        for i in range(len(pads)):
            self.run(4500)
            self.touch(pads[i], 100)
        self.run(600)

    def random(self, below):
        self.seed = (self.seed * 1103 + 12345) & 0xFFFF
        return (self.seed >> 4) % below

    def race(self):
        its = self.table
        game = its.game
        person = its.person
        if game.next_drop(person) < 0 and game.next_drop(1 - person) < 0:
            self.races += 1
            self.touch(person * 9 + self.random(9), 100)
            self.run(3000)
        elif game.next_drop(person) >= 0 and self.random(8):
            self.touch(game.next_drop(person), 50)
        else:
            self.run(1000)

    def play(self, turns):
        its = self.table
        play = its.play
        for _ in range(turns):
            if its.state is its.race and its.race:
                self.race()
            elif its.state is not play:
                self.run(2000)
                self.touch(3, 100)
                self.run(600)
            elif play._theirs or play.moving:
                if not self.random(4):
                    self.touch(self.random(self.n), 100)
                if not self.random(6):
                    self.touch(play.history.hole, 2600)
                self.run(200)
                if play.moving and self.random(2):
                    self.touch(self.random(self.n), 60)
            elif not self.random(8) and play.history.count:
                count = play.history.count
                self.touch(play.history.hole, 2600)
                if play.history.count < count:
                    self.backs += 1
            elif not self.hints or not self.random(7):
                self.run(22_000)
            else:
                self.touch(its.game.legal[self.random(its.game.moves())], 100)


for name, game, level, person in (
    ("3x6", "gabata_aksum", 1, 0),
    ("3x6", "lame_uweedet", 2, 1),
    ("3x6", "sulus_aidi race=1", 3, 0),
    ("2x12", "lamlameta", 3, 1),
):
    board = Board({"GEBETA_BOARD": name, "GEBETA_GAMES": game}.get)
    side = person * (board.n // 2)
    check(game + ": the questions", locked(board.answer, bytes((3, side + 1, side + level - 1))))
    check(game + ": the answers", board.table.level == level and board.table.person == person)
    check(game + ": turns", locked(board.play, 250))
    check(game + ": it has moved", board.theirs > 20)
    check(game + ": moves were taken back", board.backs >= 2)
    check(game + ": hints were given", board.hints > 50)
    if board.table.race:
        check(game + ": a race was run", board.races >= 1)
board = Board({"GEBETA_GAMES": "gabata_aksum"}.get)
check("two people: the questions", locked(board.answer, bytes((3, 9))))
check("two people: one waits", locked(board.run, 30_000))
check("two people: he is given a hint", board.hints > 50)

finish()
