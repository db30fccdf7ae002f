"""The arena: its players do what their names say, its games are paired and repeatable, its figures are right."""

import json
import random

import pytest
from games_common import positions

import engine
from engine.state import SAVED
from tools.arena import __main__ as arena
from tools.arena import figures, games, page, players


def after(game, hole):
    """(the game, a saved position to go back to) with `hole` played."""
    saved = bytearray(SAVED)
    game.save(saved)
    game.play(hole)
    return saved


def exhaustive(game, depth):
    """What alpha-beta should find: for South, `depth` choices deep, without cutting anything off."""
    if not depth or game.over:
        return game.score(0) - game.score(1)
    north = game.mover
    values = []
    for hole in bytes(game.legal[: game.moves()]):
        saved = after(game, hole)
        values.append(exhaustive(game, depth - 1))
        game.load(saved)
    return min(values) if north else max(values)


def best_holes(game, depth):
    worth = {}
    for hole in bytes(game.legal[: game.moves()]):
        saved = after(game, hole)
        worth[hole] = exhaustive(game, depth - 1)
        game.load(saved)
    best = min(worth.values()) if game.mover else max(worth.values())
    return [hole for hole in worth if worth[hole] == best]


@pytest.mark.parametrize("kind", ["lame_uweedet", "lamlameta", "selus_massawa"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_alpha_beta_finds_all_the_best_holes(kind, depth):
    player = players.make("ab%d" % depth, kind, {})
    for game in positions(kind, 12, depth):
        player.copy(game)
        assert player.best() == best_holes(game, depth)


def test_greedy_takes_most_and_leaves_equals_to_chance():
    player = players.make("greedy", "selus_massawa", {})
    seen = 0
    for game in positions("selus_massawa", 40, 5):
        best = best_holes(game, 1)
        if len(best) > 1:
            chosen = {player.choose(game, random.Random(i), None) for i in range(60)}
            assert chosen == set(best)
            seen += 1
    assert seen > 5


def test_monte_carlo_finds_a_win_in_one():
    """Where one hole ends the round with a win, and another lets the other player win at once."""
    player = players.make("mcts300", "sulus_nishtaw", {})
    found = seed = 0
    while found < 5:
        seed += 1
        rng = random.Random(seed)
        game = engine.make("sulus_nishtaw", {})
        while not game.over:
            mover = game.mover
            won, lost = [], []
            for hole in bytes(game.legal[: game.moves()]):
                saved = after(game, hole)
                if game.over and game.winner() == mover:
                    won.append(hole)
                elif (exhaustive(game, 1) > 0) == mover:
                    lost.append(hole)
                game.load(saved)
            if won and len(won) + len(lost) == game.moves() > len(won):
                assert player.choose(game, rng, None) in won
                found += 1
                break
            game.play(game.legal[rng.randrange(game.moves())])


def test_monte_carlo_counts_ten_times_what_the_other_played():
    game = next(positions("sulus_aidi", 1, 3))
    other = players.make("ab3", "sulus_aidi", {})
    player = players.make("mcts10x", "sulus_aidi", {})
    player.choose(game, random.Random(1), other)  # the other has not played yet, and is asked
    assert other.nodes > 20
    assert (
        10 * other.nodes <= player.nodes < 10 * other.nodes + 200
    )  # its last random game is played to the end
    fixed = players.make("mcts10x", "sulus_aidi", {}, None, 70)
    fixed.choose(game, random.Random(1), other)
    assert 700 <= fixed.nodes < 900


def test_each_opening_is_played_from_both_sides():
    class Watched(players.Random):
        def choose(self, game, rng, other):
            sides[self].append(game.mover)
            firsts.append(bytes(game.seeds))
            return super().choose(game, rng, other)

    board = games.Board("gabata_aksum", {"rounds": "1"}, ("random", "random"), None, 0)
    board.two = [Watched("gabata_aksum", {}), Watched("gabata_aksum", {})]
    starts = []
    for number in range(6):
        sides = {player: [] for player in board.two}
        firsts = []
        board.pair(1, number)
        first, second = (sides[player] for player in board.two)
        assert set(first) == set(second) == {0, 1}  # each sat on both sides
        starts.append(firsts[0])
        assert firsts.count(firsts[0]) == 2  # both games began there
    assert len(set(starts)) > 3


def test_the_same_seed_plays_the_same_games():
    row = ("lame_uweedet", {"rounds": "1"}, ("mcts10x", "ab2"))
    alone = games.play_all([row, ("lamlameta", {}, ("greedy", "random"))], 6, 3, 1)
    many = games.play_all([row, ("lamlameta", {}, ("greedy", "random"))], 6, 3, 2)
    assert alone == many
    assert games.play_all([row], 6, 4, 1)[0] != alone[0]
    assert games.play_all([row], 4, 3, 1)[0] == alone[0][:4]


def test_margins_are_of_the_first_player():
    found = games.play_all([("sulus_aidi", {"rounds": "1"}, ("greedy", "random"))], 40, 1, 1)[0]
    other = games.play_all([("sulus_aidi", {"rounds": "1"}, ("random", "greedy"))], 40, 1, 1)[0]
    assert sum(one["margin"] > 0 for one in found) > 30
    assert sum(one["margin"] < 0 for one in other) > 30
    assert all(one["nodes"][1] == 0 for one in found)
    assert all(one["nodes"][0] >= 2 * one["choices"][0] for one in found)


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [
        (50, 100, 0.4038, 0.5962),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I
        (15, 148, 0.0624, 0.1605),  # likewise
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(score, games, low, high):
    assert figures.wilson(score, games) == pytest.approx((low, high), abs=6e-5)


def game_with(margin):
    return {"margin": margin, "moves": 30, "choices": [10, 12], "nodes": [50, 0], "illegal": 0}


def test_goals_and_whether_they_were_reached():
    def row(names, won, drawn, lost):
        found = [game_with(4)] * won + [game_with(0)] * drawn + [game_with(-4)] * lost
        return figures.summary("sulus_aidi", {"rounds": "1"}, names, found)

    good = row(("level3", "ab3"), 280, 20, 100)
    assert (good["score"], good["goal"], good["reached"]) == (72.5, [65, 100], True)
    assert figures.verdict(good) == "yes"
    assert figures.verdict(row(("level3", "ab3"), 260, 8, 132)) == "yes (within chance)"
    assert figures.verdict(row(("level3", "ab3"), 250, 8, 142)) == "no (within chance)"
    assert figures.verdict(row(("level3", "ab3"), 100, 0, 300)) == "no"
    child = row(("level1", "random"), 330, 0, 70)  # too strong for a child
    assert figures.goal(child) == "60-75 %"
    assert figures.verdict(child) == "no"
    assert figures.verdict(row(("level1", "random"), 270, 0, 130)) == "yes"
    assert "goal" not in row(("ab3", "ab2"), 3, 0, 1)


def test_bars():
    row = figures.summary(
        "sulus_aidi", {}, ("level3", "mcts10x"), [game_with(1)] * 3 + [game_with(0)] + [game_with(-1)] * 4
    )
    assert figures.bar(row) == "#" * 15 + "-" * 5 + "|" + "." * 19


def test_for_people_and_for_programs(capsys, tmp_path):
    words = [
        "greedy:random",
        "--game",
        "lamlameta russ=1",
        "--game",
        "sulus_aidi",
        "--games",
        "4",
        "--processes",
        "1",
    ]
    assert arena.main([*words, "--json"]) == 0
    text = capsys.readouterr().out
    rows = json.loads(text)["rows"]
    assert [row["game"] for row in rows] == ["lamlameta", "sulus_aidi"]
    assert rows[0]["options"] == {"russ": "1"}
    for row in rows:
        assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 4
        assert row["low"] <= row["score"] <= row["high"]
    file = tmp_path / "figures.json"
    file.write_text(text)
    assert arena.main(["--from", str(file)]) == 0
    read = capsys.readouterr().out
    assert arena.main(words) == 0
    assert capsys.readouterr().out == read
    assert "greedy against random" in read
    assert "lamlameta russ=1" in read


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (["level4:random"], "level3"),
        (["ab0:random"], "ab1"),
        (["greedy"], "level3:random"),
        (["mcts10x:random"], "another player who searches"),
        (["greedy:random", "--game", "chess"], "sulus_aidi"),
        (["greedy:random", "--game", "sulus_aidi race=1"], "race=0"),
        (["greedy:random", "--game", "lamlameta russ"], "option=value"),
        (["peer:random"], "--peer FOLDER"),
        (["peer:random", "--game", "sulus_aidi"], "lamlameta only"),
        (["--from", "no such file"], "no such file"),
    ],
)
def test_what_cannot_be_played_is_said(words, right, capsys):
    assert arena.main([*words, "--games", "2", "--processes", "1"]) == 2
    assert right in capsys.readouterr().err


def test_the_page_gets_the_table():
    rows = []
    for kind, won in (("sulus_aidi", 3), ("lamlameta", 1)):
        found = [game_with(2)] * won + [game_with(-2)] * (4 - won)
        rows.append(figures.summary(kind, {}, ("level3", "ab3"), found))
    text = page.put("before\n<!-- arena -->\nold\n<!-- end -->\nafter\n", rows)
    assert text.startswith("before\n<!-- arena -->\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "old" not in text
    assert "| players | goal | `lamlameta` | `sulus_aidi` |" in text
    assert "| level3 against ab3 | 65 % | 25.0 (5-70) **no** | 75.0 (30-95) |" in text
    assert page.put(text, rows) == text
    with pytest.raises(ValueError, match="one line <!-- arena -->"):
        page.put("nothing", rows)


def test_pictures_are_the_same_each_time(tmp_path):
    rows = [figures.summary("sulus_aidi", {}, ("level3", "ab3"), [game_with(2), game_with(0), game_with(-1)])]
    drawn = []
    for number in "12":
        strength, values = tmp_path / ("s" + number), tmp_path / ("v" + number)
        page.draw_strength(rows, strength.with_suffix(".svg"))
        page.draw_values(values.with_suffix(".svg"))
        drawn.append((strength.with_suffix(".svg").read_bytes(), values.with_suffix(".svg").read_bytes()))
    assert drawn[0] == drawn[1]
    assert b"<svg" in drawn[0][0]
