"""On MicroPython: once made, the opponent's search allocates nothing, from `begin` to the end, at any level."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

from mp_checks import check, finish, locked

import engine
from engine.search import Search


def turns(searches):
    """A game of all levels in turn, thinking in slices."""
    game, search = searches
    for i in range(20):
        if game.over:
            game.start(i & 1)
        search.begin(game, 1 + i % 3, 1000 * i, 1500)
        while search.think(200):
            pass
        game.play(search.hole)


def careless(search):
    return [search]


for name in engine.names():
    game = engine.make(name)
    check(name, locked(turns, (game, Search(game))))
check("a list is noticed", not locked(careless, None))
finish()
