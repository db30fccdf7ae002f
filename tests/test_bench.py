"""The measuring tools measure what they say. How quick anything is, no test asks."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

import engine
from tools import bench

INTERPRETERS = [
    pytest.param(sys.executable, id="cpython"),
    pytest.param(
        shutil.which("micropython") or "",
        id="micropython",
        marks=pytest.mark.skipif(not shutil.which("micropython"), reason="no MicroPython for this machine"),
    ),
]


def printed(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=True)
    return done.stdout


def sums(turns):
    times = [t for t, _ in turns]
    drops = [d for _, d in turns]
    return len(turns), sum(times), sum(drops), sum(d * d for d in drops), sum(t * d for t, d in turns)


def test_the_fit_finds_what_the_times_were_made_of():
    a, b = bench.fit(*sums([(700 + 30 * d, d) for d in (1, 2, 2, 5, 9, 30)]))
    assert (round(a, 6), round(b, 6)) == (700, 30)
    assert bench.fit(*sums([(700, 3), (800, 3)])) == (750, 0)  # all turns alike: no way to tell


def test_lines_of_a_board_are_read_among_others():
    n, t, d, dd, dt = sums([(1000 * (30 + 2 * d), d) for d in (1, 4, 4, 8)])
    text = "\x1b]0;code.py\x1b\\interpreter circuitpython 10.2.1\r\nbare 1000000\r\n"
    text += f"game x {n} {t} {d} {dd} {dt} 7\r\ndone\r\n"
    found = bench.interpreter(text)
    assert found["name"] == "circuitpython 10.2.1"
    assert found["bare_ns"] == 1000
    assert (found["games"]["x"]["a"], found["games"]["x"]["b"]) == (30, 2)
    assert found["games"]["x"]["laps_a_turn"] == 1.75
    with pytest.raises(ValueError, match="bench_turns"):
        bench.interpreter("nothing")


@pytest.mark.parametrize("python", INTERPRETERS)
def test_turns_are_timed(python):
    found = bench.interpreter(printed(python, "tools/bench_turns.py", "selus_massawa"))
    assert list(found["games"]) == ["selus_massawa"]
    game = found["games"]["selus_massawa"]
    assert game["turns_a_second"] > 0
    assert 1 < game["laps_a_turn"] < game["drops_a_turn"] < 20


@pytest.mark.skipif(not shutil.which("micropython"), reason="no MicroPython for this machine")
def test_the_heap_is_measured_and_no_turn_adds_to_it():
    found = bench.heap(printed("micropython", "-X", "heapsize=256k", "tools/bench_turns.py", "heap"))
    assert sorted(found["games"]) == engine.names()
    for name, game in found["games"].items():
        assert game["allocated"] == 0, name
        assert game["state"] < game["game"]


def test_a_peer_that_is_none_is_refused_at_once(capsys):
    assert bench.main(["--peer", os.path.join(ROOT, "docs")]) == 1
    assert "MancalaGames" in capsys.readouterr().err


def test_tables_and_json_say_the_same(capsys, monkeypatch):
    game = {"turns_a_second": 9, "drops_a_turn": 3.0, "laps_a_turn": 1.5, "a": 31.0, "b": 1.5}
    one = {"name": "x 1", "bare_ns": 50.0, "bare_a_second": 20, "games": {"slow": game}}
    found = {"interpreters": [one], "goals": bench.GOALS, "frames": bench.frames()}
    monkeypatch.setattr(bench, "measure", lambda *_: found)
    assert bench.main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    assert bench.main([]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "slow " in line)
    assert "31.0" in row
    assert "not reached" in row  # a is more than its goal
    assert found["frames"]["laps"] == 106
