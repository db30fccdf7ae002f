"""Pads on MPR121 chips: what only a bus and its chips can do wrong. The rules of touch are in test_pads.py."""

import pytest
from pads_common import CLOCKS, Bench, Sensor

from hardware.pads_mpr121 import reading
from simulator.machine import Machine

FIRST = list(range(12))  # the pads of each chip
SECOND = list(range(12, 18))
ALL = FIRST + SECOND


@pytest.fixture(params=CLOCKS)
def bench(request):
    bench = Bench("mpr121", start=request.param)
    assert bench.run(500) == ""
    return bench


def each(sign, pads):
    return " ".join(f"{sign}{pad}" for pad in pads)


def plays(bench, *pads):
    """Whether each of these pads can be pressed and released."""
    for pad in pads:
        bench.touch(pad)
        if bench.run(50) != f"+{pad}":
            return False
        bench.lift(pad)
        if bench.run(50) != f"-{pad}":
            return False
    return True


def repeat(chip, data):
    """Let the chip answer these bytes, over and over, whatever it is asked."""
    read = chip.read
    chip.read = lambda buffer, now_us: buffer.__setitem__(slice(None), (data * 12)[: len(buffer)])
    return lambda: setattr(chip, "read", read)


# ---- readings


@pytest.mark.parametrize(
    ("low", "high", "counts"),
    [(0xF8, 0x00, 248), (0xF8, 0x80, 248), (0xFF, 0x03, 1023), (0xFF, 0x83, 1023), (0x01, 0x00, 1)],
)
def test_counts_are_turned_over_and_bit_15_is_masked(low, high, counts):
    data = bytes((1, 1, low, high))
    assert reading(data, 1) == (1 << 17) // counts


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0xFF, 0xFF), (0, 0x80), (0x00, 0x04), (0xFF, 0x7F)])
def test_counts_that_cannot_be_are_no_reading(low, high):
    assert reading(bytes((low, high)), 0) == 0


def test_strengths_are_as_with_touchio():
    pair = [
        Bench(driver, sensors=[Sensor(220, 300 + 40 * pad) for pad in range(18)])
        for driver in ("touchio", "mpr121")
    ]
    for pad in range(18):
        for bench in pair:
            bench.touch(pad)
            bench.run(100)
            bench.lift(pad)
            bench.run(100)
        assert abs(pair[0].strengths[pad] - pair[1].strengths[pad]) <= 2 + pair[0].strengths[pad] // 20


def test_a_second_reading_is_a_new_conversion(bench):
    """A chip says the same until it has measured anew: a burst of noise would be heard twice."""
    for _ in range(20):
        for pad in ALL:
            bench.sensors[pad].spike = 400
        assert bench.run(70) == ""


@pytest.mark.parametrize("count", [18, 24])
def test_any_electrode_may_be_any_pad(count):
    electrodes = [47 - 2 * pad if pad < 24 else 0 for pad in range(count)]
    bench = Bench("mpr121", sensors=[Sensor() for _ in range(count)], electrodes=electrodes)
    assert len(bench.chips) == 4
    assert bench.run(300) == ""
    assert plays(bench, 0, 1, 5, 6, 11, 12, count - 1)


# ---- a chip that resets


def test_a_silent_reset_is_mended_unseen(bench):
    for chip in bench.chips:
        chip.reset()
    assert bench.run(400) == ""
    assert [chip.set_ups for chip in bench.chips] == [2, 2]
    assert plays(bench, 3, 15)


def test_a_silent_reset_under_a_finger(bench):
    bench.touch(3)
    assert bench.run(100) == "+3"
    bench.chips[0].reset()
    assert bench.run(1000) == ""
    bench.lift(3)
    assert bench.run(50) == "-3"


def test_a_finger_that_comes_while_the_chip_stands_still(bench):
    bench.chips[0].reset()
    bench.touch(3)
    assert bench.run(500) == "+3"


def test_a_chip_that_never_leaves_reset_is_out_of_order_until_it_does(bench):
    bench.touch(3)
    assert bench.run(50) == "+3"
    bench.chips[0].fault = "dull"
    bench.chips[0].reset()
    said = bench.run(3000)
    assert sorted(said.split()) == sorted(("-3 " + each("!", FIRST)).split())
    bench.lift(3)
    assert plays(bench, 12, 17)
    assert bench.run(20_000) == ""
    bench.chips[0].fault = None
    assert bench.run(3500) == each("?", FIRST)
    assert plays(bench, 3, 12)


# ---- a chip that is not there, or talks nonsense


def test_a_shake_of_the_plug_is_let_pass(bench):
    bench.touch(3)
    assert bench.run(50) == "+3"
    for _ in range(5):
        bench.chips[0].fault = "gone"
        assert bench.run(500) == ""
        bench.chips[0].fault = None
        assert bench.run(300) == ""
    bench.lift(3)
    assert bench.run(50) == "-3"


def test_a_chip_that_is_gone_takes_only_its_own_pads(bench):
    bench.chips[1].fault = "gone"
    assert bench.run(1500) == each("!", SECOND)
    assert plays(bench, *FIRST)
    bench.touch(15)
    bench.chips[1].fault = None
    assert bench.run(3500) == each("?", SECOND)
    assert bench.run(3000) == ""  # there is a finger: its press does nothing
    bench.lift(15)
    bench.run(300)
    assert plays(bench, 15, 3)


@pytest.mark.parametrize("fault", ["ones", "zeros"])
def test_garbage_is_never_a_touch(bench, fault):
    for _ in range(30):  # for a moment: nobody notices
        bench.chips[0].fault = fault
        assert bench.run(30) == ""
        bench.chips[0].fault = None
        assert bench.run(70) == ""
    assert plays(bench, 3)
    bench.chips[0].fault = fault  # for good
    assert bench.run(4000) == each("!", FIRST)
    assert plays(bench, 12)
    bench.chips[0].fault = None
    assert bench.run(3500) == each("?", FIRST)
    assert plays(bench, 3)


@pytest.mark.parametrize(
    "data", [b"\x40\x00", b"\x10\x00", b"\x55\x01", b"\x00\x03", b"\xff\x00", b"\x4c\x00"]
)
def test_nonsense_that_looks_like_counts_is_never_a_touch(bench, data):
    mend = repeat(bench.chips[0], data)
    said = bench.run(5000)
    assert said in ("", each("!", FIRST))
    assert plays(bench, 12)
    mend()
    assert bench.run(10_000) == ("" if not said else each("?", FIRST))


def test_zeros_from_the_middle_of_an_answer_on(bench):
    """SDA falls in the middle of a burst and stays there: the rest reads as 0."""
    chip = bench.chips[0]
    read = chip.read

    def torn(buffer, now_us):
        read(buffer, now_us)
        if len(buffer) > 2:
            buffer[11:] = bytes(len(buffer) - 11)

    chip.read = torn
    assert bench.run(1500) == ""
    chip.read = read
    assert bench.run(500) == ""
    assert plays(bench, 3, 8)


def test_an_electrode_that_cannot_be_read_takes_only_its_own_pad(bench):
    bench.sensors[4].fault = "open"
    assert bench.run(2500) == "!4"
    assert plays(bench, 3, 5, 12)
    bench.sensors[4].fault = None
    assert bench.run(3500) == "?4"
    assert plays(bench, 4)


# ---- a bus that hangs


def test_a_bus_held_down_is_clocked_free_at_once(bench):
    bench.touch(3)
    assert bench.run(50) == "+3"
    bench.bus.fault = "held"
    assert bench.run(2000) == ""
    bench.lift(3)
    assert bench.run(50) == "-3"


def test_a_bus_shorted_for_long_stops_nothing_else(bench):
    bench.touch(3)
    assert bench.run(50) == "+3"
    bench.bus.fault = "short"
    scans = len(bench.said)
    bench.scan()
    assert bench.said[scans:].count("-3") == 1
    assert set(bench.said[scans:]) == {"-3", *(f"!{pad}" for pad in ALL)}
    hung = bench.t_us
    tries = bench.bus.opened
    for _ in range(3000):
        before = bench.t_us
        bench.scan()
        assert bench.t_us - max(before, 1000 * (bench.t - 10)) < 1000  # none of them waits
    assert bench.t_us >= hung
    assert 9 <= bench.bus.opened - tries <= 11  # every 3 s
    bench.lift(3)
    bench.bus.fault = None
    assert bench.run(3500) == each("?", ALL)
    assert plays(bench, 3, 15)


def test_a_bus_that_opens_but_hangs_gives_up_after_a_second_try(bench):
    """Its lines look free, and yet no transfer ends."""
    bench.bus.open = lambda scl, sda: None
    bench.bus.fault = "short"
    start = bench.t
    bench.run(6000)
    assert sorted(bench.said) == sorted(f"!{pad}" for pad in ALL)
    assert bench.t - start >= 6000
    bench.said.clear()
    bench.bus.fault = None
    assert bench.run(3500) == each("?", ALL)


def test_power_up_without_pull_ups():
    bench = Bench("mpr121")
    bench.bus.fault = "loose"
    bench.power_up()
    assert bench.pads.held == []
    assert bench.run(100) == each("!", ALL)
    bench.bus.fault = None
    assert bench.run(3500) == each("?", ALL)
    assert plays(bench, 0, 17)


def test_power_up_with_one_chip():
    bench = Bench("mpr121")
    bench.chips[0].fault = "gone"
    bench.touch(13)
    bench.power_up()
    assert bench.pads.held == [13]
    assert bench.run(100) == each("!", FIRST)
    bench.lift(13)
    bench.run(300)
    assert plays(bench, *SECOND)


def test_a_chip_reset_by_nobody_keeps_its_set_up():
    """The Pico starts anew, the chip has run on."""
    bench = Bench("mpr121")
    bench.power_up()
    assert bench.run(100) == ""
    assert plays(bench, 3)


def test_raw_for_the_self_test(bench):
    idle = bench.pads.raw(3)
    assert abs(idle - bench.pads.baseline(3)) <= 5
    bench.touch(3)
    bench.t_us += 10_000
    assert bench.pads.raw(3) > 2 * idle
    bench.chips[0].fault = "gone"
    assert bench.pads.raw(3) is None
    bench.run(2000)
    assert bench.pads.raw(3) is None
    assert bench.pads.raw(17)


# ---- the whole board

SETTINGS = {
    "GEBETA_PADS": "mpr121",
    "GEBETA_LOG": "1",
    "GEBETA_GAMES": "lame_uweedet",
    "GEBETA_PLAYERS": "two",
}


def test_the_lights_live_on_while_the_bus_is_dead():
    with Machine(settings=SETTINGS, virtual=True) as machine:
        machine.run(500)
        machine.tap(7)
        machine.run(1000)
        machine.bus.fault = "short"
        machine.run(2000)
        assert machine.console.count('"out_of_order":1') == 18
        frames = machine.frame_count
        machine.run(10_000)
        assert machine.frame_count - frames > 100
        machine.bus.fault = None
        machine.run(3500)
        assert machine.console.count('"out_of_order":0') == 18
        machine.tap(8)
        machine.run(12_000)
        assert '["lift",8,5]' in machine.console


def test_a_bus_held_down_by_a_cut_off_chip_is_clocked_by_the_pins_themselves():
    with Machine(settings=SETTINGS, virtual=True, power=False) as machine:
        machine.bus.fault = "held"
        machine.power(True)
        machine.run(500)
        assert machine.bus.fault is None
        assert "out_of_order" not in machine.console
        machine.tap(7)
        machine.run(700)
        assert '"state":"play"' in machine.console


def test_only_the_driver_in_use_is_imported():
    for driver, other in (("touchio", "mpr121"), ("mpr121", "touchio")):
        with Machine(settings={"GEBETA_PADS": driver}, virtual=True) as machine:
            machine.run(500)
            assert f"hardware.pads_{driver}" in machine._modules
            assert f"hardware.pads_{other}" not in machine._modules
            assert "table.settings_pads" not in machine._modules
