"""What code.py needs once the board plays: the console, the staff's wishes, what attract shows, the self-test.

A file apart, since the board's first light need not wait for it.
"""

import gc
import random

import supervisor
import usb_cdc

from hardware.console import Console
from table.states import DIM_STRIP, LEFT_STAFF, RUN_SELFTEST, TELL_COUNTERS

# Bytes of the console that may wait for the host: a turn's line, or the readings of 24 pads; else what is wrong.
WAITING = 1024
LITTLE = 256


def self_test(settings, output, pads, complaints, alive, let_go, ends):
    """The self-test, until somebody ends it, or if it `ends`, nobody is there; its modules are let go of again."""
    import hardware.selftest

    console = Console(usb_cdc.console, WAITING)
    hardware.selftest.run(output, settings, pads, console, supervisor.ticks_ms, complaints, alive, ends)
    let_go("hardware.selftest", "hardware.ledmap", "hardware.keys")


class Service:
    """`tick()` in each pass of the loop. `complaints`: lines that say what was wrong with the settings; `alive()` feeds
    the watchdog; `let_go(*names)` forgets modules."""

    def __init__(self, table, settings, strip, pads, complaints, alive, let_go):
        self._table = table
        self._settings = settings
        self._strip = strip
        self._pads = pads
        self._complaints = complaints
        self._alive = alive
        self._let_go = let_go
        self._console = Console(usb_cdc.console, WAITING if settings.log else LITTLE)
        self._told = False
        self._keys = self._answers = None  # while somebody listens
        if settings.log:
            table.log = self._console.write
        table.open_show = self._open_show

    def tick(self):
        console = self._console
        if self._table.wishes:
            self._serve()
        console.tick()
        if console.connected != self._told:
            self._told = console.connected
            self._keys = self._answers = None
            if console.connected:
                self._greet()
                from hardware.keys import Answers, Keys

                self._keys = Keys(console)
                self._answers = Answers(console)
        if self._keys:
            self._answers.tick()
            text = self._keys.line()
            if text:
                self._obey(text.strip().lower())

    def _open_show(self, its):
        """What attract plays on that table. Its module, 5 kB, is forgotten at once: it lasts as long as the show."""
        from table.show import Show

        self._let_go("table.show")
        return Show(its, random.randrange)

    def _greet(self):
        """Who connects hears what was wrong with the settings; a program, what there is to play, and what goes on."""
        table = self._table
        write = self._console.write
        for line in self._complaints:
            write(line)
            write("\n")
        if table.log:
            names = ",".join([name for name, _ in table.games])
            write("gebeta ready board=%s games=%s free=%d\n" % (self._settings.board, names, gc.mem_free()))
            table.report()

    def _report(self):
        """The counters, on the console."""
        if self._answers.say(self._table.memory.report):
            self._let_go("table.report")
        else:
            self._console.write("counters: read those before first\n")

    def _serve(self):
        """What the staff has asked the table for."""
        table = self._table
        wishes = table.wishes
        table.wishes = 0
        if wishes & DIM_STRIP:
            self._strip.dim(table.brightness)
        if wishes & TELL_COUNTERS:
            if self._answers:
                self._report()
            else:
                table.wishes = TELL_COUNTERS  # so it says no
        if wishes & RUN_SELFTEST:
            output = self._strip.output
            self_test(self._settings, output, self._pads, self._complaints, self._alive, self._let_go, True)
            table.staff.catch_up(supervisor.ticks_ms(), self._pads.is_out)
            self._strip.fresh = self._strip.rising = True
        if wishes & LEFT_STAFF:
            self._let_go("table.staff")
            gc.collect()

    def _obey(self, text):
        """A line that was typed at the console."""
        if text == "counters" and self._table.memory:
            self._report()
        elif text == "staff":
            if not self._table.corners.open_staff():
                self._console.write("staff: open already, or a race is on\n")
        elif text:
            self._console.write("%s: allowed are counters, staff\n" % text)
