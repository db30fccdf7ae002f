"""The simulated Pico: what code.py finds there, in virtual time."""

import itertools
import json
import os
import sys
import textwrap
import threading
import time

import pytest
from conftest import ROOT

from simulator import wiring
from simulator.machine import Machine, ProgramError


@pytest.fixture
def make(tmp_path):
    """make(source, ...): a machine that runs this as its code.py. Switched off when the test is over."""
    machines = []

    def build(source, virtual=True, **options):
        (tmp_path / "code.py").write_text(textwrap.dedent(source), encoding="utf-8")
        machines.append(Machine(program=tmp_path, virtual=virtual, **options))
        return machines[-1]

    yield build
    for machine in machines:
        machine.close()


def wait_for(true, seconds=20):
    """For machines in real time, which live in a thread of their own."""
    event = threading.Event()
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        event.wait(0.005)


PADS = """
    import board, neopixel, supervisor, touchio
    pads = [touchio.TouchIn(getattr(board, "GP%d" % i)) for i in range(4)]
    strip = neopixel.NeoPixel(board.GP28, 4, auto_write=False)
    print("ready")
    while True:
        for i, pad in enumerate(pads):
            strip[i] = (200, 60, 10) if pad.value else (0, 8, 20)
        strip.show()
"""


def test_touches_go_in_as_readings_and_light_comes_out_as_bytes(make):
    m = make(PADS)
    m.run(100)
    assert m.console == "ready\n"
    assert m.rgb() == [(0, 8, 20)] * 4
    m.touch(1)
    m.touch(3)
    m.run(20)
    assert m.rgb() == [(0, 8, 20), (200, 60, 10), (0, 8, 20), (200, 60, 10)]
    assert m.frames[-1][1] == bytes((8, 0, 20, 60, 200, 10)) * 2  # GRB on the wire
    m.touch(1, False)
    m.run(20)
    assert m.rgb()[1] == (0, 8, 20)


def test_virtual_time_is_what_the_work_takes(make):
    m = make(PADS)
    m.run(1000)
    assert m.t_us == 1_000_000
    # four idle pads and a strip: 2.8 ms a pass
    gaps = {later[0] - before[0] for before, later in itertools.pairwise(m.frames)}
    assert gaps == {2800}


def test_a_run_stops_and_goes_on_anywhere(make):
    m = make(
        """
        import time
        for i in range(1000):
            time.sleep(0.0105)
            print(i)
        """
    )
    m.run(100)
    assert m.console.split()[-1] == "8"
    m.run(1)
    m.run(1000)
    assert m.console.split()[-1] == "103"
    assert m.t_us == 1_101_000


def test_two_runs_are_the_same_to_the_last_byte(make):
    source = """
    import board, os, random, touchio
    pad = touchio.TouchIn(board.GP5)
    print(os.urandom(4), random.randint(0, 999), [pad.raw_value for _ in range(9)])
    """
    runs = []
    for seed in (0, 0, 7):
        m = make(source, seed=seed)
        m.run(50)
        runs.append(m.console)
        m.close()
    assert runs[0] == runs[1] != runs[2]


def test_the_tick_counter_wraps_65_s_after_power_up(make):
    m = make("import supervisor, time\nwhile True:\n    print(supervisor.ticks_ms())\n    time.sleep(0.01)")
    m.run(64_900)
    assert int(m.console.split()[0]) == 2**29 - 65_000 + 1
    assert int(m.console.split()[-1]) > 2**29 - 200
    m.run(200)
    assert int(m.console.split()[-1]) < 200


def test_settings_are_strings_and_can_be_laid_over(make, tmp_path):
    (tmp_path / "settings.toml").write_text('A = "x"\nB = 7\nC = true\nD = "gone"\n')
    source = 'import os\nprint([os.getenv(k) for k in "ABCDE"], os.getenv("E", "e"))'
    m = make(source, settings={"A": "y", "D": None})
    m.run(10)
    assert m.console.startswith("['y', '7', '1', None, None] e\n")
    assert m.setting("B") == "7"


def test_a_broken_settings_file_is_said_and_leaves_the_defaults(make, tmp_path):
    (tmp_path / "settings.toml").write_text("A = = 1\n")
    m = make('import os\nprint(os.getenv("A"))')
    m.run(10)
    assert m.console.startswith("settings.toml: ")
    assert "None\n" in m.console


def test_a_power_cut_takes_everything_but_nvm(make):
    m = make(
        """
        import board, microcontroller, neopixel, time
        strip = neopixel.NeoPixel(board.GP28, 1)
        strip[0] = (1, 2, 3)
        n = microcontroller.nvm[0]
        microcontroller.nvm[0] = 0 if n == 255 else n + 1
        try:
            while True:
                time.sleep(0.001)
        except Exception:
            print("must not see the cut")
        """
    )
    for count in range(3):
        m.run(200)
        assert m.nvm[0] == count
        assert m.rgb() == [(1, 2, 3)]
        m.power(False)
        assert m.rgb() == []
        m.run(1000)
        m.power(True)
    assert "must not" not in m.console
    assert m.nvm.erases == 2


def test_a_cut_inside_an_erase_loses_all_and_inside_a_write_half(make):
    m = make(
        """
        import microcontroller, time
        nvm = microcontroller.nvm
        nvm[0:4] = b"abcd"
        time.sleep(0.1)
        nvm[0:4] = b"efgh"
        """,
        nvm=None,
    )
    m.run(1.5)  # 1 ms after power-up the program begins
    assert bytes(m.nvm[0:4]) == b"ab\xff\xff"
    m.run(20)
    assert bytes(m.nvm[0:4]) == b"abcd"
    m.run(100)
    m.power(False)
    assert bytes(m.nvm[0:4]) == b"\xff" * 4


@pytest.mark.parametrize("bad", ["nvm[0:4] = b'abc'", "nvm[4096] = 1", "nvm[0] = 256"])
def test_nvm_refuses_what_the_chip_refuses(make, bad):
    m = make(f"import microcontroller\nnvm = microcontroller.nvm\n{bad}")
    with pytest.raises(ProgramError, match=r"ValueError|IndexError"):
        m.run(100)


def test_each_power_up_imports_afresh_and_the_test_keeps_its_own_modules(make, tmp_path):
    (tmp_path / "engine.py").write_text("count = [0]\n")
    import engine

    mine = engine
    m = make(
        "import engine, time\nengine.count[0] += 1\nprint(engine.count)\nwhile True:\n    time.sleep(0.01)"
    )
    for _ in range(2):
        m.run(30)
        assert sys.modules["engine"] is mine
        assert "supervisor" not in sys.modules
        assert str(tmp_path) not in sys.path
        m.power(False)
        m.power(True)
    assert m.console == "[1]\n[1]\n"
    assert os.getenv("PATH")


def test_two_machines_do_not_know_of_each_other(make):
    one = make(PADS)
    two = make(PADS)
    for _ in range(3):
        one.run(20)
        two.run(20)
        one.touch(0)
    assert one.rgb()[0] == (200, 60, 10)
    assert two.rgb()[0] == (0, 8, 20)


def test_pads_break_as_pads_do(make):
    m = make(
        """
        import board, digitalio, touchio
        for pull in (None, digitalio.Pull.UP):
            try:
                touchio.TouchIn(board.GP0, pull)
            except ValueError as error:
                print(error)
        pads = [touchio.TouchIn(getattr(board, "GP%d" % i)) for i in range(1, 4)]
        while True:
            print([pad.raw_value // 100 for pad in pads])
        """,
        power=False,
    )
    m.break_pad(0, "open")
    m.break_pad("GP1", "stuck")
    m.break_pad(2, "dead")
    m.touch(2)
    m.touch(3, strength=0.5)
    m.power(True)
    m.run(60)
    lines = m.console.splitlines()
    assert lines[0].startswith("No pulldown on pin")
    assert lines[1].startswith("No pullup on pin")
    assert lines[2] == "[6, 2, 4]"
    with pytest.raises(ValueError, match="no pad 99"):
        m.touch(99)
    with pytest.raises(ValueError, match="no fault"):
        m.break_pad(1, "tired")


def test_a_wet_cloth_makes_several_pads_restless_and_they_dry(make):
    m = make(
        """
        import board, time, touchio
        pads = [touchio.TouchIn(getattr(board, "GP%d" % i)) for i in range(4)]
        while True:
            print(*[pad.raw_value for pad in pads])
            time.sleep(0.05)
        """,
    )

    def readings(ms):
        before = len(m.console)
        m.run(ms)
        rows = [line.split() for line in m.console[before:].splitlines()]
        return [[int(row[pad]) for row in rows if len(row) == 4] for pad in range(4)]

    readings(500)
    m.lay_cloth(1, 2)
    for pad, values in enumerate(readings(10_000)):
        if pad in (1, 2):
            assert min(values) < 260
            assert max(values) > 450
        else:
            assert max(values) < 230
    m.lay_cloth(2)
    assert m.is_wet(1)
    drying = readings(38_000)
    assert max(drying[1][:200]) > max(drying[1][-60:])
    assert max(drying[2][-60:]) > 400  # it lies there yet
    m.run(3000)
    assert [m.is_wet(pad) for pad in range(4)] == [False, False, True, False]
    assert max(readings(1000)[1]) < 230
    m.lay_cloth()
    m.run(41_000)
    assert max(map(max, readings(1000))) < 230
    m.break_pad(3, "open")  # its resistor falls off while it is in use
    assert set(readings(500)[3]) == {10_000}


def test_a_pin_has_one_user(make):
    m = make("import board, touchio\ntouchio.TouchIn(board.GP3)\ntouchio.TouchIn(board.GP3)")
    with pytest.raises(ProgramError, match="GP3 in use"):
        m.run(10)


def test_digital_pins_have_levels(make):
    m = make(
        """
        import board, digitalio, time
        low, high = digitalio.DigitalInOut(board.GP20), digitalio.DigitalInOut(board.GP21)
        low.pull = digitalio.Pull.UP
        high.pull = digitalio.Pull.UP
        led = digitalio.DigitalInOut(board.LED)
        led.switch_to_output(True)
        print(board.GP20, low.value, high.value)
        low.deinit()
        print(digitalio.DigitalInOut(board.GP20).value)
        """,
        power=False,
    )
    m.levels[20] = False
    m.power(True)
    m.run(10)
    assert m.console.startswith("board.GP20 False True\nFalse\n")


def test_the_24th_pad_is_gp26():
    assert Machine(virtual=True, power=False).pin(23) == 26


def test_a_dead_program_is_an_error_here_and_a_traceback_on_the_console(make):
    m = make("import board\nboard.GP99")
    with pytest.raises(ProgramError, match="GP99"):
        m.run(10)
    assert "code.py" in m.console
    assert "AttributeError" in m.console
    m.power(False)
    (m.program / "code.py").write_text("print('mended')")
    m.power(True)
    m.run(10)
    assert m.console.endswith("mended\n\nCode done running.\n")


def test_reset_and_watchdog_start_the_program_again(make):
    m = make(
        """
        import microcontroller, time
        from watchdog import WatchDogMode
        print(microcontroller.cpu.reset_reason)
        if microcontroller.cpu.reset_reason == microcontroller.ResetReason.POWER_ON:
            microcontroller.reset()
        dog = microcontroller.watchdog
        dog.timeout = 2
        dog.mode = WatchDogMode.RESET
        for _ in range(10):
            time.sleep(1)
            dog.feed()
        while True:
            time.sleep(0.1)
        """
    )
    m.run(11_500)
    assert m.console.split() == ["POWER_ON", "SOFTWARE"]
    m.run(1_000)
    assert m.console.split() == ["POWER_ON", "SOFTWARE", "WATCHDOG"]
    assert m.resets == 2


def test_the_console_is_read_without_waiting_and_lost_while_nobody_listens(make):
    m = make(
        """
        import supervisor, sys, time, usb_cdc
        while True:
            if supervisor.runtime.serial_bytes_available:
                print("got", sys.stdin.read(supervisor.runtime.serial_bytes_available))
            print(usb_cdc.console.read(usb_cdc.console.in_waiting), end=".")
            time.sleep(0.01)
        """
    )
    m.run(20)
    m.type("staff\n")
    m.run(20)
    assert "got staff\n" in m.console
    m.serial_connected = False
    before = m.console
    m.run(50)
    assert m.console == before


def test_frames_are_written_as_tools_lights_reads_them(make, tmp_path):
    m = make(PADS)
    m.run(100)
    m.write_frames(tmp_path / "all.jsonl")
    frames = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert len(frames) == len(m.frames)
    assert frames[0]["rgb"] == [[0, 8, 20]] * 4
    late = [json.loads(line)["t_us"] for line in m.frame_lines(50_000)]
    assert late[0] <= 50_000 < late[1]  # the one that was shining already comes along


def test_white_leds_of_an_rgbw_strip_are_seen():
    m = Machine(virtual=True, power=False, order="GRBW")
    assert m.decode(bytes((1, 2, 3, 10, 250, 0, 0, 10))) == [(12, 11, 13), (10, 255, 10)]
    with pytest.raises(ValueError, match="order"):
        Machine(virtual=True, order="GRX")


def test_real_time_runs_by_itself_at_its_speed(make):
    m = make(PADS, virtual=False, speed=10)
    began = time.perf_counter()
    m.power(True)
    wait_for(lambda: m.rgb())
    m.touch(2)
    wait_for(lambda: m.rgb()[2] == (200, 60, 10))
    m.power(False)
    took = (time.perf_counter() - began) * 1e6 * 10
    assert 0 < m.t_us <= took
    assert m.rgb() == []
    with pytest.raises(RuntimeError, match="virtual"):
        m.run(5)


def test_a_real_time_sleep_ends_at_once_with_the_power(make):
    m = make("import time\nprint('asleep')\ntime.sleep(3600)", virtual=False)
    m.power(True)
    wait_for(lambda: "asleep" in m.console)
    began = time.perf_counter()
    m.power(False)
    assert time.perf_counter() - began < 2


def test_a_program_finds_the_chips_of_the_bus(make):
    m = make(
        """
        import board, busio, time
        bus = busio.I2C(board.GP21, board.GP20, frequency=400_000)
        while not bus.try_lock():
            pass
        def ask(address, register, count):
            data = bytearray(count)
            bus.writeto_then_readfrom(address, bytes((register,)), data)
            return data
        print(list(ask(0x5A, 0x5C, 3)), sum(ask(0x5A, 4, 24)))
        for message in ((0x5C, 0x20), (0x5D, 0x20), (0x5E, 0x4C), (0x5C, 0x10)):
            bus.writeto(0x5A, bytes(message))
        print(list(ask(0x5A, 0x5C, 3)), sum(ask(0x5A, 4, 24)))
        time.sleep(0.005)
        print([low + 256 * high for low, high in zip(*[iter(ask(0x5A, 4, 24))] * 2)])
        bus.writeto(0x5A, bytes((0x80, 0x63)))
        print(list(ask(0x5A, 0x5C, 3)))
        for address in (0x5B, 0x5C):
            try:
                print(len(ask(address, 4, 24)))
            except OSError as error:
                print(error.errno)
        try:
            busio.I2C(board.GP1, board.GP0)
        except RuntimeError as error:
            print(error)
        bus.deinit()
        try:
            ask(0x5A, 4, 1)
        except ValueError as error:
            print(error)
        """,
        power=False,
    )
    m.pads[3].noise = m.pads[5].noise = 0
    m.touch(5)
    m.power(True)
    m.run(50)
    lines = m.console.splitlines()
    assert lines[0] == "[16, 36, 0] 0"  # after a reset, standing still
    assert lines[1] == "[32, 32, 76] 0"  # runs, and cannot be changed; nothing converted yet
    counts = json.loads(lines[2])
    assert (counts[3], counts[5]) == (248, 88)
    assert lines[3] == "[16, 36, 0]"
    assert lines[4:6] == ["24", "19"]
    assert lines[6].startswith("No pull up found")
    assert "deinitialized" in lines[7]


def test_there_must_be_a_program(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no code\.py"):
        Machine(program=tmp_path)


@pytest.mark.parametrize("board", sorted(wiring.ROWS))
def test_the_strip_is_a_serpentine_and_rows_are_a_ring(board):
    n = wiring.holes(board)
    assert sorted(wiring.leds(board)) == list(range(n))
    where = {hole: (x, y) for y, row in enumerate(wiring.ROWS[board]) for x, hole in enumerate(row)}
    order = wiring.leds(board)
    for before, after in itertools.pairwise(order):  # a short wire between neighbours
        assert sum(abs(a - b) for a, b in zip(where[before], where[after], strict=True)) == 1
    width, height = len(wiring.ROWS[board][0]), len(wiring.ROWS[board])
    for hole in range(n):  # what North sees is what South sees
        x, y = where[hole]
        assert where[(hole + n // 2) % n] == (width - 1 - x, height - 1 - y)


def test_the_piezo_hums_and_falls_silent_with_the_power(make):
    m = make(
        "import board, pwmio\np = pwmio.PWMOut(board.GP27, duty_cycle=0, frequency=440, variable_frequency=True)\n"
        "p.duty_cycle = 100\np.frequency = 440\np.frequency = 220\np.duty_cycle = 0\n"
        "p.frequency = 880\np.duty_cycle = 32768\n"
        "try:\n    pwmio.PWMOut(board.GP27)\nexcept ValueError as error:\n    print(error)\n"
    )
    m.run(100)
    assert "GP27 in use" in m.console
    m.power(False)
    assert [note[1:] for note in m.notes] == [(440, 100), (220, 100), (0, 0), (880, 32768), (0, 0)]


def test_the_supply_is_read_and_pins_are_driven(make):
    m = make(
        "import analogio, board, digitalio\nmonitor = analogio.AnalogIn(board.VOLTAGE_MONITOR)\n"
        "pin = digitalio.DigitalInOut(board.GP22)\npin.switch_to_output(True)\nprint(monitor.value * 9900 // 65535)\n"
        "while True:\n    pin.value = monitor.value * 9900 // 65535 > 4000\n"
    )
    m.run(50)
    assert m.console.split() == [str(m.supply_mv - 1)]
    assert m.outputs == {22: True}
    m.supply_mv = 3700
    m.run(50)
    assert m.outputs == {22: False}


@pytest.mark.parametrize("pads", ["touchio", "mpr121"])
def test_the_boards_own_program_runs_and_answers_a_touch(pads):
    settings = {"GEBETA_BOARD": "2x12", "GEBETA_PLAYERS": "two", "GEBETA_LOG": 1, "GEBETA_PADS": pads}
    with Machine(settings=settings, virtual=True) as m:
        m.run(1000)
        assert len(m.rgb()) == 24
        before = len(m.frames)
        m.tap(5)
        m.run(300)
        assert len(m.frames) > before
        assert '{"state":"play"' in m.console


@pytest.mark.parametrize("pads", ["touchio", "mpr121"])
def test_the_turns_of_a_recorded_game_are_tapped(pads):
    with open(os.path.join(ROOT, "tests", "games", "lame_uweedet.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    settings = {
        "GEBETA_GAMES": "lame_uweedet",
        "GEBETA_PLAYERS": "two",
        "GEBETA_LOG": 1,
        "GEBETA_PADS": pads,
        "GEBETA_DROP_MS": 60,
    }
    with Machine(settings=settings, virtual=True) as m:
        m.run(300)
        m.tap(0)
        m.run(700)
        for command, answer in list(zip(lines[::2], lines[1::2], strict=True))[1:9]:
            expected = json.loads(answer)
            seeds = json.dumps(expected["seeds"], separators=(",", ":"))
            m.tap(int(command.split()[-1]))
            m.run_until(lambda seeds=seeds: seeds in m.console.splitlines()[-1], step=50)
            m.run(100)
            assert json.loads(m.console.splitlines()[-1])["mover"] == expected["mover"]


def test_a_pass_may_take_as_long_as_a_test_says(make):
    m = make("import supervisor\nwhile True:\n    print(supervisor.ticks_ms())\n")
    m.run(100)
    m.forget()
    assert m.console == ""
    m.pace_us = 250_000
    m.run(300)
    m.forget()
    m.run(2000)
    said = [int(line) for line in m.console.splitlines()]
    assert len(said) == 8
    assert {(b - a) % (1 << 29) for a, b in itertools.pairwise(said)} == {250}


@pytest.mark.parametrize(("what", "left"), [("write", b"\1\2\xff\xff"), ("erase", b"\xff\xff\xff\xff")])
def test_a_run_can_end_in_the_middle_of_a_write_of_the_flash(make, what, left):
    program = """
        import time
        from microcontroller import nvm
        if nvm[0] == 0xFF:
            nvm[0:4] = bytes((1, 2, 3, 4))
        print("written")
        nvm[0:4] = bytes((5, 6, 7, 8))
        print("written anew")
        time.sleep(60)
    """
    m = make(program, power=False)
    m.stop_in = what
    m.power(True)
    m.run(500)
    assert m.nvm.busy == what
    m.power(False)
    assert m.nvm.data[:4] == left
    m.power(True)
    m.stop_in = what
    m.run(500)
    assert m.nvm.busy is (
        None if what == "write" else what
    )  # the second time nothing but an erase is left to do
    m.run(500)  # a power that stays lets it come to its end
    assert m.nvm.busy is None
    assert m.nvm.data[:4] == b"\5\6\7\x08"
    assert m.console.endswith("written anew\n")
