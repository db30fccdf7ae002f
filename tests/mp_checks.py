"""Counts the checks of a script in tests/mp/, which runs where there is no pytest."""

import sys

counts = [0, 0]  # passed, failed


def check(name, ok):
    counts[0 if ok else 1] += 1
    if not ok:
        print("FAILED:", name)


def finish():
    """Say how it went, in the words that tests/test_micropython.py looks for, and end the script."""
    print("%d passed, %d failed" % (counts[0], counts[1]))
    sys.exit(1 if counts[1] else 0)
