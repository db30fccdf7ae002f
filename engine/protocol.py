"""Positions and moves as lines of JSON: what `python3 -m engine` answers, and what the board logs.

Written piece by piece, so that a turn of hundreds of laps needs no list of its events.
"""

from engine import replay
from engine.state import FULL, SAVED
from engine.trace import Trace


def _list(write, key, values):
    write(',"%s":[' % key)
    comma = ""
    for value in values:
        write(comma)
        write(str(value))
        comma = ","
    write("]")


def _events(write, trace, comma=""):
    """Write the trace's events; return what stands before the next one."""
    walk = replay.Replay(len(trace.before))
    walk.begin(trace)
    while True:
        event = walk.step()
        if event == replay.DONE:
            return comma
        if event == replay.LIFT:
            line = '["lift",%d,%d]' % (walk.hole, walk.count)
        elif event == replay.TAKE:
            line = '["take",%d,%d]' % (walk.hole, walk.count)
        elif event == replay.SKIP:
            line = '["skip",%d]' % walk.hole
        elif event == replay.CLAIM:
            line = '["claim",%d]' % walk.hole
        elif event == replay.ENDLESS:
            line = '["endless",%d]' % walk.hole
        else:
            continue
        write(comma)
        write(line)
        comma = ","


def _long_events(write, game, before, hole):
    """The events of a turn with more laps than its trace holds (27,581 in one endless turn that was found):
    sown again lap by lap, each through a trace of one lap, so that no memory grows with the turn."""
    whole = game.trace
    after = bytearray(SAVED)
    game.save(after)
    game.load(before)
    game.trace = one = Trace(game.n, 1)
    one.marks = whole.marks
    one.skips = whole.skips
    seeds = bytearray(whole.before)
    comma = ""
    for lap in range(whole.count):
        one.before[FULL] = seeds
        one.laps[0] = hole
        one.laps[1] = seeds[hole] if lap else whole.laps[1]
        one.gambit = 0 if lap else whole.gambit
        hole = game.sow_lap(seeds, hole, lap)
        one.count = one.kept = 1
        if lap + 1 == whole.count:
            one.claim = whole.claim
            one.endless = whole.endless
            one.takes = whole.takes
            one.took = whole.took
        comma = _events(write, one, comma)
    game.trace = whole
    game.load(after)


def write_position(write, game):
    """Write the position as one line, calling `write` with pieces of text."""
    write("{")
    _position(write, game)


def write_turn(write, game, before, hole):
    """Write the turn just played, `hole` chosen in `before` (a saved position), and where it led."""
    write('{"events":[')
    if game.trace.count > game.trace.room:
        _long_events(write, game, before, hole)
    else:
        _events(write, game.trace)
    write("],")
    _position(write, game)


def write_drop(write, game, player, did, dropped, lifted):
    """Write a drop of the race opening just made: `did` is what `Race.drop` returned, `dropped` the hole it fell
    in, `lifted` that hole or the one it began with, and the seeds lifted are those in hand."""
    from engine import race  # here, so that games without one need no memory for it

    write('{"events":[')
    comma = ""
    if did & race.DROP_DROPPED:
        write('["drop",%d]' % dropped)
        comma = ","
    if did & race.DROP_LIFTED:
        write('%s["lift",%d,%d]' % (comma, lifted, game.hand(player)))
    if did & race.DROP_DONE:
        write(',["done",%d]' % player)
    if did & race.DROP_BOTH_DONE:
        write(',["done",%d]' % (1 - player))
    write("],")
    _position(write, game)


def _position(write, game):
    write('"game":"%s"' % game.NAME)
    holes = range(game.n)
    _list(write, "seeds", game.seeds)
    _list(write, "claims", (game.claim(h) for h in holes))
    _list(write, "territory", (game.owner(h) for h in holes))
    _list(write, "unmoved", (game.unmoved(h) for h in holes))
    _list(write, "taken", (game.taken(0), game.taken(1)))
    _list(write, "score", (game.score(0), game.score(1)))
    write(',"mover":%d,"starter":%d' % (game.mover, game.starter))
    _list(write, "turns", (game.turns(0), game.turns(1)))
    write(',"quiet":%d,"again":%d,"over":%d' % (game.quiet, game.again, game.over))
    count = game.moves()
    _list(write, "moves", (game.legal[i] for i in range(count)))
    if game.ROUNDS:
        write(',"round":%d,"match_over":%d' % (game.round, game.match_over))
    if game.races:
        write(',"race":%d' % game.race)
        _list(write, "hands", (game.hand(0), game.hand(1)))
        _list(write, "next_drop", (game.next_drop(0), game.next_drop(1)))
    write("}\n")
