"""The page of the virtual board: touching by mouse, fingers, keys and screen reader; light; power; small screens."""

import json
import re

import pytest
from playwright.sync_api import expect
from test_sounds import expected

import engine
from table.sounds import PLAYERS, hertz

# Each hole shines while its pad is touched. 3x6, wired as the simulator's board is.
LAMP = """
import board, neopixel, touchio
leds = list(range(9)) + list(range(17, 8, -1))
pads = [touchio.TouchIn(getattr(board, "GP%d" % i)) for i in range(18)]
strip = neopixel.NeoPixel(board.GP28, 18, auto_write=False)
print("lamp")
while True:
    for pixel, hole in enumerate(leds):
        strip[pixel] = (0, 50, 0) if pads[hole].value else (20, 0, 0) if hole == 3 else (0, 0, 0)
    strip.show()
"""
LEDS = [*range(9), *range(17, 8, -1)]


@pytest.fixture
def lamp(tmp_path, boards):
    (tmp_path / "code.py").write_text(LAMP, encoding="utf-8")
    return boards(program=tmp_path)


def lit(page, *holes):
    """Waits until exactly these holes shine green."""
    shine = sorted(LEDS.index(hole) for hole in holes)
    page.wait_for_function(
        """(shine) => {
            const light = document.body.dataset.light || "", green = [];
            for (let i = 0; i < light.length / 6; i++) if (light.slice(i * 6, i * 6 + 6) === "003200") green.push(i);
            return light.length === 108 && JSON.stringify(green) === JSON.stringify(shine);
        }""",
        arg=shine,
    )


def hole(page, number):
    return page.locator(f".hole[data-hole='{number}']")


def centre(page, number):
    box = hole(page, number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drawn(page, number):
    """The colour that the page draws in the middle of a hole, a little off its heart."""
    return page.evaluate(
        """(number) => {
            const canvas = document.getElementById("bowls"), at = canvas.getBoundingClientRect();
            const box = document.querySelector(`.hole[data-hole='${number}']`).getBoundingClientRect();
            const scale = canvas.width / at.width;
            const x = (box.left + box.width * 0.62 - at.left) * scale, y = (box.top + box.height / 2 - at.top) * scale;
            return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data.slice(0, 3)];
        }""",
        number,
    )


def settle(page):
    """Two animation frames: what has arrived is drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_mouse_presses_as_long_as_it_presses(lamp, visit):
    page = visit(lamp)
    lit(page)
    page.mouse.move(*centre(page, 13))
    page.mouse.down()
    lit(page, 13)
    expect(hole(page, 13)).to_have_class(re.compile("down"))
    x, y = centre(page, 13)
    page.mouse.move(x + 9, y)  # it may tremble,
    lit(page, 13)
    page.mouse.move(*centre(page, 12), steps=5)  # but what slides off has left the pad, and presses no other
    lit(page)
    page.mouse.move(*centre(page, 13))
    lit(page)
    page.mouse.up()
    lit(page)
    hole(page, 2).click()  # however short
    lit(page)


def test_light_is_drawn_from_the_strips_bytes(lamp, visit):
    page = visit(lamp)
    lit(page)
    settle(page)
    red, green, blue = drawn(page, 3)
    assert red > 120
    assert max(green, blue) < red / 2
    assert max(drawn(page, 4)) < 8  # an empty hole is dark
    page.mouse.move(*centre(page, 4))
    page.mouse.down()
    lit(page, 4)
    settle(page)
    red, green, blue = drawn(page, 4)
    assert green > 170
    assert max(red, blue) < green / 2
    page.mouse.up()


def test_fingers_press_several_holes_at_once(lamp, visit):
    page = visit(lamp, 390, 844, has_touch=True, is_mobile=True)
    lit(page)
    fingers = page.context.new_cdp_session(page)

    def touch(kind, *holes):
        points = [dict(zip(("x", "y"), centre(page, number), strict=True), id=number) for number in holes]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 5)
    lit(page, 5)
    touch("touchStart", 5, 14)
    lit(page, 5, 14)
    touch("touchEnd")
    lit(page)
    page.keyboard.down("KeyA")  # a key and a finger on the same hole: it is down until both have gone
    touch("touchStart", 15, 1)
    lit(page, 15, 1)
    page.keyboard.up("KeyA")
    lit(page, 15, 1)
    touch("touchEnd")
    lit(page)
    touch("touchStart", 5, 14)
    lit(page, 5, 14)
    (x, y), (x2, y2) = centre(page, 3), centre(page, 14)
    slid = [{"x": x, "y": y, "id": 5}, {"x": x2, "y": y2, "id": 14}]
    fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": slid})
    lit(page, 14)  # one of them slid off
    touch("touchEnd")
    lit(page)


def test_keys_alone_are_enough(lamp, visit):
    page = visit(lamp)
    lit(page)
    page.get_by_role("switch", name="Power").focus()
    page.keyboard.press("Tab")
    expect(hole(page, 0)).to_be_focused()
    for key, number in (
        ("ArrowUp", 15),
        ("ArrowRight", 16),
        ("End", 6),
        ("ArrowDown", 5),
        ("ArrowDown", 5),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        expect(hole(page, number)).to_be_focused()
    # ... and one sees where
    page.wait_for_function(
        "() => getComputedStyle(document.activeElement, '::after').borderColor === 'rgb(255, 226, 166)'"
    )
    page.keyboard.down("Space")
    lit(page, 0)
    page.keyboard.up("Space")
    lit(page)
    page.keyboard.down("Enter")
    lit(page, 0)
    page.keyboard.up("Enter")
    lit(page)
    page.keyboard.press("Tab")  # one stop for the whole board
    assert not page.evaluate("document.activeElement.matches('.hole')")
    page.keyboard.press("Shift+Tab")
    expect(hole(page, 0)).to_be_focused()


def test_rows_of_letters_are_rows_of_holes_and_chords_work(lamp, visit):
    page = visit(lamp)
    lit(page)
    page.keyboard.down("KeyQ")
    page.keyboard.down("KeyH")
    page.keyboard.down("KeyX")
    lit(page, 14, 6, 1)
    page.keyboard.up("KeyH")
    lit(page, 14, 1)
    page.evaluate(
        "dispatchEvent(new Event('blur'))"
    )  # another window took the keyboard: nothing stays pressed
    lit(page)
    page.keyboard.up("KeyQ")
    page.keyboard.up("KeyX")


def test_a_screen_readers_click_is_a_tap(lamp, visit):
    page = visit(lamp)
    lit(page)
    seen = page.evaluate(
        """() => new Promise((done) => {
            const seen = [];
            new MutationObserver(() => {
                const now = document.body.dataset.light.includes("003200");
                if (now !== seen.at(-1)) seen.push(now);
                if (seen.length > 1 && !now) done(seen);
            }).observe(document.body, { attributeFilter: ["data-light"] });
            document.querySelector(".hole[data-hole='7']").click();
        })"""
    )
    assert seen[-2:] == [True, False]
    hole(page, 7).click()  # a mouse's click is no second tap
    lit(page)


def test_the_power_switch(lamp, visit):
    page = visit(lamp)
    lit(page)
    switch = page.get_by_role("switch", name="Power")
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()
    expect(page.get_by_role("status")).to_have_text("The power is off. Switch it on to play")
    expect(page.locator("body")).to_have_attribute("data-light", "")
    settle(page)
    assert max(drawn(page, 3)) == 0
    switch.press("Enter")
    expect(switch).to_be_checked()
    lit(page)


def test_a_page_finds_its_board_again(tmp_path, boards, visit):
    (tmp_path / "code.py").write_text(LAMP, encoding="utf-8")
    first = boards(program=tmp_path)
    page = visit(first)
    lit(page)
    first.close()
    expect(page.get_by_role("status")).to_contain_text("does not answer")
    boards(program=tmp_path, port=str(first.port))
    lit(page)
    expect(page.get_by_role("status")).not_to_contain_text("does not answer")
    page.keyboard.down("KeyZ")
    lit(page, 0)
    page.keyboard.up("KeyZ")
    visit.complaints[:] = [
        text for text in visit.complaints if "WebSocket" not in text
    ]  # while nobody answered


def test_a_program_that_dies_says_so(tmp_path, boards, visit):
    (tmp_path / "code.py").write_text("print('well')\nimport nothing_like_this\n", encoding="utf-8")
    page = visit(boards(program=tmp_path))
    expect(page.get_by_role("status")).to_contain_text("has stopped")
    page.get_by_role("button", name="Console").click()
    expect(page.get_by_role("log")).to_contain_text("No module named 'nothing_like_this'")


SCREENS = [
    (320, 640),
    (360, 640),
    (390, 844),
    (640, 360),
    (844, 390),
    (700, 900),
    (768, 1024),
    (1280, 800),
    (1920, 1080),
]


@pytest.mark.parametrize("layout", ["3x6", "2x12"])
def test_the_board_fits_every_screen(layout, boards, visit):
    board = boards("--board", layout)
    page = visit(board, has_touch=True)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        wide, high = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= high == width, (width, height)  # nothing to scroll sideways
        boxes = [button.bounding_box() for button in page.locator(".hole").all()]
        assert len(boxes) == (18 if layout == "3x6" else 24)
        for box in boxes:
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height
            assert box["width"] >= 33  # a fingertip
        if height > width * 1.5:  # on end, South's row is the left column, from top to bottom
            assert boxes[0]["x"] == pytest.approx(boxes[1]["x"])
            assert boxes[0]["y"] < boxes[1]["y"]
        else:
            assert boxes[0]["y"] == pytest.approx(boxes[1]["y"])
            assert boxes[0]["y"] > boxes[-4 if layout == "3x6" else -1]["y"]


def test_what_a_screen_reader_hears(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum"))
    expect(page).to_have_title("Gebeta Lights")
    expect(page.get_by_role("status")).to_have_text("Touch any hole to begin")
    board = page.get_by_role("group", name="The board")
    expect(board.get_by_role("button")).to_have_count(18)
    hole(page, 3).click()
    expect(page.get_by_role("status")).to_have_text("South: touch a breathing hole on your side")
    expect(board.get_by_role("button", name="hole 0, South, 3 seeds", exact=True)).to_be_visible()
    expect(
        board.get_by_role("button", name="hole 3, South, 3 seeds, may be played", exact=True)
    ).to_be_visible()
    expect(board.get_by_role("button", name="hole 12, North, 3 seeds", exact=True)).to_be_visible()
    for name in ("Numbers", "Rules", "Console"):
        button = page.get_by_role("button", name=name, exact=True)
        assert button.get_attribute("aria-pressed" if name == "Numbers" else "aria-expanded") == "false"
        button.click()
        assert button.get_attribute("aria-pressed" if name == "Numbers" else "aria-expanded") == "true"
    expect(hole(page, 3).locator("span")).to_have_text("3")
    expect(hole(page, 3).locator("span")).to_be_visible()
    rules = page.get_by_role("region", name="Rules")
    expect(rules).to_contain_text("Gabata of Aksum")
    expect(rules).to_contain_text("Pankhurst")
    expect(page.get_by_role("log", name="Console")).to_contain_text("gebeta ready board=3x6")
    tree = page.evaluate(
        """() => [...document.querySelectorAll("button, input, [role]")].filter((node) =>
            !node.closest("[hidden]") && !node.textContent.trim() && !node.labels?.length
            && !node.getAttribute("aria-label") && !node.getAttribute("aria-labelledby") && node.id !== "turn"
        ).map((node) => node.outerHTML)"""
    )
    assert tree == []  # everything has a name
    assert page.evaluate("[...document.querySelectorAll('canvas')].every((c) => c.ariaHidden === 'true')")


def test_what_can_be_chosen_stands_at_its_holes(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum; lame_uweedet"))
    expect(page.get_by_role("status")).to_have_text("Touch any hole to begin")
    hole(page, 3).click()
    expect(page.locator("#turn")).to_have_text("Choose a game")
    for number, name in ((0, "Gabata of Aksum"), (1, "Lamè Uwèièdèt"), (2, "")):
        for at in (number, number + 9):
            expect(hole(page, at).locator("b")).to_have_text(name)
            said = hole(page, at).get_attribute("aria-label")
            assert said == f"choose {name}" if name else said.startswith(f"hole {at}, ")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        inside(page)
        wide = hole(page, 1).evaluate("(hole) => [hole.querySelector('b').scrollWidth, hole.clientWidth]")
        assert wide[0] <= wide[1], page.viewport_size
    hole(page, 10).click()
    expect(page.locator("#turn")).to_have_text("South: touch the breathing hole on your side")
    expect(hole(page, 10).locator("b")).to_be_hidden()


QUICK = ("--speed", "10", "--set", "GEBETA_DROP_MS=60", "--set", "GEBETA_TAP_MS=5000")


def inside(page):
    """Board, players and words are whole in the window, and lie over each other nowhere."""
    settle(page)
    settle(page)
    out = page.evaluate(
        """() => {
            const parts = ["#board", "#seat0", "#seat1", "#told", "#turn", "#legend", "h1", ".tools", "#power", "#new"];
            const boxes = parts.map((part) => [part, document.querySelector(part).getBoundingClientRect()])
                .filter(([, box]) => box.width && box.height);
            const most = [innerWidth + 0.5, innerHeight + 0.5];
            const off = ([, b]) => b.left < 0 || b.top < 0 || b.right > most[0] || b.bottom > most[1];
            const beside = (a, b) => a.left >= b.right - 1 || b.left >= a.right - 1;
            const above = (a, b) => a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
            const out = boxes.filter(off);
            for (const [one, a] of boxes) for (const [two, b] of boxes) {
                if (one < two && !beside(a, b) && !above(a, b)) out.push([one, two]);
            }
            const button = document.querySelector("#new");
            if (button.scrollWidth > button.clientWidth) out.push("New game is cut");
            if (document.documentElement.scrollWidth > innerWidth) out.push("wide");
            return out;
        }"""
    )
    assert out == [], page.viewport_size


def test_the_words_tell_what_to_do_and_what_was_done(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum", *QUICK))
    told, turn = page.locator("#told"), page.locator("#turn")
    expect(turn).to_have_text("Touch any hole to begin")
    hole(page, 3).click()
    expect(turn).to_have_text("South: touch a breathing hole on your side")
    page.wait_for_timeout(300)  # mashing does not move
    hole(page, 8).click()
    expect(told).to_have_text("South sowed 7 handfuls.")
    expect(turn).to_have_text("North: touch a breathing hole on your side")
    hole(page, 17).click()
    expect(told).to_have_text("North sowed 2 handfuls.")
    expect(turn).to_have_text("South to move")
    hole(page, 12).click()  # not South's
    expect(turn).to_have_text("South: touch a breathing hole on your side")
    hole(page, 8).click()
    expect(told).to_have_text("South sowed 3 handfuls.")
    expect(turn).to_have_text("North to move")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        inside(page)


POSITION = {
    "game": "gabata_aksum",
    "seeds": [3] * 18,
    "claims": [-1] * 18,
    "territory": [0] * 9 + [1] * 9,
    "score": [0, 0],
    "turns": [4, 4],
    "mover": 0,
    "again": 0,
    "over": 0,
    "moves": [1, 2],
    "round": 1,
    "match_over": 0,
}
PLAY = {"state": "play"}
RESULT = {"state": "result"}


@pytest.fixture
def told_by(tmp_path, boards, visit):
    """told_by(line, ...): a page on which the console has said these lines."""

    def go(*lines, **options):
        said = [json.dumps(line) for line in lines]
        program = f"import time\nfor line in {said!r}:\n    print(line)\nwhile True:\n    time.sleep(1)\n"
        (tmp_path / "code.py").write_text(program, encoding="utf-8")
        return visit(boards(program=tmp_path), **options)

    return go


LIFT = ["lift", 1, 3]
ENDED = {"events": [LIFT], "over": 1, "moves": []}
ONE = "South sowed one handful."


@pytest.mark.parametrize(
    ("mover", "after", "told", "turn"),
    [
        (0, {"events": [LIFT], "mover": 1}, ONE, "North: touch a breathing hole on your side"),
        (
            0,
            {"events": [LIFT, ["lift", 5, 2], ["take", 9, 2], ["take", 10, 2]], "again": 1},
            "South sowed 2 handfuls and took 4 seeds.",
            "South moves again: choose another hole",
        ),
        (
            1,
            {"events": [LIFT, ["claim", 2]], "mover": 0},
            "North sowed one handful and claimed a hole.",
            "South: touch a breathing hole on your side",
        ),
        (
            1,
            {"events": [LIFT, ["claim", 2], ["take", 2, 1]], "mover": 0},
            "North sowed one handful, claimed a hole and took 1 seed.",
            "South: touch a breathing hole on your side",
        ),
        (
            0,
            {"events": [LIFT, ["endless", 4]], "mover": 1, "moves": [9]},
            ONE + " It was an endless sowing: it was stopped.",
            "North: touch the breathing hole on your side",
        ),
        (0, {"events": [LIFT], "turns": [5, 5]}, ONE + " North has no move and passes.", "South to move"),
        (
            0,
            {**ENDED, "score": [24, 30]},
            ONE,
            "Round 1: North wins, 30 to 24. Touch the board for round 2",
        ),
        (0, {**ENDED, "score": [27, 27]}, ONE, "Round 1: a draw, 27 each. Touch the board for round 2"),
        (
            0,
            {**ENDED, "score": [30, 24], "match_over": 1},
            ONE,
            "South wins, 30 to 24. Touch the board to play again",
        ),
        (
            0,
            {**ENDED, "score": [27, 27], "match_over": 1},
            ONE,
            "A draw, 27 each. Touch the board to play again",
        ),
    ],
)
def test_a_turn_in_words(told_by, mover, after, told, turn):
    first = {**POSITION, "mover": mover}
    page = told_by(PLAY, first, {**first, **after}, RESULT if after.get("over") else PLAY)
    expect(page.locator("#told")).to_have_text(told)
    expect(page.locator("#turn")).to_have_text(turn)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        inside(page)


def test_numbers_show_whose_claim_it_is(told_by):
    claims = [-1] * 18
    claims[4], claims[13] = 1, 0
    page = told_by(PLAY, {**POSITION, "claims": claims})
    legend = page.locator("#legend")
    expect(hole(page, 4)).to_have_class(re.compile("claim1"))
    expect(legend).to_be_hidden()
    page.get_by_role("button", name="Numbers").click()
    expect(legend).to_have_text("claimed by Southclaimed by North")
    ring = "(hole) => { const s = getComputedStyle(hole, '::before'); return [s.borderTopStyle, s.borderTopColor]; }"
    assert hole(page, 13).evaluate(ring) == ["solid", "rgb(255, 142, 118)"]
    assert hole(page, 4).evaluate(ring) == ["solid", "rgb(69, 223, 169)"]
    assert hole(page, 5).evaluate(ring)[0] == "none"
    inside(page)


def test_numbers_show_uneven_territories(told_by):
    page = told_by(PLAY, {**POSITION, "territory": [0] * 11 + [1] * 7})
    page.get_by_role("button", name="Numbers").click()
    expect(page.locator("#legend")).to_have_text("South's holesNorth's holes")
    expect(hole(page, 10)).to_have_class(re.compile("land0"))
    expect(hole(page, 10)).to_have_attribute("aria-label", "hole 10, South, 3 seeds")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        inside(page)


def test_a_new_game_is_asked_for_with_one_press(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum; lame_uweedet", *QUICK))
    new = page.get_by_role("button", name="New game")
    expect(page.locator("#turn")).to_have_text("Touch any hole to begin")
    expect(new).to_be_hidden()
    hole(page, 3).click()
    expect(page.locator("#turn")).to_have_text("Choose a game")
    expect(new).to_be_hidden()
    page.wait_for_timeout(200)
    hole(page, 0).click()
    page.wait_for_selector("body[data-state=play]")
    new.click()
    page.wait_for_selector("body[data-state=choose]")
    expect(page.locator("#told")).to_have_text("The game was given up.")
    expect(page.locator("#turn")).to_have_text("Choose a game")
    expect(new).to_be_hidden()
    expect(page.locator(".hole.down")).to_have_count(0)


def test_a_game_that_the_staff_has_taken_away_has_no_name(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum; lame_uweedet; sulus_aidi", *QUICK))
    page.get_by_role("button", name="Console").click()
    page.locator("#console input").fill("staff")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-state=staff]")
    for at in (2, 1, 8, 8):  # games, the second one, back, leave
        page.wait_for_timeout(900)
        hole(page, at).click()
    page.wait_for_selector("body[data-state=attract]")
    hole(page, 3).click()
    page.wait_for_selector("body[data-state=choose]")
    expect(hole(page, 0)).to_have_attribute("aria-label", "choose Gabata of Aksum")
    expect(hole(page, 2)).to_have_attribute("aria-label", "choose Sulus Aidi")
    for at in (1, 10):
        expect(hole(page, at)).not_to_contain_text("Lam")
        expect(hole(page, at)).to_have_attribute("aria-label", re.compile(f"hole {at}, "))


def test_while_the_board_may_be_wiped_the_page_says_so(boards, visit):
    page = visit(boards("--speed", "4", "--set", "GEBETA_TAP_MS=5000"))
    turn = page.locator("#turn")
    page.get_by_role("button", name="Console").click()
    page.locator("#console input").fill("staff")
    page.keyboard.press("Enter")
    expect(turn).to_have_text("The staff is at the board; 20 seconds without a touch, and all goes on")
    page.wait_for_timeout(500)
    hole(page, 1).click()
    expect(turn).to_have_text("The board may be wiped for 30 seconds; no touch counts meanwhile")
    expect(turn).to_have_text(
        "The staff is at the board; 20 seconds without a touch, and all goes on", timeout=20_000
    )


ALONE = ("--set", "GEBETA_GAMES=gabata_aksum", "--set", "GEBETA_TAP_MS=5000", "--set", "GEBETA_DROP_MS=60")
THEIRS = "The board's turn: it thinks, then it sows"


def test_one_person_plays_against_the_board(boards, visit):
    page = visit(boards(*ALONE, "--speed", "2", players="ask"))
    turn = page.locator("#turn")
    expect(turn).to_have_text("Touch any hole to begin")
    hole(page, 3).click()
    expect(turn).to_have_text("Who plays? Two people, or one against the board, on the side that touches")
    for number, name in ((0, "Two people"), (1, "One person"), (2, "")):
        for at in (number, number + 9):
            expect(hole(page, at).locator("b")).to_have_text(name)
    screens(page)
    hole(page, 10).click()  # North's
    expect(turn).to_have_text("How strongly is the board to play?")
    for number, name in enumerate(("1: like a child", "2: like a player", "3: like a master", "")):
        for at in (number, number + 9):
            expect(hole(page, at).locator("b")).to_have_text(name)
    expect(hole(page, 11)).to_have_attribute("aria-label", "choose 3: like a master")
    screens(page)
    page.wait_for_timeout(300)
    hole(page, 9).click()
    expect(turn).to_have_text("North: touch a breathing hole on your side")
    expect(page.locator("#seat1")).to_contain_text("you")
    expect(page.locator("#seat0")).to_contain_text("the board, level 1")
    expect(hole(page, 13)).to_have_attribute("aria-label", re.compile("may be played"))
    screens(page)
    page.wait_for_timeout(300)
    hole(page, 13).click()
    expect(turn).to_have_text(THEIRS)
    expect(page.locator("#seat0")).to_have_class(re.compile("moving"))
    expect(page.locator("#told")).to_contain_text("North sowed")
    for at in range(18):
        assert "may be played" not in hole(page, at).get_attribute("aria-label")
    page.wait_for_selector("#seat1.moving", timeout=60_000)  # South has moved, and perhaps once more
    expect(page.locator("#told")).to_contain_text("The board sowed")
    page.reload()
    expect(page.locator("#seat0")).to_contain_text("the board, level 1")


def screens(page):
    """The words stand in their places on every screen."""
    before = page.viewport_size
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        hole(page, 4).click()  # which answers nothing, but silence would choose
        inside(page)
        words = page.eval_on_selector_all(
            ".hole", "(all) => all.filter((h) => h.querySelector('b').scrollWidth > h.clientWidth).length"
        )
        assert not words, (width, height)
    page.set_viewport_size(before)


def test_after_a_game_for_one_two_play_without_the_board(boards, visit):
    page = visit(boards(*ALONE, players="ask"))
    expect(page.locator("#turn")).to_have_text("Touch any hole to begin")
    hole(page, 3).click()
    page.wait_for_timeout(700)
    hole(page, 1).click()
    page.wait_for_timeout(700)
    hole(page, 0).click()
    expect(page.locator("#seat1")).to_contain_text("the board, level 1")
    page.get_by_role("button", name="New game").click()
    expect(page.locator("#turn")).to_have_text(re.compile("^Who plays"))
    expect(page.locator("#seat1")).not_to_contain_text("board")
    page.wait_for_timeout(700)
    hole(page, 0).click()
    expect(page.locator("#turn")).to_have_text(re.compile("^South: touch"))
    for player in (0, 1):
        expect(page.locator(f"#who{player}")).to_be_hidden()


def test_a_new_game_can_be_thought_better_of(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum"))
    hole(page, 3).click()
    new = page.get_by_role("button", name="New game")
    page.wait_for_timeout(600)  # mashing does nothing
    new.click()
    expect(page.locator("#turn")).to_contain_text("both left-hand holes")
    assert [hole(page, at).get_attribute("class") for at in (0, 9)] == ["hole down"] * 2
    page.wait_for_timeout(600)  # seen filling: no taps any more
    new.click()
    expect(page.locator(".hole.down")).to_have_count(0)
    expect(page.locator("#turn")).to_have_text("South: touch a breathing hole on your side")
    expect(page.locator("body")).to_have_attribute("data-state", "play")


def test_a_new_game_after_a_result(told_by):
    page = told_by(PLAY, {**POSITION, "over": 1, "match_over": 1}, RESULT)
    switch = page.get_by_role("switch", name="Power")
    expect(switch).to_be_checked()
    page.get_by_role("button", name="New game").click()
    expect(switch).not_to_be_checked()
    expect(switch).to_be_checked()


def test_the_rules_stand_beside_the_board(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum"))
    hole(page, 3).click()
    page.get_by_role("button", name="Rules").click()
    rules = page.get_by_role("region", name="Rules")
    expect(rules.get_by_role("listitem")).to_have_count(9)
    for width, height in ((1280, 800), (1920, 1080), (1100, 700)):
        page.set_viewport_size({"width": width, "height": height})
        inside(page)
        box = page.locator("#board").bounding_box()
        assert box["x"] + box["width"] <= rules.bounding_box()["x"]
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    with page.context.expect_page() as more:
        page.get_by_role("link", name="More: docs/rules/gabata_aksum.md").click()
    expect(more.value.locator("body")).to_contain_text("# Gabata of Aksum")


# Notes that the page plays: Hz, and how loud.
LISTEN = """() => {
    const param = AudioParam.prototype, { setValueAtTime, setTargetAtTime } = param;
    window.heard = [];
    window.loud = [];
    param.setValueAtTime = function (...all) { window.heard.push(all[0]); return setValueAtTime.apply(this, all); };
    param.setTargetAtTime = function (...all) { window.loud.push(all[0]); return setTargetAtTime.apply(this, all); };
}"""


def test_the_piezo_is_heard_once_the_sound_is_on(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum", "--speed", "4"))
    page.evaluate(LISTEN)
    sound = page.get_by_role("button", name="Sound", exact=True)
    expect(sound).to_have_attribute("aria-pressed", "false")
    hole(page, 3).click()
    expect(page.get_by_role("status")).to_contain_text("South: touch")
    page.wait_for_timeout(300)  # South's note is over
    assert page.evaluate("heard") == []
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    hole(page, 2).click()
    expect(page.get_by_role("status")).to_contain_text("South sowed")
    game = engine.make("gabata_aksum")
    game.start(0)
    game.play(2)
    notes = []
    for what in expected(game.trace):
        notes += [hz for hz, _ in what] if isinstance(what, tuple) else [what]
    page.wait_for_function("(count) => heard.length > count", arg=len(notes))
    assert page.evaluate("heard") == [*notes, hertz(PLAYERS[1])]
    assert max(page.evaluate("loud")) > 0.05
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    hole(page, 11).click()
    expect(page.get_by_role("status")).to_contain_text("North sowed")
    assert len(page.evaluate("heard")) == len(notes) + 1


def test_what_was_open_is_open_after_a_reload(lamp, visit):
    page = visit(lamp)
    for name in ("Numbers", "Rules", "Console"):
        page.get_by_role("button", name=name, exact=True).click()
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.get_by_role("button", name="Numbers")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("region", name="Rules")).to_be_visible()
    expect(page.get_by_role("log", name="Console")).to_be_visible()
    page.get_by_role("button", name="Rules", exact=True).click()
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.get_by_role("log", name="Console")).to_be_visible()
    expect(page.get_by_role("region", name="Rules")).to_be_hidden()


def test_forced_colors_keep_what_matters(told_by):
    page = told_by(PLAY, POSITION, forced_colors="active")
    look = "(node, part) => { const s = getComputedStyle(node, part); return [s.backgroundColor, s.left]; }"
    switch = page.locator("#power i")
    expect(page.get_by_role("switch", name="Power")).to_be_checked()
    expect(page.locator("#seat0")).to_have_class(re.compile("moving"))
    page.wait_for_timeout(400)
    on = switch.evaluate(look), switch.evaluate(look, "::after")
    moving, waiting = (page.locator(f"#seat{player}").evaluate(look, "::before") for player in (0, 1))
    assert moving != waiting
    page.get_by_role("switch", name="Power").click()
    expect(page.get_by_role("switch", name="Power")).not_to_be_checked()
    page.wait_for_timeout(400)
    off = switch.evaluate(look), switch.evaluate(look, "::after")
    assert on[0] != off[0]
    assert on[1][1] != off[1][1]


def test_a_long_board_on_a_phone_has_broad_holes(boards, visit):
    page = visit(boards("--board", "2x12"), 390, 844, has_touch=True, is_mobile=True)
    box = hole(page, 5).bounding_box()
    assert box["width"] > 80
    assert box["height"] > 45
    assert page.locator("#board").bounding_box()["width"] > 230


def test_moving_pictures_can_be_declined(lamp, visit):
    page = visit(lamp, reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.getElementById('wood')).transitionDuration") == "0s"


def test_nothing_is_asked_of_anybody_else(lamp, visit):
    page = visit(lamp, path="/?lang=xx")  # there are no such texts: English
    lit(page)
    expect(page.get_by_role("button", name="Rules")).to_be_visible()
    assert {url.split("/")[2] for url in visit.requests} == {lamp.url}
    assert not [url for url in visit.requests if "xx.json" in url]


def test_a_pad_breaks_under_the_next_touch_and_is_mended(lamp, visit):
    page = visit(lamp)
    lit(page)
    page.get_by_role("button", name="Mishaps").click()
    panel = page.get_by_role("region", name="What can happen to it")
    stuck = panel.get_by_role("button", name="Stuck")
    stuck.click()
    expect(stuck).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#turn")).to_have_text("Touch the hole whose pad is to be broken, or mended: Stuck")
    hole(page, 4).click()
    lit(page, 4)
    page.keyboard.press("KeyQ")  # hole 14
    lit(page, 4, 14)
    expect(panel.locator("#broken")).to_have_text("Stuck: hole 4; Stuck: hole 14.")
    expect(hole(page, 4)).to_have_attribute("aria-label", "hole 4, South, pad broken (Stuck)")
    expect(hole(page, 4).locator("small")).to_be_visible()
    hole(page, 4).focus()
    page.keyboard.press("Space")
    lit(page, 14)
    page.keyboard.press("Escape")
    expect(stuck).to_have_attribute("aria-pressed", "false")
    page.mouse.move(*centre(page, 4))  # a touch is a touch again
    page.mouse.down()
    lit(page, 4, 14)
    page.mouse.up()
    panel.get_by_role("button", name="Mend them all").click()
    lit(page)
    expect(panel.get_by_role("button", name="Mend them all")).to_be_hidden()
    panel.get_by_role("button", name="Torn wire").click()
    page.get_by_role("button", name="Mishaps").click()  # nothing is broken unseen
    hole(page, 2).click()
    expect(hole(page, 2).locator("small")).to_be_empty()


# The holes that the page shows wet.
WET = "() => [...document.querySelectorAll('.hole.wet')].map((hole) => Number(hole.dataset.hole)).join()"


def test_a_wet_cloth_is_dragged_over_the_board(lamp, visit):
    page = visit(lamp)
    lit(page)
    page.get_by_role("button", name="Mishaps").click()
    cloth = page.get_by_role("button", name="Wet cloth")
    expect(cloth).to_be_hidden()
    lay = page.get_by_role("button", name="Lay it down")
    lay.click()
    expect(cloth).to_be_focused()
    expect(page.locator(".hole.wet")).to_have_count(6)
    assert page.evaluate(WET) == "2,3,8,11,12,17"
    page.wait_for_function("() => /003200.*003200/.test(document.body.dataset.light)")  # several at once
    box = cloth.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    x, y = centre(page, 0)
    page.mouse.move(x - 100, y + 40, steps=8)
    page.mouse.up()
    expect(hole(page, 0)).to_have_class(re.compile("wet"))
    page.keyboard.press("Delete")
    expect(cloth).to_be_hidden()
    expect(lay).to_be_focused()
    assert {"0", "2", "17"} <= set(page.evaluate(WET).split(","))  # the water stays


def test_keys_move_the_cloth_too(lamp, visit):
    page = visit(lamp)
    lit(page)
    page.get_by_role("button", name="Mishaps").click()
    page.get_by_role("button", name="Lay it down").click()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(hole(page, 6)).to_have_class(re.compile("wet"))
    page.get_by_role("button", name="Lay it down").click()  # and away
    expect(page.get_by_role("button", name="Wet cloth")).to_be_hidden()


def test_one_wipe_wets_the_whole_board(tmp_path, boards, visit):
    (tmp_path / "code.py").write_text(LAMP, encoding="utf-8")
    page = visit(boards("--speed", "4", program=tmp_path))
    page.get_by_role("button", name="Mishaps").click()
    page.get_by_role("button", name="Wipe once").click()
    cloth = page.get_by_role("button", name="Wet cloth")
    expect(cloth).to_be_visible()
    expect(cloth).to_be_hidden()
    assert page.evaluate(WET).count(",") > 12


def test_the_power_is_cut_for_a_moment(lamp, visit):
    page = visit(lamp)
    lit(page)
    switch = page.get_by_role("switch", name="Power")
    page.get_by_role("button", name="Mishaps").click()
    page.get_by_role("button", name="Cut it for a moment").click()
    expect(switch).not_to_be_checked()
    expect(switch).to_be_checked()
    lit(page)
