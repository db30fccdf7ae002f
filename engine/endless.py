"""Endless sowing, found exactly and in constant memory.

The position at the start of a lap is the seeds and the hole about to be lifted. The first time that such a position
has already stood at the start of an earlier lap of the same move, the move ends there.
"""

from engine.state import FULL, QUIET_END, SUSPECT


def sow_on(game, hole):
    """Go on from `hole` after SUSPECT laps, watching for endless sowing; return the last hole.

    Brent: keep one position, compare each later one with it, and take a new one after 16, 32, 64... laps; when a
    position comes back, the cycle's length is known. A game that a search plays (`reach`) goes no further than so many
    laps: the move is taken to end there.
    """
    seeds = game.seeds
    trace = game.trace
    drops = trace.drops
    kept = game._scratch
    kept[FULL] = seeds
    kept_hole = hole
    lap = SUSPECT
    window = SUSPECT
    length = 0
    while True:
        last = game._sow(seeds, hole, lap, lap + 1)
        lap += 1
        drops += trace.drops
        if last >= 0 or lap == game.reach:
            trace.sown(lap, seeds)
            trace.drops = drops
            return last if last >= 0 else QUIET_END - 1 - last
        hole = -1 - last
        length += 1
        if hole == kept_hole and seeds == kept:
            hole = _end(game, length)
            trace.drops = drops
            return hole + QUIET_END
        if length == window:
            window += window
            length = 0
            kept[FULL] = seeds
            kept_hole = hole


def _end(game, length):
    """The move runs into a cycle of so many laps: put the game to where the first position came back, for there the
    move has ended, and return the hole that would be lifted. It is sown again by two pointers that far apart; the
    first position to come back is where they first agree."""
    trace = game.trace
    seeds = game.seeds
    kept = game._scratch
    behind = ahead = trace.start
    seeds[FULL] = trace.before
    kept[FULL] = trace.before
    for lap in range(length):
        ahead = game.sow_lap(kept, ahead, lap)
    lap = 0
    while behind != ahead or seeds != kept:
        ahead = game.sow_lap(kept, ahead, lap + length)
        behind = game.sow_lap(seeds, behind, lap)
        lap += 1
    trace.sown(lap + length, seeds)
    trace.endless = trace.last = behind
    trace.dirty |= 2
    return behind


def came_back(game):
    """Whether the last lap sown began in a position that had stood at the start of an earlier lap of the move; if
    so, put the game back to where the first such position came back: there the move has ended.

    For a rule by which a seed does one thing the first time and another when the same position comes again, as in
    Gabata of Aksum, where a hole can be claimed once it has been lifted: there Brent's method would come too late.
    Not worth asking before there were more laps than holes: laps follow one another round the ring, so that a cycle
    of them gives as many seeds to each hole, and for all to be as before, each must have been lifted.
    """
    trace = game.trace
    count = trace.count
    drops = trace.drops
    seeds = game._scratch
    seeds[FULL] = trace.before
    start = trace.start
    for lap in range(count - 1):
        start = game.sow_lap(seeds, start, lap)
    # From a position that comes back, laps go as they went, up to the one that ends otherwise: the last.
    earlier = game._kept_marks  # bytes to work with: nothing else needs them during a move
    earlier[FULL] = trace.before
    hole = trace.start
    lap = 0
    while lap < count - 1 and (hole != start or earlier != seeds):
        hole = game.sow_lap(earlier, hole, lap)
        lap += 1
    again = lap < count - 1
    if again:
        _end(game, count - 1 - lap)
    else:
        trace.count = count
    trace.drops = drops
    return again
