"""What is heard: notes from the piezo's pin, what they say of a turn, and that nothing depends on them."""

import sys
import types

import pytest
from conftest import ROOT

import engine
from engine.replay import CLAIM, DONE, DROP, ENDLESS, JUMP, LIFT, TAKE, Replay
from simulator.machine import Machine
from table import sounds
from table.lights import COUNT_MS, Lights
from table.settings import read
from table.sounds import FIRST, MAJOR, MOST, PLAYERS, Sounds, hertz, step_of
from table.table import Table

MASK = (1 << 29) - 1
FRAME_MS = 20


class Ear:
    """A speaker that only notes what it is told: (Hz, ms), and None where it is to forget the rest."""

    def __init__(self):
        self.told = []

    def play(self, hz, ms):
        self.told.append((hz, ms))

    def stop(self):
        self.told.append(None)

    def take(self):
        """All that has been told since the last time, as figures: one tuple of notes for each cut."""
        figures, self.told = [[]], [*self.told]
        for note in self.told:
            if note is None:
                figures.append([])
            else:
                figures[-1].append(note)
        self.told = []
        return [tuple(figure) for figure in figures if figure]


def figure(notes, up):
    return tuple((hertz(notes[i] + up), 10 * notes[i + 1]) for i in range(0, len(notes), 2))


def turn_note(player):
    return ((0, sounds.REST_MS), (hertz(PLAYERS[player]), sounds.TURN_MS))


# ---- the scale


def test_a_note_tells_how_many_seeds_there_are():
    notes = [hertz(step_of(seeds)) for seeds in range(1, MOST + 1)]
    assert notes == sorted(set(notes))
    assert notes[0] == 440
    for seeds in range(1, 23):
        assert hertz(step_of(seeds + 7)) == 2 * hertz(step_of(seeds)) + hertz(step_of(seeds + 7)) % 2
    assert all(step_of(seeds) == step_of(MOST) for seeds in range(MOST, 256))


def test_notes_are_in_tune():
    for step in range(61):
        assert abs(hertz(step) / (220 * 2 ** (step / 12)) - 1) < 0.005  # a twelfth of a half-tone


def test_no_figure_leaves_the_piezos_range_or_is_like_another():
    heard = set()
    for name, notes in vars(sounds).items():
        if isinstance(notes, bytes) and name not in ("MAJOR", "PLAYERS"):
            assert len(notes) % 2 == 0
            assert len(notes) // 2 <= 32  # what a speaker has room for
            assert max(notes[::2]) + max(PLAYERS) <= 60
            heard.add(notes[::2])
    assert len(heard) == 12
    # Nobody's turn sounds like a number of seeds.
    assert not {hertz(up) for up in PLAYERS} & {hertz(step_of(seeds)) for seeds in range(1, MOST + 1)}
    assert max(PLAYERS) < FIRST + MAJOR[0]


# ---- a turn


def heard_of(ear, lights, listener, speed=1):
    """The figures of the move that `lights` are ready to show."""
    t, now = 0, (1 << 29) - 700
    while t < lights.moves.duration:
        lights.clear()
        lights.motion(t, 0)
        listener.follow(now & MASK, speed)
        t += FRAME_MS * speed
        now += FRAME_MS
    return ear.take()


def expected(trace):
    """What is to be heard of a move: (kind, notes or, of a drop, its height)."""
    mover = trace.marks[trace.start] & 1
    own = PLAYERS[mover]
    names = {LIFT: "SHIFT", CLAIM: "CHORD", TAKE: "FALL", ENDLESS: "CIRCLE", JUMP: "SCALE"}
    replay = Replay(len(trace.before))
    replay.begin(trace)
    events = []
    while (event := replay.step()) != DONE:
        if event == DROP:
            events.append(hertz(step_of(replay.seeds[replay.hole])))
        elif event in names:
            events.append(
                figure(getattr(sounds, names[event]), 0 if names[event] in ("CIRCLE", "SCALE") else own)
            )
    if trace.bonus:
        events.append(figure(sounds.AGAIN, own))
    if trace.forgone:
        events.append(figure(sounds.NOT_AGAIN, own))
    for k in range(min(2, trace.passes)):
        events.append(figure(sounds.PASSED, PLAYERS[mover ^ 1 ^ k]))
    if trace.over:
        events.append(figure(sounds.CADENCE, 0))
    return events


def choices(name):
    with open(f"{ROOT}/tests/games/{name}.txt", encoding="utf-8") as file:
        return [int(line.split()[2]) for line in file if line.startswith("> play")]


@pytest.mark.parametrize("name", sorted(engine.names()))
def test_the_notes_of_recorded_games_are_the_engines_counts(name):
    game = engine.make(name, {})
    game.start(0)
    n = len(game.seeds)
    ear = Ear()
    lights = Lights(n)
    lights.load()
    listener = Sounds(ear, lights.moves)
    kinds = set()
    for hole in choices(name):
        if game.over or hole not in game.legal[: game.moves()]:
            break
        game.play(hole)
        lights.begin(game.trace, game.marks)
        if lights.moves._unit(min(game.trace.count, game.trace.room) - 1) < sounds.LEAST_MS + FRAME_MS:
            continue  # too quick for each seed to be heard
        heard = heard_of(ear, lights, listener)
        wanted = expected(game.trace)
        assert [notes[0][0] if len(notes) == 1 else notes for notes in heard] == wanted
        kinds.update(len(what) if isinstance(what, tuple) else 1 for what in wanted)
    assert len(kinds) >= 2


def test_four_times_as_fast_the_seeds_thin_out_and_nothing_else():
    game = engine.make("gabata_aksum", {})
    ear = Ear()
    lights = Lights(18)
    lights.load()
    listener = Sounds(ear, lights.moves)
    thinned = 0
    for hole in choices("gabata_aksum")[:30]:
        if game.over:
            break
        game.play(hole)
        lights.begin(game.trace, game.marks)
        heard = heard_of(ear, lights, listener, 4)
        wanted = expected(game.trace)
        at = 0
        for notes in heard:  # in order, and only such as were to be heard
            what = notes[0][0] if len(notes) == 1 else notes
            at = wanted.index(what, at) + 1
            if len(notes) == 1:
                assert notes[0][1] >= sounds.LEAST_MS
        figures = [what for what in wanted if isinstance(what, tuple)]
        assert [notes for notes in heard if len(notes) > 1] == figures
        thinned += len(wanted) - len(heard)
    assert thinned > 20


def test_a_move_run_backwards_is_not_heard():
    board = Board()
    board.tap(2).settle()
    board.ear.take()
    board.table.press(2, 100, board.now)
    board.run(1000 + 600 + 700)
    before = board.ear.take()
    assert before == []
    board.run(200)
    board.table.release(2, board.now)
    assert board.game.turns(0) == 0
    assert board.ear.take() == [figure(sounds.BACK, 0) + turn_note(0)]


class Board:
    """A table with an ear, in play."""

    def __init__(self, game="gabata_aksum", ear=True):
        self.settings = read({"GEBETA_GAMES": game, "GEBETA_PLAYERS": "two"}.get, print)
        self.lights = Lights(18)
        self.ear = Ear()
        self.table = Table(self.lights, self.settings, speaker=self.ear if ear else None)
        self.now = 0
        self.table.tick(0)
        self.run(50).tap(4).run(700)

    @property
    def game(self):
        return self.table.game

    def run(self, ms):
        for _ in range(ms // 10):
            self.now += 10
            self.table.tick(self.now)
        return self

    def tap(self, pad):
        self.table.press(pad, 100, self.now)
        self.run(100).table.release(pad, self.now)
        return self.run(20)

    def settle(self):
        while self.table.state.moving:
            self.run(10)
        return self.run(300)


def test_a_turn_begins_with_its_players_note():
    board = Board()
    assert board.ear.take() == [turn_note(0)]
    board.tap(2).settle()
    assert board.ear.take()[-1][-2:] == turn_note(1)
    board.tap(11).settle()
    assert board.ear.take()[-1][-2:] == turn_note(0)


def test_a_wrong_tap_growls():
    board = Board()
    board.ear.take()
    board.tap(12)
    assert board.ear.take() == [figure(sounds.GROWL, 0)]


@pytest.mark.parametrize("seeds", [1, 3, 9, 20])
def test_counting_sounds_each_seed(seeds):
    board = Board()
    board.game.seeds[2] = seeds
    for _ in range(2):  # and again when it is counted again
        board.ear.take()
        board.table.press(2, 100, board.now)
        board.run(1000 + seeds * COUNT_MS + 300)
        board.table.release(2, board.now)
        board.run(300)
        heard = board.ear.take()
        assert [notes[0][0] for notes in heard] == [hertz(step_of(k)) for k in range(1, seeds + 1)]
        assert all(len(notes) == 1 for notes in heard)


def test_an_empty_hole_counts_in_silence():
    board = Board()
    board.game.seeds[2] = 0
    board.ear.take()
    board.table.press(2, 100, board.now)
    board.run(2000)
    assert board.ear.take() == []


@pytest.mark.parametrize("side", [-1, 0, 1])
def test_the_result_says_who_has_won(side, monkeypatch):
    board = Board()
    board.ear.take()
    monkeypatch.setattr(type(board.game), "winner", lambda game: side)
    board.table.go(board.table.result)
    notes = sum(board.ear.take(), ())
    for player in range(2):
        assert (figure(sounds.WON, PLAYERS[player])[0] in notes) == (side in (-1, player))


def test_a_race_sounds_its_start_and_each_seed():
    board = Board("sulus_aidi race=1")
    assert board.table.state is board.table.race
    board.ear.take()
    board.tap(2).tap(11)
    lifts = board.ear.take()
    assert lifts[0] == figure(sounds.SHIFT, PLAYERS[0])
    assert lifts[1] == (*figure(sounds.SHIFT, PLAYERS[1]), (hertz(12), 100))
    board.run(1800)
    assert board.ear.take() == [((hertz(12), 100), (hertz(12), 100), (hertz(24), 300))]
    board.tap(3)
    assert board.ear.take() == [((hertz(step_of(4)), sounds.SEED_MS),)]


# ---- the piezo


class Pwm:
    def __init__(self, pin, frequency, duty_cycle, variable_frequency):
        assert variable_frequency
        self.pin = pin
        self.frequency = frequency
        self.duty_cycle = duty_cycle


@pytest.fixture
def speaker(monkeypatch):
    monkeypatch.setitem(sys.modules, "pwmio", types.SimpleNamespace(PWMOut=Pwm))
    monkeypatch.delitem(sys.modules, "hardware.sound", raising=False)
    from hardware.sound import Speaker

    yield lambda volume=10: Speaker("GP27", volume)
    sys.modules.pop("hardware.sound")


def sounding(speaker):
    return speaker._pwm.frequency if speaker._pwm.duty_cycle else 0


@pytest.mark.parametrize("start", [0, (1 << 29) - 30])
def test_notes_last_their_time_and_follow_each_other(speaker, start):
    s = speaker()
    s.play(440, 50)
    s.play(880, 30)
    s.play(0, 20)
    s.play(660, 30)
    heard = []
    for t in range(0, 200, 5):
        s.tick((start + t) & MASK)
        heard.append(sounding(s))
    assert heard == [440] * 10 + [880] * 6 + [0] * 4 + [660] * 6 + [0] * 14


def test_the_same_note_twice_is_heard_as_two(speaker):
    s = speaker()
    s.play(440, 30)
    s.play(440, 30)
    heard = []
    for t in range(0, 100, 3):
        s.tick(t)
        heard.append(sounding(s))
    assert heard == [440] * 10 + [0] * 4 + [440] * 10 + [0] * 10


def test_a_cut_off_figure_gives_way_at_once(speaker):
    s = speaker()
    for hz in (440, 500, 600):
        s.play(hz, 1000)
    s.tick(0)
    s.stop()
    s.play(880, 20)
    s.tick(10)
    assert sounding(s) == 880
    s.tick(30)
    assert sounding(s) == 0
    s.play(300, 20)
    s.tick(5000)
    assert sounding(s) == 300
    s.stop()
    s.tick(5001)
    assert sounding(s) == 0


def test_what_finds_no_room_is_left_out(speaker):
    s = speaker()
    for hz in range(100, 200):
        s.play(hz, 10)
    heard = []
    for t in range(0, 1000, 10):
        s.tick(t)
        heard.append(sounding(s))
    assert heard == [*range(100, 132)] + [0] * 68


def test_the_volume_is_in_the_duty_cycle(speaker):
    duties = []
    for volume in range(1, 11):
        s = speaker(volume)
        assert s._pwm.duty_cycle == 0
        s.play(440, 10)
        s.tick(0)
        duties.append(s._pwm.duty_cycle)
    assert duties == sorted(set(duties))
    assert duties[0] > 200
    assert duties[-1] == 32767  # half a period is as loud as it gets


# ---- the whole board


def test_the_boards_own_program_plays_what_is_in_the_engine():
    settings = {"GEBETA_GAMES": "gabata_aksum", "GEBETA_PLAYERS": "two", "GEBETA_SOUND_PIN": "GP27"}
    game = engine.make("gabata_aksum", {})
    game.start(0)
    with Machine(settings=settings, virtual=True) as m:
        m.run(700)
        m.tap(4)
        m.run(700)
        assert [hz for _, hz, _ in m.notes] == [220, 0]
        for hole in choices("gabata_aksum")[:2]:
            heard = len(m.notes)
            m.tap(hole)
            m.run(12_500)
            game.play(hole)
            notes = [hz for _, hz, _ in m.notes[heard:] if hz]
            own = hertz(PLAYERS[1 - game.mover])
            wanted = []
            for what in expected(game.trace):
                wanted += [hz for hz, _ in what] if isinstance(what, tuple) else [what]
            assert notes == [*wanted, hertz(PLAYERS[game.mover])]
            assert own in notes
            assert m.notes[-1][1:] == (0, 0)


@pytest.mark.parametrize("settings", [{}, {"GEBETA_SOUND_PIN": ""}, {"GEBETA_VOLUME": "3"}])
def test_without_a_pin_nothing_of_it_is_loaded(settings):
    with Machine(
        settings={"GEBETA_GAMES": "gabata_aksum", "GEBETA_PLAYERS": "two", **settings}, virtual=True
    ) as m:
        m.run(700)
        m.tap(4)
        m.run(700)
        m.tap(2)
        m.run(3000)
        assert m.notes == []
        loaded = {"table.sounds", "hardware.sound", "hardware.extras", "hardware.power"} & set(m._modules)
        assert not loaded


def test_a_board_without_pwmio_says_so_and_plays(monkeypatch):
    from simulator import shims

    def refuse(machine, blinka):
        def make(*args, **names):
            raise ValueError("All timers for this pin are in use")

        return shims._module("pwmio", PWMOut=make)

    refuse.__name__ = "_pwmio"
    monkeypatch.setattr(shims, "_pwmio", refuse)
    settings = {
        "GEBETA_GAMES": "gabata_aksum",
        "GEBETA_PLAYERS": "two",
        "GEBETA_SOUND_PIN": "GP27",
        "GEBETA_LOG": "1",
    }
    with Machine(settings=settings, virtual=True) as m:
        m.run(700)
        m.tap(4)
        m.run(700)
        m.tap(2)
        m.run(12_000)
        line = 'GEBETA_SOUND_PIN = "GP27": All timers for this pin are in use; there is no sound'
        assert line in m.console.splitlines()
        assert '"events"' in m.console
