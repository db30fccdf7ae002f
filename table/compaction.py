"""Makes room in the journal: all that must not be forgotten, in one block. Loaded for that only.

Numbers stand with their lowest byte first; `table/recall.py` reads them again.
"""

from engine.state import SAVED


def written(value, size=4):
    """A number of so many bytes."""
    return bytes([value >> (8 * i) & 255 for i in range(size)])


def compact(memory, table):
    """Write the counters, what the staff has chosen, the errors, and the game that is on. False where the board has no
    memory for it."""
    data = b"".join([written(counter) for counter in memory.counters])
    data += bytes((len(memory.kinds),))
    for name, begun, finished in memory.kinds:
        data += written(name, 2) + written(begun) + written(finished)
    data += written(memory.stamp, 2) + bytes((memory.brightness, memory.games))
    data += bytes((len(memory.errors),))
    for text, seconds in memory.errors:
        data += written(seconds) + bytes((len(text),)) + text.encode()
    return memory.journal.compact(data + on(memory, table))


def on(memory, table):
    """The game that is to be found again: its marks, who began, the position up to 16 choices back, those choices."""
    holes = b""
    saved = bytearray(SAVED)
    game = table.game
    if table.state is table.play:
        holes = table.play.history.holes()
        if holes:
            saved = table.play.history.first()
        else:
            game.save(saved)
    elif table.state is table.result and not game.match_over:
        game.save(saved)
    else:
        return b""
    return memory.game + bytes((memory.starter, len(holes))) + bytes(saved) + holes
