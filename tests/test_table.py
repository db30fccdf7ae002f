"""The table of states and gestures in docs/behaviour.md, played on a virtual clock with the real lights and games.

What is drawn is looked at by name: a `Spy` notes which cues each frame was made of. (That the cues look right, and
that whole turns can be read back from the strip, is tested elsewhere.)
"""

import json
import random
import subprocess
import sys

import pytest
from conftest import ROOT
from games_common import fingers

import engine
from engine.position import put_up
from table.lights import Lights
from table.play import FASTER
from table.settings import read
from table.table import Table

MASK = (1 << 29) - 1
TICK = 5
CLOCKS = [0, (1 << 29) - 2500]
AKSUM = {"GEBETA_GAMES": "gabata_aksum"}


class Spy(Lights):
    """Lights that remember the calls that made the last frame."""

    CUES = [
        "rest",
        "keep",
        "ripple",
        "hint",
        "motion",
        "film",
        "next_drop",
        "pulse",
        "press",
        "no",
        "swell",
        "count_out",
        "glow_end",
        "filling",
        "entry",
        "bars",
        "winner",
        "call",
        "countdown",
        "ember",
    ]

    def __init__(self, n):
        super().__init__(n)
        self.cues = {}
        for name in self.CUES:
            setattr(self, name, self._noted(name, getattr(super(), name)))

    def _noted(self, name, draw):
        def noted(*args):
            self.cues.setdefault(name, []).append(args)
            return draw(*args)

        return noted

    def clear(self):
        self.cues = {}
        super().clear()


class Board:
    """A table and its clock. Times are ms since it was made."""

    def __init__(self, start=0, **settings):
        get = {"GEBETA_PLAYERS": "two", **{f"GEBETA_{key}": value for key, value in settings.items()}}.get
        self.complaints = []
        self.settings = read(get, self.complaints.append)
        self.lights = Spy(self.settings.holes)
        self.printed = []
        self.collected = 0
        self.table = Table(self.lights, self.settings, self.printed.append, self._collect)
        while self.table.load():
            pass
        self.start = start
        self.t = 0
        self.table.tick(self.now)

    def _collect(self):
        self.collected += 1

    @property
    def now(self):
        return (self.start + self.t) & MASK

    @property
    def state(self):
        return self.table.state.NAME

    @property
    def game(self):
        return self.table.game

    @property
    def play(self):
        return self.table.play

    @property
    def cues(self):
        return self.lights.cues

    def drawn(self, name):
        """The arguments of that cue's last call in the last frame, or None."""
        return self.cues.get(name, [None])[-1]

    @property
    def log(self):
        return [json.loads(line) for line in "".join(self.printed).splitlines()]

    def run(self, ms):
        end = self.t + ms
        while self.t < end:
            # Long waits in longer steps, but their last seconds as finely as all else.
            self.t = min(self.t + (TICK if end - self.t <= 3000 else 50), end)
            self.table.tick(self.now)
        return self

    def down(self, *pads, strength=100):
        for pad in pads:
            self.table.press(pad, strength, self.now)
        return self.tick()

    def up(self, *pads):
        for pad in pads:
            self.table.release(pad, self.now)
        return self.tick()

    def tick(self):
        self.table.tick(self.now)
        return self

    def tap(self, pad, ms=100):
        """A tap, and the moment after which the next one on the same pad is another touch."""
        self.down(pad).run(ms).up(pad)
        return self.run(300)

    def settle(self, most=20_000):
        """Until no move is being shown."""
        end = self.t + most
        while self.table.state.moving and self.t < end:
            self.run(TICK)
        return self.run(30)

    def until(self, state, most=20_000):
        end = self.t + most
        while self.state != state and self.t < end:
            self.run(TICK)
        assert self.state == state
        return self

    def begin(self, entry=0):
        """From attract to a game whose first move may be made."""
        self.tap(4)
        if self.state == "choose":
            self.run(500).tap(entry)
        assert self.state == "play"
        return self.run(600)

    def put(self, **position):
        """Put up a position in play, at rest."""
        put_up(self.game, position)
        self.play.history.clear()
        self.play._start = self.play._end = -1
        self.play._rest()
        return self.run(30)

    def legal(self):
        return list(self.game.legal[: self.game.moves()])

    def illegal(self):
        return [hole for hole in range(self.table.n) if hole not in self.legal()]

    def kill(self, *pads):
        for pad in pads:
            self.table.out_of_order(pad, True)
        return self.run(30)


@pytest.fixture(params=CLOCKS)
def home(request):
    """A board at home with one game, in play."""
    return Board(request.param, GAMES="gabata_aksum").begin()


@pytest.fixture(params=CLOCKS)
def exhibit(request):
    return Board(request.param, MODE="exhibit", GAMES="gabata_aksum").begin()


LAST_MOVE = {  # Gabata of Aksum: South's only seed to move, all else claimed; it ends in an empty hole
    "seeds": [0] * 17 + [1],
    "claims": [0] * 8 + [-1] + [1] * 8 + [-1],
    "mover": 1,
    "turns": [9, 9],
    "unmoved": [0] * 18,
    "taken": [30, 23],
}


def ended(board):
    """Play a round's last move; the board is at the first moment of *result*."""
    board.put(**LAST_MOVE)
    return board.tap(17).until("result")


# ---- attract and choose


@pytest.mark.parametrize("start", CLOCKS)
def test_attract_glows_and_any_press_invites(start):
    board = Board(start).run(60_000)
    assert board.state == "attract"
    assert set(board.cues) == {"ember"}
    board.down(7)
    assert board.state == "choose"


@pytest.mark.parametrize("pads", [(7,), (0, 9), (3, 4, 5, 6), tuple(range(18))])
def test_a_palm_invites_as_well(pads):
    assert Board().run(100).down(*pads).state == "choose"


@pytest.mark.parametrize("ms", [50, 400, 5000])
def test_that_touch_chooses_nothing(ms):
    board = Board().run(100).down(0).run(ms).up(0).run(1000)
    assert board.state == "choose"


def test_entries_lie_at_their_holes_and_partners():
    board = Board().run(100).tap(7)
    entries = {args[0]: args[1] for args in board.cues["entry"]}
    games = len(board.table.games)
    assert games == len([n for n in engine.names() if engine.find(n).BOARD == "3x6"])
    assert entries == {**{i: i for i in range(games)}, **{9 + i: i for i in range(games)}}


# pad, how long it is pressed, what comes of it
CHOICES = [
    (0, 100, "gabata_aksum"),
    (9, 100, "gabata_aksum"),
    (1, 100, "lame_uweedet"),
    (10, 5000, "lame_uweedet"),
    (1, 30, "lame_uweedet"),
    (2, 100, None),
    (17, 2000, None),
]


@pytest.mark.parametrize(("pad", "ms", "game"), CHOICES)
def test_a_tap_of_any_length_chooses(pad, ms, game):
    board = Board(GAMES="gabata_aksum; lame_uweedet").run(100).tap(7).run(500)
    board.down(pad).run(ms).up(pad).run(60)
    if game is None:
        assert board.state == "choose"
    else:
        assert (board.state, board.game.NAME, board.game.mover) == ("play", game, 0)


@pytest.mark.parametrize(("at", "counts"), [(10, False), (490, False), (505, True)])
def test_a_new_question_ignores_presses_for_half_a_second(at, counts):
    board = Board(GAMES="gabata_aksum; lame_uweedet").run(100).down(7)
    board.run(at).down(1).run(200).up(1).run(10)
    assert board.state == ("play" if counts else "choose")


@pytest.mark.parametrize(("at", "counts"), [(10, False), (490, False), (505, True)])
def test_the_beginning_of_play_ignores_presses_for_half_a_second(at, counts):
    board = Board(**{"GAMES": "gabata_aksum"}).run(100).down(7)
    assert board.state == "play"
    board.run(at).down(4).run(200).up(4).run(10)
    assert board.play.moving == counts


@pytest.mark.parametrize(
    ("pressed", "counts"), [("1@1000*100 4@1040*900", 1), ("0@1000 1@1040", None), ("0@1000*90 1@1040*30", 0)]
)
def test_two_presses_on_choices(pressed, counts):
    board = Board(GAMES="gabata_aksum; lame_uweedet").run(100).tap(7)
    for word in pressed.split():
        pad, _, rest = word.partition("@")
        when, _, strength = rest.partition("*")
        board.run(int(when) - board.t)
        board.down(int(pad), strength=int(strength or 100))
    board.run(200)
    for word in pressed.split():
        board.up(int(word.partition("@")[0]))
    names = {0: "gabata_aksum", 1: "lame_uweedet", None: None}
    assert (board.game.NAME if board.state == "play" else None) == names[counts]


def test_silence_chooses_the_first_at_home():
    board = Board(GAMES="lame_uweedet; gabata_aksum").run(100).tap(7)
    board.run(7000)
    assert board.state == "choose"
    board.run(1200)
    assert (board.state, board.game.NAME) == ("play", "lame_uweedet")


def test_an_exhibit_plays_one_round_unless_told_otherwise():
    board = Board(
        MODE="exhibit", GAMES="lame_uweedet; gabata_aksum rounds=3; gabata_aksum rounds=0 claims=any"
    )
    found = []
    for index in (0, 1, 2, 0):
        board.table.start(index)
        found.append((board.table.game.NAME, board.table.game.options["rounds"]))
    assert found == [
        ("lame_uweedet", "1"),
        ("gabata_aksum", "3"),
        ("gabata_aksum", "0"),
        ("lame_uweedet", "1"),
    ]
    board = Board(MODE="exhibit", BOARD="2x12").run(100).down(3)
    assert board.table.game.options == {"opening": "any", "russ": "0"}


def test_only_the_game_that_is_played_is_loaded():
    """A game takes up to 0.1 s and 3 kB on the Pico."""
    script = (
        "import sys; from table.lights import Lights; from table.settings import read; from table.table import Table;"
        "settings = read({}.get, print); table = Table(Lights(18), settings)\n"
        "while table.load(): pass\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    games = [m for m in loaded.stdout.split() if m.startswith("engine.games.")]
    assert games == ["engine.games.gabata_aksum"]


def test_silence_in_an_exhibit_goes_back():
    board = Board(MODE="exhibit").run(100).tap(7).run(7000)
    assert board.state == "choose"
    assert board.run(1200).state == "attract"


def test_a_touch_anywhere_breaks_the_silence():
    board = Board(MODE="exhibit").run(100).tap(7)
    for _ in range(5):
        assert board.run(6000).tap(8).state == "choose"
    assert board.run(8000).state == "attract"


def test_where_there_is_nothing_to_choose_one_touch_starts_a_game():
    for settings in ({"GAMES": "lame_uweedet"}, {"BOARD": "2x12"}):
        assert Board(**settings).run(100).down(3).state == "play"


@pytest.mark.parametrize(
    ("dead", "lit"),
    [
        ((0,), {1: 1, 9: 0, 10: 1}),
        ((9,), {0: 0, 1: 1, 10: 1}),
        ((0, 9), {1: 0, 2: 1, 10: 0, 11: 1}),
        ((0, 9, 1), {2: 1, 10: 0, 11: 1}),
    ],
)
def test_choices_lie_on_living_pads_only(dead, lit):
    board = Board(GAMES="gabata_aksum; lame_uweedet").kill(*dead).tap(7)
    assert {args[0]: args[1] for args in board.cues["entry"]} == lit
    board.run(600)
    pad = max(lit)
    assert ["gabata_aksum", "lame_uweedet"][lit[pad]] == board.tap(pad).game.NAME


def test_a_pad_that_breaks_while_choosing():
    board = Board(GAMES="gabata_aksum; lame_uweedet").tap(7).run(600).kill(0, 9)
    assert board.tap(1).game.NAME == "gabata_aksum"


# ---- play: taps


def test_the_legal_holes_breathe(home):
    _, _, flags, _ = home.drawn("rest")
    assert [hole for hole in range(18) if flags[hole] & 1] == home.legal() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_tap_on_a_legal_hole_is_the_move(home):
    home.tap(4)
    assert home.play.moving
    assert home.drawn("motion")
    home.settle()
    assert home.game.mover == 1
    assert home.drawn("rest")[2][4] & 4  # START


def test_a_tap_elsewhere_is_answered_no(home):
    home.down(12).run(100).up(12)
    assert not home.play.moving
    home.run(50)
    assert home.drawn("no")[0] == 12
    assert home.drawn("swell")
    home.run(700)
    assert "no" not in home.cues


# what is done from rest, with South to move and 1-8 legal; and the holes that have been played
TAPS = [
    ("a tap", "4@0-300", [4]),
    ("a quick tap", "4@0-30", [4]),
    ("a slow tap", "4@0-995", [4]),
    ("a hold", "4@0-1500", []),
    ("a tap on an illegal hole", "12@0-300", []),
    ("a tap on the left-hand hole of three", "0@0-300", []),
    ("legal and illegal at once", "4@0-300 12@40-300", [4]),
    ("illegal and legal at once", "12@0-300 4@40-300", [4]),
    ("two legal at once", "4@0-300 5@40-300", []),
    ("two legal, one twice as strong", "4@0-300*40 5@40-300*80", [5]),
    ("a palm", "3@0-300 4@60-300 5@120-300", []),
    ("a slow palm", "3@0-900 4@200-900 5@400-900", []),
    ("a sleeve along the row", "1@0-700 2@100-700 3@200-700 4@300-700 5@400-700 6@500-700", []),
    ("typing: the first one moves, the other was of the time before", "4@0-200 5@150-400", [4]),
    ("trembling", "4@0-100 4@200-300 4@400-500", [4]),
    ("mashing one hole", "4@0-50 4@90-130 4@180-220 4@300-350 4@400-450 4@500-550", [4]),
    ("both hands on illegal holes", "12@0-300 13@10-300", []),
]


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("row", TAPS, ids=[row[0] for row in TAPS])
def test_taps_in_play(row, start):
    _, text, played = row
    board = Board(start, GAMES="gabata_aksum").begin()
    zero = board.t
    for when, pad, strength in fingers(text):
        board.run(zero + when - board.t)
        if strength is None:
            board.up(pad)
        else:
            board.down(pad, strength=strength)
    board.run(150)
    count = board.play.history.count
    assert [board.play.history.hole] * count == played


def test_a_touch_from_before_the_move_does_nothing_after_it():
    board = Board(GAMES="gabata_aksum").begin()
    board.down(12).run(10)  # North rests a finger on his hole, and South moves
    board.tap(4).settle()
    assert board.game.mover == 1
    board.up(12).run(300)
    assert not board.play.moving
    assert "press" not in board.cues
    board.tap(12)
    assert board.play.moving


def test_a_press_shows_at_once_and_fades():
    board = Board(GAMES="gabata_aksum").begin()
    board.down(12)
    assert board.drawn("press") == (12, 256)
    board.run(100).up(12).run(200)
    hole, level = board.drawn("press")
    assert hole == 12
    assert 100 < level < 150
    board.run(250)
    assert "press" not in board.cues


def test_a_press_is_drawn_without_waiting_for_the_next_frame():
    board = Board(GAMES="gabata_aksum").begin().run(1000)
    for _ in range(20):
        board.run(7)
        board.table.press(12, 100, board.now)
        assert board.table.tick(board.now) or not any(board.lights.frame)
        assert board.drawn("press") == (12, 256)
        board.run(100).up(12).run(800)


# ---- play: animations


def test_a_tap_speeds_the_animation_up_and_is_no_move():
    times = {}
    for taps in (0, 1, 3):
        board = Board(GAMES="gabata_aksum").begin()
        board.tap(4)
        begin = board.t
        for _ in range(taps):
            board.tap(12, ms=50)
        board.settle()
        times[taps] = board.t - begin
        assert board.game.turns(1) == 0
        assert board.play.history.count == 1
    assert times[1] < times[0] // 2
    assert times[1] >= times[0] // FASTER
    assert times[3] <= times[1] + 100


def test_a_press_that_outlasts_the_animation_is_nothing():
    board = Board(GAMES="gabata_aksum").begin()
    board.tap(4)
    while board.play._duration - board.play._t > 60:
        board.run(TICK)
    board.down(12).settle()
    board.up(12).run(200)
    assert board.game.turns(1) == 0
    assert "no" not in board.cues


def test_a_bonus_move_leaves_the_mover():
    board = Board(GAMES="lame_uweedet").begin()
    while not board.game.again and not board.game.over:
        board.tap(random.Random(board.t).choice(board.legal())).settle()
    if board.game.again:
        mover = board.game.mover
        board.tap(board.legal()[0])
        assert board.game.owner(board.game.trace.start) == mover


def test_the_heap_is_tidied_between_turns(home):
    before = home.collected
    home.tap(4)
    assert home.collected == before
    home.settle()
    assert home.collected == before + 1


# ---- play: holds


def test_a_hold_counts_and_peeks(home):
    home.down(4).run(990)
    assert "count_out" not in home.cues
    home.run(50)
    hole, seeds, _ = home.drawn("count_out")
    assert (hole, seeds) == (4, 3)
    assert "glow_end" not in home.cues
    home.run(830)
    assert "glow_end" not in home.cues
    home.run(100)
    assert home.drawn("glow_end")[0] == 7
    home.up(4).run(50)
    assert "count_out" not in home.cues
    assert not home.play.moving


def test_a_hold_on_an_illegal_hole_only_counts(home):
    home.down(12).run(3000)
    assert home.drawn("count_out")[:2] == (12, 3)
    assert "glow_end" not in home.cues


def test_without_hints_a_hold_only_counts():
    board = Board(GAMES="gabata_aksum", HINTS="0").begin()
    board.down(4).run(3000)
    assert board.drawn("count_out")
    assert "glow_end" not in board.cues


def test_the_peek_knows_skips_and_gambits():
    board = Board(GAMES="lame_uweedet").begin()
    board.down(8).run(2000)
    assert board.drawn("glow_end")[0] == 13


def test_a_second_pad_ends_the_hold(home):
    home.down(4).run(1500).down(12).run(30)
    assert "count_out" not in home.cues
    home.run(500)
    assert "count_out" not in home.cues


def test_a_short_tap_time_makes_holds_quicker():
    board = Board(GAMES="gabata_aksum", TAP_MS="300").begin()
    board.down(4).run(350)
    assert board.drawn("count_out")


# ---- play: taking back


def moved(board, *holes):
    for hole in holes:
        board.tap(hole).settle()
    return board


def test_taking_back(home):
    first = list(home.game.seeds)
    moved(home, 4)
    assert home.game.mover == 1
    assert home.drawn("rest")[2][4] & 8  # TWICE
    home.down(4).run(1000 + 590)
    assert "motion" not in home.cues
    assert "count_out" not in home.cues  # it replaces counting on that hole
    home.run(60)
    assert home.drawn("motion")
    assert home.game.mover == 1
    home.run(700)
    assert home.game.mover == 1
    home.run(60)
    assert (home.game.mover, list(home.game.seeds)) == (0, first)
    assert home.drawn("rest")
    assert {"takeback": 1} in home.log


def test_the_move_runs_backwards_meanwhile(home):
    moved(home, 4)
    home.down(4).run(1650)
    seen = []
    for _ in range(14):
        home.run(50)
        seen.append(home.drawn("motion")[0])
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > home.play._duration * 3 // 4
    assert seen[-1] < home.play._duration // 8


@pytest.mark.parametrize("end", ["release", "second pad"])
def test_ending_it_early_restores_the_move(home, end):
    moved(home, 4)
    after = list(home.game.seeds)
    home.down(4).run(1700)
    assert home.drawn("motion")
    if end == "release":
        home.up(4)
    else:
        home.down(12)
    home.run(3000)
    assert home.drawn("rest")
    assert (home.game.mover, list(home.game.seeds)) == (1, after)


def test_one_take_back_a_hold(home):
    moved(home, 4, 13)
    home.down(13).run(2500)
    assert home.game.mover == 1
    home.run(10_000)
    assert home.game.mover == 1
    home.up(13).run(400)
    assert home.drawn("rest")[2][4] & 8  # the move before shows its start again
    home.down(4).run(2500).up(4)
    assert (home.game.mover, home.play.history.count) == (0, 0)
    home.run(400)
    assert not any(flag & (2 | 4 | 8) for flag in home.drawn("rest")[2])


def test_taking_back_as_far_as_16_choices():
    board = Board(GAMES="lame_uweedet").begin()
    positions = []
    rng = random.Random(5)
    for _ in range(18):
        positions.append((board.game.mover, bytes(board.game.seeds)))
        moved(board, rng.choice(board.legal()))
        assert not board.game.over
    for left in range(15, -1, -1):
        hole = board.play.history.hole
        board.down(hole).run(2500).up(hole).run(400)
        assert board.play.history.count == left
        assert (board.game.mover, bytes(board.game.seeds)) == positions[left + 2]


def test_pressed_before_the_end_of_the_animation_it_takes_nothing_back(home):
    home.tap(4)
    home.down(4).settle()
    home.run(5000)
    assert home.game.mover == 1


def test_without_take_back_a_hold_there_counts():
    board = moved(Board(GAMES="gabata_aksum", TAKEBACK="0").begin(), 4)
    flags = board.drawn("rest")[2]
    assert not flags[4] & 8
    board.down(4).run(5000)
    assert board.drawn("count_out")
    assert board.game.mover == 1


def test_the_start_hole_is_held_by_its_partner_if_its_pad_is_dead(home):
    moved(home, 4).kill(4)
    home.down(13).run(2500)
    assert home.game.mover == 0


# ---- play: giving up


@pytest.mark.parametrize("games", ["gabata_aksum; lame_uweedet", "gabata_aksum"])
def test_both_left_hand_holes_give_the_game_up(games):
    board = Board(GAMES=games).begin()
    moved(board, 4)
    board.down(0).run(700).down(9).run(300)
    assert {args[0] for args in board.cues["filling"]} == {0, 9}
    board.run(2500)
    assert board.game.turns(0) == 1
    assert board.state == "play"
    board.run(300)
    assert {"abandoned": "hands"} in board.log
    if ";" in games:
        assert board.state == "choose"
        board.run(700).up(0, 9).run(300)
        assert board.state == "choose"  # those touches choose nothing
    else:
        assert board.state == "play"
        assert (board.game.turns(0), board.play.history.count) == (0, 0)


def test_neither_is_then_a_hold_or_a_tap(home):
    home.put(seeds=[4, 2] + [3] * 16)
    assert 0 in home.legal()
    home.down(0, 9).run(1500)
    assert "count_out" not in home.cues
    home.up(0, 9).run(300)
    assert not home.play.moving
    assert "no" not in home.cues
    home.down(0).run(500).down(9).run(400).up(0).run(50).up(9).run(300)
    assert not home.play.moving


def test_once_only_until_they_are_lifted(home):
    home.down(0, 9).run(20_000)
    assert home.log.count({"abandoned": "hands"}) == 1
    home.up(9).run(300).down(9).run(3100)
    assert home.log.count({"abandoned": "hands"}) == 2


@pytest.mark.parametrize("more", [(4,), (17, 3)])
def test_exactly_those_two(home, more):
    home.down(0, 9, *more).run(5000)
    assert home.state == "play"
    assert "filling" not in home.cues
    home.up(*more).run(2900)
    assert home.play.history.count == 0
    home.run(300)
    assert {"abandoned": "hands"} in home.log


def test_letting_go_starts_it_over(home):
    home.down(0, 9).run(2800).up(9).run(400).down(9).run(2800)
    assert {"abandoned": "hands"} not in home.log
    home.run(300)
    assert {"abandoned": "hands"} in home.log


def test_a_trembling_hand_does_not(home):
    home.down(0, 9).run(1500).up(9).run(100).down(9).run(1600)
    assert {"abandoned": "hands"} in home.log


def test_during_an_animation_too(home):
    home.put(seeds=[3, 6] + [3] * 15 + [0])
    home.tap(1)
    assert home.play.moving
    home.down(0, 9).run(3100)
    assert {"abandoned": "hands"} in home.log


def test_a_dead_left_hand_hole_is_stood_in_for(home):
    home.kill(9, 10)
    home.down(0, 11).run(3100)
    assert {"abandoned": "hands"} in home.log


def test_however_they_came_down():
    """As a palm, or while presses are ignored."""
    board = Board(GAMES="gabata_aksum; lame_uweedet").tap(7).run(600).tap(0)
    assert board.state == "play"
    board.down(0, 9, 4).run(300).up(4).run(3100)
    assert board.state == "choose"


# ---- dead pads


def test_a_dead_hole_is_shown(home):
    home.kill(12)
    assert home.drawn("rest")[2][12] & 16
    home.table.out_of_order(12, False)
    home.run(30)
    assert not home.drawn("rest")[2][12] & 16


def test_a_dead_hole_is_played_by_its_partner(home):
    home.kill(4)
    home.tap(13)
    assert home.play.moving
    assert home.play.history.hole == 4


def test_unless_that_hole_is_itself_legal(home):
    claims = [-1] * 18
    home.put(territory=[0] * 18, claims=claims)  # all is South's: 4 and 13 are both legal
    home.kill(4)
    home.tap(13)
    assert home.play.history.hole == 13


def test_if_no_legal_hole_can_be_tapped_the_board_plays_the_lowest(home):
    home.kill(*range(18))
    home.run(4500)
    assert not home.play.moving
    home.run(600)
    assert home.play.moving
    assert home.play.history.hole == 1


def test_one_that_can_be_tapped_is_enough(home):
    home.kill(*range(9))
    home.run(60_000)
    assert home.play.history.count == 0
    home.tap(17)
    assert home.play.history.hole == 8


def test_a_pad_mended_in_time(home):
    home.kill(*range(18)).run(3000)
    home.table.out_of_order(3, False)
    home.run(10_000)
    assert home.play.history.count == 0


def test_a_pad_that_dies_while_down_taps_nothing(home):
    home.down(4).run(100).kill(4)
    home.run(500)
    assert home.play.history.count == 0


# ---- result


def test_the_round_ends_in_result(home):
    ended(home)
    assert home.state == "result"
    home.run(50)
    assert home.drawn("bars")[:2] == (30, 24)
    home.run(5000)
    assert home.drawn("winner")[0] == 0
    assert {"state": "result", "score": [30, 24], "winner": 0} in home.log


@pytest.mark.parametrize(("at", "counts"), [(200, False), (1480, False), (1520, True)])
def test_result_ignores_touches_for_a_second_and_a_half(home, at, counts):
    ended(home).run(at).down(7).run(200).up(7).run(50)
    assert home.state == ("deal" if counts else "result")


def test_a_long_press_goes_on_as_well(home):
    ended(home).run(2000).down(7).run(3000).up(7)
    assert home.state == "deal"


def test_a_rematch_is_begun_by_the_other_player():
    board = Board(BOARD="2x12").begin()
    for starter in (1, 0, 1):
        board.put(seeds=[1] + [0] * 23, taken=[24, 23], mover=0, turns=[3, 3])
        board.tap(0).until("result")
        board.run(1600).tap(7)
        assert board.state == "play"
        assert (board.game.mover, board.game.starter) == (starter, starter)
        assert board.play.history.count == 0
        board.run(600)


def test_result_stays_at_home():
    board = ended(Board(GAMES="gabata_aksum", SLEEP_MIN="0").begin())
    assert board.run(600_000).state == "result"


def test_an_exhibit_goes_back_to_attract(exhibit):
    ended(exhibit).run(19_500)
    assert exhibit.state == "result"
    assert exhibit.run(700).state == "attract"


def test_the_last_taps_of_the_game_begin_nothing(home):
    home.put(**LAST_MOVE)
    home.tap(17)
    for _ in range(20):
        home.down(3).run(20).up(3).run(280)
        if home.state == "result":
            break
    for _ in range(4):
        home.down(3).run(20).up(3).run(280)
    assert home.state == "result"


# ---- nobody there


def test_an_exhibit_calls_counts_down_and_gives_up(exhibit):
    exhibit.run(89_000)
    assert "call" not in exhibit.cues
    exhibit.run(1000)
    assert exhibit.drawn("call")
    assert "countdown" not in exhibit.cues
    exhibit.run(2500)
    assert exhibit.drawn("countdown")
    exhibit.run(17_500)
    assert exhibit.state == "play"
    exhibit.run(2000)
    assert exhibit.state == "attract"
    assert {"abandoned": "idle"} in exhibit.log


def test_any_press_stops_it_and_acts_as_usual(exhibit):
    exhibit.run(100_000)
    assert exhibit.drawn("countdown")
    exhibit.tap(4)
    assert exhibit.play.moving
    exhibit.settle().run(80_000)
    assert exhibit.state == "play"
    assert "countdown" not in exhibit.cues


def test_another_idle_time():
    board = Board(MODE="exhibit", GAMES="gabata_aksum", IDLE_S="20").begin().run(21_000)
    assert board.drawn("call")
    assert board.run(22_000).state == "attract"


def test_idleness_ends_no_game_at_home():
    board = Board(GAMES="gabata_aksum", SLEEP_MIN="0").begin().run(1_200_000)
    assert board.state == "play"
    assert not {"call", "countdown"} & set(board.cues)


# ---- asleep


def asleep(board, minutes=5):
    board.run(minutes * 60_000 + 100)
    assert board.state == "asleep"
    return board


def test_home_falls_asleep_from_any_state():
    asleep(Board())
    asleep(moved(Board(GAMES="gabata_aksum").begin(), 4))
    asleep(ended(Board(GAMES="gabata_aksum").begin()))
    asleep(Board(SLEEP_MIN="1"), 1)


def test_asleep_it_is_dark():
    board = asleep(Board(GAMES="gabata_aksum").begin()).run(2000)
    assert board.cues == {}
    assert not any(board.lights.frame)


@pytest.mark.parametrize(("ms", "wakes"), [(380, False), (420, True)])
def test_a_touch_held_for_400_ms_wakes_it(ms, wakes):
    board = asleep(Board().run(100)).down(3).run(ms).up(3).run(300)
    assert board.state == ("attract" if wakes else "asleep")


def test_a_short_touch_shows_nothing():
    board = asleep(Board().run(100)).down(3).run(100)
    assert board.cues == {}


def test_all_is_as_it_was_and_the_touch_does_nothing_else():
    board = moved(Board(GAMES="gabata_aksum").begin(), 4)
    before = (bytes(board.game.seeds), board.game.mover, board.play.history.count)
    asleep(board).down(13).run(500)
    assert board.state == "play"
    assert board.drawn("rest")
    board.run(3000)
    assert "count_out" not in board.cues
    board.up(13).run(300)
    assert (bytes(board.game.seeds), board.game.mover, board.play.history.count) == before
    board.down(4).run(2500)  # and it can still be taken back
    assert board.game.mover == 0


def test_result_is_as_it_was():
    board = asleep(ended(Board(GAMES="gabata_aksum").begin())).down(3).run(500).up(3).run(300)
    assert board.state == "result"
    board.tap(7)
    assert board.state == "deal"


def test_a_palm_wakes_it_too():
    assert asleep(Board().run(100)).down(1, 2, 3, 4).run(450).state == "attract"


def test_it_falls_asleep_again():
    board = asleep(Board().run(100)).down(3).run(500).up(3)
    assert board.run(299_000).state == "attract"
    assert board.run(2000).state == "asleep"


def test_an_exhibit_never_sleeps_and_neither_does_0():
    assert Board(MODE="exhibit").run(400_000).state == "attract"
    assert Board(SLEEP_MIN="0").run(400_000).state == "attract"


# ---- the log


def test_each_turn_is_logged_in_the_engines_protocol(home):
    moved(home, 4)
    turn = home.log[-1]
    assert turn["events"][0] == ["lift", 4, 3]
    assert turn["seeds"] == list(home.game.seeds)
    assert turn["mover"] == 1
    assert turn["game"] == "gabata_aksum"


def test_states_are_logged():
    board = Board(GAMES="gabata_aksum; lame_uweedet").run(100).tap(7).run(600).tap(1)
    states = [line for line in board.log if "state" in line]
    assert states == [
        {"state": "choose", "question": "game"},
        {"state": "play", "game": "lame_uweedet", "mover": 0},
    ]
    assert board.log[-1]["seeds"] == [3] * 18


def test_a_turn_is_logged_even_if_its_animation_is_cut_short(home):
    home.tap(4)
    home.down(0, 9).run(1200)
    home.settle(100)
    home.run(3000)
    assert sum("events" in line for line in home.log) == 1


def test_broken_pads_are_logged(home):
    home.kill(3)
    assert home.log[-1] == {"pad": 3, "out_of_order": 1}


def test_nothing_is_logged_without_a_log():
    settings = read({"GEBETA_GAMES": "gabata_aksum", "GEBETA_PLAYERS": "two"}.get, print)
    table = Table(Lights(18), settings)
    for now in range(0, 60_000, 10):
        if now % 500 == 0:
            table.press(4, 100, now)
        if now % 500 == 100:
            table.release(4, now)
        table.tick(now)
    assert table.game.turns(0) > 0


def test_a_report_tells_who_has_just_come(home):
    moved(home, 4)
    home.printed.clear()
    home.table.report()
    assert [sorted(line)[:1] for line in home.log] == [["game"], ["again"]]


# ---- whatever happens


@pytest.mark.parametrize("seed", range(6))
def test_mashing_never_breaks_it(seed):
    """Random fingers on a random board for some minutes: the log stays lawful, and silence leads home."""
    rng = random.Random(seed)
    mode = rng.choice(["home", "exhibit"])
    name = rng.choice(["3x6", "2x12"])
    board = Board(rng.randrange(1 << 29), MODE=mode, BOARD=name, TAP_MS=rng.choice(["300", "1000"]))
    n = board.table.n
    down = set()
    for _ in range(700):
        kind = rng.random()
        if kind < 0.45:
            pad = rng.randrange(n)
            if pad not in down:
                down.add(pad)
                board.table.press(pad, rng.randrange(1, 300), board.now)
        elif kind < 0.9 and down:
            pad = rng.choice(sorted(down))
            down.discard(pad)
            board.table.release(pad, board.now)
        elif kind < 0.92:
            pad = rng.randrange(n)
            down.discard(pad)
            board.table.out_of_order(pad, rng.random() < 0.5)
        board.run(rng.choice([0, 5, 20, 60, 100, 300, 1500]))
    for pad in down:
        board.table.release(pad, board.now)
    replayed = None
    for line in board.log:
        if line.get("takeback"):
            replayed = None
        elif "events" in line and replayed:
            hole = line["events"][0][1]
            assert hole in replayed["moves"]
        if "seeds" in line:
            assert sum(line["seeds"]) + sum(line["taken"]) == (54 if n == 18 else 48)
            replayed = line
    for pad in range(n):
        board.table.out_of_order(pad, False)
    if mode == "exhibit":
        board.run(200_000)
        assert board.state == "attract"
        assert board.tap(7).run(600).tap(0).state == "play" or board.state == "play"
