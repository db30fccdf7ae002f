"""What the board remembers: the journal in flash, the game after a power cut, the counters."""

import random

import pytest
from memory_common import SECTOR, TICK, Board, Flash, give_up, nothing

from hardware import journal
from hardware.journal import SIZE, Journal, zeros
from hardware.journal_whole import ERASED
from table import memory as kinds
from table import playing, recall, states
from table.lights import Lights
from table.memory import Memory
from table.recall import Recall
from table.table import Table

AKSUM = {"GAMES": "gabata_aksum"}


def played(rng, turns, **settings):
    board = Board(Flash(), **settings).begin()
    for _ in range(turns):
        board.move(rng.choice(board.legal()))
    return board


# ---- records


def test_a_record_programmed_in_part_is_none():
    flash = Flash()
    journal = Journal(flash)
    journal.read(nothing)
    journal.append(kinds.CHOICE, 7, 3, 0, 41)
    whole = bytes(flash[:SIZE])
    rng = random.Random(1)
    bits = [bit for bit in range(64) if not whole[bit // 8] >> (bit % 8) & 1]
    cases = [set(bits) - {bit} for bit in bits] + [{bit} for bit in bits]
    cases += [{bit for bit in bits if rng.random() < share} for share in (0.1, 0.5, 0.9) for _ in range(2000)]
    for programmed in cases:
        if programmed == set(bits):
            continue
        flash[:] = b"\xff" * SECTOR
        data = bytearray(ERASED)
        for bit in programmed:
            data[bit // 8] &= ~(1 << (bit % 8))
        flash = Flash(bytes(data) + b"\xff" * (SECTOR - SIZE))
        again = Journal(flash)
        again.read(nothing)
        assert again.free == (511 if programmed else 512)


def test_zeros():
    assert zeros(b"\xff\x00\xfe", 3) == 9
    assert zeros(b"\xff\x00\xfe", 1) == 0


def test_a_full_journal_takes_no_more():
    journal = Journal(Flash())
    journal.read(nothing)
    assert journal.free == 512
    for i in range(512):
        assert journal.append(kinds.CHOICE, i % 18, 0, 0, 0)
    assert not journal.append(kinds.CHOICE, 0, 0, 0, 0)
    assert journal.free == 0


# ---- a game goes on


@pytest.mark.parametrize(
    "name", ["gabata_aksum", "lame_uweedet", "sulus_nishtaw", "sulus_aidi", "selus_massawa"]
)
def test_a_game_goes_on_where_it_was(name):
    rng = random.Random(name)
    board = played(rng, 9, GAMES=name)
    again = board.again()
    assert again.state() == board.state()
    hole = rng.choice(board.legal())
    board.move(hole)
    again.run(600)
    again.move(hole)
    assert again.state() == board.state()


def test_so_it_does_in_lamlameta():
    board = played(random.Random(3), 12, BOARD="2x12")
    assert board.again().state() == board.state()


def test_a_game_that_has_just_begun_goes_on():
    board = Board(Flash(), **AKSUM).begin()
    again = board.again()
    assert again.state() == board.state()
    assert again.table.state is again.table.play


def test_what_was_taken_back_stays_taken_back():
    board = played(random.Random(5), 4, **AKSUM)
    start = board.table.play._start
    board.table.press(start, 64, board.now)
    board.run(3000)
    board.table.release(start, board.now)
    board.run(500)
    assert board.table.play.history.count == 3
    again = board.again()
    assert again.state() == board.state()
    assert again.table.play.history.count == 3


def test_takes_back_as_far_as_before_the_cut_and_the_compaction():
    board = played(random.Random(5), 20, **AKSUM)
    board.table.memory.make_room(board.table)
    assert board.flash.erases == 1
    board.move(board.legal()[0])
    again = board.again()
    assert again.state() == board.state()
    for _ in range(16):
        for one in (board, again):
            one.table.play._take_back()
        assert again.state() == board.state()
    assert again.table.play.history.count == 0


def test_in_a_race_it_goes_on_at_the_lifting_and_after_it_where_it_was():
    board = Board(Flash(), GAMES="sulus_aidi race=1 rounds=1").begin()
    first = board.state()
    assert board.again().state() == first
    board.tap(3)
    board.tap(12)
    board.run(3000)
    assert board.again().state() == first
    rng = random.Random(2)
    while board.table.state is board.table.race:
        hole = board.table.game.next_drop(rng.randrange(2))
        if hole >= 0:
            board.tap(hole)
    board.run(300)
    assert board.again().state() == board.state()
    board.move(board.legal()[0])
    assert board.again().state() == board.state()


def first_round():
    """At the result of the first of three rounds."""
    rng = random.Random(1)
    board = Board(Flash(), GAMES="gabata_aksum rounds=3").begin()
    while board.table.state is not board.table.result:
        board.move(rng.choice(board.legal()))
    assert not board.table.game.match_over
    return board


def test_the_next_round_goes_on_too():
    board = first_round()
    rng = random.Random(4)
    assert board.again().state() == "attract"  # nobody has asked for the next round
    board.run(1600)
    board.tap(2)
    board.run_until(lambda: board.table.state is board.table.play)
    board.run(600)
    assert board.again().state() == board.state()
    board.move(rng.choice(board.legal()))
    board.move(rng.choice(board.legal()))
    again = board.again()
    assert again.state() == board.state()
    assert again.table.game.round == 2
    assert again.table.play.history.count == 2


def test_a_compacted_result_goes_on_to_the_next_round():
    board = first_round()
    board.table.memory.make_room(board.table)
    board.run(1600)
    board.tap(2)
    board.run_until(lambda: board.table.state is board.table.play)
    board.run(600)
    assert board.again().state() == board.state()


def test_the_loser_begins_the_rematch_after_the_cut_as_well():
    board = Board(Flash(), GAMES="sulus_aidi rounds=1").begin()
    rng = random.Random(4)
    while board.table.state is not board.table.result:
        board.move(rng.choice(board.legal()))
    board.run(1600)
    board.tap(2)
    board.run(600)
    again = board.again()
    assert again.table.game.starter == 1
    assert again.table._first == 1
    assert again.state() == board.state()


# ---- a game for one


def alone(*answers, turns=4, **settings):
    """Of the person's turns so many, and the computer's between them."""
    board = Board(Flash(), **{**AKSUM, "PLAYERS": "ask", **settings})
    board.begin(*answers)
    rng = random.Random(str(answers))
    for _ in range(turns):
        until_mine(board)
        board.move(rng.choice(board.legal()))
    return board


def until_mine(board):
    table = board.table
    board.run_until(lambda: table.play.human(table.game.mover) and not table.play.moving)
    board.run(300)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("person", [0, 1])
def test_a_game_against_the_computer_goes_on(level, person):
    side = 9 * person
    board = alone(side + 1, side + level - 1)
    table = board.table
    assert (table.level, table.person, table.game.starter) == (level, person, person)
    again = board.again()
    assert again.state() == board.state()  # on its turn, perhaps
    assert (again.table.level, again.table.person, again.table._first) == (level, person, person)
    until_mine(board)
    again = board.again()
    assert again.state() == board.state()
    again.run(600)
    hole = board.legal()[0]
    board.move(hole)
    again.move(hole)
    assert again.table.game.seeds == board.table.game.seeds
    until_mine(again)
    assert again.again().state() == again.state()


def test_the_computer_thinks_anew_after_the_cut():
    board = alone(1, 1)
    assert board.table.game.mover == 1
    again = board.again()
    assert again.state() == board.state()
    turns = again.table.game.turns(1)
    until_mine(again)
    assert again.table.game.turns(1) > turns


def test_who_plays_is_known_after_compaction_as_well():
    board = alone(10, 10)
    until_mine(board)
    board.table.memory.make_room(board.table)
    assert board.flash.erases == 1
    board.move(board.legal()[0])
    again = board.again()
    assert again.state() == board.state()
    assert again.state()[-2:] == (2, 1)


def test_so_are_the_side_and_the_level_of_a_rematch_which_the_computer_begins():
    board = alone(1, 0, turns=0, GAMES="sulus_aidi rounds=1")
    rng = random.Random(4)
    table = board.table
    while table.state is not table.result:
        if table.play.moving or not table.play.human(table.game.mover):
            table.play._t += 200
            board.run(TICK)
        else:
            board.move(rng.choice(board.legal()))
    board.run(1600)
    board.tap(2)
    board.run(300)
    again = board.again()
    assert again.state() == board.state()
    assert (again.table.level, again.table.person, again.table._first) == (1, 0, 1)


@pytest.mark.parametrize("starter", [0, 1])
def test_a_journal_from_before_there_was_a_computer_is_a_game_for_two(starter):
    board = played(random.Random(1), 3, **AKSUM)
    journal = Journal(Flash())
    journal.read(nothing)
    name = kinds.marks_of(board.table.game)
    journal.append(kinds.GAME, *name)
    journal.append(kinds.START, starter, 2, 0, 1)
    journal.append(kinds.CHOICE | kinds.TURN, 9 * starter + 4, 1, 0, 1)
    again = Board(Flash(bytes(journal.nvm)), **AKSUM)
    assert again.state()[0] == "play"
    assert (again.table.level, again.table.game.starter, again.table.game.turns(starter)) == (0, starter, 1)
    assert again.counters()[1] == [[kinds.mark("gabata_aksum"), 1, 0]]


@pytest.mark.parametrize(
    ("before", "after", "goes_on"),
    [
        ("one", "two", False),
        ("two", "one", False),
        ("ask", "one", True),
        ("one", "ask", True),
        ("two", "ask", True),
        ("one", "one", True),
    ],
)
def test_players_that_the_settings_do_not_offer_any_more_give_the_game_up(before, after, goes_on):
    board = alone(*([0] if before == "one" else [1, 0]), turns=0, PLAYERS=before)
    again = board.again(PLAYERS=after)
    assert again.state() == (board.state() if goes_on else "attract")


def test_games_for_one_are_counted_besides():
    board = alone(1, 0, turns=1)
    give_up(board)
    board.begin(0)
    give_up(board)
    board.begin(1, 2)
    game, one = kinds.mark("gabata_aksum"), kinds.mark(kinds.ONE)
    assert board.counters()[1] == [[game, 3, 0], [one, 2, 0]]
    until_mine(board)
    board.table.memory.choice(Finished(), 3)
    assert board.counters()[1] == [[game, 3, 1], [one, 2, 1]]
    assert board.again().counters()[1] == board.counters()[1]
    lines = []
    board.table.memory.report(lines.append)
    assert "begun one_player,2\n" in lines


class Finished:
    """A game of which the last choice has been made."""

    again = False
    over = match_over = True


def test_a_game_given_up_is_not_put_up_again():
    board = played(random.Random(5), 3, GAMES="gabata_aksum; sulus_aidi")
    give_up(board)
    assert board.state() == "choose"
    assert board.again().state() == "attract"


def test_an_exhibit_given_up_for_want_of_players_counts_an_idle_reset():
    board = played(random.Random(5), 3, MODE="exhibit", IDLE_S="10", **AKSUM)
    board.run(40_000)
    assert board.state() == "attract"
    again = board.again(reason="software")
    assert again.state() == "attract"
    assert again.table.memory.counters[kinds.IDLE_RESETS] == 1


def test_a_finished_game_is_attract():
    board = Board(Flash(), GAMES="sulus_aidi rounds=1").begin()
    rng = random.Random(4)
    while board.table.state is not board.table.result:
        board.move(rng.choice(board.legal()))
    assert board.again().state() == "attract"


@pytest.mark.parametrize(
    "games", ["sulus_aidi", "gabata_aksum claims=any", "sulus_aidi; gabata_aksum rounds=7"]
)
def test_a_game_that_the_settings_do_not_know_any_more_is_given_up(games):
    board = played(random.Random(5), 3, **AKSUM)
    again = board.again(GAMES=games)
    assert again.state() == "attract"
    assert again.again(**AKSUM).state() == "attract"


def test_a_game_that_has_moved_in_the_settings_goes_on():
    board = played(random.Random(5), 3, **AKSUM)
    assert board.again(GAMES="sulus_aidi; gabata_aksum claims=any; gabata_aksum").state() == board.state()


@pytest.mark.parametrize("games", ["gabata_aksum", "sulus_aidi; gabata_aksum"])
@pytest.mark.parametrize("taps", [1, 2])
def test_touches_before_the_game_is_up_again_begin_no_other(games, taps):
    board = Board(Flash(), GAMES=games).begin(1)
    for _ in range(3):
        board.move(board.legal()[0])
    table = Table(
        Lights(18), board.settings, remember=lambda: Memory(Journal(board.flash), board.settings.stamp)
    )
    for tap in range(taps):
        for now in range(1000 * tap, 1000 * tap + 200, 20):
            table.tick(now)
            if now % 1000 == 40:
                table.press(0, 64, now)
            if now % 1000 == 140:
                table.release(0, now)
    assert table.state is (table.choose if ";" in games and taps == 1 else table.play)
    while table.load():
        now += 20
        table.tick(now)
    assert table.state is table.play
    assert table.game.NAME == "gabata_aksum"
    assert table.game.turns(0) + table.game.turns(1) == 3


def test_touches_before_the_game_is_up_again_do_not_cost_it():
    settings = {"GAMES": "gabata_aksum; sulus_aidi"}
    board = played(random.Random(5), 5, **settings)
    while board.table.memory.journal.free > 390:
        board.table.memory.run()  # as if the power had come and gone
    again = Board(Flash(bytes(board.flash)), waits=True, **settings)
    again.tap(3)
    assert again.state() == "choose"
    while again.table.load():
        again.run(TICK)
    assert again.state() == board.state()
    again.move(again.legal()[0])
    assert again.again().state() == again.state()


def test_numbers_that_stand_in_two_places_agree():
    assert (kinds.TEXT, kinds.ERROR) == (journal.TEXT, journal.ERROR)
    assert (kinds.HANDS, kinds.IDLE) == (playing.HANDS, states.IDLE)
    assert recall.RECORD == SIZE


# ---- errors


def test_three_errors_in_a_minute_give_the_game_up():
    board = played(random.Random(5), 3, **AKSUM)
    again = board.again()
    for seconds in (3000, 20, 30):
        assert again.state() == board.state()
        again.table.memory.error("ValueError table/play.py 1", seconds)
        again = again.again(reason="software")
    assert again.state() == "attract"
    assert again.counters()[2] == [("ValueError table/play.py 1", s) for s in (3000, 20, 30)]
    assert again.again().state() == "attract"


@pytest.mark.parametrize("free", [12, 17, 24, 30, 35])
def test_so_they_do_when_little_room_is_left(free):
    board = played(random.Random(5), 3, **AKSUM)
    while board.table.memory.journal.free > free:
        board.table.memory.run()
    flash = Flash(bytes(board.flash))
    text = "AttributeError table/compaction.py 12345"
    for reason in ("power", "software", "software", "software"):
        memory = Memory(Journal(flash), 0, reason)
        recall = Recall(memory)
        recall.read()  # and before anything can be made of it, the board fails
        goes_on = recall.resumes
        memory.journal.error(text, 5)
    assert not goes_on
    said = [said for said, _ in memory.errors]
    assert len(said) == 3
    assert all(text.startswith(begun) for begun in said)
    assert len(said[0]) > 8


def test_without_memory_for_making_room_the_game_goes_on_and_the_next_one_tries_again(monkeypatch):
    board = played(random.Random(5), 3, **AKSUM)

    def compact(self, data):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "compact", compact)
        while board.table.memory.journal.free > 10:
            board.table.memory.run()
        board.run(100)
        board.move(board.legal()[0])
        assert board.table.memory.cramped
        assert not board.flash.erases
    give_up(board)
    board.run(2000)
    board.begin()
    board.run(100)
    assert board.flash.erases == 1
    assert board.again().state() == board.state()
