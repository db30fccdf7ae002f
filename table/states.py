"""What a state of the table is, and the small ones: attract, result, asleep.

The others have files of their own, and what they need is loaded by `equip` and `seat`.
A state draws all of its picture in `draw`; the table adds the touches over it.
"""

from table.touch import FULL

ROOM = 400  # records of the journal that are to be free when a game begins
IDLE = 1  # why a game is given up, as in table/memory.py

# `wishes` of the table: what the staff has asked for, and only code.py can do. It takes them away.
DIM_STRIP = 1  # it is to be as bright as `brightness` says
TELL_COUNTERS = 2  # on the console
RUN_SELFTEST = 4
LEFT_STAFF = 8  # table.staff is no longer needed

WAKE_MS = 400  # a touch so long wakes the board
RESULT_DEAF_MS = 1500  # the last taps of a game must not begin the next one
BARS_MS = 4000  # the bars, then the winner for as long, and so on
RESULT_MS = 20_000  # how long an exhibit shows a result
SHOW_MS = 1000  # embers, before the show is loaded: that takes a Pico 0.2 s


def seat(table):
    """Let the computer play the table's game: its player (table/opponent.py) is loaded, a piece a call, of which each
    takes a Pico a quarter of a second. False until it is there."""
    if table.opponent is None:
        __import__("engine.search")
        table.opponent = False  # the rest of it is still to come
    elif not table.opponent:
        from table.opponent import Opponent

        table.opponent = Opponent(table)
    else:
        table.opponent.take(table.game)
        return True
    return False


def equip(table):
    """Load what it takes to play the game that is made: its race, the dealing between its rounds, the computer."""
    game = table.game
    if game.races and not table.race:
        from table.race import Race

        table.race = Race(table)
    if game.ROUNDS and game.options["rounds"] != "1" and not table.deal:
        from table.deal import Deal

        table.deal = Deal(table)
    if table.level:
        while not seat(table):
            pass
    else:
        table.opponent = None


def about(table):
    """Who plays, for the log, as `State.about` has it."""
    return ',"level":%d,"person":%d' % (table.level, table.person) if table.level else ""


class State:
    """One state of a `Table`; it leaves itself by `table.go`."""

    NAME = ""
    ANY_LENGTH = False  # a press of any length is a tap
    DEAF_MS = 0  # presses are ignored for so long at the beginning
    PLAYED = False  # a game is on
    STAFF = True  # the corners open *staff*
    shine = FULL  # how brightly a touch lights its hole

    def __init__(self, table):
        self.table = table
        self.moving = False  # something is going on that wants every frame it can get

    def enter(self):
        """The state begins."""

    def leave(self):
        """The state ends."""

    def press(self, pad):
        """A new touch of this state has begun."""

    def tap(self, pad):
        """A touch has turned out to be a tap."""

    def tick(self, dt, now):
        """`dt` ms have passed."""

    def draw(self, lights, now):
        """Draw the whole picture."""

    def lit(self, pad):
        """Whether a tap there would choose something."""
        return False

    def pads_changed(self):
        """A pad fell out of order, or came back."""

    def about(self):
        """More of the state for the log, as the end of a JSON object."""
        return ""


class Attract(State):
    """Nobody plays. Any press invites: it chooses nothing itself. Embers, then the show, which is loaded when they have
    glowed for a moment, and let go of when a game begins."""

    NAME = "attract"

    def __init__(self, table):
        super().__init__(table)
        self.show = None  # a Show
        self._touched = False

    def enter(self):
        self._touched = False
        if self.show:
            self.show.begin()
        self.table.tidy()  # before it is loaded

    def press(self, pad):
        self._touched = True
        self.table.sit(pad)

    def pads_changed(self):
        if self.show:
            self.show.mark()

    def tick(self, dt, now):
        table = self.table
        if self._touched:
            table.invite()
            return
        if table.recalling:
            return
        table.make_room(ROOM)
        if self.show:
            self.show.tick(dt)
        elif table.open_show and table.age >= SHOW_MS and (table.opponent or seat(table)):
            self.show = table.open_show(table)

    def draw(self, lights, now):
        if self.show:
            self.show.draw(lights)
        else:
            lights.ember(self.table.clock)


class Result(State):
    """The round is over: both scores, then whose they beat. A tap goes on."""

    NAME = "result"
    ANY_LENGTH = True
    DEAF_MS = RESULT_DEAF_MS

    def __init__(self, table):
        super().__init__(table)
        self._south = 0
        self._north = 0

    def enter(self):
        game = self.table.game
        self._south = game.score(0)
        self._north = game.score(1)
        if self.table.sounds:
            self.table.sounds.winner(game.winner())

    def about(self):
        game = self.table.game
        text = ',"score":[%d,%d],"winner":%d' % (game.score(0), game.score(1), game.winner())
        return text + about(self.table)

    def tap(self, pad):
        self.table.play_on()

    def tick(self, dt, now):
        table = self.table
        table.make_room(ROOM)
        if table.settings.exhibit and table.age >= RESULT_MS and table.silence >= RESULT_MS:
            if table.game.match_over:
                table.go(table.attract)
            else:
                table.give_up(IDLE, table.attract)

    def draw(self, lights, now):
        table = self.table
        lights.bars(self._south, self._north, table.age)
        if table.age // BARS_MS % 2:
            lights.winner(table.game.winner(), table.clock)


class Aside(State):
    """A state that sets another one aside, in which all is afterwards as it was."""

    STAFF = False

    def __init__(self, table):
        super().__init__(table)
        self.state = None
        self.age = 0


class Asleep(Aside):
    """Dark. Whatever was there goes on when a touch is held for a moment; that touch does nothing else."""

    NAME = "asleep"
    shine = 0

    def tick(self, dt, now):
        if self.table.touch.longest(now) >= WAKE_MS:
            self.table.resume()
