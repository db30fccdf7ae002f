"""At most three flashes in any second, of any hole and of the board on average, whatever happens.

And no more is done about it than needed: rest and ordinary moves are shown as they are wanted.
"""

from random import Random

import pytest

import engine
from engine.replay import DONE, DROP, Replay
from engine.trace import Trace
from table.calm import Calm
from table.cues import DEAD, END, LEGAL, NORTHS, SOUTHS, START, TWICE
from table.lights import Lights
from tools.flashes import MEASURES, most_flashes, worst

WRAP = 0x1FFFFFFF


class Show:
    """Turns `Lights` and keeps what it showed, from shortly before the clock wraps."""

    def __init__(self, n, tick=20):
        self.n = n
        self.lights = Lights(n)
        self.t = 0
        self.tick = tick
        self.shown = []
        self.wanted = []

    def frame(self, draw):
        self.lights.clear()
        draw(self.lights, self.t)
        self.lights.finish((0x1FFFFF00 + self.t) & WRAP)
        self.shown.append((self.t, bytes(self.lights.frame)))
        self.wanted.append((self.t, bytes(self.lights._want)))
        self.t += self.tick


def test_the_counter_counts():
    blink = [(t, 100 if t // 100 % 2 else 0) for t in range(0, 3000, 10)]
    assert most_flashes(blink, 10) == 5
    slow = [(t, 100 if t // 500 % 2 else 0) for t in range(0, 5000, 10)]
    assert most_flashes(slow, 10) == 1
    assert most_flashes([(t, t % 7) for t in range(0, 3000, 10)], 10) == 0
    frames = [(t, bytes([0, 200 if t // 50 % 2 else 0, 9] * 18)) for t in range(0, 2000, 10)]
    assert worst(frames, 18) == (10, 10)
    assert set(MEASURES) == {"sum", "luminance", "strongest", "red", "green", "blue"}


def a_game(name, seed, choices, speed, mash, tick=20):
    """A recorded game of random moves; `mash`: so many taps a second, right or wrong."""
    random = Random(seed)
    game = engine.make(name, {})
    n = len(game.seeds)
    show = Show(n, tick)
    taps = []
    flags = bytearray(n)
    wrong = [-9999, 0]

    def touches(lights, t, fl):
        if mash and random.random() < mash * tick / 1000:
            hole = random.randrange(n)
            taps.append((t, hole))
            if not fl[hole] & LEGAL:
                wrong[0], wrong[1] = t, hole
        for at, hole in taps[-12:]:
            age = t - at
            if age < 550:
                lights.press(hole, 256 if age < 150 else (550 - age) * 256 // 400)
        if t - wrong[0] < 600:
            lights.no(wrong[1], t - wrong[0])
            lights.swell(fl, t - wrong[0])

    for _ in range(choices):
        if game.over:
            break
        for h in range(n):
            flags[h] &= ~LEGAL
        count = game.moves()
        legal = [game.legal[i] for i in range(count)]
        for h in legal:
            flags[h] |= LEGAL
        for _ in range(random.randrange(20, 200)):
            seeds = bytes(game.seeds)

            def still(lights, t, seeds=seeds):
                lights.rest(seeds, game.marks, flags, t % 4000)
                touches(lights, t, flags)

            show.frame(still)
        game.play(random.choice(legal))
        ms = show.lights.begin(game.trace, game.marks)
        begun = show.t
        none = bytes(n)
        while (show.t - begun) * speed < ms:

            def moving(lights, t, begun=begun, none=none):
                lights.motion((t - begun) * speed, t % 4000)
                touches(lights, t, none)

            show.frame(moving)
        for h in range(n):
            flags[h] = 0
        flags[game.trace.start] |= START | TWICE
        last = show.lights.moves.replay.hole
        flags[last] |= END
    return show


@pytest.mark.parametrize("name", engine.names())
@pytest.mark.parametrize(("speed", "mash"), [(1, 0), (4, 0), (1, 12), (4, 12), (1, 60)])
def test_recorded_games(name, speed, mash):
    show = a_game(name, f"{name}{speed}{mash}", 14, speed, mash)
    hole, board = worst(show.shown, show.n)
    assert max(hole, board) <= 3, (hole, board)


def long_turn(n, drops):
    """A turn of many short laps, as Lamlameta's longest."""
    random = Random(drops)
    trace = Trace(n)
    trace.marks = bytearray(n)
    for h in range(n):
        trace.before[h] = random.randrange(1, 9 + drops // 32)
    trace.count = trace.room
    walk = Replay(n)
    walk.begin(trace)
    event = walk.step()
    while drops > 0 and event != DONE:
        if event == DROP:
            drops -= 1
        event = walk.step()
    trace.count = walk.lap + 1
    return trace


@pytest.mark.parametrize("speed", [1, 4])
@pytest.mark.parametrize("mash", [0, 1])
def test_longest_sowing(speed, mash):
    trace = long_turn(24, 681)
    show = Show(24, 16)
    ms = show.lights.begin(trace, bytearray(24))
    assert ms <= 12000
    random = Random(speed)
    held = bytearray(24)

    def draw(lights, t):
        lights.motion((t - 1000) * speed, t % 4000)
        if mash:
            for h in range(24):
                if random.random() < 0.1:
                    held[h] ^= 1
                if held[h]:
                    lights.press(h, 256)

    while (show.t - 1000) * speed < ms + 2000 * speed:
        show.frame(draw)
    hole, board = worst(show.shown, show.n)
    assert max(hole, board) <= 3, (hole, board)


@pytest.mark.parametrize("seed", range(6))
def test_noise(seed):
    """Whatever is wanted, at any rate of frames."""
    random = Random(seed)
    n = 18
    calm = Calm(n)
    want = bytearray(3 * n)
    touched = bytearray(n)
    shown = []
    t = 0
    while t < 12000:
        for i in range(3 * n):
            if random.random() < (0.02, 0.3, 1.0)[seed % 3]:
                want[i] = random.choice((0, 60, 128, 255))
        for h in range(n):
            touched[h] = random.random() < 0.3
        calm.show(want, touched, (t + 5) & WRAP, random.choice((1, 2)))
        shown.append((t, bytes(calm.shown)))
        t += random.randrange(4, 40)
    hole, board = worst(shown, n)
    assert max(hole, board) <= 3, (hole, board)
    # ... and once things are quiet it shows what is wanted.
    for _ in range(80):
        t += 33
        calm.show(want, touched, (t + 5) & WRAP, 0)
    assert calm.shown == want


def test_all_at_once():
    """All holes mashed on and off: the touches are shown as far as may be, and it ends right."""
    show = Show(18, 16)
    for _ in range(400):
        on = show.t // 80 % 2

        def draw(lights, t, on=on):
            lights.base(bytes([3] * 18), bytes(18), t % 4000, True)
            for h in range(18):
                if on:
                    lights.press(h, 256)

        show.frame(draw)
    assert max(worst(show.shown, 18)) == 3
    for _ in range(80):
        show.frame(lambda lights, t: lights.base(bytes([3] * 18), bytes(18), t % 4000, True))
    assert show.shown[-1] == show.wanted[-1]


@pytest.mark.parametrize("tick", [16, 33])
def test_rest_passes_unaltered(tick):
    """Every light that a hole at rest can show, with all others at rest: shown as it is wanted, and calm enough."""
    random = Random(tick)
    for k in (0, 1, 4, 6, 7, 8, 14, 15, 22, 27, 28, 29, 40):
        for owner in (-1, 0, 1):
            for mark in (0, END, START | TWICE, END | START | TWICE):
                if mark & START and owner >= 0 and k != 4:
                    continue  # a hole lifted in the last move and claimed since holds four: no game knows another
                n = random.choice((18, 24))
                seeds = bytearray(random.choice((0, 2, 3, 5, 9, 16, 24)) for _ in range(n))
                marks = bytearray(random.choice((0, 0, 4, 8)) for _ in range(n))
                flags = bytearray(n)
                for h in range(n // 2):
                    if seeds[h] and not marks[h]:
                        flags[h] |= LEGAL
                flags[5] |= DEAD
                if n == 18:  # a later round: South has won much, or little
                    for h in random.choice((range(12, 18), range(1, 9))):
                        flags[h] |= SOUTHS if h > 8 else NORTHS
                hole = random.randrange(n)
                seeds[hole] = k
                marks[hole] = 4 * (owner + 1)
                flags[hole] = (
                    flags[hole] & (SOUTHS | NORTHS)
                    | mark
                    | random.choice((0, DEAD))
                    | (LEGAL if k and owner < 0 else 0)
                )
                show = Show(n, tick)

                def still(lights, t, seeds=seeds, marks=marks, flags=flags):
                    lights.rest(seeds, marks, flags, (t + 1700) % 4000)

                for _ in range(7000 // tick):
                    show.frame(still)
                settled = 1500 // tick
                assert show.shown[settled:] == show.wanted[settled:]
                assert max(worst(show.shown, n)) <= 3


def test_normal_speed_is_not_smeared():
    """At its own speed an ordinary move is shown as it is wanted: fewer than one hole in a hundred waits."""
    waits = looks = 0
    for name in engine.names():
        show = a_game(name, name, 10, 1, 0)
        for (_, shown), (_, wanted) in zip(show.shown, show.wanted, strict=True):
            for i in range(0, 3 * show.n, 3):
                looks += 1
                waits += shown[i : i + 3] != wanted[i : i + 3]
    assert waits * 100 < looks, (waits, looks)


def test_clock_wraps():
    """A light held back near 2**29 is not held for days."""
    calm = Calm(18)
    want = bytearray(54)
    for i in range(40):
        want[0] = 255 * (i % 2)
        calm.show(want, bytes(18), (WRAP - 400 + 20 * i) & WRAP, 0)
    want[0] = 77
    calm.show(want, bytes(18), 2000, 0)
    assert calm.shown[0] == 77
