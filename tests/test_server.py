"""The server of the virtual board: who may talk to it, what it sends, and its command line. No browser here."""

import asyncio
import base64
import errno
import itertools
import json
import os
import signal
import socket
import time

import pytest
from conftest import ROOT
from e2e.process import Board

import engine
import simulator.__main__
from simulator.__main__ import main, parser, serve, settings_of
from simulator.server import CONSOLE_TAIL, SHORTEST_TOUCH_US, Fingers, headers, listen, make_app, tail

PROGRAM = """
import board, neopixel, os, touchio
n = 18
pads = [touchio.TouchIn(getattr(board, "GP%d" % i)) for i in range(n)]
strip = neopixel.NeoPixel(board.GP28, n, auto_write=False)
print("ready", os.getenv("GEBETA_LOG"))
while True:
    for i, pad in enumerate(pads):
        strip[i] = (99, 60, 10) if pad.value else (0, 8, 20)
    strip.show()
"""


class Socket:
    """The least of a WebSocket client: text frames, asked for as a browser asks."""

    def __init__(self, board, origin=None):
        self.raw = socket.create_connection(("127.0.0.1", board.port), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            "GET /socket HTTP/1.1",
            f"Host: {board.url}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        if origin:
            lines.append(f"Origin: {origin}")
        self.raw.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.file = self.raw.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass

    def send(self, message):
        data = (message if isinstance(message, str) else json.dumps(message)).encode()
        mask = os.urandom(4)
        length = bytes((0x80 | len(data),)) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.raw.sendall(b"\x81" + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        head = self.file.read(2)
        length = head[1]
        if length > 125:
            length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
        return json.loads(self.file.read(length))

    def until(self, true):
        """The first message for which this holds."""
        while True:
            message = self.receive()
            if true(message):
                return message

    def all(self, *conditions):
        """Messages until each of these has held, in whatever order."""
        waiting = list(conditions)
        while waiting:
            message = self.receive()
            waiting = [true for true in waiting if not true(message)]

    def close(self):
        self.file.close()
        self.raw.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "code.py").write_text(PROGRAM, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def board(program):
    board = Board(program=program)
    yield board
    board.close()


@pytest.fixture
def page(board):
    """A socket as the board's own page opens it, after the power has come on."""
    ws = Socket(board, f"http://{board.url}")
    assert ws.receive()["hello"]["board"] == "3x6"
    yield ws
    ws.send({"power": True})
    ws.close()


def lit(message, pixel, color):
    return message.get("light", "")[pixel * 6 : pixel * 6 + 6] == color


def test_the_page_loads_nothing_from_elsewhere(board):
    status, heads, body = board.get("/")
    assert status == 200
    assert b"Gebeta" in body
    policy = heads["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert heads["X-Content-Type-Options"] == "nosniff"
    assert heads["Cache-Control"] == "no-store"
    for path, kind in (
        ("/page/app.js", "javascript"),
        ("/page/style.css", "css"),
        ("/texts/en.json", "json"),
    ):
        assert kind in board.get(path)[1]["Content-Type"]
    for folder in ("page", "texts"):
        for name in os.listdir(os.path.join(ROOT, "simulator", folder)):
            with open(os.path.join(ROOT, "simulator", folder, name), encoding="utf-8") as file:
                text = file.read().replace("http://www.w3.org/2000/svg", "")
            assert "http:" not in text
            assert "https:" not in text


@pytest.mark.parametrize(
    "path", ["/page/../machine.py", "/page/%2e%2e/machine.py", "/simulator/machine.py", "/page/"]
)
def test_only_the_pages_own_files_are_served(board, path):
    assert board.status(path) == 404


def test_other_websites_are_refused(board):
    other = "http://evil.example"
    assert board.status("/", Host="evil.example") == 403
    assert board.status("/", Host=f"evil.example:{board.port}") == 403
    assert board.status("/", Host="127.0.0.1:1") == 403
    assert board.status("/", Origin=other) == 403
    assert board.status("/", Host=f"localhost:{board.port}") == 200
    assert Socket(board, other).status == 403
    assert Socket(board, f"http://localhost:{board.port}").status == 403
    assert Socket(board).status == 403


def test_it_listens_on_loopback_only(board):
    with open("/proc/net/tcp", encoding="ascii") as file:
        local = [line.split()[1] for line in file.readlines()[1:] if line.split()[3] == "0A"]
    assert [address for address in local if int(address[9:], 16) == board.port] == [
        "0100007F:%04X" % board.port
    ]


def test_a_touch_lights_a_hole_and_a_tap_without_length_is_still_seen(page):
    page.until(lambda m: lit(m, 4, "000814"))
    page.send({"down": 4})
    page.until(lambda m: lit(m, 4, "633c0a"))
    page.send({"up": 4})
    page.until(lambda m: lit(m, 4, "000814"))
    page.send({"down": 7})
    page.send({"up": 7})
    page.until(lambda m: lit(m, 7, "633c0a"))
    page.until(lambda m: lit(m, 7, "000814"))


def test_several_pads_and_several_pages(board, page):
    other = Socket(board, f"http://{board.url}")
    for hole in (0, 1, 17):
        page.send({"down": hole})
    other.send({"down": 0})
    light = other.until(lambda m: lit(m, 0, "633c0a") and lit(m, 1, "633c0a") and lit(m, 17, "633c0a"))
    assert light
    page.send({"up": 0})
    page.send({"up": 1})
    page.until(lambda m: lit(m, 1, "000814") and lit(m, 0, "633c0a"))  # the other page still holds it
    other.close()
    page.until(lambda m: lit(m, 0, "000814"))  # a page that goes takes its fingers along
    page.send({"up": 17})


def test_the_power_switch_and_a_page_that_comes_late(board, page):
    page.send({"power": False})
    assert page.until(lambda m: "power" in m and not m["power"])
    assert page.until(lambda m: "light" in m and m["light"] == "")
    late = Socket(board, f"http://{board.url}")
    assert late.receive()["hello"]
    assert "ready 1\n" in late.receive()["console"]
    assert late.receive() == {"power": False}
    assert late.receive() == {"light": ""}
    late.close()
    page.send({"power": True})
    assert page.until(lambda m: m.get("power"))
    assert page.until(lambda m: lit(m, 0, "000814"))


def test_pads_break_and_are_mended(page):
    page.send({"break": [4, "stuck"]})
    page.send({"break": [5, "dead"]})
    broken = {"faults": {"4": "stuck", "5": "dead"}, "wet": []}
    page.all(lambda m: m.get("pads") == broken, lambda m: lit(m, 4, "633c0a"))
    page.send({"down": 5})
    page.send({"down": 6})
    page.until(lambda m: lit(m, 6, "633c0a") and lit(m, 5, "000814"))
    page.send({"up": 5})
    page.send({"up": 6})
    page.send({"break": [4, None]})
    page.send({"break": [5, None]})
    page.all(lambda m: m.get("pads", {}).get("faults") == {}, lambda m: lit(m, 4, "000814"))


def test_a_wet_cloth_goes_with_its_page_but_the_water_stays(board, page):
    other = Socket(board, f"http://{board.url}")
    other.send({"cloth": [10, 11]})
    page.send({"cloth": [11, 12, 13]})
    page.all(lambda m: m.get("pads", {}).get("wet") == [10, 11, 12, 13], lambda m: lit(m, 12, "633c0a"))
    page.send({"cloth": [13, 14]})
    page.until(lambda m: m.get("pads", {}).get("wet") == [10, 11, 12, 13, 14])
    page.send({"cloth": []})
    other.close()
    late = Socket(board, f"http://{board.url}")
    assert late.until(lambda m: "pads" in m)["pads"]["wet"] == [10, 11, 12, 13, 14]
    late.close()


def test_light_that_changes_comes_thirty_times_a_second(tmp_path):
    (tmp_path / "code.py").write_text(
        "import board, neopixel\nstrip = neopixel.NeoPixel(board.GP28, 18, auto_write=False)\ni = 0\n"
        "while True:\n    i = (i + 1) % 251\n    strip.fill((i, 9, 9))\n    strip.show()\n"
    )
    flicker = Board(program=tmp_path)
    try:
        ws = Socket(flicker, f"http://{flicker.url}")
        ws.until(lambda m: m.get("light"))
        began = time.monotonic()
        for _ in range(60):
            ws.until(lambda m: "light" in m)
        assert time.monotonic() - began < 2
        ws.close()
    finally:
        flicker.close()


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("not json", "Expecting"),
        ("[1]", "one of down"),
        ({"down": 18}, "from 0 to 17"),
        ({"down": True}, "from 0 to 17"),
        ({"down": "1"}, "from 0 to 17"),
        ({"power": 1}, "true or false"),
        ({"say": "help"}, "not one of down, up, power, type, cloth, break"),
        ({"cloth": 3}, "a list of the holes it lies on, each once, from 0 to 17"),
        ({"cloth": [3, 18]}, "each once, from 0 to 17"),
        ({"cloth": [3, 3]}, "each once"),
        ({"cloth": [True]}, "each once"),
        ({"break": 3}, "a hole from 0 to 17, one of open, stuck, dead, wet, or null to mend it"),
        ({"break": [18, "stuck"]}, "a hole from 0 to 17"),
        ({"break": [3]}, "a hole from 0 to 17"),
        ({"break": [3, "tired"]}, "not 'tired', but one of open, stuck, dead, wet, or null"),
        ({"break": [3, ["wet"]]}, "but one of open"),
        ({"type": 3}, "plain letters"),
        ({"type": "two\nlines"}, "plain letters"),
        ({"type": "x" * 41}, "plain letters"),
        ({"fly": 1}, "not one of"),
        ({"down": 1, "up": 1}, "one of down"),
    ],
)
def test_bad_messages_are_answered_and_harm_nothing(page, message, words):
    page.send(message)
    assert words in page.until(lambda m: "error" in m)["error"]


def test_the_piezos_notes_come_with_their_times(tmp_path):
    (tmp_path / "code.py").write_text(
        "import board, pwmio, time\npiezo = pwmio.PWMOut(board.GP27, variable_frequency=True)\n"
        "while True:\n    for hertz in (440, 880):\n        piezo.frequency = hertz\n        piezo.duty_cycle = 32768\n"
        "        time.sleep(0.05)\n    piezo.duty_cycle = 0\n    time.sleep(0.1)\n"
    )
    hum = Board(program=tmp_path)
    try:
        ws = Socket(hum, f"http://{hum.url}")
        notes = []
        while len(notes) < 9:
            notes += ws.until(lambda m: "notes" in m)["notes"]
        ws.send({"power": False})
        while notes[-1][1:] != [0, 0]:
            notes += ws.until(lambda m: "notes" in m)["notes"]
        ws.close()
    finally:
        hum.close()
    first = next(i for i, note in enumerate(notes) if note[1] == 440)
    assert [note[1:] for note in notes[first : first + 6]] == [[440, 1], [880, 1], [0, 0]] * 2
    times = [note[0] for note in notes[first : first + 4]]
    assert [round((b - a) / 1000, -1) for a, b in itertools.pairwise(times)] == [50, 50, 100]


def test_what_the_page_types_is_typed_at_the_console(tmp_path):
    program = "import sys, time\nwhile True:\n    print(sys.stdin.read(), end='')\n    time.sleep(0.01)\n"
    (tmp_path / "code.py").write_text(program, encoding="utf-8")
    board = Board(program=tmp_path)
    try:
        ws = Socket(board, f"http://{board.url}")
        ws.send({"type": "staff"})
        ws.send({"type": ""})
        heard = ""
        while heard != "staff\n\n":
            heard += ws.until(lambda m: m.get("console"))["console"]
        ws.close()
    finally:
        board.close()


def test_the_last_light_can_be_had_as_frames(board, page):
    page.send({"down": 3})
    page.until(lambda m: lit(m, 3, "633c0a"))
    page.send({"up": 3})
    lines = board.get("/frames.jsonl?ms=2000")[2].decode().splitlines()
    frames = [json.loads(line) for line in lines]
    assert any(frame["rgb"][3] == [99, 60, 10] for frame in frames)
    assert frames[-1]["t_us"] - frames[1]["t_us"] <= 2_000_000
    assert board.status("/frames.jsonl?ms=soon") == 400


def test_a_busy_port_is_said_and_another_one_taken(program, board):
    second = Board(program=program, port=str(board.port))
    try:
        assert f"Port {board.port} is busy" in second.said[0]
        assert second.port != board.port
        assert second.status("/") == 200
    finally:
        second.close()


def test_ctrl_c_ends_it_though_a_page_is_open(program):
    board = Board(program=program)
    ws = Socket(board, f"http://{board.url}")
    ws.until(lambda m: m.get("light"))
    board.process.send_signal(signal.SIGINT)
    assert board.process.wait(20) == 0
    ws.close()
    board.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "abc"], "'abc' is not a number from 0 to 65535"),
        (["--port", "70000"], "not a number from 0 to 65535"),
        (["--port", "-1"], "not a number from 0 to 65535"),
        (["--board", "4x4"], "3x6"),
        (["--speed", "0"], "not a number from 0.1 to 50"),
        (["--speed", "fast"], "not a number from 0.1 to 50"),
        (["--set", "GEBETA_LOG"], "KEY=VALUE"),
        (["--settings", "/nowhere.toml"], "No such file"),
        (["--program", "/proc"], "no code.py"),
    ],
)
def test_bad_arguments_get_a_clear_error(capsys, arguments, words):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert words in capsys.readouterr().err


def test_settings_are_laid_over_in_order(tmp_path, capsys):
    file = tmp_path / "mine.toml"
    file.write_text('GEBETA_BOARD = "2x12"\nGEBETA_DROP_MS = 60\n')
    parse = parser()
    options = parse.parse_args(["--settings", str(file), "--set", "GEBETA_DROP_MS=90", "--board", "3x6"])
    assert settings_of(options, parse) == {"GEBETA_LOG": "1", "GEBETA_BOARD": "3x6", "GEBETA_DROP_MS": "90"}
    file.write_text("= =")
    with pytest.raises(SystemExit):
        settings_of(parse.parse_args(["--settings", str(file)]), parse)
    assert str(file) in capsys.readouterr().err


def test_a_long_console_keeps_its_beginning():
    greeting = "gebeta ready\nhalf a li"
    text = greeting + "ne\n" + "0123456789\n" * 9_000
    short = tail(text, greeting)
    assert short.startswith("gebeta ready\n...\n01234")
    assert short.endswith("0123456789\n")
    assert len(short) < CONSOLE_TAIL + 100
    assert tail("all\n", "all\n") == "all\n"


class Pads:
    """A machine of which only the pads matter."""

    def __init__(self):
        self.t_us = 0
        self.speed = 1000.0
        self.powered = True
        self.log = []

    def touch(self, hole, down):
        self.log.append((hole, down))


def test_fingers_hold_what_anybody_holds_and_never_too_short():
    async def play():
        machine = Pads()
        fingers = Fingers(machine)
        fingers.down("a", 1)
        fingers.down("b", 1)
        fingers.up("a", 1)
        fingers.up("c", 1)
        assert machine.log == [(1, True)]
        machine.t_us = SHORTEST_TOUCH_US * 2
        fingers.gone("b")
        assert machine.log == [(1, True), (1, False)]
        fingers.down("a", 2)
        fingers.up("a", 2)
        fingers.down("a", 2)
        assert machine.log[2:] == [(2, True)]
        while len(machine.log) < 5:
            machine.t_us += 1000
            await asyncio.sleep(0)
        assert machine.log[2:] == [(2, True), (2, False), (2, True)]

    asyncio.run(play())


def test_headers_let_the_page_talk_to_its_own_host_only():
    assert "connect-src 'self' ws://127.0.0.1:7;" in headers("127.0.0.1:7")["Content-Security-Policy"]


def test_listen_says_whether_it_got_its_port():
    async def play():
        machine = Pads()
        first, wanted = await listen(make_app(machine, "3x6"), 0)
        port = first.sockets[0].getsockname()[1]
        second, again = await listen(make_app(machine, "3x6"), port)
        first.close()
        second.close()
        return wanted, again

    wanted, again = asyncio.run(play())
    assert wanted is None
    assert again.errno == errno.EADDRINUSE


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EADDRINUSE, "is busy; taking 8123 instead."),
        (
            errno.EACCES,
            "is not open to you (those below 1024 often are the administrator's); taking 8123 instead.",
        ),
        (errno.EADDRNOTAVAIL, "cannot be had (Cannot assign requested address); taking 8123 instead."),
    ],
)
def test_what_stood_in_the_way_of_a_port_is_said(monkeypatch, capsys, number, words):
    class Server:
        def __init__(self):
            self.sockets = [self]

        def getsockname(self):
            return "127.0.0.1", 8123

    class Machine:
        def power(self, on):
            raise EOFError  # it has come far enough

    async def refused(app, port):
        return Server(), OSError(number, "no")

    monkeypatch.setattr(simulator.__main__, "listen", refused)
    monkeypatch.setattr(simulator.__main__, "make_app", lambda machine, board: None)
    with pytest.raises(EOFError):
        asyncio.run(serve(Machine(), "3x6", parser().parse_args(["--port", "80", "--no-browser"])))
    assert capsys.readouterr().out.startswith(f"Port 80 {words}\n")


def test_the_languages_and_the_rule_pages_that_there_are(board):
    texts = sorted(name[:-5] for name in os.listdir(os.path.join(ROOT, "simulator", "texts")))
    assert json.loads(board.get("/languages.json")[2]) == texts
    heads, body = board.get("/rules/lamlameta.md")[1:]
    assert heads["Content-Type"] == "text/plain; charset=utf-8"
    assert body.startswith(b"# Lamlameta")
    assert board.status("/rules/pictures") == 404


def test_the_page_has_short_rules_for_every_game():
    with open(os.path.join(ROOT, "simulator", "texts", "en.json"), encoding="utf-8") as file:
        games = json.load(file)["games"]
    assert sorted(games) == sorted(engine.names())
    for game in games.values():
        assert len(game["rules"]) >= 5
        assert max(map(len, game["rules"])) < 250
        assert game["sources"]
