"""MancalaGames (StoneShark, https://github.com/StoneShark/MancalaGames) as a player of Lamlameta in the arena.

Its own rules of Lamlameta are nearest to `opening=right2 russ=1` here. It plays on our board all the same: before each
of its choices our position is put into its game. Needs CPython from 3.10 with tkinter, as it does itself.
"""

import os
import random
import sys

from tools.arena.players import Player

PROPERTIES = os.path.join("GameProps", "Lamlameta.txt")


class Peer(Player):
    """Its negamaxer, as it sets it up for Lamlameta, or `depth` choices deep. `illegal` counts the holes it chose in
    this game that it might not: a random one was taken for each."""

    def __init__(self, depth, folder, kind, options):
        super().__init__(kind, options)
        if kind != "lamlameta":
            raise ValueError("peer plays lamlameta only, not %s" % kind)
        if not folder or not os.path.isfile(os.path.join(folder, PROPERTIES)):
            raise ValueError("peer needs --peer FOLDER, a copy of MancalaGames, which has %s" % PROPERTIES)
        self.illegal = 0
        folder = os.path.abspath(folder)
        source = os.path.join(folder, "src")
        if source not in sys.path:
            sys.path.append(source)
        here = os.getcwd()
        os.chdir(folder)  # it reads files beside it as it is imported
        try:
            import animator

            animator.ENABLED = False  # as its own measurements do
            import ai_player
            import man_config

            self.game, settings = man_config.make_game(os.path.join(folder, PROPERTIES))
            self.player = ai_player.AiPlayer(self.game, settings)
        finally:
            os.chdir(here)
        if depth:
            self.player.algo.set_params(depth)
        self._move = self.game.move
        self.game.move = self._count

    def begin(self):
        super().begin()
        self.illegal = 0

    def _count(self, hole):
        self.nodes += 1
        return self._move(hole)

    def choose(self, game, rng, other):
        self.nodes = 0
        theirs = self.game
        theirs.turn = theirs.starter = bool(game.starter)
        theirs.new_game()
        theirs.board = list(game.seeds)
        theirs.store = [game.taken(0), game.taken(1)]
        theirs.turn = bool(game.mover)
        # What its opening rules ask is how often the players have moved.
        theirs.movers = game.turns(0) + game.turns(1)
        theirs.mcount = theirs.movers + 1
        theirs.inhibitor.clear_if(theirs, None)
        random.seed(rng.random())  # it draws among equals
        hole = -1
        if theirs.get_moves():
            hole = self.player.pick_move()
            if game.mover:
                hole = game.n - 1 - hole  # it counts them from the other end
        legal = game.legal[: game.moves()]
        if hole in legal:
            return hole
        self.illegal += 1
        return rng.choice(legal)
