"""On a battery: the strip's supply while the board sleeps, and a cell that grows weak."""

import sys
import types

import pytest

from hardware.lights import Strip
from simulator.machine import Machine

MASK = (1 << 29) - 1
CLOCKS = [0, (1 << 29) - 20_000]


class Switch:
    def __init__(self, pin):
        if pin == "taken":
            raise ValueError("GP22 in use")
        self.value = None

    def switch_to_output(self, value):
        self.value = value


class Monitor:
    mv = 4000

    def __init__(self, pin):
        self.reads = 0

    @property
    def value(self):
        self.reads += 1
        return self.mv * 65535 // 9900


class Wire:
    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(bytes(data))


class Bench:
    """A strip that shows one frame for ever, and what looks after its supply."""

    def __init__(self, start, switch="GP22", monitor="VOLTAGE_MONITOR"):
        from hardware.power import Power

        self.wire = Wire()
        self.strip = Strip(self.wire, bytes(range(18)), "RGB", 200, 5000)
        self.frame = bytes([100]) * 54
        self.start = start
        self.t = 0
        self.naps = []
        self.power = Power(self.strip, switch, monitor, self.now, self.naps.append)
        self.awake = True
        self.touched = False
        self.changes = []

    @property
    def now(self):
        return (self.start + self.t) & MASK

    @property
    def on(self):
        return self.power._switch.value

    def run(self, ms):
        for _ in range(ms // 10):
            if self.power.tick(self.now, self.awake, self.touched):
                self.changes.append((self.t, self.power._stage))
            self.strip.show(self.frame, self.now)
            self.t += 10
        return self

    def battery(self, mv):
        self.power._monitor.mv = mv
        return self


@pytest.fixture
def modules(monkeypatch):
    monkeypatch.setitem(sys.modules, "digitalio", types.SimpleNamespace(DigitalInOut=Switch))
    monkeypatch.setitem(sys.modules, "analogio", types.SimpleNamespace(AnalogIn=Monitor))
    monkeypatch.delitem(sys.modules, "hardware.power", raising=False)
    yield
    sys.modules.pop("hardware.power", None)


@pytest.fixture(params=CLOCKS)
def bench(modules, request):
    return Bench(request.param)


def test_the_first_frame_waits_until_the_strip_has_settled(bench):
    assert bench.on is True
    bench.run(50)
    assert bench.wire.sent == []
    bench.run(10)
    assert len(bench.wire.sent) == 1


def test_asleep_the_strip_is_off_and_awake_it_shows_all_anew(bench):
    bench.run(100)
    sent = len(bench.wire.sent)
    bench.awake = False
    bench.run(1990)
    assert bench.on is True  # the lights may still fade
    bench.frame = bytes(54)
    bench.run(20)
    assert bench.on is False
    sent = len(bench.wire.sent)
    bench.frame = bytes([50]) * 54
    bench.run(30_000)
    assert len(bench.wire.sent) == sent  # its data line stays low
    bench.frame = bytes(54)  # as sent last; but what the strip shows now nobody knows
    bench.awake = True
    bench.run(50)
    assert bench.on is True
    assert len(bench.wire.sent) == sent
    bench.run(10)
    assert bench.wire.sent[sent:] == [bytes(54)]


def test_awake_again_before_it_was_switched_off_nothing_happens(bench):
    bench.run(100)
    sent = len(bench.wire.sent)
    bench.awake = False
    bench.run(1500)
    bench.awake = True
    bench.run(1500)
    bench.awake = False
    bench.run(1500)
    assert bench.on is True
    assert len(bench.wire.sent) == sent


def test_asleep_the_chip_rests_while_nobody_touches_a_pad(bench):
    bench.run(3000)
    assert bench.naps == []
    bench.awake = False
    bench.run(2000)
    assert len(bench.naps) == 1
    bench.run(1000)
    assert bench.naps == [0.1] * 101
    bench.touched = True
    bench.run(1000)
    assert len(bench.naps) == 101


def light(bench):
    return bench.wire.sent[-1][0]


def test_a_weak_battery_dims_and_a_low_one_dims_more(bench):
    bench.run(12_000)
    full = light(bench)
    bench.battery(3510).run(20_000)
    assert light(bench) == full
    bench.battery(3490).run(11_000)
    assert light(bench) == full // 2
    bench.battery(3310).run(20_000)
    assert light(bench) == full // 2
    bench.battery(3290).run(11_000)
    assert abs(light(bench) - full // 4) <= 1
    assert [stage for _, stage in bench.changes] == [1, 2]


def test_another_brightness_is_dimmed_as_much(bench):
    bench.run(12_000)
    full = bench.strip.full
    bench.battery(3490).run(11_000)
    bench.strip.dim(100)
    assert bench.strip.full == 100 * 128
    bench.battery(4000).run(11_000)
    assert bench.strip.full == 100 * 256
    bench.battery(3290).run(11_000)
    bench.strip.dim(full // 256)
    assert bench.strip.full == full // 4


def test_what_dimming_gives_back_does_not_undo_it(bench):
    bench.battery(3490).run(12_000)
    bench.battery(3600).run(60_000)
    assert [stage for _, stage in bench.changes] == [1]
    bench.battery(3660).run(12_000)
    assert [stage for _, stage in bench.changes] == [1, 0]
    assert light(bench) == 78  # 100 * 200 / 255


def test_it_brightens_within_a_second_and_not_at_once(bench):
    bench.battery(3490).run(12_000)
    bench.battery(4700)  # somebody has plugged it in
    sent = len(bench.wire.sent)
    bench.run(12_000)
    steps = [data[0] for data in bench.wire.sent[sent:]]
    assert steps == sorted(steps)
    assert len(steps) > 10


def test_one_low_reading_is_none(bench):
    bench.run(4990)
    for _ in range(5):
        bench.battery(3000).run(5000)
        bench.battery(4000).run(5000)
    assert bench.changes == []


def test_it_is_read_every_five_seconds(bench):
    bench.run(60_000)
    assert bench.power._monitor.reads == 11


@pytest.mark.parametrize("start", CLOCKS)
def test_either_alone(modules, start):
    bench = Bench(start, monitor=None).run(12_000)
    assert bench.on is True
    assert light(bench) == 78
    bench = Bench(start, switch=None)
    bench.awake = False
    bench.battery(3000).run(12_000)
    assert len(bench.wire.sent) == 2  # in full, and dimmed
    assert light(bench) < 39


def test_every_voltage_has_one_stage(modules):
    from hardware.power import stage_of

    for mv in range(2800, 4300, 10):
        for stage in range(3):
            found = stage_of(mv, stage)
            assert stage_of(mv, found) == found  # it does not go to and fro
            assert (found > 0) >= (mv < 3500)
            assert found < 2 or mv < 3450


# ---- the whole board

SETTINGS = {
    "GEBETA_GAMES": "gabata_aksum",
    "GEBETA_PLAYERS": "two",
    "GEBETA_SLEEP_MIN": "1",
    "GEBETA_LED_POWER_PIN": "GP22",
    "GEBETA_BATTERY": "1",
    "GEBETA_LOG": "1",
}


def test_the_board_sleeps_without_current_and_wakes():
    with Machine(settings=SETTINGS, virtual=True) as m:
        m.run(1000)
        m.tap(4)
        m.run(1000)
        before = m.rgb()
        assert m.outputs[22] is True
        m.run(63_000)
        assert m.outputs[22] is False
        assert m.outputs[28] is False  # the data line
        assert max(max(colour) for colour in m.rgb()) == 0
        frames = len(m.frames)
        m.tap(2, ms=300)
        m.run(1000)
        assert m.outputs[22] is False
        assert len(m.frames) == frames
        m.touch(2)
        m.run(520)
        assert m.outputs[22] is True
        m.touch(2, False)
        m.run(100)
        assert len(m.frames) > frames
        assert [max(colour) > 0 for colour in m.rgb()] == [max(colour) > 0 for colour in before]


def test_asleep_the_chip_rests_between_two_looks_at_the_pads():
    reads = []
    with Machine(settings={**SETTINGS, "GEBETA_LED_POWER_PIN": ""}, virtual=True) as m:
        read_pad = m.read_pad
        m.read_pad = lambda number: reads.append(number) or read_pad(number)
        m.run(30_000)
        del reads[:]
        m.run(1000)
        awake = len(reads)
        m.run(40_000)
        del reads[:]
        m.run(1000)
        assert 18 * 8 < len(reads) < awake // 5
        m.touch(2)
        m.run(150)
        del reads[:]
        m.run(100)
        assert len(reads) > awake // 20  # somebody is there: no rest now


def test_a_weak_battery_is_told_and_dims_the_board():
    with Machine(settings={**SETTINGS, "GEBETA_SLEEP_MIN": "0"}, virtual=True) as m:
        m.run(1000)
        m.tap(4)
        m.run(2000)
        bright = max(max(data) for _, data in m.frames[-50:])
        m.supply_mv = 3400
        m.run(12_000)
        assert '{"battery_mv":3399}' in m.console.splitlines()
        assert max(max(data) for _, data in m.frames[-50:]) <= bright // 2 + 1


def test_a_pin_that_is_taken_is_said_and_the_board_shines(monkeypatch):
    from simulator import shims

    def refuse(machine, blinka):
        def make(pin):
            raise ValueError("GP29 in use")

        return shims._module("analogio", AnalogIn=make)

    refuse.__name__ = "_analogio"
    monkeypatch.setattr(shims, "_analogio", refuse)
    with Machine(settings=SETTINGS, virtual=True) as m:
        m.run(1000)
        line = "GEBETA_LED_POWER_PIN, GEBETA_BATTERY: GP29 in use; neither is in use"
        assert m.console.splitlines()[0] == line
        assert max(max(colour) for colour in m.rgb()) > 0
