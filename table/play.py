"""*Play*: taps become moves, a move becomes an animation, and what else fingers can do meanwhile."""

from table.cues import CYCLE, END, LEGAL, OWNER_MS, START, TWICE
from table.history import History
from table.lights import NO_MS
from table.playing import STRANDED_MS, Playing
from table.states import about, seat
from table.touch import FULL

DEAF_MS = 500  # at the beginning: mashing must not move
# Speeds of an animation, in fifths: one's own moves, the computer's, which is to be followed, and the rest after a tap.
OWN = 5
SLOW = 4
FASTER = 20
LONGEST = 9600  # ms: a move of the computer's that would take longer is shown at one's own speed
PAUSE_MS = 700  # the computer's move is sown so long after its turn began at the earliest
FADE_MS = 300  # then its ripple fades
SILENCE_MS = 20_000  # in a turn, without a touch: a hint,
LEVEL = 2  # from a player of this level

BACK_AFTER_MS = 600  # of a hold on the last move's start, until the move runs backwards
BACK_MS = 800  # how long that takes
PEEK_MS = 900  # of any hold, until the end of the first lap glows

LITTLE = 24  # records of the journal: with fewer than this it is compacted in the middle of a game


class Play(Playing):
    NAME = "play"
    DEAF_MS = DEAF_MS

    def __init__(self, table):
        super().__init__(table)
        self.history = History()
        self._start = -1  # of the last move
        self._end = -1
        self._t = 0  # of the animation, in fifths of a ms,
        self._duration = 0
        self._speed = OWN
        self._theirs = False  # the computer's turn
        self._ms = 0  # since the turn began
        self._back = 0  # take-back goes back over so many choices
        self._doing = False  # a hint is being thought of, or there is one:
        self._choice = -1  # that hole
        self._told = True  # the last move is in the log
        self._wrong = -1  # a hole that was tapped in vain, and when
        self._wrong_ms = 0
        self._pad = -1  # the pad that is held down,
        self._held_ms = 0  # for so long beyond a tap
        self._backs = False  # that hold takes back,
        self._peek = -1  # or ends by showing this hole
        self._stranded = False
        self._stranded_ms = 0

    def enter(self):
        """A round begins; `table.game` stands at its first position."""
        self.history.clear()
        self.take_up()

    def take_up(self):
        """Go on, after power-up, where `history` has been played to."""
        table = self.table
        self._start = self._end = -1
        if self.history.count:
            self._show()
        self._told = True
        table.grasp.begin()
        table.tell_position()
        self._rest()

    def about(self):
        game = self.table.game
        return ',"game":"%s","mover":%d' % (game.NAME, game.mover) + about(self.table)

    def leave(self):
        self._tell()

    # ---- holes and pads

    def lit(self, pad):
        return not self.moving and self.legal(self.hole(pad))

    def pads_changed(self):
        if not self.moving:
            self._mark()

    def _mark(self):
        """What is to be seen of each hole besides its seeds."""
        table = self.table
        game = table.game
        flags = self.flags
        self.mark_ground()
        count = game.moves() if self.human(game.mover) else 0
        for i in range(count):
            flags[game.legal[i]] |= LEGAL
        if self._end >= 0:
            flags[self._end] |= END
        if self._start >= 0:
            self._back = 0
            if table.settings.takeback:
                self._back = self.history.since(table.person) if table.level else 1
            flags[self._start] |= START | TWICE if self._back else START
        if self._theirs:
            table.opponent.mark()
        self._stranded = count > 0
        for i in range(count):
            if not self.out_of_reach(game.legal[i]):
                self._stranded = False
        self._stranded_ms = 0

    # ---- moves

    def tap(self, pad):
        if self.moving:
            self._speed = FASTER
            return
        hole = self.hole(pad)
        if self.legal(hole):
            self._move(hole)
        else:
            self._wrong = pad
            self._wrong_ms = 0
            self.table.wrong()

    def _move(self, hole):
        game = self.table.game
        self.history.note(game, hole)
        game.play(hole)
        if self.table.memory:
            self.table.memory.choice(game, hole)
        self._told = False
        self._show()
        self._t = 0
        self._speed = SLOW if self._theirs and self._duration <= LONGEST else OWN
        self._wrong = -1
        self.moving = True
        self.table.touch.turn_over()

    def _show(self):
        """Get the lights ready for the move in the trace."""
        game = self.table.game
        self._duration = self.table.lights.begin(game.trace, game.marks)
        self._start = self.history.hole
        self._end = game.trace.last

    def _landed(self):
        """The animation is over."""
        table = self.table
        self.moving = False
        self._tell()
        table.touch.turn_over()
        if table.game.over:
            table.go(table.result)
        else:
            self._rest()

    def _rest(self):
        self.moving = False
        self._wrong = -1
        self._pad = -1
        self._ms = 0
        self._doing = False
        self._choice = -1
        table = self.table
        self._theirs = not self.human(table.game.mover)
        self._mark()
        table.redraw()
        table.tidy()
        if self._theirs:
            table.opponent.begin(table.level)
        if table.sounds:
            table.sounds.turn(table.game.mover)

    def _tell(self):
        """Log the last move. After its animation, since a long one takes a while to write."""
        if not self._told:
            self._told = True
            self.table.tell_turn()

    def _take_back(self):
        """The last move; against the computer all its moves since one's own last choice, and that one."""
        table = self.table
        found = False
        for _ in range(self._back):
            if table.memory:
                table.memory.back()
            found = self.history.back(table.game)
        if found:
            self._show()
        else:
            self._start = self._end = -1
        table.touch.turn_over()
        if table.log:
            table.note('{"takeback":%d}' % self._back)
        if table.sounds:
            table.sounds.back(table.game.mover)
        table.tell_position()
        self._rest()

    # ---- time

    def tick(self, dt, now):
        table = self.table
        if self.given_up(dt):
            return
        if self.moving:
            self._t += dt * self._speed
            if self._t >= OWN * self._duration:
                self._landed()
            return
        self._ms += dt
        self._wrong_ms += dt
        if self._wrong_ms >= NO_MS:
            self._wrong = -1
        self._hold(now)
        table.make_room(LITTLE)
        if self._theirs:
            opponent = table.opponent
            table.redraw()  # in each pass, as it lasts: the ripple is to be smooth
            if not opponent.think(dt) and self._ms >= PAUSE_MS and not self._may(now):
                self._move(opponent.hole)
        elif self._stranded:
            self._stranded_ms += dt
            if self._stranded_ms >= STRANDED_MS:
                self._move(table.game.legal[0])
        elif table.settings.hints:
            self._look(dt)

    def _look(self, dt):
        """For a hint, if it is time for one."""
        table = self.table
        if self._ms < SILENCE_MS or table.silence < SILENCE_MS:
            self._doing = False
            self._choice = -1
        elif not self._doing:
            if seat(table):
                self._doing = True
                table.opponent.begin(LEVEL)
        elif (
            not table.opponent.think(dt) and table.clock % CYCLE >= OWNER_MS
        ):  # it glows from the next cycle on
            self._choice = table.opponent.hole

    def _takes(self, pad):
        """Whether a hold there takes back: on the last move's start, or by its partner's pad if it is dead."""
        start = self._start
        if start < 0 or not self._back:
            return False
        return pad == start or (self.table.dead[start] and pad == self.partner(start))

    def _may(self, now):
        """Whether a finger is there that may yet take back: the computer's answer waits for it."""
        for pad in range(self.table.n):
            if self._takes(pad) and self.table.touch.level(pad, now) == FULL:
                return True
        return False

    def _hold(self, now):
        table = self.table
        touch = table.touch
        pad = touch.hold(now)
        if pad != self._pad:
            self._pad = pad
            if pad >= 0:
                self._backs = self._takes(pad)
                self._peek = table.game.lap_end(pad) if table.settings.hints and self.legal(pad) else -1
        if pad >= 0:
            self._held_ms = touch.age(pad, now) - touch.tap_ms
            if self._backs and self._held_ms >= BACK_AFTER_MS + BACK_MS:
                self._take_back()

    # ---- light

    def draw(self, lights, now):
        table = self.table
        clock = table.clock
        held = self._held_ms
        if self.moving:
            t = self._t // OWN
            lights.motion(t, clock)
            if self._theirs and t < FADE_MS:
                table.opponent.ripple(lights, self._ms + t, (FADE_MS - t) * 256 // FADE_MS)
            if table.sounds:
                table.sounds.follow(now, self._speed // OWN or 1)
        elif self._pad >= 0 and self._backs and held >= BACK_AFTER_MS:
            lights.motion(self._duration - self._duration * (held - BACK_AFTER_MS) // BACK_MS, clock)
        else:
            if self._theirs:
                table.opponent.draw(lights, self.flags, self._ms)
            else:
                lights.rest(table.game.seeds, table.game.marks, self.flags, clock)
            self._answer(lights)
        self.table.grasp.draw(lights)

    def _answer(self, lights):
        """What the board says to a touch, or to there being none."""
        table = self.table
        pad = self._pad
        if self._wrong >= 0:
            lights.no(self._wrong, self._wrong_ms)
            lights.swell(self.flags, self._wrong_ms)
        if pad >= 0 and not self._backs:
            lights.count_out(pad, table.game.seeds[pad], self._held_ms)
            if table.sounds:
                table.sounds.count(table.game.seeds[pad], self._held_ms)
            if self._peek >= 0 and self._held_ms >= PEEK_MS:
                lights.glow_end(self._peek, self._held_ms - PEEK_MS)
        elif not self.missed(lights) and self._choice >= 0:
            lights.hint(self._choice, table.clock)
