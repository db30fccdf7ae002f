"""The line protocol: `python3 -m engine` (or `micropython`) reads a command a line, answers a line of JSON.

So another program can hold a game against the engine, as chess programs do with UCI. docs/protocol.md lists
the commands.
"""

import gc
import sys

import engine

try:
    from micropython import opt_level

    opt_level(3)  # no line numbers in the bytecode
except ImportError:
    pass

# All that a session may need, the largest modules first, and nothing left between them: all of it has to go through
# in a heap of 64 kB, of which compiling core.py alone takes some 40 kB on a 64-bit MicroPython. Loaded when they
# are asked for, the last ones would find a heap in pieces.
for module in ("core", "selus", "games.lamlameta", "session", "race"):
    __import__("engine." + module)
    gc.collect()
for game in reversed(engine.names()):
    engine.find(game)
    gc.collect()

LINE = 1 << 24  # bytes: a whole position takes some 600, the answer to the longest turn known 1.4 million
PIECE = 256  # bytes read at once: no large buffer in a small heap


def read_line(read):
    """One line as bytes, without its end; None at the end of the input, False for one that cannot be held."""
    line = read(PIECE)
    if not line:
        return None
    piece = line
    while piece and piece[-1] != 10:
        piece = read(PIECE)
        if line is not False:
            try:
                line = line + piece if len(line) < LINE else False
            except MemoryError:
                line = False
    return line


def main():
    write = sys.stdout.write
    session = engine.session.Session(write)
    read = sys.stdin.buffer.readline
    while True:
        line = read_line(read)
        if line is None:
            return
        try:
            text = line.decode() if line is not False else None
        except (UnicodeError, MemoryError):
            text = None
        if text is None:
            session.error("a line is UTF-8 text of less than %d bytes, and fits in the memory" % LINE)
        elif not session.answer(text):
            return
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, OSError):  # the reader has gone: a broken pipe, or Ctrl-C
        sys.exit(1)
