"""Runs as code.py in front of the board's own code.py, which is there as main.py, unchanged: some pads then do what
must never happen, and the board must come back from it. To each who connects it tells why it has begun."""

import sys

import microcontroller
import supervisor

from table.table import Table

HANG, ERROR, MEMORY, SAFE_MODE = 1, 2, 3, 6  # the pads

press = Table.press
report = Table.report


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
    if pad == SAFE_MODE:
        microcontroller.on_next_reset(microcontroller.RunMode.SAFE_MODE)
        microcontroller.reset()
    press(self, pad, strength, now)


def frank(self):
    watchdog = sys.modules["main"].watchdog
    errors = ['"%s"' % text for text, _ in self.memory.errors]
    began = '{"began":"%s","before":%d,"errors":[%s]}'
    self.note(began % (watchdog.reason, watchdog.before, ",".join(errors)))
    report(self)


Table.press = faulty
Table.report = frank

import main  # noqa: E402, F401
