"""What runs on the board keeps to what CircuitPython has; and that whatever does not is named, with its line."""

import pytest

from tools import bundle, devicecheck


def test_all_that_the_board_runs_is_what_circuitpython_takes():
    sources = bundle.gather()
    libraries, _ = bundle.libraries(sources)
    assert devicecheck.check({**sources, **libraries}, lambda path: path in sources) == []


def one(text, **others):
    return devicecheck.check({"code.py": text, **{name + ".py": other for name, other in others.items()}})


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("match x:\n    case 1: pass", "code.py:2: no match statement: if and elif"),
        ("def f(a, /): pass", "code.py:2: no positional-only /: leave the / out"),
        ("y = f'{x}'", "code.py:2: f-strings cost the board's compiler memory: use %"),
        ("y = [*x, 1]", "code.py:2: no * inside a list or tuple: add them: list(a) + [b]"),
        ("def f():\n    return *x, 1", "code.py:3: no * inside a list or tuple"),
        ("y = {*x}", "code.py:2: no * inside a set"),
        ("y = {**x}", "code.py:2: no ** inside a dict"),
        ("x[::2] = y", "code.py:2: no assignment to a slice with a step"),
        ("del x[::2]", "code.py:2: no assignment to a slice with a step"),
        ("async def f(): pass", "code.py:2: no coroutines here"),
        ("class A(metaclass=type): pass", "code.py:2: no keywords behind a class's name"),
        ("class A:\n    def __setattr__(self, name, value): pass", "code.py:3: __setattr__ is never called"),
        ("@x[0]\ndef f(): pass", "code.py:2: no such decorator"),
        ("try:\n    pass\nexcept* OSError:\n    pass", "code.py:2: no except*"),
        ("with (open('a') as a, open('b') as b): pass", "code.py:2: no brackets round the items of with"),
        ("y = zip(x, x, strict=True)", "code.py:2: zip() has no strict="),
        ("y = next(x, 1)", "code.py:2: next() takes 1 argument"),
        ("y = 'a'.zfill(3)", "code.py:2: no built-in type has zfill"),
        (
            "try:\n    pass\nexcept FileNotFoundError:\n    pass",
            "code.py:4: no built-in FileNotFoundError: OSError",
        ),
        ("y = vars(x)", "code.py:2: no built-in vars"),
        ("y = x.__doc__", "code.py:2: __doc__ is not kept"),
        ("y = (", "code.py:2: '(' was never closed"),
        # modules
        (
            "import dataclasses",
            "code.py:2: no module dataclasses on CircuitPython 10 on a Pico, nor on the drive: write a class",
        ),
        ("from functools import lru_cache", "code.py:2: no module functools"),
        (
            "from typing import List",
            "no module typing on CircuitPython 10 on a Pico, nor on the drive: put it into try:",
        ),
        ("def f():\n    import enum", "code.py:3: no module enum"),
        ("import supervisr", "did you mean supervisor?"),
        ("from os import getcwdb", "code.py:2: os has no getcwdb: did you mean getcwd?"),
        ("import os\ny = os.path.join('a')", "code.py:3: os has no path"),
        (
            "import alarm as a\ny = a.sleep_memry",
            "code.py:3: alarm has no sleep_memry: did you mean sleep_memory?",
        ),
        ("from board import GP99", "code.py:2: board has no GP99"),
    ],
)
def test_what_it_does_not_take_is_named(line, named):
    found = one("x = []\n" + line + "\n")
    assert len(found) == 1
    assert named in found[0]


@pytest.mark.parametrize(
    "line",
    [
        "def f(a: int = 1, *, b: str) -> None: yield from a",
        "x: int = 1",
        "a, *b = [1, 2, 3]",
        "if (y := 1): pass",
        "y = max(*[1], *[2], **{}) if 1 < 2 < 3 else 1_000",
        "try: pass\nexcept (OSError, ValueError) as e: raise e from None\nelse: pass\nfinally: pass",
        "with open('a') as a, open('b') as b: pass",
        "with (open('a')) as a: pass",
        "@staticmethod\ndef f(): pass",
        "y = [1, 2, 3][::2]\ny[0:1] = [4]",
        "import ulab.numpy as np\ny = np.array([1]).shape",
        "from collections import namedtuple, deque",
        "import os\ndef f(os): return os.path",
        "class A:\n    def zfill(self): return self.zfill",
        "class A:\n    start = 1\ny = A.start",
    ],
)
def test_what_it_takes_is_let_through(line):
    assert one(line + "\n") == []


def test_a_guarded_import_may_fail():
    assert one("try:\n    from typing import List\nexcept ImportError:\n    pass\n") == []
    assert one("try:\n    import enum\nexcept (ValueError, ImportError):\n    enum = None\n") == []
    assert len(one("try:\n    import enum\nexcept ValueError:\n    pass\n")) == 1
    assert len(one("try:\n    pass\nexcept ImportError:\n    import enum\n")) == 1


def test_imports_between_the_files_of_a_drive():
    drive = {
        "code.py": "import games.go\nfrom games import go\nfrom games.go import PLAY, play\nx = go.PLAY\ngames.go\n",
        "games/__init__.py": "",
        "games/go.py": "from . import rules\nfrom .rules import LAW\nimport tool\nPLAY = 1\ndef play(): pass\n",
        "games/rules.py": "LAW = 1\n",
        "lib/tool.py": "x = f'{1}'\n",
    }
    assert devicecheck.check(drive, lambda path: not path.startswith("lib/")) == []
    drive["code.py"] = "from games import chess\nfrom games.go import PALY\nimport games.goo\n"
    assert devicecheck.check(drive, lambda path: not path.startswith("lib/")) == [
        "code.py:1: games has no chess: it has go, rules",
        "code.py:2: games.go has no PALY: did you mean PLAY?",
        "code.py:3: no module games.goo on CircuitPython 10 on a Pico, nor on the drive: did you mean games.go?",
    ]
    assert devicecheck.unresolved(drive) == {"games.goo": "code.py"}


def test_libraries_may_use_f_strings_but_not_every_kind():
    for text in ("x = 1\ny = rf'{x}'\n", "x = 1\ny = f\"{f'{x}'}\"\n"):
        assert len(devicecheck.check({"lib/a.py": text}, lambda path: False)) == 1
    assert (
        devicecheck.check(
            {"lib/a.py": "x = 1\ny = f'{x:>{x}}'\nasync def f(): await x\n"}, lambda path: False
        )
        == []
    )


def test_a_large_module_is_named():
    assert one("#" * 11_998 + "\n") == []
    assert one("#" * 11_999 + "\n") == [
        "code.py:1: 12000 bytes: a module of the board has less than 12000; divide it"
    ]
