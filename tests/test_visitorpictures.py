"""The strips in docs/exhibit.md are what the table shows a visitor now."""

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from tools import visitorpictures as strips
from tools.pictures import DOCS

PICTURES = DOCS / "pictures"
TEXT = (DOCS / "exhibit.md").read_text(encoding="utf-8")


def test_they_are_fresh():
    """`python3 -m tools.visitorpictures` draws them anew."""
    for path, drawn in strips.files().items():
        assert path.read_text(encoding="utf-8") == drawn, path


def test_each_is_shown_once():
    shown = re.findall(r"\]\(pictures/visitor-(\w+)\.svg\)", TEXT)
    assert sorted(shown) == sorted(strips.STRIPS)
    assert {path.stem for path in PICTURES.glob("visitor-*")} == {f"visitor-{name}" for name in strips.STRIPS}


@pytest.mark.parametrize("name", strips.STRIPS)
def test_frames_differ_and_all_have_words(name):
    board = strips.STRIPS[name][1]()
    frames = [frame for frame, _, _ in board.kept]
    assert all(a != b for a, b in itertools.pairwise(frames))
    assert all(caption for _, _, caption in board.kept)
    root = ET.fromstring(strips.strip(strips.STRIPS[name][0], board.kept))
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words == [caption for _, _, caption in board.kept]


def test_what_they_tell_has_happened():
    """A turn that is said to take, to claim, to be made once more or to be passed over, is."""
    for play, seen in ((strips.capture, "takes"), (strips.bonus, "bonus"), (strips.passes, "passes")):
        assert getattr(play().table.game.trace, seen) == 1
    board = strips.claim()
    assert board.table.game.claim(board.table.game.trace.claim) == 0
    board = strips.round_end()
    assert board.table.game.winner() == 0
    assert board.table.state is board.table.result
    assert strips.away().table.state.NAME == strips.attract().table.state.NAME == "attract"
    assert strips.choose().table.game.NAME == "lame_uweedet"
