"""The race opening of Sulus Aidi: both players sow their first move at once, each as fast as his hand.

Source: Courlander 1943 ([D] in docs/rules/sulus_aidi.md).
"""

from engine.core import PART
from engine.games.sulus_aidi import SulusAidi
from engine.selus import HOLES
from engine.state import DONE, DROPPED, HAND, LIFTED, MOVER, NEXT, RACE, RACE_FIRST, SOUTH, TURNS

ENOUGH = 200  # a player who ends a lap after so many drops is done: relays of both could go on for ever

# What a `drop` did, besides dropping: bits of its answer. `DROP_LIFTED` is the first lift, or a relay.
DROP_DROPPED = 1
DROP_LIFTED = 2
DROP_DONE = 4
DROP_BOTH_DONE = 8  # the other player, who had nothing to lift, is done too


class SulusAidiRace(SulusAidi):
    """Sulus Aidi with the option `race=1`. In a race, `race` is 1 and `drop` takes the place of `play`."""

    races = True

    def _deal(self, starter):
        super()._deal(starter)
        for i in range(RACE, RACE_FIRST + 1):
            self.tally[i] = 0
        self.tally[RACE] = 1

    @property
    def race(self):
        return self.tally[RACE]

    def hand(self, player):
        """Seeds in the player's hand."""
        return self.tally[HAND + player]

    def next_drop(self, player):
        """The hole of the player's next drop; -1 before his first and when he is done."""
        return self.tally[NEXT + player] - 1

    def _moves(self):
        return PART if self.tally[RACE] else super()._moves()

    def _refusal(self, hole):
        if self.tally[RACE]:
            return "hole %s cannot be chosen: the race is on, and players drop" % hole
        return super()._refusal(hole)

    def may_lift(self, player, hole):
        """Whether the player's first drop may lift the hole: one of his own, with seeds."""
        return 0 <= hole < HOLES and self.marks[hole] & 1 == player and self.seeds[hole] > 0

    def drop(self, player, hole=-1):
        """The player's next drop: his first lifts `hole`, each later one sows a seed into the next hole, which
        `hole` may name.

        Returns DROP_... bits; where it lifted is `lifted_at(player)`. ValueError says what would have been right, and
        changes nothing then.
        """
        tally = self.tally
        if not tally[RACE]:
            raise ValueError("no race is on: play HOLE")
        if tally[DONE + player]:
            raise ValueError("player %d is done: player %d drops" % (player, 1 - player))
        if not tally[NEXT + player]:
            if not self.may_lift(player, hole):
                raise ValueError(self._not_lifted(player))
            self._lift(player, hole)
            return DROP_LIFTED
        here = tally[NEXT + player] - 1
        if hole != -1 and hole != here:
            raise ValueError("player %d drops next in hole %d" % (player, here))
        self.seeds[here] += 1
        tally[HAND + player] -= 1
        if tally[DROPPED + player] < ENOUGH:
            tally[DROPPED + player] += 1
        if tally[HAND + player]:
            tally[NEXT + player] = here + 2 if here + 1 < HOLES else 1
            return DROP_DROPPED
        if self.seeds[here] > 1 and tally[DROPPED + player] < ENOUGH:
            self._lift(player, here)
            return DROP_DROPPED | DROP_LIFTED
        if self.seeds[here] == 1 and not tally[RACE_FIRST]:
            tally[RACE_FIRST] = player + 1
        return DROP_DROPPED | self._finish_race(player)

    def _not_lifted(self, player):
        # apart, since the comprehension makes cells of what it uses, at each call of the function it stands in
        own = [str(hole) for hole in range(HOLES) if self.may_lift(player, hole)]
        return "player %d lifts one of %s first" % (player, ", ".join(own))

    def _lift(self, player, hole):
        tally = self.tally
        tally[HAND + player] = self.seeds[hole]
        tally[NEXT + player] = hole + 2 if hole + 1 < HOLES else 1
        self.seeds[hole] = 0
        self.marks[hole] |= LIFTED

    def _finish_race(self, player):
        """The player is done; so is the other if he has nothing to lift. With both, ordinary play begins."""
        tally = self.tally
        tally[DONE + player] = 1
        tally[NEXT + player] = 0
        other = 1 - player
        answer = DROP_DONE
        if not tally[DONE + other]:
            if tally[NEXT + other]:
                return answer
            for hole in range(HOLES):
                if self.may_lift(other, hole):
                    return answer
            tally[DONE + other] = 1
            answer |= DROP_BOTH_DONE
        tally[RACE] = 0
        tally[MOVER] = tally[RACE_FIRST] - 1 if tally[RACE_FIRST] else SOUTH
        tally[TURNS] = tally[TURNS + 1] = 1
        self._written()
        self.settle()
        return answer
