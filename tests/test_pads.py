"""Raw readings become presses: what both drivers of the pads have in common, and what `touchio` alone does."""

import random

import pytest
from pads_common import CLOCKS, Bench, Sensor

from hardware.pads import median, touched_at_start


@pytest.fixture(params=["touchio", "mpr121"])
def driver(request):
    return request.param


@pytest.fixture(params=CLOCKS)
def start(request):
    return request.param


@pytest.fixture
def bench(driver, start):
    return Bench(driver, start=start)


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


def test_strength_is_relative_to_the_pad(driver):
    bench = Bench(driver, sensors=[Sensor(200 + 100 * (pad % 2), 600 + 300 * (pad % 2)) for pad in range(18)])
    bench.touch(0, 1)
    bench.run(50)
    assert abs(bench.strengths[0] - bench.strengths[1]) <= 2


def test_noise_and_drift_are_no_touches(driver):
    rng = random.Random(2)
    bench = Bench(driver, sensors=[Sensor(noise=11, rng=rng) for _ in range(18)])
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
    before = bench.pads.baseline(3)
    bench.sensors[3].idle = 120
    bench.run(190)
    assert bench.pads.baseline(3) > before * 200 // 220
    bench.run(40)
    assert abs(bench.pads.baseline(3) - before * 120 // 220) <= 1
    bench.touch(3)
    assert bench.run(50) == "+3"


def test_a_short_dip_is_not_followed(bench):
    bench.run(100)
    before = bench.pads.baseline(3)
    for _ in range(20):
        bench.sensors[3].idle = 120
        bench.run(150)
        bench.sensors[3].idle = 220
        bench.run(50)
    assert bench.pads.baseline(3) > before * 200 // 220


# ---- power-up


def test_a_finger_at_power_up_costs_nothing_after_it_is_lifted(driver):
    sensors = [Sensor() for _ in range(18)]
    sensors[0].touched = True
    bench = Bench(driver, sensors=sensors)
    assert bench.pads.held == [0]
    assert bench.run(3000) == ""
    bench.lift(0)
    assert bench.run(300) == ""
    bench.touch(0)
    assert bench.run(50) == "+0"


def test_a_hand_on_half_the_board_at_power_up(driver):
    sensors = [Sensor() for _ in range(18)]
    for pad in range(8):
        sensors[pad].touched = True
    bench = Bench(driver, sensors=sensors)
    assert bench.pads.held == list(range(8))
    bench.run(1000)
    bench.lift(*range(8))
    bench.run(300)
    for pad in range(18):
        bench.touch(pad)
        assert bench.run(50) == f"+{pad}"
        bench.lift(pad)
        bench.run(50)


def test_a_cloth_on_all_of_it_at_power_up(driver):
    sensors = [Sensor() for _ in range(18)]
    for sensor in sensors:
        sensor.touched = True
    bench = Bench(driver, sensors=sensors)
    assert bench.pads.held == []  # there is nothing to judge by
    bench.run(60_000)
    assert bench.said == []
    bench.lift(*range(18))
    bench.run(300)
    bench.touch(9)
    assert bench.run(50) == "+9"


def test_a_thing_on_a_pad_since_power_up_is_out_of_order_at_last(driver):
    sensors = [Sensor() for _ in range(18)]
    sensors[5].touched = True
    bench = Bench(driver, sensors=sensors)
    assert bench.run(39_000) == ""
    assert bench.run(2000) == "!5"
    bench.lift(5)
    assert bench.run(9000) == ""
    assert bench.run(2000) == "?5"
    bench.touch(5)
    assert bench.run(50) == "+5"


def test_a_long_wire_is_no_finger(driver):
    sensors = [Sensor(idle=220 + 8 * pad, touched=700 + 8 * pad) for pad in range(18)]
    bench = Bench(driver, sensors=sensors)
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


# ---- touchio: pads that raise


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
def test_a_pad_that_begins_to_raise(start, error):
    bench = Bench(start=start)
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


def test_a_pad_that_raises_between_its_two_readings():
    bench = Bench()
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
