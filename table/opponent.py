"""The computer at the table: its moves against one person, and the hint for a person who waits. Loaded when one of
them is wanted.

It thinks in slices, one in each pass of the loop: in between touches are answered, and its ripple goes on.
"""

from engine.search import Search

# A slice is as long as makes a pass of the loop take so many ms, 27 with 18 pads and 30 with 24, which take longer to
# be read: a touch is then answered within some 50, and the ripple has its 30 frames a second. On a Pico with pads on
# bare pins that is some 900 units of work, or 700.
PASS_MS = (27, 30)
WORK = 800  # of the first slice; of each later one, STEP less or more,
STEP = 25
LEAST = 200  # but so many at least,
MOST = 4000  # and at most
MASK = 0x1FFFFFFF
MANY = 200  # drops, after which a sowing is as long as any


class Opponent:
    """Chooses for the players of `table`'s game: `take(game)` when there is another one, `begin(level)` when a choice
    is wanted, then `think(dt)` until that is False: `hole` is the choice."""

    def __init__(self, table):
        self.table = table
        self._game = self.search = None
        self._doing = False
        self._work = WORK
        self._count = 0
        self._scratch = bytearray(3 * table.n)  # the position as it was drawn last,
        self._stage = -1  # and for which part of the clock

    def take(self, game):
        """Get ready for that game. This alone takes memory, 2 kB."""
        if self._game is not game:
            self._game = self.search = None
            self.search = Search(game)
            self._game = game

    def begin(self, level):
        """Think about the mover's choice."""
        table = self.table
        game = self._game
        seed = table.now + 4099 * (game.turns(0) + game.turns(1)) & MASK
        self.search.begin(game, level, seed)
        self._doing = True

    def think(self, dt):
        """A slice of it, `dt` ms after the pass before; False once all is thought. A touch that has just come is
        answered first."""
        if self._doing and not self.table.touched:
            ms = PASS_MS[0 if self.table.n == 18 else 1]
            if dt > ms:
                self._work = max(self._work - STEP, LEAST)
            elif dt < ms:
                self._work = min(self._work + STEP, MOST)
            self._doing = self.search.think(self._work)
        return self._doing

    @property
    def hole(self):
        return self.search.hole

    # ---- a race

    def choose(self, player, level):
        """The hole that it lifts. Level 1: any; else the one whose sowing would be over first, were it not for the
        other player's: who comes to an empty hole first moves first."""
        game = self._game
        found = -1
        least = 0
        for hole in range(game.n):
            if game.may_lift(player, hole):
                drops = self._random(1000) if level == 1 else self._sow(hole)
                if found < 0 or drops < least:
                    found = hole
                    least = drops
        return found

    def _sow(self, hole):
        """How many seeds drop if that hole alone is sown."""
        n = self._game.n
        seeds = self._scratch
        self._stage = -1
        for i in range(n):
            seeds[i] = self._game.seeds[i]
        count = 0
        while count < MANY:
            hand = seeds[hole]
            seeds[hole] = 0
            count += hand
            while hand:
                hole = hole + 1 if hole + 1 < n else 0
                seeds[hole] += 1
                hand -= 1
            if seeds[hole] == 1:
                break
        return count

    def ms(self, level):
        """ms from one of its drops to the next."""
        return (800, 520, 340)[level - 1] + self._random((500, 160, 40)[level - 1])

    def _random(self, most):
        self._count = (self._count * 1109 + 12345 + self.table.now) & 0xFFFF
        return (self._count >> 4) % most

    # ---- light

    def mark(self):
        """Draw the position anew: it has changed."""
        self._stage = -1

    def draw(self, lights, flags, t):
        """The computer's turn, for `t` ms by now."""
        game = self._game
        self._stage = lights.keep(game.seeds, game.marks, flags, self.table.clock, self._scratch, self._stage)
        self.ripple(lights, t, 256)

    def ripple(self, lights, t, level):
        lights.ripple(1 - self.table.person, self._game.seeds, t, level)
