"""One person against the computer, on the page."""

import json

import engine
from e2e.process import hole_places
from e2e.test_games import POSITION

MINE = (
    "() => { const position = (%s)(); return position && (position.mover === 0 || position.over); }"
    % POSITION
)
TURNS = (
    "() => { const position = (%s)(); return position && position.turns[0] + position.turns[1]; }" % POSITION
)
MOVES = """() => [...document.querySelectorAll("#lines .data")].map((node) => node.textContent)
    .filter((text) => text.includes('"events"'))"""


def test_some_turns_are_played_against_the_computer(boards, visit):
    board = boards(
        *("--board", "3x6", "--speed", "10", "--set", "GEBETA_GAMES=gabata_aksum"),
        *("--set", "GEBETA_PLAYERS=one", "--set", "GEBETA_LEVEL=2"),
        *("--set", "GEBETA_DROP_MS=60", "--set", "GEBETA_SLEEP_MIN=0", "--set", "GEBETA_TAP_MS=5000"),
    )
    page = visit(board)
    places = hole_places(page)
    page.wait_for_selector("body[data-state=attract]")
    page.mouse.click(*places[0])  # the only game begins, and South is the person's
    page.wait_for_selector("body[data-state=play]")
    played = 0
    while played < 6:
        page.wait_for_function(MINE)
        position = page.evaluate(POSITION)
        if position["over"]:
            break
        turns = sum(position["turns"])
        page.mouse.click(*places[position["moves"][played % len(position["moves"])]])
        page.wait_for_function(f"(turns) => ({TURNS})() > turns", arg=turns)
        played += 1
    assert played >= 3
    page.wait_for_function(MINE)

    # All that the console has told is what the engine says; the computer has moved as often as the person, and nobody
    # has touched the board for it.
    game = engine.make("gabata_aksum")
    movers = []
    for text in page.evaluate(MOVES):
        told = json.loads(text)
        movers.append(game.mover)
        game.play(told["events"][0][1])
        assert told["seeds"] == list(game.seeds)
        assert told["mover"] == game.mover
    assert movers.count(0) == played
    assert movers.count(1) >= played - 1
