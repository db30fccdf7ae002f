"""On MicroPython: `moves`, `play`, `lap_end`, `save`, `load` allocate nothing, even in endless turns."""

import gc
import sys

sys.path.insert(0, ".")
sys.path.append("tests")

import micropython
from mp_checks import check, finish

import engine
from engine.state import DONE, MOVER, SAVED, TURNS

saved = bytearray(SAVED)


def turns(game, most, seed):
    """Random turns with the heap locked: any allocation raises MemoryError."""
    for _ in range(most):
        count = game.moves()
        if not count:
            game.start(seed & 1)
            count = game.moves()
        seed = (seed * 1103 + 12345) & 0xFFFF
        hole = game.legal[(seed >> 4) % count]
        game.lap_end(hole)
        game.save(saved)
        game.play(hole)
        game.load(saved)
        game.play(hole)
    return seed


def locked(function, a, b, c):
    gc.collect()
    micropython.heap_lock()
    try:
        function(a, b, c)
        return True
    except MemoryError:
        return False
    finally:
        micropython.heap_unlock()


def long_turn(game, seeds, hole):
    game.start(0)
    for i in range(game.n):
        game.seeds[i] = seeds[i]
    game.tally[MOVER] = hole // 12
    game.tally[TURNS] = game.tally[TURNS + 1] = 1
    game.put_up()
    game.play(hole)


def careless(game, a, b):
    return [game, a, b]


check("the lock holds", not locked(careless, None, 0, 0))


def race(game, drops, seed):
    """Random drops of both players' hands."""
    game.start(seed & 1)
    for _ in range(drops):
        seed = (seed * 1103 + 12345) & 0xFFFF
        player = (seed >> 5) & 1
        if not game.race:
            game.start(player)
        if game.tally[DONE + player]:
            player = 1 - player
        if game.next_drop(player) >= 0:
            game.drop(player)
        else:
            hole = 9 * player
            while not game.may_lift(player, hole):
                hole += 1
            game.drop(player, hole)


for name in engine.names():
    kind = engine.find(name)
    for option in kind.OPTIONS:
        for value in kind.OPTIONS[option]:
            game = engine.make(name, {option: "1" if value == "N" else value})
            play = race if game.races else turns
            check("%s %s=%s" % (name, option, value), locked(play, game, 400, 7))

game = engine.make("lamlameta")
# 106 laps, and an endless turn of 27,581 laps, both from positions that a search over random ones found
laps106 = (1, 3, 2, 4, 2, 2, 4, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1, 2, 1, 2, 2, 2, 2, 4)
endless = (1, 2, 1, 4, 1, 1, 2, 1, 4, 3, 1, 1, 2, 2, 1, 3, 2, 1, 2, 1, 3, 4, 3, 2)
check("106 laps", locked(long_turn, game, laps106, 12) and game.trace.count == 106)
check("endless", locked(long_turn, game, endless, 12) and game.trace.endless >= 0)
check("27,581 laps", game.trace.count == 27581)

# and the heap is the same after a thousand turns
game = engine.make("gabata_aksum")
seed = turns(game, 10, 3)
gc.collect()
before = gc.mem_alloc()
turns(game, 1000, seed)
check("no garbage in 1,000 turns", gc.mem_alloc() == before)

finish()
