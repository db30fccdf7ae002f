"""The record of one move, lap by lap: small enough to keep, whole enough to replay every drop.

A lap is two bytes (the hole lifted, the seeds lifted): the drops in between follow from the seeds before the
move and from `skips`, so `engine.replay` finds each of them again without knowing the game.
"""

# 196 laps were seen in 238,000 random turns, and no greatest number is known. 128 laps take 256 bytes; a
# longer turn is played right all the same, but only its first 128 laps are kept here.
LAPS = 128


class Trace:
    """What one `Game.play` did. (No properties: with one, MicroPython takes 7 us instead of 3 to set any attribute.)

    before   bytearray(holes): seeds before the move
    marks    the game's own marks: whose territory a hole is, for `skips`
    mover    0 South, 1 North
    skips    the player whose holes of exactly two were passed over, or -1
    last     the hole where the last seed fell
    count    laps in all; `laps` holds the first `kept` of them as pairs (hole, seeds lifted)
    kept     the smaller of `count` and `room`
    landed   bytearray(holes): seeds when the last lap was sown, before takes; only where count > kept
    gambit   bit mask of the holes that gave one seed each to the first lap, or 0
    claim    the hole claimed, or -1
    takes    how many pairs (hole, seeds) `took` holds, in ascending ring order
    endless  the hole that would have been lifted for ever, or -1
    bonus    1: the same player chooses again
    forgone  1: a bonus move could not be made
    over     1: the round ended
    passes   how many turns were passed after the move
    dirty    1 if anything from `gambit` on is not as `clear` leaves it: most moves skip the clearing
    """

    def __init__(self, holes, room=LAPS):
        self.before = bytearray(holes)
        self.landed = bytearray(holes)
        self.laps = bytearray(2 * room)
        self.took = bytearray(holes)  # in Lamlameta up to 12 holes are taken at once: 12 pairs
        self.marks = None
        self.room = room
        self.clear()

    def clear(self):
        """Forget the last move; `before` is the game's to fill."""
        self.mover = 0
        self.skips = -1
        self.last = 0
        self.count = 0
        self.kept = 0
        self.dirty = 0
        self.gambit = 0
        self.claim = -1
        self.takes = 0
        self.endless = -1
        self.bonus = 0
        self.forgone = 0
        self.passes = 0
        self.over = 0

    def take(self, hole, seeds):
        """Note that the mover took `seeds` from `hole`."""
        i = 2 * self.takes
        self.took[i] = hole
        self.took[i + 1] = seeds
        self.takes += 1
        self.dirty = 1
