"""The record of one move: small enough to keep, whole enough to replay every drop.

No lap of it is written down. A lap begins where the last seed of the one before fell, with all the seeds that lie
there, so the seeds before the move, the hole chosen, `gambit`, `skips` and the number of laps say it all:
`engine.replay` finds each drop again from these, without knowing the game.
"""

# 196 laps were seen in 238,000 random turns, and 27,581 in an endless one. The lights show so many at most.
LAPS = 128


class Trace:
    """What one `Game.play` did. (No properties: with one, MicroPython takes 7 us instead of 3 to set any attribute.)

    before   bytearray(holes): seeds before the move
    marks    the game's own marks: whose territory a hole is, for `skips`
    start    the hole chosen; it lies in the mover's territory
    skips    the player whose holes of exactly two were passed over, or -1
    count    laps in all
    drops    seeds sown in all, those too that it took to find a move endless
    room     how many of them a replay in short shows
    last     the hole where the last seed fell
    landed   bytearray(holes): seeds when the last lap was sown, before takes; only where count > room
    gambit   bit mask of the holes that gave one seed each to the first lap, or 0
    claim    the hole claimed, or -1
    takes    how many pairs (hole, seeds) `took` holds, in ascending ring order
    endless  the hole that would have been lifted for ever, or -1
    bonus    1: the same player chooses again
    forgone  1: a bonus move could not be made
    over     1: the round ended
    passes   how many turns were passed after the move
    dirty    bit 0: a claim, takes, a bonus or passes are noted; bit 1: anything else from `gambit` on. Most moves find
             nothing to forget
    """

    def __init__(self, holes, room=LAPS):
        self.before = bytearray(holes)
        self.landed = bytearray(holes)
        self.took = bytearray(holes)  # in Lamlameta up to 12 holes are taken at once: 12 pairs
        self.marks = None
        self.room = room
        self.clear()

    def clear(self):
        """Forget the last move; `before` is the game's to fill."""
        self.start = 0
        self.skips = -1
        self.last = 0
        self.count = 0
        self.drops = 0
        self.forget()

    def forget(self):
        """Forget what few moves bring about; all else is written anew by each."""
        self.dirty = 0
        self.gambit = 0
        self.claim = -1
        self.takes = 0
        self.endless = -1
        self.bonus = 0
        self.forgone = 0
        self.passes = 0
        self.over = 0

    def sown(self, count, seeds):
        """A move of many laps has been sown: `count` in all, which left `seeds`."""
        self.count = count
        if count > self.room:
            for hole in range(len(seeds)):
                self.landed[hole] = seeds[hole]

    def take(self, hole, seeds):
        """Note that the mover took `seeds` from `hole`."""
        i = 2 * self.takes
        self.took[i] = hole
        self.took[i + 1] = seeds
        self.takes += 1
        self.dirty |= 1
