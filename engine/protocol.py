"""Positions and moves as lines of JSON: what `python3 -m engine` answers, and what the board logs.

Written piece by piece, so that a turn of hundreds of laps needs no list of its events.
"""

from engine import replay


def _list(write, key, values):
    write(',"%s":[' % key)
    comma = ""
    for value in values:
        write(comma)
        write(str(value))
        comma = ","
    write("]")


def _events(write, trace):
    walk = replay.Replay(len(trace.before))
    walk.begin(trace, False)
    comma = ""
    while True:
        event = walk.step()
        if event == replay.DONE:
            return
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


def write_position(write, game):
    """Write the position as one line, calling `write` with pieces of text."""
    write("{")
    _position(write, game)


def write_turn(write, game):
    """Write the turn just played, all of it, and where it led."""
    write('{"events":[')
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
