"""Any position shown at rest is read back exactly by tools.lights, at any phase of the clock."""

import json
import subprocess
import sys
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from table import cues
from table.cues import DEAD, END, LEGAL, NORTHS, SOUTHS, START, TWICE
from table.lights import Lights
from tools import lights as reader
from tools.pictures import DOCS, files


def scaled(c, brightness, limit=256):
    """A channel as the strip sends it."""
    return max(1, c * brightness * limit // (255 * 256)) if c else 0


def record(
    position,
    phase=0,
    fps=50,
    brightness=cues.BRIGHTNESS,
    limit=256,
    ms=5000,
    order="serpentine",
    jitter=None,
    calm=True,
    hint=-1,
    hinted=0,
):
    """Frames of a position at rest: a list of dicts, one for each change, as a strip sends them."""
    seeds, owners, flags = position
    n = len(seeds)
    lights = Lights(n)
    marks = bytearray(4 * (owner + 1) for owner in owners)
    pixels = reader.order_of(order, n)
    frames = []
    t = 0
    tick = 1000 // fps
    settle = 1500  # the limiter of flashes has seen this position for a while
    now = 0x1FFFFF00
    last = None
    while t < ms + settle:
        lights.clear()
        lights.rest(seeds, marks, flags, (phase + t) % 4000)
        if hint >= 0 and t >= hinted:
            lights.hint(hint, (phase + t) % 4000)
        lights.finish((now + t) & 0x1FFFFFFF)
        shown = lights.frame if calm else lights._want
        rgb = [[scaled(c, brightness, limit) for c in shown[3 * h : 3 * h + 3]] for h in pixels]
        if t >= settle and rgb != last:
            frames.append({"t_us": 1000 * (t + 1234), "rgb": rgb, "pin": 28})
            last = rgb
        t += tick + (jitter.randrange(-2, tick // 2) if jitter else 0)
    return frames


def expected(position):
    seeds, owners, flags = position
    return {
        "board": "3x6" if len(seeds) == 18 else "2x12",
        "rest": True,
        "seeds": [k if k < 29 else "29+" for k in seeds],
        "claims": list(owners),
        "legal": [h for h, f in enumerate(flags) if f & LEGAL],
        "end": [h for h, f in enumerate(flags) if f & END],
        "start": [h for h, f in enumerate(flags) if f & START],
        "faults": [h for h, f in enumerate(flags) if f & DEAD],
        "territory": [whose(h, len(seeds), owners[h], f) for h, f in enumerate(flags)],
    }


def whose(hole, n, owner, flags):
    """In whose territory a hole is seen to lie; -1 if it is claimed."""
    half = int(hole * 2 >= n)
    foreign = flags & (SOUTHS if half else NORTHS)
    return -1 if owner >= 0 else 1 - half if foreign else half


def check(position, **how):
    frames = record(position, **how)
    assert reader.read(frames, how.get("order", "serpentine")) == expected(position)


PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # making an example smaller takes minutes here
FLAGS = [a | b | c | d for a in (0, LEGAL) for b in (0, END) for c in (0, START | TWICE) for d in (0, DEAD)]
FOREIGN = 128  # here: in the other's half, which is told apart from LEGAL and so on by where the hole lies


def every_hole():
    """Every light there is: (count, owner, flags), but for breathing in the dark."""
    for k in range(30):
        for owner in (-1, 0, 1):
            for flags in FLAGS:
                for foreign in (0, FOREIGN) if owner < 0 else (0,):
                    if k or not flags & LEGAL:
                        yield k, owner, flags | foreign


def placed(hole, n, flags):
    """The flags of a hole that lies there."""
    if flags & FOREIGN:
        return flags ^ FOREIGN | (SOUTHS if hole * 2 >= n else NORTHS)
    return flags


def test_every_light_of_a_hole():
    """All 1,888 combinations, 24 at a time (so many glints at once are more than the limiter of flashes lets pass)."""
    every = list(every_hole())
    Random(1).shuffle(every)
    while len(every) % 24:
        every.append((0, -1, 0))
    for i in range(0, len(every), 24):
        seeds, owners, flags = zip(*every[i : i + 24], strict=True)
        position = (seeds, owners, [placed(h, 24, f) for h, f in enumerate(flags)])
        check(position, phase=i * 7 % 4000, fps=(30, 40, 60)[i % 3], calm=False)


def test_a_hint_is_no_other_cue():
    """It glows over the owners' part of the clock: whatever else is shown there is read all the same."""
    rng = Random(3)
    for i in range(60):
        seeds = [rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 20)) for _ in range(18)]
        owners = [rng.choice((-1, -1, -1, 0, 1)) for _ in range(18)]
        flags = [LEGAL if seeds[h] and owners[h] < 0 and h < 9 else 0 for h in range(18)]
        hinted = rng.choice([h for h in range(18) if flags[h]])
        flags[rng.choice((rng.randrange(18), hinted))] |= END
        flags[rng.randrange(18)] |= START | TWICE
        for h in (rng.randrange(18), hinted) if i % 3 == 0 else ():
            flags[h] |= DEAD
        if i % 3 == 1:
            h = rng.choice([h for h in range(18) if owners[h] < 0])
            flags[h] |= NORTHS if h < 9 else SOUTHS
        check((seeds, owners, flags), phase=i * 67 % 4000, fps=(20, 30, 40)[i % 3], hint=hinted, calm=False)


@pytest.mark.parametrize("since", [500, 1500, 3000, 4500, 5900, 6300])
def test_a_hint_may_come_while_one_looks(since):
    """It glows from the beginning of a cycle on."""
    seeds = [5, 5, 5, 1, 0, 5, 2, 2, 6, 0, 6, 1, 1, 2, 6, 6, 0, 2]
    flags = [LEGAL if seeds[h] and h < 9 else 0 for h in range(18)]
    flags[11] |= END
    for phase in range(0, 4000, 400):
        when = since + -(since + phase) % 2000
        check((seeds, [-1] * 18, flags), phase=phase, fps=30, hint=(5, 7, 6)[phase % 3], hinted=when)


def a_position(draw, n):
    holes = []
    for _ in range(n):
        k = draw(st.one_of(st.integers(0, 8), st.integers(0, 48)))
        owner = draw(st.sampled_from((-1, -1, -1, 0, 1)))
        holes.append((k, owner, 0))
    seeds, owners, _ = (list(x) for x in zip(*holes, strict=True))
    flags = [0] * n
    for h in range(n):
        if seeds[h] and owners[h] < 0 and h < n // 2 and draw(st.booleans()):
            flags[h] |= LEGAL
        if draw(st.integers(0, 9)) == 0:
            flags[h] |= DEAD
    if n == 18 and draw(st.booleans()):  # a later round of a match
        south = draw(st.integers(1, 17))
        for h in range(n):
            north = h >= south if h < 9 else h - 9 < n - south
            if owners[h] < 0 and north != (h >= 9):
                flags[h] |= NORTHS if north else SOUTHS
    end = draw(st.integers(-1, n - 1))
    start = draw(st.integers(-1, n - 1))
    if start >= 0 and owners[start] >= 0:
        seeds[start] = 4  # lifted in the last move and claimed since
    if end >= 0:
        flags[end] |= END
    if start >= 0:
        flags[start] |= START | TWICE
    return seeds, owners, flags


positions = st.composite(lambda draw: a_position(draw, draw(st.sampled_from((18, 24)))))()


@settings(max_examples=100, deadline=None, phases=PHASES)
@given(
    positions, st.integers(0, 3999), st.sampled_from((30, 33, 40, 50, 60)), st.randoms(use_true_random=False)
)
def test_any_position_at_any_phase(position, phase, fps, jitter):
    check(position, phase=phase, fps=fps, jitter=jitter)


@settings(max_examples=40, deadline=None, phases=PHASES)
@given(
    positions, st.integers(0, 3999), st.sampled_from((90, 150, 200, 255)), st.sampled_from((256, 230, 200))
)
def test_at_other_brightnesses(position, phase, brightness, limit):
    check(position, phase=phase, brightness=brightness, limit=limit)


@pytest.mark.parametrize(
    "order", ["serpentine", "rows", "ring", "17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0"]
)
def test_orders_of_the_pixels(order):
    position = (list(range(18)), [-1] * 17 + [1], [LEGAL] * 0 + [0] * 18)
    check(position, order=order)


def test_serpentine_is_the_way_of_the_strip():
    assert reader.order_of("serpentine", 18) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 16, 15, 14, 13, 12, 11, 10, 9]
    assert reader.order_of("serpentine", 24) == list(range(24))
    assert reader.order_of("rows", 24)[12] == 23


def test_one_frame_is_enough_where_nothing_moves():
    check(([0, 1, 2, 3, 4, 5, 6, 7] + [3] * 10, [-1] * 18, [0] * 18), ms=1)


def test_an_unmarked_start_shows_nothing():
    """One glint means the end and nothing else: without take-back the start has no light."""
    plain = record(([3] * 18, [-1] * 18, [0] * 18))
    assert record(([3] * 18, [-1] * 18, [0] * 17 + [START])) == plain


def test_motion_is_not_taken_for_rest():
    frames = record(([3] * 18, [-1] * 18, [0] * 18))
    jumble = Random(3)
    frames += [
        {"t_ms": 2000 + 60 * i, "rgb": [[jumble.randrange(80) for _ in range(3)] for _ in range(18)]}
        for i in range(80)
    ]
    assert not reader.read(frames)["rest"]


def test_command_line(tmp_path):
    position = ([4, 0, 29] + [3] * 15, [1, 0, -1] + [-1] * 15, [END, 0, 0, LEGAL] + [0] * 14)
    text = "\n".join(json.dumps(frame) for frame in record(position)) + "\n"
    path = tmp_path / "frames.jsonl"
    path.write_text(text)
    run = [sys.executable, "-m", "tools.lights"]
    said = subprocess.run([*run, str(path)], capture_output=True, text=True, check=True)
    assert json.loads(said.stdout) == expected(position)
    said = subprocess.run([*run, "-", "--table"], input=text, capture_output=True, text=True, check=True)
    assert all(word in said.stdout for word in ("29+", "4n]", "0s"))
    said = subprocess.run(
        [*run, "-"], input='{"t_ms": 0, "rgb": [[0, 0, 0]]}\n', capture_output=True, text=True
    )
    assert said.returncode == 1
    assert "18 (3x6) or 24" in said.stderr


def test_pictures_are_what_the_lights_show():
    """`python3 -m tools.pictures` writes docs/lights.json and docs/pictures anew; two pages show them all."""
    text = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("lights.md", "exhibit.md"))
    for path, drawn in files().items():
        assert path.read_text(encoding="utf-8") == drawn, path
        assert path.suffix == ".json" or f"(pictures/{path.name})" in text
