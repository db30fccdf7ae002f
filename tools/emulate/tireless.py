"""Runs on the emulated Pico as code.py, in front of the board's own code.py, which is there as main.py, unchanged: what
the computer thinks about never comes to an end, so that one can measure how the board does meanwhile. Each second it
says how many units of work that were: `watch work=NUMBER ms=NUMBER`."""

import supervisor

from engine.search import Search

TELL_MS = 1000

think = Search.think
begin = Search.begin
asked = [None, 0, 0]
count = [0, 0, supervisor.ticks_ms()]


def remember(self, game, level, seed):
    asked[0] = game
    asked[1] = level
    asked[2] = seed
    begin(self, game, level, seed)


def go_on(self, budget):
    now = supervisor.ticks_ms()
    count[1] += budget
    if now - count[2] >= TELL_MS:
        print("\nwatch work=%d ms=%d" % (count[1], now - count[2]))
        count[1] = 0
        count[2] = now
    if not think(self, budget):
        asked[2] += 1
        begin(self, asked[0], asked[1], asked[2])
    return True


Search.think = go_on
Search.begin = remember

import main  # noqa: E402, F401
