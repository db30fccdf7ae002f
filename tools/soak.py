"""Random turns of all games with all options, with what must hold checked at each: `make soak-engine`.

    python3 -m tools.soak [--turns N] [--micropython N] [--seed S] [--processes P]

A million turns on CPython and 20,000 on MicroPython in a heap of 64 kB, unless told otherwise; what is checked
stands in tools/soak_turns.py. The same seed plays the same turns. Ends with 1 if anything did not hold.
"""

import argparse
import itertools
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

import engine
from tools import soak_turns

ROOT = Path(__file__).parent.parent
BATCH = 5000
ROUNDS = "2"  # for an option that takes any whole number
BAR = 40


def kinds():
    """(game, options) for each game with each set of values of its options."""
    for name in engine.names():
        options = engine.find(name).OPTIONS
        values = [[ROUNDS if value == "N" else value for value in options[option]] for option in options]
        for chosen in itertools.product(*values):
            yield name, dict(zip(options, chosen, strict=True))


def title(name, options):
    return " ".join([name, *(f"{option}={value}" for option, value in options.items())])


def jobs(turns, seed, batch):
    """(kind, turns, seed) of each batch: all kinds together make `turns`."""
    every = list(kinds())
    for index in range(len(every)):
        left = turns * (index + 1) // len(every) - turns * index // len(every)
        for number in range(0, left, batch):
            yield index, min(batch, left - number), seed * 7919 + index * 101 + number


def on_cpython(job):
    """(turns that passed, what went wrong or None)."""
    index, turns, seed = job
    name, options = list(kinds())[index]
    soak = soak_turns.Soak(name, options, seed)
    try:
        held = soak.run(turns)
    except Exception as error:  # whatever it is, it is the engine's, and where it was is wanted
        return soak.played, f"{title(name, options)}, seed {seed}, turn {soak.played + 1}: {error!r}"
    return soak.played, None if held else soak.where()


def on_micropython(job):
    """The same, in a MicroPython of its own: a heap of 64 kB holds one game at a time."""
    index, turns, seed = job
    name, options = list(kinds())[index]
    words = [f"{option}={value}" for option, value in options.items()]
    command = [
        "micropython",
        "-X",
        "heapsize=64k",
        "tools/soak_turns.py",
        name,
        str(turns),
        str(seed),
        *words,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    passed = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    if passed and passed.group(2) == "0" and done.returncode == 0:
        return int(passed.group(1)), None
    said = (done.stdout + done.stderr).strip()
    return int(passed.group(1)) if passed else 0, f"{title(name, options)}, seed {seed}: {said}"


def gentle():
    """Long work, and others are at work too."""
    if hasattr(os, "nice"):
        os.nice(10)


def play(what, play_one, todo, processes):
    """Play all batches, showing how far it is; (turns that passed, failures)."""
    total = sum(job[1] for job in todo)
    passed = seen = 0
    failures = []
    with multiprocessing.Pool(processes, gentle) as pool:
        for count, wrong in pool.imap_unordered(play_one, todo):
            passed += count
            seen += 1
            if wrong:
                failures.append(wrong)
            done = BAR * seen // len(todo)
            bar = "#" * done + "." * (BAR - done)
            print(f"\r{what:<12}[{bar}] {passed:,} of {total:,} turns", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return passed, failures


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools.soak", description="Random turns, checked one by one.")
    parser.add_argument("--turns", type=int, default=1_000_000, help="on CPython; a million if not said")
    parser.add_argument("--micropython", type=int, help="turns on MicroPython; a fiftieth if not said")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    if chosen.turns < 0 or chosen.processes < 1 or (chosen.micropython or 0) < 0:
        parser.error("turns and processes are counted from 0 and 1")
    small = chosen.turns // 50 if chosen.micropython is None else chosen.micropython
    work = [("CPython", on_cpython, list(jobs(chosen.turns, chosen.seed, BATCH)))]
    if shutil.which("micropython"):
        work.append(("MicroPython", on_micropython, list(jobs(small, chosen.seed, BATCH))))
    else:
        print("no micropython on PATH: left out", file=sys.stderr)
    failed = 0
    for what, play_one, todo in work:
        if not todo:
            continue
        passed, failures = play(what, play_one, todo, chosen.processes)
        for failure in failures:
            print(failure)
        failed += len(failures)
        print(f"{what}: {passed} passed, {len(failures)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
