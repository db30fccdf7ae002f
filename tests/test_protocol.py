"""The line protocol on CPython and MicroPython: recorded games, bad commands, junk."""

import glob
import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from games_common import Lines
from test_engine import LONG

import engine

RECORDED = sorted(glob.glob(os.path.join(ROOT, "tests", "games", "*.txt")))
PYTHON = [sys.executable, "-m", "engine"]
# 64 kB is what a board with 150 kB leaves the engine; it must import and play in that.
MICROPYTHON = [shutil.which("micropython") or "", "-X", "heapsize=64k", "-m", "engine"]
needs_micropython = pytest.mark.skipif(not MICROPYTHON[0], reason="no MicroPython wheel for this machine")
BOTH = [
    pytest.param(PYTHON, id="cpython"),
    pytest.param(MICROPYTHON, id="micropython", marks=needs_micropython),
]


def run(command, text):
    if isinstance(text, str):
        text = text.encode()
    done = subprocess.run(command, input=text, capture_output=True, cwd=ROOT, timeout=120, check=False)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("command", BOTH)
@pytest.mark.parametrize("path", RECORDED, ids=os.path.basename)
def test_recorded_games_replay_line_by_line(command, path):
    with open(path) as file:
        lines = file.read().splitlines()
    commands = [line[2:] for line in lines if line.startswith("> ")]
    expected = [json.loads(line) for line in lines if not line.startswith("> ")]
    assert len(commands) == len(expected) > 50
    assert run(command, "\n".join([*commands, "quit"])) == expected


@pytest.mark.parametrize("command", BOTH)
def test_a_turn_of_any_length_is_reported_whole(command):
    for laps, seeds, hole, endless in LONG:
        position = json.dumps({"seeds": seeds, "mover": hole // 12, "turns": [1, 1]})
        *_, answer = run(command, "new lamlameta\nset %s\nplay %d\n" % (position, hole))
        lifts = [e for e in answer["events"] if e[0] == "lift"]
        assert len(lifts) == laps
        assert (answer["events"][-1][0] == "endless") == endless


BAD = [
    ("play 3", "no game yet"),
    ("new chess", "gabata_aksum"),
    ("new", "gabata_aksum"),
    ("new lamlameta starter=2", "0 or 1"),
    ("new lamlameta russ=2", "0, 1"),
    ("new lamlameta russ", "option=value"),
    ("new lamlameta russ=1 russ=1", "once"),
    ("new lamlameta starter=0 starter=0", "once"),
    ("new lamlameta rounds=1", "opening, russ"),
    ("new gabata_aksum rounds=x", "whole number"),
]
BAD_IN_PLAY = [
    ("play", "0 to 17"),
    ("play x", "0 to 17"),
    ("play 1 2", "0 to 17"),
    ("play -1", "0 to 17"),
    ("play 0", "1, 2, 3, 4, 5, 6, 7, 8"),
    ("play 9999", "1, 2, 3, 4, 5, 6, 7, 8"),
    ("next", "not over"),
    ("next now", "alone"),
    ("state 1", "alone"),
    ("games all", "alone"),
    ("quit now", "alone"),
    ("drop 0 3", "race"),
    ("fly", "new, play, drop, next, set, state, think, games, quit"),
    ("set", "object"),
    ("set 5", "object"),
    ("set {", "object"),
    ("set [1]", "object"),
    ("set " + "[" * 100_000, "object"),
    ('set {"sedes": []}', "sedes"),
    ('set {"seeds": [1, 2]}', "18 whole numbers"),
    ('set {"seeds": [54' + ", 0" * 16 + ", -1]}", "18 whole numbers"),
    ('set {"seeds": [53' + ", 0" * 17 + "]}", "54 is right"),
    ('set {"seeds": [54.0' + ", 0" * 17 + "]}", "18 whole numbers"),
    ('set {"seeds": [true, 53' + ", 0" * 16 + "]}", "18 whole numbers"),
    ('set {"claims": [2' + ", 0" * 17 + "]}", "-1 to 1"),
    ('set {"territory": [-1' + ", 0" * 17 + "]}", "0 to 1"),
    ('set {"taken": [1, 0]}', "54 is right"),
    ('set {"taken": 0}', "2 whole numbers"),
    ('set {"mover": 2}', "0 or 1"),
    ('set {"mover": null}', "0 or 1"),
    ('set {"again": -1}', "0 or 1"),
    ('set {"quiet": -1}', "quiet"),
    ('set {"turns": [0, -1]}', "turns"),
    ('set {"round": 0}', "round"),
]


def test_bad_commands_before_a_game_are_answered():
    ask = Lines()
    for command, says in BAD:
        assert says in ask(command)["error"], command


def test_bad_commands_change_nothing():
    ask = Lines()
    ask("new gabata_aksum starter=0")
    before = ask("state")
    for command, says in [*BAD[1:], *BAD_IN_PLAY]:
        assert says in ask(command)["error"], command
        assert ask("state") == before, command


@needs_micropython
def test_both_interpreters_answer_alike():
    commands = [c for c, _ in BAD] + ["new gabata_aksum"] + [c for c, _ in BAD_IN_PLAY if len(c) < 1000]
    commands += [
        "games",
        *("new " + name for name in engine.names()),
        "new sulus_aidi race=1",
        "drop 0 3",
        "games",
    ]
    commands += [
        "new gabata_aksum",
        "play 3",
        'set {"quiet": 99}',
        "play 10",
        "next",
        "games",
        "",
        "   ",
        "state",
    ]
    # all of it in one session, every module loaded, needs a little more than the 64 kB of a game
    assert run(PYTHON, "\n".join(commands)) == run(MICROPYTHON, "\n".join(commands))


@pytest.mark.parametrize("command", BOTH)
def test_junk_is_answered_and_the_next_command_read_as_usual(command):
    junk = [b"\xff\xfe", b"\x00\x01", b"new gabata_aksum", b"x" * 200_000, b"play 3", b"set {\xff}", b"state"]
    answers = run(command, b"\n".join([*junk, b"quit", b"state\n"]))
    assert ["error" in a for a in answers] == [True, True, False, True, False, True, False]
    assert answers[6]["turns"] == [1, 0]


@pytest.mark.parametrize("command", BOTH)
def test_a_line_too_large_for_the_memory_is_answered(command):
    lines = [
        "new lamlameta",
        'set {"x": [%s]}' % ",".join(["1"] * 20_000),
        "set " + '{"seeds":[1,' + "[1," * 900,
    ]
    *_, a, b, state = run(command, "\n".join([*lines, "state"]))
    assert "error" in a
    assert "error" in b
    assert state["turns"] == [0, 0]


def test_the_end_of_input_ends_the_program():
    assert len(run(PYTHON, "new lamlameta\nplay 3")) == 2


def test_a_position_is_put_up_and_its_rules_applied():
    ask = Lines()
    ask("new lame_uweedet gambit=0")
    answer = ask("play 8")
    put = ask("set " + json.dumps(answer))
    assert {k: answer[k] for k in put} == put
    # North has no loose seed and is to move: the round is over, and South's loose seeds are South's
    seeds = [3, 0, 0, 0, 0, 0, 0, 0, 0, 8] + [0] * 8
    claims = [-1] * 9 + [0] + [-1] * 8
    over = ask("set " + json.dumps({"seeds": seeds, "claims": claims, "taken": [20, 23], "mover": 1}))
    assert (over["over"], over["taken"], over["score"], over["moves"]) == (1, [23, 23], [31, 23], [])
    # with over said, nothing is applied
    ask("new lame_uweedet")
    position = {"seeds": seeds, "claims": claims, "taken": [20, 23], "mover": 1, "over": 1}
    as_said = ask("set " + json.dumps(position))
    assert (as_said["over"], as_said["taken"]) == (1, [20, 23])


def test_a_player_without_a_move_passes_in_gabata_of_aksum():
    ask = Lines()
    ask("new gabata_aksum")
    seeds = [3] + [0] * 17
    answer = ask("set " + json.dumps({"seeds": seeds, "taken": [20, 31], "mover": 1, "turns": [5, 5]}))
    assert (answer["mover"], answer["turns"], answer["moves"], answer["over"]) == (0, [5, 6], [0], 0)
