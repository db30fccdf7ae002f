"""The computer at the table: its moves against one person, and the hint for a person who waits. Loaded when one of
them is wanted.

It thinks in slices, one in each pass of the loop: in between touches are answered, and its ripple goes on.
"""

from engine.search import Search

SLICE = 1100  # units of work in a pass
MASK = 0x1FFFFFFF


class Opponent:
    """Chooses for the players of `table`'s game: `take(game)` when there is another one, `begin(level)` when a choice
    is wanted, then `think()` until that is False: `hole` is the choice."""

    def __init__(self, table):
        self.table = table
        self._game = self._search = None
        self._thinks = False
        self._kept = bytearray(3 * table.n)  # the position as it was drawn last,
        self._key = -1  # and for which part of the clock

    def take(self, game):
        """Get ready for that game. This alone takes memory, 2 kB."""
        if self._game is not game:
            self._game = self._search = None
            self._search = Search(game)
            self._game = game

    def begin(self, level):
        """Think about the mover's choice."""
        table = self.table
        game = self._game
        seed = table.now + 4099 * (game.turns(0) + game.turns(1)) & MASK
        self._search.begin(game, level, seed)
        self._thinks = True

    def think(self):
        """A slice of it; False once all is thought. A touch that has just come is answered first."""
        if self._thinks and not self.table.touched:
            self._thinks = self._search.think(SLICE)
        return self._thinks

    @property
    def hole(self):
        return self._search.hole

    # ---- light

    def mark(self):
        """Draw the position anew: it has changed."""
        self._key = -1

    def draw(self, lights, flags, t):
        """The computer's turn, for `t` ms by now."""
        game = self._game
        self._key = lights.still(game.seeds, game.marks, flags, self.table.clock, self._kept, self._key)
        self.ripple(lights, t, 256)

    def ripple(self, lights, t, level):
        lights.ripple(1 - self.table.person, self._game.seeds, t, level)
