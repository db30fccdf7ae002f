"""Pads from raw readings, the bytes of the strip, and what runs at power-up."""

import json
import os
import random
import sys
import types

import pytest
from conftest import ROOT

from hardware.lights import UNIT, Output, Strip, scaled
from hardware.pads import Pads, median, touched_at_start
from simulator.machine import Machine

MASK = (1 << 29) - 1
SCAN_MS = 10
CLOCKS = [0, (1 << 29) - 5000]


class Sensor:
    """A pad as touchio sees it: 220 counts, 620 when touched."""

    def __init__(self, idle=220, touched=620, noise=0.0, rng=None):
        self.idle = idle
        self.extra = touched - idle
        self.noise = noise
        self.rng = rng or random.Random(0)
        self.touched = False
        self.spike = 0  # added to the next reading only
        self.wrong = None  # an exception to raise
        self.closed = False

    @property
    def raw_value(self):
        if self.wrong:
            raise self.wrong
        value = self.idle + (self.extra if self.touched else 0) + self.spike
        self.spike = 0
        return round(value + self.rng.uniform(-self.noise, self.noise))

    def deinit(self):
        self.closed = True


class Bench:
    """Pads with a clock, and what they report: "+3" a press, "-3" a release, "!3" out of order, "?3" in order."""

    def __init__(self, count=18, start=0, sensors=None, refuse=()):
        self.sensors = sensors or [Sensor() for _ in range(count)]
        self.refuse = set(refuse)
        self.start = start
        self.t = 0
        self.said = []
        self.strengths = {}
        self.pads = Pads(count, self.open, start)

    def open(self, pad):
        if pad in self.refuse:
            raise ValueError("No pulldown on pin; 1Mohm recommended")
        return self.sensors[pad]

    def press(self, pad, strength, now):
        self.strengths[pad] = strength
        self.said.append(f"+{pad}@{self.t}")

    def release(self, pad, now):
        self.said.append(f"-{pad}@{self.t}")

    def out_of_order(self, pad, yes):
        self.said.append(f"{'!' if yes else '?'}{pad}@{self.t}")

    def scan(self):
        self.pads.scan((self.start + self.t) & MASK, self)
        self.t += SCAN_MS

    def run(self, ms):
        """What was said in `ms`, without the times."""
        first = len(self.said)
        for _ in range(ms // SCAN_MS):
            self.scan()
        return " ".join(word.partition("@")[0] for word in self.said[first:])

    def touch(self, *pads):
        for pad in pads:
            self.sensors[pad].touched = True

    def lift(self, *pads):
        for pad in pads:
            self.sensors[pad].touched = False


@pytest.fixture(params=CLOCKS)
def bench(request):
    return Bench(start=request.param)


# ---- presses


def test_a_press_and_a_release(bench):
    assert bench.run(500) == ""
    bench.touch(3)
    assert bench.run(100) == "+3"
    bench.lift(3)
    assert bench.run(100) == "-3"


@pytest.mark.parametrize("pad", [0, 5, 11, 12, 17])
def test_two_readings_are_enough_within_two_scans(bench, pad):
    bench.run(100)
    bench.touch(pad)
    assert bench.run(20) == f"+{pad}"
    bench.lift(pad)
    assert bench.run(20) == f"-{pad}"


def test_a_lone_spike_is_no_touch(bench):
    bench.run(100)
    for pad in range(18):
        bench.sensors[pad].spike = 400
        assert bench.run(50) == ""


def test_a_lone_dip_is_no_release(bench):
    bench.run(100)
    bench.touch(4, 16)
    bench.run(50)
    for _ in range(5):
        bench.sensors[4].spike = bench.sensors[16].spike = -400
        assert bench.run(50) == ""


def test_strength_tells_a_finger_from_its_neighbour(bench):
    bench.run(100)
    bench.sensors[4].extra = 110
    bench.touch(3, 4)
    bench.run(50)
    assert bench.strengths[3] >= 2 * bench.strengths[4] > 0


def test_strength_is_relative_to_the_pad():
    bench = Bench(sensors=[Sensor(200 + 100 * (pad % 2), 600 + 300 * (pad % 2)) for pad in range(18)])
    bench.touch(0, 1)
    bench.run(50)
    assert bench.strengths[0] == bench.strengths[1]


def test_noise_and_drift_are_no_touches():
    rng = random.Random(2)
    bench = Bench(sensors=[Sensor(noise=11, rng=rng) for _ in range(18)])
    for minute in range(3):
        for _ in range(600):
            for sensor in bench.sensors:
                sensor.idle += 0.05 if minute % 2 == 0 else -0.05  # 14 % up in a minute, and down again
            assert bench.run(100) == ""
    bench.touch(7)
    assert bench.run(100) == "+7"


def test_the_baseline_is_frozen_while_touched(bench):
    bench.run(100)
    bench.touch(3)
    bench.run(15_000)
    bench.lift(3)
    assert bench.run(50) == "-3"
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_readings_below_baseline_are_followed_after_200_ms(bench):
    bench.run(100)
    bench.sensors[3].idle = 120
    bench.run(190)
    assert bench.pads.baseline(3) > 200
    bench.run(40)
    assert bench.pads.baseline(3) == 120
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_a_short_dip_is_not_followed(bench):
    bench.run(100)
    for _ in range(20):
        bench.sensors[3].idle = 120
        bench.run(150)
        bench.sensors[3].idle = 220
        bench.run(50)
    assert bench.pads.baseline(3) > 200


# ---- power-up


def test_a_finger_at_power_up_costs_nothing_after_it_is_lifted():
    bench = Bench()
    sensors = [Sensor() for _ in range(18)]
    sensors[0].touched = True
    bench = Bench(sensors=sensors)
    assert bench.pads.held == [0]
    assert bench.run(3000) == ""
    bench.lift(0)
    assert bench.run(300) == ""
    bench.touch(0)
    assert bench.run(50) == "+0"


def test_a_hand_on_half_the_board_at_power_up():
    sensors = [Sensor() for _ in range(18)]
    for pad in range(8):
        sensors[pad].touched = True
    bench = Bench(sensors=sensors)
    assert bench.pads.held == list(range(8))
    bench.run(1000)
    bench.lift(*range(8))
    bench.run(300)
    for pad in range(18):
        bench.touch(pad)
        assert bench.run(50) == f"+{pad}"
        bench.lift(pad)
        bench.run(50)


def test_a_cloth_on_all_of_it_at_power_up():
    sensors = [Sensor() for _ in range(18)]
    for sensor in sensors:
        sensor.touched = True
    bench = Bench(sensors=sensors)
    assert bench.pads.held == []  # there is nothing to judge by
    bench.run(60_000)
    assert bench.said == []
    bench.lift(*range(18))
    bench.run(300)
    bench.touch(9)
    assert bench.run(50) == "+9"


def test_a_thing_on_a_pad_since_power_up_is_out_of_order_at_last():
    sensors = [Sensor() for _ in range(18)]
    sensors[5].touched = True
    bench = Bench(sensors=sensors)
    assert bench.run(39_000) == ""
    assert bench.run(2000) == "!5"
    bench.lift(5)
    assert bench.run(9000) == ""
    assert bench.run(2000) == "?5"
    bench.touch(5)
    assert bench.run(50) == "+5"


def test_a_long_wire_is_no_finger():
    sensors = [Sensor(idle=220 + 8 * pad, touched=700 + 8 * pad) for pad in range(18)]
    bench = Bench(sensors=sensors)
    assert bench.pads.held == []
    assert bench.run(60_000) == ""


# ---- stuck


def test_a_pad_held_for_20_s_is_re_based_and_counts_as_up(bench):
    bench.touch(3)
    assert bench.run(19_990) == "+3"
    assert bench.run(100) == "-3"


def test_lifted_within_20_s_more_it_is_as_before(bench):
    bench.run(100)
    bench.touch(3)
    bench.run(39_000)
    bench.lift(3)
    assert bench.run(5000) == ""
    bench.touch(3)
    assert bench.run(50) == "+3"
    bench.lift(3)
    assert bench.run(60_000) == "-3"


def test_not_lifted_it_is_out_of_order_until_quiet_for_10_s(bench):
    bench.run(100)
    bench.touch(3)
    assert bench.run(39_900) == "+3 -3"
    assert bench.run(200) == "!3"
    assert bench.run(100_000) == ""
    bench.lift(3)
    assert bench.run(5000) == ""
    bench.touch(3)  # not quiet: the 10 s begin anew
    assert bench.run(1000) == ""
    bench.lift(3)
    assert bench.run(9900) == ""
    assert bench.run(500) == "?3"
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_a_cloth_that_stays_for_a_while(bench):
    bench.run(100)
    bench.touch(3, 4, 5)
    bench.run(25_000)
    bench.lift(3, 4, 5)
    bench.run(300)
    bench.touch(4)
    assert bench.run(50) == "+4"


def test_damp_left_behind_is_no_fault(bench):
    bench.run(100)
    bench.touch(3)
    bench.run(25_000)
    bench.lift(3)
    bench.sensors[3].idle = 300
    assert bench.run(60_000) == ""
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_a_pad_whose_baseline_was_wrong_is_not_given_up(bench):
    """It read low for a while, then as before: that looks like a touch, but it reads as its neighbours do."""
    bench.run(100)
    idle = bench.sensors[3].idle
    bench.sensors[3].idle = idle // 2
    bench.run(400)
    bench.sensors[3].idle = idle
    assert bench.run(21_000) == "+3 -3"
    assert bench.run(200_000) == ""
    bench.touch(3)
    assert bench.run(50) == "+3"


# ---- pads that raise


def test_a_pad_without_a_resistor_is_out_of_order_and_the_rest_plays_on():
    bench = Bench(refuse={2})
    assert bench.run(100) == "!2"
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_it_is_tried_again_every_10_s():
    bench = Bench(refuse={2, 17})
    assert bench.run(9000) == "!2 !17"
    bench.refuse = {17}
    assert bench.run(1100) == "?2"
    bench.refuse = set()
    assert bench.run(8500) == ""
    assert bench.run(2000) == "?17"
    bench.touch(2)
    assert bench.run(50) == "+2"


def test_all_pads_are_missing():
    bench = Bench(refuse=set(range(18)))
    assert len(bench.run(100).split()) == 18
    bench.refuse = set()
    assert len(bench.run(11_000).split()) == 18
    bench.touch(9)
    assert bench.run(50) == "+9"


@pytest.mark.parametrize("error", [ValueError("deinited"), OSError(5), RuntimeError("bus")])
def test_a_pad_that_begins_to_raise(bench, error):
    bench.run(100)
    bench.touch(3)
    bench.run(50)
    bench.sensors[3].wrong = error
    assert bench.run(100) == "-3 !3"
    assert bench.sensors[3].closed
    assert bench.run(5000) == ""
    bench.sensors[3].wrong = None
    bench.lift(3)
    assert bench.run(6000) == "?3"
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_a_pad_that_raises_between_its_two_readings(bench):
    bench.run(100)
    sensor = bench.sensors[17]
    sensor.spike = 400
    bench.scan()
    sensor.wrong = OSError(5)
    assert bench.run(50) == "!17"


def test_a_pad_mended_while_touched():
    bench = Bench(refuse={2})
    bench.touch(2)
    bench.run(9000)
    bench.refuse = set()
    assert bench.run(2000) == "?2"
    assert bench.run(5000) == ""
    bench.lift(2)
    bench.run(300)
    bench.touch(2)
    assert bench.run(50) == "+2"


def test_median_and_judgement():
    assert median([5, 1, 9]) == 5
    assert not touched_at_start(300, 220)
    assert touched_at_start(620, 220)


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
        return machine.drive["usb"]


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
def test_boot_hides_the_drive_in_an_exhibit_unless_pad_0_is_held(mode, touched, broken, open_):
    assert boot(mode, touched, broken) == open_


def test_boot_reads_the_pads_that_the_settings_name():
    pins = ",".join(f"GP{17 - i}" for i in range(18))
    assert boot("exhibit", (17,), GEBETA_PAD_PINS=pins)
    assert not boot("exhibit", (0,), GEBETA_PAD_PINS=pins)


def test_safe_mode_is_left_five_times_in_a_row(monkeypatch):
    resets = []
    alarm = types.ModuleType("alarm")
    alarm.sleep_memory = bytearray(16)
    microcontroller = types.ModuleType("microcontroller")
    microcontroller.reset = lambda: resets.append(1)
    monkeypatch.setitem(sys.modules, "alarm", alarm)
    monkeypatch.setitem(sys.modules, "microcontroller", microcontroller)
    with open(os.path.join(ROOT, "safemode.py")) as file:
        program = file.read()
    for _ in range(8):
        exec(program, {})
    assert len(resets) == 5


def test_a_minute_of_running_well_forgets_safe_mode(monkeypatch):
    alarm = types.ModuleType("alarm")
    alarm.sleep_memory = bytearray((0x47, 5))
    monkeypatch.setitem(sys.modules, "alarm", alarm)
    with Machine(virtual=True) as machine:
        machine.run(59_000)
        assert alarm.sleep_memory[0]
        machine.run(2000)
        assert not alarm.sleep_memory[0]


def test_code_py_says_what_is_wrong_and_plays_all_the_same():
    settings = {"GEBETA_BOARD": "5x5", "GEBETA_GAMES": "lame_uweedet", "GEBETA_LOG": "1"}
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
    settings = {"GEBETA_GAMES": "lame_uweedet; chess", "GEBETA_LOG": "1"}
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


def test_without_a_log_only_complaints_are_printed():
    with Machine(settings={"GEBETA_TAP_MS": "0"}, virtual=True) as machine:
        machine.run(1000)
        machine.tap(7)
        machine.run(1000)
        assert machine.console.splitlines() == [
            'GEBETA_TAP_MS = "0": allowed is a whole number from 200 to 5000; 1000 is used'
        ]
