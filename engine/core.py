"""What follows a choice of hole in every game: sowing, endless sowing, passing, the end of turn and round.

A game is a subclass that says which holes may be chosen (`_moves`), where a lap ends (`_sow`), what its last
seed does (`_finish`) and when a round is over (`_ended`). Nothing here or there allocates once it is made.
"""

from engine import is_whole
from engine.endless import sow_on
from engine.state import CLAIMED, FULL, OVER, SOUTH, TAKEN, State, const

# What `_finish` answers: nothing happened, seeds were taken or a hole claimed, and a bonus move besides.
NOTHING = 0
GAIN = 1
BONUS = 2

# Those of `engine.state` that each turn needs, once more: see `const` there.
_MOVER = const(2)
_QUIET = const(4)
_AGAIN = const(5)
_TURNS = const(8)
_FIRST = const(28)
_OPENING = const(29)
_UNKNOWN = const(255)
_QUIET_END = const(32)
_SUSPECT = const(16)

# What `_moves` adds to its count where not every loose hole of the mover is legal: more than any count.
PART = const(32)

QUIET_LIMIT = const(100)


class Game(State):
    """One game on one board, made by `engine.make`. A game says for itself:"""

    # _configure()                  turn the options into what the rules look at
    # _moves()                      fill `legal`, return how many, plus PART unless these are all the mover's holes
    #     with loose seeds
    # _sow(seeds, hole, lap, stop)  sow from `hole` as lap number `lap`, relaying until the move ends or `stop`
    #     laps have been sown, on the given seeds. Returns the hole where the last seed ended the sowing, plus
    #     QUIET_END if it does nothing there (`_finish` need not be called then), or, at `stop`, -1 minus the hole
    #     to be lifted next. Notes the number of laps in the trace, lifted holes in `marks`, and with lap 0 what
    #     holds for the whole move (`skips`, `gambit`)
    # _finish(hole, mover)          the last seed fell in `hole`: claim, take; NOTHING, GAIN, or GAIN | BONUS
    # _ended()                      whether the round is over, now that the mover cannot move; what its end awards
    #     is given out first
    # (Not as methods that raise: each would take 150 bytes of the Pico's heap.)

    races = False  # whether each round opens with a race (engine/race.py)
    race = 0  # 1 while it lasts
    # Methods that every turn calls are kept in the object itself: on the Pico, calling one takes 11 us, and 20 to 26
    # where it must be looked for in the class and those it inherits from.
    BOUND = ("moves", "play", "keep", "back", "_may", "_moves", "_sow", "_finish", "_opening", "_ended")
    OPTIONS = {}  # option: allowed values as strings, the default first; "N" stands for any whole number

    def __init__(self, options=None, trace=None):
        super().__init__(trace)
        self.options = self.whole(options or {})
        self._configure()
        for name in self.BOUND:
            setattr(self, name, getattr(self, name))
        self.start(SOUTH)

    @classmethod
    def whole(cls, options):
        """All options of the game, those given and the defaults of the others; ValueError for a wrong one."""
        found = {}
        for name in cls.OPTIONS:
            found[name] = cls.OPTIONS[name][0]
        for name in options:
            if name not in found:
                known = ", ".join(sorted(found))
                raise ValueError("%s has no option %s; it has %s" % (cls.NAME, name, known))
            value = options[name]
            allowed = cls.OPTIONS[name]
            if "N" in allowed and is_whole(value):
                value = str(int(value))
            elif "N" in allowed:
                raise ValueError("%s=%s: a whole number from 0 to 9999 is allowed" % (name, value))
            elif value not in allowed:
                raise ValueError("%s=%s: allowed are %s" % (name, value, ", ".join(allowed)))
            found[name] = value
        return found

    @classmethod
    def variant(cls, options):
        """The class that plays this game with these options."""
        return cls

    @property
    def match_over(self):
        """1 when no round follows."""
        return self.over

    def put_up(self):
        """Take notice that a position has been written into `seeds`, `marks` and `tally` from outside.

        ValueError if this game cannot come to it, its numbers being right in themselves.
        """
        self._written()

    def next(self):
        """Begin the next round; ValueError while there is none to begin."""
        raise ValueError("%s is one round: start a new game" % self.NAME)

    # ---- playing

    def moves(self):
        """Write the holes that the mover may choose into `legal`, ascending; return how many."""
        count = self._known[0]
        if count == _UNKNOWN:
            self._known[0] = count = PART if self.tally[OVER] else self._moves()
        return count & 31  # all but PART

    def play(self, hole):
        """The mover chooses `hole` (ring number): sow it, and apply all that follows by itself.

        Raises ValueError for a hole that `moves` does not name, and changes nothing then.
        """
        # The usual way through a turn is written out here, with few calls and few attributes set: on the Pico a
        # call takes as long as a drop (11 us), setting an attribute half of that, and a random turn has three to
        # seven drops.
        tally = self.tally
        seeds = self.seeds
        known = self._known
        mover = tally[_MOVER]
        # Where every loose hole is legal, the hole itself tells whether it is: 13 is its territory and its claim.
        if (
            known[0] >= PART or not 0 <= hole < self.n or not seeds[hole] or self.marks[hole] & 13 != mover
        ) and not self._may(hole):
            raise ValueError(self._refusal(hole))
        trace = self.trace
        if trace.dirty:
            if trace.dirty > 1:
                trace.forget()
            else:  # the same as far as it is needed: a third of the moves come by here
                trace.claim = -1
                trace.takes = trace.bonus = trace.passes = trace.dirty = 0
        trace.before[FULL] = seeds
        trace.start = hole
        last = self._sow(seeds, hole, 0, _SUSPECT)
        if last < 0:
            last = sow_on(self, -1 - last)
        if last >= _QUIET_END:
            trace.last = last - _QUIET_END
            quiet = tally[_QUIET] + 1
        else:
            trace.last = last
            gain = self._finish(last, mover)
            quiet = 0 if gain else tally[_QUIET] + 1
            if gain > 1:  # a bonus move
                tally[_QUIET] = 0
                tally[_AGAIN] = 1
                known[0] = count = self._moves()
                if count & 31:
                    trace.bonus = 1
                    trace.dirty |= 1
                else:
                    self.settle()
                return
        tally[_QUIET] = quiet
        tally[_AGAIN] = 0
        while True:
            turns = tally[_TURNS + mover] + 1
            if turns < 256:
                tally[_TURNS + mover] = turns
            else:
                self._carry(mover)
            mover = 1 - mover
            tally[_MOVER] = mover
            if tally[_OPENING]:
                tally[_FIRST] = 0
                if tally[_TURNS + mover] or tally[_TURNS + 2 + mover]:
                    self._opening()  # both have completed one
            if quiet >= QUIET_LIMIT:
                self.settle()
                return
            known[0] = count = self._moves()
            if count & 31:  # the usual case: the other player can move
                return
            if self._ended():
                self._close()
                return
            trace.passes += 1
            trace.dirty |= 1

    def lap_end(self, hole):
        """Where the first lap from `hole` would truly end; -1 if the hole may not be chosen."""
        if not self._may(hole):
            return -1
        trace = self.trace
        count = trace.count
        drops = trace.drops
        skips = trace.skips
        gambit = trace.gambit
        self._scratch[FULL] = self.seeds
        self._kept_marks[FULL] = self.marks
        trace.gambit = 0
        last = self.sow_lap(self._scratch, hole, 0)
        self.marks[FULL] = self._kept_marks
        trace.count = count
        trace.drops = drops
        trace.skips = skips
        trace.gambit = gambit
        return last

    def _may(self, hole):
        """Whether `moves` names the hole. As `legal` ascends, it can stand no further on than its distance
        from the first one."""
        count = self._known[0]
        count = self.moves() if count == _UNKNOWN else count & 31
        legal = self.legal
        i = hole - legal[0]
        if i >= count:
            i = count - 1
        while i >= 0:
            if legal[i] <= hole:
                return legal[i] == hole
            i -= 1
        return False

    def sow_lap(self, seeds, hole, lap):
        """Sow lap number `lap` of a move from `hole` on the given seeds; return where its last seed fell."""
        last = self._sow(seeds, hole, lap, lap + 1)
        return last & ~_QUIET_END if last >= 0 else -1 - last

    def settle(self):
        """The rules of passing and of the round's end, as after a move."""
        tally = self.tally
        trace = self.trace
        if tally[_QUIET] >= QUIET_LIMIT:
            self._award_own()
            self._close()
            return
        if tally[_AGAIN]:
            if self.moves():
                trace.bonus = 1
                trace.dirty |= 1
                return
            trace.forgone = 1
            trace.dirty |= 2
            self._end_turn()
        while not self.moves():
            if self._ended():
                self._close()
                return
            trace.passes += 1
            trace.dirty |= 1
            self._end_turn()

    # ---- common parts

    def _end_turn(self):
        """Count the mover's turn; the other is to move."""
        tally = self.tally
        mover = tally[_MOVER]
        tally[_AGAIN] = 0
        tally[_MOVER] = 1 - mover
        if tally[_TURNS + mover] < 255:
            tally[_TURNS + mover] += 1
        else:
            self._carry(mover)
        if tally[_OPENING]:
            self._opening()
        self._known[0] = _UNKNOWN

    def _carry(self, player):
        """Count the player's 256th turn, and each 256th after it. (No round nears 65,536: each player makes at
        most 100 quiet choices between two of at most 72 gains.)"""
        self.tally[_TURNS + player] = 0
        self.tally[_TURNS + 2 + player] = (self.tally[_TURNS + 2 + player] + 1) & 255

    def _close(self):
        self.tally[OVER] = 1
        self.tally[_AGAIN] = 0
        self.trace.over = 1
        self.trace.dirty |= 2
        self._known[0] = _UNKNOWN

    def _award_own(self):
        """Each player takes the loose seeds of his own territory."""
        for hole in range(self.n):
            mark = self.marks[hole]
            if mark < CLAIMED:
                self.tally[TAKEN + (mark & 1)] += self.seeds[hole]
                self.seeds[hole] = 0

    def _refusal(self, hole):
        if self.tally[OVER]:
            return "hole %s cannot be chosen: the round is over" % hole
        holes = ", ".join([str(self.legal[i]) for i in range(self.moves())])
        side = "South" if self.tally[_MOVER] == SOUTH else "North"
        return "hole %s cannot be chosen: %s may choose %s" % (hole, side, holes)
