"""The opponent: which hole to choose, found by looking ahead as far as a budget of work goes.

Alpha-beta, a choice deeper each time, over any game by its own `moves` and `play`. A value is South's advantage in
quarters of a seed: South chooses the highest, North the lowest. It thinks in steps, on a game of its own, and may be
left after any of them. How the numbers were found: docs/opponent.md.
"""

from engine.state import SAVED, const
from engine.trace import Trace

# Those of `engine.state` that each step needs, once more: see `const` there.
_MOVER = const(2)
_AGAIN = const(5)
_OVER = const(6)
_CLAIMED = const(4)
NORTHS = const(8)  # a mark of at least this much is North's claim

CHILD = 1
PLAYER = 2
MASTER = 3
# Work of a move on 18 holes, in units (`make bench`), by level; on 24 a Pico has less time. Level 3 takes both 1.4 s.
WORK = (0, 2_000, 3_000, 40_000)
TWO_OF_16 = const(7)  # how often a child sees two of its choices, and not only one

SEED = const(4)  # the value of a seed
WON = const(10_000)  # a round that is over, and won, besides its seeds
DECIDED = const(5_000)  # one that goes on, but more than half of all seeds are taken by one player
SURE = const(9_000)  # beyond all that is not WON
ALL = const(30_000)  # beyond all values

# Choices that are looked ahead at most, bonus moves too. Each takes 300 bytes of a Pico's heap.
PLIES = const(12)
WIDE = const(24)  # choices that a position may have
STEP = const(38)  # work of the search for each turn that it plays, besides the turn's own
# Loose holes are told apart by their seeds: none, 1, 2, 3, up to 7, and more.
KINDS = bytes([0, 1, 2, 3] + [4] * 4 + [5] * 56)
# A move of more laps (one in 10,000) is taken to end there: it would take a Pico 0.05 s and more.
REACH = const(64)
NONE = const(255)


class Search:
    """An opponent in games of the kind and options of `game`.

    hole    the choice: legal from `begin` on, final once `think` has returned False
    value   its worth, by the deepest search that ended
    depth   how many choices ahead that looked
    nodes   turns played for it
    """

    def __init__(self, game):
        self._game = mine = type(game)(game.options, Trace(game.n, 0))
        mine.reach = REACH
        self._saved = bytearray(SAVED)
        self.hole = -1
        self.value = self.depth = self.nodes = 0
        self._work = self._limit = 0
        self._ply = -1  # where it thinks; -1: before the next depth
        self._to = 0  # that depth,
        self._most = 0  # and the last one
        self._open = False  # whether the search of that depth ended anywhere but at the round's end
        # Of each choice ahead: the position before it, who makes it, its holes, how many these are and how many were
        # tried, the depth that is left, what is known of its value, what claims are worth there.
        self._places = [mine.place() for _ in range(PLIES)]
        self._movers = bytearray(PLIES)
        self._holes = bytearray(PLIES * WIDE)
        self._counts = bytearray(PLIES)
        self._tried = bytearray(PLIES)
        self._left = bytearray(PLIES)
        self._alpha = [0] * PLIES
        self._beta = [0] * PLIES
        self._best = [0] * PLIES
        self._claims = [0] * PLIES
        self._replies = bytearray(PLIES * WIDE)  # to each hole chosen before: the best one last time
        self._loose = [0] * 8 * mine.n  # what a loose hole is worth: `hole << 3 | KINDS[seeds]`
        self._claim = [0] * 2 * mine.n  # and a claim besides its seeds, South's and then North's
        self._round = 0
        self._values = [[int(word) for word in part.split()] for part in mine.VALUES.split("/")]
        self._tempo, self._again = self._values[0]

    def _appraise(self):
        """Learn what each hole is worth: that depends on whose territory it is, and holds for the round."""
        game = self._game
        n = game.n
        _, kinds, places, claims = self._values
        for hole in range(n):
            owner = game.marks[hole] & 1
            place = (hole + n // 2) % n if owner else hole
            for kind in range(KINDS[-1] + 1):
                value = kinds[kind] if kinds else 0
                if kind and place < len(places):  # not beyond one's half
                    value += places[place]
                self._loose[hole << 3 | kind] = -value if owner else value
        for place in range(len(claims)):
            self._claim[(place + n // 2) % n] = claims[place]
            self._claim[n + place] = -claims[place]

    def begin(self, game, level, seed, work=0):
        """Take up the position of `game`, of the same kind, its round not over and no race on.

        `level` 1 to 3; `seed` 0 to 2**29 - 1 decides among equals, and what a child sees; `work` in units instead of
        the level's, if not 0. The same of these give the same move on every machine.
        """
        mine = self._game
        game.save(self._saved)
        mine.load(self._saved)
        if mine.round != self._round:
            self._round = mine.round
            self._appraise()
        count = mine.moves()
        holes = self._holes
        for i in range(count):
            holes[i] = mine.legal[i]
        self._ply = -1
        self._to = 0
        self._most = 1 if level == CHILD else PLIES
        self._work = self.value = self.depth = self.nodes = 0
        self._limit = work or WORK[level] * 18 // mine.n
        self._counts[0] = self._mix(count, seed, level == CHILD)
        self._movers[0] = mine.mover
        self.hole = holes[0]
        mine.keep(self._places[0])
        self._claims[0] = 0
        for hole in range(mine.n):
            owner = mine.claim(hole)
            if owner >= 0:
                self._claims[0] += self._claim[owner * mine.n + hole]
        for i in range(PLIES * WIDE):
            self._replies[i] = NONE
        if self._counts[0] == 1:
            self._limit = 0  # there is nothing to think about

    def _mix(self, count, seed, child):
        """Put the choices in some order; return how many are seen: all, or by a child one or two."""
        holes = self._holes
        seed = (seed ^ seed >> 13) & 0xFFFF
        for i in range(count - 1, -1, -1):
            seed = (seed * 1109 + 12345) & 0xFFFF
            j = (seed >> 4) % (i + 1)
            hole = holes[j]
            holes[j] = holes[i]
            holes[i] = hole
        return min(count, 2 if seed >> 12 < TWO_OF_16 else 1) if child else count

    def think(self, budget):
        """Think for about `budget` units of work; True while there is more to think about."""
        work = self._work
        limit = self._limit
        if work >= limit:
            return False
        end = min(work + budget, limit)
        game = self._game
        back = game.back
        play = game.play
        cost, drop = game.COST
        cost += 10 * STEP
        n = game.n
        half = n * game.EACH // 2
        seeds = game.seeds
        marks = game.marks
        tally = game.tally
        trace = game.trace
        ply = self._ply
        places = self._places
        movers = self._movers
        holes = self._holes
        counts = self._counts
        tried = self._tried
        lefts = self._left
        alphas = self._alpha
        betas = self._beta
        bests = self._best
        claims = self._claims
        replies = self._replies
        loose = self._loose
        kinds = KINDS
        nodes = self.nodes
        while work < end:
            if ply < 0:  # look one choice further
                self._to += 1
                self._open = False
                ply = 0
                tried[0] = 0
                lefts[0] = self._to
                alphas[0] = -ALL
                betas[0] = ALL
                bests[0] = ALL if movers[0] else -ALL
            i = tried[ply]
            if i == counts[ply]:  # all tried: what this is worth, the choice leading here is
                value = bests[ply]
                ply -= 1
                if ply < 0:
                    self.value = value
                    self.depth = self._to
                    if not self._open or self._to == self._most or not -SURE < value < SURE:
                        limit = 0
                        break
                    continue
            else:
                hole = holes[ply * WIDE + i]
                tried[ply] = i + 1
                back(places[ply])
                play(hole)
                nodes += 1
                work += (cost + drop * trace.drops) // 10
                mover = tally[_MOVER]
                if tally[_OVER]:
                    value = game.score(0) - game.score(1)
                    value = SEED * value + (WON if value > 0 else -WON if value else 0)
                else:
                    claimed = claims[ply]
                    i = trace.claim
                    if i >= 0:
                        claimed += self._claim[i + n if movers[ply] else i]
                    left = lefts[ply] - 1
                    if left and ply < PLIES - 1:
                        i = ply * WIDE + hole
                        ply += 1
                        counts[ply] = self._open_place(ply, replies[i])
                        tried[ply] = 0
                        lefts[ply] = left
                        alphas[ply] = alphas[ply - 1]
                        betas[ply] = betas[ply - 1]
                        bests[ply] = ALL if mover else -ALL
                        movers[ply] = mover
                        claims[ply] = claimed
                        continue
                    self._open = True
                    south = tally[0]
                    north = tally[1]
                    value = claimed + SEED * (south - north)
                    if south > half:
                        value += DECIDED
                    elif north > half:
                        value -= DECIDED
                    i = self._tempo + self._again if tally[_AGAIN] else self._tempo
                    value += -i if mover else i
                    i = 0
                    for mark in marks:
                        held = seeds[i]
                        if mark < _CLAIMED:
                            value += loose[i << 3 | kinds[held]]
                        elif mark < NORTHS:
                            value += SEED * held
                        else:
                            value -= SEED * held
                        i += 1  # noqa: SIM113 - enumerate would make a tuple for each hole
            if movers[ply]:
                if value >= bests[ply]:
                    continue
                if value < betas[ply]:
                    betas[ply] = value
            else:
                if value <= bests[ply]:
                    continue
                if value > alphas[ply]:
                    alphas[ply] = value
            bests[ply] = value
            i = ply * WIDE + tried[ply] - 1
            hole = holes[i]
            if ply:
                replies[(ply - 1) * WIDE + holes[(ply - 1) * WIDE + tried[ply - 1] - 1]] = hole
                if alphas[ply] >= betas[ply]:
                    tried[ply] = counts[ply]
            else:  # the next depth begins with it
                while i:
                    holes[i] = holes[i - 1]
                    i -= 1
                holes[0] = self.hole = hole
        self.nodes = nodes
        self._work = work
        self._limit = limit
        self._ply = ply
        return work < limit

    def _open_place(self, ply, first):
        """Look on from where the game stands, `first` first; return how many choices there are."""
        game = self._game
        legal = game.legal
        holes = self._holes
        at = i = ply * WIDE
        count = game.moves()
        for j in range(count):
            hole = legal[j]
            holes[i] = hole
            if hole == first:
                holes[i] = holes[at]
                holes[at] = hole
            i += 1
        game.keep(self._places[ply])
        return count
