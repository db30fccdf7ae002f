"""Put up a position that another program describes, and refuse one that cannot be."""

from engine import state

IGNORED = ("game", "score", "moves", "events", "match_over", "race", "hands", "next_drop")


def _numbers(key, value, length, low, high):
    right = "%s: a list of %d whole numbers, %d to %d, is right" % (key, length, low, high)
    if type(value) is not list or len(value) != length:
        raise ValueError(right)
    for item in value:
        _number(item, low, high, right)
    return value


def _number(value, low, high, right):
    if type(value) is not int or not low <= value <= high:
        raise ValueError(right)
    return value


def put_up(game, position):
    """Change the game's position to the one that the dict describes; ValueError where it is not possible.

    The caller saves and restores: on an error part of it may have been written.
    """
    n = game.n
    total = n * game.EACH
    tally = game.tally
    marks = game.marks
    flags = {"mover": state.MOVER, "starter": state.STARTER, "again": state.AGAIN, "over": state.OVER}
    for key in position:
        value = position[key]
        if key in IGNORED:
            continue
        if key == "seeds":
            for hole, seeds in enumerate(_numbers(key, value, n, 0, total)):
                game.seeds[hole] = seeds
        elif key == "claims":
            for hole, owner in enumerate(_numbers(key, value, n, -1, 1)):
                marks[hole] = marks[hole] & 3 | (owner + 1) << state.CLAIM
        elif key == "territory":
            for hole, owner in enumerate(_numbers(key, value, n, 0, 1)):
                marks[hole] = marks[hole] & ~1 | owner
        elif key == "unmoved":
            for hole, unmoved in enumerate(_numbers(key, value, n, 0, 1)):
                marks[hole] = marks[hole] & ~state.LIFTED | (0 if unmoved else state.LIFTED)
        elif key == "taken":
            for player, seeds in enumerate(_numbers(key, value, 2, 0, total)):
                tally[state.TAKEN + player] = seeds
        elif key == "turns":
            for player, turns in enumerate(_numbers(key, value, 2, 0, 65535)):
                tally[state.TURNS + player] = turns & 255
                tally[state.TURNS + 2 + player] = turns >> 8
        elif key == "quiet":
            tally[state.QUIET] = _number(value, 0, 255, "quiet: a whole number, 0 to 255, is right")
        elif key in flags:
            tally[flags[key]] = _number(value, 0, 1, "%s: 0 or 1 is right" % key)
        elif key == "round" and game.ROUNDS:
            number = _number(value, 1, 65535, "round: a whole number from 1 is right")
            tally[state.ROUND] = number & 255
            tally[state.ROUND + 1] = number >> 8
        else:
            raise ValueError("set: no key %s in a position of %s" % (key, game.NAME))
    found = tally[state.TAKEN] + tally[state.TAKEN + 1]
    for hole in range(n):
        found += game.seeds[hole]
    if found != total:
        raise ValueError("seeds and taken add up to %d: %d is right" % (found, total))
    game.put_up()
