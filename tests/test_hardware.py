"""The bytes of the strip, and what runs at power-up."""

import json
import random
import sys
import types

import pytest

from hardware.lights import UNIT, Output, Strip, scaled
from simulator.machine import Machine

# ---- the strip


class Wire:
    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(bytes(data))


def strip(order, colors="GRB", brightness=255, current_ma=5000):
    wire = Wire()
    return Strip(wire, order, colors, brightness, current_ma), wire


def test_the_order_of_pixels_and_colours():
    s, wire = strip(bytes((2, 0, 1)))
    s.show(bytes((1, 2, 3, 4, 5, 6, 7, 8, 9)), 0)
    assert wire.sent == [bytes((8, 7, 9, 2, 1, 3, 5, 4, 6))]
    s, wire = strip(bytes((0, 1)), "BGR")
    s.show(bytes((1, 2, 3, 4, 5, 6)), 0)
    assert wire.sent == [bytes((3, 2, 1, 6, 5, 4))]


def test_white_channels_stay_dark():
    s, wire = strip(bytes((0, 1)), "GRBW")
    s.show(bytes((10, 20, 30, 40, 50, 60)), 0)
    assert wire.sent == [bytes((20, 10, 30, 0, 50, 40, 60, 0))]
    s, wire = strip(bytes((0,)), "WRGB")
    s.show(bytes((10, 20, 30)), 0)
    assert wire.sent == [bytes((0, 10, 20, 30))]


def test_no_channel_is_lost_however_dim():
    for brightness in (1, 2, 17, 110, 254, 255):
        s, wire = strip(bytes(range(18)), "RGB", brightness)
        frame = bytes(range(54))
        s.show(frame, 0)
        for value, sent in zip(frame, wire.sent[0], strict=True):
            exact = value * brightness / 255
            assert (sent > 0) == (value > 0)
            assert abs(sent - exact) <= 0.5 or sent == 1
            assert sent == scaled(value, brightness * UNIT // 255)


def test_full_brightness_changes_nothing():
    s, wire = strip(bytes(range(24)), "RGB")
    frame = bytes(random.Random(1).randrange(256) for _ in range(72))
    s.show(frame, 0)
    assert wire.sent == [frame]


def test_it_is_dimmed_at_once_and_brightened_within_a_second():
    s, wire = strip(bytes((0, 1)), "RGB", 146)
    frame = bytes((100, 0, 1, 200, 255, 0))
    s.show(frame, 0)
    for brightness in (36, 255, 1, 146):
        s.dim(brightness)
        assert s.rising
        for now in range(0, 1100, 20):
            s.show(frame, now)
        assert not s.rising
        exact = [value * brightness / 255 for value in frame]
        for sent, value in zip(wire.sent[-1], exact, strict=True):
            assert abs(sent - value) <= 0.5 or sent == (value > 0)
    s.dim(36)
    s.show(frame, 2000)
    assert wire.sent[-1][3] == 28


def test_only_what_changes_is_sent():
    s, wire = strip(bytes((0, 1)), "RGB", 128)
    assert s.show(bytes(6), 0)  # the first frame always: who knows what the strip shows
    assert not s.show(bytes(6), 10)
    assert s.show(bytes((200, 0, 0, 0, 0, 0)), 20)
    assert not s.show(bytes((200, 0, 0, 0, 0, 0)), 30)
    assert not s.show(bytes((199, 0, 0, 0, 0, 0)), 40)  # as bytes it is the same
    assert s.show(bytes(6), 50)
    assert len(wire.sent) == 3


@pytest.mark.parametrize("current", [100, 200, 400, 1000])
@pytest.mark.parametrize("brightness", [40, 110, 255])
def test_the_current_is_never_exceeded(current, brightness):
    rng = random.Random(current)
    s, wire = strip(bytes(range(24)), "GRB", brightness, current)
    now = 0
    for _ in range(300):
        most = rng.choice((20, 255))
        s.show(bytes(rng.randrange(most + 1) for _ in range(72)), now)
        now += rng.randrange(60)
        assert 24 + sum(wire.sent[-1]) * 20 / 255 <= current
        assert s.current_ma() <= current + 1
    s.show(bytes([255]) * 72, now)
    assert 24 + sum(wire.sent[-1]) * 20 / 255 <= current


def test_the_limiter_uses_the_budget():
    s, wire = strip(bytes(range(24)), "GRB", 255, 400)
    s.show(bytes([255]) * 72, 0)
    assert 390 < 24 + sum(wire.sent[-1]) * 20 / 255 <= 400


def test_the_limiter_falls_at_once_and_rises_over_a_second():
    s, wire = strip(bytes(range(24)), "RGB", 255, 400)
    dim = bytes([30]) * 72
    s.show(dim, 0)
    assert set(wire.sent[-1]) == {30}
    s.show(bytes([255]) * 72, 20)
    low = wire.sent[-1][0]
    assert low < 70
    assert s.rising
    s.show(dim, 40)
    assert wire.sent[-1][0] < 15
    seen = []
    for now in range(60, 2200, 20):
        s.show(dim, now)
        seen.append(wire.sent[-1][0])
    assert seen == sorted(seen)
    assert len(set(seen[:46])) == 1  # the first second it waits: see the next test
    assert seen[60] < 20
    assert seen[-1] == 30
    assert not s.rising


def test_hands_that_come_and_go_do_not_pump_the_light():
    s, wire = strip(bytes(range(24)), "RGB", 255, 400)
    dim, bright = bytes([30]) * 72, bytes([255]) * 72
    quiet = set()
    for now in range(0, 10_000, 20):
        s.show(bright if now % 450 < 150 else dim, now)
        if now % 450 >= 150:
            quiet.add(wire.sent[-1][0])
    assert len(quiet) == 1


def test_a_frame_over_the_budget_does_not_flicker():
    s, wire = strip(bytes(range(24)), "RGB", 255, 400)
    frame = bytes([255, 100, 3]) * 24
    for now in range(0, 5000, 17):
        s.show(frame, now)
    assert len(wire.sent) == 1


def test_a_budget_below_the_idle_current_leaves_the_dimmest_light():
    s, wire = strip(bytes(range(24)), "RGB", 255, 10)
    s.show(bytes([255]) * 72, 0)
    assert set(wire.sent[-1]) == {1}


def test_the_clock_may_wrap():
    s, wire = strip(bytes(range(24)), "RGB", 255, 400)
    s.show(bytes([255]) * 72, (1 << 29) - 100)
    s.show(bytes([30]) * 72, (1 << 29) - 50)
    s.show(bytes([30]) * 72, 1000)
    s.show(bytes([30]) * 72, 1900)
    assert set(wire.sent[-1]) == {30} or s.level > 0.9 * UNIT


def test_the_output_looks_its_function_up_each_time(monkeypatch):
    made = types.SimpleNamespace(pin="the pin")
    module = types.ModuleType("neopixel")
    module.NeoPixel = lambda pin, n, pixel_order, auto_write: made
    module.neopixel_write = None
    monkeypatch.setitem(sys.modules, "neopixel", module)
    output = Output("GP28", 18, "GRB")
    sent = []
    module.neopixel_write = lambda pin, data: sent.append((pin, data))
    output.write(b"abc")
    assert sent == [("the pin", b"abc")]


def test_a_drive_without_libraries_still_shines(monkeypatch):
    sent = []
    digitalio = types.ModuleType("digitalio")
    digitalio.Direction = types.SimpleNamespace(OUTPUT="out")
    digitalio.DigitalInOut = lambda pin: types.SimpleNamespace(pin=pin, direction=None)
    builtin = types.ModuleType("neopixel_write")
    builtin.neopixel_write = lambda pin, data: sent.append((pin.pin, pin.direction, data))
    monkeypatch.setitem(sys.modules, "neopixel", None)  # ImportError
    monkeypatch.setitem(sys.modules, "digitalio", digitalio)
    monkeypatch.setitem(sys.modules, "neopixel_write", builtin)
    Output("GP28", 18, "GRB").write(b"abc")
    assert sent == [("GP28", "out", b"abc")]


@pytest.mark.parametrize("colors", ["GRBW", "WRGB"])
def test_a_strip_with_white_shows_what_one_without_shows(colors):
    seen = []
    for order in ("GRB", colors):
        settings = {"GEBETA_LED_COLORS": order, "GEBETA_GAMES": "gabata_aksum"}
        with Machine(settings=settings, order=order, virtual=True) as machine:
            machine.run(500)
            machine.tap(7)
            machine.run(700)
            machine.tap(2)
            machine.run(1000)
            seen.append([machine.decode(data) for _, data in machine.frames])
            if len(order) == 4:
                white = order.index("W")
                assert not any(any(data[white::4]) for _, data in machine.frames)
    assert seen[0] == seen[1]
    assert len(seen[0]) > 50


def test_pads_are_read_between_any_two_frames():
    with Machine(settings={"GEBETA_BOARD": "2x12"}, virtual=True) as machine:
        done = []
        read_pad, write_strip = machine.read_pad, machine.write_strip
        machine.read_pad = lambda number: done.append("r") or read_pad(number)
        machine.write_strip = lambda data: done.append("w") or write_strip(data)
        machine.run(500)
        machine.tap(7)
        machine.run(700)
        machine.tap(2)
        machine.run(2000)
        scans = "".join(done).split("w")
    assert len(scans) > 100
    assert min(len(scan) for scan in scans[2:-1]) >= 5  # a touch that is believed ends a scan early
    assert sorted(len(scan) for scan in scans)[len(scans) // 2] in (24, 48, 72)  # whole scans mostly


# ---- boot.py, safemode.py, code.py


def boot(mode, touched=(), broken=(), **settings):
    """Power up the virtual board with fingers on it; what has become of the drive."""
    settings = {"GEBETA_MODE": mode, **settings}
    with Machine(settings=settings, virtual=True, power=False) as machine:
        for pad in touched:
            machine.touch(pad)
        for pad in broken:
            machine.break_pad(pad)
        machine.power(True)
        machine.run(300)
        assert machine.drive["readonly"]  # for code.py: nothing of ours writes it
        assert machine.autoreload == machine.drive["usb"]
        return machine.drive["usb"]


@pytest.mark.parametrize("pads", ["touchio", "mpr121"])
@pytest.mark.parametrize(
    ("mode", "touched", "broken", "open_"),
    [
        ("home", (), (), True),
        ("exhibit", (), (), False),
        ("exhibit", (0,), (), True),
        ("exhibit", (1,), (), False),
        ("exhibit", (0, 1), (), False),
        ("exhibit", (), (0,), True),  # nobody must be locked out by a broken pad
        ("exhibit", (0,), (3, 4), True),
        ("Exhibit", (), (3,), False),
    ],
)
def test_boot_hides_the_drive_in_an_exhibit_unless_pad_0_is_held(mode, touched, broken, open_, pads):
    assert boot(mode, touched, broken, GEBETA_PADS=pads) == open_


@pytest.mark.parametrize("board", ["3x6", "2x12"])
def test_boot_reads_the_pads_that_the_settings_name(board):
    pins = ",".join(f"GP{17 - i}" for i in range(18))
    assert boot("exhibit", (17,), GEBETA_PAD_PINS=pins)
    assert not boot("exhibit", (0,), GEBETA_PAD_PINS=pins)
    chips = {"GEBETA_PADS": "MPR121", "GEBETA_MPR121": "5B 5A", "GEBETA_BOARD": board}
    assert boot("exhibit", (12,), **chips)
    assert not boot("exhibit", (0,), **chips)
    if board == "3x6":
        chips["GEBETA_MPR121_ELECTRODES"] = ",".join(str(23 - i) for i in range(18))
        assert boot("exhibit", (11,), **chips)
        assert not boot("exhibit", (12,), **chips)


@pytest.mark.parametrize(
    "wrong",
    [
        {"GEBETA_MPR121": "0x5C,0x5D"},
        {"GEBETA_MPR121": "fish"},
        {"GEBETA_MPR121_PINS": "GP0,GP1"},
        {"GEBETA_MPR121_PINS": "GP20"},
        {"GEBETA_MPR121_PINS": "GP77,GP78"},
        {"GEBETA_MPR121_ELECTRODES": "0,1"},
        {"GEBETA_MPR121_ELECTRODES": "a,b"},
    ],
)
def test_nobody_is_locked_out_by_wrong_settings(wrong):
    assert boot("exhibit", GEBETA_PADS="mpr121", **wrong)


@pytest.mark.parametrize("fault", ["short", "loose"])
def test_nobody_is_locked_out_by_a_dead_bus(fault):
    settings = {"GEBETA_MODE": "exhibit", "GEBETA_PADS": "mpr121"}
    with Machine(settings=settings, virtual=True, power=False) as machine:
        machine.bus.fault = fault
        machine.power(True)
        machine.run(500)
        assert machine.drive["usb"]


@pytest.mark.parametrize("pins", ["GP5", "GP5," * 18, ",".join(f"GP{i}" for i in range(17, 0, -1)) + ",GP99"])
def test_boot_reads_the_usual_pads_where_code_py_does(pins):
    assert boot("exhibit", (0,), GEBETA_PAD_PINS=pins)
    assert not boot("exhibit", (5,), GEBETA_PAD_PINS=pins)
    assert not boot("exhibit", (17,), GEBETA_PAD_PINS=pins)


def test_a_board_that_tests_itself_keeps_its_drive_open():
    assert boot("exhibit", GEBETA_SELFTEST="1")
    assert not boot("exhibit", GEBETA_SELFTEST="0")


def test_safe_mode_is_left_five_times_in_a_row():
    with Machine(settings={"GEBETA_MODE": "exhibit"}, virtual=True) as machine:
        for resets in range(1, 6):
            machine.run(300)
            assert machine.rgb()  # code.py runs
            machine.crash()
            machine.run(300)
            assert not machine.safe_mode
            assert machine.resets == 2 * resets
            assert not machine.drive["usb"]
        machine.crash()
        machine.run(10_000)
        assert machine.safe_mode
        assert machine.resets == 11
        assert machine.drive["usb"]  # somebody can get at it
        machine.power(False)
        machine.power(True)
        machine.run(300)
        assert not machine.safe_mode


def test_a_minute_of_running_well_forgets_safe_mode():
    with Machine(virtual=True) as machine:
        for _ in range(2):
            machine.run(300)
            machine.crash()
            machine.run(59_000)
            assert machine.sleep_memory[0]
            machine.run(3000)
            assert not machine.sleep_memory[0]
            assert not machine.safe_mode


def test_code_py_says_what_is_wrong_and_plays_all_the_same():
    settings = {
        "GEBETA_BOARD": "5x5",
        "GEBETA_GAMES": "lame_uweedet",
        "GEBETA_PLAYERS": "two",
        "GEBETA_LOG": "1",
    }
    with Machine(settings=settings, virtual=True) as machine:
        machine.run(500)
        machine.tap(7)
        machine.run(700)
        machine.tap(8)
        machine.run(12_000)
        lines = machine.console.splitlines()
    assert lines[0] == 'GEBETA_BOARD = "5x5": allowed is 3x6 or 2x12; 3x6 is used'
    assert lines[1].startswith("gebeta ready board=3x6 games=lame_uweedet free=")
    turn = json.loads(lines[-1])
    assert turn["events"][0] == ["lift", 8, 5]


def test_code_py_prints_nothing_while_nobody_listens():
    settings = {"GEBETA_GAMES": "lame_uweedet; chess", "GEBETA_PLAYERS": "two", "GEBETA_LOG": "1"}
    with Machine(settings=settings, virtual=True, power=False) as machine:
        machine.serial_connected = False
        machine.power(True)
        machine.run(500)
        machine.tap(7)
        machine.run(500)
        machine.serial_connected = True
        machine.run(100)
        lines = machine.console.splitlines()
    assert "chess" in lines[0]
    assert lines[1].startswith("gebeta ready")
    assert json.loads(lines[2])["state"] == "play"
    assert json.loads(lines[3])["seeds"] == [3] * 18


def test_who_connects_late_hears_which_pads_are_out_of_order():
    settings = {"GEBETA_GAMES": "lame_uweedet", "GEBETA_PLAYERS": "two", "GEBETA_LOG": "1"}
    with Machine(settings=settings, virtual=True, power=False) as machine:
        machine.break_pad(9)
        machine.serial_connected = False
        machine.power(True)
        machine.run(2000)
        machine.serial_connected = True
        machine.run(100)
        lines = machine.console.splitlines()
    assert lines[0].startswith("gebeta ready")
    assert [json.loads(line) for line in lines[1:]] == [{"pad": 9, "out_of_order": 1}, {"state": "attract"}]


@pytest.mark.parametrize("log", ["0", "1"])
def test_a_host_that_stops_reading_stops_nothing(log):
    settings = {"GEBETA_GAMES": "lame_uweedet; chess", "GEBETA_LOG": log}
    with Machine(settings=settings, virtual=True, power=False) as machine:
        machine.serial_reads = False
        machine.power(True)
        machine.run(1000)
        assert len(machine.console) == 0
        assert machine.unread()
        for _ in range(10):
            machine.tap(7)
            machine.run(700)
            machine.tap(8)
            before = machine.frame_count
            machine.run(5000)
            assert machine.frame_count > before + 50
        machine.serial_reads = True
        machine.run(1000)
        lines = machine.console.splitlines()
    assert "chess" in lines[0]
    if log == "1":
        assert lines[1].startswith("gebeta ready")
        assert all(json.loads(line) for line in lines[2:] if not line.endswith("lines lost)"))


def test_without_a_log_only_complaints_are_printed():
    with Machine(settings={"GEBETA_TAP_MS": "0"}, virtual=True) as machine:
        machine.run(1000)
        machine.tap(7)
        machine.run(1000)
        assert machine.console.splitlines() == [
            'GEBETA_TAP_MS = "0": allowed is a whole number from 200 to 5000; 1000 is used'
        ]
