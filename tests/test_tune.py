"""The tuning program: its features are what the search counts, its fit is right, and it is repeatable."""

import json
import random

import pytest
from games_common import positions

import engine
from engine.search import Search
from engine.state import SAVED
from tools import tune


def worth(game, values):
    """A position's worth for South, by the features."""
    numbers = [tune.QUARTERS, *tune.numbers_of(values)]
    columns = tune.used(name for name, _ in tune.OWN)
    weights = {columns[i]: number for i, number in enumerate(numbers)}
    return sum(weights.get(i, 0) * value for i, value in tune.features(game))


@pytest.mark.parametrize("kind", ["gabata_aksum", "lamlameta", "sulus_aidi"])
def test_the_features_are_what_the_search_counts(kind):
    values = "5 0 / 0 3 1 -2 4 7 / 1 2 -3 4 5 -6 7 8 9 / 20 9 3 -4 -5 -6 -7 -8 -21"
    if kind == "lamlameta":
        values = "5 0 / 0 3 1 -2 4 7 / 0 1 2 3 4 5 6 7 8 9 10 11 /"
    search = tune.search_with(values, kind, {})
    saved = bytearray(SAVED)
    seen = 0
    for game in positions(kind, 30, 4):
        game.save(saved)
        found = []
        for hole in bytes(game.legal[: game.moves()]):
            game.load(saved)
            game.play(hole)
            if game.over or tune.decided(game):
                break
            found.append(worth(game, values))
        else:
            game.load(saved)
            search.begin(game, 3, 1)
            while not search.depth:
                search.think(1)
            assert search.value == (min(found) if game.mover else max(found))
            seen += 1
    assert seen > 15


@pytest.mark.parametrize("kind", engine.names())
def test_values_in_the_files_come_through(kind):
    values = engine.find(kind).VALUES
    assert tune.values_of(tune.numbers_of(values), engine.find(kind).HOLES) == values


def test_both_players_are_counted_alike():
    """Half a turn of the board, and the players exchanged: the same with the other sign."""
    for game in positions("selus_massawa", 20, 6):
        other = engine.make("selus_massawa")
        for hole in range(18):
            mark = game.marks[hole]
            other.seeds[(hole + 9) % 18] = game.seeds[hole]
            other.marks[(hole + 9) % 18] = (mark ^ 1) & 3 | (3 - (mark >> 2) if mark > 3 else 0) << 2
        other.tally[0], other.tally[1], other.tally[2] = game.tally[1], game.tally[0], 1 - game.mover
        other.tally[5] = game.again
        assert {i: -value for i, value in tune.features(other)} == dict(tune.features(game))


def test_the_fit_finds_what_made_the_margins():
    rng = random.Random(2)
    kinds = ["score", "tempo", "loose"]
    columns = tune.used(kinds)
    true = {column: rng.uniform(-3, 3) for column in columns}
    samples = []
    for _ in range(3000):
        row = [(column, rng.randrange(-4, 5)) for column in columns if rng.random() < 0.7]
        row.append((tune.used(["late"])[0], 5.0))  # not asked for
        samples.append((row, sum(true.get(i, 0) * value for i, value in row) + rng.gauss(0, 2)))
    found = tune.fit(samples, kinds)
    assert found == pytest.approx(true, abs=0.05)
    assert tune.error(samples, found) == pytest.approx(2, abs=0.1)
    assert tune.error(samples, {}) > 6


def test_values_are_counted_in_quarters_of_a_seed_of_score():
    weights = dict.fromkeys(tune.used(name for name, _ in tune.OWN), 0.0)
    weights[tune.used(["score"])[0]] = 0.5
    weights[tune.used(["tempo"])[0]] = 0.26
    weights[tune.used(["claims"])[2]] = -1.0
    assert tune.as_values(weights, 18) == "2 0 / / / 0 0 -8"


def test_better_values_are_climbed_to(monkeypatch):
    """Where the values nearer to some others win, though not always."""
    target = "3 0 / 0 0 2 0 0 0 / / 20 8 0 0 0 0 0 0 -20"
    rng = random.Random(5)

    def away(values):
        return sum(
            (one - other) ** 2 for one, other in zip(*map(tune.numbers_of, (values, target)), strict=True)
        )

    def versus(job):
        first, second = job[2]
        return [away(second) - away(first) + rng.gauss(0, 200) for _ in range(2 * job[5])]

    monkeypatch.setattr(tune, "versus", versus)
    chosen = type("Chosen", (), {"seed": 1, "steps": 800, "work": 400})
    start = "0 0 / / /"
    moved = [0, 3, *range(19, 28)]
    found = tune.climb("sulus_aidi", {}, start, moved, chosen, tune.Workers(1))
    assert away(found) < away(start) / 10
    assert tune.parts(found)[1][1] == 0  # not to be moved


def test_the_same_seed_finds_the_same(capsys):
    words = [
        "--game",
        "gabata_aksum",
        "--games",
        "30",
        "--steps",
        "2",
        "--verify",
        "4",
        "--work",
        "300",
        "--json",
    ]
    assert tune.main([*words, "--processes", "1"]) == 0
    alone = capsys.readouterr().out
    assert tune.main([*words, "--processes", "2"]) == 0
    assert capsys.readouterr().out == alone
    found = json.loads(alone)["games"][0]
    assert found["positions"] > 100
    assert found["without"]["score"] > 1
    assert found["error"] < found["nothing"]
    assert len(found["against"]) == 2
    assert Search(engine.make("gabata_aksum"))  # the values in the file are as they were
    for line in tune.lines(found):
        assert isinstance(line, str)
