"""Random turns of one game, what must hold checked at each: on CPython, or in a small MicroPython.

    micropython -X heapsize=64k tools/soak_turns.py GAME TURNS SEED [OPTION=VALUE ...]

prints `N passed, 0 failed`, N being turns, or what went wrong where. `python3 -m tools.soak` runs all games.
"""

import sys

sys.path.insert(0, ".")

# The largest modules first: compiling them takes most of a heap of 64 kB.
import engine.core
import engine.selus
from engine import replay
from engine.state import CLAIMED, DONE, FULL, SAVED

PEEK = 13  # each so many turns, what takes longer is checked too


class Soak:
    """Plays one game at random, from round to round. `wrong` tells what did not hold, or is None."""

    def __init__(self, name, options, seed):
        self.game = engine.make(name, options)
        n = self.game.n
        self.total = n * self.game.EACH
        self.walk = replay.Replay(n)
        self.first = replay.Replay(n)
        self.seed = seed & 0xFFFFF
        self.played = 0
        self.wrong = None
        self.saved = bytearray(SAVED)
        self.after = bytearray(SAVED)
        self.again = bytearray(SAVED)
        self.marks = bytearray(n)
        self.legal = bytearray(n)

    def random(self, below):
        """A whole number from 0 to below - 1. A million calls go by before it begins again."""
        self.seed = (self.seed * 1021 + 12345) & 0xFFFFF  # less than 2**30 on the way: no allocation
        return (self.seed >> 6) % below

    def run(self, turns):
        """Play so many turns; False at the first that goes wrong."""
        for _ in range(turns):
            game = self.game
            if game.race:
                self._race()
            elif game.over:
                self._next()
            else:
                self._turn()
            if self.wrong:
                return False
            self.played += 1
        return True

    def _must(self, holds, what):
        if not holds and not self.wrong:
            self.wrong = what

    def _conserved(self):
        game = self.game
        found = game.taken(0) + game.taken(1)
        for seeds in game.seeds:
            found += seeds
        self._must(found == self.total, "seeds are lost or made")

    def _moves(self):
        """The legal holes into `self.legal`; how many."""
        game = self.game
        count = game.moves()
        self.legal[FULL] = game.legal
        last = -1
        for i in range(count):
            hole = self.legal[i]
            self._must(last < hole < game.n, "moves do not ascend")
            mine = game.owner(hole) == game.mover and game.claim(hole) == -1
            self._must(mine and game.seeds[hole] > 0, "a hole is legal that is another's, claimed or empty")
            last = hole
        return count

    def _turn(self):
        game = self.game
        count = self._moves()
        self._must(count > 0, "nobody can move and the round is not over")
        if self.wrong:
            return
        hole = self.legal[self.random(count)]
        mover = game.mover
        game.save(self.saved)
        self.marks[FULL] = game.marks
        self.walk.seeds[FULL] = game.seeds
        if self.played % PEEK == 0:
            self._peek(count, hole)
        game.play(hole)
        self._conserved()
        self._trace(hole, mover)
        for h in range(game.n):
            was = self.marks[h]
            now = game.marks[h]
            self._must(was & 1 == now & 1, "a territory changes within a round")
            self._must(was & 2 <= now & 2, "a lifted hole counts as unmoved again")
            self._must(was < CLAIMED or was >> 2 == now >> 2, "a claim is lost or changes hands")
            if was < CLAIMED <= now:
                self._must(game.trace.claim == h, "a claim stands that the trace does not tell of")

    def _peek(self, count, hole):
        """Any other hole is refused and nothing changes; playing twice from one position gives the same."""
        game = self.game
        first = game.lap_end(hole)
        self._must(0 <= first < game.n, "the first lap of a legal hole ends nowhere")
        other = self.random(game.n + 2) - 1
        named = False
        for i in range(count):
            named = named or self.legal[i] == other
        if not named:
            self._must(game.lap_end(other) == -1, "an illegal hole has an end")
            try:
                game.play(other)
                self._must(False, "an illegal hole is played")
            except ValueError:
                pass
        game.save(self.after)
        self._must(self.after == self.saved, "a peek or a refused hole changes the position")
        game.play(hole)
        game.save(self.after)
        last = self._first_end()
        self._must(first == last, "lap_end is not where the first lap ends")
        game.load(self.saved)
        game.play(hole)
        game.save(self.again)
        self._must(self.again == self.after, "the same turn goes another way")
        game.load(self.saved)

    def _first_end(self):
        """Where the first lap of the move just played ended."""
        walk = self.first
        walk.begin(self.game.trace)
        walk.step()  # the lift
        while walk.hand:
            walk.step()
        return walk.hole

    def _trace(self, hole, mover):
        """The trace, walked through, leads from the position before to the one after."""
        game = self.game
        trace = game.trace
        self._must(trace.before == self.walk.seeds, "the trace begins elsewhere")
        self._must(trace.start == hole and game.owner(hole) == mover, "the trace tells of another move")
        walk = self.walk
        walk.begin(trace)
        event = walk.step()
        while event != replay.DONE:
            if event == replay.LIFT:
                self._must(self.marks[walk.hole] < CLAIMED, "a claimed hole is lifted")
            event = walk.step()
        # the end of a round gives out seeds that no trace shows
        self._must(trace.over or walk.seeds == game.seeds, "the trace ends elsewhere")
        self._must(trace.over == game.over, "the trace does not tell of the round's end")
        other = mover if trace.bonus or trace.passes & 1 else 1 - mover
        self._must(trace.over or game.mover == other, "the wrong player is to move")
        if trace.bonus:
            self._must(game.again == 1 and not trace.forgone, "a bonus move that is none")

    def _next(self):
        """The next round, or the next match."""
        game = self.game
        self._must(game.moves() == 0, "moves are left when the round is over")
        self._must(game.score(0) + game.score(1) == self.total, "the scores do not add up")
        if game.match_over:
            game.start(self.random(2))
        else:
            game.next()
        self._conserved()

    def _race(self):
        """One drop of one player in the race opening."""
        game = self.game
        player = self.random(2)
        if game.tally[DONE + player]:
            player = 1 - player
        if game.next_drop(player) >= 0:
            game.drop(player)
        else:
            hole = self.random(game.n)
            while not game.may_lift(player, hole):
                hole = (hole + 1) % game.n
            game.drop(player, hole)
        found = game.hand(0) + game.hand(1)
        for seeds in game.seeds:
            found += seeds
        self._must(game.over or found == self.total, "seeds are lost or made in a race")

    def where(self):
        """The turn that went wrong, for people."""
        game = self.game
        return "%s %s, turn %d: %s; position before: %s, hole chosen: %s" % (
            game.NAME,
            game.options,
            self.played + 1,
            self.wrong,
            list(self.saved),
            game.trace.start,
        )


def main(words):
    options = {}
    for word in words[3:]:
        option, _, value = word.partition("=")
        options[option] = value
    soak = Soak(words[0], options, int(words[2]))
    held = soak.run(int(words[1]))
    if not held:
        print(soak.where())
    print("%d passed, %d failed" % (soak.played, not held))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
