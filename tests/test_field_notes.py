"""docs/field-notes.md names a test for each trap, and each test that it names is there."""

import ast
import os
import re

from conftest import ROOT

from tools.emulate.__main__ import ALL
from tools.emulate.measure import PARTS

NOTES = range(14, 25)


def rows():
    with open(os.path.join(ROOT, "docs", "field-notes.md"), encoding="utf-8") as file:
        return re.findall(r"^\| (\d+) \| (.+) \| (.+) \| (.+) \|$", file.read(), re.MULTILINE)


def test_each_note_has_a_test():
    assert [int(number) for number, *_ in rows()] == list(NOTES)
    assert all("`tests/" in tests for *_, tests in rows())


def test_the_tests_are_there():
    named = {name for *_, tests in rows() for name in re.findall(r"`(tests/[^`]+)`", tests)}
    for name in named:
        path, _, function = name.partition("::")
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            there = {node.name for node in ast.parse(file.read()).body if isinstance(node, ast.FunctionDef)}
        assert not function or function in there, name


def test_the_emulated_checks_are_there():
    known = (
        {word for check in ALL for word in check.words()} | set(PARTS) | {part.split()[0] for part in PARTS}
    )
    named = [name for *_, tests in rows() for name in re.findall(r"make emulate: (.+?)(?:;|$)", tests)]
    assert len(named) > 3
    for name in ", ".join(named).split(", "):
        assert name.strip() in known, name
