"""The games against a second, plainer writing of the rule book, and what holds in every position."""

import random

import pytest
from games_common import KEYS, moves, play, position, random_game
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Reference

import engine
from engine import replay
from engine.state import CLAIM, CLAIMED, MOVER, QUIET, SAVED, TURNS
from engine.trace import Trace

CONFIGURATIONS = [
    ("lamlameta", {}),
    ("lamlameta", {"russ": "1"}),
    ("lamlameta", {"opening": "right2"}),
    ("lamlameta", {"opening": "right2", "russ": "1"}),
    ("gabata_aksum", {}),
    ("gabata_aksum", {"claims": "second_turn"}),
    ("gabata_aksum", {"claims": "any"}),
    ("lame_uweedet", {}),
    ("lame_uweedet", {"gambit": "0"}),
    ("sulus_nishtaw", {}),
    ("sulus_nishtaw", {"gambit": "0"}),
    ("sulus_aidi", {}),
    ("selus_massawa", {}),
]
NAMES = sorted({name for name, _ in CONFIGURATIONS})
assert engine.names() == NAMES

# Lamlameta positions found by a search over random ones: laps sown, seeds, hole, whether it is endless.
LONG = [
    (57, [2, 1, 1, 3, 1, 2, 2, 1, 2, 0, 3, 2, 2, 3, 2, 1, 0, 3, 0, 1, 5, 4, 2, 5], 12, True),
    (58, [4, 4, 3, 2, 1, 0, 1, 5, 3, 1, 3, 1, 1, 2, 1, 1, 2, 4, 2, 4, 1, 0, 0, 2], 0, True),
    (106, [1, 3, 2, 4, 2, 2, 4, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1, 2, 1, 2, 2, 2, 2, 4], 12, False),
    (27581, [1, 2, 1, 4, 1, 1, 2, 1, 4, 3, 1, 1, 2, 2, 1, 3, 2, 1, 2, 1, 3, 4, 3, 2], 12, True),
]


def put_up(game, seeds, mover, turns=1, quiet=0, claims=None, territory=None, lifted=False):
    """A position into a game and into a Reference of the same kind."""
    n = game.n
    half = n // 2
    game.start(0)
    for hole in range(n):
        game.seeds[hole] = seeds[hole]
        owner = territory[hole] if territory else int(hole >= half)
        game.marks[hole] = owner | (2 if lifted else 0) | ((claims[hole] + 1) << CLAIM if claims else 0)
    game.tally[MOVER] = mover
    game.tally[QUIET] = quiet
    game.tally[TURNS] = game.tally[TURNS + 1] = turns
    game.tally[0] = n * game.EACH - sum(seeds)
    game.put_up()
    other = Reference(game.NAME, 0, **game.options)
    state = position(game)
    for key in KEYS[:-1]:
        setattr(other, key, state[key])
    return other


def same(game, reference, known=KEYS):
    state, expected = position(game), reference.state()
    assert {k: state[k] for k in known} == {k: expected[k] for k in known}


@pytest.mark.parametrize(("name", "options"), CONFIGURATIONS)
def test_random_games_go_as_the_rule_book_says(name, options):
    for seed in range(40):
        reference = Reference(name, seed & 1, **options)
        for game, hole in random_game(name, seed, **options):
            same(game, reference)
            saved = bytearray(SAVED)
            game.save(saved)
            assert play(game, hole)["events"] == reference.play(hole)
            same(game, reference)
            game.load(saved)
        assert reference.over == 1


@pytest.mark.parametrize(("laps", "seeds", "hole", "endless"), LONG)
def test_long_and_endless_turns(laps, seeds, hole, endless):
    game = engine.make("lamlameta")
    reference = put_up(game, seeds, hole // 12)
    answer = play(game, hole)
    events = reference.play(hole)
    assert answer["events"] == events
    assert game.trace.count == laps == sum(e[0] == "lift" for e in events)
    assert (events[-1][0] == "endless") == endless
    same(game, reference)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_turn_longer_than_the_trace_is_played_right_and_shown_in_short(index):
    laps, seeds, hole, endless = LONG[index]
    game = engine.make("lamlameta", trace=Trace(24, 20))
    reference = put_up(game, seeds, hole // 12)
    answer = play(game, hole)
    assert answer["events"] == reference.play(hole)
    same(game, reference)
    walk = replay.Replay(24)
    walk.begin(game.trace)
    assert (game.trace.count, walk.laps) == (laps, 20)
    kinds = []
    while kinds[-1:] != [replay.DONE]:
        kinds.append(walk.step())
    assert kinds.count(replay.LIFT) == 20
    assert kinds.count(replay.JUMP) == 1
    assert kinds.count(replay.ENDLESS) == endless
    # the third one ends the round: North takes all of South's holes, then the rest, which no trace shows
    assert sum(walk.seeds) == (24 if game.over else sum(game.seeds))
    if not game.over:
        assert list(walk.seeds) == list(game.seeds)


@st.composite
def positions(draw, name):
    """A game of that name in some position: any seeds, claims, territories (where they may be), flags."""
    options = draw(st.sampled_from([o for n, o in CONFIGURATIONS if n == name]))
    game = engine.make(name, options)
    n, total = game.n, game.n * game.EACH
    rng = random.Random(draw(st.integers(0, 2**32)))
    seeds = [0] * n
    holes = rng.sample(range(n), rng.choice((2, 5, n // 2, n)))
    for _ in range(rng.choice((total, total, total // 2, 6))):
        seeds[rng.choice(holes)] += 1
    claims = territory = None
    if n == 18:
        claims = [rng.choice((-1, -1, -1, 0, 1)) for _ in range(n)]
        south = rng.randrange(1, 18)
        territory = [0 if h < south else 1 for h in range(9)] + [1 if h < 18 - south else 0 for h in range(9)]
    quiet = rng.choice((0, 0, 98, 99))
    reference = put_up(
        game, seeds, rng.randrange(2), rng.randrange(2), quiet, claims, territory, lifted=rng.random() < 0.5
    )
    game.settle()
    reference.follow()
    return game, reference


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_position_goes_as_the_rule_book_says(name, data):
    game, reference = data.draw(positions(name))
    same(game, reference)
    legal = moves(game)
    if legal:
        hole = data.draw(st.sampled_from(legal))
        assert play(game, hole)["events"] == reference.play(hole)
        same(game, reference)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_moves_and_play_agree(name, data):
    game, _ = data.draw(positions(name))
    legal = moves(game)
    before, after = bytearray(SAVED), bytearray(SAVED)
    game.save(before)
    assert legal == sorted(set(legal))
    for hole in [-1, *range(game.n), game.n, 255]:
        if hole in legal:
            assert game.lap_end(hole) >= 0
            game.play(hole)
        else:
            assert game.lap_end(hole) == -1
            with pytest.raises(ValueError, match="round is over" if game.over else str(legal)[1:-1]):
                game.play(hole)
            game.save(after)
            assert after == before
        game.load(before)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_seeds_are_conserved_and_claims_lose_none_but_by_a_take(name, data):
    game, _ = data.draw(positions(name))
    total = game.n * game.EACH
    for hole in moves(game):
        before = bytearray(SAVED)
        game.save(before)
        held = list(game.seeds)
        claimed = [h for h in range(game.n) if game.marks[h] >= CLAIMED]
        answer = play(game, hole)
        assert sum(answer["seeds"]) + sum(answer["taken"]) == total
        lost = {e[1]: e[2] for e in answer["events"] if e[0] == "take"}
        for h in claimed:
            assert answer["seeds"][h] >= held[h] - lost.get(h, 0)
            assert h not in [e[1] for e in answer["events"] if e[0] == "lift"]
        game.load(before)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_save_and_load_bring_everything_back(name, data):
    game, _ = data.draw(positions(name))
    saved, again = bytearray(SAVED), bytearray(SAVED)
    game.save(saved)
    assert saved[0] == 1
    assert len(saved) <= 96
    other = engine.make(name, game.options)
    other.load(saved)
    assert position(other) == position(game)
    other.save(again)
    assert again == saved


def half_turn(game):
    """The same position seen from the other side of the board, in another game."""
    n, half = game.n, game.n // 2
    other = engine.make(game.NAME, game.options)
    other.start(1 - game.starter)
    for hole in range(n):
        mark = game.marks[hole]
        claim = mark >> CLAIM
        there = (hole + half) % n
        other.seeds[there] = game.seeds[hole]
        other.marks[there] = (1 - (mark & 1)) | (mark & 2) | ((3 - claim if claim else 0) << CLAIM)
    for i in range(len(game.tally)):
        other.tally[i] = game.tally[i]
    for player in (0, 1):
        other.tally[player] = game.tally[1 - player]
        for i in (0, 2):
            other.tally[TURNS + i + player] = game.tally[TURNS + i + 1 - player]
    other.tally[MOVER] = 1 - game.mover
    other.tally[MOVER + 1] = 1 - game.starter
    other.put_up()
    return other


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_half_turn_of_the_board_changes_nothing(name, data):
    game, _ = data.draw(positions(name))
    turned = half_turn(game)
    half = game.n // 2
    assert sorted((h + half) % game.n for h in moves(game)) == moves(turned)
    for hole in moves(game)[:1]:
        game.play(hole)
        turned.play((hole + half) % game.n)
        assert position(half_turn(game)) == position(turned)


def test_a_peek_at_the_first_lap_is_where_the_move_goes_and_leaves_no_trace():
    for name, options in CONFIGURATIONS:
        for game, hole in random_game(name, 5, **options):
            before, after = bytearray(SAVED), bytearray(SAVED)
            game.save(before)
            trace = game.trace
            told = (trace.start, trace.count, trace.last, trace.skips, trace.gambit)
            end = game.lap_end(hole)
            game.save(after)
            assert before == after
            assert told == (trace.start, trace.count, trace.last, trace.skips, trace.gambit)
            answer = play(game, hole)
            lifts = [e for e in answer["events"] if e[0] == "lift"]
            if len(lifts) > 1:
                assert end == lifts[1][1]
            game.load(before)


def test_wrong_games_and_options_are_named():
    with pytest.raises(ValueError, match=", ".join(NAMES)):
        engine.make("chess")
    with pytest.raises(ValueError, match="any, right2"):
        engine.make("lamlameta", {"opening": "left"})
    with pytest.raises(ValueError, match="opening, russ"):
        engine.make("lamlameta", {"rounds": "1"})
    with pytest.raises(ValueError, match="whole number"):
        engine.make("gabata_aksum", {"rounds": "-1"})


def test_bytes_that_are_no_saved_position_are_refused():
    game = engine.make("lamlameta")
    saved = bytearray(SAVED)
    engine.make("gabata_aksum").save(saved)
    for bad in (bytearray(SAVED), bytearray(10), saved):
        with pytest.raises(ValueError, match="saved position"):
            game.load(bad)
    assert moves(game) == list(range(12))


@pytest.mark.parametrize("name", engine.names())
def test_a_game_is_known_before_it_is_loaded(name):
    """By the first line of its file; docs/adding-a-game.md says so."""
    assert engine.board_of(name) == engine.find(name).BOARD


def test_no_other_name_has_a_board():
    with pytest.raises(ValueError, match="no game oware; there are gabata_aksum"):
        engine.board_of("oware")
