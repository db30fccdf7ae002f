"""What the board remembers through a power cut: each choice, as it is made, and its counters.

It is a log of choices, not of positions: `table/recall.py` plays them again after power-up.
"""

from binascii import crc32

# Kinds of records; the low four bits of their first byte. (1 and 2, an error's text and its end, are the journal's.)
RUN = 3  # the board starts; argument: a reason
GAME = 4  # data: hashes of the name and the options of the game that the START after it begins
START = 5  # a match; argument: who begins, in a game for one also its level (from bit 1) and the person's side (bit 3)
CHOICE = 6  # argument: the hole
BACK = 7  # the last choice is taken back
ROUND = 8  # the next round
LEFT = 9  # the game is given up; argument: why
LIFTS = 10  # data: what both lifted in a race, and two bytes: how many drops there were
DROPS = 11  # data: whose drops they were, in their order, 32 bits
RACE = 12  # the race is over, and those before tell how it went
TALLY = 13  # nothing but the three numbers that each record has
STAFF = 14  # data: brightness, games
ZERO = 15  # all counters begin anew
TURN = 16  # a flag of CHOICE and RACE: a turn is complete,
LAST = 32  # and so is the match

TEXT = 1
ERROR = 2

REASONS = ("power", "software", "watchdog")
HANDS = 0
IDLE = 1
LOST = 2  # it cannot be put up again

# Counters, in the order in which they are told.
NAMES = ("power_ups", "errors", "idle_resets", "taps", "wrong_taps", "turns", "seconds_played")
POWER_UPS, ERRORS, IDLE_RESETS, TAPS, WRONG_TAPS, TURNS, SECONDS = range(7)
KINDS = 8  # games of which it is counted how often they were begun and finished;
ONE = "one_player"  # one of these is all games for one person
RING = 4  # errors that are remembered

MUCH = 200  # of the three bytes' 255: a record is written only for them


def mark(text):
    """Two bytes that stand for a text."""
    return crc32(text.encode()) & 0xFFFF


def marks_of(game):
    """Four bytes that stand for a game: its name and its options."""
    options = sorted(["%s=%s" % item for item in game.options.items()])
    name = mark(game.NAME)
    rest = mark(" ".join(options))
    return bytes((name & 255, name >> 8, rest & 255, rest >> 8))


def number(data, at, size=4):
    """A number of so many bytes, the lowest first."""
    value = 0
    for i in range(size):
        value |= data[at + i] << (8 * i)
    return value


class Memory:
    """Notes what happens in `journal` (hardware/journal.py).

    `stamp` stands for the settings: what the staff has chosen holds as long as it is the same. `reason`, one of
    REASONS: why the board starts; `seconds`: how long the run was that the watchdog has ended.
    """

    def __init__(self, journal, stamp=0, reason="power", seconds=0):
        self.journal = journal
        self.stamp = stamp
        self.reason = reason
        self.seconds = seconds
        self.counters = [0] * len(NAMES)
        self.kinds = []  # [mark of its name, begun, finished] of each game
        self.errors = []  # (text, seconds), the oldest first
        self.brightness = 0  # what the staff has chosen; 0: as the settings say
        self.games = 0  # a bit for each entry that is offered; 0: all
        self.cramped = False  # there was no memory for compacting
        self.game = None  # marks of the game that is on, or was last
        self.starter = 0  # how it began: the argument of its START
        self._taps = self._wrong = self._ms = 0  # not yet in the journal

    # ---- what happens

    def tap(self):
        self._taps += 1
        if self._taps > MUCH:
            self._note(TALLY, 0)

    def wrong(self):
        self._wrong += 1

    def play(self, dt):
        """Somebody has been playing for so many ms more."""
        self._ms += dt
        if self._ms > 1000 * MUCH:
            self._note(TALLY, 0)

    def start(self, table, starter):
        """A match begins."""
        self.cramped = False  # it may be otherwise now
        self._data(GAME, marks_of(table.game))
        self._note(START, starter | table.level << 1 | table.person << 3 if table.level else starter)

    def choice(self, game, hole):
        """`game` has just played it."""
        self._note(CHOICE | self._ending(game), hole)

    def back(self):
        self._note(BACK, 0)

    def next_round(self):
        self._note(ROUND, 0)

    def left(self, why):
        self._note(LEFT, why)

    def race(self, game, lifts, order, count):
        """A race is over: the holes that were lifted, whose the drops were (a bit each), and how many."""
        self._data(LIFTS, bytes((lifts[0], lifts[1], count & 255, count >> 8)))
        for at in range(0, (count + 7) // 8, 4):
            self._data(DROPS, order[at : at + 4])
        self._note(RACE | self._ending(game), 0)

    def _ending(self, game):
        flags = 0 if game.again else TURN
        return flags | LAST if game.over and game.match_over else flags

    def keep(self, brightness, games):
        """What the staff has chosen; see the attributes."""
        self.journal.append(STAFF, brightness, games, self.stamp & 255, self.stamp >> 8 & 255)
        self.brightness = brightness
        self.games = games

    def zero(self):
        """All counters begin anew."""
        self._note(ZERO, 0)

    def run(self):
        """The board starts."""
        self._note(RUN, REASONS.index(self.reason))

    def error(self, text, seconds):
        self.journal.error(text, seconds)
        self.note_error(text, seconds)

    def settle(self):
        """Put into the journal what has been counted since the last record."""
        if self._taps or self._wrong or self._ms >= 1000:
            self._note(TALLY, 0)

    def report(self, write):
        """All counters as CSV: lines for `write(text)`, the last one empty."""
        from table.report import report

        report(self, write)

    # ---- records

    def _data(self, kind, data):
        self.journal.append(kind, data[0], data[1], data[2], data[3])
        if kind == GAME:
            self.game = bytes(data)

    def _note(self, kind, argument):
        """Write a record, with what has been counted since the last one. Without room for it, the board plays on."""
        taps = min(self._taps, 255)
        wrong = min(self._wrong, 255)
        seconds = min(self._ms // 1000, 255)
        self._taps -= taps
        self._wrong -= wrong
        self._ms -= 1000 * seconds
        self.journal.append(kind, argument, taps, wrong, seconds)
        self.count(kind, argument, taps, wrong, seconds)

    def count(self, kind, argument, taps, wrong, seconds):
        """What a record adds to the counters, as it is written and as it is read."""
        counters = self.counters
        counters[TAPS] += taps
        counters[WRONG_TAPS] += wrong
        counters[SECONDS] += seconds
        if kind & TURN:
            counters[TURNS] += 1
        if kind & LAST:
            self._add(2)
        kind &= 15
        if kind == START:
            self.starter = argument
            self._add(1)
        elif kind == LEFT and argument == IDLE:
            counters[IDLE_RESETS] += 1
        elif kind == RUN and not argument:
            counters[POWER_UPS] += 1
        elif kind == ZERO:
            for i in range(len(counters)):
                counters[i] = 0
            self.kinds.clear()
            self.errors.clear()

    def _add(self, column):
        """Count that the game that is on was begun (1), or finished (2); a game for one besides among those."""
        self._kind(number(self.game, 0, 2) if self.game else 0)[column] += 1
        if self.starter >> 1:
            self._kind(mark(ONE))[column] += 1

    def _kind(self, name):
        """The row of that game; all that find no row share the last one."""
        for row in self.kinds:
            if row[0] == name:
                return row
        if len(self.kinds) == KINDS:
            return self.kinds[-1]
        self.kinds.append([name, 0, 0])
        return self.kinds[-1]

    def note_error(self, text, seconds):
        self.counters[ERRORS] += 1
        self.errors.append((text, seconds))
        if len(self.errors) > RING:
            self.errors.pop(0)

    def make_room(self, table):
        """Compact the journal unless a pad is down: for 50 ms everything stands still."""
        if not table.touch.count and not self.cramped:
            try:
                from table.compaction import compact

                self.cramped = not compact(self, table)
            except MemoryError:
                self.cramped = True
