"""Times random turns on the interpreter that runs it: CPython, MicroPython or CircuitPython.

    python3 tools/bench_turns.py [GAME ...]        micropython tools/bench_turns.py heap

`python3 -m tools.bench` starts it and makes a table of what it prints. On a Pico, copy it to the drive's root
beside `engine`, type `import bench_turns` in the REPL, and give what was printed to `tools.bench --board FILE`.

A line `bare NS` says how long one pass of the bare loop takes, in thousandths of a nanosecond. A line
`game NAME N T D TT...` holds, for a fit of time = N * a + drops * b, the sums over N turns: of the times, the
drops, drops * drops, drops * times, and the laps. A turn's time is that of `moves` and `play`.
"""

import gc
import sys
import time

sys.path.insert(0, ".")

from engine import replay

ON_BOARD = sys.implementation.name == "circuitpython"
PASSES = 4800  # 200 rounds of 24 holes: no hole comes to 256
if hasattr(time, "monotonic_ns") and ON_BOARD:
    clock = time.monotonic_ns
elif hasattr(time, "perf_counter_ns"):
    clock = time.perf_counter_ns
else:
    clock = time.time_ns
# Elsewhere than on a board others run too: each turn is timed several times, and the quickest times count.
TURNS, REPEATS = (250, 1) if ON_BOARD else (1500, 12)


def bare(b, hand):
    """The bare loop: what sowing costs in this language at the very least."""
    hole = 0
    while hand:
        hole += 1
        if hole == 24:
            hole = 0
        b[hole] = b[hole] + 1
        hand -= 1


def time_bare():
    best = 0
    for _ in range(REPEATS):
        b = bytearray(24)
        start = clock()
        bare(b, PASSES)
        spent = clock() - start
        if not best or spent < best:
            best = spent
    return best * 1000 // PASSES


def time_clock():
    """What reading the clock takes by itself, and the shortest time that it can tell."""
    best = tick = 0
    for _ in range(REPEATS):
        start = clock()
        for _ in range(200):
            clock()
        spent = clock() - start
        if not best or spent < best:
            best = spent
    for _ in range(200):
        spent = -clock()
        while spent + clock() == 0:
            pass
        spent += clock()
        if not tick or spent < tick:
            tick = spent
    return best // 201, tick


def play_turns(game, turns, idle, take):
    """The same random turns each time; calls `take(i, time of turn i)` after each."""
    seed = 4
    game.start(0)
    for i in range(turns):
        if game.over:
            game.start(i & 1)
        if i & 31 == 0:
            gc.collect()  # not within the time of a turn
        start = clock()
        count = game.moves()
        middle = clock()
        seed = (seed * 1109 + 12345) & 0xFFFF
        hole = game.legal[(seed >> 4) % count]
        again = clock()
        game.play(hole)
        take(i, clock() - again + middle - start - 2 * idle)


class Times:
    """Times, drops and laps of the turns of one game."""

    def __init__(self, game, turns, idle, tick):
        self.game = game
        self.walk = replay.Replay(game.n)
        self.quickest = [0] * turns
        self.total = [0] * turns
        self.taken = [0] * turns
        self.drops = [0] * turns
        self.laps = [0] * turns
        # A clock's tick more or less is chance, and its mean right; anything above that, somebody else's time.
        self.near = 2 * tick
        play_turns(game, turns, idle, self._first)
        for _ in range(REPEATS - 1):
            play_turns(game, turns, idle, self._shorter)
        if REPEATS > 1:
            for _ in range(REPEATS):
                play_turns(game, turns, idle, self._mean)

    def _first(self, i, time):
        self.quickest[i] = time
        self.laps[i] = self.game.trace.count
        walk = self.walk
        walk.begin(self.game.trace)
        event = walk.step()
        while event != replay.DONE:
            if event == replay.DROP:
                self.drops[i] += 1
            event = walk.step()

    def _shorter(self, i, time):
        if time < self.quickest[i]:
            self.quickest[i] = time

    def _mean(self, i, time):
        if time <= self.quickest[i] + self.near:
            self.total[i] += time
            self.taken[i] += 1

    def time(self, i):
        return self.total[i] // self.taken[i] if self.taken[i] else self.quickest[i]


def sums(game, idle, tick):
    """The sums for the fit. A turn of more laps than a replay walks is left out."""
    times = Times(game, TURNS, idle, tick)
    n = t = d = dd = dt = laps = 0
    for i in range(TURNS):
        if times.laps[i] <= game.trace.room:
            time = times.time(i)
            drops = times.drops[i]
            n += 1
            t += time
            d += drops
            dd += drops * drops
            dt += drops * time
            laps += times.laps[i]
    return n, t, d, dd, dt, laps


def measure(names):
    import engine

    print("interpreter", sys.implementation.name, ".".join([str(i) for i in sys.implementation.version[:3]]))
    print("bare", time_bare())
    idle, tick = time_clock()
    for name in names or engine.names():
        print("game", name, *sums(engine.make(name), idle, tick))
    print("done")


def measure_heap():
    """Bytes of MicroPython's heap; the modules that the engine needs for any game come first."""

    def used():
        gc.collect()
        gc.collect()  # what the stack still pointed to at the first
        return gc.mem_alloc()

    before = used()
    import engine.core
    import engine.selus

    print("heap imported", used() - before)
    for name in engine.names():
        kind = engine.find(name)
        game = None
        before = used()
        game = kind()
        whole = used() - before
        seed = 4
        for i in range(1010):
            if i == 10:
                before = used()
            if game.over:
                game.start(i & 1)
            count = game.moves()
            seed = (seed * 1109 + 12345) & 0xFFFF
            game.play(game.legal[(seed >> 4) % count])
        left = gc.mem_alloc() - before
        state = len(game.seeds) + len(game.marks) + len(game.tally)
        print("heap", name, whole, state, left)
    print("done")


if __name__ in ("__main__", "bench_turns"):
    arguments = [] if ON_BOARD else sys.argv[1:]
    if arguments == ["heap"]:
        measure_heap()
    else:
        measure(arguments)
