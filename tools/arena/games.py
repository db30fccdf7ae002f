"""Games between two players: the openings, each played twice with sides swapped, on all cores.

What is played depends on the seed and the game's number alone, whatever the number of processes.
"""

import multiprocessing
import os
import random

import engine
from engine.state import SAVED
from tools.arena import players

PLIES = 2  # random choices that an opening has: one of each player, so that nobody has erred once more
LIMIT = 10_000  # choices in a game: more than any


def entry(text):
    """(game, options) of an entry as in GEBETA_GAMES: "sulus_aidi", "lamlameta russ=1". One round, unless it says
    otherwise; ValueError for what no game can be made of."""
    words = text.split()
    options = {}
    for word in words[1:]:
        option, equals, value = word.partition("=")
        if not equals:
            raise ValueError("%s: option=value is right after a game's name" % word)
        options[option] = value
    name = words[0] if words else ""
    game = engine.find(name)
    if game.ROUNDS:
        options.setdefault("rounds", "1")
    if engine.make(name, options).races:
        raise ValueError("the arena plays no races: race=0 is right")
    return name, options


def opening(kind, options, rng):
    """(starter, choices) of a random opening that leaves the mover something to choose from."""
    game = engine.make(kind, options)
    while True:
        starter = rng.randrange(2)
        choices = []
        game.start(starter)
        for _ in range(PLIES):
            if game.over:
                break
            hole = game.legal[rng.randrange(game.moves())]
            choices.append(hole)
            game.play(hole)
        if game.moves() > 1:
            return starter, choices


class Board:
    """One game with its two players, made once and played on many times."""

    def __init__(self, kind, options, names, peer, nodes):
        self.kind = kind
        self.options = options
        self.game = engine.make(kind, options)
        self.two = [players.make(name, kind, options, peer, nodes) for name in names]
        self.saved = bytearray(SAVED)

    def pair(self, seed, number):
        """Opening `number` played twice: what happened, from the first player's view, as two dicts."""
        where = "%s/%s/%s" % (seed, self.kind, number)
        starter, choices = opening(self.kind, self.options, random.Random(where))
        self.game.start(starter)
        for hole in choices:
            self.game.play(hole)
        self.game.save(self.saved)
        found = []
        for side in range(2):
            self.game.load(self.saved)
            found.append(self.play(side, where + "/" + str(side)))
        return found

    def play(self, side, where):
        """On from here, the first player on `side`."""
        game = self.game
        two = self.two if side == 0 else self.two[::-1]
        chance = [random.Random(where + "/first"), random.Random(where + "/second")]
        if side:
            chance.reverse()
        for player in two:
            player.begin()
        choices = [0, 0]  # of those where there was something to choose
        nodes = [0, 0]
        moves = 0
        while True:
            while not game.over:
                mover = game.mover
                hole = game.legal[0]
                if game.moves() > 1:
                    hole = two[mover].choose(game, chance[mover], two[1 - mover])
                    choices[mover] += 1
                    nodes[mover] += two[mover].nodes
                game.play(hole)
                moves += 1
                if moves > LIMIT:
                    raise RuntimeError("%s: no end after %d choices" % (where, moves))
            if game.match_over:
                break
            game.next()
        margin = players.difference(game)
        return {
            "margin": -margin if side else margin,
            "moves": moves,
            "choices": choices[::-1] if side else choices,
            "nodes": nodes[::-1] if side else nodes,
            "illegal": sum(getattr(player, "illegal", 0) for player in two),
        }


_boards = {}  # of this process


def pair(job):
    """One job of `play_all`."""
    row, kind, options, names, seed, number, peer, nodes = job
    key = (kind, tuple(sorted(options.items())), names)
    if key not in _boards:
        _boards.clear()  # jobs come row by row
        _boards[key] = Board(kind, options, names, peer, nodes)
    return row, _boards[key].pair(seed, number)


def gentle():
    """Long work, and others are at work too."""
    if hasattr(os, "nice"):
        os.nice(10)


def play_all(rows, games, seed, processes, peer=None, nodes=0, show=None):
    """A list of what happened in `games` games (an even number) for each of `rows`, which are (kind, options, (first,
    second)). `show(row, done)` is called after each pair, with how many games were played in all."""
    jobs = [
        (row, *rows[row], seed, number, peer, nodes)
        for row in range(len(rows))
        for number in range(games // 2)
    ]
    found = [[] for _ in rows]
    done = 0

    def collect(results):
        nonlocal done
        for row, two in results:
            found[row] += two
            done += 2
            if show:
                show(row, done)

    if processes == 1:
        collect(map(pair, jobs))
    else:
        # spawned: the same on every system, and nothing of the parent is in the children
        with multiprocessing.get_context("spawn").Pool(processes, gentle) as pool:
            collect(pool.imap(pair, jobs))
    _boards.clear()
    return found
