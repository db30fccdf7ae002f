"""Days at the board, cut short at every write of its flash, in every way; and flashes that are worn or garbled."""

import random

import pytest
from memory_common import SECTOR, Board, Flash, give_up, nothing

from hardware.journal import SIZE, Journal
from hardware.journal_whole import ERASED
from table import memory as kinds
from table.memory import Memory
from table.recall import Recall

CHOICES = 700


class Visitors:
    """Plays on a board, and keeps what was in flash before and after each write."""

    def __init__(self, board, rng):
        self.board = board
        self.rng = rng
        self.choices = 0
        self.lifting = None  # the position before a race
        self.writes = []  # (flash before, from, to, bytes written)
        self.states = []  # (writes so far, what anybody could tell, counters)

    def watch(self):
        """Notes the writes since the last time, and how the board stands after them."""
        board = self.board
        for before, start, end, data in board.flash.log:
            self.writes.append((before, start, end, data))
            self.choices += end - start == SIZE and data[0] & 15 == kinds.CHOICE
        board.flash.log.clear()
        table = board.table
        state = board.state() if table.state in (table.play, table.race) else "attract"
        if table.state is table.deal:  # the next round has been asked for
            table.state = table.race if table.game.race else table.play
            state = board.state() if table.game.race else (*board.state()[:2], -1, -1, *board.state()[4:])
            table.state = table.deal
        if table.state is table.race:  # to be begun anew
            if table.game.next_drop(0) < 0 and table.game.next_drop(1) < 0:
                self.lifting = state
            state = self.lifting
        self.states.append((len(self.writes), state, board.counters()))

    def act(self):
        board = self.board
        table = board.table
        rng = self.rng
        if table.state is table.attract:
            board.tap(rng.randrange(18))
            board.run(600)
        elif table.state.NAME == "choose":
            board.tap(rng.choice([pad for pad in range(18) if table.state.lit(pad)]))
            board.run(600)
        elif table.state is table.race:
            self.race()
        elif table.state is table.result:
            board.run(1600)
            if rng.random() < 0.6:
                board.tap(3)
                board.run(600)
            else:
                board.run(25_000)
        elif table.state is table.deal:
            board.run(1000)
        elif table.play.moving or not table.play.human(table.game.mover):
            if rng.random() < 0.9:
                board.run(rng.randrange(800))
            elif rng.random() < 0.5:
                board.tap(rng.randrange(18))
            else:
                give_up(board)
        elif rng.random() < 0.05:
            board.tap(rng.choice([hole for hole in range(18) if hole not in board.legal()]))
        elif table.settings.takeback and table.play.history.count and rng.random() < 0.1:
            self.take_back()
        elif rng.random() < 0.01:
            give_up(board)
        elif table.settings.exhibit and rng.random() < 0.004:
            board.run(120_000)
        else:
            board.move(rng.choice(board.legal()))
        self.watch()

    def race(self):
        board = self.board
        game = board.table.game
        if game.next_drop(0) < 0 and game.next_drop(1) < 0:
            board.tap(self.rng.randrange(9))
            board.tap(9 + self.rng.randrange(9))
            board.run(3000)
        else:
            player = self.rng.randrange(2)
            hole = game.next_drop(player)
            if not board.table.race.human(player):
                board.run(500)
            elif hole >= 0:
                board.tap(hole)

    def take_back(self):
        board = self.board
        start = board.table.play._start
        board.table.press(start, 64, board.now)
        board.run(3000)
        board.table.release(start, board.now)
        board.run(300)


class Reader:
    """Reads flashes as the board of these settings does when it is switched on."""

    def __init__(self, board):
        self.board = Board(Flash(), **board.set)
        self.table = self.board.table

    def read(self, data):
        """(what anybody could tell, counters); the power-up itself is not counted."""
        table = self.table
        table.game = table.game or None
        table.memory = Memory(Journal(Flash(bytes(data))), table.settings.stamp, "software")
        table.go(table.attract)
        recall = Recall(table.memory)
        recall.read()
        if recall.resumes:
            recall.put_up(table)
        return self.board.state(), self.board.counters()


DAYS = {
    "home": {"GAMES": "gabata_aksum rounds=2; sulus_aidi race=1 rounds=2; selus_massawa"},
    "exhibit": {"MODE": "exhibit", "IDLE_S": "10"},
    "alone": {
        "GAMES": "gabata_aksum rounds=2; sulus_aidi race=1 rounds=2",
        "PLAYERS": "ask",
        "IDLE_S": "10",
    },
}


@pytest.fixture(scope="module", params=DAYS)
def day(request):
    """A day on which so many choices were made."""
    visitors = Visitors(Board(Flash(), **DAYS[request.param]), random.Random(request.param))
    visitors.watch()
    while visitors.choices < CHOICES or visitors.board.table.state is visitors.board.table.race:
        visitors.act()
    return visitors


def test_a_cut_at_any_moment_of_the_day_leaves_the_game_at_the_last_choice(day):
    reader = Reader(day.board)
    flashes = [before for before, *_ in day.writes] + [bytes(day.board.flash)]
    for count, state, counters in day.states:
        assert reader.read(flashes[count]) == (state, counters)


def programmed(bits, chosen, old, new):
    """`new`, of whose zero bits only those have been programmed."""
    data = bytearray(old)
    for bit in chosen:
        data[bit >> 3] &= ~(1 << (bit & 7))
    return bytes(data)


def test_a_cut_in_any_write_leaves_the_game_as_before_it(day):
    rng = random.Random(7)
    reader = Reader(day.board)
    for before, start, end, new in day.writes:
        if end - start > SIZE:
            continue
        bits = [bit for bit in range(64) if not new[bit >> 3] >> (bit & 7) & 1]
        cases = [{bit} for bit in bits] + [set(bits) - {bit} for bit in bits]
        cases += [
            {bit for bit in bits if rng.random() < share} for share in (0.2, 0.5, 0.8, 0.95) for _ in range(5)
        ]
        for chosen in cases:
            if len(chosen) < len(bits):
                spoiled = programmed(bits, chosen, b"\xff" * SIZE, new)
                journal = Journal(Flash(spoiled + ERASED))
                journal.read(nothing)
                assert journal.free == (2 if spoiled == ERASED else 1)
        whole = reader.read(before)
        for chosen in rng.sample(cases, 3):
            if len(chosen) < len(bits):
                spoiled = programmed(bits, chosen, b"\xff" * SIZE, new)
                assert reader.read(before[:start] + spoiled + before[end:]) == whole


def test_a_cut_in_an_erase_leaves_all_as_it_was_or_nothing(day):
    rng = random.Random(8)
    reader = Reader(day.board)
    clean = reader.read(b"\xff" * SECTOR)
    erases = [(before, new) for before, start, end, new in day.writes if end - start > SIZE]
    assert erases
    for before, new in erases:
        whole = reader.read(before)
        bits = [bit for bit in range(8 * SECTOR) if not new[bit >> 3] >> (bit & 7) & 1]
        cases = [set(), set(bits)] + [set(bits) - {bit} for bit in rng.sample(bits, 50)]
        cases += [{bit for bit in bits if bit < page * 2048} for page in range(1, 16)]
        cases += [
            {bit for bit in bits if rng.random() < share} for share in (0.1, 0.5, 0.9, 0.99) for _ in range(5)
        ]
        for chosen in cases:
            spoiled = programmed(bits, chosen, b"\xff" * SECTOR, new)
            assert reader.read(spoiled) == (whole if spoiled == new else clean)


def test_play_never_erases_and_the_flash_lasts_for_years(day):
    erases = sum(end - start > SIZE for _, start, end, _ in day.writes)
    assert day.board.flash.erased_in <= {"attract", "choose", "result"}
    assert erases * 2000 // CHOICES * 365 * 10 < 100_000


def garbled(rng, data):
    """A flash that something has gone wrong with."""
    data = bytearray(data)
    what = rng.randrange(7)
    at = rng.randrange(rng.choice((64, 512, SECTOR)))
    if what == 0:  # a bit has changed
        data[at] ^= 1 << rng.randrange(8)
    elif what == 1:  # some have
        for _ in range(rng.randrange(2, 30)):
            data[rng.randrange(rng.choice((64, 512, SECTOR)))] ^= 1 << rng.randrange(8)
    elif what == 2:  # a piece is anything
        end = min(SECTOR, at + rng.randrange(1, 200))
        data[at:end] = rng.randbytes(end - at)
    elif what == 3:  # a piece has been erased
        end = min(SECTOR, at + rng.randrange(1, 400))
        data[at:end] = b"\xff" * (end - at)
    elif what == 4:  # or programmed to zeros
        end = min(SECTOR, at + rng.randrange(1, 200))
        data[at:end] = bytes(end - at)
    elif what == 5:  # a record stands where another stood
        one, other = (SIZE * rng.randrange(60) for _ in range(2))
        data[one : one + SIZE] = data[other : other + SIZE]
    else:  # another program has used it
        data = bytearray(rng.randbytes(SECTOR))
    return bytes(data)


def test_a_garbled_flash_is_a_game_as_it_once_stood_or_a_clean_board(day):
    rng = random.Random(9)
    reader = Reader(day.board)
    flashes = [before for before, *_ in day.writes]
    once = {str(state) for _, state, _ in day.states} | {str(reader.read(flash)[0]) for flash in flashes}
    kept = 0
    for _ in range(5000):
        state, _ = reader.read(garbled(rng, rng.choice(flashes)))
        assert str(state) in once
        kept += state != "attract"
        for _ in range(3):  # and it plays on
            reader.table.memory.tap()
    assert 500 < kept < 4500
