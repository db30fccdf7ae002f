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


def turns(values, step):
    """Times of the turning points of a series of (ms, value): swings of less than `step` are no turns."""
    found = []
    low = high = values[0][1]
    low_at = high_at = values[0][0]
    way = 0
    for t, value in values:
        if value > high:
            high, high_at = value, t
        if value < low:
            low, low_at = value, t
        if way >= 0 and high - value >= step:
            found.append(high_at)
            way, low, low_at = -1, value, t
            high = value
        elif way <= 0 and value - low >= step:
            found.append(low_at)
            way, high, high_at = 1, value, t
            low = value
        elif way > 0:
            low = value
        elif way < 0:
            high = value
    if way:
        found.append(high_at if way > 0 else low_at)
    return found


def most_flashes(values, step):
    """The most flashes in any second: pairs of swings that end within it."""
    ends = turns(values, step)[1:]
    most = 0
    first = 0
    for last in range(len(ends)):
        while ends[last] - ends[first] > 1000:
            first += 1
        most = max(most, (last - first + 1) // 2)
    return most


def worst(frames, n):
    """(most flashes of any hole, of the board on average) in a list of (ms, frame), frame of 3n bytes."""
    hole_worst = board_worst = 0
    for measure in MEASURES.values():
        series = []
        for hole in range(n):
            i = 3 * hole
            series.append([(t, measure(*f[i : i + 3])) for t, f in frames])
        for values in series:
            brightest = max(v for _, v in values)
            if brightest:
                hole_worst = max(hole_worst, most_flashes(values, brightest / 10))
        average = [(t, sum(values[k][1] for values in series) / n) for k, (t, _) in enumerate(frames)]
        brightest = max(v for _, v in average)
        if brightest:
            board_worst = max(board_worst, most_flashes(average, brightest / 10))
    return hole_worst, board_worst
