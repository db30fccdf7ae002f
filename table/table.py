"""The state machine between the pads and the games: touches become moves, moves become light.

Everything it needs comes in through the constructor; time comes in through `tick`. It counts the
milliseconds that pass instead of keeping moments, so that it does not care where the clock wraps.
"""

import engine
from table.choose import Choose
from table.grasp import Corners, Grasp
from table.states import Asleep, Attract, Result, equip
from table.touch import MASK, Touch

CLOCK_MS = 4000  # two cycles of the lights' slow clock
# Between two frames while nothing moves. Meanwhile the pads are read, and a touch shows the sooner.
REST_MS = 25
FOREVER = 1 << 28  # counted milliseconds stop here


class Table:
    """`lights` draws; `settings` is a `Settings`; `log(text)` takes pieces of lines, or is None;
    `collect()` is called between turns, when a pause is not seen;
    `speaker` plays notes (`hardware/sound.py`), or is None; `remember()` makes a `Memory` (table/memory.py); None: what
    happens is not kept. `open_show(table)`, to be set once all is loaded, makes what *attract* plays (table/show.py);
    while it is None these are embers."""

    def __init__(self, lights, settings, log=None, collect=None, speaker=None, remember=None):
        self.n = settings.holes
        self.lights = lights
        self.settings = settings
        self.log = log
        self.idle_ms = 1000 * settings.idle_s
        self._sleep_ms = 0 if settings.exhibit else 60_000 * settings.sleep_min
        self._collect = collect
        self.open_show = None
        self.dead = bytearray(self.n)
        self.games = settings.games
        self.offered = 0  # a bit for each entry of them that visitors may choose; 0: all
        self.brightness = settings.brightness
        self.wishes = 0  # see table/states.py
        self._first = 0  # who started the match
        self.now = 0
        self._ticked = False
        self.clock = 0
        self.age = 0  # ms in this state
        self.silence = 0  # ms without a touch
        self._deaf_from = 0
        self._deaf_ms = 0
        self._undrawn = FOREVER  # ms since the last frame
        self.touched = False  # since the last frame
        self.level = 0  # how strongly the computer plays, 1 to 3; 0: two people play
        self.person = 0  # which side, South (0) or North (1), is the one person's then
        self.touch = Touch(self.n, settings.tap_ms, self._lit)
        self.grasp = Grasp(self)
        self.corners = Corners(self)
        self.attract = Attract(self)
        self.choose = Choose(self)
        self.result = Result(self)
        self.asleep = Asleep(self)
        self.play = self.deal = self.race = self.staff = self.sounds = self.opponent = None
        from table.loading import Loading  # here, since the board lets go of that module

        self.memory = None
        self.recalling = remember is not None  # after power-up: perhaps there is a game to go on with
        self._loading = Loading(remember, speaker)
        self.state = self.attract
        self.trace = None
        self.made = -1  # the entry whose game there is
        self.game = None

    def load(self):
        """Load the next piece of what it takes to play; False once all is there. To be called while nobody touches the
        board; who is quicker than that waits for the rest when the game begins."""
        if self._loading and not self._loading.step(self):
            self._loading = None
        return self._loading is not None

    # ---- what the pads report

    def press(self, pad, strength, now):
        self.silence = 0
        self.touched = True
        self.touch.deaf = self._deaf_ms > 0 and (now - self._deaf_from) & MASK < self._deaf_ms
        if self.touch.press(pad, strength, now) and not self.touch.deaf:
            self.state.press(pad)

    def release(self, pad, now):
        self.silence = 0
        self.touch.release(pad, now)

    def out_of_order(self, pad, yes):
        if self.dead[pad] != yes:
            self.dead[pad] = yes
            self.touch.lose(pad, self.now)
            self.redraw()
            if self.log:
                self._note_pad(pad, yes)
            self.state.pads_changed()

    def _lit(self, pad):
        return self.state.lit(pad)

    # ---- time

    def tick(self, now):
        """Let time pass until `now`; True if `lights.frame` has changed."""
        dt = (now - self.now) & MASK if self._ticked else 0
        self._ticked = True
        self.now = now
        self.clock = (self.clock + dt) % CLOCK_MS
        self.age = min(self.age + dt, FOREVER)
        self.silence = 0 if self.touch.count else min(self.silence + dt, FOREVER)
        if (now - self._deaf_from) & MASK >= self._deaf_ms:
            self._deaf_ms = 0
        memory = self.memory
        if memory and self.silence < self.idle_ms and self.state.PLAYED:
            memory.play(dt)
        pad = self.touch.tap(now)
        while pad >= 0:
            if memory and self.state is not self.staff:
                memory.tap()
            self.state.tap(pad)
            pad = self.touch.tap(now)
        self.state.tick(dt, now)
        if self.state.STAFF and self.corners.tick(dt):
            self.corners.open_staff()
        if self._sleep_ms and self.silence >= self._sleep_ms and self.state is not self.asleep:
            self.set_aside(self.asleep)
        self._undrawn = min(self._undrawn + dt, FOREVER)
        if self._undrawn >= REST_MS or self.state.moving:
            self._undrawn = 0
            self.lights.clear()
            self.state.draw(self.lights, now)
            if self.state.STAFF:
                self.corners.draw(self.lights)
        elif not self.touched:
            return False
        # A touch alone is laid over the frame there is: all of it anew would take three times as long.
        self.touched = False
        return self._finish(now)

    def _finish(self, now):
        lights = self.lights
        touch = self.touch
        shine = self.state.shine
        if touch.known and shine:
            for pad in range(self.n):
                level = touch.level(pad, now)
                if level:
                    lights.press(pad, level * shine >> 8)
        return lights.finish(now)

    # ---- from state to state

    def go(self, state):
        """Leave the present state for another one, from its beginning."""
        self._go(state)
        state.enter()

    def _go(self, state):
        self.state.leave()
        self.age = 0
        self.deafen(state.DEAF_MS)
        self._change(state)

    def deafen(self, ms):
        """Ignore presses from now on for so long."""
        self._deaf_from = self.now
        self._deaf_ms = ms

    def _change(self, state):
        self.state = state
        self.touch.turn_over()
        self.touch.any_length = state.ANY_LENGTH
        self.redraw()
        if self.log:
            self.note('{"state":"%s"%s}' % (state.NAME, state.about()))

    def invite(self):
        """Somebody wants to play: *choose*, or the only game there is."""
        self.choose.begin()

    def make(self, index):
        """Make the game of that entry. One at a time, and nothing before it is asked for: a game takes some 2 kB of the
        Pico's heap, and its rules, a race and the dealing between rounds 1 to 6 kB."""
        if index == self.made:
            return
        self.made = index
        self.game = None
        self.tidy()
        name, options = self.games[index]
        kind = engine.find(name).variant(options)
        if self.settings.exhibit and "rounds" in kind.OPTIONS and "rounds" not in options:
            options["rounds"] = "1"  # an exhibit plays one round, unless it says otherwise
        self.game = kind(options, self.trace)

    def sit(self, pad):
        """One person would have the side of that pad."""
        self.person = 2 * pad // self.n

    def start(self, index):
        """A match of the game of that entry; South begins, or the only person."""
        state = self.state
        while self.load():
            pass
        if self.state is not state:
            return  # for the game that a power cut had ended has been put up
        self.attract.show = None  # 5 kB of a Pico's heap
        self.make(index)
        self._first = self.person if self.level else 0
        self._start()

    def _start(self):
        """A match begins."""
        self.game.start(self._first)
        if self.memory:
            self.memory.start(self, self._first)
        self.go_on()

    def play_on(self):
        """After a round: the next one, or after a match another one in which the other player begins."""
        if self.game.match_over:
            self._first = 1 - self._first
            self._start()
        else:
            self.deal.note_scores()
            self.game.next()
            if self.memory:
                self.memory.next_round()
            self.go(self.deal)

    def go_on(self):
        """A round begins, or after its race the play."""
        equip(self)
        self.go(self.race if self.game.race else self.play)

    def take_up(self, first):
        """Go on with a game after power-up; `game` and the history of *play* are as they were. `first`: who began the
        match."""
        self._first = first
        equip(self)
        if self.game.race:
            self.go(self.race)
        else:
            self._go(self.play)
            self.play.take_up()

    def give_up(self, why, state):
        """The game is given up for that state; `why` as table/memory.py has it."""
        if self.memory:
            self.memory.left(why)
        if state is self.choose:
            self.invite()
        else:
            self.go(state)

    def set_aside(self, state):
        """Go to an `Aside`; `resume` leads back."""
        state.state = self.state
        state.age = self.age
        self._change(state)

    def resume(self):
        """All is as it was."""
        aside = self.state
        self.age = aside.age
        self._change(aside.state)
        self.state.pads_changed()

    # ---- for the states

    def report(self):
        """Log what is going on, for somebody who has just begun to listen."""
        if self.log:
            for pad in range(self.n):
                if self.dead[pad]:
                    self._note_pad(pad, 1)
            self.note('{"state":"%s"%s}' % (self.state.NAME, self.state.about()))
            if self.state.PLAYED:
                self.tell_position()

    # What the line protocol writes: loaded only where somebody listens.

    def tell_position(self):
        if self.log:
            from engine.protocol import write_position

            write_position(self.log, self.game)

    def tell_turn(self):
        """The last move."""
        if self.log:
            from engine.protocol import write_turn

            write_turn(self.log, self.game)

    def _note_pad(self, pad, yes):
        self.note('{"pad":%d,"out_of_order":%d}' % (pad, yes))

    def note(self, line):
        """A line of the log."""
        if self.log:
            self.log(line)
            self.log("\n")

    def redraw(self):
        """What is to be seen has changed: do not wait for the next frame."""
        self._undrawn = FOREVER

    def wrong(self):
        """A tap on what cannot be chosen."""
        if self.memory:
            self.memory.wrong()
        if self.sounds:
            self.sounds.no()

    def make_room(self, least):
        """Now is a good time to make room in the journal, if fewer records than this are free; not while a game waits
        there to be put up again, for it would be lost."""
        if self.memory and not self.recalling and self.memory.journal.free < least:
            self.memory.make_room(self)

    def tidy(self):
        """A turn is over: now is the time for what takes time."""
        if self._collect:
            self._collect()
