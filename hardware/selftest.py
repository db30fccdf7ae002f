"""The self-test of a board: shows a wrong colour order, dead LEDs, dead pads and a wrong LED map at a glance, and
writes a right map. Imported only when it is asked for.

Its parts, each as long as one likes (`LEDS` goes on by itself):

LEDS   all LEDs red, green, blue (and white); then each in turn, with its number and its hole on the console
PADS   a touched pad lights its hole, and leaves it green; one that cannot be read is magenta; a table of readings
MAP    an LED lights: touch its hole. At the end the console has the line for settings.toml

Two pads held for 2 s, or Enter on the console: on to the next part, and at the end out. Unless a setting has asked for
it, it ends by itself when nobody has touched a pad or typed a line for two minutes.
"""

from hardware.keys import Keys
from hardware.ledmap import LedMap
from hardware.lights import CHANNEL_MA, IDLE_MA

MASK = 0x1FFFFFFF  # milliseconds wrap here

COLOR_MS = 1000  # all LEDs in one colour
LED_MS = 500  # one LED in its turn
HOLD_MS = 2000  # two pads: on to the next part
BACK_MS = 1000  # MAP: one pad takes the last answer back
SKIP_MS = 20_000  # MAP: an LED whose hole nobody touches is asked again at the end, and then guessed
WRONG_MS = 600  # MAP: red for a hole that has its LED already
TABLE_MS = 500
IDLE_MS = 120_000  # nobody is there any more
ACROSS = 6  # pads in a row of the table

LEDS, PADS, MAP = range(3)
COLORS = (("red", "R"), ("green", "G"), ("blue", "B"), ("white", "W"))
HELP = "Enter, or two pads held for 2 s: go on.  l LEDs, p pads, m LED map, q leave (each with Enter)"
MAP_HELP = "Touch the hole that lights, or type its number.  s skip it, u (or one pad held for 1 s) one back"


def top_level(leds, brightness, current_ma):
    """How bright all of so many LEDs may be lit in three channels at once within the current."""
    return max(1, min(brightness, (current_ma - IDLE_MA * leds) * 255 // (3 * CHANNEL_MA * leds)))


class SelfTest:
    """`output.write(bytes)` sends to the strip, whose pixel i is to light hole `order[i]`; `colors` is the order of
    a pixel's bytes, `level` (1..255) how bright. `pads` is asked for readings, and reports to this object. `ends`:
    it ends when nobody is there.
    """

    def __init__(self, output, order, colors, level, pads, console, complaints=(), ends=False):
        self.done = False
        self._ends = ends
        self._idle = 0  # ms without a touch or a line
        self.order = list(order)
        self._output = output
        self._pads = pads
        self._console = console
        self._keys = Keys(console)
        self._colors = colors
        self._n = len(order)
        self._level = level
        self._complaints = complaints
        self._data = bytearray(self._n * len(colors))
        self._sent = bytearray(1)
        self._then = None
        self._heard = False
        self._down = bytearray(self._n)
        self._count = 0  # pads down
        self._held = 0  # ms for which just these have been down
        self._used = False  # they have done what they do, until all are up
        self._seen = bytearray(self._n)  # pads that have been touched
        self._dead = bytearray(self._n)
        self._mapped = False  # the map has been made
        self._go(LEDS)

    # ---- what the pads report

    def press(self, pad, strength, now):
        self._down[pad] = self._seen[pad] = 1
        self._count += 1
        self._held = 0
        if self._count > 1 and self._part == MAP:
            self._single = False

    def release(self, pad, now):
        if not self._down[pad]:
            return
        self._down[pad] = 0
        self._count -= 1
        if self._part == MAP and not self._count:
            if self._single and not self._used:
                self._back() if self._held >= BACK_MS else self._answer(pad)
            self._single = True
        self._held = 0
        if not self._count:
            self._used = False

    def out_of_order(self, pad, yes):
        self._dead[pad] = yes
        if self._heard:
            self._say("pad %d %s" % (pad, "cannot be read" if yes else "can be read again"))

    # ---- time

    def tick(self, now):
        passed = 0 if self._then is None else (now - self._then) & MASK
        self._then = now
        self._age += passed
        self._held += passed
        self._idle = 0 if self._count else self._idle + passed
        if self._ends and self._idle >= IDLE_MS:
            self.done = True
        if self._console.connected != self._heard:
            self._heard = self._console.connected
            for line in self._complaints:
                self._say(line)
            self._say("self-test: %d LEDs (%s). %s" % (self._n, self._colors, HELP))
            for pad in range(self._n):
                if self._dead[pad]:
                    self.out_of_order(pad, True)
            self._announce()
        self._listen()
        if self._count == 2 and self._held >= HOLD_MS and not self._used:
            self._used = True
            self._next()
        self._data[:] = bytes(len(self._data))
        (self._draw_leds, self._draw_pads, self._draw_map)[self._part]()
        if self._data != self._sent:
            self._sent = bytearray(self._data)
            self._output.write(self._data)

    def _listen(self):
        text = self._keys.line()
        if text is None:
            return
        self._idle = 0
        text = text.strip().lower()
        if not text:
            self._next()
        elif text in ("l", "p", "m"):
            self._go((LEDS, PADS, MAP)["lpm".index(text)])
        elif text == "q":
            self.done = True
        elif self._part == MAP and text == "u":
            self._back()
        elif self._part == MAP and text == "s":
            self._map.skip()
            self._asked()
        elif self._part == MAP and text.isdigit() and int(text) < self._n:
            self._answer(int(text))
        else:
            holes = "a hole from 0 to %d, s, u, " % (self._n - 1) if self._part == MAP else ""
            self._say("%s: allowed are %sl, p, m, q" % (text, holes))

    def _go(self, part):
        self._part = part
        self._age = 0
        self._turn = -1  # what of LEDS is being shown
        self._table = 0  # lines of the table that stand above
        if part == MAP:
            self._single = True
            self._wrong = 0  # red until then
            self._map = LedMap(self.order, self._say)
        if part == PADS:
            self._seen[:] = bytes(self._n)
        self._announce()

    def _next(self):
        if self._part == MAP or (self._part == PADS and self._mapped):
            self.done = True
        else:
            self._go(self._part + 1)

    def _announce(self):
        """Say where one is."""
        self._table = 0
        if self._part == PADS:
            self._say("The pads: each lights its hole, and leaves it green. * touched now, + touched before")
        elif self._part == MAP:
            self._say("The LED map. " + MAP_HELP)
            self._map.ask()

    def _say(self, line):
        self._console.write(line)
        self._console.write("\n")
        self._table = 0

    def _light(self, pixel, color, level):
        """Lets a pixel shine in the letters of `color`."""
        at = pixel * len(self._colors)
        for i in range(len(self._colors)):
            if self._colors[i] in color:
                self._data[at + i] = level

    # ---- LEDS

    def _draw_leds(self):
        colors = len(self._colors)
        turn = self._age // COLOR_MS
        if turn < colors:
            name, color = COLORS[turn]
            for pixel in range(self._n):
                self._light(pixel, color, self._level)
            line = "all LEDs %s" % name
        else:
            pixel = (self._age - colors * COLOR_MS) // LED_MS
            if pixel >= self._n:
                self._next()
                return
            turn = colors + pixel
            self._light(pixel, "RGB", self._level)
            line = "pixel %d: hole %d" % (pixel, self.order[pixel])
        if turn != self._turn:
            self._turn = turn
            self._say(line)

    # ---- PADS

    def _draw_pads(self):
        for pixel in range(self._n):
            pad = self.order[pixel]
            if self._down[pad]:
                self._light(pixel, "RGB", self._level)
            elif self._dead[pad]:
                self._light(pixel, "RB", self._level)
            elif self._seen[pad]:
                self._light(pixel, "G", self._level // 4 or 1)
        if self._console.connected and self._age >= TABLE_MS:
            self._age = 0
            self._readings()

    def _readings(self):
        """The table, over the one before where nothing has been said since."""
        write = self._console.write
        if self._table:
            write("\x1b[%dA" % self._table)
        for first in range(0, self._n, ACROSS):
            line = "pad  "
            raws = "raw  "
            bases = "base "
            for pad in range(first, first + ACROSS):
                mark = "*" if self._down[pad] else "+" if self._seen[pad] else " "
                line += "%4d%s" % (pad, mark)
                raws += "%4s " % self._raw(pad)
                bases += "%4s " % self._pads.baseline(pad)
            write(line + "\n")
            write(raws + "\n")
            write(bases + "\n")
        self._table = self._n // ACROSS * 3

    def _raw(self, pad):
        """A reading, or "-" where there is none."""
        try:
            raw = self._pads.raw(pad)
        except (ValueError, OSError, RuntimeError):
            raw = None
        return "-" if raw is None else raw

    # ---- MAP

    def _draw_map(self):
        if self._wrong and self._age >= self._wrong:
            self._wrong = 0
        for pixel in range(self._n):
            if self._map.holes[pixel] is not None:
                self._light(pixel, "G", self._level // 8 or 1)
        self._light(self._map.pixel, "R" if self._wrong else "RGB", self._level)
        if self._map.answers and self._age >= SKIP_MS and not self._count:
            self._map.skip()
            self._asked()

    def _answer(self, hole):
        if self._map.answer(hole):
            self._asked()
        else:
            self._wrong = self._age + WRONG_MS

    def _back(self):
        self._map.back()
        self._asked()

    def _asked(self):
        """Another pixel lights, or all are known."""
        self._age = self._wrong = 0
        if self._map.done:
            self._mapped = True
            self._go(PADS)


def run(output, settings, pads, console, ticks_ms, complaints, alive, ends=False):
    """The self-test in a loop of its own, until somebody ends it, or if it `ends`, nobody is there. `settings` has
    `led_order`, `led_colors`, `brightness` and `current_ma`; each who connects hears the `complaints`, a list of lines.
    `alive()` is called in each pass."""
    order = settings.led_order
    level = top_level(len(order), settings.brightness, settings.current_ma)
    test = SelfTest(output, order, settings.led_colors, level, pads, console, complaints, ends)
    while not test.done:
        alive()
        now = ticks_ms()
        pads.scan(now, test)
        console.tick()
        test.tick(now)
    console.tick()
