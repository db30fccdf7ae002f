"""Choices are taken back one by one, as far as there is room, and the trace before them is there again."""

import random

import pytest

import engine
from engine.state import SAVED
from table.history import CHOICES, History


def saved(game):
    buf = bytearray(SAVED)
    game.save(buf)
    return bytes(buf)


def trace(game):
    t = game.trace
    return (
        bytes(t.before),
        t.skips,
        t.gambit,
        t.count,
        t.start,
        t.last,
        t.claim,
        bytes(t.took[: 2 * t.takes]),
        t.endless,
        t.bonus,
        t.forgone,
        t.passes,
        t.over,
    )


@pytest.mark.parametrize("name", engine.names())
@pytest.mark.parametrize("played", [1, 3, CHOICES, CHOICES + 1, 2 * CHOICES + 5])
def test_back_to_the_beginning_of_what_is_kept(name, played):
    rng = random.Random(played)
    game = engine.make(name)
    history = History()
    before = []
    after = []
    for _ in range(played):
        if not game.moves():
            break
        hole = game.legal[rng.randrange(game.moves())]
        before.append(saved(game))
        history.note(game, hole)
        assert history.hole == hole
        assert bytes(history.before) == before[-1]
        game.play(hole)
        after.append((hole, trace(game)))
    for left in range(min(len(before), CHOICES) - 1, -1, -1):
        more = history.back(game)
        assert saved(game) == before.pop()
        after.pop()
        assert history.count == left
        assert more == (left > 0)
        if more:
            assert (history.hole, trace(game)) == after[-1]


def test_a_new_round_has_no_past():
    game = engine.make("lamlameta")
    history = History()
    history.note(game, 3)
    game.play(3)
    history.clear()
    assert history.count == 0
