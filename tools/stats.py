"""The counters of a board on USB, as a table, as CSV and as a chart.

    python3 -m tools.stats [--port PORT] [--from FILE] [--csv] [--chart FILE]

It asks the board's console for them (`counters`), so no terminal program may have that open. FILE of --from holds what
was saved earlier, by --csv or from a terminal. Needs pyserial, and for a chart matplotlib: `pip install -r
requirements/stats.txt`.
"""

import argparse
import re
import sys
import time
from pathlib import Path

# Who makes boards that CircuitPython runs on with these chips: Adafruit, whose number a Pico has, and Raspberry Pi.
VENDORS = (0x239A, 0x2E8A)
BAUD = 115_200  # USB has no such thing, but pyserial wants one

FIRST_S = 15  # until the first line: a board that has just been plugged in takes 6 s to listen
NEXT_S = 3  # between two lines
HEADER = "counter,value"
LAST = "seconds_played"  # of those that every board has
LINE = re.compile(r'([a-z_]+(?: \w+)?),(\d+|"[^"]*")')
LOST = re.compile(r"\(\d+ lines lost\)")

ONE = "one_player"  # as table/memory.py has it
TITLES = {
    "power_ups": "power-ups",
    "errors": "errors",
    "idle_resets": "games given up by idleness",
    "taps": "taps",
    "wrong_taps": "taps on what could not be chosen",
    "turns": "turns",
    "seconds_played": "seconds played",
}
INSTALL = "pip install -r requirements/stats.txt"


class Failed(Exception):
    """The counters cannot be had; the text says why, and what to do."""


# ---- the board


def find_port(ports):
    """The device of the only board among `ports`, as serial.tools.list_ports has them."""
    boards = [port for port in ports if port.vid in VENDORS]
    if not boards:
        others = ", ".join(port.device for port in ports) or "none"
        raise Failed(
            "no board found on USB. Is it switched on, and the cable one for data? "
            f"Or name its port with --port (serial ports of this computer: {others})"
        )
    if len(boards) > 1:
        names = "".join(f"\n  --port {port.device}  ({port.description})" for port in boards)
        raise Failed(f"there are several boards; say which:{names}")
    return boards[0].device


def lines_of_board(port):
    """The lines of its console, since it was asked for the counters."""
    try:
        import serial
        from serial.tools import list_ports
    except ImportError:
        raise Failed(f"pyserial is missing: {INSTALL}") from None
    port = port or find_port(sorted(list_ports.comports()))
    try:
        with serial.Serial(port, BAUD, timeout=0.2, write_timeout=NEXT_S) as board:
            board.write(b"counters\n")
            yield from _lines(board, port)
    except serial.SerialTimeoutException:
        raise Failed(f"{port} takes nothing: is the board's program running?") from None
    except (serial.SerialException, OSError) as error:
        raise Failed(f"{port}: {error}. Has another program the console open?") from None


def _lines(board, port):
    text = b""
    last = time.monotonic()
    patience = FIRST_S
    while time.monotonic() - last < patience:
        text += board.read(board.in_waiting or 1)
        *whole, text = text.split(b"\n")
        for line in whole:
            line = line.decode("utf-8", "replace").rstrip("\r")
            if patience == NEXT_S or line == HEADER:
                last = time.monotonic()
                patience = NEXT_S
            yield line
    what = "stopped in the middle of them" if patience == NEXT_S else f"did not answer within {FIRST_S} s"
    raise Failed(f"{port}: the board was asked for its counters and {what}. Is it one of these, and playing?")


def counters(lines, saved=False):
    """[(name, value), ...] of the console's lines: numbers, and texts for errors. What else is there is passed over.
    Of what was `saved` the last ones, which may end with the file."""
    found = []
    inside = False
    for line in map(str.strip, lines):
        if line == HEADER:
            found = []
            inside = True
        elif inside and not line:
            inside = False
            if not saved:
                break
        elif inside and LOST.fullmatch(line):
            raise Failed("the board had no room for all of it: please ask again")
        elif inside and (match := LINE.fullmatch(line)):
            name, value = match.groups()
            found.append((name, value.strip('"') if value[0] == '"' else int(value)))
    if not found:
        raise Failed(f"there are no counters in it: a line {HEADER!r}, and those after it")
    if LAST not in dict(found):
        raise Failed("the counters end in the middle: has the board begun anew? Please ask again")
    return found


# ---- what people read


def csv(found):
    lines = [HEADER] + [
        f'{name},"{value}"' if isinstance(value, str) else f"{name},{value}" for name, value in found
    ]
    return "\n".join(lines) + "\n"


def kinds(found):
    """{game: (begun, finished)}, and last of all those of them that were for one person"""
    numbers = dict(found)
    games = [name.split()[1] for name, _ in found if name.startswith("begun ")]
    games.sort(key=lambda game: game == ONE)
    return {game: (numbers[f"begun {game}"], numbers.get(f"finished {game}", 0)) for game in games}


def title(game):
    return "of these for one" if game == ONE else game.replace("_", " ").title()


def table(found):
    """Lines for people."""
    numbers = [(TITLES.get(name, name.replace("_", " ")), value) for name, value in found if " " not in name]
    wide = max(map(len, [name for name, _ in numbers] + [title(game) for game in kinds(found)]))
    for name, value in numbers:
        yield f"{name:<{wide}}  {value:>9,}"
    if kinds(found):
        yield f"\n{'games':<{wide}}  {'begun':>9}  {'finished':>9}"
    for game, (begun, finished) in kinds(found).items():
        yield f"{title(game):<{wide}}  {begun:>9,}  {finished:>9,}"
    errors = [value for name, value in found if name.startswith("error ")]
    if errors:
        yield "\nlast errors, newest first"
    for error in errors:
        yield f"  {error}"


PAPER, INK = "#fbf7ef", "#33261a"
BLUE, SKY, ORANGE = "#0072B2", "#a6cbe3", "#E69F00"


def chart(found, path):
    """Draws games begun and finished, and the touches, to a file of a kind that matplotlib knows."""
    try:
        import matplotlib
    except ImportError:
        raise Failed(f"a chart needs matplotlib: {INSTALL}") from None
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    style = {
        "font.size": 10.5,
        "figure.facecolor": PAPER,
        "axes.facecolor": PAPER,
        "axes.edgecolor": "#b8ab97",
    }
    for key in ("text.color", "axes.labelcolor", "xtick.color", "ytick.color"):
        style[key] = INK
    numbers = dict(found)
    games = kinds(found) or {"no_game_yet": (0, 0)}
    wrong = numbers.get("wrong_taps", 0)
    touches = {
        "taps that counted": (max(0, numbers.get("taps", 0) - wrong), BLUE),
        "taps in vain": (wrong, ORANGE),
        "turns": (numbers.get("turns", 0), SKY),
    }
    with plt.rc_context(style):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(11, 1.8 + 0.62 * max(3, len(games))), layout="constrained", width_ratios=(3, 2)
        )
        for row, (begun, finished) in enumerate(games.values()):
            bars(left, row - 0.19, begun, SKY, "begun" if not row else None)
            bars(left, row + 0.19, finished, BLUE, "finished" if not row else None)
        axis(left, [title(game) for game in games], "Games", [n for pair in games.values() for n in pair])
        left.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
        for row, (value, colour) in enumerate(touches.values()):
            bars(right, row, value, colour)
        axis(right, list(touches), "Touches", [value for value, _ in touches.values()])
        hours = numbers.get("seconds_played", 0) / 3600
        ups = numbers.get("power_ups", 0)
        figure.suptitle(f"{hours:,.1f} hours played, switched on {ups:,} times", x=0.01, ha="left")
        try:
            figure.savefig(path)
        except (ValueError, OSError) as error:
            raise Failed(f"{path}: {error}") from None
        plt.close(figure)


def bars(axis, at, value, colour, label=None):
    axis.barh(at, value, 0.36, color=colour, label=label)
    axis.annotate(f"{value:,}", (value, at), (5, 0), textcoords="offset points", va="center", fontsize=9)


def axis(axis, names, heading, values):
    axis.set_title(heading, loc="left", fontweight="bold")
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.set_xlim(0, max(*values, 1) * 1.15)
    axis.tick_params(length=0)
    axis.xaxis.set_visible(False)
    for side in ("top", "right", "bottom"):
        axis.spines[side].set_visible(False)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m tools.stats", description=__doc__.split("\n")[0])
    parser.add_argument("--port", help="the board's serial port; else the only board on USB")
    parser.add_argument("--from", dest="file", metavar="FILE", help="read what was saved instead")
    parser.add_argument("--csv", action="store_true", help="print CSV, not a table")
    parser.add_argument("--chart", metavar="FILE", help="draw a chart: FILE.svg, FILE.png, FILE.pdf")
    options = parser.parse_args(arguments)
    try:
        if options.file:
            text = Path(options.file).read_text(encoding="utf-8", errors="replace")
            found = counters(text.splitlines(), saved=True)
        else:
            found = counters(lines_of_board(options.port))
        print(csv(found) if options.csv else "\n".join(table(found)))
        if options.chart:
            chart(found, options.chart)
    except (Failed, OSError) as error:
        print(f"tools.stats: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
