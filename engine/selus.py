"""The common ground of the three-row Selus family: 3x6, three seeds in each hole, claims, rounds and matches.

    North   14 13 12 11 10  9
    middle  15 16 17  8  7  6
    South    0  1  2  3  4  5

The path jumps from 8 to 9 and from 17 to 0. Territory is state (`marks`), since later rounds are unequal.
Source: Pankhurst 1971, pp. 164-165 ([A]), for the rounds; each game names its own.
"""

from engine.core import GAIN, Game
from engine.state import FULL, NORTH, OWN, ROUND, SOUTH, STARTER, const

# Those of `engine.state` that each turn needs, once more: see `const` there.
_MOVER = const(2)
_FIRST = const(28)
_OPENING = const(29)
_WAYS = const(30)
_CLAIM = const(2)
_CLAIMED = const(4)
_QUIET_END = const(32)

HOLES = 18
HALF = const(9)
EACH = 3

# A claim needs (mark & mask) == want. `_claimable` packs the two as mask << 4 | want, kept in `tally`.
NO_CLAIM = 1  # mask 0, want 1: never
ANY_SIDE = 0  # mask 0, want 0: always


class Selus(Game):
    BOARD = "3x6"
    HOLES = HOLES
    EACH = EACH
    ROUNDS = True
    OPTIONS = {"rounds": ("0", "N")}
    BOUND = Game.BOUND + ("_claim", "_in_claim")  # noqa: RUF005 - MicroPython has no (*a, b)

    def _configure(self):
        self._rounds = int(self.options["rounds"])
        # The unclaimed holes of South's territory, ascending, from 18 North's; at 36 and 37 how many these are, at 38
        # whose territory is a single hole, plus one. To walk through them, there is a view of each possible length;
        # `_owned` holds the two of now.
        self._own = view = memoryview(self.tally)[OWN:]
        self._views = [view[i : i + count] for i in (0, HOLES) for count in range(HOLES + 1)]
        self._owned = self._views[:2]

    def _derive(self):
        self._opening()
        own = self._own
        own[36] = own[37] = 0
        territory = 0  # North's
        for hole in range(HOLES):
            mark = self.marks[hole]
            player = mark & 1
            territory += player
            if mark < _CLAIMED:
                own[HOLES * player + own[36 + player]] = hole
                own[36 + player] += 1
        self._owned[0] = self._views[own[36]]
        self._owned[1] = self._views[19 + own[37]]
        own[38] = 1 if territory == 17 else 2 if territory == 1 else 0

    def back(self, place):  # written out: calling State's would take as long as what is done here
        seeds, marks, tally = place
        self.seeds[FULL] = seeds
        self.marks[FULL] = marks
        self.tally[FULL] = tally
        self._known[0] = 0
        own = self._own
        self._owned[0] = self._views[own[36]]
        self._owned[1] = self._views[19 + own[37]]

    # ---- a move

    def _moves(self):
        """Fill `legal` with the mover's holes that hold loose seeds, return how many."""
        seeds = self.seeds
        legal = self.legal
        tally = self.tally
        count = 0
        # 9 us a hole on the Pico; by `range` and marks it was 14
        for hole in self._owned[tally[_MOVER]]:
            if seeds[hole]:
                legal[count] = hole
                count += 1
        if tally[_FIRST]:
            return self._first_moves(count)
        return count

    def _first_moves(self, count):
        """The same for the first turn of a round, after `_moves` found `count`."""
        return count

    def _lift_first(self, seeds):
        """Lift what the first turn begins with, and return how many: 0 where it is the hole's seeds, as ever."""
        return 0

    def _opening(self):
        Game._opening(self)
        for player in range(2):
            self.tally[_WAYS + player] = self._claimable(player)

    def _claimable(self, mover):
        """Which holes may be claimed now: by default the opponent's, but not in the round's first turn.

        Asked at each fourth seed until both players have completed a turn, and then kept for the round."""
        return NO_CLAIM if self.tally[_FIRST] else 16 | (1 - mover)

    def _sow(self, seeds, hole, lap, stop):
        marks = self.marks
        tally = self.tally
        hand = 0
        if tally[_FIRST] and not lap:
            hand = self._lift_first(seeds)
        if not hand:
            hand = seeds[hole]
            seeds[hole] = 0
            marks[hole] |= 2  # LIFTED
        drops = 0
        while True:
            hole += 1
            end = hole + hand
            drops += hand
            while end > 18:  # past the last hole: as far as there, and on from the first
                for i in range(hole, 18):
                    seeds[i] += 1
                end -= 18
                hole = 0
            for i in range(hole, end):
                seeds[i] += 1
            hole = end - 1
            hand = seeds[hole]
            mark = marks[hole]
            lap += 1
            if mark >= _CLAIMED:
                break
            if hand == 1:
                hole += _QUIET_END
                break
            if hand == 4:
                mover = tally[_MOVER]
                claimable = self._claimable(mover) if tally[_OPENING] else tally[_WAYS + mover]
                if mark & claimable >> 4 == claimable & 15:
                    break
            if lap == stop:
                self.trace.drops = drops
                return -1 - hole
            seeds[hole] = 0
            marks[hole] = mark | 2
        trace = self.trace
        trace.count = lap
        trace.drops = drops
        return hole

    def _finish(self, hole, mover):
        mark = self.marks[hole]
        if mark < _CLAIMED:
            return self._claim(hole, mover)
        gain = self._in_claim(hole, mover, (mark >> _CLAIM) - 1)
        if gain:  # take the seed just dropped and one more, or that one alone if the hole was empty
            seeds = self.seeds
            trace = self.trace
            held = seeds[hole]
            count = 2 if held > 1 else 1
            seeds[hole] = held - count
            self.tally[mover] += count  # TAKEN
            trace.took[0] = hole  # the only take of the move
            trace.took[1] = count
            trace.takes = 1
            trace.dirty |= 1
        return gain

    def _claim(self, hole, mover):
        """The fourth seed: the mover claims the hole, and the four stay in it."""
        owner = self.marks[hole] & 1
        self.marks[hole] |= (mover + 1) << _CLAIM
        trace = self.trace
        trace.claim = hole
        trace.dirty |= 1
        # Out of the list with it: the later holes move down, each into the place of the one before.
        own = self._own
        own[36 + owner] -= 1
        i = HOLES * owner + own[36 + owner]
        other = own[i]
        while other != hole:
            i -= 1
            own[i], other = other, own[i]
        self._owned[owner] = self._views[19 * owner + own[36 + owner]]
        return GAIN

    # _in_claim(hole, mover, owner)  the last seed fell in `owner`'s claim: NOTHING, or GAIN if two are taken, or
    #     GAIN | BONUS if there is a bonus move besides

    # ---- the round's end, and matches

    def _ended(self):
        """No loose seed is left. (Whoever has one in his territory can move: the other has one, or none is left.)"""
        for hole in self._owned[1 - self.tally[_MOVER]]:
            if self.seeds[hole]:
                return False
        return True

    def _fills(self, player):
        """How many holes the player fills from his score: three seeds each, and one more for two over,
        to which the other gives the one that he has over [A]."""
        return (self.score(player) + 1) // 3

    @property
    def match_over(self):
        """1 when the round is over and was the last, or a player can fill no hole."""
        if not self.over:
            return 0
        last = self._rounds and self.round >= self._rounds
        return 1 if last or not self._fills(SOUTH) or not self._fills(NORTH) else 0

    def next(self):
        """Begin the next round: each fills his own half first, the winner then the other's last holes [A]."""
        if not self.over:
            raise ValueError("the round is not over: play on, then next")
        if self.match_over:
            raise ValueError("the match is over: start a new one")
        south = self._fills(SOUTH)
        for hole in range(HALF):
            self.marks[hole] = SOUTH if hole < south else NORTH
            self.marks[HALF + hole] = NORTH if hole < HOLES - south else SOUTH
        number = self.round + 1
        self._deal(1 - self.tally[STARTER])
        self.tally[ROUND] = number & 255
        self.tally[ROUND + 1] = number >> 8
