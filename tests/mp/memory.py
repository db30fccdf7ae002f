"""On MicroPython: what the board remembers survives a power cut here too, and watching allocates nothing."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

from mp_checks import check, finish, locked

from hardware.journal import Journal
from table.lights import Lights
from table.memory import Memory
from table.settings import read
from table.table import Table

TICK = 20


class Board:
    def __init__(self, flash, reason="power"):
        settings = read({"GEBETA_GAMES": "gabata_aksum", "GEBETA_PLAYERS": "two"}.get, print)
        self.flash = flash
        self.now = 0

        def remember():
            return Memory(Journal(flash), settings.stamp, reason, 40)

        self.table = Table(Lights(settings.holes), settings, remember=remember)
        while self.table.load():
            pass

    def run(self, ms):
        while ms > 0:
            ms -= TICK
            self.now += TICK
            self.table.tick(self.now)

    def tap(self, pad):
        self.table.press(pad, 64, self.now)
        self.run(100)
        self.table.release(pad, self.now)
        self.run(100)

    def move(self, which):
        game = self.table.game
        self.tap(game.legal[which % game.moves()])
        while self.table.play.moving:
            self.table.play._t += 1000
            self.run(TICK)
        self.run(200)

    def position(self):
        saved = bytearray(96)
        self.table.game.save(saved)
        return saved


flash = bytearray(b"\xff" * 4096)
board = Board(flash)
board.tap(3)
board.run(600)
for turn in range(20):
    board.move(turn)
again = Board(bytearray(flash))
check("the game goes on", again.table.state is again.table.play)
check("where it was", again.position() == board.position())
check("with its counters", again.table.memory.counters[3:6] == board.table.memory.counters[3:6])
check("one power-up more", again.table.memory.counters[0] == board.table.memory.counters[0] + 1)

check("a while of waiting allocates nothing", locked(again.run, 4000))

again.table.memory.make_room(again.table)
check("there is room", again.table.memory.journal.free > 400)
again.run(600)
again.move(1)
third = Board(bytearray(again.flash), "watchdog")
check("and so it is after compaction", third.position() == again.position())
check("the watchdog is an error", third.table.memory.errors == [("watchdog", 40)])

lines = []
third.table.memory.report(lines.append)
check("the report has a head", lines[0] == "counter,value\n")
check("and all lines", len(lines) == 1 + 7 + 2 + 1 + 1)

finish()
