"""What Sulus Nishtaw and Lame Uweedet share: the gambit, the bonus move, and the mover's end."""

from engine.core import BONUS, GAIN, NOTHING, PART
from engine.selus import HALF, HOLES, Selus
from engine.state import AGAIN, CLAIMED, FIRST, GAMBIT_DUE, LIFTED, MOVER


class Nishtaw(Selus):
    """A game of the Selus family with a gambit: `GAMBIT` holds the holes, counted from the starter's left, that give
    a seed each to the opening."""

    OPTIONS = {"gambit": ("1", "0"), "rounds": ("0", "N")}

    def _configure(self):
        super()._configure()
        if self.options["gambit"] == "0":
            self.GAMBIT = ()

    def _in_claim(self, hole, mover, owner):
        if owner == mover:
            return NOTHING
        return GAIN | BONUS

    def _ended(self):
        """The player to move has no move; the loose seeds go to the player in whose territory they lie."""
        self._award_own()
        return True

    # ---- the gambit

    def _derive(self):
        """It is due in the first turn of a round of nine holes each, with a seed and no claim in each hole it takes
        from."""
        super()._derive()
        tally = self.tally
        north = 0
        for hole in range(HOLES):
            north += self.marks[hole] & 1
        due = self.GAMBIT and tally[FIRST] and not tally[AGAIN] and north == HALF
        left = HALF * tally[MOVER]
        for i in self.GAMBIT:
            if not self.seeds[left + i] or self.marks[left + i] >= CLAIMED:
                due = False
        tally[GAMBIT_DUE] = 1 if due else 0

    def _first_moves(self, count):
        tally = self.tally
        if not tally[GAMBIT_DUE] or tally[AGAIN]:
            return count
        self.legal[0] = HALF * tally[MOVER] + self.GAMBIT[-1]
        return 1 + PART

    def _lift_first(self, seeds):
        """Lift the gambit's seeds, if it is due, and return how many."""
        tally = self.tally
        if not tally[GAMBIT_DUE] or tally[AGAIN]:
            return 0
        marks = self.marks
        left = HALF * tally[MOVER]
        gambit = 0
        for i in self.GAMBIT:
            hole = left + i
            seeds[hole] -= 1
            marks[hole] |= LIFTED
            gambit |= 1 << hole
        self.trace.gambit = gambit
        self.trace.dirty |= 2
        return len(self.GAMBIT)
