"""Between two rounds of a match: winnings are dealt out, and in play the territories are told apart."""

import pytest
from test_lights_decode import expected
from test_table import CLOCKS, LAST_MOVE, Board, ended

from table import cues
from table.cues import NORTHS, SOUTHS
from table.deal import END_MS, FASTER, HAND, HOLE_MS, SEED_MS, Dealing
from table.lights import Lights
from tools import lights as reader
from tools.flashes import worst

POND = bytes(cues.COLOURS[6:9])


def over(board, south):
    """The board after a round that gave South so many seeds, in *result*."""
    board.put(**{**LAST_MOVE, "taken": [south, 53 - south], "territory": [0] * 9 + [1] * 9})
    assert board.tap(17).until("result").game.score(0) == south
    return board


def dealing(start=0, south=39, **settings):
    board = over(Board(start, **{"GAMES": "gabata_aksum", **settings}).begin(), south)
    board.run(1600).down(7).run(60).up(7).run(60)
    assert board.state == "deal"
    return board


# South's seeds of 54, and how many holes each fills: two over make one hole more
FILLS = [(27, 9, 9), (30, 10, 8), (28, 9, 9), (26, 9, 9), (29, 10, 8), (25, 8, 10), (51, 17, 1), (5, 2, 16)]


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize(("south", "holes", "others"), FILLS)
def test_each_fills_his_own_half_first(south, holes, others, start):
    board = dealing(start, south)
    scene = board.table.deal.scene
    filled = [[scene.hole(player, k) for k in range((holes, others)[player])] for player in (0, 1)]
    for player in (0, 1):
        assert [board.game.owner(hole) for hole in filled[player]] == [player] * len(filled[player])
        assert filled[player][:9] == list(range(9 * player, 9 * player + len(filled[player][:9])))
        assert filled[player][9:] == sorted(filled[player][9:])
    assert sorted(filled[0] + filled[1]) == list(range(18))
    gets = [player for player in (0, 1) if (south, 54 - south)[player] % 3 == 2]
    assert scene.gift == (gets[0] if gets else -1)
    assert board.table.deal._duration == max(holes, others) * HOLE_MS + END_MS


@pytest.mark.parametrize("start", CLOCKS)
def test_then_the_round_begins(start):
    board = dealing(start, 39)
    assert board.game.round == 2
    assert {"state": "deal", "game": "gabata_aksum", "round": 2} in board.log
    assert board.drawn("film")
    board.run(13 * HOLE_MS + END_MS - 200)
    assert board.state == "deal"
    board.run(200)
    assert board.state == "play"
    assert (board.game.mover, board.game.starter) == (1, 1)
    assert [board.game.owner(hole) for hole in range(18)] == [0] * 9 + [1] * 5 + [0] * 4
    assert board.log[-1]["seeds"] == [3] * 18
    assert board.play.history.count == 0


def test_a_tap_makes_it_four_times_as_fast():
    board = dealing(south=39)
    board.down(3).run(50).up(3).run(60)
    t = board.table.deal._t
    left = (board.table.deal._duration - t) // FASTER
    board.run(left - 20)
    assert board.state == "deal"
    board.run(40)
    assert board.state == "play"


def test_one_seed_after_the_other():
    lights = Lights(18)
    scene = Dealing(18, lights)
    marks = bytes([0] * 9 + [1] * 5 + [0] * 4)
    ms = scene.begin(marks, -1)

    def lit(t):
        lights.clear()
        lights.film(scene, t, 700)
        return list(scene._seeds), bytes(lights._want)

    assert lit(0)[0] == [1] + [0] * 8 + [1] + [0] * 8
    assert lit(SEED_MS)[0] == [2] + [0] * 8 + [2] + [0] * 8
    assert lit(HOLE_MS + 10)[0] == [3, 1] + [0] * 7 + [3, 1] + [0] * 7
    assert lit(7 * HOLE_MS)[0] == [3] * 7 + [1, 0] + [3] * 5 + [0] * 4  # North has no more
    assert lit(9 * HOLE_MS)[0] == [3] * 14 + [1, 0, 0, 0]
    assert lit(ms - END_MS) == lit(ms + 9999) == ([3] * 18, POND * 18)
    # the hands are lights in their owners' colours, whitened
    assert lit(HOLE_MS)[1][3:6] != lit(HOLE_MS)[1][30:33]
    seeds = [sum(lit(t)[0]) for t in range(0, ms, 20)]
    assert seeds == sorted(seeds)


@pytest.mark.parametrize(("gift", "other"), [(0, 1), (1, 0)])
def test_the_seed_that_makes_the_last_hole_full_comes_from_the_other_hand(gift, other):
    lights = Lights(18)
    scene = Dealing(18, lights)
    marks = bytes([0] * 9 + [1] * 9)

    def light(t, gift):
        scene.begin(marks, gift)
        lights.clear()
        lights.film(scene, t, 700)
        return [bytes(lights._want[3 * h : 3 * h + 3]) for h in range(18)]

    third = 8 * HOLE_MS + 2 * SEED_MS + 20
    for t in range(0, 9 * HOLE_MS, 10):
        if t < third - 20:
            assert light(t, gift) == light(t, -1)
    hole = 8 + 9 * gift
    plain = light(third, -1)
    given = light(third, gift)
    assert [h for h in range(18) if plain[h] != given[h]] == [hole]
    level = 110 * HAND // SEED_MS
    hand = [(c + 255) >> 1 for c in cues.OWNERS[3 * other : 3 * other + 3]]
    assert list(given[hole]) == [p + ((c - p) * level >> 8) for p, c in zip(POND, hand, strict=True)]


def test_in_an_exhibit_of_one_round_there_is_none():
    board = ended(Board(MODE="exhibit", GAMES="gabata_aksum").begin())
    assert board.table.deal is None
    assert board.run(1600).tap(7).state == "play"
    assert ended(Board(GAMES="gabata_aksum rounds=1").begin()).table.deal is None


def test_the_last_round_is_followed_by_a_rematch():
    board = over(Board(GAMES="gabata_aksum rounds=2").begin(), 30)
    for starter, state in ((1, "deal"), (1, "play"), (0, "deal"), (0, "play")):
        board.run(1600).tap(7)
        assert board.state == state
        board.until("play")
        assert board.game.starter == starter
        assert board.game.round == (2 if state == "deal" else 1)
        over(board.run(600), 30)


def test_who_can_fill_no_hole_has_lost_the_match():
    board = over(Board(GAMES="gabata_aksum").begin(), 53)
    assert board.run(1600).tap(7).state == "play"
    assert board.game.round == 1


def test_a_board_asleep_meanwhile_goes_on_dealing():
    board = dealing(SLEEP_MIN="1", south=39)
    t = board.table.deal._t
    board.table.silence = 60_000
    board.run(5).run(5000)
    assert board.state == "asleep"
    board.down(3).run(500).up(3)
    assert board.state == "deal"
    assert board.table.deal._t < t + 300


# ---- territories in play


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize(("south", "holes"), [(39, 13), (12, 4), (27, 9)])
def test_holes_in_the_other_half_are_told_apart(south, holes, start):
    board = dealing(start, south).until("play").run(600)
    flags = board.drawn("rest")[2]
    souths = [hole for hole in range(18) if flags[hole] & SOUTHS]
    norths = [hole for hole in range(18) if flags[hole] & NORTHS]
    assert souths == [hole for hole in range(9, 18) if hole - 9 >= 18 - holes]
    assert norths == [hole for hole in range(9) if hole >= holes]


def test_a_claim_there_shows_its_owner_instead():
    board = dealing(south=39).until("play").run(600)
    board.put(claims=[-1] * 14 + [1] + [-1] * 3)
    flags = board.drawn("rest")[2]
    assert [hole for hole in range(18) if flags[hole] & SOUTHS] == [15, 16, 17]


@pytest.mark.parametrize("start", CLOCKS)
def test_the_strip_says_whose_they_are(start):
    """Recorded at the table in a second round, and read back by tools.lights."""
    board = dealing(start, 39).until("play").run(1600)
    frames = []
    last = None
    for _ in range(5000 // 5):
        board.run(5)
        rgb = [
            [max(1, c * 146 // 255) if c else 0 for c in board.lights.frame[3 * h : 3 * h + 3]]
            for h in range(18)
        ]
        if rgb != last:
            frames.append({"t_ms": board.t, "rgb": rgb})
            last = rgb
    flags = board.drawn("rest")[2]
    seen = reader.read(frames, "ring")
    assert seen == expected((list(board.game.seeds), [-1] * 18, list(flags)))
    assert seen["territory"] == [0] * 9 + [1] * 5 + [0] * 4
    assert seen["legal"] == [10, 11, 12, 13]  # not from the left-hand hole, with three in it
    assert "3S" in reader.table(seen)


@pytest.mark.parametrize("mash", [0, 30])
@pytest.mark.parametrize("south", [39, 3])
def test_it_flashes_no_more_than_anything_else(south, mash):
    board = dealing(CLOCKS[1], south)
    shown = []
    for i in range(1200):
        if mash and i % 7 == 0:
            pad = i * 5 % 18
            board.table.press(pad, 100, board.now)
            board.run(15)
            board.table.release(pad, board.now)
        board.run(10)
        shown.append((board.t, bytes(board.lights.frame)))
    assert board.state == "play"
    assert max(worst(shown, 18)) <= 3
