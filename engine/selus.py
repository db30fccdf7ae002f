"""The common ground of the three-row Selus family: 3x6, three seeds in each hole, claims, rounds and matches.

    North   14 13 12 11 10  9
    middle  15 16 17  8  7  6
    South    0  1  2  3  4  5

The path jumps from 8 to 9 and from 17 to 0. Territory is state (`marks`), since later rounds are unequal.
Source: Pankhurst 1971, pp. 164-165 ([A]), for the rounds; each game names its own.
"""

from engine.core import BONUS, GAIN, NOTHING, Game
from engine.state import (
    AGAIN,
    CLAIM,
    CLAIMED,
    FIRST,
    LIFTED,
    MOVER,
    NORTH,
    QUIET_END,
    ROUND,
    SOUTH,
    SPAN,
    STARTER,
)

HOLES = 18
HALF = 9
EACH = 3

# A claim needs (mark & mask) == want. `_claimable` packs the two as mask << 4 | want.
NO_CLAIM = 1  # mask 0, want 1: never
ANY_SIDE = 0  # mask 0, want 0: always


class Selus(Game):
    """A Selus game says for itself what a last seed in `owner`'s claim does: `_in_claim(hole, mover, owner)`."""

    BOARD = "3x6"
    HOLES = HOLES
    EACH = EACH
    ROUNDS = True
    OPTIONS = {"rounds": ("0", "N")}
    GAMBIT = ()  # holes, counted from the starter's left, that give a seed each to the opening

    def _configure(self):
        self._rounds = int(self.options["rounds"])

    # ---- a move

    def _loose(self):
        """Fill `legal` with the mover's loose seeds' holes, return how many."""
        seeds = self.seeds
        marks = self.marks
        legal = self.legal
        tally = self.tally
        own = tally[MOVER]
        i = SPAN + own + own
        count = 0
        for hole in range(tally[i], tally[i + 1]):
            if seeds[hole] and marks[hole] & 13 == own:  # his territory (bit 0), no claim (bits 2-3)
                legal[count] = hole
                count += 1
        return count

    _moves = _loose

    def _claimable(self, mover):
        """Which holes may be claimed now: by default the opponent's, but not in the round's first turn."""
        return NO_CLAIM if self.tally[FIRST] else 16 | (1 - mover)

    def _sow(self, seeds, hole, lap, stop):
        trace = self.trace
        laps = trace.laps
        room = trace.room
        marks = self.marks
        claimable = self._claimable(self.tally[MOVER])
        mask = claimable >> 4
        want = claimable & 15
        hand = 0
        if lap == 0 and self.GAMBIT:
            hand = self._lift_gambit(seeds)
        while lap != stop:
            if not hand:
                hand = seeds[hole]
                seeds[hole] = 0
                marks[hole] |= 2  # LIFTED
            if lap < room:
                at = lap + lap
                laps[at] = hole
                laps[at + 1] = hand
            lap += 1
            hole += 1
            end = hole + hand
            while end > 18:  # past the last hole: as far as there, and on from the first
                for i in range(hole, 18):
                    seeds[i] += 1
                end -= 18
                hole = 0
            for i in range(hole, end):
                seeds[i] += 1
            hole = end - 1
            held = seeds[hole]
            mark = marks[hole]
            if held == 1 or mark > 3 or (held == 4 and mark & mask == want):  # more than 3: claimed
                trace.count = lap
                trace.kept = lap if lap < room else room
                return hole + QUIET_END if held == 1 and mark < CLAIMED else hole
            hand = 0
        return -1 - hole

    def _finish(self, hole, mover):
        mark = self.marks[hole]
        if mark >= CLAIMED:
            return self._in_claim(hole, mover, (mark >> CLAIM) - 1)
        return self._claim(hole, mover)

    def _claim(self, hole, mover):
        """The fourth seed: the mover claims the hole, and the four stay in it."""
        self.marks[hole] |= (mover + 1) << CLAIM
        self.trace.claim = hole
        self.trace.dirty = 1
        return GAIN

    def _take_two(self, hole):
        """Take the seed just dropped and one more, or that one alone if the hole was empty."""
        self._take(hole, 2 if self.seeds[hole] > 1 else 1)
        return GAIN

    # ---- the gambit of Sulus Nishtaw and Lame Uweedet

    def _gambit_due(self):
        """The first turn of a round of nine holes each, a seed and no claim in each hole it takes from."""
        if not self.tally[FIRST] or self.tally[AGAIN]:
            return False
        north = 0
        for hole in range(HOLES):
            north += self.marks[hole] & 1
        if north != HALF:
            return False
        left = HALF * self.mover
        for i in self.GAMBIT:
            if not self.seeds[left + i] or self.marks[left + i] >= CLAIMED:
                return False
        return True

    def _lift_gambit(self, seeds):
        """Lift the gambit's seeds, if it is due, and return how many."""
        if not self._gambit_due():
            return 0
        left = HALF * self.mover
        trace = self.trace
        trace.dirty = 1
        for i in self.GAMBIT:
            seeds[left + i] -= 1
            self.marks[left + i] |= LIFTED
            trace.gambit |= 1 << (left + i)
        return len(self.GAMBIT)

    # ---- the round's end, and matches

    def _ended(self):
        """No loose seed is left. (Whoever has one in his territory can move, so neither can then.)"""
        if self.moves():
            return False
        for hole in range(HOLES):
            if self.seeds[hole] and self.marks[hole] < CLAIMED:
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


class Nishtaw(Selus):
    """What Sulus Nishtaw and Lame Uweedet share: a gambit, a bonus move, and the mover's end."""

    OPTIONS = {"gambit": ("1", "0"), "rounds": ("0", "N")}

    def _configure(self):
        super()._configure()
        if self.options["gambit"] == "0":
            self.GAMBIT = ()

    def _moves(self):
        if self.GAMBIT and self._gambit_due():
            self.legal[0] = HALF * self.mover + self.GAMBIT[-1]
            return 1
        return self._loose()

    def _in_claim(self, hole, mover, owner):
        if owner == mover:
            return NOTHING
        return self._take_two(hole) | BONUS

    def _ended(self):
        """The player to move has no move; the loose seeds go to the player in whose territory they lie."""
        if self.moves():
            return False
        self._award_own()
        return True
