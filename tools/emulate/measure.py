"""What the board's program takes on the chip: time, memory, frames; with the flash cache's waits.

Each figure has its goal. Every run is of the real files; for the heap a small program is put in front of them
(watch.py), for the engine's speed tools/bench_turns.py runs in their place.
"""

import random
import statistics
from dataclasses import dataclass

import engine
from tools import bench, lights
from tools.emulate import machine, rounds
from tools.emulate.fingers import BarePins, Script

TOUCHES = 50
TURNS = 212  # of which watch.py tells after 200 at least
IDLE_MS = 8_000
BOARDS = {"3x6": 18, "2x12": 24}
FOR_TWO = {"GEBETA_LOG": "1", "GEBETA_PLAYERS": "two"}


@dataclass
class Figure:
    """A measured value, its goal, and whether it is met."""

    name: str
    value: str
    goal: str
    met: bool


def at_most(name, value, goal, unit="", digits=0):
    return Figure(name, f"{value:,.{digits}f}{unit}", f"at most {goal:,}{unit}", value <= goal)


def at_least(name, value, goal, unit="", digits=0):
    return Figure(name, f"{value:,.{digits}f}{unit}", f"at least {goal:,}{unit}", value >= goal)


def sure(recording):
    trouble = recording.trouble()
    if trouble:
        raise machine.Failed(trouble)
    return recording


# ---- how quickly it answers


def order(holes):
    """The pixel of each hole of a serpentine strip."""
    pixels = lights.order_of("serpentine", holes)
    return [pixels.index(hole) for hole in range(holes)]


def answer_us(recording, pressed_us, pixel):
    """How long after a touch the LED changed first, or None."""
    frames = recording.shown(pressed_us, pressed_us + 500_000)
    for frame in frames[1:]:
        if frame["rgb"][pixel] != frames[0]["rgb"][pixel]:
            return frame["t_us"] + frame["dur_us"] - pressed_us
    return None


def answers_ms(recording, touched, pixels):
    """How long after each of these touches, marked `touch 0` and so on, the hole's light changed."""
    answers = []
    for i, hole in enumerate(touched):
        us = answer_us(recording, recording.mark(f"touch {i}"), pixels[hole])
        if us is None:
            raise machine.Failed(f"the touch of hole {hole} was not answered")
        answers.append(us / 1000)
    return answers


def quickness(run):
    """Answers to touches and frames, on the long board with pads on bare pins."""
    holes = 24
    rng = random.Random(5)
    script = Script(BarePins(holes))
    plan = rounds.Plan("lamlameta", {}, script, 3, hurry=False)
    plan.begin()
    # North's holes are not his to play now: their lights stand still, with two seeds each, until they are touched.
    touched = [12 + i % 12 for i in range(TOUCHES)]
    for i, hole in enumerate(touched):
        script.touch(1100 + rng.randrange(100), hole)
        script.mark(f"touch {i}")
        script.lift(100, hole)
    script.wait(1000)
    sown = []  # turns that take a while
    while len(sown) < 3:
        if plan.turn() > 1500:
            sown.append(plan.played)
    settings = {**rounds.SETTINGS, "GEBETA_GAMES": "lamlameta"}
    recording = sure(run("touches", "2x12", settings, script.whole, cache=True))
    pixels = order(holes)
    answers = answers_ms(recording, touched, pixels)
    yield at_most("touch to changed LED, 24 bare pads, middle", statistics.median(answers), 30, " ms", 1)
    yield at_most("touch to changed LED, 24 bare pads, worst of 50", max(answers), 50, " ms", 1)
    frames = took_us = 0
    for turn in sown:
        since = recording.mark(f"turn {turn}") + 100_000
        until = recording.mark(f"landed {turn}")
        frames += sum(since < frame["t_us"] <= until for frame in recording.frames)
        took_us += until - since
    yield at_least("frames a second while seeds are sown", 1e6 * frames / took_us, 30)


def changed(frame, before):
    """How many pixels look quite different."""
    pairs = zip(frame["rgb"], before["rgb"], strict=True)
    return sum(max(abs(a - b) for a, b in zip(new, old, strict=True)) > 30 for new, old in pairs)


def power_up(run, board):
    """Until the first light, and until a touch right after it has begun something: the games to choose from, or the
    only game's first position, where embers were."""
    script = Script(BarePins(BOARDS[board]))
    script.wait_for("gebeta ready", rounds.READY_MS)
    script.wait(rounds.END_MS)
    recording = sure(run(f"power-up {board}", board, FOR_TWO, script.whole, cache=True))
    first_ms = recording.frames[0]["t_us"] / 1000
    ready = next(t_us for t_us, text in recording.lines() if "gebeta ready" in text)
    yield at_most(f"power-up to the first light, {board}", first_ms / 1000, 5, " s", 2)
    script = Script(BarePins(BOARDS[board]))
    script.touch(round(first_ms) + 20, 0)
    script.mark("touch")
    script.lift(1000, 0)
    script.wait_for("gebeta ready", rounds.READY_MS)
    script.wait(rounds.END_MS)
    recording = sure(run(f"early touch {board}", board, FOR_TWO, script.whole, cache=True))
    touched_us = recording.mark("touch")
    frames = recording.shown(touched_us, touched_us + 5_000_000)
    begun = next((frame["t_us"] for frame in frames if changed(frame, frames[0]) >= 6), None)
    if begun is None:
        raise machine.Failed("a touch at the first light begins nothing")
    yield at_most(f"power-up to playable, {board}", begun / 1e6, 5, " s", 2)
    yield Figure(f"power-up until all is loaded, {board}", f"{ready / 1e6:,.2f} s", "no goal", True)


def names(board):
    """The games of a board, in the order in which it offers them."""
    return [name for name in engine.names() if board == engine.find(name).BOARD]


# ---- the heap


def watched(recording):
    """The lines of watch.py as dicts, each with the `turns` that the console had told before."""
    found = []
    turns = 0
    for _, text in recording.lines():
        if text.startswith("watch "):
            found.append({key: int(value) for key, value in (word.split("=") for word in text.split()[1:])})
            found[-1]["turns"] = turns
        turns += text.startswith('{"events"')
    return found


def heap(run, board, name, most=TURNS):
    """Free memory when play begins and after so many turns, all games of the board loaded."""
    games = names(board)
    script = Script(BarePins(BOARDS[board]))
    plan = rounds.Plan(name, {}, script, 1)
    plan.begin(games.index(name), len(games))
    while plan.played < most:
        if plan.game.over:
            plan.go_on()
        plan.turn()
        if plan.played % 50 == 25:
            script.wait(IDLE_MS)
    script.wait(3000)
    recording = sure(
        run(f"heap {board} {most}", board, rounds.SETTINGS, script.whole, extra=machine.in_front("watch.py"))
    )
    seen = watched(recording)
    first, last = [line for line in seen if not line["turns"]][-1], seen[-1]
    turns = f"after {last['turns']} turns"
    yield at_least(f"free heap when play begins, {board}", first["free"] + first["own"], 90_000, " B")
    yield at_least(f"largest free block then, {board}", first["largest"], 60_000, " B")
    yield Figure(
        f"free heap {turns}, {board}",
        f"{last['free'] + last['own']:,} B",
        "the same within 1,000 B",
        abs(first["free"] - last["free"]) <= 1000,
    )
    yield at_least(f"largest free block {turns}, {board}", last["largest"], 60_000, " B")
    least = min(line["allocated"] for line in seen if line["windows"])
    yield at_most(f"allocated in 128 passes of the loop at rest, {board}", least, 0, " B")


# ---- the engine's speed


def speed(run):
    """The cost of a turn and of a drop, in passes of the bare loop, as `make bench` has it: the costliest game's."""
    wait = "import supervisor\nwhile not supervisor.runtime.serial_connected:\n    pass\n"
    program = (machine.ROOT / "tools" / "bench_turns.py").read_text(encoding="utf-8")
    script = Script(BarePins(18))
    script.wait_for("done", 300_000)
    extra = {"code.py": wait + "import bench_turns\n", "bench_turns.py": program}
    recording = sure(run("engine", "3x6", {}, script.whole, cache=True, extra=extra))
    found = bench.interpreter(recording.text)
    rate = found["bare_a_second"]
    yield at_least("passes of the bare loop a second", rate, 62_000)
    for name, game in found["games"].items():
        yield at_most(f"a drop, {name}", game["b"], bench.GOALS["b"], " passes", 2)
        yield at_most(f"a turn, {name}", game["a"], bench.GOALS["a"], " passes", 1)


# What is measured, each in a run of its own: name -> a generator of figures.
PARTS = {
    "power-up 3x6": lambda run: power_up(run, "3x6"),
    "power-up 2x12": lambda run: power_up(run, "2x12"),
    "touches": quickness,
    "heap 3x6": lambda run: heap(run, "3x6", "gabata_aksum"),
    "heap 2x12": lambda run: heap(run, "2x12", "lamlameta"),
    "engine": speed,
}
# Too long to be run unless it is asked for by its name: most of an hour.
LONG = {"heap 2000 turns": lambda run: heap(run, "3x6", "gabata_aksum", 2012)}
