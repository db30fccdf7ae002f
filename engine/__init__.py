"""The sowing games of Ethiopia and Eritrea: pure rules. No hardware, no clock, no third-party import."""

import os

from engine import games


class _Slices:
    """Gives back the slice it is indexed with: MicroPython's `slice` cannot be called, and writing `a[:]`
    in a function makes a new slice object each time."""

    def __getitem__(self, key):
        return key


FULL = _Slices()[:]


def is_whole(word, digits=4):
    """Whether the text is a plain whole number of so many digits at most. (`isdigit` takes other scripts' as well.)"""
    for byte in word.encode():  # not letter by letter: MicroPython keeps each for ever
        if not 48 <= byte <= 57:
            return False
    return 0 < len(word) <= digits


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


def board_of(name):
    """The board of the game called `name`, "3x6" or "2x12"; ValueError for a name that is no game's.

    The first line of its file says it, "Name: board, ...", so that a game which is not asked for need not be
    loaded: that takes a Pico up to 0.1 s and 3 kB. A compiled file (.mpy) has no such line, and is quickly loaded.
    """
    if name not in names():
        raise ValueError("no game %s; there are %s" % (name, ", ".join(names())))
    path = games.__path__
    try:
        with open("%s/%s.py" % (path if isinstance(path, str) else path[0], name), "rb") as file:
            return file.readline().decode().split(": ")[1].split(",")[0]
    except OSError:
        return find(name).BOARD


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
