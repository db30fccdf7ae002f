"""The questions before a game: how many play, how strongly the computer does, which side is the only person's. (Which
game: tests/test_table.py.)"""

import gc
import itertools
import weakref

import pytest
from test_table import CLOCKS, LAST_MOVE, Board

from table.cues import BREATH_MIN
from tools.flashes import worst

TWO = "gabata_aksum; lame_uweedet"
ONE = {"GAMES": "gabata_aksum"}


class Asking(Board):
    """A board that leaves players and level to its visitors, unless a test says otherwise."""

    def __init__(self, start=0, **settings):
        super().__init__(start, **{"PLAYERS": "ask", "GAMES": TWO, **settings})
        self.run(100)

    @property
    def question(self):
        return self.table.state.about() if self.state == "choose" else self.state

    def asks(self, name):
        return self.question.startswith(f',"question":"{name}"')

    def answer(self, *pads):
        """Any touch on South's side, then these taps."""
        self.tap(7)
        for pad in pads:
            self.run(500).tap(pad)
        return self.run(600)

    def lit(self):
        return {pad for pad in range(self.table.n) if self.table.state.lit(pad)}

    def who(self):
        table = self.table
        return self.state, self.game.NAME, table.level, table.level and table.person, table.game.starter


# ---- which questions are asked


@pytest.mark.parametrize("start", CLOCKS)
def test_all_three(start):
    board = Asking(start)
    board.tap(7)
    assert board.asks("game")
    assert board.lit() == {0, 1, 9, 10}
    board.run(500).tap(1)
    assert board.asks("players")
    assert board.lit() == {0, 1, 9, 10}
    board.run(500).tap(1)
    assert board.asks("level")
    assert board.lit() == {0, 1, 2, 9, 10, 11}
    board.run(500).tap(2).run(600)
    assert board.who() == ("play", "lame_uweedet", 3, 0, 0)


def test_two_people_are_asked_for_no_level():
    assert Asking().answer(1, 0).who() == ("play", "lame_uweedet", 0, 0, 0)


# settings, the questions asked of whoever taps hole 1 at each, who plays then
SKIPPED = [
    ({"PLAYERS": "two"}, ["game"], 0),
    ({"PLAYERS": "one"}, ["game", "level"], 2),
    ({"PLAYERS": "one", "LEVEL": "3"}, ["game"], 3),
    ({"LEVEL": "1"}, ["game", "players"], 1),
    ({**ONE}, ["players", "level"], 2),
    ({**ONE, "PLAYERS": "one"}, ["level"], 2),
    ({**ONE, "PLAYERS": "one", "LEVEL": "3"}, [], 3),
    ({**ONE, "PLAYERS": "two", "LEVEL": "3"}, [], 0),
    ({"GAMES": "", "BOARD": "2x12"}, ["players", "level"], 2),
]


@pytest.mark.parametrize(("settings", "questions", "level"), SKIPPED)
def test_what_settings_leave_open_is_asked(settings, questions, level):
    board = Asking(**settings).tap(7)
    for question in questions:
        assert board.asks(question)
        board.run(500).tap(1)
    assert board.state == "play"
    assert board.table.level == level


@pytest.mark.parametrize("settings", [{"MODE": mode, **ONE} for mode in ("home", "exhibit")])
@pytest.mark.parametrize(("answers", "level"), [((), 0), ((1,), 1), ((1, 2), 3), ((0,), 0)])
def test_silence_takes_the_first_answer(settings, answers, level):
    board = Asking(**settings).answer(*answers)
    for _ in range(3):
        if board.state == "choose":
            board.run(6500)
            assert board.state == "choose"
            board.run(1800)
    if settings["MODE"] == "exhibit" and not answers:
        assert board.state == "attract"
    else:
        assert board.who() == ("play", "gabata_aksum", level, 0, 0)


def test_each_question_ignores_presses_for_half_a_second():
    board = Asking(**ONE).tap(7)
    assert board.run(20).tap(1).asks("players")
    assert board.run(500).tap(1).asks("level")
    assert board.run(20).tap(1).asks("level")
    assert board.run(500).tap(1).state == "play"


def test_a_hole_without_an_answer_chooses_nothing():
    board = Asking(**ONE).answer()
    for pad in (2, 5, 8, 11, 17):
        assert board.tap(pad).asks("players")
    board.run(500).tap(10)
    for pad in (3, 8, 12, 17):
        assert board.tap(pad).asks("level")


def test_answers_lie_on_living_pads():
    board = Asking(**ONE).kill(0, 9, 10).answer()
    assert board.lit() == {1, 2, 11}
    board.tap(11)
    assert board.asks("level")
    assert board.lit() == {1, 2, 11, 3, 12}
    assert board.run(500).tap(3).run(600).who() == ("play", "gabata_aksum", 3, 0, 0)


# ---- whose side


@pytest.mark.parametrize(
    ("settings", "invites", "taps", "person"),
    [
        ({}, 12, (0, 1, 1), 0),
        ({}, 3, (9, 10, 10), 1),
        ({}, 3, (0, 10, 1), 0),  # the last tap
        ({}, 12, (0, 1, 10), 1),
        ({"LEVEL": "2"}, 3, (0, 10), 1),
        ({"PLAYERS": "one", "LEVEL": "2"}, 3, (10,), 1),
        ({"PLAYERS": "one", "LEVEL": "2", **ONE}, 3, (), 0),  # nothing was asked
        ({"PLAYERS": "one", "LEVEL": "2", **ONE}, 12, (), 1),
        ({"PLAYERS": "one", **ONE}, 12, (None,), 0),  # silence has chosen
        ({"PLAYERS": "one"}, 3, (9, None), 1),  # only the level
        ({"PLAYERS": "one", **ONE, "BOARD": "2x12", "GAMES": ""}, 3, (13,), 1),
    ],
)
def test_the_side_that_tapped_is_the_persons_and_begins(settings, invites, taps, person):
    board = Asking(**settings).tap(invites)
    for pad in taps:
        if pad is None:
            board.run(8500)
        else:
            board.run(500).tap(pad)
    board.run(600)
    state, _, level, side, starter = board.who()
    assert (state, level > 0, side, starter) == ("play", True, person, person)
    board.tap(board.legal()[-1])
    assert board.play.moving


def test_two_people_begin_with_south_whoever_tapped():
    assert Asking().tap(12).run(500).tap(10).run(500).tap(9).run(600).who()[2:] == (0, 0, 0)


def alone(board, level=1):
    """In play against the computer, North's person."""
    board.answer(9, 10, 8 + level)
    assert board.who()[2:4] == (level, 1)
    return board


def test_the_computer_begins_the_rematch():
    board = alone(Asking(GAMES="gabata_aksum rounds=1; lame_uweedet"))
    board.put(**LAST_MOVE).tap(17).until("result").run(1600).tap(3).run(100)
    assert board.who() == ("play", "gabata_aksum", 1, 1, 0)
    board.run(2500)
    assert board.play.moving or board.game.mover == 1, "it has moved"


def test_later_rounds_keep_who_plays():
    board = alone(Asking(GAMES="gabata_aksum rounds=3; lame_uweedet"), 3)
    board.put(**LAST_MOVE).tap(17).until("result").run(1600).tap(3).until("play", 60_000)
    assert (board.table.level, board.table.person, board.game.round) == (3, 1, 2)


def test_after_a_game_for_one_two_can_play():
    board = alone(Asking()).down(0, 9).run(3300).up(0, 9).run(600)
    assert board.asks("game")
    board.tap(1).run(500).tap(0).run(600)
    assert board.who() == ("play", "lame_uweedet", 0, 0, 0)
    assert board.table.opponent is None


def test_where_nothing_is_asked_who_gives_up_keeps_his_side():
    board = Asking(**ONE, PLAYERS="one", LEVEL="1").tap(12).run(600)
    board.tap(board.legal()[0]).settle()
    board.down(0, 9).run(3300).up(0, 9).run(600)
    assert board.who() == ("play", "gabata_aksum", 1, 1, 1)
    assert board.game.turns(1) == 0


# ---- what it looks like


def frames(board, ms, dt=25):
    found = []
    for _ in range(0, ms, dt):
        board.run(dt)
        found.append((board.t, bytes(board.lights.frame)))
    return found


def brightest(frames, hole):
    return max(sum(frame[3 * hole : 3 * hole + 3]) for _, frame in frames)


def asking(question, **settings):
    return Asking(**settings).answer(*{"game": (), "players": (0,), "level": (0, 1)}[question])


@pytest.mark.parametrize("settings", [{}, {"BOARD": "2x12", "GAMES": "lamlameta; lamlameta russ=1"}])
def test_no_question_looks_like_another(settings):
    """In any part of the clock, be it another one."""
    seen = {}
    for question in ("game", "players", "level"):
        board = asking(question, **settings)
        n = board.table.n
        seen[question] = [frame for _, frame in frames(board, 4000, 100)]
        assert len(set(seen[question])) >= 10, "something breathes"
    for one, other in itertools.combinations(seen, 2):
        for a, b in itertools.product(seen[one], seen[other]):
            apart = [
                hole
                for hole in range(n)
                if max(abs(a[3 * hole + k] - b[3 * hole + k]) for k in range(3)) >= 20
            ]
            assert len(apart) >= 4, (one, other)


@pytest.mark.parametrize("question", ["players", "level"])
@pytest.mark.parametrize("settings", [{}, {"BOARD": "2x12", "GAMES": "lamlameta; lamlameta russ=1"}])
def test_what_may_be_chosen_breathes_and_nothing_flashes(question, settings):
    board = asking(question, **settings)
    shown = frames(board, 6000)
    assert max(worst(shown, board.table.n)) <= 3
    lit = board.lit()
    least = min(brightest(shown, hole) for hole in lit)
    rest = [brightest(shown, hole) for hole in range(board.table.n) if hole not in lit]
    if question == "players":  # the sides lie faint around them
        assert 3 * max(rest) < least
        assert min(rest) > 0
    for hole in lit:
        for k in range(3):
            channel = [frame[3 * hole + k] for _, frame in shown]
            if question == "level" and max(channel) > 40:
                assert min(channel) <= max(channel) * (BREATH_MIN + 8) // 256


def test_two_has_both_colours_and_one_its_sides():
    shown = frames(asking("players"), 4000)

    def colours(hole):
        return {frame[3 * hole] > frame[3 * hole + 1] for _, frame in shown}

    assert colours(0) == colours(9) == {True, False}
    assert colours(1) == {True}  # coral
    assert colours(10) == {False}  # mint


def test_levels_are_brighter_upwards_in_the_computers_colour():
    board = asking("level")
    shown = frames(board, 4000)
    for first, red in ((0, False), (9, True)):
        lights = [brightest(shown, first + i) for i in range(3)]
        assert lights[0] * 3 < lights[1] * 2 < lights[2]
        assert all((frame[3 * first + 6] > frame[3 * first + 7]) == red for _, frame in shown)
    ripples = board.drawn("ripple")
    assert ripples[0] == 1, "North's half is the computer's"


def test_the_questions_are_let_go_of_when_the_game_begins():
    board = asking("level")
    level = weakref.ref(board.table.state)
    board.tap(0)
    assert board.state == "play"
    gc.collect()
    assert level() is None


# ---- what is logged


def test_the_log_tells_the_question_and_who_plays():
    board = Asking().tap(12).run(600).tap(10).run(600).tap(10).run(600).tap(11).run(100)
    assert [line for line in board.log if "state" in line] == [
        {"state": "choose", "question": "game"},
        {"state": "choose", "question": "players"},
        {"state": "choose", "question": "level"},
        {"state": "play", "game": "lame_uweedet", "mover": 1, "level": 3, "person": 1},
    ]


def test_and_so_it_does_in_a_race_and_a_result():
    board = Asking(GAMES="sulus_aidi race=1 rounds=1", PLAYERS="one", LEVEL="1").tap(3).run(100)
    assert board.log[-2] == {"state": "race", "game": "sulus_aidi", "round": 1, "level": 1, "person": 0}
    board = (
        alone(Asking(GAMES="gabata_aksum rounds=1; lame_uweedet")).put(**LAST_MOVE).tap(17).until("result")
    )
    assert board.log[-1].items() >= {"state": "result", "level": 1, "person": 1}.items()
