"""No light allocates once `Lights` is made: every cue, every event of a move, under a locked heap."""

import sys

sys.path.insert(0, ".")

import micropython

from engine.trace import Trace
from table.cues import NORTHS, SOUTHS
from table.deal import Dealing
from table.lights import DEAD, END, LEGAL, START, TWICE, Lights


def trace_of_everything(n):
    """A trace with a gambit's lift, relays, a skip, and all that can follow."""
    trace = Trace(n)
    trace.marks = bytearray(n)
    for hole in range(n):
        trace.before[hole] = 3
        trace.landed[hole] = 2
        trace.marks[hole] = 1 if hole >= n // 2 else 0
    trace.before[n // 2 + 1] = 2
    trace.skips = 1
    trace.start = 8
    trace.count = trace.room + 1
    trace.claim = n - 2
    trace.take(n - 3, 2)
    trace.endless = 3
    trace.bonus = trace.over = 1
    trace.passes = 2
    return trace


def every_cue(lights, n, seeds, marks, flags, now, clock, t):
    lights.clear()
    lights.rest(seeds, marks, flags, clock)
    lights.press(3, 200)
    lights.no(4, t)
    lights.swell(flags, t)
    lights.finish(now)
    lights.clear()
    lights.rest(seeds, marks, flags, clock)
    lights.next_drop(3, 0, clock, True)
    lights.next_drop(4, 1, clock, False)
    lights.pulse(marks, t % 600, 600)
    lights.count_out(2, 40, t)
    lights.glow_end(5, t)
    lights.filling(0, t, 5000)
    lights.call(flags, clock)
    lights.countdown(t, 20000)
    lights.finish(now + 5)
    lights.clear()
    lights.entry(1, 3, clock)
    lights.bars(30, 24, t)
    lights.winner(-1, clock)
    lights.winner(0, clock)
    lights.ember(clock)
    lights.finish(now + 10)


def motion(lights, trace, marks, now):
    ms = lights.begin(trace, marks)
    for t in range(0, ms + 100, 37):
        lights.clear()
        lights.motion(t, (now + t) % 4000)
        lights.finish((now + t) & 0x1FFFFFFF)
    for t in range(ms, -100, -370):
        lights.clear()
        lights.motion(t, 0)
        lights.finish((now + 2 * ms - t) & 0x1FFFFFFF)
    return ms


def dealing(lights, scene, marks, now):
    ms = scene.begin(marks, 1)
    for t in range(0, ms + 100, 37):
        lights.clear()
        lights.film(scene, t, (now + t) % 4000)
        lights.finish((now + t) & 0x1FFFFFFF)
    return ms


def run(n):
    lights = Lights(n)
    lights.load()
    scene = Dealing(n, lights)
    territory = bytearray(n)
    for hole in range(n // 2, n - 4):
        territory[hole] = 1
    trace = trace_of_everything(n)
    seeds = bytearray(n)
    marks = bytearray(n)
    flags = bytearray(n)
    for hole in range(n):
        seeds[hole] = hole * 2
        marks[hole] = hole % 3 << 2
        flags[hole] = (LEGAL, END, START | TWICE, DEAD, SOUTHS, NORTHS)[hole % 6]
    micropython.heap_lock()
    for i in range(200):
        every_cue(lights, n, seeds, marks, flags, 0x1FFFFF00 + i * 31 & 0x1FFFFFFF, i * 31 % 4000, i * 31)
    ms = motion(lights, trace, marks, 0x1FFFFFF0)
    dealt = dealing(lights, scene, territory, 0x1FFFFFF0)
    micropython.heap_unlock()
    assert 4000 < ms <= 12000, ms
    assert dealt > 5000, dealt


run(18)
run(24)
print("2 passed, 0 failed")
