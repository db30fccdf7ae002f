"""A line on stderr that says how far long work is, and how long it will take yet."""

import sys
import time

WIDTH = 30


class Progress:
    def __init__(self, total):
        self.total = total
        self.begun = self.shown = time.monotonic()
        self.every = 0.2 if sys.stderr.isatty() else 60  # seconds; a log is not to fill up

    def show(self, done, what):
        """`done` of the total is done; `what` says in what it is."""
        now = time.monotonic()
        if now - self.shown < self.every or not done:
            return
        self.shown = now
        left = round((now - self.begun) * (self.total - done) / done)
        filled = WIDTH * done // self.total
        bar = "#" * filled + "." * (WIDTH - filled)
        time_left = "%d:%02d:%02d left" % (left // 3600, left // 60 % 60, left % 60)
        sys.stderr.write("\r[%s] %d of %d, %s  %-50s" % (bar, done, self.total, time_left, what))
        sys.stderr.flush()

    def end(self):
        sys.stderr.write("\r%s\r" % (" " * (WIDTH + 90)))
        sys.stderr.flush()
