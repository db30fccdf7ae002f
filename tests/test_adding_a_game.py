"""docs/adding-a-game.md shows the files as they are, and their right sizes."""

import os
import re

from conftest import ROOT

import engine
from tools import listings


def page():
    with open(os.path.join(ROOT, "docs", "adding-a-game.md"), encoding="utf-8") as file:
        return file.read()


def test_the_listings_are_the_files():
    """`python3 -m tools.listings` writes them anew."""
    assert page() == listings.filled(page())
    assert "```python\n" + listings.text_of("engine/games/selus_massawa.py") + "```" in page()


def test_the_table_counts_every_game():
    rows = re.findall(r"^\| `engine/games/(\w+)\.py` \| (\d+) \| (\d+) \|$", page(), re.MULTILINE)
    assert [row[0] for row in rows] == engine.names()
    for name, lines, code in rows:
        with open(os.path.join(ROOT, "engine", "games", name + ".py"), encoding="utf-8") as file:
            text = file.read()
        assert int(lines) == text.count("\n")
        assert 0 < int(code) < int(lines)


def test_lines_of_code_leave_out_remarks_and_texts():
    assert listings.lines_of_code('"""One."""\n\n# two\nx = 1  # three\n"""Four\n\nfive\n"""\ny = 2\n') == 2


def test_what_the_page_names_is_there():
    for path in re.findall(r"`((?:engine|tools)/[\w./-]+\.\w+)`", page()):
        known = os.path.exists(os.path.join(ROOT, path))
        assert known or "NAME" in path, path
