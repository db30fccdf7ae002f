"""The players of the arena, by name. Each chooses on a copy of the game of its own, with random numbers it is given.

    level1, level2, level3   the board's own (engine/search.py)
    random                   any legal hole
    greedy                   the hole that gains most score at once, chance among equals
    abN                      alpha-beta of N choices, by score alone, chance among equals
    mctsN                    Monte Carlo tree search (UCT) of N random playouts
    mcts10x                  the same, playing ten times as many positions as the other player's search did
    peer, peerN              MancalaGames (StoneShark), Lamlameta only; N choices deep

Runs on CPython and PyPy (3.9), and needs nothing but the engine.
"""

import math
import re

import engine
from engine.state import CLAIM, SAVED, TAKEN

INFINITE = 10_000  # more than any difference of scores
WORK = 100_000  # units of work that `Search.think` is given at a time; how many changes nothing
EXPLORE = 0.7  # UCT's constant, for rewards from 0 to 1
TIMES = 10  # for mcts10x
NAMES = (
    "level1, level2, level3, random, greedy, ab1, ab2, ..., mcts100 (any number), mcts10x, peer, peer1, ..."
)


def difference(game):
    """South's score minus North's."""
    tally = game.tally
    total = tally[TAKEN] - tally[TAKEN + 1]
    for hole, mark in enumerate(game.marks):
        owner = mark >> CLAIM
        if owner == 1:
            total += game.seeds[hole]
        elif owner:
            total -= game.seeds[hole]
    return total


class Player:
    """What all have in common. `nodes` is how many positions were played for the last choice."""

    searches = True  # whether `nodes` says anything

    def __init__(self, kind, options):
        self.nodes = 0
        self.own = engine.make(kind, options)
        self.saved = bytearray(SAVED)

    def begin(self):
        """A new game begins: forget the last one."""
        self.nodes = 0

    def choose(self, game, rng, other):
        """A legal hole for the mover, who has at least two to choose from; `game` is not touched. `rng` is a
        random.Random, `other` the other player."""
        raise NotImplementedError

    def copy(self, game):
        """Take up the position of `game`."""
        game.save(self.saved)
        self.own.load(self.saved)


class Random(Player):
    searches = False

    def choose(self, game, rng, other):
        return game.legal[rng.randrange(game.moves())]


class Level(Player):
    def __init__(self, level, kind, options):
        super().__init__(kind, options)
        from engine.search import Search

        self.level = level
        self.search = Search(self.own)

    def choose(self, game, rng, other):
        search = self.search
        search.begin(game, self.level, rng.randrange(1 << 29))
        while search.think(WORK):
            pass
        self.nodes = search.nodes
        return search.hole


class AlphaBeta(Player):
    """Looks `depth` choices ahead, whoever makes them, and counts nothing but the scores."""

    def __init__(self, depth, kind, options):
        super().__init__(kind, options)
        self.depth = depth
        self.positions = [bytearray(SAVED) for _ in range(depth + 1)]

    def choose(self, game, rng, other):
        self.copy(game)
        self.nodes = 0
        return rng.choice(self.best())

    def best(self):
        """The best holes of the position in `own`, all of the same value."""
        own = self.own
        position = self.positions[self.depth]
        own.save(position)
        sign = -1 if own.mover else 1
        best = -INFINITE
        found = []
        for hole in bytes(own.legal[: own.moves()]):
            own.load(position)
            own.play(hole)
            self.nodes += 1
            # The window leaves room for an equal value, so that equals are known for sure.
            if sign > 0:
                value = self.value(self.depth - 1, best - 1, INFINITE)
            else:
                value = -self.value(self.depth - 1, -INFINITE, 1 - best)
            if value > best:
                best = value
                found = [hole]
            elif value == best:
                found.append(hole)
        return found

    def value(self, depth, low, high):
        """For South, of the position in `own`. Who moves is asked each time: it may be the same player again."""
        own = self.own
        if not depth or own.over:
            return difference(own)
        position = self.positions[depth]
        own.save(position)
        holes = bytes(own.legal[: own.moves()])
        north = own.mover
        best = INFINITE if north else -INFINITE
        for hole in holes:
            own.load(position)
            own.play(hole)
            self.nodes += 1
            value = self.value(depth - 1, low, high)
            if north:
                best = min(best, value)
                high = min(high, value)
            else:
                best = max(best, value)
                low = max(low, value)
            if low >= high:
                break
        return best


class Node:
    """A position in the tree of MonteCarlo, and the choice that led to it."""

    __slots__ = ("children", "hole", "player", "untried", "visits", "wins")

    def __init__(self, hole, player, game):
        self.hole = hole
        self.player = player  # who chose the hole
        self.visits = 0
        self.wins = 0.0  # of that player
        self.children = []
        self.untried = [] if game.over else list(game.legal[: game.moves()])

    def select(self):
        """The child to look at next."""
        spread = EXPLORE * EXPLORE * math.log(self.visits)
        most = -1.0
        chosen = None
        for child in self.children:
            worth = child.wins / child.visits + math.sqrt(spread / child.visits)
            if worth > most:
                most = worth
                chosen = child
        return chosen


class MonteCarlo(Player):
    def __init__(self, playouts, kind, options):
        super().__init__(kind, options)
        self.playouts = playouts

    def choose(self, game, rng, other):
        root = self.begin_tree(game)
        for _ in range(self.playouts):
            self.look(root, rng)
        return self.most_visited(root)

    def begin_tree(self, game):
        self.copy(game)
        self.nodes = 0
        return Node(-1, -1, self.own)

    @staticmethod
    def most_visited(root):
        chosen = root.children[0]
        for child in root.children:
            if (child.visits, child.wins) > (chosen.visits, chosen.wins):
                chosen = child
        return chosen.hole

    def look(self, root, rng):
        """Down the tree, one node more, and a random game from there to the end of the round."""
        own = self.own
        chance = rng.random
        own.load(self.saved)
        node = root
        path = [root]
        nodes = 0
        while not node.untried and node.children:
            node = node.select()
            own.play(node.hole)
            nodes += 1
            path.append(node)
        if node.untried:
            hole = node.untried.pop(int(chance() * len(node.untried)))
            mover = own.mover
            own.play(hole)
            nodes += 1
            child = Node(hole, mover, own)
            node.children.append(child)
            path.append(child)
        legal = own.legal
        while True:
            count = own.moves()
            if not count:
                break
            own.play(legal[int(chance() * count)])
            nodes += 1
        self.nodes += nodes
        margin = difference(own)
        south = 1.0 if margin > 0 else 0.0 if margin else 0.5
        for node in path:
            node.visits += 1
            node.wins += 1.0 - south if node.player else south


class TenTimes(MonteCarlo):
    """Plays ten times as many positions a choice as the other player's search did for its last one, or as `nodes`
    says. Before its first choice it asks the other player how many he would play here."""

    def __init__(self, nodes, kind, options):
        super().__init__(0, kind, options)
        self.fixed = nodes

    def choose(self, game, rng, other):
        each = self.fixed or other.nodes
        if not each:
            other.choose(game, rng, self)
            each = other.nodes
        root = self.begin_tree(game)
        while self.nodes < TIMES * each:
            self.look(root, rng)
        return self.most_visited(root)


def check(name):
    """ValueError for a name that is no player's."""
    if not re.fullmatch(r"level[123]|random|greedy|ab[1-9]|mcts[1-9]\d*|mcts10x|peer[1-9]?", name):
        raise ValueError("no player %s; there are %s" % (name, NAMES))


def make(name, kind, options, peer=None, nodes=0):
    """The player called `name` for games of `kind` with `options`. `peer` is the folder of MancalaGames, `nodes` what
    mcts10x takes ten times, 0 for the other player's."""
    check(name)
    if name == "random":
        return Random(kind, options)
    if name == "greedy":
        return AlphaBeta(1, kind, options)
    if name == "mcts10x":
        return TenTimes(nodes, kind, options)
    if name.startswith("peer"):
        from tools.arena.peer import Peer

        return Peer(int(name[4:] or 0), peer, kind, options)
    word, number = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
    return {"level": Level, "ab": AlphaBeta, "mcts": MonteCarlo}[word](int(number), kind, options)
