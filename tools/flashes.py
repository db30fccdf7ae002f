"""Counts flashes as behaviour.md's definition has them, knowing nothing of table/calm.py.

A flash is a pair of opposing changes of 10 % of the brightest light. Light is measured in several ways, since
eyes and rules differ: the sum of the channels, luminance, the strongest channel, and each channel by itself.
"""


def luminance(r, g, b):
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


MEASURES = {
    "sum": lambda r, g, b: r + g + b,
    "luminance": luminance,
    "strongest": max,
    "red": lambda r, g, b: r,
    "green": lambda r, g, b: g,
    "blue": lambda r, g, b: b,
}


def swings(values, step):
    """Times of the swings in a series of (ms, value): each when it has gone a `step`; what goes less far is none."""
    found = []
    low = high = values[0][1]
    way = 0
    for t, value in values:
        if way >= 0 and high - value >= step:
            found.append(t)
            way = -1
            high = low = value
        elif way <= 0 and value - low >= step:
            found.append(t)
            way = 1
            high = low = value
        elif way > 0:
            high = low = max(high, value)
        elif way < 0:
            high = low = min(low, value)
        else:
            high, low = max(high, value), min(low, value)
    return found


def most_flashes(values, step):
    """The most flashes in any second: pairs of swings within it."""
    times = swings(values, step)
    most = 0
    first = 0
    for last in range(len(times)):
        while times[last] - times[first] > 1000:
            first += 1
        most = max(most, (last - first + 1) // 2)
    return most


HOLE_LEAST = 0.04
BOARD_LEAST = 0.024


def worst(frames, n, full=0):
    """(most flashes of any hole, of the board on average) in a list of (ms, frame), frame of 3n bytes, R G B.

    `full`: a channel at full drive. If it is said, swings under 4 % of a full light (2.4 % of a full board) are none,
    however dim all else was: of a board that shows next to no green, nobody sees a tenth of that green.
    """
    known = {}  # colour -> by each measure
    shown = [bytes(3)] * n
    total = [0] * len(MEASURES)
    holes = [[] for _ in range(n)]  # (ms, by each measure) at each change
    board = []
    for t, frame in frames:
        for hole in range(n):
            color = bytes(frame[3 * hole : 3 * hole + 3])
            if color == shown[hole] and holes[hole]:
                continue
            if color not in known:
                known[color] = [measure(*color) for measure in MEASURES.values()]
            now = known[color]
            before = holes[hole][-1][1] if holes[hole] else [0] * len(MEASURES)
            total = [all_ + new - old for all_, new, old in zip(total, now, before, strict=True)]
            holes[hole].append((t, now))
            shown[hole] = color
        board.append((t, [value / n for value in total]))
    return max(_most(hole, full * HOLE_LEAST) for hole in holes), _most(board, full * BOARD_LEAST)


def _most(series, least):
    """The most flashes in a list of (ms, light by each measure), whichever it is measured by; `least` of a channel."""
    most = 0
    for k, measure in enumerate(MEASURES.values()):
        values = [(t, lights[k]) for t, lights in series]
        brightest = max(value for _, value in values)
        if brightest:
            step = max(brightest / 10, measure(least, least, least))
            most = max(most, most_flashes(values, step))
    return most
