"""Read a board's lights back: five seconds of frames become the position they show.

    python3 -m tools.lights FILE|- [--order ORDER] [--table]

A frame is a line of JSON with `t_us` or `t_ms` and `rgb`, a list of [r, g, b] in the order of the pixels, as sent
to the strip; other keys are ignored. Frames are written only when something changed, so each one holds until
the next. Brightness, and where the board's slow clock stands, are found out. The palette and the times come from
docs/lights.json.

The way: find how bright the strip is (the brightest light of each hole must be a colour of the palette); find how the
clock stands (lights jump only at certain times of a cycle); for each standing that is possible, look at each
hole in the middle of each part of the cycle, say what it shows, and draw that again; the reading that
comes nearest to what was recorded wins.
"""

import argparse
import json
import sys
from pathlib import Path

CUES = json.loads((Path(__file__).parent.parent / "docs" / "lights.json").read_text(encoding="utf-8"))
TIMES = CUES["times_ms"]
LEVELS = CUES["levels"]
COLOURS = [tuple(c) for c in CUES["full"]["counts"]]
OWNERS = [tuple(c) for c in CUES["full"]["owners"]]
FAULT = tuple(CUES["full"]["fault"])
WHITE = tuple(CUES["full"]["white"])
BRIGHT = tuple(CUES["full"]["bright"])
DARK = (0, 0, 0)
BREATH = LEVELS["breath"]
BREATH_STEP = TIMES["cycle"] // len(BREATH)

SPAN = 5000  # ms that are looked at
GRID = 10  # ms between two looks
HINTED = 30  # a legal hole is looked at as if it were hinted at where so small a part of its light is missed
GLOW_MOST = 40  # a hint's light changes by less from frame to frame, all channels together
LATE = 60  # a light may be so late: a frame, and what it takes to send it
CYCLE = TIMES["cycle"]

# The parts of the clock (two cycles), each without the time in which late frames may still show the part before.
GLINT_1, GLINT_2, GLINT_3, BLINK, TERRITORY, OWNER, FADE, PLAIN, DIP = range(9)


def _parts():
    glint, second = TIMES["glint"], TIMES["second_glint"]
    own, fade = TIMES["owner"], TIMES["fade"]
    yield GLINT_1, 0, 0, glint
    yield OWNER, 0, glint, second
    yield GLINT_2, 0, second, second + glint
    yield GLINT_3, 0, second + glint, second + 2 * glint
    yield BLINK, 0, CYCLE, CYCLE + TIMES["blink"]
    yield OWNER, 0, CYCLE + TIMES["blink"], CYCLE + TIMES["territory"]
    yield TERRITORY, 0, CYCLE + TIMES["territory"], CYCLE + own - fade
    for cycle in (0, CYCLE):
        yield FADE, 1 if cycle else 0, cycle + own - fade, cycle + own
        start = cycle + own
        for i, dip in enumerate(TIMES["dips"]):
            yield PLAIN, i, start, cycle + dip
            start = cycle + dip + TIMES["dip"]
            yield DIP, i, cycle + dip, start
        yield PLAIN, 3, start, cycle + CYCLE


PARTS = list(_parts())
# A light may jump where a part begins or ends, and may change in any way while an owner's colour fades.
EDGES = sorted(
    {edge % (2 * CYCLE) for part in PARTS for edge in part[2:]} - {TIMES["owner"], CYCLE + TIMES["owner"]}
)


def _clocks():
    """For each look at the clock: None near an edge, else (part, which one)."""
    table = [None] * (2 * CYCLE // GRID)
    for part, which, start, end in PARTS:
        for c in range(-(-(start + LATE - 5) // GRID), (end - GRID - 3) // GRID + 1):
            table[c % len(table)] = (part, which)
    return table


CLOCK = _clocks()


def order_of(text, pixels):
    """The hole that each pixel lights: `serpentine`, `rows`, `ring`, or the holes themselves."""
    rows = {
        18: (range(6), (15, 16, 17, 8, 7, 6), range(14, 8, -1)),
        24: (range(12), range(23, 11, -1)),
    }.get(pixels)
    if rows is None:
        raise ValueError(f"{pixels} pixels; a board has 18 (3x6) or 24 (2x12)")
    if text == "ring":
        return list(range(pixels))
    if text == "rows":
        return [hole for row in rows for hole in row]
    if text == "serpentine":
        return [hole for i, row in enumerate(rows) for hole in (reversed(list(row)) if i % 2 else row)]
    order = [int(word) for word in text.replace(",", " ").split() if word.isdigit()]
    if sorted(order) != list(range(pixels)):
        raise ValueError(f"order {text!r}: serpentine, rows, ring, or all holes 0 to {pixels - 1}")
    return order


def sent(colour, scale, level=256):
    """A colour at a level of 256, as a strip of brightness `scale` (of 255) sends it."""
    return tuple((((c * level + 255 >> 8) * scale + 127) // 255 or 1) if c else 0 for c in colour)


def _glow(c):
    """How far a hint has changed its hole's light into BRIGHT at a look at the clock, of 256."""
    half = TIMES["owner"] // 2
    away = abs(c * GRID % CYCLE - half)
    return LEVELS["hint"] * (half - away) // half if away < half else 0


def _glows(a, b):
    """Whether these differ as a hint's light does from one frame to the next: a little, and in all channels alike."""
    red, green, blue = (x - y for x, y in zip(a, b, strict=True))
    return red * blue > 0 and abs(red - green) <= 3 and abs(red - blue) <= 6 and _far(a, b) <= GLOW_MOST


def _far(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])


class Recording:
    """Frames on a grid of times: `looks[i]` is the frame at `start + i * GRID`, `holes[h]` its colours at each look."""

    def __init__(self, frames, order):
        times = []
        rgbs = []
        for frame in frames:
            times.append(frame["t_us"] / 1000 if "t_us" in frame else frame["t_ms"])
            rgbs.append(frame["rgb"])
        if not times:
            raise ValueError("no frames")
        self.n = len(rgbs[0])
        pixels = order_of(order, self.n)
        # The last frame holds too, for as long as is missing to five seconds.
        end = max(times[-1] + GRID, times[0] + SPAN)
        start = max(times[0], end - SPAN)
        first = max(i for i, t in enumerate(times) if t <= start)
        self.colours = [[] for _ in range(self.n)]
        self.count = int((end - start) // GRID)
        at = first
        for i in range(self.count):
            t = start + i * GRID
            while at + 1 < len(times) and times[at + 1] <= t:
                at += 1
            for pixel, hole in enumerate(pixels):
                self.colours[hole].append(tuple(rgbs[at][pixel]))
        self.jumps = self._jumps()

    def _jumps(self):
        """The looks at which some hole's light jumped, breathing and the glow of a hint apart."""
        looks = set()
        for colours in self.colours:
            most = max(map(sum, colours))
            for i in range(1, self.count):
                change = _far(colours[i], colours[i - 1])
                if change > max(3, most * 12 // 100) and not _glows(colours[i], colours[i - 1]):
                    looks.add(i)
        return sorted(looks)

    def scales(self):
        """Brightnesses that are possible, the likeliest first."""
        lit = {max(colours, key=sum) for colours in self.colours} - {DARK}
        palette = [(c, 256) for c in (*COLOURS, *OWNERS, FAULT, WHITE)]
        palette.append((COLOURS[6], LEVELS["dip"]))  # 29 and more, if no rise was caught
        default = CUES["brightness"]
        found = []
        for scale in range(1, 256):
            full = [sent(colour, scale, level) for colour, level in palette]
            miss = sum(min(_far(have, c) for c in full) / sum(have) for have in lit)
            found.append((miss, abs(scale - default), scale))
        found.sort()
        best = found[0][0]
        picked = []
        for miss, _, scale in found:
            if miss <= best + 0.02 * len(lit) and all(abs(scale - other) * 12 > other for other in picked):
                picked.append(scale)
        return picked[:4]

    def standings(self):
        """Clocks (in looks, at the first look) that explain most of the jumps, one for each stretch of them."""
        size = len(CLOCK)
        late = LATE // GRID
        fine = [False] * size
        for edge in EDGES:
            for i in range(late + 1):
                fine[(edge // GRID + i) % size] = True
        for cycle in (0, CYCLE):
            for c in range(cycle + TIMES["owner"] - TIMES["fade"], cycle + TIMES["owner"] + LATE, GRID):
                fine[c // GRID] = True
        if not self.jumps:
            return list(range(0, size // 2, 5)) if any(len(set(c)) > 1 for c in self.colours) else [0]
        jumps = {j % size for j in self.jumps}
        misses = [sum(not fine[(clock + j) % size] for j in jumps) for clock in range(size)]
        least = min(misses)
        # The clock is as early as the jumps allow: then the quickest frame was not late at all.
        return [c for c in range(size) if misses[c] == least and misses[c - 1] != least]


def _breath(clock):
    return BREATH[clock * GRID % CYCLE // BREATH_STEP]


class Reading:
    """What a recording shows if its clock stood at `clock` at the first look, at a brightness of `scale`."""

    def __init__(self, recording, clock, scale):
        self.recording = recording
        self.clock = clock
        self.scale = scale
        self.holes = []
        self.miss = 0
        self.seen = 0
        self._sent = {}
        looks = [(i, (clock + i) % len(CLOCK)) for i in range(recording.count)]
        self._looks = [(i, c, CLOCK[c]) for i, c in looks if CLOCK[c]]
        for hole, colours in enumerate(recording.colours):
            half = 0 if hole * 2 < recording.n else 1
            found, miss = self._read(colours, half)
            if found[2] and miss * HINTED > sum(map(sum, colours)):
                for since in range(
                    -self.clock % (CYCLE // GRID) - CYCLE // GRID, len(colours), CYCLE // GRID
                ):
                    other, less = self._read(self._without_glow(colours, since), half)
                    if less < miss:
                        found, miss = other, less
            self.holes.append(found)
            self.miss += miss
            self.seen += sum(sum(colours[i]) for i, _, _ in self._looks)

    def _without_glow(self, colours, since):
        """What these would be if there were no hint; it has been there since that look, when a cycle begins."""
        found = list(colours)
        bright = sent(BRIGHT, self.scale)
        for i, c, _ in self._looks:
            level = _glow(c)
            if level and i >= since:
                found[i] = tuple(
                    max(0, (256 * have - level * full) // (256 - level))
                    for have, full in zip(colours[i], bright, strict=True)
                )
        return found

    def _light(self, colour, level):
        key = (colour, level)
        if key not in self._sent:
            self._sent[key] = sent(colour, self.scale, level)
        return self._sent[key]

    def _read(self, colours, half):
        """((seeds, owner, legal, end, start, dead, territory) of one hole, in the half of that player, and how far
        from it the recording is)."""
        tally = {}
        for i, c, part in self._looks:
            by = tally.setdefault(part, {})
            key = (colours[i], _breath(c))
            by[key] = by.get(key, 0) + 1
        plain = {}
        for which in range(4):
            _add(plain, tally.get((PLAIN, which), {}))
        dips = self._dips(tally)
        level = LEVELS["dip"] if dips == 4 else 256
        lit = plain
        if dips == 4:
            lit = {}
            for which in range(3):
                _add(lit, tally.get((DIP, which), {}))
        colour, legal = self._colour(lit or plain, dips)
        seeds = 0 if colour is None else "29+" if dips == 4 else dips * 7 + colour + 1
        base = DARK if colour is None else COLOURS[colour]
        # The owner's colour comes whole, the count at its level.
        owns = {}
        for which in (0, 1):
            _add(owns, tally.get((OWNER, which), {}))
        lights = [
            (OWNERS[0], 256, False),
            (OWNERS[1], 256, False),
            (base, level, legal),
        ]  # the last: no owner
        under = min(lights[2:] + lights[:2], key=lambda light: self._miss(owns, *light))
        owner = lights.index(under) if under in lights[:2] else -1
        # One glint at the end of the last move, two at its start, the second twice as long where both are one.
        white = [tally.get((part, 0), {}) for part in (GLINT_1, GLINT_2, GLINT_3)]
        plainly = [self._miss(by, *under) for by in white]
        glints = [self._miss(by, WHITE, 256, False) for by in white]
        miss, marks = min((sum(glints[:i] + plainly[i:]), i) for i in range(4))
        blink = tally.get((BLINK, 0), {})
        fault = self._miss(blink, FAULT, 256, False)
        plain_blink = self._miss(blink, *under)
        miss += min(fault, plain_blink)
        # In the other's half a territory shows its owner for a moment; whose a claimed hole is does not matter.
        territory = half
        hint = tally.get((TERRITORY, 0), {})
        seen = self._miss(hint, *under)
        if owner < 0:
            foreign = self._miss(hint, OWNERS[1 - half], 256, False)
            if foreign < seen:
                seen = foreign
                territory = 1 - half
            miss += self._miss(tally.get((FADE, 0), {}), *under)
            if territory == half:
                miss += self._miss(tally.get((FADE, 1), {}), *under)
        else:
            territory = -1
        miss += seen
        for part, by in tally.items():
            if part[0] == OWNER:
                miss += self._miss(by, *under)
            elif part[0] > FADE:
                dipped = dips == 4 if part[0] == PLAIN else dips < 4 and part[1] < dips
                miss += self._miss(by, base, LEVELS["dip"] if dipped else 256, legal)
        dead = bool(blink) and fault < plain_blink
        return (seeds, owner, legal, marks in (1, 3), marks > 1, dead, territory), miss

    def _dips(self, tally):
        """How many dips, or 4 for the rises of 29 and more."""
        dips = 0
        for which in range(3):
            dip = _mean(tally.get((DIP, which), {}))
            around = {}
            _add(around, tally.get((PLAIN, which), {}))
            _add(around, tally.get((PLAIN, which + 1), {}))
            light = _mean(around)
            if dip is None or light is None:
                continue
            if dip > light * 1.4:
                return 4
            if dip < light * 0.7:
                dips = which + 1
        return dips

    def _colour(self, lit, dips):
        """(index in COLOURS or None, breathing) of the count."""
        if not lit or all(c == DARK for c, _ in lit):
            return None, False
        colours = (6,) if dips == 4 else range(7)
        breathing = (False, True) if len({c for c, _ in lit}) > 1 else (False,)
        return min(
            ((colour, legal) for colour in colours for legal in breathing),
            key=lambda found: self._miss(lit, COLOURS[found[0]], 256, found[1]),
        )

    def _miss(self, by, colour, level, breathes):
        """How far the lights of a part are from a colour."""
        miss = 0
        for (have, breath), count in by.items():
            miss += count * _far(have, self._light(colour, level * breath >> 8 if breathes else level))
        return miss


def _add(into, by):
    for key, count in by.items():
        into[key] = into.get(key, 0) + count


def _mean(by):
    count = sum(by.values())
    return sum(sum(c) * k for (c, _), k in by.items()) / count if count else None


def read(frames, order="serpentine"):
    """The position shown by the last five seconds of `frames`, a list of dicts: as `main` prints it."""
    recording = Recording(frames, order)
    standings = recording.standings()

    def nearest(clocks, scales):
        return min(
            (Reading(recording, c, s) for s in scales for c in clocks), key=lambda reading: reading.miss
        )

    best = nearest(standings, recording.scales() or [CUES["brightness"]])
    if best.miss * 100 > best.seen:
        # The first guess at the brightness came from one light of each hole; all of them know it better.
        near = nearest([best.clock], range(max(1, best.scale - 6), min(255, best.scale + 6) + 1))
        best = nearest(standings, [near.scale])
    holes = best.holes
    return {
        "board": "3x6" if recording.n == 18 else "2x12",
        # Lights in motion, or a touch, are not drawn by the cues of rest.
        "rest": best.miss * 10 <= best.seen,
        "seeds": [hole[0] for hole in holes],
        "claims": [hole[1] for hole in holes],
        "legal": [h for h, hole in enumerate(holes) if hole[2]],
        "end": [h for h, hole in enumerate(holes) if hole[3]],
        "start": [h for h, hole in enumerate(holes) if hole[4]],
        "faults": [h for h, hole in enumerate(holes) if hole[5]],
        # -1 where it is not shown, since the hole is claimed
        "territory": [hole[6] for hole in holes],
    }


def table(position):
    """The position as people see the board: North on the far side."""
    n = len(position["seeds"])
    rows = (
        ([14, 13, 12, 11, 10, 9], [15, 16, 17, 8, 7, 6], range(6))
        if n == 18
        else (range(23, 11, -1), range(12))
    )
    lines = []
    for row in rows:
        cells = []
        for hole in row:
            cell = str(position["seeds"][hole]) + ("", "s", "n")[position["claims"][hole] + 1]
            if position["territory"][hole] == (1 if hole * 2 < n else 0):
                cell += "SN"[position["territory"][hole]]
            for mark, key in (("*", "legal"), ("]", "end"), ("[", "start"), ("!", "faults")):
                if hole in position[key]:
                    cell += mark
            cells.append(f"{cell:>8}")
        lines.append("".join(cells))
    lines.append(
        "s n: claimed by South, North   S N: whose territory, in the other's half   *: legal   "
        "[ ]: start, end of the last move   !: out of order"
    )
    if not position["rest"]:
        lines.append("the lights are not at rest: this is a guess")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="tools.lights", description="Read the position from a board's lights."
    )
    parser.add_argument("file", help="frames, JSON lines; - for standard input")
    parser.add_argument(
        "--order", default="serpentine", help="serpentine, rows, ring, or the hole of each pixel"
    )
    parser.add_argument("--table", action="store_true", help="for people, instead of JSON")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.file == "-":
            text = sys.stdin.read()
        else:
            text = Path(chosen.file).read_text(encoding="utf-8")
        position = read([json.loads(line) for line in text.splitlines() if line.strip()], chosen.order)
    except (OSError, ValueError, KeyError) as error:
        print(f"tools.lights: {error}", file=sys.stderr)
        return 1
    print(table(position) if chosen.table else json.dumps(position))
    return 0


if __name__ == "__main__":
    sys.exit(main())
