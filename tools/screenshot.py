"""Takes the pictures of the virtual board in docs/pictures: choosing a game, and games under way, on a desktop and on
a phone.

    python3 -m tools.screenshot [FOLDER]

Needs Playwright and Chromium (`apt-get install chromium`, or CHROMIUM names it). The board runs ten times as fast as
in life, and plays the beginning of a recorded game.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# name, board, game or None while it is chosen, choices of hole, width, height, scale, buttons that are pressed
PICTURES = (
    ("board-choose", "3x6", None, 0, 1280, 800, 1, ()),
    ("board-3x6", "3x6", "gabata_aksum", 18, 1280, 800, 1, ()),
    ("board-2x12", "2x12", "lamlameta", 12, 1280, 800, 1, ()),
    ("board-numbers", "3x6", "lame_uweedet", 20, 1280, 800, 1, ("Numbers", "Rules")),
    ("board-mishaps", "3x6", "gabata_aksum", 18, 1280, 800, 1, ("Mishaps", "Lay it down")),
    ("board-phone", "3x6", "gabata_aksum", 24, 390, 844, 1.5, ()),
    ("board-phone-2x12", "2x12", "lamlameta", 7, 390, 844, 1.5, ()),
)


def choices(game, count):
    """The first holes chosen in a recorded game."""
    lines = (ROOT / "tests" / "games" / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    return [int(line.split()[2]) for line in lines if line.startswith("> play")][:count]


def start(board, game):
    """The simulator's process and its address."""
    command = [
        sys.executable,
        "-m",
        "simulator",
        "--port",
        "0",
        "--no-browser",
        "--board",
        board,
    ]
    command += ["--set", "GEBETA_PLAYERS=two", "--set", "GEBETA_DROP_MS=60", "--set", "GEBETA_TAP_MS=5000"]
    if game:
        command += ["--speed", "10", "--set", f"GEBETA_GAMES={game}"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if "http://" in line:
            return process, line.split()[4]
    raise SystemExit("the simulator did not start")


def take(browser, folder, name, board, game, count, width, height, scale, buttons):
    """Plays the beginning of a game and takes one picture."""
    process, address = start(board, game)
    try:
        phone = width < 600
        size = {"width": width, "height": height}
        context = browser.new_context(
            viewport=size, device_scale_factor=scale, has_touch=phone, is_mobile=phone
        )
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body.ready")
        page.locator(".hole").first.click()
        page.wait_for_selector(f"body[data-state={'play' if game else 'choose'}]")
        told = "(before) => document.querySelectorAll('#lines .data').length > before"
        lines = "() => document.querySelectorAll('#lines .data').length"
        page.wait_for_timeout(300)
        for hole in choices(game, count) if game else ():
            before = page.evaluate(lines)
            page.locator(f".hole[data-hole='{hole}']").click()
            page.wait_for_function(told, arg=before)
        page.mouse.move(2, 2)
        page.evaluate("document.activeElement.blur()")
        for button in buttons:
            page.get_by_role("button", name=button, exact=True).click()
        page.evaluate("document.activeElement.blur()")
        page.wait_for_timeout(900)  # the last touch fades
        page.screenshot(path=str(folder / f"{name}.png"))
        context.close()
    finally:
        process.terminate()
        process.wait()


def main(arguments=None):
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.screenshot", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "pictures")
    folder = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not chromium:
        parser.error("there is no Chromium here (apt-get install chromium, or set CHROMIUM)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for picture in PICTURES:
            take(browser, folder, *picture)
            print(folder / f"{picture[0]}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
