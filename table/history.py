"""The positions before the last choices, so that they can be taken back."""

from engine.state import SAVED

CHOICES = 16


class History:
    """A ring of `room` choices: the position before each, and the hole."""

    def __init__(self, room=CHOICES):
        self.room = room
        self.count = 0
        self._last = 0
        self._holes = bytearray(room)
        self._movers = bytearray(room)  # whose choices they were
        self._saved = [bytearray(SAVED) for _ in range(room)]

    def clear(self):
        """A new round: there is nothing to go back to."""
        self.count = 0

    def note(self, game, hole):
        """Call it before `game.play(hole)`; the oldest choice is forgotten when there is no more room."""
        self._last = (self._last + 1) % self.room
        game.save(self._saved[self._last])
        self._holes[self._last] = hole
        self._movers[self._last] = game.mover
        if self.count < self.room:
            self.count += 1

    @property
    def before(self):
        """The position before the last choice."""
        return self._saved[self._last]

    @property
    def hole(self):
        """The hole that was chosen last."""
        return self._holes[self._last]

    def first(self):
        """The position before all choices that are remembered."""
        return self._saved[(self._last - self.count + 1) % self.room]

    def holes(self):
        """Those choices."""
        first = self._last - self.count + 1
        return bytes([self._holes[(first + i) % self.room] for i in range(self.count)])

    def since(self, player):
        """How many choices there have been from that player's last one on; 0 if none of his is remembered."""
        for i in range(self.count):
            if self._movers[(self._last - i) % self.room] == player:
                return i + 1
        return 0

    def back(self, game):
        """Put `game` before the last choice, and forget that choice.

        Returns whether `game.trace` holds the choice before it again: it is made by playing that one anew.
        """
        game.load(self.before)
        self.count -= 1
        self._last = (self._last - 1) % self.room
        if not self.count:
            return False
        game.load(self.before)
        game.play(self.hole)
        return True
