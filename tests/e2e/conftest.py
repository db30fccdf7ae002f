"""Chromium, and boards to open in it."""

import os
import shutil

import pytest

from e2e.process import Board

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def missing(what):
    """Skip with the reason on somebody's PC; never in CI."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


# For this folder alone: while it lives, nothing else in the process can run an event loop.
@pytest.fixture(scope="package")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        missing("there is no Chromium here (apt-get install chromium, or set CHROMIUM)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def boards():
    """boards(...): starts a board; ended after the test."""
    started = []

    def start(*arguments, **options):
        started.append(Board(*arguments, **options))
        return started[-1]

    yield start
    for board in started:
        board.close()


@pytest.fixture
def visit(browser):
    """visit(board, ...): its page in a window of its own. Fails the test if the page complains, or asks elsewhere."""
    contexts = []
    complaints = []
    asked = []

    def go(board, width=1280, height=800, path="/", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.goto(f"http://{board.url}{path}")
        page.wait_for_selector("body.ready")
        go.requests = asked
        go.complaints = complaints
        return page

    yield go
    for context in contexts:
        context.close()
    assert not complaints
    assert not [url for url in asked if not url.split("://")[1].startswith("127.0.0.1:")]
