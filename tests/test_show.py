"""What *attract* plays, through an hour and more of it: games that end, lessons, rests, and a way out at any moment."""

import itertools
import random

import pytest
from test_table import CLOCKS, LAST_MOVE, Board

import engine
from engine.position import put_up
from table.cues import BREATH_MIN, DEAD, END, LEGAL
from table.show import (
    BARS,
    EMBERS,
    EMBERS_MS,
    FADE_MS,
    FINGER,
    FINGER_MS,
    FIRST_MS,
    GAME,
    LESSON,
    MOVES,
    MOVING,
    PAUSE,
    PAUSE_MS,
    QUIET,
    SEEDS,
    WALK,
    WINNER,
    Show,
)
from table.states import SHOW_MS
from tools.flashes import worst

HOUR = 3_600_000
FRAME = 25


class Attracting(Board):
    """An exhibit with nobody before it; `seed` decides what is played."""

    def __init__(self, start=0, seed=1, **settings):
        super().__init__(start, **{"MODE": "exhibit", **settings})
        draw = random.Random(seed).randrange
        self.table.open_show = lambda table: Show(table, draw)
        self.run(SHOW_MS + 20)  # a pass for each piece

    @property
    def show(self):
        return self.table.attract.show

    def step(self, ms=FRAME):
        self.t += ms
        return self.tick()

    def until_scene(self, scene, most=600_000):
        end = self.t + most
        while self.show._scene != scene and self.t < end:
            self.step()
        assert self.show._scene == scene
        return self

    def until_doing(self, doing, most=60_000):
        self.until_scene(GAME)
        end = self.t + most
        while self.show._doing != doing and self.t < end:
            self.step()
        assert (self.show._scene, self.show._doing) == (GAME, doing)
        return self

    def over(self):
        """The game that is shown has ended."""
        self.until_doing(PAUSE)
        put_up(self.game, LAST_MOVE)
        self.show._pause()
        return self.until_scene(BARS)


def test_embers_come_first_and_go_on_unbroken_when_the_show_has_been_loaded():
    board = Attracting()
    assert set(board.run(30).cues) == {"ember"}
    shown = bytes(board.lights._want)
    board.lights.clear()
    board.lights.ember(board.table.clock)
    assert shown == board.lights._want


@pytest.mark.parametrize("kind", ["3x6", "2x12"])
def test_what_an_hour_of_it_is_made_of(kind):
    board = Attracting(CLOCKS[1], BOARD=kind)
    table, show = board.table, board.show
    seen = []  # scenes
    played = []  # games, in their order
    dark = worst_dark = 0
    game = None
    while board.t < HOUR:
        board.step(50)
        scene = show._scene
        if not seen or seen[-1] != scene:
            seen.append(scene)
            if scene == GAME and seen[-3:-2] != [LESSON]:
                played += [] if table.game is game else [table.game.NAME]
                game = table.game
            if scene == BARS:
                assert table.game.over or table.game.quiet >= QUIET
        dark = 0 if any(table.lights.frame) else dark + 50
        worst_dark = max(worst_dark, dark)
        assert board.state == "attract"
        assert not {"filling", "no", "swell", "call", "countdown"} & set(board.cues)
    assert worst_dark <= 2200
    assert seen.count(BARS) >= 2
    assert seen.count(LESSON) >= seen.count(GAME) // 3 >= 5
    names = [name for name in engine.names() if kind == engine.find(name).BOARD]
    assert set(played) == set(names)
    assert played[: len(names)] == names
    for before, after in itertools.pairwise(seen):
        assert after in {
            EMBERS: (GAME, LESSON),
            GAME: (EMBERS, BARS),
            BARS: (WINNER,),
            WINNER: (EMBERS,),
        }.get(before, (GAME,))
    assert [line for line in board.log if "state" not in line] == []  # no turn, no position


@pytest.mark.parametrize("kind", ["3x6", "2x12"])
def test_it_never_flashes_and_never_jumps(kind):
    """Five minutes. Most changes at once where owners' colours come before the counts."""
    board = Attracting(BOARD=kind)
    frames = []
    while board.t < 300_000:
        board.step()
        frames.append((board.t, bytes(board.lights.frame)))
    n = board.table.n
    assert max(worst(frames, n)) <= 3
    sums = [sum(frame) for _, frame in frames]
    steps = [abs(b - a) for a, b in itertools.pairwise(sums)]
    assert max(steps) <= max(sums) // 4


def test_all_but_the_embers_is_dimmed_to_where_colours_are_still_told_apart():
    board = Attracting().until_doing(FINGER)
    board.until_doing(PAUSE).step(500)
    while board.table.clock < 3600 or board.show._doing != PAUSE:  # no glint, no owner's colour
        board.step()
    dimmed = bytes(board.lights._want)
    board.lights.clear()
    board.lights.rest(board.game.seeds, board.game.marks, bytes(18), board.table.clock)
    whole = board.lights._want
    assert dimmed == bytes(c * BREATH_MIN + 255 >> 8 for c in whole)


def test_a_finger_touches_the_hole_before_each_move():
    board = Attracting().until_scene(GAME)
    for _ in range(5):
        board.until_doing(FINGER)
        levels = []
        holes = set()
        while board.show._doing == FINGER:
            hole, level = board.drawn("press")
            holes.add(hole)
            levels.append(level)
            assert not board.drawn("rest")[2][hole] & LEGAL
            board.step()
        assert len(holes) == 1
        assert max(levels) == 256
        assert levels[0] <= 64
        assert levels[-1] <= 64
        assert FINGER_MS - 2 * FRAME <= FRAME * len(levels) <= FINGER_MS + 2 * FRAME
        assert board.show._doing == MOVING
        assert board.game.trace.start == holes.pop()


def test_nothing_breathes_and_the_last_seed_is_marked():
    """Breathing says that a tap plays there: here a tap does something else."""
    board = Attracting().until_doing(MOVING)
    while board.show._doing == MOVING:
        board.step()
    flags = board.drawn("rest")[2]
    assert [hole for hole in range(18) if flags[hole]] == [board.game.trace.last]
    assert flags[board.game.trace.last] == END
    board.kill(7)
    assert board.drawn("rest")[2][7] & DEAD


def test_pauses_between_its_moves():
    board = Attracting().until_doing(MOVING)
    while board.show._doing == MOVING:
        board.step()
    since = board.t
    board.until_doing(FINGER)
    assert PAUSE_MS <= board.t - since <= PAUSE_MS + 2 * FRAME


def test_level_1_plays_level_2_and_they_change_sides():
    board = Attracting(GAMES="gabata_aksum; lame_uweedet").until_scene(GAME)
    opponent = board.table.opponent
    begun = []
    begin = opponent.begin

    def noted(level):
        begun.append((board.game.mover, level))
        begin(level)

    opponent.begin = noted
    sides = []
    for _ in range(3):
        for _ in range(10):
            board.until_doing(MOVING).until_doing(PAUSE)
        levels = dict(begun)
        assert set(begun) == set(levels.items())  # each player's is the same all the while
        assert sorted(levels.values()) == [1, 2]
        sides.append(levels[0])
        begun.clear()
        board.over()
        begun.clear()
        board.until_scene(GAME)
    assert sides in ([1, 2, 1], [2, 1, 2])


def test_it_leaves_the_position_as_it_is_while_it_thinks():
    board = Attracting(GAMES="gabata_aksum").until_doing(FINGER)
    for _ in range(10):
        board.until_doing(PAUSE)
        game = board.game
        while board.show._doing == PAUSE and board.show._scene == GAME:
            before = bytes(game.seeds), bytes(game.marks), game.mover
            board.step()
            assert (bytes(game.seeds), bytes(game.marks), game.mover) == before


def test_a_rest_after_some_moves_and_after_every_other_a_lesson():
    board = Attracting().until_scene(GAME)
    moves = []
    scenes = []
    for _ in range(4):
        before = board.show._scene
        while board.show._scene == before:
            count = board.show._moves
            board.step()
        scenes.append(board.show._scene)
        moves.append(count)
    assert moves[0] == MOVES
    assert scenes == [EMBERS, LESSON, GAME, EMBERS]
    board.until_scene(GAME)
    assert board.game.turns(0) > MOVES // 2  # it is still the same game


def test_a_lesson_counts_out_what_each_colour_means():
    board = Attracting().until_scene(LESSON)
    shown = {}  # seeds: the holes lit for them
    hole = WALK
    while board.show._scene == LESSON:
        seeds = board.drawn("base")[0] if board.drawn("base") else board.show._seeds
        count = seeds[hole]
        want = board.lights._want
        if board.show._ms > 300 and board.show._end - board.show._ms > FADE_MS:
            shown[count] = [h for h in range(18) if any(want[3 * h : 3 * h + 3]) and h not in range(hole + 1)]
        board.step()
    assert sorted(shown) == list(range(SEEDS + 1))
    for count, lit in shown.items():
        assert lit == [hole + i for i in range(1, count + 1)]


def test_the_next_lesson_is_for_the_other_side():
    board = Attracting()
    for hole in (WALK, 9 + WALK, WALK):
        board.until_scene(LESSON).until_scene(GAME)
        assert board.show._seeds[hole] == SEEDS
        assert sum(board.show._seeds) == SEEDS


def test_a_game_that_has_ended_shows_its_result_and_the_next_one_begins():
    board = Attracting(GAMES="gabata_aksum; lame_uweedet").over()
    assert board.game.over
    scores = [board.game.score(0), board.game.score(1)]
    assert list(board.step(4000).drawn("bars")[:2]) == scores
    board.until_scene(WINNER)
    assert board.step(1000).drawn("winner")[0] == board.game.winner()
    board.until_scene(EMBERS).until_scene(GAME)
    assert board.game.NAME == "lame_uweedet"
    assert board.game.seeds == bytes([3] * 18)
    board.until_doing(MOVING)


def test_a_race_is_over_before_it_is_shown():
    for seed in range(8):
        board = Attracting(seed=seed, GAMES="gabata_aksum; sulus_aidi race=1").over()
        board.until_doing(MOVING)
        assert board.game.NAME == "sulus_aidi"
        assert not board.game.race
        assert board.table.race is None  # not loaded for it
        board.tap(3).run(500).tap(1)
        assert board.state == "race"
        assert board.game.race


@pytest.mark.parametrize("start", CLOCKS)
def test_a_press_at_any_moment_leads_to_choose(start):
    rng = random.Random(start)
    board = Attracting(start)
    met = set()
    for _ in range(40):
        until = board.t + rng.randrange(170_000)
        while board.t < until:
            board.step(rng.choice((25, 50, 75)))
        assert board.state == "attract"
        met.add((board.show._scene, board.show._doing))
        pads = rng.sample(range(18), rng.choice((1, 1, 1, 2, 4)))
        board.down(*pads)
        pressed = board.t
        while board.state != "choose":
            board.step(10)
            assert board.t - pressed <= 300
        page = sorted(args[0] for args in board.cues["entry"])
        # its lights too, whatever was to be seen before
        lit = [any(board.lights.frame[3 * h : 3 * h + 3]) for h in page]
        while not all(lit) and board.t - pressed <= 300:
            board.step(10)
            lit = [any(board.lights.frame[3 * h : 3 * h + 3]) for h in page]
        assert all(lit)
        board.up(*pads).run(1000)
        assert board.state == "choose"  # it has chosen nothing
        if rng.random() < 0.5:
            board.tap(rng.choice(page))
            assert board.state == "play"
            game = board.game
            assert game.seeds == bytes([3] * 18)
            assert (game.mover, game.turns(0), board.play.history.count) == (0, 0, 0)
            board.run(1000)
            flags = board.drawn("rest")[2]
            assert [h for h in range(18) if flags[h]] == board.legal()
            board.run(90_000 + 2000 + 20_000 + 100)
        else:
            board.run(8500)
        assert board.state == "attract"
        assert not board.show or board.show._scene == EMBERS
    assert {scene for scene, _ in met} >= {EMBERS, GAME, LESSON}
    assert {(GAME, PAUSE), (GAME, MOVING)} <= met


def test_the_show_is_loaded_in_attract_and_let_go_of_when_a_game_begins():
    board = Attracting().until_scene(GAME)
    show = board.show
    board.tap(7)
    assert board.run(8200).state == "attract"
    assert board.show is show  # nobody has played
    assert show._scene == EMBERS
    board.begin()
    assert board.show is None
    board.until("attract", 120_000)
    assert board.show is None
    assert set(board.cues) == {"ember"}
    board.run(SHOW_MS + 20)
    assert board.show not in (None, show)
    board.until_scene(GAME, FIRST_MS + 100)


def test_at_home_the_board_sleeps_in_the_middle_of_it_and_goes_on():
    board = Attracting(MODE="home", SLEEP_MIN="1")
    board.until_doing(MOVING)
    while board.state != "asleep":
        board.step()
    assert board.t <= 60_100
    board.step(10_000)
    assert not any(board.lights.frame)
    scene, ms = board.show._scene, board.show._ms
    board.down(4).run(500).up(4)
    assert board.state == "attract"
    assert (board.show._scene, board.show._ms <= ms + 500) == (scene, True)


def test_the_heap_is_tidied_between_moves_only():
    board = Attracting().until_doing(FINGER)
    before = board.collected
    board.until_doing(MOVING)
    while board.show._doing == MOVING:
        assert board.collected == before
        board.step()
    assert board.collected == before + 1


def test_how_long_a_rest_is():
    board = Attracting().until_scene(LESSON)
    board.until_scene(GAME).until_scene(EMBERS)
    since = board.t
    board.until_scene(GAME)
    assert abs(board.t - since - EMBERS_MS) <= FRAME
