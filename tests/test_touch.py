"""The table of touches in docs/behaviour.md, row by row, on a clock of whole milliseconds.

A row's fingers are written "pad@down-up", with "*strength" where it matters; "pad@down" stays down. What
should come of them: "pad@when" for each tap, and for holds "pad@from-to" as far as the row runs.
"""

import random

import pytest
from adafruit_ticks import ticks_diff
from games_common import fingers

from table.touch import FULL, MASK, Touch

PADS = 18
END = 3000  # ms that each row runs
# When a row begins: wherever the wrap falls.
CLOCKS = [0, 12_345, (1 << 29) - 1, (1 << 29) - 90, (1 << 29) - 1200]


class Run:
    """What the touches of one row come to."""

    def __init__(self, text, start, lit=(), tap_ms=1000, any_length=False, deaf=(), eras=(), pads=PADS):
        touch = Touch(pads, tap_ms, lambda pad: pad in lit)
        touch.any_length = any_length
        self.touch = touch
        self.taps = []
        self.holds = []
        events = fingers(text)
        held = -1
        for t in range(END + 1):
            now = (start + t) & MASK
            while events and events[0][0] <= t:
                _, pad, strength = events.pop(0)
                touch.deaf = any(a <= t < b for a, b in deaf)
                if strength is None:
                    touch.release(pad, now)
                else:
                    touch.press(pad, strength, now)
            if t in eras:
                touch.turn_over()
            pad = touch.tap(now)
            while pad >= 0:
                self.taps.append(f"{pad}@{t}")
                pad = touch.tap(now)
            pad = touch.hold(now)
            if pad != held:
                if held >= 0:
                    self.holds[-1] += f"-{t}"
                if pad >= 0:
                    self.holds.append(f"{pad}@{t}")
                held = pad


# name: fingers, taps, holds, and what else there is
ROWS = {
    # taps
    "a tap is decided at release": ("3@0-300", "3@300", ""),
    "... and not before 80 ms after the press": ("3@0-30", "3@80", ""),
    "... exactly 80 ms": ("3@0-80", "3@80", ""),
    "a slow tap": ("3@0-1000", "3@1000", ""),
    "too slow for a tap": ("3@0-1001", "", ""),
    "too slow where old hands are not expected": ("3@0-301", "", "", {"tap_ms": 300}),
    "two taps, one after the other": ("3@0-100 4@200-300", "3@100 4@300", ""),
    "the same pad again after 250 ms": ("3@0-100 3@350-450", "3@100 3@450", ""),
    "typing: the second comes before the first has gone": ("3@0-300 4@200-500", "3@300 4@500", ""),
    "in choose and result a long press is a tap": ("3@0-2500", "3@2500", "3@1001-2500", {"any_length": True}),
    # trembling
    "trembling: within 250 ms it is the same touch": ("3@0-100 3@349-449", "3@100", ""),
    "... and again and again": ("3@0-100 3@200-300 3@400-500 3@600-700 3@800-900", "3@100", ""),
    "... a new one after 250 ms of quiet": ("3@0-100 3@200-300 3@550-600", "3@100 3@630", ""),
    "... before the tap was decided: it goes on": ("3@0-30 3@60-400", "3@400", ""),
    "... while holding: the hold goes on": ("3@0-1500 3@1600-2000", "", "3@1001-1500 3@1600-2000"),
    "... a tap does not become a hold": ("3@0-100 3@200", "3@100", ""),
    "another pad's tap does not make it the same touch": (
        "3@0-100 4@200-300 3@360-460",
        "3@100 4@300 3@460",
        "",
    ),
    # holds
    "a hold": ("3@0", "", "3@1001"),
    "... until release": ("3@0-2000", "", "3@1001-2000"),
    "... after 300 ms where taps are short": ("3@0-2000", "", "3@301-2000", {"tap_ms": 300}),
    "a second pad ends it": ("3@0 4@1500-1600", "4@1600", "3@1001-1500"),
    "... and it does not come back": ("3@0-2900 4@1500-1600", "4@1600", "3@1001-1500"),
    "a second pad prevents it": ("3@0 4@500-600", "4@600", ""),
    "... and may be held itself": ("3@0 4@500", "", "4@1501"),
    # pairs
    "within 80 ms, one on a legal hole: it counts": ("3@0-200 4@80-200", "4@200", "", {"lit": {4}}),
    "... whichever came first": ("4@0-200 3@80-200", "4@200", "", {"lit": {4}}),
    "... however strong the other": ("4@0-200*50 3@40-200*500", "4@200", "", {"lit": {4}}),
    "... though it had gone already": ("4@0-30 3@60-200", "4@80", "", {"lit": {4}}),
    "... and may be held": ("4@0 3@40", "", "4@1001", {"lit": {4}}),
    "both legal: the stronger, if twice as strong": (
        "3@0-200*100 4@40-200*200",
        "4@200",
        "",
        {"lit": {3, 4}},
    ),
    "... or the first": ("3@0-200*200 4@40-200*100", "3@200", "", {"lit": {3, 4}}),
    "... else neither": ("3@0-200*100 4@40-200*199", "", "", {"lit": {3, 4}}),
    "neither legal: the same": ("3@0-200*100 4@40-200*200", "4@200", ""),
    "... else neither, again": ("3@0-200 4@40-200", "", ""),
    "... nor held": ("3@0 4@40", "", ""),
    "no strength at all": ("3@0-200*0 4@40-200*0", "", ""),
    "81 ms apart: both": ("3@0-200 4@81-300", "3@200 4@300", ""),
    "more than two within 80 ms are nobody's": (
        "3@0-30 4@40-70 5@80-200",
        "",
        "",
        {"lit": {3}},
    ),
    # palms
    "three down together are a palm": ("3@0-900 4@200-900 5@400-900", "", ""),
    "... each within 250 ms of the next": ("3@0-900 4@250-900 5@500-900", "", ""),
    "... not if one came later": ("3@0-900 4@250-900 5@501-900", "3@900 4@900 5@900", ""),
    "... in whatever order on the board": ("9@0-900 1@100-900 17@200-900", "", ""),
    "... nor if one had gone": ("3@0-300 4@200-900 5@400-900", "3@300 4@900 5@900", ""),
    "... none of them until it is up": ("3@0-900 4@200-900 5@400-900 3@1200-1300", "3@1300", ""),
    "... those that were down long before are not of it": (
        "0@0-900 3@500-900 4@700-900",
        "0@900 3@900 4@900",
        "",
    ),
    "a cloth": (" ".join(f"{p}@{p * 60}-1900" for p in range(18)), "", ""),
    "a cloth, then a finger": (
        " ".join(f"{p}@{p * 60}-1400" for p in range(18)) + " 7@1700-1800",
        "7@1800",
        "",
    ),
    # eras
    "a touch belongs to its era": ("3@0-300", "", "", {"eras": [200]}),
    "... even released, but not yet decided": ("3@0-30", "", "", {"eras": [60]}),
    "... and its hold": ("3@0-2500", "", "3@1001-1800", {"eras": [1800]}),
    "... trembling does not renew it": ("3@0-300 3@400-500", "", "", {"eras": [200]}),
    "... the next touch counts": ("3@0-300 3@560-700", "3@700", "", {"eras": [200]}),
    # ignored presses
    "a press while presses are ignored": ("3@499-600", "", "", {"deaf": [(0, 500)]}),
    "... and its trembling": ("3@499-600 3@700-800", "", "", {"deaf": [(0, 500)]}),
    "... is no hold either": ("3@499", "", "", {"deaf": [(0, 500)]}),
    "the first press that counts": ("3@500-600", "3@600", "", {"deaf": [(0, 500)]}),
    # mashing
    "one finger hammering": ("3@0-50 3@100-150 3@200-250 3@300-350 3@400-450", "3@80", ""),
    "two fists": ("3@0-90 4@10-90 5@20-90 3@200-290 4@210-290 5@220-290", "", ""),
}


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("name", ROWS)
def test_touches(name, start):
    text, taps, holds = ROWS[name][:3]
    more = ROWS[name][3] if len(ROWS[name]) > 3 else {}
    run = Run(text, start, **more)
    assert " ".join(run.taps) == taps
    assert " ".join(run.holds) == holds


def test_time_is_compared_as_adafruit_ticks_does():
    for start in CLOCKS:
        for apart in (0, 1, 79, 250, 1001, 20_000, (1 << 28) - 1):
            later = (start + apart) & MASK
            assert (later - start) & MASK == ticks_diff(later, start) == apart


def test_a_touch_lights_its_hole_and_fades():
    touch = Touch(PADS, 1000, lambda pad: False)
    touch.press(3, 100, 0)
    assert touch.level(3, 0) == touch.level(3, 5000) == FULL
    touch.release(3, 5000)
    touch.tap(5000)
    assert [touch.level(3, 5000 + t) for t in (0, 100, 200, 399, 400)] == [256, 192, 128, 1, 0]
    touch.tap(5400)
    assert touch.known == 0


def test_a_touch_of_an_older_era_shows_nothing():
    touch = Touch(PADS, 1000, lambda pad: False)
    touch.press(3, 100, 0)
    touch.turn_over()
    assert touch.level(3, 10) == 0


def test_an_ignored_touch_shows_nothing():
    touch = Touch(PADS, 1000, lambda pad: False)
    touch.deaf = True
    touch.press(3, 100, 0)
    assert touch.level(3, 10) == 0


def test_exactly_two():
    touch = Touch(PADS, 1000, lambda pad: False)
    touch.press(0, 1, 0)
    assert not touch.exactly((0, 9))
    touch.press(9, 1, 2000)
    assert touch.exactly((0, 9))
    assert touch.exactly((9, 0))
    touch.press(4, 1, 2500)
    assert not touch.exactly((0, 9))


def test_a_pad_that_falls_out_of_order_while_down_taps_nothing():
    touch = Touch(PADS, 1000, lambda pad: False)
    touch.press(3, 100, 0)
    touch.lose(3, 200)
    assert touch.count == 0
    assert touch.tap(200) == touch.tap(900) == -1


def test_losing_a_pad_that_is_up():
    touch = Touch(PADS, 1000, lambda pad: False)
    touch.lose(3, 200)
    assert touch.known == touch.count == 0
    assert touch.tap(900) == -1


def test_whatever_happens_it_comes_to_rest():
    rng = random.Random(1)
    for start in CLOCKS:
        touch = Touch(PADS, 300, lambda pad: pad % 3 == 0)
        now = start
        for _ in range(5000):
            now = (now + rng.randrange(60)) & MASK
            pad = rng.randrange(PADS)
            if touch.down[pad]:
                touch.release(pad, now)
            else:
                touch.deaf = rng.random() < 0.1
                touch.press(pad, rng.randrange(300), now)
            if rng.random() < 0.05:
                touch.turn_over()
            touch.tap(now)
            assert touch.count == sum(touch.down)
            assert touch.known >= touch.count
        for pad in range(PADS):
            touch.release(pad, now)
        for later in (100, 600):
            while touch.tap((now + later) & MASK) >= 0:
                pass
        assert touch.count == touch.known == 0
        assert not any(touch.flags)
