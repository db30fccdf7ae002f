"""The sowing games of Ethiopia and Eritrea: pure rules. No hardware, no clock, no third-party import."""

import os

from engine import games


def names():
    """The games there are, in alphabetical order: one file each in `engine/games/`.

    The folder is listed, so that adding a game touches one file; compiled files (.mpy) count as well.
    """
    path = games.__path__
    found = []
    for file in os.listdir(path if isinstance(path, str) else path[0]):
        name, _, ending = file.rpartition(".")
        if ending in ("py", "mpy") and name[0] not in "_.":
            found.append(name)
    return sorted(found)


def find(name):
    """The class of the game called `name`; ValueError naming the games for any other."""
    known = names()
    if name not in known:
        raise ValueError("no game %s; there are %s" % (name, ", ".join(known)))
    __import__("engine.games." + name)
    return getattr(games, name).GAME


def make(name, options=None, trace=None):
    """A new game at the start of its first round, South to move.

    `options` maps option names to values, all strings; `trace` may be shared by several games.
    ValueError says which games, options or values there would have been.
    """
    return find(name).variant(options or {})(options, trace)
