"""The computer's turns at the table, take-back against it, and the hint for whoever waits; on a virtual clock, with the
real games. What it thinks is scripted here: that its choices are good ones is tested elsewhere."""

import itertools
import random

import pytest
from test_table import CLOCKS, LAST_MOVE, Board

import table.opponent
from engine.position import put_up
from table.cues import LEGAL, START, TWICE
from table.opponent import LEAST, PASS_MS
from table.opponent import MOST as MOST_WORK
from table.play import LEVEL, PAUSE_MS, SILENCE_MS
from table.race import LIFT_MS, LIFTING, PULSE_MS, PULSES
from table.states import seat
from tools.flashes import worst

MOST = 14  # seeds in a hole that the ripple passes over
SLICES = 20  # of thinking, unless a test says otherwise


class Scripted:
    """Thinks for so many slices, and chooses the last legal hole."""

    slices = SLICES
    begun = []  # (level, seed, seeds) of each `begin`
    thought = 0  # slices
    budgets = []

    def __init__(self, game):
        self.game = game
        self.hole = -1
        self._left = 0

    def begin(self, game, level, seed):
        assert game is self.game
        assert not game.over
        Scripted.begun.append((level, seed, bytes(game.seeds)))
        self.hole = game.legal[game.moves() - 1]
        self._left = Scripted.slices

    def think(self, budget):
        assert self._left > 0, "it has thought all"
        assert budget > 0
        Scripted.budgets.append(budget)
        Scripted.thought += 1
        self._left -= 1
        return self._left > 0


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    monkeypatch.setattr(table.opponent, "Search", Scripted)
    monkeypatch.setattr(Scripted, "slices", SLICES)
    monkeypatch.setattr(Scripted, "begun", [])
    monkeypatch.setattr(Scripted, "budgets", [])
    monkeypatch.setattr(Scripted, "thought", 0)
    return Scripted


class Alone(Board):
    """One person at a game that has just begun, against the computer."""

    def __init__(self, start=0, level=2, person=0, entry=0, **settings):
        super().__init__(start, **{"GAMES": "gabata_aksum", **settings})
        self.begin(entry)
        self.sit(level, person)

    def sit(self, level, person):
        self.table.level = level
        self.table.person = person
        while not seat(self.table):
            pass
        self.play.enter()
        self.run(600)

    def theirs(self):
        return self.play._theirs and not self.play.moving

    def until_theirs(self, most=30_000):
        end = self.t + most
        while not self.theirs() and self.t < end:
            self.run(5)
        assert self.theirs()
        return self

    def until_mine(self, most=60_000):
        end = self.t + most
        while (self.play._theirs or self.play.moving) and self.t < end:
            self.run(5)
        assert not self.play._theirs
        return self.run(30)

    def until_sown(self):
        """Until a move is seen."""
        while not self.play.moving:
            self.run(5)

    def move(self, hole=None):
        """A move of the person's, seen to its end."""
        self.tap(self.legal()[0] if hole is None else hole)
        assert self.play.moving
        while self.play.moving:
            self.run(5)
        return self

    def position(self):
        return bytes(self.game.seeds), bytes(self.game.marks), self.game.mover


# ---- its turn


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_answers_with_what_it_has_thought_of(start, level):
    board = Alone(start, level).move()
    while board.play._theirs and not board.play.moving:
        last = board.legal()[-1]
        board.run(5)
    assert board.play.moving
    assert board.game.trace.start == last
    assert {begun[0] for begun in Scripted.begun} == {level}


def test_its_move_waits_for_the_eye():
    Scripted.slices = 1
    board = Alone().move()
    landed = board.t
    board.until_sown()
    assert PAUSE_MS <= board.t - landed <= PAUSE_MS + 15


def test_a_long_thought_is_sown_as_soon_as_it_is_there():
    Scripted.slices = 300
    board = Alone().move()
    before = board.t
    board.until_sown()
    assert Scripted.thought == 300
    assert 300 * 5 <= board.t - before <= 300 * 5 + 30


def test_one_slice_a_tick():
    board = Alone().move().until_theirs()
    before = Scripted.thought
    board.run(5)
    assert Scripted.thought == before + 1


@pytest.mark.parametrize(("ms", "way"), [(40, -1), (PASS_MS[0] + 1, -1), (PASS_MS[0], 0), (10, 1)])
def test_its_slices_follow_how_long_a_pass_takes(ms, way):
    Scripted.slices = 10_000
    board = Alone().move().until_theirs()
    for _ in range(300):
        board.t += ms
        board.tick()
    first, second, last = Scripted.budgets[-300], Scripted.budgets[-299], Scripted.budgets[-1]
    assert (second > first) - (second < first) == way
    assert last == {-1: LEAST, 0: first, 1: MOST_WORK}[way]


def test_a_touch_is_answered_before_it_goes_on_thinking():
    board = Alone()
    Scripted.slices = 10_000
    board.move()
    before = Scripted.thought
    board.t += 5
    board.down(12)
    assert Scripted.thought == before
    board.t += 5
    board.tick()
    assert Scripted.thought == before + 1
    assert board.drawn("press")[0] == 12


def test_its_sowing_is_slower_than_ones_own():
    board = Alone().move()
    board.until_sown()
    began, duration = board.t, board.play._duration
    while board.play.moving:
        board.run(5)
    assert duration * 5 // 4 - 10 <= board.t - began <= duration * 5 // 4 + 20


def test_no_move_of_its_own_takes_longer_than_any_other_may():
    for duration, longest in ((9600, 12_000), (9700, 9700), (12_000, 12_000)):
        board = Alone().move()
        board.lights.begin = lambda trace, marks, ms=duration: ms
        board.lights.motion = lambda t, clock: None
        board.until_sown()
        began = board.t
        while board.play.moving:
            board.run(5)
        assert longest - 10 <= board.t - began <= longest + 10


def test_a_tap_during_its_animation_makes_it_four_times_as_fast():
    board = Alone().move()
    board.until_sown()
    began, duration = board.t, board.play._duration
    board.down(3).run(80).up(3)
    while board.play.moving:
        board.run(5)
    assert board.t - began <= 100 + duration // 4 + 20


def test_a_tap_on_its_turn_is_answered_no():
    Scripted.slices = 10_000
    board = Alone().move().until_theirs()
    before = board.position()
    for hole in (0, 12):
        board.run(300).down(hole).run(90).up(hole).run(40)
        assert board.drawn("no")[0] == hole
        assert not any(flag & LEGAL for flag in board.play.flags)
        assert board.position() == before


def test_nothing_breathes_on_its_turn():
    Scripted.slices = 10_000
    board = Alone().move().until_theirs()
    assert not any(flag & LEGAL for flag in board.play.flags)
    assert not board.play.lit(12)


def test_its_bonus_moves_are_thought_of_and_sown_one_by_one():
    """Selus of Massawa: a claim gives the move again."""
    board = Alone(GAMES="selus_massawa")
    rng = random.Random(4)
    again = 0
    for _ in range(60):
        if board.state != "play":
            break
        board.move(rng.choice(board.legal()))
        while board.state == "play" and (board.play._theirs or board.play.moving):
            turn = board.play._theirs and not board.play.moving
            if turn and board.game.again:
                again += 1
                waited = board.t
                board.until_sown()
                assert board.t - waited >= PAUSE_MS - 10
            board.run(5)
    assert again >= 2


def test_whole_games_to_the_result_and_a_rematch():
    board = Alone(GAMES="gabata_aksum rounds=1")
    for starter in (0, 1):
        assert board.game.starter == starter
        board.until_mine()
        put_up(board.game, LAST_MOVE | {"mover": 1})
        board.play.history.clear()
        board.play._start = -1
        board.play._rest()
        board.until("result")
        board.run(1600).tap(3).run(600)
        assert board.state == "play"


def test_the_person_may_sit_on_either_side():
    board = Alone(person=1)
    assert board.theirs()
    board.until_mine()
    assert board.game.mover == 1
    assert board.legal() == [hole for hole in range(18) if board.play.flags[hole] & LEGAL]


def test_two_people_are_left_alone():
    board = Board(GAMES="gabata_aksum").begin()
    board.tap(board.legal()[0])
    board.settle()
    board.run(19_000)
    assert not board.play.moving
    assert board.table.opponent is None
    assert Scripted.begun == []


def test_the_same_position_again_is_thought_of_with_another_seed():
    seeds = set()
    for wait in (0, 1000, 2000):
        board = Alone().run(wait).move()
        seeds.add(Scripted.begun[-1][1])
        assert all(0 <= seed < 1 << 29 for _, seed, _ in Scripted.begun)
        assert board.theirs()
    assert len(seeds) == 3


# ---- ripple


def frames_of(board, ms, step=20):
    frames = []
    end = board.t + ms
    while board.t < end:
        board.t += step
        board.tick()
        frames.append((board.t, bytes(board.lights.frame)))
    return frames


@pytest.mark.parametrize(("kind", "game"), [("3x6", "gabata_aksum"), ("2x12", "lamlameta")])
@pytest.mark.parametrize("person", [0, 1])
def test_the_ripple_runs_on_its_side_and_flashes_nobody(kind, game, person):
    Scripted.slices = 10_000
    board = Alone(BOARD=kind, GAMES=game, person=person)
    if not board.theirs():
        board.move().until_theirs()
    board.run(1100)
    frames = frames_of(board, 20_000)
    n = board.table.n
    assert max(worst(frames, n)) <= 3
    moving = set()
    for (_, before), (_, after) in itertools.pairwise(frames):
        moving |= {
            hole for hole in range(n) if before[3 * hole : 3 * hole + 3] != after[3 * hole : 3 * hole + 3]
        }
    own = set(range(n // 2)) if person else set(range(n // 2, n))
    marked = {hole for hole in range(n) if board.play.flags[hole]}
    assert moving >= own
    assert moving <= own | marked


def test_what_is_kept_of_the_picture_is_the_picture():
    """The position is drawn anew only where a cue begins or ends: what is shown is what would be drawn."""
    Scripted.slices = 100_000
    board = Alone().move().until_theirs()
    game = board.game
    for hole, seeds in enumerate([1, 8, 15, 22, 29, 0, 3, 4, 5, 6, 7, 40, 0, 9, 16, 23, 2, 1]):
        game.seeds[hole] = seeds
    for hole, owner in ((1, 0), (2, 0), (3, 1), (5, 1), (11, 0)):
        game.marks[hole] |= (owner + 1) << 2
    board.kill(7)
    n = board.table.n
    whole = type(board.lights).__mro__[1](n)
    for _ in range(300):
        board.t += 30
        board.tick()
        whole.clear()
        whole.rest(board.game.seeds, board.game.marks, board.play.flags, board.table.clock)
        shown = board.lights._want
        for hole in range(n // 2):  # the other half's ripple is laid over it
            assert shown[3 * hole : 3 * hole + 3] == whole._want[3 * hole : 3 * hole + 3], (
                hole,
                board.table.clock,
            )


def test_holes_with_many_dips_are_left_alone_by_the_ripple():
    board = Alone()
    lights = board.lights
    seeds = bytes([MOST, MOST + 1] * 9)
    lit = set()
    for t in range(0, 2000, 20):
        lights.clear()
        lights.ripple(0, seeds, t)
        lit |= {hole for hole in range(18) if any(lights._want[3 * hole : 3 * hole + 3])}
    assert lit == {0, 2, 4, 6, 8}


def test_the_ripple_fades_into_the_move():
    board = Alone().move()
    board.until_sown()
    levels = []
    board.table.opponent.ripple = lambda lights, t, level: levels.append(level)
    board.run(400)
    assert levels == sorted(levels, reverse=True)
    assert levels[0] > 200
    assert levels[-1] < 20


# ---- take-back


def hold_back(board, pad):
    """Holds until the move is taken back."""
    return board.down(pad).run(1000 + 600 + 800 + 20).up(pad).run(300)


def test_a_hold_takes_back_to_ones_own_last_choice():
    board = Alone()
    before = board.position()
    board.move().until_mine()
    after = board.position()
    start = board.game.trace.start
    hold_back(board, start)
    assert board.position() == before != after
    assert board.play.history.count == 0
    assert not board.play._theirs
    assert [line["takeback"] for line in board.log if "takeback" in line] == [2]


def test_from_one_to_the_next_as_far_as_there_are_choices():
    board = Alone()
    before = []
    for _ in range(4):
        before.append(board.position())
        board.move().until_mine()
    while before:
        hold_back(board, board.play._start)
        assert board.position() == before.pop()
    assert board.play.history.count == 0


def test_while_it_thinks_ones_own_move_is_taken_back_and_it_stops():
    Scripted.slices = 10_000
    board = Alone()
    before = board.position()
    board.move().until_theirs()
    hold_back(board, board.play._start)
    assert board.position() == before
    thought = Scripted.thought
    board.run(1000)
    assert Scripted.thought == thought
    assert [line["takeback"] for line in board.log if "takeback" in line] == [1]
    board.move().until_theirs()  # and it begins anew
    assert len(Scripted.begun) == 2


def test_its_answer_waits_while_a_finger_may_yet_take_back():
    board = Alone()
    before = board.position()
    board.move()
    start = board.play._start
    board.down(start).run(2300)
    assert board.theirs()  # it has long thought all
    board.run(150)
    assert board.position() == before
    board.up(start).run(300).move(start)
    board.down(start).run(1500).up(start).run(20)  # let go of too soon
    assert board.play.moving


def test_a_finger_elsewhere_does_not_hold_its_answer_up():
    board = Alone().move()
    other = (board.play._start + 1) % 18
    board.down(other).run(PAUSE_MS + 50)
    assert board.play.moving


def test_where_one_has_not_chosen_yet_there_is_nothing_to_take_back():
    board = Alone(person=1).until_mine()
    before = board.position()
    start = board.play._start
    assert board.play.flags[start] & (START | TWICE) == START
    board.down(start).run(3000)
    assert board.drawn("count_out")[0] == start
    board.up(start)
    assert board.position() == before
    board.run(300).move().until_mine()
    assert board.play.flags[board.play._start] & (START | TWICE) == START | TWICE
    hold_back(board, board.play._start)
    assert board.position() == before


def test_a_dead_start_is_taken_back_at_its_partner():
    board = Alone()
    before = board.position()
    board.move().until_mine()
    start = board.play._start
    board.kill(start)
    hold_back(board, board.play.partner(start))
    assert board.position() == before


def test_an_exhibit_takes_nothing_back():
    board = Alone(MODE="exhibit").move().until_mine()
    before = board.position()
    hold_back(board, board.play._start)
    assert board.position() == before


# ---- hint


def alone_or_two(level):
    if level:
        return Alone(level=level)
    return Board(GAMES="gabata_aksum").begin()


@pytest.mark.parametrize("level", [0, 1, 3])
def test_whoever_waits_is_shown_what_level_2_would_choose(level):
    board = alone_or_two(level)
    board.run(SILENCE_MS - 1500)
    assert Scripted.begun == []
    board.run(2000)
    assert [begun[0] for begun in Scripted.begun] == [LEVEL]
    found = set()
    for _ in range(200):
        board.run(20)
        found |= {args[0] for args in board.cues.get("hint", [])}
    assert found == {board.legal()[-1]}
    assert Scripted.thought == SLICES  # once


def test_a_touch_ends_the_hint_and_another_wait_brings_it_back():
    board = Alone().run(SILENCE_MS + 1000)
    assert board.drawn("hint")
    board.tap(12)
    assert not board.drawn("hint")
    board.run(SILENCE_MS - 1500)
    assert not board.drawn("hint")
    board.run(2000)
    assert board.drawn("hint")
    board.move()
    assert not board.drawn("hint")


def test_the_wait_begins_with_ones_turn():
    """However long the computer has been at it."""
    Scripted.slices = 4000
    board = Alone().move().until_mine()
    Scripted.slices = SLICES
    begun = len(Scripted.begun)
    board.run(SILENCE_MS - 500)
    assert len(Scripted.begun) == begun
    board.run(1000)
    assert len(Scripted.begun) == begun + 1


def test_without_hints_there_is_none():
    board = Board(GAMES="gabata_aksum", HINTS="0").begin().run(SILENCE_MS + 5000)
    assert Scripted.begun == []
    assert not board.drawn("hint")


def test_the_hint_gives_way_to_the_call():
    board = Board(GAMES="gabata_aksum", MODE="exhibit").begin().run(88_000)
    assert board.drawn("hint")
    board.run(3000)
    assert board.drawn("call")
    assert not board.drawn("hint")


def test_the_hint_changes_no_count_and_does_not_flash():
    board = Alone().run(SILENCE_MS + 1000)
    hole = board.legal()[-1]
    whole = type(board.lights).__mro__[1](18)
    glow = 0
    for _ in range(300):
        board.t += 26
        board.tick()
        whole.clear()
        whole.rest(board.game.seeds, board.game.marks, board.play.flags, board.table.clock)
        same = board.lights._want == whole._want
        if board.table.clock % 2000 >= 600:
            assert same
        glow += not same
    assert glow > 20
    assert max(worst(frames_of(board, 10_000), 18)) <= 3
    assert board.play.flags[hole] & LEGAL


# ---- a race


class RacingAlone(Alone):
    """One person in a race that has just begun."""

    def __init__(self, start=0, level=2, person=0, **settings):
        super().__init__(start, level, person, GAMES="sulus_aidi race=1", **settings)

    def sit(self, level, person):
        self.table.level = level
        self.table.person = person
        while not seat(self.table):
            pass
        race = self.table.race
        self.counts = [0, 0]
        drop = race._drop

        def counted(player):
            self.counts[player] += 1
            drop(player)

        race._drop = counted
        race.enter()
        self.run(30)

    @property
    def them(self):
        return 1 - self.table.person

    def lift(self, hole=None):
        self.tap(9 * self.table.person + 2 if hole is None else hole)
        while self.table.race._phase == LIFTING:
            self.run(5)
        return self.run(PULSES * PULSE_MS)

    def begin(self, entry=0):
        self.tap(4)
        assert self.state == "race"
        return self.run(600)

    def drops(self, player):
        """How many of his there have been since the board was made."""
        return self.counts[player]


@pytest.mark.parametrize("person", [0, 1])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_in_a_race_it_lifts_after_the_person(level, person):
    board = RacingAlone(level=level, person=person).run(3000)
    assert board.game.next_drop(board.them) < 0
    own = range(9 * person, 9 * person + 9)
    assert [hole for hole in range(18) if board.table.race.flags[hole] & LEGAL] == list(own)
    board.tap(own[3])
    lifted = board.t
    while board.game.next_drop(board.them) < 0:
        board.run(5)
    assert 0 <= board.t - lifted <= LIFT_MS
    hole = board.table.race._lifted[board.them]
    assert board.game.owner(hole) == board.them


def test_a_tap_on_its_hole_lifts_nothing():
    board = RacingAlone()
    board.down(12).run(100).up(12).run(30)
    assert board.drawn("no")[0] == 12
    assert board.game.next_drop(0) == board.game.next_drop(1) == -1


def sown(seeds, hole):
    """Drops until a sowing of that hole alone ends in an empty hole."""
    seeds = list(seeds)
    count = 0
    while count < 200:
        hand, seeds[hole] = seeds[hole], 0
        while hand:
            hole = (hole + 1) % len(seeds)
            seeds[hole] += 1
            hand -= 1
            count += 1
        if seeds[hole] == 1:
            break
    return count


@pytest.mark.parametrize("lifted", range(9))
def test_from_level_2_on_it_lifts_what_is_over_first(lifted):
    for level in (2, 3):
        board = RacingAlone(level=level)
        board.tap(lifted)
        seeds = bytes(board.game.seeds)
        while board.game.next_drop(1) < 0:
            board.run(5)
        drops = {hole: sown(seeds, hole) for hole in range(9, 18)}
        assert drops[board.table.race._lifted[1]] == min(drops.values())


def test_at_level_1_it_lifts_any():
    holes = set()
    for wait in range(40):
        board = RacingAlone(level=1).run(37 * wait)
        board.lift()
        holes.add(board.table.race._lifted[1])
    assert len(holes) >= 6


@pytest.mark.parametrize(("level", "least", "most"), [(1, 800, 1300), (2, 520, 680), (3, 340, 380)])
def test_its_hand_is_as_steady_as_its_level(level, least, most):
    paces = set()
    for seed in range(5):
        board = RacingAlone(level=level).run(11 * seed).lift()
        count = board.drops(1)
        since = board.t
        while board.game.race and board.t - since < 12_000:
            board.run(5)
            if board.drops(1) > count:
                count += 1
                paces.add(board.t - since)
                since = board.t
    assert least <= min(paces)
    assert max(paces) <= most + 10
    assert max(paces) - min(paces) > (most - least) // 2


def test_a_press_on_its_next_hole_is_no_drop_of_its():
    board = RacingAlone(level=1).lift()
    while not board.drops(1):
        board.run(5)
    count = board.drops(1)
    board.down(board.game.next_drop(1)).run(50)
    assert board.drops(1) == count


def test_its_dead_pads_do_not_hurry_it():
    board = RacingAlone(level=1).kill(*range(9, 18)).lift()
    before = board.drops(1)
    board.run(750)
    assert board.drops(1) == before == 0


def test_whoever_does_not_come_is_helped_against_it_too():
    board = RacingAlone()
    board.run(9000)
    assert board.game.next_drop(0) >= 0
    board.run(1000 + PULSES * PULSE_MS)
    while board.game.race:
        board.run(5)
    assert board.drops(0)
    assert board.state == "play"


@pytest.mark.parametrize("person", [0, 1])
def test_after_the_race_play_goes_on(person):
    board = RacingAlone(level=3, person=person).lift()
    while board.game.race:
        hole = board.game.next_drop(person)
        if hole >= 0:
            board.down(hole).run(50).up(hole)
        board.run(50)
    assert board.state == "play"
    board.run(600)
    board.until_mine()
    board.move()
    assert board.state == "play"


# ---- what else may happen on its turn


def test_the_game_can_be_given_up_on_its_turn():
    Scripted.slices = 10_000
    board = Alone(GAMES="gabata_aksum; lame_uweedet").move().until_theirs()
    board.down(0, 9).run(3200)
    assert board.state == "choose"
    thought = Scripted.thought
    board.up(0, 9).run(3000)
    assert Scripted.thought == thought


def test_the_staff_may_come_on_its_turn_and_it_goes_on():
    Scripted.slices = 2000
    board = Alone().move().until_theirs()
    board.down(0, 5, 9, 14).run(5100)
    assert board.state == "staff"
    board.up(0, 5, 9, 14)
    thought = Scripted.thought
    board.run(5000)
    assert Scripted.thought == thought
    board.tap(8)
    assert board.state == "play"
    board.until_mine()
    assert board.game.mover == 0


def test_asleep_it_does_not_think_and_goes_on_afterwards():
    Scripted.slices = 70_000
    board = Alone(SLEEP_MIN="1").move().until_theirs()
    board.until("asleep", 70_000)
    thought = Scripted.thought
    board.run(60_000)
    assert Scripted.thought == thought
    board.down(4).run(500).up(4)
    assert board.state == "play"
    assert board.theirs()
    Scripted.slices = 1
    board.run(500)
    assert Scripted.thought > thought


def test_an_exhibit_that_is_left_on_its_turn_calls_and_counts_down():
    Scripted.slices = 100_000
    board = Alone(MODE="exhibit").move().until_theirs()
    board.run(93_000)
    assert board.drawn("countdown")
    board.until("attract", 25_000)


def test_its_own_holes_need_no_pads():
    board = Alone().kill(*range(9, 18)).move()
    board.until_mine(10_000)
    assert board.game.mover == 0


def test_the_lowest_hole_is_played_for_people_only():
    board = Alone().move().until_mine()
    board.kill(*range(18))
    start = board.t
    board.until_sown()
    assert board.t - start >= 4900
    assert board.game.trace.start == min(
        hole for hole in range(18) if board.game.trace.before[hole] and hole < 9
    )


def test_a_pad_that_breaks_on_its_turn_is_shown():
    Scripted.slices = 100_000
    board = Alone().move().until_theirs().kill(3)
    n = 18
    seen = False
    for _ in range(420):
        board.t += 10
        board.tick()
        seen |= bytes(board.lights._want[9:12]) == bytes((172, 6, 60))
    assert seen
    assert n == board.table.n
