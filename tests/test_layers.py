"""Imports go one way. (What CircuitPython takes is tested by test_devicecheck.py.)"""

import ast
import glob
import importlib
import os

import pytest
from conftest import ROOT

ALLOWED = {
    "engine": {"engine", "gc", "json", "micropython", "os", "sys"},
    "table": {"binascii", "engine", "table"},
    "hardware": {
        "analogio",
        "binascii",
        "board",
        "busio",
        "digitalio",
        "hardware",
        "microcontroller",
        "neopixel",
        "neopixel_write",
        "os",
        "pwmio",
        "supervisor",
        "time",
        "touchio",
        "traceback",
        "usb_cdc",
        "watchdog",
    },
}
# The line protocol is for programs that talk to the engine, not for the board: nothing else reads or writes.
IO = {
    "gc": {"engine/__main__.py"},
    "json": {"engine/session.py"},
    "micropython": {"engine/__main__.py"},
    "os": {"engine/__init__.py", "hardware/mishap.py"},
    "sys": {"engine/__main__.py"},
}
FILES = [f for folder in ALLOWED for f in glob.glob(os.path.join(ROOT, folder, "**", "*.py"), recursive=True)]
NAMES = [os.path.relpath(f, ROOT).replace(os.sep, "/") for f in FILES]


def tree(name):
    with open(os.path.join(ROOT, name)) as file:
        return ast.parse(file.read())


def imports(name):
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


@pytest.mark.parametrize("name", NAMES)
def test_imports_go_one_way(name):
    for module in imports(name):
        assert module in ALLOWED[name.split("/")[0]], module
        assert name in IO.get(module, {name}), module


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(("engine/", "table/"))])
def test_the_engine_and_the_table_know_no_float_and_no_clock(name):
    for node in ast.walk(tree(name)):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), ast.unparse(node)
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), ast.unparse(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            forbidden = {"float", "input", "open", "print", "eval", "exec"}
            if name == "engine/__init__.py":
                forbidden.discard("open")  # its own folder: which games there are
            assert node.func.id not in forbidden, node.func.id


def test_constants_said_once_more_are_the_same():
    """`const` in engine/state.py says why a module may have its own line for a number of another one."""
    known = importlib.import_module("engine.state")
    said = 0
    for name in NAMES:
        if name.startswith("engine/"):
            for node in ast.walk(tree(name)):
                if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("const("):
                    key = node.targets[0].id
                    if key[0] == "_":
                        assert getattr(known, key[1:]) == node.value.args[0].value, (name, key)
                        said += 1
    assert said > 10


@pytest.mark.parametrize("name", [*NAMES, "boot.py", "code.py", "safemode.py"])
def test_nothing_writes_to_the_drive(name):
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "open":
            mode = [ast.literal_eval(argument) for argument in node.args[1:]]
            assert mode in ([], ["rb"], ["r"]), ast.unparse(node)
            assert not node.keywords, ast.unparse(node)
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in {"os.remove", "os.rename", "os.mkdir", "os.rmdir"}, name
