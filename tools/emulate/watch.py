"""Runs on the emulated Pico as code.py, in front of the board's own code.py, which is there as main.py, unchanged.

It stands for two of the modules that code.py uses, `supervisor` and `gc`: so it is called in each pass of the loop and
at the end of each turn, and can say on the console what the heap is like. Lines: `watch KEY=NUMBER ...`.
"""

import gc
import sys

import supervisor

BLOCK = 256  # bytes, how exactly the largest free block is found
EVERY = 30  # collections between two lines
QUIET = 128  # passes of the loop over which allocations are counted

gc.collect()
before = gc.mem_free()


class Passes:
    """`supervisor`, but that it counts the passes of the loop, each of which asks it for the time once."""

    runtime = supervisor.runtime

    def __init__(self):
        self.passes = 0
        self.windows = 0  # stretches of QUIET passes,
        self.least = -1  # and the fewest bytes allocated in one
        self.at = 0
        self.used = 0

    def ticks_ms(self):
        self.passes += 1
        if self.passes - self.at == QUIET:
            used = gc.mem_alloc()
            if used >= self.used and (self.least < 0 or used - self.used < self.least):
                self.least = used - self.used
            self.windows += 1
            self.at = self.passes
            self.used = used
        return supervisor.ticks_ms()

    def __getattr__(self, name):
        return getattr(supervisor, name)


class Turns:
    """`gc`, but that it tells how the heap is after the collection at a turn's end."""

    def __init__(self):
        self.count = 0  # collections since the loop has begun; the first ones are those of a game's beginning

    def collect(self):
        gc.collect()
        if passes.passes > 3:
            self.count += 1
            if self.count < 4 or self.count % EVERY == 0:
                self.tell()

    def tell(self):
        gc.collect()
        free = gc.mem_free()
        block = largest(free)
        print("\nwatch collections=%d free=%d largest=%d" % (self.count, free, block), end=" ")
        print("own=%d passes=%d windows=%d allocated=%d" % (own, passes.passes, passes.windows, passes.least))
        gc.collect()
        passes.at = passes.passes
        passes.used = gc.mem_alloc()

    def __getattr__(self, name):
        return getattr(gc, name)


def largest(most):
    """The largest block that can be allocated, in bytes."""
    least = 0
    while most - least > BLOCK:
        size = (least + most) // 2
        try:
            bytearray(size)
            least = size
        except MemoryError:
            most = size
        gc.collect()
    return least


passes = Passes()
sys.modules["supervisor"] = passes
sys.modules["gc"] = Turns()
gc.collect()
own = before - gc.mem_free()

import main  # noqa: E402, F401
