"""The state of a game: three bytearrays made once, how to read them, and their saved form."""

from engine import FULL
from engine.trace import Trace


def const(value):
    """`value`. In the module that has `NAME = const(number)`, MicroPython's compiler puts the number for the name,
    and the Pico need not look it up (2 us). Imported, it is a name like any other: so a module where each turn
    counts has such lines once more, and a test holds them together."""
    return value


SOUTH = 0
NORTH = 1

# marks[h]: bit 0 the territory's owner, bit 1 lifted in this round, bits 2-3 the claim's owner plus one.
LIFTED = 2
CLAIM = 2  # the shift of the claim's owner
CLAIMED = 4  # a mark of at least this much is a claimed hole

# tally[...]: every number of the state that is not a hole's. Turns take two bytes a player (the low bytes of
# both, then the high ones), the round two.
TAKEN = 0
MOVER = 2
STARTER = 3
QUIET = 4
AGAIN = 5
OVER = 6
TURNS = 8
ROUND = 12
RACE = 18  # 1 while a race opening lasts; two bytes each: seeds in hand, next hole plus one, drops, done
HAND = 19
NEXT = 21
DROPPED = 23
DONE = 25
RACE_FIRST = 27  # who first reached an empty hole, plus one
TALLY = 28

# ... and after these what follows from the position, and is kept because each turn asks for it.
FIRST = 28  # 1 while no turn has been completed in the round
OPENING = 29  # 1 while a player has yet to complete a turn in the round: rules may change with his first
WAYS = 30  # which holes South may claim now, and North: see `_claimable` in engine/selus.py
GAMBIT_DUE = 32  # 1 if the round stands before a gambit (engine/gambit.py)
OWN = 33  # in the Selus family, which holes may be chosen from: see `_configure` in engine/selus.py
DERIVED = 5 + 39

UNKNOWN = 255

# Laps sown before a move is suspected of being endless (engine/endless.py). Random moves take 2 laps, so that hardly
# any pays for the search.
SUSPECT = 16

# What a game's `_sow` adds to the last hole where nothing happens: more than any hole.
QUIET_END = 32

VERSION = 1
SAVED = 96  # bytes of a saved position: fits any board, and a slot of the journal


class State:
    """One board; `seeds`, `marks` and `tally` (see the top of this file) are all there is to a position."""

    NAME = ""
    BOARD = ""
    HOLES = 0
    EACH = 0  # seeds in each hole when a round begins
    ROUNDS = False  # whether a match may have several rounds
    # For the search (engine/search.py): work of a turn and of a drop, in tenths of a unit (`make bench`, on a Pico;
    # games differ by a tenth).
    COST = (280, 16)
    # What counts besides seeds, in quarters of a seed: to be on the move, to have a bonus move / a loose hole, by its
    # seeds (`KINDS` there) / and by its place, from one's own left-hand hole on / a claim, by its place, from the
    # other's left-hand hole on. Of each of the three all or none. (Text takes a quarter of the memory of tuples.)
    VALUES = "0 0 / / /"
    reach = 0  # laps of a move that a search looks at, more than SUSPECT; 0: all

    def __init__(self, trace=None):
        n = self.HOLES
        self.n = n
        self.seeds = bytearray(n)
        self.marks = bytearray(n)
        self.tally = bytearray(TALLY + DERIVED)
        self._own_tally = memoryview(self.tally)[:TALLY]
        self.legal = bytearray(n)
        self.trace = trace or Trace(n)
        # How many holes `legal` holds; UNKNOWN when that must be found out again. Not a plain attribute: with
        # properties in the class, setting one takes 7 us on the Pico, a byte 3 us.
        self._known = bytearray((UNKNOWN,))
        self._scratch = bytearray(n)
        self._kept_marks = bytearray(n)
        self._saved = bytearray(SAVED)
        view = memoryview(self._saved)
        self._saved_seeds = view[2 : 2 + n]
        self._saved_marks = view[2 + n : 2 + 2 * n]
        self._saved_tally = view[2 + 2 * n : 2 + 2 * n + TALLY]

    # ---- reading the state

    @property
    def mover(self):
        return self.tally[MOVER]

    @property
    def starter(self):
        return self.tally[STARTER]

    @property
    def quiet(self):
        return self.tally[QUIET]

    @property
    def again(self):
        return self.tally[AGAIN]

    @property
    def over(self):
        return self.tally[OVER]

    @property
    def round(self):
        return self.tally[ROUND] + 256 * self.tally[ROUND + 1]

    def taken(self, player):
        return self.tally[TAKEN + player]

    def turns(self, player):
        """Turns that `player` has completed in this round, passes too."""
        return self.tally[TURNS + player] + 256 * self.tally[TURNS + 2 + player]

    def claim(self, hole):
        """Who has claimed the hole: 0, 1, or -1 for nobody."""
        return (self.marks[hole] >> CLAIM) - 1

    def owner(self, hole):
        """In whose territory the hole lies: 0 or 1."""
        return self.marks[hole] & 1

    def unmoved(self, hole):
        """1 if the hole has not been lifted in this round."""
        return 0 if self.marks[hole] & LIFTED else 1

    def score(self, player):
        """Seeds taken and seeds in the player's own claims."""
        total = self.tally[TAKEN + player]
        for hole in range(self.n):
            if self.marks[hole] >> CLAIM == player + 1:
                total += self.seeds[hole]
        return total

    def winner(self):
        """0 or 1, whoever has the higher score; -1 for a draw."""
        south = self.score(SOUTH)
        north = self.score(NORTH)
        if south == north:
            return -1
        return SOUTH if south > north else NORTH

    # ---- starting, saving

    def start(self, starter):
        """Put up the first round of a match; `starter` (0 or 1) moves first."""
        half = self.n // 2
        for i in range(TALLY):
            self.tally[i] = 0
        self.tally[ROUND] = 1
        for hole in range(self.n):
            self.marks[hole] = SOUTH if hole < half else NORTH
        self._deal(starter)

    def _deal(self, starter):
        """Begin a round in the territories that `marks` holds."""
        for hole in range(self.n):
            self.marks[hole] &= 1
            self.seeds[hole] = self.EACH
        for i in range(ROUND):
            self.tally[i] = 0
        self.tally[STARTER] = self.tally[MOVER] = starter
        self._written()

    def _written(self):
        """Take notice that `seeds`, `marks` and `tally` have been written."""
        self.trace.clear()
        self.trace.marks = self.marks
        self._known[0] = UNKNOWN
        self._derive()

    def _opening(self):
        """Bring up to date what depends on how many turns have been completed, as long as it may change."""
        tally = self.tally
        south = tally[TURNS] or tally[TURNS + 2]
        north = tally[TURNS + 1] or tally[TURNS + 3]
        tally[FIRST] = 0 if south or north else 1
        tally[OPENING] = 0 if south and north else 1

    # Brings up to date all that follows from the position and is kept because each turn asks for it.
    _derive = _opening

    def save(self, into):
        """Write the position into `into`, a bytearray of SAVED (96) bytes."""
        saved = self._saved
        saved[0] = VERSION
        saved[1] = self.n
        self._saved_seeds[FULL] = self.seeds
        self._saved_marks[FULL] = self.marks
        self._saved_tally[FULL] = self._own_tally
        into[FULL] = saved

    def load(self, saved):
        """Take up a position that `save` wrote, for the same board; ValueError for any other bytes."""
        if len(saved) != SAVED or saved[0] != VERSION or saved[1] != self.n:
            raise ValueError("not a saved position of %s, version %d" % (self.BOARD, VERSION))
        self._saved[FULL] = saved
        self.seeds[FULL] = self._saved_seeds
        self.marks[FULL] = self._saved_marks
        self._own_tally[FULL] = self._saved_tally
        self.trace.marks = self.marks
        self._known[0] = UNKNOWN
        self._derive()

    # ---- for a search (engine/search.py), which comes back to the same position after each of its moves

    def place(self):
        """Room for a position that `keep` keeps. (`save` makes the same of one that is to last: `load` takes ten times
        as long as `back`.)"""
        return bytearray(self.n), bytearray(self.n), bytearray(len(self.tally))

    def keep(self, place):
        """Keep the position in `place`."""
        seeds, marks, tally = place
        seeds[FULL] = self.seeds
        marks[FULL] = self.marks
        tally[FULL] = self.tally

    def back(self, place):
        """Take up again the position kept in `place`. Its legal holes are known to the caller: until the next `play`,
        `moves` knows of none, and `play` takes any loose hole of the mover's."""
        seeds, marks, tally = place
        self.seeds[FULL] = seeds
        self.marks[FULL] = marks
        self.tally[FULL] = tally
        self._known[0] = 0
