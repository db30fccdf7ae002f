"""*Play*: taps become moves, a move becomes an animation, and what else fingers can do meanwhile."""

from table.cues import END, LEGAL, START, TWICE
from table.history import History
from table.lights import NO_MS
from table.playing import STRANDED_MS, Playing

DEAF_MS = 500  # at the beginning: mashing must not move
FASTER = 4  # the rest of an animation after a tap

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
        self._t = 0  # of the animation,
        self._duration = 0
        self._speed = 1
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
        return ',"game":"%s","mover":%d' % (game.NAME, game.mover)

    def leave(self):
        self._tell()

    def human(self, player):
        """Whether a person plays that side. There is no opponent yet."""
        return True

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
            flags[self._start] |= START | TWICE if table.settings.takeback else START
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
        self._speed = 1
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
        self._mark()
        table = self.table
        table.redraw()
        table.tidy()
        if table.sounds:
            table.sounds.turn(table.game.mover)

    def _tell(self):
        """Log the last move. After its animation, since a long one takes a while to write."""
        if not self._told:
            self._told = True
            self.table.tell_turn()

    def _take_back(self):
        table = self.table
        if table.memory:
            table.memory.back()
        if self.history.back(table.game):
            self._show()
        else:
            self._start = self._end = -1
        table.touch.turn_over()
        table.note('{"takeback":1}')
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
            if self._t >= self._duration:
                self._landed()
            return
        self._wrong_ms += dt
        if self._wrong_ms >= NO_MS:
            self._wrong = -1
        self._hold(now)
        table.make_room(LITTLE)
        if self._stranded:
            self._stranded_ms += dt
            if self._stranded_ms >= STRANDED_MS:
                self._move(table.game.legal[0])

    def _hold(self, now):
        table = self.table
        touch = table.touch
        pad = touch.hold(now)
        if pad != self._pad:
            self._pad = pad
            if pad >= 0:
                start = self._start
                self._backs = False
                if table.settings.takeback and start >= 0:
                    self._backs = pad == start or (table.dead[start] and pad == self.partner(start))
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
            lights.motion(self._t, clock)
            if table.sounds:
                table.sounds.follow(now, self._speed)
        elif self._pad >= 0 and self._backs and held >= BACK_AFTER_MS:
            lights.motion(self._duration - self._duration * (held - BACK_AFTER_MS) // BACK_MS, clock)
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
        else:
            self.missed(lights)
