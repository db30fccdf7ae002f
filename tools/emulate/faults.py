"""Runs as code.py in front of the board's own code.py, which is there as main.py, unchanged: some pads then do what
must never happen. The board must come back from each of them."""

import sys

import supervisor

import table.table

HANG, ERROR, MEMORY = 1, 2, 3  # the pads

press = table.table.Table.press


def faulty(self, pad, strength, now):
    if pad == HANG:
        while True:
            supervisor.ticks_ms()
    if pad == ERROR:
        self.state = None
    if pad == MEMORY:
        self.junk = []
        while sys.implementation.name == "circuitpython":
            self.junk.append(bytearray(64))
        raise MemoryError
    press(self, pad, strength, now)


table.table.Table.press = faulty

import main  # noqa: E402, F401
