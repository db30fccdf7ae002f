"""*Race*: a round that both players open at once, each as fast as his hand.

Each lifts a hole of his own by a tap; three pulses of the board start the race; from then on each press on a
player's next hole drops a seed, until both are done. Whoever does not come to it is helped on.
"""

from table.cues import LEGAL
from table.lights import NO_MS
from table.playing import STRANDED_MS, Playing
from table.states import about
from table.touch import FULL

DEAF_MS = 500  # mashing must not lift
SILENCE_MS = 8000  # then a player's lowest hole lifts itself, and seeds drop by themselves,
AUTO_MS = 700  # one in so long
LIFT_MS = 700  # the computer lifts so long after its opponent
PULSE_MS = 600
PULSES = 3
ORDER = 64  # bytes: 200 drops of each player and the lap that is not over then, of 54 seeds at most

# A touch's light in the race, of 256: with two hands dropping, more of it would be held back by the limiter of
# flashes, and the glow of the next holes with it.
SHINE = 72

LIFTING = 0
STARTING = 1
DROPPING = 2


class Race(Playing):
    NAME = "race"
    DEAF_MS = DEAF_MS
    STAFF = False

    def __init__(self, table):
        super().__init__(table)
        self._phase = LIFTING
        self._t = 0  # of the pulses
        self._idle = [0, 0]  # ms for which a player has not touched his holes, or not dropped himself
        self._since = [0, 0]  # ms since his last drop, by whomever
        self._pace = 0  # ms until the computer's next drop
        self._last = 1  # who had the last one: the other waits longer
        self._pressed = 0  # a bit for each hole pressed since the last tick
        self._lifted = bytearray(2)  # which holes were lifted
        self._order = bytearray(ORDER)  # a bit for each drop: whose it was
        self._drops = 0
        self._wrong = -1  # a hole that was tapped in vain, and when
        self._wrong_ms = 0

    def enter(self):
        """A round begins; `table.game` stands at its first position."""
        table = self.table
        self._phase = LIFTING
        self._idle[0] = self._idle[1] = 0
        self._drops = 0
        self._wrong = -1
        self.shine = FULL
        table.grasp.begin()
        table.corners.begin()
        table.tell_position()
        self._mark()
        table.tidy()

    def leave(self):
        self.table.touch.every = False

    def about(self):
        game = self.table.game
        return ',"game":"%s","round":%d' % (game.NAME, game.round) + about(self.table)

    # ---- holes and pads

    def _lifts(self, player):
        """Whether this player has yet to lift."""
        return self._phase == LIFTING and self.table.game.next_drop(player) < 0

    def lit(self, pad):
        """Whose hole a tap would lift, plus one: two hands that lift at once are no hand that touches two pads."""
        hole = self.hole(pad)
        return 1 + self.table.game.owner(hole) if self._phase == LIFTING and self.legal(hole) else 0

    def pads_changed(self):
        self._mark()

    def _mark(self):
        """What is to be seen of each hole besides its seeds."""
        game = self.table.game
        flags = self.flags
        self.mark_ground()
        for player in range(2):
            if not self.human(player):
                continue
            if self._lifts(player):
                for hole in range(self.table.n):
                    if game.may_lift(player, hole):
                        flags[hole] |= LEGAL
            elif self._phase == DROPPING:
                hole = game.next_drop(player)
                if hole >= 0:
                    flags[hole] |= LEGAL

    def _lowest(self, player):
        hole = 0
        while not self.table.game.may_lift(player, hole):
            hole += 1
        return hole

    def _stranded(self, player):
        """Whether no pad lifts any of this player's holes."""
        game = self.table.game
        for hole in range(self.table.n):
            if game.may_lift(player, hole) and not self.out_of_reach(hole):
                return False
        return True

    # ---- what fingers do

    def tap(self, pad):
        if self._phase == LIFTING:
            game = self.table.game
            hole = self.hole(pad)
            if self.legal(hole):
                self._idle[0] = self._idle[1] = 0  # the other one's silence begins anew
                self._lift(game.owner(hole), hole)
            elif self._lifts(game.owner(pad)):
                self._wrong = pad
                self._wrong_ms = 0
                self.table.wrong()

    def press(self, pad):
        if self._phase == DROPPING:
            self._pressed |= 1 << pad

    def _lift(self, player, hole):
        game = self.table.game
        sounds = self.table.sounds
        if sounds:
            sounds.lift(player)
        self._lifted[player] = hole
        self._dropped(player, -1, hole, game.drop(player, hole))
        if not self._lifts(0) and not self._lifts(1):
            self._phase = STARTING
            self._t = 0
            if sounds:
                sounds.pulse(False)
            self.table.touch.turn_over()
        self._mark()

    def _drop(self, player):
        game = self.table.game
        hole = game.next_drop(player)
        if self.table.sounds:
            self.table.sounds.seed(game.seeds[hole] + 1)
        at = self._drops
        byte = self._order[at >> 3] & ~(1 << (at & 7))
        self._order[at >> 3] = byte | player << (at & 7)
        self._drops = at + 1
        self._dropped(player, hole, hole, game.drop(player))
        self._mark()
        if not game.race:
            if self.table.memory:
                self.table.memory.race(game, self._lifted, self._order, at + 1)
            self.table.go_on()

    def _dropped(self, player, hole, lifted, did):
        table = self.table
        self._last = player
        self._since[player] = 0
        if table.log:
            from engine.protocol import write_drop

            write_drop(table.log, table.game, player, did, hole, lifted)
        table.redraw()

    # ---- time

    def tick(self, dt, now):
        if self.given_up(dt):
            return
        for player in range(2):
            self._idle[player] += dt
            self._since[player] += dt
        if self._phase == LIFTING:
            self._wrong_ms += dt
            if self._wrong_ms >= NO_MS:
                self._wrong = -1
            self._wait()
        elif self._phase == STARTING:
            pulse = self._t // PULSE_MS
            self._t += dt
            if self.table.sounds and self._t // PULSE_MS > pulse:
                self.table.sounds.pulse(self._t // PULSE_MS >= PULSES)
            if self._t >= PULSES * PULSE_MS:
                self._start()
        else:
            self._serve()
            self._help()

    def _wait(self):
        """Whoever touches none of his holes gets the lowest. The computer lifts after him."""
        table = self.table
        game = table.game
        idle = self._idle
        if table.touch.count:
            for pad in range(table.n):
                if table.touch.down[pad]:
                    idle[game.owner(pad)] = 0
        for player in range(2):
            if not self._lifts(player):
                continue
            if not self.human(player):
                if not self._lifts(1 - player) and self._since[1 - player] >= LIFT_MS:
                    self._lift(player, table.opponent.choose(player, table.level))
            elif idle[player] >= STRANDED_MS:
                if idle[player] >= SILENCE_MS or self._stranded(player):
                    self._lift(player, self._lowest(player))

    def _start(self):
        touch = self.table.touch
        self._phase = DROPPING
        self._pressed = 0
        for player in range(2):
            self._idle[player] = self._since[player] = 0
        if self.table.level:
            self._pace = self.table.opponent.ms(self.table.level)
        touch.turn_over()
        touch.every = True
        self.shine = SHINE
        self._mark()
        self.table.redraw()

    def _serve(self):
        """Each hole that was pressed drops for the player who waits there; of two the one who waits longer."""
        while self._pressed:
            player = 1 - self._last
            if not self._hit(player):
                player = self._last
                if not self._hit(player):
                    self._pressed = 0
                    return
            self._idle[player] = 0
            self._drop(player)

    def _hit(self, player):
        """Whether the player's next hole has been pressed; it is not any more."""
        hole = self.table.game.next_drop(player)
        if hole < 0 or not self.human(player) or not self._pressed >> hole & 1:
            return False
        self._pressed ^= 1 << hole
        return True

    def _help(self):
        """A player who does not drop is dropped for, and so is one whose next pad is dead. The computer has a hand of
        its own."""
        table = self.table
        for player in range(2):
            hole = table.game.next_drop(player)
            if hole < 0:
                continue
            if not self.human(player):
                if self._since[player] >= self._pace:
                    self._pace = table.opponent.ms(table.level)
                    self._drop(player)
            elif self._idle[player] >= SILENCE_MS:
                self._idle[player] = SILENCE_MS - AUTO_MS
                self._drop(player)
            elif table.dead[hole] and self._since[player] >= table.settings.drop_ms:
                self._drop(player)

    # ---- light

    def draw(self, lights, now):
        table = self.table
        game = table.game
        lights.rest(game.seeds, game.marks, self.flags, table.clock)
        if self._wrong >= 0:
            lights.no(self._wrong, self._wrong_ms)
            lights.swell(self.flags, self._wrong_ms)
        if self._phase == STARTING:
            lights.pulse(game.marks, self._t % PULSE_MS, PULSE_MS)
        shared = game.next_drop(0) == game.next_drop(1)
        for player in range(2):
            hole = game.next_drop(player)
            if hole >= 0 and not (shared and player == self._last):
                lights.next_drop(hole, player, table.clock, self._phase == DROPPING)
        self.missed(lights)
        table.grasp.draw(lights)
