"""The page of the virtual board: touching by mouse, fingers, keys and screen reader; light; power; small screens."""

import re

import pytest
from playwright.sync_api import expect

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
    page.mouse.move(5, 5)  # a finger that has slid off is still down until it is lifted
    lit(page, 13)
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
    page.get_by_role("button", name="Console").click()
    page.get_by_label("Type a line").fill("")
    page.get_by_label("Type a line").press("q")  # letters in the line are letters
    lit(page)


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
    expect(page.get_by_role("status")).to_have_text("The power is off")
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


SCREENS = [(360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080)]


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
    expect(page.get_by_role("status")).to_have_text("South to move")
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


def test_what_can_be_chosen_is_said(boards, visit):
    page = visit(boards("--set", "GEBETA_GAMES=gabata_aksum; lame_uweedet"))
    expect(page.get_by_role("status")).to_have_text("Touch any hole to begin")
    hole(page, 3).click()
    expect(page.get_by_role("status")).to_have_text(
        "Choose a game: Gabata of Aksum at holes 0 and 9; Lamè Uwèièdèt at holes 1 and 10"
    )


def test_moving_pictures_can_be_declined(lamp, visit):
    page = visit(lamp, reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.getElementById('wood')).transitionDuration") == "0s"


def test_nothing_is_asked_of_anybody_else(lamp, visit):
    page = visit(lamp, path="/?lang=am")  # no such texts yet: English
    lit(page)
    expect(page.get_by_role("button", name="Rules")).to_be_visible()
    assert {url.split("/")[2] for url in visit.requests} == {lamp.url}
    visit.complaints[:] = [text for text in visit.complaints if "404" not in text]
