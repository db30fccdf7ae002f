"""The race opening at the table, row by row of docs/behaviour.md, on a virtual clock that also wraps."""

import itertools
import json
import random

import pytest
from games_common import Lines, fingers
from test_table import CLOCKS, MASK, TICK, Board

from engine.race import ENOUGH
from table import cues
from table.cues import LEGAL
from table.playing import STRANDED_MS
from table.race import AUTO_MS, ORDER, PULSE_MS, PULSES, SHINE, SILENCE_MS
from tools.flashes import worst

START = PULSES * PULSE_MS


class Racing(Board):
    """A board of one game, which races; times in rows count from the moment its race takes touches."""

    def __init__(self, start=0, **settings):
        super().__init__(start, **{"GAMES": "sulus_aidi race=1", **settings})
        self.tap(4)
        assert self.state == "race"
        self.run(600)

    @property
    def race(self):
        return self.table.race

    @property
    def hands(self):
        return [self.game.hand(0), self.game.hand(1)]

    @property
    def next(self):
        return [self.game.next_drop(0), self.game.next_drop(1)]

    def lift(self, south=2, north=11):
        """Both lift, and the race is on."""
        self.tap(south)
        self.tap(north)
        assert self.hands == [3, 3]
        return self.run(START)

    def press(self, *pads, ms=20):
        """Presses within one scan, released again."""
        for pad in pads:
            self.table.press(pad, 100, self.now)
        self.tick().run(ms)
        return self.up(*pads)

    def drop(self, player):
        return self.press(self.game.next_drop(player))

    @property
    def events(self):
        return [event for line in self.log for event in line.get("events", [])]

    def drops(self):
        return [hole for kind, hole, *_ in self.events if kind == "drop"]

    def glowing(self):
        return sorted(args[:2] for args in self.cues.get("next_drop", []))

    def flagged(self):
        flags = self.drawn("rest")[2]
        return [hole for hole in range(18) if flags[hole] & LEGAL]


@pytest.fixture(params=CLOCKS)
def race(request):
    return Racing(request.param)


# ---- lifting


def test_all_that_may_be_lifted_breathes(race):
    assert race.flagged() == list(range(18))
    race.tap(2)
    assert race.flagged() == list(range(9, 18))
    assert race.glowing() == [(3, 0)]
    assert race.log[-1]["events"] == [["lift", 2, 3]]


# what fingers do, in ms from when the race takes touches; and what is lifted then
LIFTS = [
    ("a tap", "2@0-100", [2]),
    ("a slow tap", "2@0-995", [2]),
    ("a hold", "2@0-1500", []),
    ("one each", "2@0-100 11@300-400", [2, 11]),
    ("both at once", "2@0-100 11@20-100", [2, 11]),
    ("both in one scan", "2@0-100 11@0-100", [2, 11]),
    ("one hand on two pads", "2@0-100 3@20-100", []),
    ("... one twice as strong", "2@0-100*40 3@20-100*90", [3]),
    ("a second hole after the first", "2@0-100 3@300-400", [2]),
    ("a palm", "1@0-300 2@60-300 3@120-300", []),
    ("a sleeve", "1@0-700 2@100-700 3@200-700 4@300-700", []),
    ("trembling", "2@0-100 2@200-300 2@400-500", [2]),
    ("North first", "11@0-100 2@300-400", [11, 2]),
]


def touched(board, text):
    """Do what a row says."""
    zero = board.t
    for when, pad, strength in fingers(text):
        board.run(zero + when - board.t)
        if strength is None:
            board.table.release(pad, board.now)
        else:
            board.table.press(pad, strength, board.now)
    return board.tick().run(150)


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("row", LIFTS, ids=[row[0] for row in LIFTS])
def test_lifts_are_taps(row, start):
    board = touched(Racing(start), row[1])
    assert [hole for kind, hole, *_ in board.events if kind == "lift"] == row[2]


@pytest.mark.parametrize(("at", "lifts"), [(10, False), (490, False), (505, True)])
def test_its_beginning_ignores_presses_for_half_a_second(at, lifts):
    board = Board(GAMES="sulus_aidi race=1").run(100).down(7)
    assert board.state == "race"
    board.run(at).down(2).run(100).up(2).run(100)
    assert (board.game.hand(0) == 3) == lifts


def test_an_empty_hole_is_answered_no(race):
    race.tap(2)
    race.down(2).run(100).up(2).run(50)
    assert "no" not in race.cues  # he has lifted
    race.game.seeds[9] = 0
    race.race._mark()
    race.down(9).run(100).up(9).run(50)
    assert race.drawn("no")[0] == 9
    assert race.drawn("swell")


@pytest.mark.parametrize("lifted", [None, 2, 11])
def test_after_silence_the_lowest_hole_lifts_itself(race, lifted):
    if lifted is not None:
        race.tap(lifted)
    race.run(SILENCE_MS - 1050)  # the 8 s count from the beginning, or from the other's lift
    assert race.hands.count(3) == (lifted is not None)
    race.run(200 if lifted is None else 750)
    assert race.hands == [3, 3]
    lifts = [hole for kind, hole, *_ in race.events if kind == "lift"]
    # the finger that invited was South's, so that his silence is the shorter one
    assert lifts == ([9, 0] if lifted is None else [2, 9] if lifted == 2 else [11, 0])


def test_only_ones_own_holes_break_the_silence(race):
    """Who has lifted and taps on cannot keep the other one from being helped."""
    race.tap(2)
    for _ in range(14):
        race.run(200).tap(5)
    assert race.hands == [3, 3]
    assert race.next == [3, 10]


def test_a_finger_on_ones_own_hole_does(race):
    race.tap(2).down(12).run(2 * SILENCE_MS)
    assert race.hands == [3, 0]
    race.up(12).run(SILENCE_MS + 50)
    assert race.hands == [3, 3]


# ---- the start


def test_three_pulses_start_it(race):
    race.tap(2).down(11).run(100).up(11)
    seen = []
    for _ in range(START // TICK - 1):
        race.run(TICK)
        seen.append(race.drawn("pulse")[1])
    assert sum(b < a for a, b in itertools.pairwise(seen)) == PULSES - 1
    assert max(seen) >= PULSE_MS - 30
    race.press(3)
    assert race.drops() == []
    race.run(300)
    assert "pulse" not in race.cues
    race.press(3)
    assert race.drops() == [3]


@pytest.mark.parametrize("pads", [(3,), (3, 12), (12,)])
def test_a_press_before_the_start_is_no_drop(race, pads):
    race.tap(2).tap(11).run(START - 400)
    race.down(*pads).run(800)
    assert race.drops() == []
    race.up(*pads).run(30)
    race.press(*pads)
    assert sorted(race.drops()) == list(pads)


# ---- drops: presses after both have lifted 2 and 11, [scan by scan], and the drops that come of them
DROPS = [
    ("a press drops", [[3]], [3]),
    ("one's next hole only", [[4], [2], [5], [3]], [3]),
    ("the other's too", [[12], [3]], [12, 3]),
    ("both in one scan", [[3, 12]], [3, 12]),
    ("... whatever their order on the ring", [[12, 3]], [3, 12]),
    ("and in turns", [[3, 12], [4, 13]], [3, 12, 4, 13]),
    ("palms count for one", [[2, 3, 4, 5]], [3, 4, 5]),
    ("other holes do nothing", [[0], [1], [17], [9], [10]], []),
]


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("row", DROPS, ids=[row[0] for row in DROPS])
def test_drops(row, start):
    board = Racing(start).lift()
    for pads in row[1]:
        board.press(*pads)
    assert board.drops() == row[2]


def test_a_drop_counts_on_press(race):
    race.lift()
    race.down(3)
    assert race.drops() == [3]
    assert race.drawn("press") == (3, SHINE)
    race.down(4)
    assert race.drops() == [3, 4]
    race.run(5000)
    assert race.drops() == [3, 4]


def test_no_trembling_rule(race):
    """The same pad again at once is another press, if it is that player's next hole again."""
    race.lift(8, 17)
    assert race.next == [9, 0]
    for pads in ((9,), (10,), (11,)):
        race.press(*pads, ms=10)
    assert race.events[-1] == ["lift", 11, 4]
    touch = race.table.touch
    race.table.press(5, 100, race.now)
    race.tick().run(20).up(5).run(20)
    assert touch.press(5, 100, race.now)


def test_no_palm_rule(race):
    race.lift()
    race.down(0, 1, 7, 8, 3)
    assert race.drops() == [3]
    race.down(12).down(4)
    assert race.drops() == [3, 12, 4]


def shared(start=0):
    """Both wait at hole 13, North the longer: South has sown 8, lifted 11 and dropped in 12, where North lifted."""
    board = Racing(start).lift(8, 12)
    for pad in (9, 10, 11, 12):
        board.press(pad)
    assert (board.next, board.hands) == ([13, 13], [3, 3])
    return board


@pytest.mark.parametrize("start", CLOCKS)
def test_a_shared_hole_serves_the_longest_waiting_first(start):
    board = shared(start)
    assert board.run(30).glowing() == [(13, 1)]
    board.press(13)
    assert board.next == [13, 14]
    assert board.run(30).glowing() == [(13, 0), (14, 1)]
    board.press(13)
    assert board.next == [14, 14]
    assert board.run(30).glowing() == [(14, 1)]
    board.press(14)
    assert board.next == [14, 15]
    assert board.hands == [2, 1]


def test_from_hole_to_hole_it_serves_them_alternately():
    board = shared()
    served = []
    for _ in range(4):
        before = board.hands
        board.press(min(board.next))
        served.append(next(i for i in (0, 1) if board.hands[i] != before[i]))
    assert served == [1, 0, 1, 0]


def test_two_in_one_scan_at_a_shared_hole():
    """One press each at 13 and 14: North's, then South's turn is at 13, which has been served; so 14 is North's."""
    board = shared()
    board.press(13, 14)
    assert board.next == [13, 15]


# ---- who does not drop


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("player", [0, 1])
def test_after_8_s_the_board_drops_for_him(player, start):
    board = Racing(start).lift()
    hole = (3, 12)[player]
    other = 1 - player
    for _ in range(5):  # the other one goes on, slowly
        board.run(1500)
        assert board.next[player] == hole
        if board.next[other] >= 0:
            board.drop(other)
    board.run(SILENCE_MS - board.race._idle[player] - 20)
    assert board.next[player] == hole
    board.run(40)
    assert board.next[player] == hole + 1
    board.run(AUTO_MS - 60)
    assert board.next[player] == hole + 1
    board.run(60)
    assert board.next[player] == hole + 2
    board.drop(player)
    at = board.next[player]
    board.run(SILENCE_MS - 100)
    assert board.next[player] == at
    board.run(200)
    assert board.next[player] != at


@pytest.mark.parametrize("start", CLOCKS)
def test_nobody_there_at_all(start):
    """The board lifts and drops for both, and play begins."""
    board = Racing(start).until("play", 400_000)
    assert not board.game.race
    assert board.flagged() == board.legal()


def test_a_dead_next_hole_drops_by_itself(race):
    race.lift().kill(4)
    race.press(3)
    assert race.drops() == [3]
    race.run(race.settings.drop_ms + 20)
    assert race.drops() == [3, 4]
    race.run(2000)
    assert race.drops() == [3, 4]
    race.press(5)
    assert race.drops() == [3, 4, 5]


def test_its_partner_does_not_drop_for_it(race):
    race.lift().kill(3)
    race.press(12)
    assert race.hands[1] == 2
    race.run(race.settings.drop_ms + 20)
    assert race.next == [4, 13]


def test_all_pads_dead(race):
    race.kill(*range(18))
    race.run(STRANDED_MS - 1050)
    assert race.hands == [0, 0]
    race.run(200)
    assert race.hands == [3, 3]
    race.until("play", 400_000)


def test_a_dead_hole_is_lifted_by_its_partner_once_that_one_is_not_legal(race):
    race.kill(2)
    assert race.tap(11).next == [-1, 12]
    assert race.tap(11).next == [3, 12]


def test_a_player_whose_pads_are_all_dead_waits_5_s(race):
    race.tap(2).kill(*range(9, 18))
    race.tap(0 + 3)  # pad 3 stands for 12 by now
    assert race.next == [3, 13]
    race = Racing().kill(*range(9, 18))
    race.run(STRANDED_MS - 1100)
    assert race.hands == [0, 0]
    race.run(100)
    assert race.hands == [0, 3]


# ---- how it ends


def finish(board, rng):
    """Drop for either player at random until play begins."""
    while board.game.race:
        player = rng.randrange(2)
        if board.game.next_drop(player) >= 0:
            board.drop(player)
    assert board.state == "play"


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("seed", range(6))
def test_when_both_are_done_play_begins(start, seed):
    board = Racing(start).lift()
    finish(board, random.Random(seed))
    assert [board.game.turns(0), board.game.turns(1)] == [1, 1]
    assert board.play.history.count == 0
    assert not board.table.touch.every
    hole = board.legal()[0]
    board.tap(hole)
    assert not board.play.moving  # half a second of mashing has no effect
    board.run(400).tap(hole)
    assert board.play.moving


@pytest.mark.parametrize("seed", range(4))
def test_the_log_can_be_played_again(seed):
    """Each line of the race is the engine's own answer to that drop."""
    board = Racing().lift()
    finish(board, random.Random(seed))
    log = board.log
    states = [line for line in log if "state" in line]
    assert states[0] == {"state": "race", "game": "sulus_aidi", "round": 1}
    assert states[1]["state"] == "play"
    lines = Lines()
    positions = [line for line in log if "seeds" in line]
    assert positions[0] == lines("new sulus_aidi race=1")
    for line in positions[1:-1]:
        kind, hole = line["events"][0][:2]
        player = lines("state")["next_drop"].index(hole) if kind == "drop" else int(hole > 8)
        if kind == "drop" and lines("state")["next_drop"].count(hole) == 2:
            player = next(i for i in (0, 1) if lines("state")["hands"][i] != line["hands"][i])
        assert lines(f"drop {player} {hole}") == line
    assert positions[-1] == lines("state")  # once more when play begins


def test_who_is_done_does_nothing_more(race):
    race.lift()
    rng = random.Random(3)
    while race.next[0] >= 0 and race.next[1] >= 0:
        race.drop(rng.randrange(2))
    done = race.next.index(-1)
    assert [player for _, player in race.glowing()] == [1 - done]
    drops = len(race.drops())
    for hole in range(18):
        if hole != race.next[1 - done]:
            race.press(hole)
    assert len(race.drops()) == drops


def test_every_round_of_a_match_opens_with_one(race):
    race.lift()
    finish(race, random.Random(1))
    race.run(600)
    race.put(
        seeds=[0] * 15 + [3, 0, 51],
        claims=[0] * 15 + [-1, -1, 1],
        taken=[0, 0],
        mover=1,
        quiet=99,
        territory=[0] * 9 + [1] * 9,
    )
    race.tap(15).until("result")
    race.run(1600).tap(7)
    assert race.state in ("deal", "race")
    race.until("race")
    assert race.game.race
    assert race.hands == [0, 0]
    race.run(600).tap(race.flagged()[0])
    assert sorted(race.hands) == [0, 3]


def test_territories_are_told_apart_in_a_race():
    board = over_in_a_race(36)
    flags = board.drawn("rest")[2]
    assert [hole for hole in range(18) if flags[hole] & cues.SOUTHS] == [15, 16, 17]
    board.tap(16)
    assert board.next == [17, -1]


def over_in_a_race(south):
    """The second round's race, after a round that gave South so many seeds."""
    board = Racing().lift()
    finish(board, random.Random(1))
    board.run(600)
    end_round(board, south)
    board.run(1600).down(7).run(60).up(7)
    return board.until("race").run(600)


def end_round(board, south):
    claims = [0] * 9 + [1] * 8 + [-1]
    seeds = [south] + [0] * 8 + [53 - south] + [0] * 7 + [1]
    board.put(seeds=seeds, claims=claims, taken=[0, 0], mover=1, quiet=0, territory=[0] * 9 + [1] * 9)
    board.tap(17).until("result")


# ---- besides


@pytest.mark.parametrize("phase", ["lifting", "pulses", "dropping"])
def test_both_left_hand_holes_give_it_up(race, phase):
    if phase != "lifting":
        race.tap(2).tap(11)
    if phase == "dropping":
        race.run(START)
    race.down(0, 9).run(1000)
    assert {args[0] for args in race.cues["filling"]} == {0, 9}
    race.run(2100)
    assert {"abandoned": "hands"} in race.log
    assert race.state == "race"  # the only game there is, from its beginning
    assert race.hands == [0, 0]
    assert race.run(2000).log.count({"abandoned": "hands"}) == 1
    assert not race.table.touch.every


def test_nothing_is_taken_back(race):
    race.lift()
    race.press(3)
    race.down(2).run(4000)
    assert "motion" not in race.cues
    assert race.drops() == [3]


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("lift", [False, True])
def test_an_exhibit_calls_and_gives_it_up(start, lift):
    board = Racing(start, MODE="exhibit", IDLE_S="20")
    if lift:
        board.lift()
    t = board.table.silence
    board.run(20_000 - t + 200)
    assert board.state == "race"
    assert board.drawn("call")
    board.run(3000)
    assert board.drawn("countdown")
    board.run(19_500)
    assert board.state in ("attract", "play")
    if board.state == "attract":
        assert {"abandoned": "idle"} in board.log


def test_any_press_stops_the_countdown_and_acts_as_usual():
    board = Racing(MODE="exhibit", IDLE_S="15").lift()
    board.run(18_000)
    assert board.drawn("countdown")
    at = board.next[0]
    board.press(at)
    assert board.next[0] != at
    assert "countdown" not in board.cues


def test_the_board_sleeps_and_goes_on():
    board = Racing(SLEEP_MIN="1").lift()
    board.table.silence = 60_000
    board.run(10)
    assert board.state == "asleep"
    board.run(60_000)
    assert board.drops() == []
    board.down(5).run(500).up(5)
    assert board.state == "race"
    board.press(3)
    assert board.drops() == [3]


def test_a_console_that_comes_later_hears_where_things_stand(race):
    race.lift()
    race.press(3)
    race.printed.clear()
    race.table.report()
    state, position = race.log
    assert state == {"state": "race", "game": "sulus_aidi", "round": 1}
    assert (position["next_drop"], position["hands"]) == ([4, 12], [2, 3])


def test_a_game_that_does_not_race_needs_none_of_it():
    board = Board(GAMES="sulus_aidi; gabata_aksum")
    assert board.table.race is None
    board.tap(4).run(600).tap(0)
    assert board.state == "play"


def test_one_of_several_games_races():
    board = Board(GAMES="gabata_aksum; sulus_aidi race=1; sulus_aidi").tap(4).run(600)
    board.tap(1)
    assert board.state == "race"
    board = Board(GAMES="gabata_aksum; sulus_aidi race=1; sulus_aidi").tap(4).run(600)
    assert board.tap(2).state == "play"


# ---- light


@pytest.mark.parametrize("seed", range(4))
def test_flashes_while_both_mash(seed):
    """Two hands that press their next holes and others, as quickly as hands can; recorded across the clock's wrap."""
    rng = random.Random(seed)
    board = Racing(MASK - 6000).lift()
    shown = []
    down = {}
    while board.state == "race" and board.t < 60_000:
        for player in (0, 1):
            hole = board.next[player]
            if rng.random() < 0.08 and hole >= 0 and hole not in down:
                down[hole] = board.t + rng.randrange(20, 150)
                board.table.press(hole, 100, board.now)
        if rng.random() < 0.05:
            pad = rng.randrange(18)
            if pad not in down:
                down[pad] = board.t + rng.randrange(20, 400)
                board.table.press(pad, 100, board.now)
        for pad in [pad for pad, until in down.items() if until <= board.t]:
            board.table.release(pad, board.now)
            del down[pad]
        board.run(10)
        shown.append((board.t, bytes(board.lights.frame)))
    assert board.state == "play"
    for _ in range(150):
        board.run(10)
        shown.append((board.t, bytes(board.lights.frame)))
    hole, average = worst(shown, 18)
    assert max(hole, average) <= 3, (hole, average)


def test_the_pulses_flash_little():
    board = Racing().tap(2).down(11).run(100).up(11)
    shown = []
    for _ in range(400):
        board.run(10)
        shown.append((board.t, bytes(board.lights.frame)))
    assert max(worst(shown, 18)) <= 3
    assert any(max(abs(a - b) for a, b in zip(shown[0][1], f, strict=True)) > 20 for _, f in shown)


def test_the_next_hole_is_seen_in_its_players_colour(race):
    race.lift(8, 17).run(1500)

    def near(hole, player):
        light = race.lights.frame[3 * hole : 3 * hole + 3]
        colour = cues.OWNERS[3 * player : 3 * player + 3]
        return sum(abs(a - b) for a, b in zip(light, colour, strict=True))

    assert near(9, 0) < near(9, 1)
    assert near(0, 1) < near(0, 0)
    race.press(9).run(700)
    assert near(10, 0) < near(10, 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_glow_keeps_up_with_quick_hands(seed):
    """At some eight drops a second of each, a next hole is lit as it is wanted in nine of ten frames."""
    rng = random.Random(seed)
    board = Racing(CLOCKS[seed % 2]).lift()
    looks = late = 0
    until = {}
    due = [board.t + 100, board.t + 190]
    while board.state == "race" and board.t < 60_000:
        for player, hole in enumerate(board.next):
            if board.t >= due[player] and hole >= 0 and hole not in until:
                board.table.press(hole, 100, board.now)
                until[hole] = board.t + 60
                due[player] = board.t + rng.randrange(80, 160)
        for pad in [pad for pad, end in until.items() if end <= board.t]:
            board.table.release(pad, board.now)
            del until[pad]
        board.run(10)
        for hole in board.next:
            if hole >= 0 and hole not in until:
                frame = board.lights.frame[3 * hole : 3 * hole + 3]
                want = board.lights._want[3 * hole : 3 * hole + 3]
                looks += 1
                late += sum(abs(a - b) for a, b in zip(frame, want, strict=True)) * 5 > sum(want)
    assert looks > 150
    assert late * 10 < looks, (late, looks)


def test_json_lines(race):
    race.lift()
    race.press(3)
    lines = "".join(race.printed).splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_the_longest_race_there_can_be_fits_the_journal():
    # A player is done with the lap that is on when he has dropped so many, and no lap has more seeds than there are.
    assert 8 * ORDER >= 2 * (ENOUGH - 1 + 18 * 3)
