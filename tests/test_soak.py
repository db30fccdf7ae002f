"""A short soak on both interpreters, and that a soak notices what goes wrong."""

import re

from engine.games.selus_massawa import SelusMassawa
from tools import soak, soak_turns


def test_every_value_of_every_option_is_played():
    every = list(soak.kinds())
    assert len({soak.title(*kind) for kind in every}) == len(every)
    assert ("sulus_aidi", {"race": "1", "rounds": "2"}) in every
    for turns in (0, 7, 1000, 1_000_000):
        todo = list(soak.jobs(turns, 1, 5000))
        assert sum(job[1] for job in todo) == turns
        assert len({job[2] for job in todo}) == len(todo)
    assert {job[0] for job in todo} == set(range(len(every)))


def test_a_short_soak(capfd):
    assert soak.main(["--turns", "20000", "--micropython", "1500", "--seed", "3", "--processes", "2"]) == 0
    shown = capfd.readouterr()
    assert re.search(r"^CPython: 20000 passed, 0 failed$", shown.out, re.MULTILINE)
    assert "MicroPython: 1500 passed, 0 failed" in shown.out or "no micropython" in shown.err
    assert "20,000 of 20,000 turns" in shown.err


def test_a_lost_seed_is_noticed():
    class Loses(SelusMassawa):
        def _finish(self, hole, mover):
            gain = super()._finish(hole, mover)
            if self.trace.takes:
                self.seeds[hole] = 0
            return gain

    played = soak_turns.Soak("selus_massawa", {}, 1)
    played.game = Loses()
    assert not played.run(5000)
    assert "seeds are lost" in played.where()


def test_a_wrong_list_of_moves_is_noticed():
    class Offers(SelusMassawa):
        def _moves(self):
            count = super()._moves()
            for hole in range(18):
                if self.marks[hole] > 3:
                    self.legal[0] = hole
            return count

    played = soak_turns.Soak("selus_massawa", {}, 1)
    played.game = Offers()
    assert not played.run(5000)
    assert "another's, claimed or empty" in played.where()
