"""After power-up: reads the journal, and puts the game up again that a power cut has ended. Loaded for that only."""

from table import memory as kinds
from table.memory import NAMES, mark, marks_of, number

# What happened in a match, besides choices of holes, as bytes of `_happened`.
ON = 0xFE  # the next round
RACED = 0xFD  # a race, the next one of `_races`

RECORD = 8  # bytes; any block has more

MANY = 3  # errors, and the last two of them in a minute: the saved game may be what brings them
MINUTE_S = 60


class Recall:
    """`read()`, then `resumes` says whether there is a game to be put up again by `put_up(table)`."""

    def __init__(self, memory):
        self.memory = memory
        self.resumes = False
        self._begin = None  # the position before all that happened, as saved; None: the match from its start
        self._happened = bytearray()
        self._races = []
        self._race = []  # data of the one that is being read
        self._named = None  # the game that the next START begins
        self._text = b""  # of an error
        self._crashes = []  # after how many seconds each run ended, as long as all have ended by an error
        self._crashed = True  # the last one has

    # ---- reading

    def read(self):
        memory = self.memory
        memory.journal.read(self._take)
        if memory.reason == "watchdog":
            memory.error("watchdog", memory.seconds)
            self._crash(memory.seconds)
        if self._crashed and len(self._crashes) >= MANY and sum(self._crashes[1 - MANY :]) < MINUTE_S:
            self.resumes = False
            memory.left(kinds.LOST)
        memory.run()

    def _crash(self, seconds):
        self._crashed = True
        self._crashes.append(seconds)

    def _take(self, record, whole):
        """A record, or the block."""
        if len(record) > RECORD:
            self._block(record)
        else:
            self._record(record, whole)

    def _record(self, record, whole):
        memory = self.memory
        flags = record[0]
        argument = record[1]
        kind = flags & 15
        data = bytes((argument, record[3], record[4], record[5]))
        if not whole:
            self.resumes = False
        if kind == kinds.GAME:
            self._named = data
        elif kind == kinds.TEXT:
            self._text += data
        elif kind == kinds.ERROR:
            memory.note_error(
                "".join([chr(byte) for byte in self._text if 32 <= byte < 127]), number(data, 0)
            )
            self._crash(number(data, 0))
        elif kind == kinds.STAFF:
            self._staff(argument, record[3], number(record, 4, 2))
        elif kind == kinds.LIFTS:
            self._race = [data]
        elif kind == kinds.DROPS:
            self._race.append(data)
        else:
            if kind == kinds.START:
                memory.game = self._named
            memory.count(flags, argument, record[3], record[4], record[5])
            self._follow(kind, flags, argument)
        if kind != kinds.GAME:
            self._named = None
        if kind != kinds.TEXT:
            self._text = b""

    def _follow(self, kind, flags, argument):
        happened = self._happened
        if kind == kinds.START:
            self.resumes = self._named is not None
            self._begin = None
            self._happened = bytearray()
            self._races.clear()
        elif kind == kinds.CHOICE:
            happened.append(argument)
        elif kind == kinds.BACK:
            if happened and happened[-1] < RACED:
                self._happened = happened[:-1]
            else:
                self.resumes = False
        elif kind == kinds.ROUND:
            happened.append(ON)
        elif kind == kinds.RACE:
            happened.append(RACED)
            self._races.append(self._race)
        elif kind == kinds.RUN:
            if not self._crashed:
                self._crashes.clear()
            self._crashed = False
        if kind == kinds.LEFT or flags & kinds.LAST:
            self.resumes = False

    def _staff(self, brightness, games, stamp):
        """What the staff chose for other settings than those of now is past."""
        same = stamp == self.memory.stamp & 0xFFFF
        self.memory.brightness = brightness if same else 0
        self.memory.games = games if same else 0

    def _block(self, data):
        """What table/compaction.py has written."""
        memory = self.memory
        for i in range(len(NAMES)):
            memory.counters[i] = number(data, 4 * i)
        at = 4 * len(NAMES)
        for _ in range(data[at]):
            memory.kinds.append([number(data, at + 1, 2), number(data, at + 3), number(data, at + 7)])
            at += 10
        self._staff(data[at + 3], data[at + 4], number(data, at + 1, 2))
        at += 5
        for _ in range(data[at]):
            end = at + 6 + data[at + 5]
            memory.errors.append((data[at + 6 : end].decode(), number(data, at + 1)))
            at = end - 1
        at += 1
        if at < len(data):
            self.resumes = True
            memory.game = bytes(data[at : at + 4])
            memory.starter = data[at + 4]
            holes = data[at + 5]
            self._begin = data[at + 6 : len(data) - holes]
            self._happened = data[len(data) - holes :]

    # ---- putting up

    def put_up(self, table):
        """The game as it was at the last choice, in its state; False, and nothing is changed, where that cannot be."""
        memory = self.memory
        level = memory.starter >> 1 & 3
        games = len(table.games) if table.settings.players != ("two" if level else "one") else 0
        for index in range(games):
            if mark(table.games[index][0]) == number(memory.game, 0, 2):
                table.make(index)
                if marks_of(table.game) == memory.game:
                    try:
                        self._replay(table.game, table.play.history)
                    except Exception:  # whatever is wrong with it, the board must start
                        break
                    if table.game.over:
                        return False
                    table.level = level
                    table.person = memory.starter >> 3 & 1
                    table.take_up(memory.starter & 1)
                    return True
        memory.left(kinds.LOST)
        return False

    def _replay(self, game, history):
        history.clear()
        if self._begin:
            game.load(self._begin)
        else:
            game.start(self.memory.starter & 1)
        for what in self._happened:
            if what == ON:
                game.next()
            elif what == RACED:
                self._drop_all(game, self._races.pop(0))
            else:
                history.note(game, what)
                game.play(what)
                continue
            history.clear()

    def _drop_all(self, game, race):
        """A race as it went."""
        lifts = race[0]
        for player in range(2):
            game.drop(player, lifts[player])
        for i in range(number(lifts, 2, 2)):
            game.drop(race[1 + i // 32][i // 8 % 4] >> (i % 8) & 1)
