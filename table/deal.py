"""Between two rounds: each player's winnings are dealt out, three seeds a hole.

Each fills his own half first, from his left-hand hole; who has more goes on in the other's, where that one stopped.
It is a film for all to see whose holes are whose; then the round begins.
"""

from table.cues import OWNERS
from table.states import State

SEED_MS = 130
HOLE_MS = 3 * SEED_MS
END_MS = 700  # all of it is seen once more
FASTER = 4  # the rest of it after a tap
HAND = 190  # level of the light of a hand that deals: whose it is counts more here than what it has dealt


class Dealing:
    """Draws it, `canvas` as `Scenes` has it; `marks` says whose hole is whose."""

    def __init__(self, n, canvas):
        self.n = n
        self.canvas = canvas
        self.gift = -1  # who gets his last seed from the other
        self._seeds = bytearray(n)
        self._marks = None
        self._south = 0  # holes that are South's
        self._hands = [bytearray(3), bytearray(3)]
        for i in range(6):
            self._hands[1 if i > 2 else 0][i % 3] = (OWNERS[i] + 255) >> 1

    def begin(self, marks, gift):
        """Get ready; returns how long it takes."""
        self._marks = marks
        self.gift = gift
        self._south = 0
        for hole in range(self.n):
            self._south += 1 - (marks[hole] & 1)
        return max(self._south, self.n - self._south) * HOLE_MS + END_MS

    def hole(self, player, k):
        """The k-th hole that a player fills."""
        n = self.n
        if k + k >= n:
            return k + (n - self._south) if player == 0 else k - n // 2 + self._south
        return k if player == 0 else n // 2 + k

    def draw(self, t, clock):
        """What is to be seen at t ms."""
        seeds = self._seeds
        for hole in range(self.n):
            seeds[hole] = 0
        for player in range(2):
            for k in range(self._count(player)):
                x = t - k * HOLE_MS
                if x >= 0:
                    seeds[self.hole(player, k)] = 3 if x >= HOLE_MS else x // SEED_MS + 1
        self.canvas.base(seeds, self._marks, clock, True)
        for player in range(2):
            self._hand(player, t)

    def _count(self, player):
        return self.n - self._south if player else self._south

    def _hand(self, player, t):
        """The hand stays where it deals, and comes to the next hole as it leaves this one."""
        count = self._count(player)
        k = t // HOLE_MS
        if k >= count:
            return
        left = HOLE_MS - (t - k * HOLE_MS)
        level = HAND if left >= SEED_MS else left * HAND // SEED_MS
        giver = 1 - player if self.gift == player and k + 1 == count and left <= SEED_MS else player
        self.canvas.mix(self.hole(player, k), self._hands[giver], 0, level)
        if k + 1 < count:
            self.canvas.mix(self.hole(player, k + 1), self._hands[player], 0, HAND - level)


class Deal(State):
    NAME = "deal"

    def __init__(self, table):
        super().__init__(table)
        self.scene = Dealing(table.n, table.lights)
        self._gift = -1
        self._t = 0
        self._duration = 0
        self._speed = 1

    def note_scores(self):
        """Call it before the next round is put up: who has two seeds over gets the other's one."""
        game = self.table.game
        self._gift = -1
        for player in range(2):
            if game.score(player) % 3 == 2:
                self._gift = player

    def enter(self):
        self._duration = self.scene.begin(self.table.game.marks, self._gift)
        self._t = 0
        self._speed = 1
        self.moving = True

    def about(self):
        game = self.table.game
        return ',"game":"%s","round":%d' % (game.NAME, game.round)

    def tap(self, pad):
        self._speed = FASTER

    def tick(self, dt, now):
        self._t += dt * self._speed
        if self._t >= self._duration:
            self.table.go_on()

    def draw(self, lights, now):
        lights.film(self.scene, self._t, self.table.clock)
