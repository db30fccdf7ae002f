"""A move as light: a function of the trace and the time, and of nothing else."""

from random import Random

import pytest
from test_calm import long_turn

import engine
from engine.replay import DONE, DROP, LIFT, Replay
from engine.state import TURNS
from engine.trace import Trace
from table import cues
from table.lights import Lights
from table.motion import LONGEST


def colour(seeds):
    i = 3 * ((seeds - 1) % 7) if seeds < 29 else 18
    return bytes(cues.COLOURS[i : i + 3]) if seeds else bytes(3)


def picture(lights, t, clock=700):
    lights.clear()
    lights.motion(t, clock)
    return bytes(lights._want)


def moves(name, count, seed=1):
    """(trace, marks, n) of random moves; the trace is the game's own, good until the next."""
    random = Random(seed)
    game = engine.make(name, {})
    for _ in range(count):
        if game.over:
            game.start(random.randrange(2))
        legal = [game.legal[i] for i in range(game.moves())]
        game.play(random.choice(legal))
        yield game.trace, game.marks, len(game.seeds)


@pytest.mark.parametrize("name", engine.names())
def test_begins_with_the_position_before_and_ends_at_rest(name):
    for trace, marks, n in moves(name, 60):
        lights = Lights(n)
        ms = lights.begin(trace, marks)
        assert 0 < ms <= LONGEST
        before = bytearray(marks)
        if trace.claim >= 0:
            before[trace.claim] &= 3
        still = Lights(n)
        still.rest(trace.before, before, bytes(n), 700)
        assert picture(lights, 0) == still._want
        replay = Replay(n)
        replay.begin(trace)
        while replay.step() != DONE:
            pass
        for clock in (0, 300, 700, 900, 1900, 3100):
            still.clear()
            still.rest(replay.seeds, marks, bytes(n), clock)
            assert picture(lights, ms, clock) == picture(lights, ms + 9999, clock) == still._want


@pytest.mark.parametrize("name", engine.names())
def test_any_order_of_times(name):
    random = Random(name)
    for trace, marks, n in moves(name, 25, seed=5):
        lights = Lights(n)
        ms = lights.begin(trace, marks)
        times = list(range(0, ms + 50, 23))
        forward = [picture(lights, t) for t in times]
        backward = [picture(lights, t) for t in reversed(times)]
        assert forward == backward[::-1]
        for _ in range(40):
            i = random.randrange(len(times))
            assert picture(lights, times[i]) == forward[i]


def test_seeds_are_seen_at_each_instant():
    """Wherever the hand is not, a hole shows the seeds that lie in it just then."""
    for trace, marks, n in moves("gabata_aksum", 30, seed=2):
        lights = Lights(n)
        ms = lights.begin(trace, marks)
        motion = lights.moves
        for t in range(0, ms, 31):
            frame = picture(lights, t)
            if motion.event not in (LIFT, DROP):
                continue
            hand = motion.replay.hole
            shown = sum(
                frame[3 * h : 3 * h + 3] == colour(motion.replay.seeds[h])
                for h in range(n)
                if h not in (hand, (hand + 1) % n) and motion._marks[h] < 4
            )
            free = sum(motion._marks[h] < 4 for h in range(n) if h not in (hand, (hand + 1) % n))
            assert shown == free


def test_laps_get_quicker_and_no_turn_is_long():
    for n, drops in ((18, 40), (24, 200), (24, 681), (24, 2000)):
        trace = long_turn(n, drops)
        lights = Lights(n)
        assert lights.begin(trace, bytearray(n)) <= LONGEST
    trace = long_turn(18, 60)
    lights = Lights(18)
    lights.begin(trace, bytearray(18))
    units = [lights.moves._unit(lap) for lap in range(trace.count)]
    assert units[0] == 180
    assert units == sorted(units, reverse=True)
    slow = Lights(18, 400)
    assert slow.begin(trace, bytearray(18)) > lights.moves.duration
    assert Lights(18, 60).begin(trace, bytearray(18)) < lights.moves.duration


@pytest.mark.parametrize("drop_ms", [60, 180, 500, 1000])
@pytest.mark.parametrize("own", [[2, 1, 2, 2, 1, 4, 1, 3, 3, 1, 0, 2], [1, 0, 0, 1, 1, 0, 2, 0, 0, 0, 2, 2]])
def test_holes_passed_over_take_no_turn_beyond_the_limit(own, drop_ms):
    """All of North's holes hold two: a seed that gets there goes past twelve."""
    game = engine.make("lamlameta")
    for h in range(24):
        game.seeds[h] = own[h] if h < 12 else 2
    game.tally[0] = 48 - sum(game.seeds)
    game.tally[TURNS] = game.tally[TURNS + 1] = 1
    game.put_up()
    game.play(11)
    assert Lights(24, drop_ms).begin(game.trace, game.marks) <= LONGEST


def test_everything_at_once_keeps_within_the_time():
    trace = long_turn(24, 681)
    trace.count = trace.room + 50
    for h in range(24):
        trace.landed[h] = 2
    trace.claim = 3
    for h in range(12):
        trace.take(12 + h, 2)
    trace.endless = 5
    trace.bonus = trace.over = 1
    trace.passes = 2
    lights = Lights(24, 400)
    assert lights.begin(trace, bytearray(24)) <= LONGEST


def test_a_frame_of_a_long_move_walks_little_of_it(monkeypatch):
    """681 drops at 60 frames a second forward, then backward in 800 ms: no frame walks much of the move again."""
    trace = long_turn(24, 681)
    lights = Lights(24)
    ms = lights.begin(trace, bytearray(24))
    steps = []
    step = Replay.step

    def counted(walk):
        steps[-1] += 1
        return step(walk)

    monkeypatch.setattr(Replay, "step", counted)
    for t in [*range(0, ms, 16), *range(ms, 0, -ms // 50)]:
        steps.append(0)
        picture(lights, t)
    assert sum(steps) > 681
    assert max(steps) < 681 // 4


def a_trace(n, **what):
    trace = Trace(n)
    trace.marks = bytearray(1 if h >= n // 2 else 0 for h in range(n))
    for h in range(n):
        trace.before[h] = 3
    trace.start, trace.count = 2, 1
    for key, value in what.items():
        setattr(trace, key, value)
    return trace


def film(trace, n=18):
    lights = Lights(n)
    marks = bytearray(trace.marks)
    if trace.claim >= 0:
        marks[trace.claim] |= 4
    ms = lights.begin(trace, marks)
    return [picture(lights, t) for t in range(0, ms, 20)]


def test_each_event_looks_different():
    films = [film(a_trace(18))]
    for what in (
        {"claim": 5},
        {"endless": 5},
        {"bonus": 1},
        {"forgone": 1},
        {"passes": 1},
        {"over": 1},
        {"gambit": 0b10101},
        {"skips": 0, "before": bytearray([3] * 3 + [2] * 2 + [3] * 13)},
    ):
        films.append(film(a_trace(18, **what)))
    taken = a_trace(18)
    taken.take(5, 3)
    films.append(film(taken))
    films.append(film(a_trace(18, count=2)))
    plain = len(films[0])
    tails = [tuple(f[plain:]) for f in films[1:7]] + [tuple(f[plain:]) for f in films[9:]]
    assert len(set(tails)) == len(tails)
    assert all(len(set(tail)) > 15 for tail in tails)
    assert len({tuple(f) for f in films}) == len(films)
