"""The opponent: it finds what an exhaustive solver finds, in any slices, and the same everywhere."""

import json
import random
import shutil
import subprocess

import pytest
from conftest import ROOT
from games_common import moves, position, random_game

import engine
from engine.search import CHILD, MASTER, PLAYER, PLIES, WORK, Search
from engine.state import SAVED

GAMES = engine.names()
PLENTY = 1 << 26


def think(search, slices=10_000):
    while search.think(slices):
        pass
    return search.hole


def found(search):
    return search.hole, search.value, search.depth, search.nodes


class TooLarge(Exception):
    pass


def solve(game, left, room):
    """Who wins by best play, 1 South, -1 North, 0 nobody: every move of every position is played. TooLarge for more
    than `left` choices in a row or more than `room[0]` in all."""
    if game.over:
        return 1 if game.score(0) > game.score(1) else -1 if game.score(0) < game.score(1) else 0
    if not left:
        raise TooLarge
    before = bytearray(SAVED)
    game.save(before)
    results = []
    for hole in moves(game):
        room[0] -= 1
        if room[0] < 0:
            raise TooLarge
        game.play(hole)
        results.append(solve(game, left - 1, room))
        game.load(before)
    mover = game.mover
    return min(results) if mover else max(results)


def small_positions(name, most, most_choices):
    """Positions from the last moves of random games that `solve` can solve, with what each choice there leads to."""
    seen = 0
    before = bytearray(SAVED)
    for seed in range(400):
        options = {} if name == "lamlameta" else {"rounds": "1"}
        last = []
        for game, _ in random_game(name, seed, **options):
            game.save(before)
            last = [*last[-5:], bytes(before)]
        for saved in last:
            game.load(saved)
            try:
                room = [most_choices]
                results = {}
                for hole in moves(game):
                    game.load(saved)
                    game.play(hole)
                    results[hole] = solve(game, PLIES - 2, room)
            except TooLarge:
                continue
            game.load(saved)
            if len(set(results.values())) > 1:
                yield game, results
                seen += 1
                if seen == most:
                    return


@pytest.mark.parametrize("name", GAMES)
def test_every_forced_win_is_found(name):
    """With time enough whatever the tree, and at a master's budget if that is no larger than the budget."""
    for most_choices, work in (600, PLENTY), (150, 0):
        tried = 0
        for game, results in small_positions(name, 25, most_choices):
            best = min(results.values()) if game.mover else max(results.values())
            search = Search(game)
            search.begin(game, MASTER, tried, work)
            hole = think(search)
            assert results[hole] == best, (position(game), results, hole)
            assert (search.value > 0) - (search.value < 0) == best
            tried += 1
        assert tried >= 10


@pytest.mark.parametrize("name", GAMES)
def test_a_capture_that_wins_at_once_is_never_missed(name):
    """More than half of all seeds taken, or the round's end with more of them, by one choice."""
    tried = 0
    for seed in range(600):
        options = {} if name == "lamlameta" else {"rounds": "1"}
        before = bytearray(SAVED)
        for game, _ in random_game(name, seed, **options):
            mover = game.mover
            half = game.n * game.EACH // 2
            if game.taken(mover) > half:
                break
            game.save(before)
            wins = []
            for hole in moves(game):
                game.play(hole)
                ahead = game.score(mover) - game.score(1 - mover)
                if game.taken(mover) > half or (game.over and ahead > 0):
                    wins.append(hole)
                game.load(before)
            if wins and len(wins) < game.moves():
                search = Search(game)
                search.begin(game, MASTER, seed)
                hole = think(search)
                # Another choice will do if the win is as sure after it.
                assert hole in wins or abs(search.value) > 4000, (position(game), wins, hole)
                tried += 1
                break
        if tried == 25:
            break
    assert tried > 5


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", [CHILD, PLAYER, MASTER])
def test_slices_change_nothing_and_the_game_is_not_touched(name, level):
    """Nor does what was thought about before: a search may be left at any slice."""
    left = None
    for game, _ in random_game(name, 5, most=12):
        before = position(game)
        whole = Search(game)
        whole.begin(game, level, 77)
        think(whole, PLENTY)
        sliced = left or Search(game)
        sliced.begin(game, level, 77)
        legal = moves(game)
        while sliced.think(1):
            assert sliced.hole in legal
            assert position(game) == before
        assert found(sliced) == found(whole)
        assert sliced.hole in legal
        left = sliced
        left.begin(game, MASTER, 3)
        left.think(500)


@pytest.mark.parametrize("name", GAMES)
def test_the_budget_is_kept(name):
    for game, _ in random_game(name, 3, most=20):
        search = Search(game)
        for level in (PLAYER, MASTER):
            search.begin(game, level, 1)
            think(search)
            assert search._work < WORK[level] * 18 // game.n + 2000  # the last turn may be a long one
        search.begin(game, MASTER, 1, 150_000)
        think(search)
        deeper = search.depth
        search.begin(game, MASTER, 1, 5_000)
        think(search)
        assert search.depth <= deeper


def test_a_seed_decides_among_equals_and_what_a_child_sees():
    game = engine.make("sulus_aidi")
    search = Search(game)
    chosen = set()
    for seed in range(40):
        search.begin(game, CHILD, seed)
        first = think(search)
        search.begin(game, CHILD, seed)
        assert think(search) == first
        chosen.add(first)
    assert len(chosen) > 4


@pytest.mark.parametrize("name", GAMES)
def test_north_chooses_what_south_would(name):
    """The same position turned by half a ring, the players with it."""
    half = engine.find(name).HOLES // 2
    for game, _ in random_game(name, 9, most=30):
        at = position(game)
        turned = engine.make(name)
        for hole in range(game.n):
            mark = game.marks[hole]
            claim = mark >> 2
            turned.seeds[(hole + half) % game.n] = game.seeds[hole]
            turned.marks[(hole + half) % game.n] = (mark & 3 ^ 1) | ((3 - claim) << 2 if claim else 0)
        for i in range(0, 12):
            turned.tally[i] = game.tally[i]
        for i in (0, 8, 10):
            turned.tally[i], turned.tally[i + 1] = game.tally[i + 1], game.tally[i]
        turned.tally[2] = 1 - game.tally[2]
        turned.tally[3] = 1 - game.tally[3]
        turned.put_up()
        assert moves(turned) == sorted((hole + half) % game.n for hole in at["moves"])
        one = Search(game)
        one.begin(game, MASTER, 2, 20_000)
        think(one)
        other = Search(turned)
        other.begin(turned, MASTER, 2, 20_000)
        think(other)
        if one.depth == other.depth:  # choices are tried in another order, and the budget ends elsewhere
            assert one.value == -other.value


INTERPRETERS = [["python3"], [shutil.which("micropython") or ""]]


def ask(command, lines):
    done = subprocess.run(
        [*command, "-m", "engine"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_think_answers_alike_on_both_interpreters_and_changes_nothing():
    rng = random.Random(1)
    lines = []
    for name in GAMES:
        lines.append("new %s" % name)
        for _ in range(3):
            level = rng.randrange(1, 4)
            lines += ["think level=%d seed=%d work=3000" % (level, rng.randrange(10**8)), "state"]
    answers = [ask(command, lines) for command in INTERPRETERS]
    assert answers[0] == answers[1]
    for line, answer in zip(lines, answers[0], strict=True):
        if line.startswith("new"):
            before = answer
        elif line == "state":
            assert answer == before
        else:
            assert sorted(answer) == ["depth", "hole", "nodes", "value"]
            assert answer["hole"] in before["moves"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("think level=4", "1, 2 or 3"),
        ("think level=0", "1, 2 or 3"),
        ("think level=x", "whole number"),
        ("think depth=3", "level=1|2|3"),
        ("think level=1 level=2", "at most once"),
        ("think work=-1", "whole number"),
        ("think work=0", "at least 1"),
        ("think seed=123456789", "eight digits"),
        ("think 3", "level=1|2|3"),
    ],
)
def test_think_says_what_would_have_been_right(line, says):
    answers = ask(INTERPRETERS[0], ["new gabata_aksum", line, "state"])
    assert says in answers[1]["error"]
    assert answers[2] == answers[0]


def test_think_asks_for_a_game_that_goes_on():
    answers = ask(
        INTERPRETERS[0],
        [
            "think",
            "new sulus_aidi race=1",
            "think",
            "new lamlameta",
            'set {"seeds": [%s], "taken": [48, 0]}' % ",".join(["0"] * 24),
            "think",
        ],
    )
    assert "new GAME" in answers[0]["error"]
    assert "race" in answers[2]["error"]
    assert "over" in answers[5]["error"]
