"""A month of visitors at the board: `make soak`.

    python3 -m tools.soak_board [--days N] [--seed S] [--board 3x6|2x12] [--micropython HOURS]

Thirty days on CPython and one on MicroPython, side by side, unless told otherwise. The same seed plays the same days,
so what fails can be played again; how it stood then is printed. Ends with 1 if anything did not hold.
"""

import argparse
import multiprocessing
import os
import queue
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from simulator import wiring
from tools.soak_board import month

ROOT = Path(__file__).parents[2]
BAR = 40
# A word of MicroPython on a PC has 64 bits, the chip's 32: this is what the Pico's 153 kB of heap hold. Of it the tool
# itself takes 20 kB, and the program, compiled in place, 280 (208 where it is compiled before).
HEAP = "306k"
LINES, WIDE = 25, 160  # of the console, when something went wrong


def hours(text):
    """A number of hours, for argparse."""
    value = float(text)
    if not 0 <= value <= 24:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 24")
    return value


def on_cpython(board, seed, days, tell):
    """(what happened, what went wrong or None)."""
    play = month.Month(board, seed, tell)
    wrong = None
    try:
        play.month(days)
    except Exception as error:  # whatever it is, where it was is wanted
        console = "".join(f"\n    {line[:WIDE]}" for line in play.machine.console.splitlines()[-LINES:])
        wrong = f"{error!r}\n  {play.where()}{console}"
    play.machine.close()
    return play.told(), wrong


def on_micropython(board, seed, length, tell):
    """The same, in a MicroPython of its own."""
    command = [
        "micropython",
        "-X",
        f"heapsize={HEAP}",
        "tools/soak_board/pico.py",
        board,
        str(seed),
        str(length),
    ]
    settings = {**os.environ, **month.settings(board), "MICROPYPATH": ".frozen:."}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, env=settings
    )
    said = []
    for line in process.stdout:
        if line.startswith("now "):
            tell(float(line[4:]))
        else:
            said.append(line.rstrip())
    held = process.wait() == 0 and said and said[-1].startswith("held")
    return said, None if held else "it ended by " + str(process.returncode)


def work(name, play, arguments, channel):
    """One of the two, in a process of its own; (name, seconds) comes by the way, (name, told, wrong) at the end."""
    if hasattr(os, "nice"):
        os.nice(10)
    last = [0.0]

    def tell(seconds):
        if time.monotonic() - last[0] > 0.5:
            last[0] = time.monotonic()
            channel.put((name, seconds))

    channel.put((name, *play(*arguments, tell)))


def bar(shares):
    """How far all are: {name: 0 to 1}."""
    parts = []
    for name, share in shares.items():
        done = int(BAR * share)
        parts.append(f"{name} [{'#' * done}{'.' * (BAR - done)}] {100 * share:3.0f} %")
    print("\r" + "   ".join(parts), end="", file=sys.stderr, flush=True)


def run(jobs):
    """{name: (told, wrong)} of jobs {name: (function, arguments, seconds in all)}."""
    context = multiprocessing.get_context("spawn")
    channel = context.Queue()
    processes = [
        context.Process(target=work, args=(name, play, arguments, channel))
        for name, (play, arguments, _) in jobs.items()
    ]
    for process in processes:
        process.start()
    shares = dict.fromkeys(jobs, 0.0)
    results = {}
    while len(results) < len(jobs):
        try:
            name, *rest = channel.get(timeout=5)
        except queue.Empty:
            if not any(process.is_alive() for process in processes) and channel.empty():
                break
            continue
        if len(rest) == 1:
            shares[name] = min(1.0, rest[0] / jobs[name][2])
        else:
            results[name] = rest
            shares[name] = 1.0
        bar(shares)
    print(file=sys.stderr)
    for process in processes:
        process.join()
    return {name: results.get(name, ([], "it has vanished")) for name in jobs}


def main(arguments=None):
    """The exit code."""
    parser = argparse.ArgumentParser(
        prog="python3 -m tools.soak_board", description="A month of visitors at the board, in virtual time."
    )
    parser.add_argument(
        "--days", type=float, default=30, help="on CPython; 30 if not said, 0.1 is a short visit"
    )
    parser.add_argument(
        "--micropython", type=hours, default=24, metavar="HOURS", help="24 if not said, 0: none"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--board", choices=sorted(wiring.ROWS), default="3x6")
    chosen = parser.parse_args(arguments)
    if not 0 <= chosen.days <= 1000:
        parser.error("--days: from 0 to 1000")
    jobs = {}
    if chosen.days:
        wanted = (chosen.board, chosen.seed, chosen.days)
        jobs["CPython"] = (on_cpython, wanted, chosen.days * month.DAY_S)
    if chosen.micropython and not shutil.which("micropython"):
        print("no micropython on PATH: left out", file=sys.stderr)
    elif chosen.micropython:
        seconds = int(chosen.micropython * 3600)
        jobs["MicroPython"] = (on_micropython, (chosen.board, chosen.seed, seconds), seconds)
    failed = 0
    for name, (told, wrong) in run(jobs).items():
        print(f"{name}, {chosen.board}, seed {chosen.seed}:")
        for line in told:
            print(f"  {line}")
        if wrong:
            failed += 1
            print(f"  FAILED: {wrong}")
            print(f"  To play it again: python3 -m tools.soak_board {' '.join(arguments or sys.argv[1:])}")
    return 1 if failed else 0
