"""On MicroPython, with the heap locked: whole games through the table, from attract to a rematch, with taps in vain,
holds, peeks, take-back and animations run fast, allocate nothing; neither does a scan of the pads, nor a frame, nor a
note of the piezo, nor what looks after a battery. Only where another game is chosen the board makes it."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

import mp_pins  # noqa: F401
from mp_checks import check, finish, locked, unlocked

import table.play
from hardware.lights import Strip
from hardware.pads_mpr121 import ANEW, RUNS, Mpr121Pads
from hardware.pads_touchio import TouchioPads
from hardware.power import Power
from hardware.sound import Speaker
from table.lights import Lights
from table.settings import read
from table.states import DIM_STRIP
from table.table import Table

table.play.seat = lambda its: False  # no hint for whoever waits: opponent_quiet.py has that


class Sensor:
    def __init__(self):
        self.raw_value = 220


class Bus:
    """What Mpr121Pads asks of two chips: counts of electrode e of chip c at 12 * c + e."""

    def __init__(self, count):
        self.counts = bytearray([248] * count)
        self.reads = 0

    def writeto(self, address, buffer):
        pass

    def writeto_then_readfrom(self, address, out_buffer, in_buffer):
        if len(in_buffer) == len(RUNS):
            in_buffer[0] = RUNS[0]
            in_buffer[1] = RUNS[1]
            return
        self.reads += 1
        at = 12 * (address - 0x5A)
        for electrode in range(12):
            if at < len(self.counts):
                in_buffer[2 * electrode] = self.counts[at]
            at += 1


class Wire:
    def __init__(self):
        self.count = 0

    def write(self, data):
        self.count += 1


class Board:
    """What code.py builds, on a clock of its own."""

    def __init__(self, board, now, mode="home", driver="touchio"):
        get = {
            "GEBETA_BOARD": board,
            "GEBETA_MODE": mode,
            "GEBETA_TAKEBACK": "1",
            "GEBETA_PLAYERS": "two",
        }.get
        settings = read(get, print)
        self.n = settings.holes
        self.now = now
        self.sensors = [Sensor() for _ in range(self.n)]
        self.wire = Wire()
        self.strip = Strip(self.wire, settings.led_order, "GRB", settings.brightness, 400)
        self.lights = Lights(self.n)
        self.speaker = Speaker(27, 6)
        self.table = Table(self.lights, settings, speaker=self.speaker)
        while self.table.load():
            pass
        self.power = Power(self.strip, 22, 29, now, self.sleep)
        self.naps = 0
        self.notes = 0
        self.table.make = unlocked(self.table.make)
        self.bus = None
        if driver == "touchio":
            self.pads = TouchioPads(self.n, lambda pad: self.sensors[pad], now)
        else:
            self.bus = Bus(self.n)
            self.pads = Mpr121Pads(self.n, lambda: self.bus, settings.addresses, settings.electrodes, now)
        self.seed = 5
        self.rounds = 0
        self.backs = 0

    def run(self, ms):
        for _ in range(ms // 10):
            self.now = (self.now + 10) & 0x1FFFFFFF
            self.pads.scan(self.now, self.table)
            changed = self.table.tick(self.now)
            sounds = self.speaker._sounds
            self.speaker.tick(self.now)
            self.notes += self.speaker._sounds != sounds
            self.power.tick(self.now, self.table.state is not self.table.asleep, self.table.touch.count)
            if changed or self.strip.rising:
                self.strip.show(self.lights.frame, self.now)

    def finger(self, pad, down):
        if self.bus:
            self.bus.counts[pad] = 88 if down else 248
        else:
            self.sensors[pad].raw_value = 620 if down else 220

    def touch(self, pad, ms):
        self.finger(pad, True)
        self.run(ms)
        self.finger(pad, False)
        self.run(300)

    def corners(self, ms):
        for pad in (0, 5, 9, 14) if self.n == 18 else (0, 11, 12, 23):
            self.finger(pad, True)
        self.run(ms)
        for pad in (0, 5, 9, 14) if self.n == 18 else (0, 11, 12, 23):
            self.finger(pad, False)
        self.run(600)

    def sleep(self, seconds):
        self.naps += 1

    def random(self, below):
        self.seed = (self.seed * 1103 + 12345) & 0xFFFF
        return (self.seed >> 4) % below

    def play(self, turns):
        table = self.table
        play = table.play
        for _ in range(turns):
            if table.state is table.attract or table.state is table.choose:
                self.touch(self.random(2), 100)
                self.run(600)
            elif table.state is table.result:
                self.run(2000)
                self.touch(3, 100)
                self.run(600)
                self.rounds += 1
            else:
                kind = self.random(12)
                if kind == 0:
                    self.touch(self.random(self.n), 3000)  # a hold: counts, peeks, or takes back
                elif kind == 1 and play.history.count:
                    count = play.history.count
                    self.touch(play.history.hole, 2600)
                    if play.history.count < count:
                        self.backs += 1
                elif kind == 2:
                    self.touch(self.random(self.n), 100)
                else:
                    self.touch(table.game.legal[self.random(table.game.moves())], 100)
                self.run(200)
                if play.moving:
                    self.touch(self.random(self.n), 50)  # faster
                while play.moving:
                    self.run(50)


check("the lock holds", not locked(list, (1, 2)))
board = Board("3x6", 0)
board.corners(5500)
check("staff", board.table.staff is not None and board.table.state is board.table.staff)
board.touch(0, 100)
board.run(600)
board.touch(2, 100)
check("staff: a dimmer board", board.table.brightness == 63 and board.table.wishes == DIM_STRIP)
board.touch(8, 100)
board.run(600)
board.touch(1, 100)
board.run(35_000)
board.touch(8, 100)
check("staff: back", board.table.staff is None and board.table.state is board.table.choose)
for name in ("3x6", "2x12"):
    board = Board(name, 0x1FFFFFFF - 20000)  # the clock wraps on the way
    check(name + ": nobody there", locked(board.run, 30_000))
    check(name + ": games", locked(board.play, 250))
    check(name + ": the corners, held for a while", locked(board.corners, 4500))
    check(name + ": some rounds were played to their end", board.rounds >= 1)
    check(name + ": some moves were taken back", board.backs >= 3)
    check(name + ": the strip was written", board.wire.count > 1000)
    check(name + ": it was heard", board.notes > 1000)
    board.power._monitor.value = 22_000
    check(name + ": asleep", locked(board.run, 400_000) and board.table.state is board.table.asleep)
    check(
        name + ": in the dark",
        not board.power._switch.value and board.power._stage == 1 and board.naps > 1000,
    )
for name in ("3x6", "2x12"):
    board = Board(name, 0x1FFFFFFF - 20000, "home", "mpr121")
    board.bus.reads = 0
    check(name + ", mpr121: nobody there", locked(board.run, 30_000))
    check(name + ", mpr121: each chip is read once a scan", board.bus.reads == 6000)
    check(name + ", mpr121: games", locked(board.play, 60))
    check(name + ", mpr121: touches were read twice", board.bus.reads > 6000 + 60 * 2 * ANEW)
    check(name + ", mpr121: games were played", board.table.state is not board.table.attract)
board = Board("3x6", 0, "exhibit")
board.touch(3, 100)
board.run(600)
board.touch(0, 100)
check("exhibit: call and countdown", locked(board.run, 130_000) and board.table.state is board.table.attract)

finish()
