"""*Staff*: who gets in, what each item does, and that nothing of the game is lost by it."""

import re

import pytest
from test_table import CLOCKS, LAST_MOVE, Board, ended

from hardware.journal import Journal
from hardware.selftest import IDLE_MS
from simulator import wiring
from simulator.machine import Machine
from table import cues
from table.grasp import SEEN_MS, STAFF_MS
from table.memory import Memory
from table.staff import (
    BRIGHTNESS,
    COUNTERS,
    GAMES,
    LEAVE,
    LEVELS,
    SILENCE_MS,
    TEST,
    WIPE,
    WIPE_MS,
    ZERO,
    ZERO_MS,
)
from table.states import DIM_STRIP, LEFT_STAFF, RUN_SELFTEST, TELL_COUNTERS

CORNERS = {"3x6": (0, 5, 9, 14), "2x12": (0, 11, 12, 23)}
BOARDS = sorted(CORNERS)


class Staffed(Board):
    """A board with something to remember, whose staff comes."""

    def __init__(self, start=0, board="3x6", **settings):
        super().__init__(start, BOARD=board, **settings)
        journal = Journal(bytearray(b"\xff" * 4096))
        self.table.memory = self.memory = Memory(journal)
        journal.read(lambda record, whole: None)
        self.corners = CORNERS[board]

    def hold(self, ms=STAFF_MS + 10, pads=None):
        pads = self.corners if pads is None else pads
        self.down(*pads).run(ms).up(*pads)
        return self.run(10)

    def open(self):
        self.hold()
        assert self.state == "staff"
        return self.run(600)

    def light(self, hole):
        return tuple(self.lights._want[3 * hole : 3 * hole + 3])

    def lit(self):
        """The holes that shine."""
        return [hole for hole in range(self.table.n) if any(self.light(hole))]


def in_attract(board):
    return board.run(100)


def in_choose(board):
    return board.run(100).tap(3).until("choose").run(600)


def in_play(board):
    return board.begin()


def in_a_move(board):
    board.begin().down(2).run(100).up(2).run(100)
    assert board.play.moving
    return board


def in_result(board):
    return ended(board.begin()).run(1600)


def in_deal(board):
    board.begin().put(**{**LAST_MOVE, "taken": [34, 19]})
    return board.tap(17).until("result").run(1600).tap(3).until("deal").run(200)


# ---- who gets in


@pytest.mark.parametrize("start", CLOCKS)
@pytest.mark.parametrize("there", [in_attract, in_choose, in_play, in_a_move, in_result])
def test_the_corners_open_it_in_every_state(there, start):
    games = "gabata_aksum" if there is in_result else "gabata_aksum; lame_uweedet"
    board = there(Staffed(start, GAMES=games))
    board.down(*board.corners).run(STAFF_MS - 20)
    assert board.state != "staff"
    board.run(40)
    assert board.state == "staff"


@pytest.mark.parametrize("board", BOARDS)
def test_on_both_boards(board):
    assert Staffed(board=board).run(100).hold().state == "staff"


def test_not_in_a_race():
    board = Staffed(GAMES="sulus_aidi race=1").tap(3).until("race").run(600)
    assert board.hold().state == "race"
    assert board.log[-1].get("state") != "staff"


def test_not_asleep_but_awake_again():
    board = Staffed(SLEEP_MIN="1", GAMES="gabata_aksum").begin().run(60_100)
    assert board.state == "asleep"
    board.down(*board.corners).run(1000)
    assert board.state == "play"
    board.run(STAFF_MS)
    assert board.state == "staff"


@pytest.mark.parametrize(
    "pads", [(0, 5, 9), (0, 5, 9, 14, 2), (0, 5, 9, 13), (0, 5, 14, 17), tuple(range(18))]
)
def test_other_pads_do_not(pads):
    board = Staffed(GAMES="gabata_aksum").begin()
    assert board.hold(30_000, pads).state == "play"
    assert board.game.turns(0) == 0


@pytest.mark.parametrize("gap", [0, 20, 200, 400])
def test_however_they_come_down(gap):
    board = Staffed(GAMES="gabata_aksum").begin()
    for pad in (14, 0, 9, 5):
        board.down(pad).run(gap)
    assert board.run(STAFF_MS - gap + 20).state == "staff"


@pytest.mark.parametrize(("gap", "state"), [(200, "staff"), (300, "play")])
def test_a_moments_trembling_does_not_end_it(gap, state):
    board = Staffed(GAMES="gabata_aksum").begin()
    board.down(*board.corners).run(3000).up(5).run(gap).down(5).run(STAFF_MS - 3000 + 30)
    assert board.state == state


@pytest.mark.parametrize("there", [in_choose, in_play])
@pytest.mark.parametrize("ms", [300, 3000, 4800])
def test_held_for_less_they_are_no_taps(there, ms):
    """On 2x12 two of them are the first entry of *choose*, and may be moved in play."""
    games = "lamlameta; lamlameta russ=1" if there is in_choose else "lamlameta"
    board = there(Staffed(board="2x12", GAMES=games))
    state = board.state
    for pad in board.corners:
        board.down(pad).run(100)
    board.run(ms)
    for pad in board.corners:
        board.up(pad).run(30)
    board.run(1000)
    assert board.state == state
    assert board.game.turns(0) == 0


def test_they_are_seen_filling_after_a_second():
    board = Staffed(GAMES="gabata_aksum").begin().down(0, 5, 9, 14)
    board.run(SEEN_MS - 30)
    assert not board.drawn("filling")
    board.run(60)
    assert [args[0] for args in board.cues["filling"]] == [0, 5, 9, 14]
    early = board.drawn("filling")[1]
    board.run(2000)
    assert board.drawn("filling")[1] >= early + 1900
    assert board.drawn("filling")[2] == STAFF_MS
    assert "filling" not in board.up(0).run(300).cues


def test_what_is_still_down_does_nothing_nor_what_comes_down_at_once():
    board = Staffed(GAMES="gabata_aksum; lame_uweedet").hold(STAFF_MS + 5000)
    assert (board.state, board.lit()) == ("staff", [0, 1, 2, 3, 4, 5, 8])
    board = Staffed().run(100)
    board.down(0, 5, 9, 14).run(STAFF_MS + 100).up(9, 14, 0).run(2000)
    board.tap(WIPE)  # with one corner still down
    board.up(5).run(300)
    board.tap(LEAVE)
    assert (board.state, board.lit()) == ("staff", [0, 1, 2, 3, 4, 5, 8])
    board.run(300).tap(LEAVE)
    assert board.state == "choose"


# ---- and out again


@pytest.mark.parametrize("way", ["silence", "leave"])
@pytest.mark.parametrize("there", [in_choose, in_play, in_a_move, in_result, in_deal])
def test_all_is_as_it_was(there, way):
    games = "gabata_aksum" if there in (in_result, in_deal) else "gabata_aksum; lame_uweedet"
    board = there(Staffed(MODE="exhibit", GAMES=games + " rounds=3"))
    table = board.table
    # By the console: no touch before it, which would change what there is.
    state, age = table.state, table.age
    moving, t = state.moving, getattr(state, "_t", 0)
    seeds = bytes(board.game.seeds)
    assert table.corners.open_staff()
    board.run(600)
    if way == "leave":
        board.down(LEAVE).run(100).up(LEAVE)
    else:
        board.run(SILENCE_MS - 650)
        assert board.state == "staff"
        board.run(55)
    assert table.state is state
    assert table.age - age <= 30
    assert (state.moving, bytes(board.game.seeds)) == (moving, seeds)
    assert getattr(state, "_t", 0) - t <= 30
    assert table.staff is None
    assert table.wishes & LEFT_STAFF
    board.run(1000)
    assert table.silence <= 1100  # it is not yet time to call, or to leave the result


def test_a_pad_that_fails_meanwhile_is_seen_afterwards():
    board = Staffed(GAMES="gabata_aksum").begin().open().kill(3)
    board.tap(LEAVE)
    assert board.play.flags[3] & cues.DEAD


def test_the_console_opens_it_but_not_twice_nor_in_a_race():
    board = Staffed(SLEEP_MIN="1").run(61_000)
    assert board.state == "asleep"
    assert board.table.corners.open_staff()
    assert not board.table.corners.open_staff()
    board.run(600).tap(LEAVE)
    assert board.state == "attract"
    board = Staffed(GAMES="sulus_aidi race=1").tap(3).until("race")
    assert not board.table.corners.open_staff()
    assert board.state == "race"


# ---- the items


@pytest.mark.parametrize("board", BOARDS)
def test_the_items_have_the_same_holes_on_both_boards_and_lights_of_their_own(board):
    games = "lamlameta; lamlameta russ=1" if board == "2x12" else ""
    board = Staffed(board=board, GAMES=games).open()
    assert board.lit() == [BRIGHTNESS, WIPE, GAMES, TEST, COUNTERS, ZERO, LEAVE]
    assert len({board.light(hole) for hole in board.lit()}) == 7


@pytest.mark.parametrize("hole", [6, 7, 9, 17, ZERO])
def test_a_wrong_tap_is_told_so(hole):
    board = Staffed().open()
    before = board.memory.counters[:]
    board.down(hole).run(100).up(hole).run(40)
    assert board.drawn("no")[0] == hole
    assert "swell" in board.cues
    board.run(2000)
    assert board.state == "staff"
    assert "no" not in board.cues
    assert board.memory.counters == before


def test_a_dead_pads_partner_does_for_it():
    board = Staffed().open().kill(GAMES)
    board.tap(GAMES + 9)
    assert "entry" in board.cues
    board.kill(LEAVE).run(600).tap(LEAVE + 9).run(600).tap(LEAVE + 9)
    assert board.state == "choose"


def test_what_there_is_nothing_for_is_dark():
    board = Staffed(GAMES="gabata_aksum")
    board.table.memory = None
    board.open()
    assert board.lit() == [BRIGHTNESS, WIPE, TEST, LEAVE]


@pytest.mark.parametrize("hole", range(8))
def test_brightness_is_set_by_a_tap_and_kept(hole):
    board = Staffed().open().tap(BRIGHTNESS).run(600)
    assert board.lit() == list(range(9))
    assert [sum(board.light(i)) > 200 for i in range(8)] == [level <= cues.BRIGHTNESS for level in LEVELS]
    board.tap(hole)
    assert [sum(board.light(i)) > 200 for i in range(8)] == [i <= hole for i in range(8)]
    assert board.table.brightness == board.memory.brightness == LEVELS[hole] >= 36
    assert board.table.wishes & DIM_STRIP
    assert board.memory.games == 0
    board.tap(LEAVE)
    assert (board.state, board.lit()) == ("staff", [0, 1, 2, 3, 4, 5, 8])


def test_at_the_lowest_brightness_no_count_goes_dark_or_becomes_another():
    seen = set()
    for i in range(7):
        seen.add(tuple(c * LEVELS[0] // 255 for c in cues.COLOURS[3 * i : 3 * i + 3]))
    assert len(seen) == 7
    assert (0, 0, 0) not in seen


def test_games_are_taken_away_and_given_back():
    board = Staffed(GAMES="gabata_aksum; lame_uweedet; sulus_aidi").open().tap(GAMES).run(600)
    assert [args[1] for args in board.cues["entry"]] == [0, 1, 2]
    board.tap(0)
    assert (board.table.offered, board.memory.games) == (6, 6)
    assert board.memory.brightness == 0
    dim = board.drawn("entry")
    board.tap(2)
    assert board.table.offered == 2
    board.down(1).run(100).up(1).run(40)  # one stays
    assert board.drawn("no")
    assert board.table.offered == 2
    board.run(600).tap(0).tap(2)
    assert (board.table.offered, board.memory.games) == (0, 0)
    assert board.drawn("entry") != dim


def test_what_is_not_offered_cannot_be_chosen():
    board = Staffed(GAMES="gabata_aksum; lame_uweedet; sulus_aidi")
    board.table.offered = 5
    in_choose(board)
    assert {args[0]: args[1] for args in board.cues["entry"]} == {0: 0, 2: 2, 9: 0, 11: 2}
    assert board.log[-1] == {"state": "choose", "question": "game", "away": [1]}
    board.tap(1)
    assert board.state == "choose"
    board.tap(2)
    assert board.game.NAME == "sulus_aidi"


@pytest.mark.parametrize(("offered", "name"), [(6, "lame_uweedet"), (4, "sulus_aidi")])
def test_silence_takes_the_first_that_is_offered_and_one_is_no_question(offered, name):
    board = Staffed(GAMES="gabata_aksum; lame_uweedet; sulus_aidi")
    board.table.offered = offered
    board.run(100).tap(3)
    assert board.state == ("play" if name == "sulus_aidi" else "choose")
    board.run(9000)
    assert name == board.game.NAME


def test_wipe_down_hears_nothing_for_30_seconds():
    board = Staffed().open().tap(WIPE)
    ring = [sum(map(sum, map(board.light, range(18))))]
    for pads in ((0,), (8,), (3, 4), tuple(range(18)), (1,)):
        board.down(*pads).run(500).up(*pads).run(4000)
        assert board.state == "staff"
        assert "press" not in board.cues
        ring.append(sum(map(sum, map(board.light, range(18)))))
    assert ring == sorted(ring, reverse=True)
    assert len(set(ring)) == 6
    assert board.log[-1] == {"staff": "wipe-down"}
    board.run(WIPE_MS - 22_500)
    assert board.lit() == [0, 1, 2, 3, 4, 5, 8]
    assert board.log[-1] == {"staff": "items"}
    board.run(SILENCE_MS - 1000)  # the wipe-down was no silence
    assert board.state == "staff"


@pytest.mark.parametrize("pads", [(ZERO,), (LEAVE,), (0, 1, 2, 3, 4, 5), tuple(range(18))])
def test_what_lies_on_the_board_after_it_does_nothing(pads):
    board = Staffed().open()
    board.memory.counters[0] = 7
    board.tap(WIPE).run(WIPE_MS - 2000).down(*pads).run(12_000)
    assert board.lit() == [0, 1, 2, 3, 4, 5, 8]
    assert board.memory.counters[0] == 7
    board.up(*pads).run(200)
    assert (board.state, board.memory.counters[0]) == ("staff", 7)


def test_the_self_test_and_the_counters_are_asked_for():
    board = Staffed().open().tap(TEST)
    assert board.table.wishes == RUN_SELFTEST
    board.table.wishes = 0
    board.run(600).down(COUNTERS).run(100).up(COUNTERS)
    assert board.table.wishes == TELL_COUNTERS
    board.run(40)  # nobody takes it: nobody is at the console
    assert board.table.wishes == 0
    assert board.drawn("no")[0] == COUNTERS
    board.run(1000).down(COUNTERS).run(100).up(COUNTERS)
    board.table.wishes = 0  # somebody is
    assert "no" not in board.run(40).cues


def test_after_the_self_test_nothing_is_down_and_no_time_has_passed():
    board = Staffed(MODE="exhibit", GAMES="gabata_aksum").begin().open().down(3).run(100)
    age = board.table.age
    board.t += 200_000
    board.table.staff.catch_up(board.now, lambda pad: pad == 6)
    board.run(50)
    assert board.state == "staff"
    assert board.table.touch.count == 0
    assert board.table.dead[6]
    assert board.table.age - age <= 50
    board.up(3).run(600).tap(LEAVE)
    assert board.state == "play"


def test_counters_go_to_zero_only_by_a_hold_that_is_seen():
    board = Staffed().open()
    board.memory.counters[0] = 7
    board.tap(ZERO)
    board.down(ZERO).run(1000 + ZERO_MS - 50)
    assert board.drawn("filling")[0] == ZERO
    assert board.drawn("filling")[1] > ZERO_MS - 100
    board.up(ZERO).run(1000)
    assert board.memory.counters[0] == 7
    board.down(ZERO, 3).run(1000 + ZERO_MS + 500).up(ZERO, 3).run(500)
    assert board.memory.counters[0] == 7
    board.down(ZERO).run(1000 + ZERO_MS + 50)
    assert set(board.memory.counters) == {0}
    assert board.lit() == [0, 1, 2, 3, 4, 8]  # nothing is left to set to zero
    board.up(ZERO).run(600)
    assert board.state == "staff"


def test_no_light_blinks():
    """Each page, looked at for two cycles of the slow clock: nothing flickers, and all that is lit stays lit."""
    for page in (None, BRIGHTNESS, GAMES):
        board = Staffed().open()
        if page is not None:
            board.tap(page)
        board.run(1000)
        lit = board.lit()
        for _ in range(160):
            board.run(25)
            assert board.lit() == lit


# ---- the whole board


def machine(**settings):
    m = Machine(
        settings={
            "GEBETA_LOG": 1,
            "GEBETA_PLAYERS": "two",
            **{f"GEBETA_{k}": v for k, v in settings.items()},
        },
        virtual=True,
    )
    m.run(1500)
    return m


def corners(m, board="3x6", ms=5300):
    for pad in CORNERS[board]:
        m.touch(pad)
    m.run(ms)
    for pad in CORNERS[board]:
        m.touch(pad, False)
    m.run(700)


def holes(m, board="3x6"):
    """The colour of each hole."""
    found = [None] * wiring.holes(board)
    for pixel, hole in enumerate(wiring.leds(board)):
        found[hole] = m.rgb()[pixel]
    return found


def states(m):
    return re.findall(r'\{"state":"(\w+)"', m.console)


@pytest.mark.parametrize("board", BOARDS)
def test_four_fingers_and_a_dimmer_board_even_after_a_power_cut(board):
    with machine(BOARD=board, GAMES="gabata_aksum" if board == "3x6" else "lamlameta") as m:
        m.tap(4)
        m.run(3000)
        m.tap(2)
        m.run(8000)
        corners(m, board)
        assert states(m)[-1] == "staff"
        before = holes(m, board)
        m.tap(BRIGHTNESS)
        m.run(700)
        m.tap(0)
        m.run(300)
        m.tap(LEAVE)
        m.run(700)
        for hole in (0, 1, 3, 5, 8):
            for now, then in zip(holes(m, board)[hole], before[hole], strict=True):
                assert abs(now - then * LEVELS[0] / cues.BRIGHTNESS) <= 1
        m.tap(LEAVE)
        assert states(m)[-1] == "play"
        m.power(False)
        m.power(True)
        m.run(3000)
        assert states(m)[-1] == "play"
        assert max(max(colour) for colour in m.rgb()) <= 36
        m.power(False)
        m.settings["GEBETA_DROP_MS"] = 170  # another setting: what the staff has chosen is past
        m.power(True)
        m.run(3000)
        assert max(max(colour) for colour in m.rgb()) > 72


def test_games_are_offered_as_the_staff_has_chosen_after_a_power_cut():
    with machine(GAMES="gabata_aksum; lame_uweedet") as m:
        corners(m)
        m.tap(GAMES)
        m.run(700)
        m.tap(0)
        m.power(False)
        m.power(True)
        m.run(3000)
        m.tap(4)
        m.run(700)
        assert states(m)[-1] == "play"
        assert '"game":"lame_uweedet"' in m.console


def test_a_wet_cloth_wipes_the_board_and_nothing_happens():
    with machine(GAMES="gabata_aksum") as m:
        m.tap(4)
        m.run(1000)
        m.type("staff\n")
        m.run(700)
        m.tap(WIPE)
        for first in range(0, 18, 3):
            for pad in range(first, min(first + 6, 18)):
                m.touch(pad, strength=0.8)
            m.run(3000)
            for pad in range(first, min(first + 6, 18)):
                m.touch(pad, False)
            m.run(300)
        m.run(12_000)
        assert states(m)[-1] == "staff"
        assert [hole for hole, colour in enumerate(holes(m)) if any(colour)] == [0, 1, 3, 4, 5, 8]
        m.tap(LEAVE)
        assert states(m)[-1] == "play"
        assert '"events"' not in m.console


def test_a_cloth_that_stays_on_the_whole_board_opens_nothing():
    with machine(GAMES="gabata_aksum") as m:
        for pad in range(18):
            m.touch(pad)
        m.run(60_000)
        for pad in range(18):
            m.touch(pad, False)
        m.run(3000)
        assert "staff" not in states(m)
        assert '"events"' not in m.console


@pytest.mark.parametrize("log", [0, 1])
def test_the_console_knows_two_commands(log):
    with machine(LOG=log, GAMES="gabata_aksum") as m:
        m.type("help\ncounters\n")
        m.run(1000)
        assert "help: allowed are counters, staff\n" in m.console
        lines = m.console[m.console.index("counter,value") :].split("\n")
        assert lines[1] == "power_ups,1"
        assert "seconds_played,0" in lines
        end = lines.index("")
        assert end >= 8
        m.type(" STAFF \n\n")
        m.run(1000)
        assert [hole for hole, colour in enumerate(holes(m)) if any(colour)] == [0, 1, 3, 4, 5, 8]
        m.type("staff\n")
        m.run(500)
        assert "staff: open already" in m.console
        before = m.console.count("counter,value")
        m.tap(COUNTERS)
        m.run(500)
        assert m.console.count("counter,value") == before + 1


def test_a_report_longer_than_the_consoles_room_is_told_in_full_to_a_slow_host():
    with machine(LOG=0) as m:
        m.serial_reads = False
        for _ in range(3):
            m.type("counters\n")
            m.run(500)
        frames = m.frame_count
        m.run(1000)
        assert m.frame_count > frames + 20  # the board does not wait for it
        for _ in range(40):
            m.serial_reads = True
            m.run(2)
            m.serial_reads = False
            m.run(30)
        m.serial_reads = True
        m.run(500)
        assert m.console.count("counter,value") == 3
        assert m.console.count("seconds_played,0\n\n") == 3
        assert "lost" not in m.console


def test_the_self_test_and_back():
    with machine(GAMES="gabata_aksum") as m:
        m.tap(4)
        m.run(1000)
        corners(m)
        m.tap(TEST, after=300)
        assert "self-test: 18 LEDs" in m.console
        assert len(set(m.rgb())) == 1  # all of one colour
        m.type("p\n")
        m.run(500)
        m.touch(3)
        m.run(500)
        m.type("q\n")
        m.run(700)
        m.touch(3, False)
        m.run(1000)
        assert states(m)[-1] == "staff"
        assert [hole for hole, colour in enumerate(holes(m)) if any(colour)] == [0, 1, 3, 4, 5, 8]
        m.tap(LEAVE)
        assert states(m)[-1] == "play"
        m.tap(2)
        m.run(9000)
        assert '"events":[["lift",2' in m.console


def test_a_self_test_that_is_left_alone_ends_and_the_game_goes_on():
    with machine(GAMES="gabata_aksum") as m:
        m.tap(4)
        m.run(1000)
        corners(m)
        m.tap(TEST)
        m.run(100_000)
        m.tap(3)
        m.run(100_000)
        assert states(m)[-1] == "staff"  # still in the test: nothing was said since
        assert holes(m)[3] != holes(m)[5]
        m.run(IDLE_MS - 100_000 + 500)
        assert [hole for hole, colour in enumerate(holes(m)) if any(colour)] == [0, 1, 3, 4, 5, 8]
        m.run(SILENCE_MS)
        assert states(m)[-1] == "play"


def test_the_board_lets_go_of_it_afterwards():
    with machine() as m:
        for _ in range(2):
            m.type("staff\n")
            m.run(700)
            assert "table.staff" in m._modules
            m.tap(LEAVE)
            m.run(100)
            assert "table.staff" not in m._modules
            assert "table.report" not in m._modules
