"""The self-test on the virtual board, by mouse and by the page's console."""

import re

from playwright.sync_api import expect


def test_the_self_test_from_its_first_colour_to_the_game(boards, visit):
    page = visit(boards("--selftest", "--speed", "5", "--set", "GEBETA_GAMES=lame_uweedet"))
    expect(page.locator("#turn")).to_have_text("The self-test; the console says what there is to do")
    page.locator("#show-console").click()
    lines = page.locator("#lines > div")
    expect(lines.filter(has_text="all LEDs red")).to_have_count(1)
    expect(lines.filter(has_text="The pads: ")).to_have_count(1, timeout=20_000)
    hole = page.locator(".hole[data-hole='7']")
    hole.hover()
    page.mouse.down()
    expect(lines.filter(has_text=re.compile(r"^pad .* 7\*"))).to_have_count(1)
    page.mouse.up()
    expect(lines.filter(has_text=re.compile(r"^pad .* 7\+"))).to_have_count(1)
    expect(lines.filter(has_text=re.compile("^raw "))).to_have_count(3)  # always the same table
    typed = page.get_by_label("Type to the board, then Enter")
    typed.fill("q")
    typed.press("Enter")
    expect(page.locator("#turn")).to_have_text("Touch any hole to begin")
    hole.click()
    expect(page.locator("#turn")).to_have_text("South: touch the breathing hole on your side")
