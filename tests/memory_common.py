"""A table that remembers, and its flash, for the tests of the memory."""

import pytest

from hardware.journal import Journal
from table.lights import Lights
from table.memory import Memory
from table.settings import read
from table.table import Table

TICK = 10
SECTOR = 4096


class Flash(bytearray):
    """`microcontroller.nvm` of an RP2040: what is written into erased bytes is programmed, anything else erases all."""

    def __init__(self, data=b"\xff" * SECTOR):
        super().__init__(data)
        self.log = []  # (all that was there before, from, to, bytes written)
        self.erases = 0
        self.table = None  # whose it is
        self.erased_in = set()  # states of that table

    def __setitem__(self, key, value):
        old = bytes(self[key])
        assert len(old) == len(value)
        start, end, _ = key.indices(len(self))
        self.log.append((bytes(self), start, end, bytes(value)))
        if any(byte != 0xFF for byte in old):
            assert len(value) == len(self), "in play nothing is written over"
            self.erases += 1
            if self.table:
                assert not self.table.touch.count, "never with a pad down"
                self.erased_in.add(self.table.state.NAME)
        super().__setitem__(key, value)


class Board:
    """A table that remembers, on a clock of its own; `again()` is what a power cut now would lead to. `waits`: only the
    journal's memory is there, and what it takes to play has yet to be loaded."""

    def __init__(self, flash, reason="power", seconds=0, waits=False, **settings):
        self.flash = flash
        self.set = settings
        get = {"GEBETA_PLAYERS": "two", **{f"GEBETA_{key}": value for key, value in settings.items()}}.get
        self.settings = read(get, pytest.fail)
        self.now = 0
        self.table = Table(
            Lights(self.settings.holes),
            self.settings,
            remember=lambda: Memory(Journal(flash), self.settings.stamp, reason, seconds),
        )
        flash.table = self.table
        while self.table.load() and not waits:
            pass
        self.table.tick(0)

    def again(self, **changes):
        return Board(Flash(bytes(self.flash)), **{**self.set, **changes})

    def run(self, ms):
        for _ in range(0, ms, TICK):
            self.now += TICK
            self.table.tick(self.now)

    def run_until(self, true, ms=60_000):
        while not true():
            assert ms > 0, true
            self.run(TICK)
            ms -= TICK

    def tap(self, pad):
        self.table.press(pad, 64, self.now)
        self.run(100)
        self.table.release(pad, self.now)
        self.run(100)

    def begin(self, *answers):
        """From attract to the first position; the first answer to each question that none is given to."""
        self.tap(7)
        answers = list(answers)
        while self.table.state.NAME == "choose":
            self.run(500)
            self.tap(answers.pop(0) if answers else 0)
        self.run(600)
        return self

    def legal(self):
        game = self.table.game
        return list(game.legal[: game.moves()])

    def move(self, hole):
        self.tap(hole)
        while self.table.play.moving:
            self.run(TICK)
            self.table.play._t += 200  # nobody looks
        self.run(300)

    def state(self):
        """All that somebody could tell."""
        table = self.table
        if table.state not in (table.play, table.race):
            return table.state.NAME
        saved = bytearray(96)
        table.game.save(saved)
        who = (table.level, table.person) if table.level else ()
        if table.state is table.race:
            return table.state.NAME, bytes(saved), *who
        return table.state.NAME, bytes(saved), table.play._start, table.play._end, *who

    def counters(self):
        memory = self.table.memory
        return list(memory.counters), [list(row) for row in memory.kinds], list(memory.errors)


def give_up(board):
    for pad in (0, 9):
        board.table.press(pad, 64, board.now)
    board.run(3500)
    for pad in (0, 9):
        board.table.release(pad, board.now)
    board.run(300)


def nothing(record, whole):
    pytest.fail(f"{record} is taken for a record")
