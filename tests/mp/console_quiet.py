"""On MicroPython, with the heap locked: a console with nothing to say allocates nothing, read or not; and what it
says comes out right there too."""

import gc
import sys

sys.path.insert(0, ".")
sys.path.append("tests")

import micropython
from mp_checks import check, finish

from hardware.console import Console
from hardware.keys import Answers, Keys


class Host:
    def __init__(self):
        self.connected = True
        self.in_waiting = 0
        self.out_waiting = 0
        self.room = 1000
        self.read = bytearray()

    def write(self, data):
        count = min(self.room, len(data))
        self.room -= count
        self.read.extend(data[:count])
        return count

    def readinto(self, data):
        self.in_waiting -= 1
        data[0] = 65
        return 1


def idle(console):
    for _ in range(1000):
        console.tick()
        answers.tick()
        if keys.line() is not None:
            return False
    return True


def locked(console):
    gc.collect()
    micropython.heap_lock()
    try:
        return idle(console)
    except MemoryError:
        return False
    finally:
        micropython.heap_unlock()


host = Host()
console = Console(host, 256)
keys = Keys(console)
answers = Answers(console)
console.tick()
check("nothing to say", locked(console))
for i in range(30):
    console.write("line %d" % i)
    console.write(" of thirty\n")
console.tick()
check("all of it came out", bytes(host.read).decode().split("\n")[29] == "line 29 of thirty")
host.room = 0
for i in range(30):
    console.write("nobody reads line %d\n" % i)
host.connected = False
check("the host has gone", locked(console))
host.connected = True
host.room = 1000
host.read = bytearray()
console.tick()
console.write("again\n")
console.tick()
check("another one has come", bytes(host.read) == b"again\n")
answers.say(lambda write: [write("line %d\n" % i) for i in range(60)])
host.room = 20
host.read = bytearray()
answers.tick()
check("an answer waits for the host", 10 < len(host.read) <= 20)
host.room = 1000
console.tick()
answers.tick()
check("and goes on", bytes(host.read).endswith(b"\nline 59\n"))
host.in_waiting = 3
check("keys are read", [keys.key() for _ in range(4)] == [65, 65, 65, -1])

finish()
