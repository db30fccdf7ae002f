"""Whole games tapped on the page: code.py, unmodified, plays them, and what the strip shows after each turn is read
back by tools.lights from its bytes."""

import json
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor

import pytest
from conftest import ROOT

from e2e.process import hole_places
from tools import lights

SPEED = 20
SPAN_MS = 5000  # tools.lights looks at five seconds
CALM_MS = 1000  # the flash limiter may hold a light for so long after the move
GAMES = [("lame_uweedet", "3x6"), ("gabata_aksum", "3x6"), ("lamlameta", "2x12")]


def answers(name):
    """[(hole played or None, the engine's answer), ...] of the first game in a record."""
    with open(os.path.join(ROOT, "tests", "games", name + ".txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for command, answer in zip(lines[::2], lines[1::2], strict=True):
        word = command.split()
        position = json.loads(answer)
        yield (int(word[2]) if word[1] == "play" else None), position
        if position["over"]:
            return


# The newest position that the console has told the page.
POSITION = """() => {
    const all = [...document.querySelectorAll("#lines .data")].map((node) => node.textContent).reverse();
    const line = all.find((text) => text.includes('"seeds"'));
    return line ? JSON.parse(line) : null;
}"""
TOLD = (
    """(turns) => {
    const position = (%s)();
    return position && JSON.stringify([position.turns, position.seeds, position.over]) === turns;
}"""
    % POSITION
)


def last_frames(board, since_us):
    """The last five seconds of frames, once they have begun a while after `since_us`."""
    patience = time.monotonic() + 60
    while True:
        text = board.get(f"/frames.jsonl?ms={SPAN_MS}")[2].decode()
        frames = [json.loads(line) for line in text.splitlines()]
        if frames[-1]["t_us"] >= since_us + (CALM_MS + SPAN_MS) * 1000:
            return frames
        assert time.monotonic() < patience


def now_us(board):
    return json.loads(board.get("/frames.jsonl?ms=0")[2].decode().splitlines()[-1])["t_us"]


@pytest.fixture(scope="module")
def reader():
    """Reads lights in a process of its own, while the game goes on."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(("name", "layout"), GAMES)
def test_a_game_is_tapped_on_the_page(name, layout, boards, visit, reader, tmp_path):
    board = boards(
        *("--board", layout, "--speed", str(SPEED)),
        *("--set", f"GEBETA_GAMES={name}", "--set", "GEBETA_DROP_MS=60", "--set", "GEBETA_SLEEP_MIN=0"),
        *("--set", "GEBETA_TAP_MS=5000"),  # of the board's time: a quarter of a second here
    )
    page = visit(board)
    places = hole_places(page)
    page.wait_for_selector("body[data-state=attract]")  # a touch while a piece is loaded may be missed
    page.mouse.click(*places[0])  # the only game begins
    page.wait_for_selector("body[data-state=play]")
    readings = []
    for hole, expected in answers(name):
        if hole is not None:
            page.mouse.click(*places[hole])
        key = json.dumps([expected["turns"], expected["seeds"], expected["over"]], separators=(",", ":"))
        page.wait_for_function(TOLD, arg=key)
        told = page.evaluate(POSITION)
        for part in ("seeds", "claims", "moves", "score", "mover", "again", "over"):
            assert told[part] == expected[part], (part, hole)
        if not expected["over"]:
            frames = last_frames(board, now_us(board))
            readings.append((expected, frames, reader.submit(lights.read, frames)))

    assert expected["over"]
    south, north = expected["score"]
    page.wait_for_selector("body[data-state=result]")
    words = page.locator("#turn").inner_text()
    scores = f"{max(south, north)} to {min(south, north)}"
    if south == north:
        outcome = f"draw, {south} each. Touch the board"
    else:
        outcome = f"{'South' if south > north else 'North'} wins, {scores}. Touch the board"
    assert outcome in words
    number = expected.get("round", 1)
    assert words.endswith("to play again" if expected.get("match_over", 1) else f"for round {number + 1}")

    assert len(readings) > 40
    for expected, frames, reading in readings:
        seen = reading.result(60)
        shown = [seen["seeds"], seen["claims"], seen["legal"]]
        seeds = [count if count < 29 else "29+" for count in expected["seeds"]]
        if shown != [seeds, expected["claims"], expected["moves"]]:
            (tmp_path / "frames.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))
        assert shown == [seeds, expected["claims"], expected["moves"]], tmp_path / "frames.jsonl"
