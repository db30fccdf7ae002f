"""Runs every script of tests/mp/ under a real MicroPython; each prints 'N passed, 0 failed'."""

import glob
import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

SCRIPTS = sorted(glob.glob(os.path.join(ROOT, "tests", "mp", "*.py")))


@pytest.mark.skipif(not shutil.which("micropython"), reason="no wheel of MicroPython for this machine")
@pytest.mark.parametrize("script", SCRIPTS, ids=os.path.basename)
def test_under_micropython(script):
    command = ["micropython", "-X", "heapsize=256k", os.path.relpath(script, ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    passed = re.search(r"^(\d+) passed, 0 failed$", done.stdout, re.MULTILINE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert passed, done.stdout + done.stderr
    assert int(passed.group(1)) > 0
