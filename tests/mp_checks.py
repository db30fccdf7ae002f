"""Counts the checks of a script in tests/mp/, which runs where there is no pytest."""

import gc
import sys

import micropython

counts = [0, 0]  # passed, failed
locks = [0]  # 1 while `locked` runs


def check(name, ok):
    counts[0 if ok else 1] += 1
    if not ok:
        print("FAILED:", name)


def locked(function, value):
    """Whether `function(value)` goes through with the heap locked: it allocates nothing. (One argument: a call with
    `*values` would allocate.)"""
    gc.collect()
    locks[0] = 1
    micropython.heap_lock()
    try:
        function(value)
        return True
    except MemoryError:
        return False
    finally:
        micropython.heap_unlock()
        locks[0] = 0


def unlocked(function):
    """`function` of one argument or two, with the heap unlocked as long as it runs."""

    def call(value, other=None):
        was = locks[0]
        if was:
            micropython.heap_unlock()
            locks[0] = 0
        answer = function(value) if other is None else function(value, other)
        if was:
            locks[0] = 1
            micropython.heap_lock()
        return answer

    return call


def finish():
    """Say how it went, in the words that tests/test_micropython.py looks for, and end the script."""
    print("%d passed, %d failed" % (counts[0], counts[1]))
    sys.exit(1 if counts[1] else 0)
