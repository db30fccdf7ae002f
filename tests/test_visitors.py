"""An exhibit and whoever comes to it: after any history of touches silence leads to *attract*, and from there the
lights alone lead to a game, in as many taps as there are open choices and one that wakes it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_table import Board

from table.playing import CALL_MS, COUNTDOWN_MS
from table.show import GAME, Show
from table.states import RESULT_MS

# A turn may still be shown, and its round's result come after it.
LONGEST_MS = 20_000 + RESULT_MS + 90_000 + CALL_MS + COUNTDOWN_MS + 1000

BOARDS = {
    "one game": {"GAMES": "gabata_aksum"},
    "all of the short board": {"PLAYERS": "ask"},
    "all of the long board": {"BOARD": "2x12", "PLAYERS": "ask"},
    "against the computer": {"GAMES": "lame_uweedet; sulus_aidi race=1 rounds=2", "PLAYERS": "one"},
    "races and matches": {
        "GAMES": "sulus_aidi race=1; gabata_aksum rounds=3; lame_uweedet; gabata_aksum claims=any"
    },
    "a race alone": {"GAMES": "sulus_aidi race=1 rounds=0"},
}


class Museum(Board):
    def __init__(self, **settings):
        super().__init__((1 << 29) - 60_000, MODE="exhibit", **settings)
        draw = random.Random(1).randrange
        self.table.open_show = lambda table: Show(table, draw)

    def leave(self):
        """Everybody lifts their fingers and goes."""
        self.up(*[pad for pad in range(self.table.n) if self.table.touch.down[pad]])
        end = self.t + LONGEST_MS
        while self.state != "attract" and self.t < end:
            self.t += 50
            self.tick()
        assert self.state == "attract"
        return self

    def lit(self):
        """The pads that a newcomer would tap: those of the choices that glow, or of the holes that breathe."""
        if self.state == "choose":
            return [pad for pad in range(self.table.n) if self.table.state.lit(pad)]
        return [h for h in range(self.table.n) if self.drawn("rest") and self.drawn("rest")[2][h] & 1]

    def questions(self):
        """How many a newcomer answers at most."""
        settings = self.table.settings
        return (len(self.table.games) > 1) + (settings.players == "ask") + (settings.players != "two")

    def come(self, random):
        """A newcomer taps what is lit, until a move is his."""
        self.tap(random.randrange(self.table.n))
        self.run(600)
        asked = 0
        while self.state == "choose":
            asked += 1
            self.tap(random.choice(self.lit()))
            self.run(600)
        assert self.questions() - (self.table.level == 0 and self.table.settings.players == "ask") == asked
        assert self.state in ("play", "race")
        game = self.game
        assert self.table.games[self.table.made][0] == game.NAME
        assert sum(game.seeds) == game.n * game.EACH
        assert (game.round, game.turns(0), game.turns(1), game.score(0), game.score(1)) == (1, 0, 0, 0, 0)
        pads = self.lit()
        assert {game.owner(pad) for pad in pads} <= ({self.table.person} if self.table.level else {0, 1})
        pad = random.choice(pads)
        self.tap(pad)
        if self.state == "play":
            assert self.play.moving
            assert game.trace.start == pad
        else:
            assert game.next_drop(game.owner(pad)) >= 0
        return self

    def visit(self, acts):
        """What somebody does: (how, pads, ms)."""
        table = self.table
        for how, pads, ms in acts:
            pads = {pad % table.n for pad in pads}
            if how == "lit" and self.lit():
                pads = self.lit()[: 1 + ms % 2]
            elif how == "lean":
                pads = range(min(pads), table.n, 2)
            pads = [pad for pad in sorted(pads) if not table.touch.down[pad]]
            self.down(*pads)
            self.run(ms)
            if how != "stay":
                self.up(*pads)
                self.run(90 if how == "mash" else 400)
            while how == "watch" and table.state.moving:
                self.run(50)
        return self


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["tap", "lit", "lit", "lit", "mash", "watch", "lean", "stay"]),
        st.lists(st.integers(0, 23), min_size=1, max_size=4),
        st.sampled_from([20, 60, 100, 100, 300, 1500, 3500, 9000]),
    ),
    max_size=25,
)


@pytest.mark.parametrize("name", BOARDS)
@settings(max_examples=8, deadline=None)
@given(acts=ACTS, seed=st.integers(0, 999))
def test_silence_leads_to_attract_and_lit_holes_to_a_game(name, acts, seed):
    draw = random.Random(seed)
    board = Museum(**BOARDS[name]).run(100)
    board.visit(acts).leave()
    board.run(draw.randrange(5000))
    board.come(draw)
    board.visit(acts[::-1]).leave()
    board.come(draw)


@pytest.mark.parametrize("name", BOARDS)
def test_whole_games_of_random_visitors(name):
    """Some who play a game to its end and walk away from its result, or into the middle of the show."""
    draw = random.Random(name)
    board = Museum(**BOARDS[name]).run(100)
    for _ in range(2):
        board.come(draw)
        for _ in range(400):
            while board.table.state.moving:
                board.run(100)
            if board.state == "result":
                break
            board.run(100)
            if board.state == "play" and board.play.human(board.game.mover):
                board.tap(draw.choice(board.legal()))
            else:
                board.run(1000)  # a race goes on by itself, and so does dealing
        board.leave()
        while not board.table.attract.show or board.table.attract.show._scene != GAME:
            board.run(100)
        board.run(draw.randrange(30_000))


@pytest.mark.parametrize("name", BOARDS)
def test_nobody_gets_anywhere_else(name):
    """Whatever is held together for however long: the states of a game, and attract, are all there are."""
    board = Museum(**BOARDS[name]).run(100)
    met = set()
    draw = random.Random(5)
    for _ in range(60):
        pads = draw.sample(range(board.table.n), draw.choice((1, 2, 2, 3, 4)))
        if draw.random() < 0.2:
            pads = [0, board.table.n // 2]
        board.down(*pads).run(draw.choice((100, 1200, 3300, 6000))).up(*pads)
        board.run(draw.choice((50, 600)))
        met.add(board.state)
    assert met <= {"attract", "choose", "play", "race", "result", "deal"}
    board.leave().come(draw)
