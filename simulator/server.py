"""The virtual board in a browser: serves page/, texts/ and the rule pages, sends the strip's light, takes touches.

Loopback only, and only to its own page: a request under another host name (a website that has pointed its
name at this computer) or a socket opened by another site's page is refused.

One WebSocket, JSON both ways. To the page:

    {"hello": {"board", "rows", "leds", "speed", "rules"}}      once, then the state as it is now
    {"light": "0a0b0c..."}     RGB of each pixel, in pixel order, as decoded from the strip's bytes; "" for
    no power.
                               Only the newest: a slow page misses frames, never the last one
    {"notes": [[t_us, Hz, loudness]]}   what the piezo has begun to sound since, and when by the board's time;
                               loudness 0 to 1, silence has 0 Hz
    {"power": true}
    {"console": "text"}
    {"pads": {"faults": {"3": "stuck"}, "wet": [4, 5]}}     which pads are broken, and how; which are wet

From the page: {"down": hole}, {"up": hole}, {"power": bool}, {"type": "a line for the console"},
{"cloth": [hole, ...]} (where the wet cloth lies now; []: it has been taken away) and {"break": [hole, fault]}
(one of machine.Pad.FAULTS; null mends it).
`GET /languages.json` lists the languages of texts/; hello's `rules` the games whose page of docs/rules/
can be read at /rules/NAME.md.
`GET /frames.jsonl` gives the last frames of light (`?ms=5000`, of the board's time), for `python3 -m
tools.lights`.
"""

from __future__ import annotations

import asyncio
import json
import math
import mimetypes
from pathlib import Path

from microdot import Microdot, Response
from microdot.websocket import with_websocket

from simulator import wiring
from simulator.machine import Machine, Pad

HERE = Path(__file__).resolve().parent
FOLDERS = {"page": HERE / "page", "texts": HERE / "texts", "rules": HERE.parent / "docs" / "rules"}

TICK_S = 1 / 60
CONSOLE_TAIL = 40_000  # characters that a new page is given
# No fingertip is quicker. A tap by mouse or by program may last a millisecond, which no pad would see.
SHORTEST_TOUCH_US = 60_000
MESSAGES = "down, up, power, type, cloth, break"


class Fingers:
    """Whoever presses on the page: a pad is down while anybody holds it, and never for less than a
    fingertip would."""

    def __init__(self, machine):
        self._machine = machine
        self._holders = {}
        self._changed_us = {}

    def down(self, who, hole):
        holders = self._holders.setdefault(hole, set())
        if not holders:
            self._move(hole, True)
        holders.add(who)

    def up(self, who, hole):
        holders = self._holders.get(hole, set())
        if who in holders:
            holders.remove(who)
            if not holders:
                self._move(hole, False)

    def gone(self, who):
        """The page has closed with its fingers on the board."""
        for hole in list(self._holders):
            self.up(who, hole)

    def _move(self, hole, down):
        now = self._machine.t_us
        when = max(now, self._changed_us.get(hole, now - SHORTEST_TOUCH_US) + SHORTEST_TOUCH_US)
        self._changed_us[hole] = when
        self._wait(when, hole, down)

    def _wait(self, when, hole, down):
        left = when - self._machine.t_us
        if left <= 0 or not self._machine.powered:
            self._machine.touch(hole, down)
        else:
            delay = max(0.001, left / 1e6 / self._machine.speed)
            asyncio.get_running_loop().call_later(delay, self._wait, when, hole, down)


def headers(host):
    """What the browser is told with every answer: load nothing from elsewhere, be shown in nobody's
    frame."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


def make_app(machine: Machine, board: str) -> Microdot:
    """The application. The machine is real-time; its power is the page's business and the caller's."""
    app = Microdot()
    fingers = Fingers(machine)
    cloths = {}  # each page may lay one: {socket: holes}
    count = wiring.holes(board)

    @app.before_request
    def only_us(request):
        host = request.headers.get("Host", "")
        name, _, port = host.rpartition(":")
        here = request.sock[1].get_extra_info("sockname")
        if name not in ("127.0.0.1", "localhost") or not here or port != str(here[1]):
            return Response("This board answers only to its own address on this computer.\n", 403)
        origin = request.headers.get("Origin")
        # Every browser sends an Origin with a socket; a program that has none may read, but not play.
        if origin != f"http://{host}" and (origin is not None or request.path == "/socket"):
            return Response("This board answers only to its own page.\n", 403)
        request.g.host = host
        return None

    @app.after_request
    def guard(request, response):
        response.headers.update(headers(getattr(request.g, "host", "127.0.0.1")))
        return response

    @app.get("/")
    def index(request):
        return send("page", "index.html")

    @app.get("/languages.json")
    def languages(request):
        return sorted(path.stem for path in FOLDERS["texts"].glob("*.json"))

    @app.get("/<folder>/<name>")
    def file(request, folder, name):
        return send(folder, name)

    @app.get("/frames.jsonl")
    def frames(request):
        try:
            ms = min(60_000, max(0, int(request.args.get("ms", "5000"))))
        except ValueError:
            return Response("ms: a number of milliseconds\n", 400)
        lines = machine.frame_lines(machine.t_us - ms * 1000)
        body = "".join(line + "\n" for line in lines)
        return Response(body, headers={"Content-Type": "application/jsonl"})

    @app.get("/socket")
    @with_websocket
    async def socket(request, ws):
        sender = asyncio.create_task(send_all(ws))
        try:
            while True:
                text = await ws.receive()
                try:
                    take(ws, json.loads(text))
                except (ValueError, TypeError) as error:
                    await ws.send(json.dumps({"error": str(error)}))
        finally:
            sender.cancel()
            fingers.gone(ws)
            lay(ws, [])

    def is_hole(value):
        return type(value) is int and 0 <= value < count

    def lay(who, holes):
        cloths.pop(who, None)
        if holes:
            cloths[who] = holes
        machine.lay_cloth(*{hole for holes in cloths.values() for hole in holes})

    def take(who, message):
        if not isinstance(message, dict) or len(message) != 1:
            raise ValueError(f"one of {MESSAGES}")
        ((key, value),) = message.items()
        if key in ("down", "up"):
            if not is_hole(value):
                raise ValueError(f"{key}: a hole from 0 to {count - 1}")
            (fingers.down if key == "down" else fingers.up)(who, value)
        elif key == "power":
            if type(value) is not bool:
                raise ValueError("power: true or false")
            machine.power(value)
        elif key == "type":
            if (
                type(value) is not str
                or len(value) > 40
                or not (value.isascii() and (value + " ").isprintable())
            ):
                raise ValueError("type: a line of at most 40 plain letters")
            machine.type(value + "\n")
        elif key == "cloth":
            if type(value) is not list or not all(map(is_hole, value)) or len(set(value)) < len(value):
                raise ValueError(f"cloth: a list of the holes it lies on, each once, from 0 to {count - 1}")
            lay(who, value)
        elif key == "break":
            faults = ", ".join(filter(None, Pad.FAULTS))
            if type(value) is not list or len(value) != 2 or not is_hole(value[0]):
                raise ValueError(
                    f"break: [a hole from 0 to {count - 1}, one of {faults}, or null to mend it]"
                )
            if value[1] not in Pad.FAULTS:
                raise ValueError(f"break: not {value[1]!r}, but one of {faults}, or null to mend the pad")
            machine.break_pad(value[0], value[1])
        else:
            raise ValueError(f"{key}: not one of {MESSAGES}")

    def pads():
        faults = {hole: machine.pad(hole).fault for hole in range(count) if machine.pad(hole).fault}
        return {"faults": faults, "wet": [hole for hole in range(count) if machine.is_wet(hole)]}

    async def send_all(ws):
        hello = {
            "board": board,
            "rows": wiring.ROWS[board],
            "leds": wiring.leds(board),
            "speed": machine.speed,
            "rules": sorted(path.stem for path in FOLDERS["rules"].glob("*.md")),
        }
        await ws.send(json.dumps({"hello": hello}))
        text = machine.console
        printed = machine.console_count
        heard = machine.note_count
        await ws.send(json.dumps({"console": tail(text, machine.greeting)}))
        shown = power = mishaps = None
        while True:
            if machine.powered != power:
                power = machine.powered
                await ws.send(json.dumps({"power": power}))
            light = bytes(channel for color in machine.rgb() for channel in color).hex()
            if light != shown:
                shown = light
                await ws.send(json.dumps({"light": light}))
            if pads() != mishaps:
                mishaps = pads()
                await ws.send(json.dumps({"pads": mishaps}))
            if machine.note_count > heard:
                notes, heard = machine.notes_since(heard)
                await ws.send(json.dumps({"notes": [(t, hertz, loudness(duty)) for t, hertz, duty in notes]}))
            if machine.console_count > printed:
                text = machine.console
                fresh = min(machine.console_count - printed, len(text))
                printed = machine.console_count
                await ws.send(json.dumps({"console": text[len(text) - fresh :]}))
            await asyncio.sleep(TICK_S)

    return app


def loudness(duty):
    """Of a piezo at a duty cycle of 65536: what there is of the note itself among its overtones."""
    return round(math.sin(math.pi * duty / 65536), 3)


def tail(text, greeting):
    """The end of the console in whole lines; what the board said first is not left out."""
    if len(text) <= CONSOLE_TAIL:
        return text
    return greeting[: greeting.rfind("\n") + 1] + "...\n" + text[-CONSOLE_TAIL:].partition("\n")[2]


def send(folder, name):
    """One of our own files, by its plain name."""
    root = FOLDERS.get(folder)
    names = {path.name: path for path in root.iterdir() if path.is_file()} if root else {}
    if name not in names:
        return Response("not found\n", 404)
    if name.endswith(".md"):
        kind = "text/plain"  # to be read in the browser
    else:
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind.endswith(("javascript", "json")):
        kind += "; charset=utf-8"
    return Response(names[name].read_bytes(), headers={"Content-Type": kind})


async def listen(app, port):
    """Starts serving on 127.0.0.1 at that port, or at a free one if that cannot be had. Gives the server and
    what stood in the way, or None."""
    problem = None
    try:
        server = await app.start_server(host="127.0.0.1", port=port, start_serving=False)
    except OSError as error:
        problem = error
        server = await app.start_server(host="127.0.0.1", port=0, start_serving=False)
    await server.start_serving()
    return server, problem
