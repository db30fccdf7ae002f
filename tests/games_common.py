"""Helpers that several tests share: positions as dicts, random games, a line-protocol session in memory."""

import json
import random

import engine
from engine import protocol
from engine.session import Session
from engine.state import SAVED

KEYS = [
    "seeds",
    "claims",
    "territory",
    "unmoved",
    "taken",
    "turns",
    "mover",
    "quiet",
    "again",
    "over",
    "moves",
]


def position(game):
    """The position as the line protocol tells it."""
    pieces = []
    protocol.write_position(pieces.append, game)
    return json.loads("".join(pieces))


def play(game, hole):
    """Play, and return the answer that the line protocol gives."""
    before = bytearray(SAVED)
    game.save(before)
    game.play(hole)
    pieces = []
    protocol.write_turn(pieces.append, game)
    return json.loads("".join(pieces))


def moves(game):
    """The legal holes as a list."""
    return list(game.legal[: game.moves()])


def random_game(name, seed, most=10_000, **options):
    """Yield (game, hole) before each choice of a random game."""
    rng = random.Random(seed)
    game = engine.make(name, options)
    game.start(seed & 1)
    for _ in range(most):
        if game.over:
            return
        hole = rng.choice(moves(game))
        yield game, hole
        game.play(hole)


class Lines:
    """A line-protocol session: call it with a command, get the answer as a dict."""

    def __init__(self):
        self.out = []
        self.session = Session(self.out.append)

    def __call__(self, line):
        del self.out[:]
        self.session.answer(line)
        return json.loads("".join(self.out))


def positions(kind, count, seed):
    """Games in the midst of play, where the mover has a choice."""
    rng = random.Random(seed)
    game = engine.make(kind, {"rounds": "1"} if engine.find(kind).ROUNDS else {})
    while count:
        game.start(rng.randrange(2))
        for _ in range(rng.randrange(30)):
            if game.moves():
                game.play(game.legal[rng.randrange(game.moves())])
        if game.moves() > 1:
            count -= 1
            yield game


def fingers(text):
    """What `pad@down-up*strength`, a word for each touch, says: [(when, pad, strength or None for a release)], in
    order of time; releases first at the same instant."""
    events = []
    for word in text.split():
        word, _, strength = word.partition("*")
        pad, _, times = word.partition("@")
        down, _, up = times.partition("-")
        events.append((int(down), 1, int(pad), int(strength or 100)))
        if up:
            events.append((int(up), 0, int(pad), None))
    return [(when, pad, strength) for when, _, pad, strength in sorted(events, key=lambda e: e[:3])]
