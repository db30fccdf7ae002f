"""Endless sowing, found exactly and in constant memory.

The position at the start of a lap is the seeds and the hole about to be lifted. The first time that such a position
has already stood at the start of an earlier lap of the same move, the move ends there.
"""

from engine.state import FULL, QUIET_END, SUSPECT


def sow_on(game, first, hole):
    """Go on from `hole` after SUSPECT laps, watching for endless sowing; return the last hole.

    The position at a lap's start is the seeds and the hole about to be lifted. Brent: keep one such
    position, compare each later one with it, and take a new one after 16, 32, 64... laps; when a position
    comes back, the cycle's length is known. Then sow the move again by two pointers that far apart: where
    they first agree is the first position to come back, and there the move ends.
    """
    seeds = game.seeds
    kept = game._scratch
    trace = game.trace
    kept[FULL] = seeds
    kept_hole = hole
    lap = SUSPECT
    window = SUSPECT
    length = 0
    while True:
        last = game._sow(seeds, hole, lap, lap + 1)
        if last >= 0:
            if trace.count > trace.room:
                trace.landed[FULL] = seeds
            return last
        hole = -1 - last
        lap += 1
        length += 1
        if hole == kept_hole and seeds == kept:
            break
        if length == window:
            window += window
            length = 0
            kept[FULL] = seeds
            kept_hole = hole
    behind = ahead = first
    seeds[FULL] = trace.before
    kept[FULL] = trace.before
    for lap in range(length):
        ahead = game.sow_lap(kept, ahead, lap)
    lap = 0
    while behind != ahead or seeds != kept:
        ahead = game.sow_lap(kept, ahead, lap + length)
        behind = game.sow_lap(seeds, behind, lap)
        lap += 1
    trace.count = lap + length
    trace.kept = min(trace.count, trace.room)
    trace.endless = behind
    trace.dirty = 1
    if trace.count > trace.room:
        trace.landed[FULL] = seeds
    return behind + QUIET_END


def came_back(game):
    """Whether the last lap sown began in a position that had stood at the start of an earlier lap of the move; if
    so, put the game back to where the first such position came back: there the move has ended.

    For a rule by which a seed does one thing the first time and another when the same position comes again, as in
    Gabata of Aksum, where a hole can be claimed once it has been lifted: there Brent's method would come too late. Laps
    are told apart by what they lift first; only if that has come back is the move sown again, each lap
    start compared with all before it.
    """
    trace = game.trace
    laps = trace.laps
    last = trace.count - 1
    if last < trace.room:
        at = last + last
        i = 0
        while i < at and (laps[i] != laps[at] or laps[i + 1] != laps[at + 1]):
            i += 2
        if i >= at:
            return False
    seeds = game._scratch
    earlier = game._kept_marks  # bytes to work with: nothing else needs them during a move
    seeds[FULL] = trace.before
    hole = laps[0]
    found = False
    lap = 0
    while lap < last and not found:
        hole = game.sow_lap(seeds, hole, lap)
        lap += 1
        earlier[FULL] = trace.before
        start = laps[0]
        i = 0
        while i < lap and not (start == hole and earlier == seeds):
            start = game.sow_lap(earlier, start, i)
            i += 1
        found = i < lap
    trace.count = lap if found else last + 1
    trace.kept = min(trace.count, trace.room)
    if found:
        game.seeds[FULL] = seeds
        trace.endless = trace.last = hole
        trace.dirty = 1
        if trace.count > trace.room:
            trace.landed[FULL] = seeds
    return found
