"""One person against the computer, on the chip: how long its moves take, and how the board does while it thinks."""

import json
import random
import statistics

from table.lights import Lights
from tools.emulate import machine, rounds
from tools.emulate.fingers import TAP_MS, BarePins, Script
from tools.emulate.measure import BOARDS, TOUCHES, Figure, answers_ms, at_least, at_most, order, sure, watched

GAMES = {"3x6": "gabata_aksum", "2x12": "lamlameta"}
TURNS = 10  # of the person's: a player by chance has lost soon after
SETTINGS = {**rounds.SETTINGS, "GEBETA_PLAYERS": "one"}
LONGEST_MS = {2: 500, 3: 1500}  # goals, for a move of each level
EARLIEST_MS = 700  # no move is sown sooner
SLOWER = 5 / 4  # the computer's sowing than one's own
LOOK_MS = 2000
ANSWER_MS = 60_000  # its turn, all bonus moves and animations
MINE = '"mover":0,"starter"'  # in a position


def begin(board, level):
    """(script, settings) of a game whose first move may be made by South, a person."""
    script = Script(BarePins(BOARDS[board]))
    script.wait_for("gebeta ready", rounds.READY_MS)
    script.tap(4, after_ms=800)
    script.wait_for('"state":"play"')
    script.wait_for(MINE)
    script.wait(rounds.DEAF_MS)
    return script, {**SETTINGS, "GEBETA_GAMES": GAMES[board], "GEBETA_LEVEL": str(level)}


def tap_any(script, rng):
    """A tap on a hole that may be chosen by then."""
    pins = script.wiring.pins
    script.events.append({"dt_ms": 300, "move": rng.randrange(24), "pins": pins})
    script.events.append({"dt_ms": TAP_MS, "pin": pins, "touched": False})


def positions(recording):
    """(ms, position) of each line of the console that has one: when a game begins, and when a turn has landed."""
    found = []
    for t_us, text in recording.lines():
        if text.startswith("{") and '"seeds"' in text:
            found.append((t_us / 1000, json.loads(text)))
    return found


def waits(recording, board):
    """For each of the computer's moves, how many ms from the landing of the one before to the start of its sowing."""
    game = rounds.make(GAMES[board], {})
    lights = Lights(game.n, rounds.DROP_MS)
    found = []
    (then, _), *turns = positions(recording)
    for now, told in turns:
        mover = game.mover
        game.play(told["events"][0][1])
        if list(game.seeds) != told["seeds"]:
            raise machine.Failed(f"the console said {told}, the engine says {list(game.seeds)}")
        if mover:
            found.append(now - then - SLOWER * lights.begin(game.trace, game.marks))
        then = now
    return found


def slowest(run, board, level):
    """How long its moves of that level are waited for; level 3, and what the heap is like meanwhile."""
    script, settings = begin(board, level)
    rng = random.Random(level)
    for _ in range(TURNS):
        tap_any(script, rng)
        script.wait_for(MINE, ANSWER_MS)
        script.wait(rounds.DEAF_MS)
    recording = sure(run(f"level {level} {board}", board, settings, script.whole, cache=True))
    took = waits(recording, board)
    middle = statistics.median(took)
    name = f"level {level}, {board}, from landing to sowing"
    yield Figure(f"{name}, middle of {len(took)} moves", f"{middle:,.0f} ms", "no goal", True)
    yield at_most(f"{name}, slowest", max(took), max(LONGEST_MS[level], EARLIEST_MS + 100), " ms")


def heap(run, board):
    """Free memory in a game against the computer."""
    script, settings = begin(board, 1)
    rng = random.Random(1)
    for _ in range(6):
        tap_any(script, rng)
        script.wait_for(MINE, ANSWER_MS)
        script.wait(rounds.DEAF_MS)
    extra = machine.in_front("watch.py")
    recording = sure(run(f"heap alone {board}", board, settings, script.whole, extra=extra))
    last = watched(recording)[-1]
    yield at_least(f"free heap against the computer, {board}", last["free"] + last["own"], 45_000, " B")
    yield at_least(f"largest free block then, {board}", last["largest"], 30_000, " B")


def thinking(run, board):
    """Answers to touches, and frames, while it thinks without end."""
    holes = BOARDS[board]
    rng = random.Random(5)
    script, settings = begin(board, 3)
    tap_any(script, rng)
    script.wait_for('"mover":1,"starter"')
    script.wait(2000)
    # The person's holes stand still on its turn, until they are touched.
    touched = [i % (holes // 2) for i in range(TOUCHES)]
    for i, hole in enumerate(touched):
        script.touch(1100 + rng.randrange(100), hole)
        script.mark(f"touch {i}")
        script.lift(100, hole)
    script.mark("alone", 2000)
    script.mark("end", 10_000)
    extra = machine.in_front("tireless.py")
    recording = sure(run(f"thinking {board}", board, settings, script.whole, cache=True, extra=extra))
    pixels = order(holes)
    answers = answers_ms(recording, touched, pixels)
    name = f"touch to changed LED while it thinks, {board}"
    yield at_most(f"{name}, middle", statistics.median(answers), 30, " ms", 1)
    yield at_most(f"{name}, worst of {TOUCHES}", max(answers), 50, " ms", 1)
    since, until = recording.mark("alone"), recording.mark("end")
    frames = sum(since < frame["t_us"] <= until for frame in recording.frames)
    yield at_least(f"frames a second of the ripple, {board}", 1e6 * frames / (until - since), 30)
    told = [text.split() for _, text in recording.lines() if text.startswith("watch")]
    told = [dict(word.split("=") for word in words[1:]) for words in told[1:]]
    rate = statistics.median(1000 * int(line["work"]) / int(line["ms"]) for line in told)
    yield Figure(f"work a second, {board}", f"{rate:,.0f}", "no goal", True)


def asked(run, board):
    """Who plays, and how strongly the board does; then the power is cut."""
    half = BOARDS[board] // 2
    script = Script(BarePins(BOARDS[board]))
    script.wait_for("gebeta ready", rounds.READY_MS)
    script.tap(4, after_ms=800)
    script.wait_for('"question":"players"')
    script.wait(LOOK_MS)
    script.mark("looked", LOOK_MS)
    for hole, said in ((half + 1, '"question":"level"'), (half + 2, '"state":"play"')):
        script.tap(hole, after_ms=rounds.DEAF_MS)
        script.mark(said)
        script.wait_for(said)
        script.wait(LOOK_MS)
        script.mark(f"{said} looked", LOOK_MS)
    tap_any(script, random.Random(3))
    script.wait_for('"mover":1,', ANSWER_MS)
    script.wait(1000)
    script.power_cut()
    script.wait_for("gebeta ready", rounds.READY_MS)
    script.wait_for('"state":"play"')
    script.wait(rounds.END_MS)
    settings = {**SETTINGS, "GEBETA_PLAYERS": "ask", "GEBETA_GAMES": GAMES[board], "GEBETA_DROP_MS": "60"}
    recording = sure(run(f"asked {board}", board, settings, script.whole, cache=True))
    lines = [(t_us, text) for t_us, text in recording.lines() if text.startswith('{"state"')]
    for said, name, goal in (
        ('"question":"level"', "from the tap on one to the levels", 300),
        ('"state":"play"', "from a level to the first position", 1000),
    ):
        since = recording.mark(said)
        took = next(t_us for t_us, text in lines if said in text and t_us > since) - since
        yield at_most(f"{name}, {board}", took / 1000, goal, " ms")
    for mark, name in (("looked", "who plays"), ('"question":"level" looked', "the level")):
        until = recording.mark(mark)
        frames = sum(until - 1000 * LOOK_MS < frame["t_us"] <= until for frame in recording.frames)
        yield at_least(f"frames a second while it asks {name}, {board}", 1000 * frames / LOOK_MS, 25)
    before, after = [json.loads(text) for _, text in lines if '"play"' in text]
    kept = (
        after["level"] == 3 and after["person"] == 1 and before.items() >= {"level": 3, "person": 1}.items()
    )
    yield Figure(
        f"level 3 and North's person after a power cut, {board}", "yes" if kept else "no", "yes", kept
    )


# What is measured, each in a run of its own: name -> a generator of figures.
PARTS = {}
for _board in BOARDS:
    PARTS[f"thinking {_board}"] = lambda run, board=_board: thinking(run, board)
    for _level in LONGEST_MS:
        PARTS[f"level {_level} {_board}"] = lambda run, board=_board, level=_level: slowest(run, board, level)
    PARTS[f"asked {_board}"] = lambda run, board=_board: asked(run, board)
    PARTS[f"heap alone {_board}"] = lambda run, board=_board: heap(run, board)
