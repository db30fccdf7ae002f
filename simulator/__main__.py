"""`python3 -m simulator`: switches the virtual board on and opens it in the browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import os
import sys
import threading
import tomllib
import webbrowser
from pathlib import Path

from simulator import wiring
from simulator.machine import Machine
from simulator.server import listen, make_app

PORT = 8018


def parser():
    """The command line."""
    parse = argparse.ArgumentParser(
        prog="python3 -m simulator",
        description="Plays code.py on a virtual board in your browser, on this computer only.",
    )
    parse.add_argument("--port", type=_port, default=PORT, help=f"where to listen (default {PORT}; 0: any)")
    parse.add_argument("--no-browser", action="store_true", help="only print the address")
    parse.add_argument("--board", choices=sorted(wiring.ROWS), help="the board, whatever settings.toml says")
    parse.add_argument("--selftest", action="store_true", help="begin with the self-test (GEBETA_SELFTEST=1)")
    parse.add_argument("--settings", type=Path, metavar="FILE", help="a TOML file laid over settings.toml")
    parse.add_argument(
        "--set",
        type=_pair,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="one setting, laid over both",
    )
    parse.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="N",
        help="let the board's time run N times as fast (0.1-50)",
    )
    parse.add_argument(
        "--program", type=Path, metavar="FOLDER", help="the folder with code.py (default: this one)"
    )
    return parse


def _port(text):
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 65535")
    return int(text)


def _pair(text):
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def _speed(text):
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0.1 <= number <= 50:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.1 to 50")
    return number


def settings_of(options, parse):
    """What the command line lays over settings.toml. GEBETA_LOG tells the page the position after each
    turn."""
    settings = {"GEBETA_LOG": "1"}
    if options.settings:
        try:
            with options.settings.open("rb") as file:
                settings.update(tomllib.load(file))
        except OSError as error:
            parse.error(f"--settings {options.settings}: {error.strerror}")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            parse.error(f"--settings {options.settings}: {error}")
    settings.update(options.set)
    if options.board:
        settings["GEBETA_BOARD"] = options.board
    if options.selftest:
        settings["GEBETA_SELFTEST"] = "1"
    return settings


def _why(problem):
    """What is the matter with a port that could not be had."""
    if problem.errno == errno.EADDRINUSE:
        return "is busy"
    if problem.errno in (errno.EACCES, errno.EPERM):
        return "is not open to you (those below 1024 often are the administrator's)"
    return f"cannot be had ({os.strerror(problem.errno)})"


async def serve(machine, board, options):
    """Until interrupted."""
    server, problem = await listen(make_app(machine, board), options.port)
    port = server.sockets[0].getsockname()[1]
    if problem:
        print(f"Port {options.port} {_why(problem)}; taking {port} instead.")
    address = f"http://127.0.0.1:{port}/"
    print(f"The board is at {address}   (Ctrl-C ends it)", flush=True)
    if not options.no_browser:
        # In a thread: some browsers keep the caller waiting until they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    machine.power(True)
    await (
        asyncio.Event().wait()
    )  # not serve_forever(), which from Python 3.12 on would wait for open pages to go


def main(argv=None):
    """The exit code."""
    parse = parser()
    options = parse.parse_args(argv)
    settings = settings_of(options, parse)
    try:
        machine = Machine(program=options.program, settings=settings, speed=options.speed)
    except FileNotFoundError as error:
        parse.error(str(error))
    # This board has a piezo; its page is silent until somebody switches the sound on.
    if not machine.setting("GEBETA_SOUND_PIN"):
        machine.settings["GEBETA_SOUND_PIN"] = "GP27"
    board = machine.setting("GEBETA_BOARD", "3x6")
    if board not in wiring.ROWS:
        print(
            f"GEBETA_BOARD {board!r} is not one of {', '.join(sorted(wiring.ROWS))}; showing 3x6.",
            file=sys.stderr,
        )
        board = "3x6"
    with machine, contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(machine, board, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
