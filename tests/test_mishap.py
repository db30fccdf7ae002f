"""What holds an exhibit together when nobody minds it: the watchdog, mishaps, the nightly reset."""

import contextlib
import json
import os
import types

import pytest
from conftest import ROOT

from hardware import mishap
from hardware.journal import Journal
from simulator.machine import Machine, ProgramError
from tools import bundle, flashes
from tools.emulate.machine import in_front

EXHIBIT = {
    "GEBETA_MODE": "exhibit",
    "GEBETA_PLAYERS": "two",
    "GEBETA_GAMES": "lame_uweedet",
    "GEBETA_LOG": "1",
}


@pytest.fixture
def board(tmp_path):
    """board(settings, files): a virtual board with these files beside or in place of its own."""
    with contextlib.ExitStack() as stack:

        def make(settings, files=(), **options):
            for path, text in {**bundle.gather(), **dict(files)}.items():
                (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / path).write_text(text, encoding="utf-8")
            machine = Machine(tmp_path, settings, virtual=True, mishaps=True, **options)
            return stack.enter_context(machine)

        yield make


def errors(machine):
    """What is in the journal: [(text, seconds), ...], the oldest first."""
    found = []
    text = b""
    journal = Journal(bytearray(machine.nvm.data))

    def take(record, whole):
        nonlocal text
        data = bytes((record[1], *record[3:6]))
        if record[0] == 1:
            text += data
        if record[0] == 2:
            found.append((text.rstrip(b"\0").decode(), int.from_bytes(data, "little")))
            text = b""

    journal.read(take)
    return found


def states(machine):
    lines = [json.loads(line) for line in machine.console.splitlines() if line.startswith('{"state"')]
    return [line["state"] for line in lines]


def begun(machine):
    """How often the program has begun, as far as a console knows."""
    return machine.console.count("gebeta ready")


# ---- the watchdog


def test_a_hang_resets_an_exhibit(board):
    machine = board(EXHIBIT, in_front("faults.py"))
    machine.run(20_000)
    assert machine.resets == 0
    machine.tap(1)
    machine.run(7_700)
    assert machine.resets == 0
    machine.run(200)
    assert (machine.resets, machine.reset_reason) == (1, "WATCHDOG")
    machine.touch(1, False)
    machine.run(3_000)
    assert begun(machine) == 2
    assert states(machine)[-1] == "attract"


@pytest.mark.parametrize(
    "part", ["hardware.pads.Pads.scan", "table.table.Table.tick", "hardware.lights.Strip.show"]
)
def test_a_pass_that_does_not_end_feeds_nobody(board, part):
    module, name, method = part.rsplit(".", 2)
    hang = "import supervisor\n\ndef hang(*args):\n    while True:\n        supervisor.ticks_ms()\n\n"
    if name == "Pads":
        module, name = "hardware.pads_touchio", "TouchioPads"
    patch = f"from {module} import {name}\n{name}.{method} = hang\nimport main\n"
    files = {"main.py": bundle.gather()["code.py"], "code.py": hang + patch}
    machine = board(EXHIBIT, files)
    machine.run(8_900)
    assert (machine.resets, machine.reset_reason) == (1, "WATCHDOG")


def test_the_self_test_feeds_it(board):
    machine = board(EXHIBIT, power=False)
    machine.touch(4)
    machine.touch(5)
    machine.power(True)
    machine.run(3_000)
    machine.touch(4, False)
    machine.touch(5, False)
    machine.run(20_000)
    assert "self-test" in machine.console
    assert machine.resets == 0


def test_a_workshop_has_no_watchdog(board):
    machine = board({"GEBETA_GAMES": "lame_uweedet"}, in_front("faults.py"))
    machine.run(3_000)
    machine.tap(1)
    machine.run(20_000)
    assert machine.resets == 0
    assert machine.watchdog_due_us is None


WHY = """
import alarm, microcontroller, supervisor
from hardware.watchdog import Watchdog

w = Watchdog(False, alarm.sleep_memory, supervisor.ticks_ms())
print(w.reason, w.before, w.seconds)
end = (supervisor.ticks_ms() + 3200) % (1 << 29)
while (end - supervisor.ticks_ms()) % (1 << 29) < 1 << 28:
    w.tick(supervisor.ticks_ms())
if w.reason == "power":
    supervisor.reload()
elif w.before == 3 and not alarm.sleep_memory[9]:
    alarm.sleep_memory[9] = 1
    microcontroller.reset()
else:
    Watchdog(True, alarm.sleep_memory, supervisor.ticks_ms()).feed()
    alarm.sleep_memory[4] = 1
    while True:
        supervisor.ticks_ms()
"""


def test_it_is_known_why_the_board_begins_and_how_long_it_was_up(board):
    machine = board({}, {"code.py": WHY})
    machine.run(22_000)
    assert machine.console.splitlines() == ["power 0 0", "software 3 0", "software 3 0", "watchdog 65536 0"]
    machine.power(False)
    machine.power(True)
    machine.run(100)
    assert machine.console.splitlines()[-1] == "power 0 0"


DAYS = """
import alarm, supervisor
from hardware.watchdog import Watchdog

now = first = supervisor.ticks_ms()
w = Watchdog(False, alarm.sleep_memory, now)
seconds = 0
for ms in range(0, 15 * 86_400_000, 997):
    seconds += w.tick((first + ms) % (1 << 29))
w.tick((first + ms + 7_000) % (1 << 29))
for _ in range(6):
    w.tick((first + ms + 7_000) % (1 << 29))
print(w.seconds, seconds, (ms + 7_000) // 1000)
"""


def test_uptime_counts_however_often_the_clock_wraps(board):
    machine = board({}, {"code.py": DAYS})
    machine.run(100)
    found, once, passed = map(int, machine.console.split("\n")[0].split())
    assert found == passed  # also through passes that took long
    assert once == passed - 7
    assert int.from_bytes(machine.sleep_memory[2:6], "little") == passed


# ---- after 24 hours

LATE = """
from hardware.watchdog import Watchdog

begin = Watchdog.__init__

def late(self, *args):
    begin(self, *args)
    self.seconds = 86_300 if not self.before else 0

Watchdog.__init__ = late
import main
"""


@pytest.mark.parametrize("mode", ["exhibit", "home"])
def test_an_exhibit_begins_anew_after_a_day_once_it_is_alone(board, mode):
    settings = {**EXHIBIT, "GEBETA_MODE": mode, "GEBETA_SLEEP_MIN": "0"}
    machine = board(settings, {"main.py": bundle.gather()["code.py"], "code.py": LATE})
    machine.run(60_000)
    for _ in range(4):  # somebody is there, and plays
        machine.tap(1)
        machine.run(20_000)
    assert int.from_bytes(machine.sleep_memory[2:6], "little") > 86_430
    machine.run(80_000)
    assert machine.resets == 0  # the game is still on
    machine.run(40_000)
    assert machine.resets == (mode == "exhibit")
    assert machine.mishap is None


def test_the_day_ends_with_all_that_was_counted(board):
    settings = {**EXHIBIT, "GEBETA_GAMES": "lame_uweedet; sulus_nishtaw"}
    machine = board(settings, {"main.py": bundle.gather()["code.py"], "code.py": LATE})
    machine.run(60_000)
    machine.tap(1)
    machine.run(1000)
    machine.tap(8)  # which is no game
    machine.run(130_000)
    assert machine.resets == 1
    machine.type("counters\n")
    machine.run(1000)
    assert "\ntaps,1\n" in machine.console


# ---- mishaps


def test_an_exception_is_noted_shown_and_left_behind(board):
    machine = board(EXHIBIT, in_front("faults.py"))
    machine.run(12_000)
    machine.frames.clear()
    since = machine.t_us
    machine.tap(2)
    machine.run(1_900)
    assert (machine.resets, machine.reset_reason) == (1, "SOFTWARE")
    assert "AttributeError" in machine.console
    ((text, seconds),) = errors(machine)
    assert text.startswith("AttributeError table/table.py ")
    assert seconds == 11
    machine.run(3_000)
    assert begun(machine) == 2
    frames = [
        ((t - since) // 1000, b"".join(bytes(rgb) for rgb in machine.decode(data)))
        for t, data in machine.frames
    ]
    hole, average = flashes.worst(frames, 18)
    assert hole <= 3
    assert average <= 3
    swept = [frame for t, frame in frames if 200 < t < 1_500]
    assert len(swept) > 40
    for pixel in range(18):
        reds, greens, blues = ([frame[3 * pixel + i] for frame in swept] for i in range(3))
        assert 50 < max(reds) <= 64
        assert max(greens) < max(reds) // 2
        assert not any(blues)
        assert flashes.worst([(t, f[3 * pixel : 3 * pixel + 3]) for t, f in frames if t < 1_600], 1)[0] <= 2


def test_a_workshop_reloads_and_stays_one(board):
    machine = board({**EXHIBIT, "GEBETA_MODE": "home"}, in_front("faults.py"))
    machine.run(5_000)
    machine.tap(2)
    machine.run(5_000)
    assert (machine.resets, machine.reset_reason, machine.run_reason) == (1, "POWER_ON", "SUPERVISOR_RELOAD")
    assert machine.autoreload
    assert begun(machine) == 2
    assert len(errors(machine)) == 1


def test_no_memory_is_a_mishap_like_others(board):
    machine = board(EXHIBIT, in_front("faults.py"))
    machine.run(3_000)
    machine.tap(3)
    machine.run(5_000)
    ((text, _),) = errors(machine)
    assert text.startswith("MemoryError ")
    assert begun(machine) == 2


def test_three_in_a_minute_let_go_of_the_game(board):
    machine = board(EXHIBIT, in_front("faults.py"))
    machine.run(3_000)
    machine.tap(4)
    machine.run(700)
    machine.tap(8)
    machine.run(30_000)
    for state in ("play", "play", "attract"):
        machine.tap(2)
        machine.run(6_000)
        assert states(machine)[-1] == state
    assert machine.resets == len(errors(machine)) == 3


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit"])
def test_the_builder_may_stop_the_program(board, error):
    stop = (
        "from table.table import Table\ndef tick(self, now):\n    raise %s\nTable.tick = tick\nimport main\n"
    )
    files = {"main.py": bundle.gather()["code.py"], "code.py": stop % error}
    machine = board({}, files)
    if error == "SystemExit":
        machine.run(5_000)
    else:
        with pytest.raises(ProgramError, match=error):
            machine.run(5_000)
    assert machine.resets == 0
    assert machine.frame_count == 0
    assert errors(machine) == []


def test_a_deaf_console_keeps_nobody(board):
    machine = board(EXHIBIT, in_front("faults.py"))
    machine.run(3_000)
    machine.serial_reads = False
    machine.tap(2)
    machine.run(6_000)
    assert machine.resets == 1
    machine.serial_reads = True
    machine.run(3_000)
    assert states(machine)[-1] == "attract"


def test_a_broken_strip_and_a_broken_console_keep_nobody(board):
    files = in_front("faults.py")
    files["code.py"] = files["code.py"].replace(
        "        self.state = None\n",
        "        self.state = None\n"
        "        import hardware.console, hardware.lights\n"
        "        hardware.console.Console.tick = hardware.lights.Output.write = None\n",
    )
    machine = board(EXHIBIT, files)
    machine.run(3_000)
    machine.tap(2)
    machine.run(3_000)
    assert machine.resets == 1
    assert len(errors(machine)) == 1
    assert begun(machine) == 2


@pytest.mark.parametrize(
    "path",
    ["table/settings.py", "table/table.py", "hardware/lights.py", "hardware/pads_touchio.py", "hardware/watchdog.py",
     "hardware/journal.py", "table/play.py"],
)  # fmt: skip
def test_a_damaged_file_leaves_a_board_that_shines_and_tries_again(board, path):
    machine = board(EXHIBIT, {path: "def f(:\n"})
    machine.run(20_000)
    assert machine.resets == 4  # five in a row
    resting = {rgb for rgb in machine.rgb() if any(rgb)}
    if path != "hardware/lights.py":
        assert resting == {(12, 4, 0)}
    assert "SyntaxError" in machine.console
    if path != "hardware/journal.py":
        assert len(errors(machine)) == 5
        assert errors(machine)[0][0] == f"SyntaxError {path} 1"
    machine.run(580_000)
    assert machine.resets == 4
    machine.run(40_000)
    assert machine.resets == 5
    machine.run(60_000)
    assert machine.resets == 5  # it is tried once every ten minutes


def test_a_minute_of_running_well_forgets_mishaps(board):
    machine = board(EXHIBIT, in_front("faults.py"))
    for _ in range(2):
        machine.run(64_000)
        assert not machine.sleep_memory[mishap.COUNT]
        machine.tap(2)
        machine.run(3_000)
        assert machine.sleep_memory[mishap.COUNT] == 1
    assert machine.resets == 2


# ---- what a note says


def lines_of(text):
    return text.strip().split("\n")


CIRCUITPYTHON = """
Traceback (most recent call last):
  File "code.py", line 12, in <module>
  File "hardware/pads_mpr121.py", line 1123, in scan
ValueError: File "x", line 3
"""


def test_a_note_names_type_file_and_line():
    assert (
        mishap.summary(lines_of(CIRCUITPYTHON), "MemoryError")
        == "MemoryError hardware/pads_mpr121.py 1123"[:40]
    )
    assert mishap.summary([], "OSError") == "OSError"
    try:
        mishap.amber(None, "GRB", 0, 1)
    except TypeError as error:
        path, line = mishap.summary(mishap.told(error), "TypeError").split()[1:]
    assert path == "hardware/mishap.py"
    with open(os.path.join(ROOT, path)) as file:
        assert 'data[at + colors.find("R")]' in file.readlines()[int(line) - 1]


def test_every_step_may_fail(monkeypatch):
    """Also the journal, and the traceback itself."""
    kept = bytearray(8)
    fed = []
    broken = types.SimpleNamespace(count=18, colors="GRB", write=None)
    for name in ("told", "note", "say"):
        monkeypatch.setattr(mishap, name, None)
    monkeypatch.setattr(mishap.time, "sleep", lambda seconds: None)
    ticks = iter(range((1 << 29) - 500, (1 << 29) + 2_000, 100))
    mishap.handle(ValueError(), 5, broken, lambda: fed.append(1), kept, lambda: next(ticks) % (1 << 29))
    assert kept[mishap.COUNT] == 1
    assert len(fed) == 15
