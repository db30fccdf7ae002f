"""The self-test: what shines, what the console says, and the LED map it writes."""

import random
import re

import pytest

from hardware.selftest import BACK_MS, COLOR_MS, HOLD_MS, IDLE_MS, LED_MS, SKIP_MS, SelfTest, run, top_level
from simulator.machine import Machine
from table.settings import read as read_settings

STEP_MS = 20


class Listener:
    """The console: what was said, and what is typed next."""

    def __init__(self):
        self.connected = True
        self.text = ""
        self.stream = self
        self.typed = b""

    def write(self, text):
        if not text.startswith("> "):  # what was typed
            self.text += text

    @property
    def in_waiting(self):
        return len(self.typed)

    def readinto(self, buffer):
        buffer[0] = self.typed[0]
        self.typed = self.typed[1:]
        return 1

    @property
    def lines(self):
        return self.text.splitlines()

    def tick(self):
        """Nothing waits here."""


class Readings:
    """The pads, as far as the self-test asks them."""

    def __init__(self, n):
        self.raws = [220] * n

    def raw(self, pad):
        if isinstance(self.raws[pad], Exception):
            raise self.raws[pad]
        return self.raws[pad]

    def baseline(self, pad):
        return 218


class Bench:
    """A board whose strip runs through the holes as in `wired`, set up as `order`."""

    def __init__(
        self, n=18, wired=None, order=None, colors="GRB", brightness=146, current=400, start=0, ends=False
    ):
        self.n = n
        self.wired = wired or list(range(n))
        self.colors = colors
        self.console = Listener()
        self.pads = Readings(n)
        self.now = start
        self.sent = []
        self.test = SelfTest(
            self,
            order or list(range(n)),
            colors,
            top_level(n, brightness, current),
            self.pads,
            self.console,
            ["what is wrong with the settings"],
            ends,
        )

    def write(self, data):
        self.sent.append(bytes(data))

    def run(self, ms):
        for _ in range(ms // STEP_MS):
            self.now = (self.now + STEP_MS) & 0x1FFFFFFF
            self.test.tick(self.now)

    def lit(self):
        """{hole: (letter, ...)} of what shines now."""
        width = len(self.colors)
        data = self.sent[-1]
        found = {}
        for i in range(self.n):
            letters = "".join(sorted(c for c, v in zip(self.colors, data[i * width :], strict=False) if v))
            if letters:
                found[self.wired[i]] = letters
        return found

    def bright(self):
        """The hole of the brightest pixel."""
        width = len(self.colors)
        sums = [sum(self.sent[-1][i * width : (i + 1) * width]) for i in range(self.n)]
        return self.wired[sums.index(max(sums))]

    def press(self, *pads):
        for pad in pads:
            self.test.press(pad, 100, self.now)

    def release(self, *pads):
        for pad in pads:
            self.test.release(pad, self.now)

    def touch(self, pad, ms=100):
        self.press(pad)
        self.run(ms)
        self.release(pad)
        self.run(STEP_MS)

    def on(self):
        """Two pads for 2 s."""
        self.press(0, 1)
        self.run(HOLD_MS + 100)
        self.release(0, 1)
        self.run(STEP_MS)

    def type(self, text):
        self.console.typed += text.encode() + b"\n"
        self.run(2 * STEP_MS)

    def map(self):
        """The line that it wrote, read as code.py will."""
        found = re.findall(r'^GEBETA_LED_ORDER = "(.*)"$', self.console.text, re.MULTILINE)
        assert len(found) == 1
        board = "3x6" if self.n == 18 else "2x12"
        complaints = []
        get = {"GEBETA_BOARD": board, "GEBETA_LED_ORDER": found[0]}.get
        order = read_settings(get, complaints.append).led_order
        assert not complaints
        return list(order)


# ---- LEDs


@pytest.mark.parametrize("colors", ["GRB", "RGB", "GRBW"])
def test_first_all_leds_are_red_then_green_then_blue_and_white_where_there_is_white(colors):
    bench = Bench(colors=colors)
    shown = []
    for _ in colors:
        bench.run(COLOR_MS // 2)
        shown.append(bench.lit())
        bench.run(COLOR_MS // 2)
    assert shown == [dict.fromkeys(range(18), c) for c in "RGBW"[: len(colors)]]
    said = [line for line in bench.console.lines if line.startswith("all")]
    assert said == ["all LEDs %s" % name for name in ("red", "green", "blue", "white")[: len(colors)]]


@pytest.mark.parametrize("n", [18, 24])
def test_then_each_led_in_turn_with_its_number_and_its_hole(n):
    order = random.Random(n).sample(range(n), n)
    bench = Bench(n, wired=order, order=order)
    bench.run(3 * COLOR_MS)
    for pixel in range(n):
        bench.run(LED_MS)
        assert bench.lit() == {order[pixel]: "BGR"}
        assert bench.console.lines[-1] == f"pixel {pixel}: hole {order[pixel]}"
    bench.run(LED_MS)
    assert any(line.startswith("The pads") for line in bench.console.lines)


@pytest.mark.parametrize(("n", "current"), [(18, 400), (24, 400), (24, 100), (24, 5000)])
def test_all_leds_lit_keep_within_the_current(n, current):
    bench = Bench(n, brightness=255, current=current)
    bench.type("p")
    bench.press(*range(n))
    bench.run(100)
    assert min(bench.sent[-1]) > 0
    assert n + sum(bench.sent[-1]) * 20 / 255 <= current


def test_a_frame_is_sent_only_when_it_changes():
    bench = Bench()
    bench.run(3 * COLOR_MS + 18 * LED_MS + 100)
    count = len(bench.sent)
    assert count == 3 + 18 + 1  # three colours, the walk, dark
    bench.run(5000)
    assert len(bench.sent) == count


# ---- pads


def test_a_touched_pad_lights_its_hole_and_leaves_it_green():
    bench = Bench()
    bench.type("p")
    assert bench.lit() == {}
    bench.press(7)
    bench.run(100)
    assert bench.lit() == {7: "BGR"}
    bench.release(7)
    bench.run(100)
    assert bench.lit() == {7: "G"}


def test_a_wrong_led_map_shows():
    wired = list(range(18))
    wired[3], wired[4] = 4, 3
    bench = Bench(wired=wired)
    bench.type("p")
    bench.press(3)
    bench.run(100)
    assert bench.lit() == {4: "BGR"}


def test_a_pad_that_cannot_be_read_is_magenta_and_named():
    bench = Bench()
    bench.test.out_of_order(5, True)
    bench.type("p")
    assert bench.lit() == {5: "BR"}
    assert "pad 5 cannot be read" in bench.console.text
    bench.test.out_of_order(5, False)
    bench.run(100)
    assert bench.lit() == {}


def table(text, n=18):
    """The last table: {pad: (mark, raw, base)}."""
    lines = [line for line in text.splitlines() if re.match(r"(\x1b\[\d+A)?(pad|raw|base) ", line)][-n // 2 :]
    found = {}
    for i in range(0, n // 2, 3):
        pads = re.findall(r"(\d+)([*+ ])", lines[i].partition("pad")[2])
        for (pad, mark), raw, base in zip(
            pads, lines[i + 1].split()[1:], lines[i + 2].split()[1:], strict=True
        ):
            found[int(pad)] = (mark, raw, base)
    return found


@pytest.mark.parametrize("n", [18, 24])
def test_the_console_has_a_table_of_readings(n):
    bench = Bench(n)
    bench.type("p")
    bench.pads.raws[2] = 620
    bench.pads.raws[3] = None
    bench.pads.raws[4] = OSError("gone")
    bench.press(2)
    bench.run(1000)
    found = table(bench.console.text, n)
    assert sorted(found) == list(range(n))
    assert found[0] == (" ", "220", "218")
    assert found[2] == ("*", "620", "218")
    assert found[3][1] == found[4][1] == "-"
    bench.release(2)
    bench.run(1000)
    assert table(bench.console.text, n)[2][0] == "+"


def test_the_table_is_written_twice_a_second_over_itself_and_only_for_somebody():
    bench = Bench()
    bench.type("p")
    bench.console.text = ""
    bench.run(10_000)
    assert bench.console.text.count("pad ") in range(3 * 18, 3 * 21)
    assert bench.console.text.count("\x1b[9A") in range(18, 21)
    bench.console.connected = False
    bench.run(100)
    bench.console.text = ""
    bench.run(10_000)
    assert bench.console.text == ""


def test_who_connects_late_is_told_where_it_stands():
    bench = Bench()
    bench.console.connected = False
    bench.type("m")
    bench.console.text = ""
    bench.console.connected = True
    bench.run(100)
    assert bench.console.lines[0] == "what is wrong with the settings"
    assert bench.console.lines[1].startswith("self-test: 18 LEDs (GRB)")
    assert bench.console.lines[-1] == "pixel 0 lights: which hole?"


# ---- the LED map


@pytest.mark.parametrize("n", [18, 24])
@pytest.mark.parametrize("seed", range(4))
def test_touching_what_lights_gives_the_map(n, seed):
    wired = random.Random(seed).sample(range(n), n)
    bench = Bench(n, wired=wired, start=(1 << 29) - 2000)
    bench.type("m")
    for _ in range(n - 1):  # the last one is known
        bench.touch(bench.bright())
    assert bench.map() == wired
    bench.run(1000)
    bench.press(9)  # then it can be tried
    bench.run(100)
    assert bench.lit() == {9: "BGR"}


def test_the_map_may_be_typed():
    wired = random.Random(1).sample(range(18), 18)
    bench = Bench(wired=wired)
    bench.type("m")
    for hole in wired[:-1]:
        bench.type(str(hole))
    assert bench.map() == wired


def test_a_wrong_touch_is_taken_back_by_a_hold_or_a_key():
    wired = random.Random(2).sample(range(18), 18)
    bench = Bench(wired=wired)
    bench.type("m")
    bench.touch(wired[0])
    bench.touch(wired[5])  # wrong
    bench.touch(wired[2])
    bench.touch(8, BACK_MS + 100)
    bench.type("u")
    assert bench.console.lines[-1] == "pixel 1 lights: which hole?"
    for hole in wired[1:-1]:
        bench.touch(hole)
    assert bench.map() == wired


def test_a_hole_that_has_its_pixel_is_refused_in_red():
    bench = Bench()
    bench.type("m")
    bench.touch(4)
    bench.touch(4)
    assert bench.lit()[1] == "R"
    assert "hole 4 is pixel 0's already" in bench.console.text
    bench.run(1000)
    assert bench.lit()[1] == "BGR"
    bench.touch(5)
    assert bench.console.lines[-1] == "pixel 2 lights: which hole?"


@pytest.mark.parametrize("dead", [{3}, {0}, {3, 9}, {0, 1, 17}])
def test_dead_pads_do_not_block_it(dead):
    """One dead pad costs nothing but its time; with more, the map as it was decides between them."""
    rng = random.Random(len(dead))
    wired = rng.sample(range(18), 18)
    order = list(wired)
    a, b = (i for i in range(18) if wired[i] not in dead and i < 9), None
    a, b = next(a), next(i for i in reversed(range(18)) if wired[i] not in dead)
    order[a], order[b] = order[b], order[a]  # what is to be corrected
    bench = Bench(wired=wired, order=order)
    bench.type("m")
    if wired[0] in dead:
        bench.type("s")  # by itself it waits for a first answer
    for _ in range(60):
        if "GEBETA_LED_ORDER" in bench.console.text:
            break
        hole = bench.bright()
        if hole in dead:
            bench.run(SKIP_MS + 100)
        else:
            bench.touch(hole)
    assert bench.map() == wired
    assert bench.console.text.count("is a guess") == (len(dead) if len(dead) > 1 else 0)


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_touched_the_line_is_a_map(seed):
    rng = random.Random(seed)
    bench = Bench()
    bench.type("m")
    for _ in range(3000):
        what = rng.randrange(10)
        if what == 0:
            bench.type("s")
        elif what == 1:
            bench.touch(rng.randrange(18), 1100)
        else:
            bench.touch(rng.randrange(18))
        if "GEBETA_LED_ORDER" in bench.console.text:
            break
    assert sorted(bench.map()) == list(range(18))


def test_nobody_there_no_map():
    bench = Bench()
    bench.type("m")
    bench.run(1_000_000)
    assert "GEBETA_LED_ORDER" not in bench.console.text
    assert bench.console.lines[-1] == "pixel 0 lights: which hole?"


# ---- from part to part


def test_two_pads_held_lead_through_it_and_out():
    bench = Bench()
    bench.run(1000)
    bench.on()
    assert "The pads" in bench.console.text
    bench.on()
    assert "The LED map" in bench.console.text
    bench.on()
    assert bench.test.done
    assert "is pixel" not in bench.console.text


def test_after_the_map_and_a_try_it_ends():
    bench = Bench()
    bench.type("m")
    for hole in range(17):
        bench.touch(hole)
    assert not bench.test.done
    bench.on()
    assert bench.test.done


def test_one_hold_leads_one_part_on_however_long_it_is():
    bench = Bench()
    bench.press(0, 1)
    bench.run(15_000)
    bench.release(0)
    bench.run(3000)
    bench.press(0)
    bench.run(5000)
    assert not bench.test.done
    assert "The LED map" not in bench.console.text


def test_one_pad_or_three_lead_nowhere():
    bench = Bench()
    bench.type("p")
    bench.press(3)
    bench.run(5000)
    bench.press(4)
    bench.run(500)
    bench.press(5)
    bench.run(5000)
    assert "The LED map" not in bench.console.text


@pytest.mark.parametrize("what", ["a pad", "a line"])
@pytest.mark.parametrize("ends", [True, False])
def test_it_ends_when_nobody_is_there_unless_a_setting_has_asked_for_it(ends, what):
    bench = Bench(ends=ends)
    for _ in range(3):
        bench.run(IDLE_MS - 1000)
        assert not bench.test.done
        if what == "a pad":
            bench.touch(3)
        else:
            bench.type("l")
    bench.press(4)
    bench.run(IDLE_MS + 1000)
    assert not bench.test.done
    bench.release(4)
    bench.run(IDLE_MS + 100)
    assert bench.test.done == ends


def test_keys_lead_through_it():
    bench = Bench()
    for text in ("", "l", "P ", "", "p"):
        bench.type(text)
    assert [line[:10] for line in bench.console.lines if line.startswith("The ")] == [
        "The pads: ",
        "The pads: ",
        "The LED ma",
        "The pads: ",
    ]
    bench.type("q")
    assert bench.test.done


@pytest.mark.parametrize(("part", "text"), [("p", "x"), ("p", "3"), ("m", "18"), ("m", "-1")])
def test_a_wrong_key_is_told_what_is_right(part, text):
    bench = Bench()
    bench.type(part)
    bench.type(text)
    assert bench.console.lines[-1].startswith(f"{text}: allowed are ")


# ---- on the virtual board


def board(settings, touched=(), broken=()):
    machine = Machine(settings=settings, virtual=True, power=False)
    for pad in touched:
        machine.touch(pad)
    for pad in broken:
        machine.break_pad(pad)
    machine.power(True)
    return machine


@pytest.mark.parametrize(
    ("name", "touched", "begins"),
    [
        ("3x6", (4, 5), True),
        ("2x12", (10, 11), True),
        ("3x6", (10, 11), False),
        ("3x6", (4,), False),
        ("3x6", (3, 4, 5), False),
        ("3x6", (), False),
    ],
)
def test_just_two_pads_held_at_power_up_begin_it(name, touched, begins):
    with board({"GEBETA_BOARD": name}, touched) as machine:
        machine.run(1000)
        assert ("self-test" in machine.console) == begins


def test_each_pass_says_that_it_is_alive():
    settings = read_settings({}.get, print)
    times = iter(range(0, 200_000, 100))
    passes = []

    class Pads(Readings):
        def scan(self, now, listener):
            assert len(passes) == now // 100 + 1

    run(Bench(), settings, Pads(18), Listener(), lambda: next(times), [], lambda: passes.append(1), True)
    assert len(passes) == IDLE_MS // 100 + 1


@pytest.mark.parametrize(("setting", "ends"), [("0", True), ("1", False)])
def test_a_board_is_not_left_in_it(setting, ends):
    with board({"GEBETA_SELFTEST": setting, "GEBETA_LOG": "1"}, () if setting == "1" else (4, 5)) as machine:
        machine.run(1500)
        machine.touch(4, False)
        machine.touch(5, False)
        machine.run(IDLE_MS + 2000)
        assert ("gebeta ready" in machine.console) == ends


def test_the_setting_begins_it_and_the_game_follows():
    settings = {
        "GEBETA_SELFTEST": "1",
        "GEBETA_LOG": "1",
        "GEBETA_TAP_MS": "0",
        "GEBETA_GAMES": "lame_uweedet",
        "GEBETA_PLAYERS": "two",
    }
    with board(settings, broken=(9,)) as machine:
        machine.run(1500)
        assert "GEBETA_TAP_MS" in machine.console.splitlines()[0]
        assert "self-test: 18 LEDs" in machine.console
        assert "pad 9 cannot be read" in machine.console
        machine.type("p\n")
        machine.run(1000)
        machine.touch(3)
        machine.run(1000)
        found = table(machine.console)
        assert found[3][0] == "*"
        assert int(found[3][1]) > 2 * int(found[3][2])
        assert found[9][1] == "-"
        machine.touch(3, False)
        machine.run(100)
        machine.type("q\n")
        machine.run(1000)
        assert "gebeta ready" in machine.console
        machine.tap(7)
        machine.run(700)
        machine.tap(8)
        machine.run(12_000)
        assert machine.console.splitlines()[-1].startswith('{"events":[["lift",8,')


def test_a_host_that_does_not_read_does_not_hold_it_up():
    with board({"GEBETA_SELFTEST": "1"}) as machine:
        machine.serial_reads = False
        machine.run(20_000)
        count = machine.frame_count
        machine.touch(3)
        machine.run(200)
        assert machine.frame_count == count + 1
        machine.serial_reads = True
        machine.run(2000)
        assert "lines lost)" in machine.console
