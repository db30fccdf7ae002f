"""The console: whole lines while the host reads, and never a wait when it does not."""

import random

import pytest

from hardware.console import Console
from hardware.keys import Answers, Keys

FIFO = 256


class Host:
    """usb_cdc.console, and the host at its other end: `takes` bytes are read before each write, None is all."""

    def __init__(self, connected=True, takes=None):
        self.connected = connected
        self.takes = takes
        self.timeout = self.write_timeout = None
        self.fifo = b""
        self.read = b""
        self.typed = b""

    def poll(self):
        count = len(self.fifo) if self.takes is None else self.takes
        self.read += self.fifo[:count]
        self.fifo = self.fifo[count:]

    def write(self, data):
        assert self.write_timeout == 0, "it would wait for ever"
        self.poll()
        taken = bytes(data[: FIFO - len(self.fifo)])
        self.fifo += taken
        self.poll()
        return len(taken)

    @property
    def out_waiting(self):
        return len(self.fifo)

    def reset_output_buffer(self):
        self.fifo = b""

    @property
    def in_waiting(self):
        return len(self.typed)

    def readinto(self, buffer):
        assert self.timeout == 0, "it would wait for ever"
        count = min(len(buffer), len(self.typed))
        buffer[:count] = self.typed[:count]
        self.typed = self.typed[count:]
        return count

    @property
    def lines(self):
        return self.read.decode().splitlines()


def make(size=1024, **host):
    host = Host(**host)
    console = Console(host, size)
    console.tick()
    return console, host


def drain(console, host):
    host.takes = None
    for _ in range(100):
        host.poll()
        console.tick()


def test_lines_come_out_as_they_went_in():
    console, host = make()
    wanted = []
    for i in range(200):
        line = f'{{"turn":{i},"seeds":{list(range(i % 24))}}}'
        for piece in line:
            console.write(piece)
        console.write("\n")
        console.tick()
        wanted.append(line)
    drain(console, host)
    assert host.lines == wanted


def test_no_line_goes_out_before_it_is_whole():
    console, host = make()
    console.write("half of it")
    console.tick()
    assert host.read == b""
    console.write(", and the rest\n")
    console.tick()
    host.poll()
    assert host.read == b"half of it, and the rest\n"


def test_a_host_that_stops_reading_loses_whole_lines_and_is_told_how_many():
    console, host = make(takes=0)
    sent = [f"line {i} " + "x" * 40 for i in range(100)]
    for line in sent:
        console.write(line)
        console.write("\n")
        console.tick()
    drain(console, host)
    console.write("after\n")
    drain(console, host)
    kept = len(host.lines) - 2
    assert 20 < kept < 100
    assert host.lines[:kept] == sent[:kept]
    assert host.lines[kept:] == [f"({100 - kept} lines lost)", "after"]


def test_a_line_longer_than_the_buffer_comes_out_whole_while_the_host_reads():
    console, host = make(size=256)
    long = "".join(f'["lift",{i},1],' for i in range(2000))
    for piece in long.split(","):
        console.write(piece + ",")
    console.write("\n")
    console.write("next\n")
    drain(console, host)
    assert host.lines == [long + ",", "next"]


def test_a_line_longer_than_the_buffer_ends_where_the_host_stopped():
    console, host = make(size=256)
    long = "".join(f"{i} " for i in range(500))
    for i in range(500):
        if i == 200:
            host.takes = 0
        console.write(f"{i} ")
    console.write("\n")
    console.write("next\n")
    console.tick()
    drain(console, host)
    console.write("later\n")
    drain(console, host)
    assert long.startswith(host.lines[0])
    assert host.lines[1:] in (["(1 lines lost)", "next", "later"], ["(2 lines lost)", "later"])


def test_a_line_too_long_for_a_host_that_never_read_leaves_no_trace_but_the_note():
    console, host = make(size=256, takes=0)
    console.write("x" * (FIFO - 1) + "\n")
    console.tick()  # the FIFO is full
    console.write("y" * 5000)
    console.write("\n")
    drain(console, host)
    console.write("after\n")
    drain(console, host)
    assert host.lines == ["x" * (FIFO - 1), "(1 lines lost)", "after"]


@pytest.mark.parametrize("seed", range(20))
def test_every_line_is_whole_or_counted_whatever_the_host_does(seed):
    rng = random.Random(seed)
    console, host = make(size=512)
    sent = []
    for i in range(400):
        host.takes = rng.choice((0, 1, 20, 64, None))
        line = f"{i}:" + "é" * rng.randrange(100)
        sent.append(line)
        console.write(line + "\n")
        if rng.random() < 0.5:
            console.tick()
    drain(console, host)
    console.write("end\n")
    drain(console, host)
    assert host.lines[-1] == "end"
    sent.append("end")
    at = 0
    for line in host.lines:
        if line.startswith("("):
            at += int(line[1:].split()[0])
        else:
            assert line == sent[at]
            at += 1
    assert at == len(sent)
    assert any(line.startswith("(") for line in host.lines)


def test_without_a_host_nothing_waits_and_nothing_is_kept():
    console, host = make(connected=False)
    for _ in range(100):
        console.write("nobody hears this\n")
        console.tick()
    console.write("half a li")
    host.connected = True
    console.tick()
    console.write("ne\n")
    console.write("welcome\n")
    drain(console, host)
    assert host.lines == ["welcome"]


def test_the_next_host_does_not_get_what_the_last_one_left():
    console, host = make(takes=0)
    for _ in range(50):
        console.write("for the first one\n")
        console.tick()
    host.connected = False
    console.tick()
    assert not console.connected
    host.connected = True
    console.tick()
    assert console.connected
    console.write("for the second one\n")
    drain(console, host)
    assert host.lines == ["", "for the second one"]


def test_without_usb_there_is_no_console():
    console = Console(None, 256)
    console.tick()
    console.write("nothing\n")
    assert not console.connected
    assert Keys(console).key() == -1
    assert Keys(console).line() is None


def test_what_a_host_typed_is_read_key_by_key_without_waiting():
    console, host = make()
    keys = Keys(console)
    assert keys.key() == -1
    host.typed = b"ab"
    assert [keys.key() for _ in range(3)] == [97, 98, -1]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_typed_lines_are_read_whole_and_written_back(end):
    console, host = make()
    keys = Keys(console)
    host.typed = b"sta"
    assert keys.line() is None
    host.typed = b"fx\x7ff" + end + end + b"12" + end
    assert [keys.line() for _ in range(4)] == ["staff", "", "12", None]
    drain(console, host)
    assert host.lines == ["> staff", "> ", "> 12"]


def test_a_typed_line_has_an_end_and_only_signs_that_can_be_shown():
    console, host = make()
    keys = Keys(console)
    host.typed = bytes(range(256)) * 3 + b"\n"
    lines = []
    while (line := keys.line()) is not None:
        lines.append(line)
    assert all(len(line) <= 40 and line.isprintable() for line in lines)


def test_what_was_typed_by_a_host_that_has_gone_is_forgotten():
    console, host = make()
    keys = Keys(console)
    host.typed = b"sta"
    keys.line()
    host.connected = False
    console.tick()
    assert keys.line() is None
    host.connected = True
    console.tick()
    host.typed = b"ff\n"
    assert keys.line() == "ff"


@pytest.mark.parametrize("takes", [None, 0, 1, 64])
def test_an_answer_longer_than_the_buffer_comes_out_whole_and_nothing_waits_for_it(takes):
    console, host = make(size=256, takes=takes)
    answers = Answers(console)
    wanted = [f"line {i} of an answer, {'x' * (i % 30)}" for i in range(60)]

    def tell(write):
        for line in wanted:
            write(line[:7])
            write(line[7:] + "\n")

    answers.say(tell)
    for i in range(300):
        answers.tick()
        console.tick()
        if i == 100:
            console.write("the log goes on\n")
    host.takes = None
    for _ in range(100):
        host.poll()
        answers.tick()
        console.tick()
    assert [line for line in host.lines if line != "the log goes on"] == wanted
    assert "the log goes on" in host.lines
    assert console.idle


def test_a_host_that_types_without_end_stops_nobody():
    class Endless(Host):
        in_waiting = 1000

        def readinto(self, buffer):
            self.keys += 1
            buffer[0] = 120
            return 1

    host = Endless()
    host.keys = 0
    console = Console(host, 256)
    console.tick()
    keys = Keys(console)
    for passes in range(1, 100):
        assert keys.line() is None
        assert host.keys <= 64 * passes


def test_answers_that_nobody_reads_do_not_heap_up():
    console, host = make(size=256, takes=0)
    answers = Answers(console)
    told = 0

    def tell(write):
        nonlocal told
        told += 1
        for i in range(30):
            write(f"{told} {i}\n")

    for _ in range(1000):
        answers.say(tell)
        answers.tick()
    assert 2 <= told <= 6
    host.takes = None
    for _ in range(200):
        host.poll()
        console.tick()
        answers.tick()
    assert host.lines == [f"{answer} {i}" for answer in range(1, told + 1) for i in range(30)]
    assert answers.say(tell)
