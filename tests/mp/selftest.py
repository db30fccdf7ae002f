"""On MicroPython: the self-test from its first colour to the LED map, with what is typed and taken back."""

import sys

sys.path.insert(0, ".")
sys.path.append("tests")

from mp_checks import check, finish

from hardware.selftest import SelfTest


class Board:
    """Strip, pads and console of a board whose strip runs backwards."""

    connected = True

    def __init__(self):
        self.n = 24
        self.now = 0x1FFFFFFF - 3000
        self.text = ""
        self.stream = self
        self.typed = b""
        self.data = b""
        self.test = SelfTest(self, bytes(range(self.n)), "GRBW", 66, self, self)

    def write(self, data):
        if isinstance(data, str):
            self.text += data
        else:
            self.data = bytes(data)

    @property
    def in_waiting(self):
        return len(self.typed)

    def readinto(self, buffer):
        buffer[0] = self.typed[0]
        self.typed = self.typed[1:]
        return 1

    def raw(self, pad):
        if pad == 3:
            raise OSError("gone")
        return None if pad == 4 else 200 + pad

    def baseline(self, pad):
        return 199

    def run(self, ms):
        for _ in range(ms // 20):
            self.now = (self.now + 20) & 0x1FFFFFFF
            self.test.tick(self.now)

    def type(self, text):
        self.typed += text.encode() + b"\n"
        self.run(40)

    def touch(self, pad, ms=100):
        self.test.press(pad, 100, self.now)
        self.run(ms)
        self.test.release(pad, self.now)
        self.run(20)


board = Board()
board.test.out_of_order(3, True)
board.run(500)
check("all red: the second of G, R, B, W", board.data[:4] == bytes((0, 66, 0, 0)))
board.run(20_000)
check("each LED with its hole", "pixel 23: hole 23" in board.text)
check("a pad that cannot be read", "pad 3 cannot be read" in board.text)
check(
    "the table",
    "\npad     0    1    2    3    4    5 \nraw   200  201  202    -    -  205 \nbase  199 " in board.text,
)
for line in ("x", "m", "99", "s"):
    board.type(line)
check("a wrong key is told what is right", "x: allowed are l, p, m, q" in board.text)
check("a wrong hole, too", "99: allowed are a hole from 0 to 23, s, u, l, p, m, q" in board.text)
board.touch(22)
board.touch(22)
check("a hole twice", "hole 22 is pixel 1's already" in board.text)
board.touch(5)
board.touch(5, 1200)
board.type("21")
for pixel in range(3, 24):
    board.touch(23 - pixel)
check("the map", 'GEBETA_LED_ORDER = "' + ",".join([str(23 - i) for i in range(24)]) + '"' in board.text)
for pad in (0, 1):
    board.test.press(pad, 100, board.now)
board.run(2100)
check("out", board.test.done)

finish()
