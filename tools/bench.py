"""How quick the engine and the table's drawing are, and what memory they take: `make bench`.

    python3 -m tools.bench [--json] [--peer FOLDER] [--board FILE]

Random turns of each game are timed on CPython and, where there is one, on MicroPython, beside the bare loop: a
`while` that goes on by one hole, wraps at the end of a bytearray and adds one. `--peer` is a copy of MancalaGames
(StoneShark, https://github.com/StoneShark/MancalaGames), `--board` what tools/bench_turns.py printed on a board.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

import engine
from engine.state import MOVER, TURNS
from table.lights import Lights

ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "tools"
GOALS = {"a": 30, "b": 1.8, "peer": 5, "frames": 30, "allocated": 0}
# 106 laps, 681 drops: the longest turn that a search over random positions found and that a trace holds whole
LONGEST = (1, 3, 2, 4, 2, 2, 4, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1, 2, 1, 2, 2, 2, 2, 4)
LONGEST_HOLE = 12


def fit(n, t, d, dd, dt):
    """(a, b) of the least squares of time = a + b * drops, from the sums that tools/bench_turns.py prints."""
    spread = n * dd - d * d
    b = (n * dt - d * t) / spread if spread else 0.0
    return (t - b * d) / n, b


def interpreter(text):
    """What tools/bench_turns.py printed, as a dict; a board prints its own lines around it."""
    found = {"games": {}}
    for line in text.splitlines():
        words = line.split()
        if "interpreter " in line:  # a board's console has its title on the same line
            found["name"] = " ".join(words[-2:])
        elif line.startswith("bare "):
            found["bare_ns"] = int(words[1]) / 1000
        elif line.startswith("game "):
            n, t, d, dd, dt, laps = map(int, words[2:])
            a, b = fit(n, t, d, dd, dt)
            found["games"][words[1]] = {
                "turns_a_second": round(1e9 * n / t),
                "drops_a_turn": round(d / n, 2),
                "laps_a_turn": round(laps / n, 2),
                "a": round(a / found["bare_ns"], 1),
                "b": round(b / found["bare_ns"], 2),
            }
    if not found["games"] or "bare_ns" not in found:
        raise ValueError("no lines of tools/bench_turns.py")
    found["bare_a_second"] = round(1e9 / found["bare_ns"])
    return found


def heap(text):
    """The same for `tools/bench_turns.py heap`."""
    found = {"games": {}}
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["heap", "imported"]:
            found["imported"] = int(words[2])
        elif words[:1] == ["heap"]:
            whole, state, left = map(int, words[2:])
            found["games"][words[1]] = {"game": whole, "state": state, "allocated": left}
    return found


def frames():
    """Frames a second of the longest turn's drawing here, one after another, and the slowest frame's time."""
    game = engine.make("lamlameta")
    game.seeds[:] = bytes(LONGEST)
    game.tally[MOVER] = LONGEST_HOLE // 12
    game.tally[TURNS] = game.tally[TURNS + 1] = 1
    game.put_up()
    game.play(LONGEST_HOLE)
    lights = Lights(game.n)
    length = lights.begin(game.trace, game.marks)
    quickest = []
    for _ in range(5):
        times = []
        for t in range(0, length, 33):
            start = time.perf_counter_ns()
            lights.clear()
            lights.motion(t, t % 4000)
            lights.finish(t)
            times.append(time.perf_counter_ns() - start)
        quickest = [min(pair) for pair in zip(times, quickest or times, strict=True)]
    return {
        "laps": game.trace.count,
        "ms": length,
        "frames_a_second": round(1e9 * len(quickest) / sum(quickest)),
        "slowest_ms": round(max(quickest) / 1e6, 2),
    }


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


def measure(peer, board, say):
    """Everything there is to measure here, as one dict."""
    script = str(TOOLS / "bench_turns.py")
    if peer and not os.path.isfile(os.path.join(peer, "src", "man_config.py")):
        raise OSError(f"{peer}: no copy of MancalaGames, which has a file src/man_config.py")
    found = {"interpreters": [], "goals": GOALS}
    say("random turns on CPython")
    found["interpreters"].append(interpreter(run(sys.executable, script)))
    micropython = shutil.which("micropython")
    if micropython:
        say("random turns on MicroPython")
        found["interpreters"].append(interpreter(run(micropython, script)))
        say("bytes of heap on MicroPython")
        found["heap"] = heap(run(micropython, "-X", "heapsize=256k", script, "heap"))
    else:
        say("no micropython on PATH: left out")
    if board:
        text = Path(board).read_text(encoding="utf-8", errors="replace")
        found["interpreters"].append(interpreter(text))
    if peer:
        say("random moves of MancalaGames")
        moves, ns = map(int, run(sys.executable, str(TOOLS / "bench_peer.py"), os.path.abspath(peer)).split())
        rate = 1e9 * moves / ns
        ours = found["interpreters"][0]["games"]["lamlameta"]["turns_a_second"]
        found["peer"] = {"moves_a_second": round(rate), "times": round(ours / rate, 1)}
    say("frames of the longest turn")
    found["frames"] = frames()
    return found


def told(reached):
    return "" if reached else "  <- not reached"


def lines(found):
    """The tables for people."""
    for one in found["interpreters"]:
        yield f"{one['name']}: one pass of the bare loop {one['bare_ns']:,.1f} ns, {one['bare_a_second']:,} a second"
        yield (
            f"  {'random turns':<16}{'a second':>10}{'drops':>8}{'laps':>7}{'a':>8}{'b':>7}"
            f"   (goals: a {GOALS['a']}, b {GOALS['b']})"
        )
        for name, game in sorted(one["games"].items()):
            missed = told(game["a"] <= GOALS["a"] and game["b"] <= GOALS["b"])
            yield (
                f"  {name:<16}{game['turns_a_second']:>10,}{game['drops_a_turn']:>8.2f}{game['laps_a_turn']:>7.2f}"
                f"{game['a']:>8.1f}{game['b']:>7.2f}{missed}"
            )
        yield ""
    yield "a turn takes a + drops * b passes of the bare loop: moves, play, trace, rules at the end of the turn"
    yield ""
    if "heap" in found:
        yield f"MicroPython's heap: {found['heap']['imported']:,} bytes for the engine imported, and for each game"
        yield f"  {'bytes':<16}{'game':>10}{'state':>8}{'in 1,000 turns':>17}   (goal: {GOALS['allocated']})"
        for name, game in sorted(found["heap"]["games"].items()):
            missed = told(game["allocated"] <= GOALS["allocated"])
            yield f"  {name:<16}{game['game']:>10,}{game['state']:>8}{game['allocated']:>17}{missed}"
        yield ""
    if "peer" in found:
        peer = found["peer"]
        missed = told(peer["times"] >= GOALS["peer"])
        yield (
            f"MancalaGames, Lamlameta: {peer['moves_a_second']:,} moves a second, ours with its trace {peer['times']}"
            f" times that (goal: {GOALS['peer']}){missed}"
        )
    shown = found["frames"]
    missed = told(shown["frames_a_second"] >= GOALS["frames"])
    yield (
        f"Drawing a turn of {shown['laps']} laps: {shown['frames_a_second']:,} frames a second, the slowest frame"
        f" {shown['slowest_ms']} ms (goal: {GOALS['frames']} a second){missed}"
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools.bench", description="Measure the engine.")
    parser.add_argument("--json", action="store_true", help="for programs, instead of tables")
    parser.add_argument("--peer", metavar="FOLDER", help="a copy of MancalaGames, to be measured beside")
    parser.add_argument("--board", metavar="FILE", help="what tools/bench_turns.py printed on a board")
    chosen = parser.parse_args(arguments)
    try:
        found = measure(
            chosen.peer, chosen.board, lambda text: print(f"{text} ...", file=sys.stderr, flush=True)
        )
    except (OSError, ValueError) as error:
        print(f"tools.bench: {error}", file=sys.stderr)
        return 1
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(lines(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
