"""One day at the board on MicroPython, with just so much of CircuitPython as boot.py and code.py ask for.

    micropython -X heapsize=306k tools/soak_board/pico.py BOARD SEED SECONDS

The settings are in the environment. Prints `now SECONDS` by the way, and at the end a line that begins with `held`, or
what did not hold. The clock is virtual: pads, strip, flash and the pace of `ticks_ms()` move it, and whenever it has
come far enough, the visitors do what they do next.
"""

import gc
import sys

sys.path.insert(0, ".")

from simulator import wiring
from tools.soak_board.visitors import Dice, somebody

READ_US = 400
STRIP_US = 1200
WRITE_US = 1000
ERASE_US = 50_000
PLAY_US = 25_000
WAIT_US = 200_000
REST_US = 2_000_000
BITES_US = 8_000_000  # the watchdog
FIRST_WRAP_MS = 65_000
LOADED_MS = 8_000
SILENT_MS = 240_000  # leads to attract, be pads stuck or wet as they may
DRY_US = 40_000_000
OPEN_S = 8 * 3600
DAY_US = 24 * 3600 * 1_000_000
# Bytes that may be free the less in the second half of the day: what is loaded for a race or a deal differs.
GROWTH = 4_000


class PowerCut(BaseException):
    """None of these is an Exception, which code.py would take for its own."""


class Reset(BaseException):
    pass


class Wrong(BaseException):
    pass


class Over(BaseException):
    pass


class Thing:
    """A module, or an object in one."""

    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])


class Nvm:
    """The flash. `doom` cuts the power in the middle of the next "write" or "erase"."""

    def __init__(self, pico):
        self.data = bytearray(b"\xff" * 4096)
        self.doom = None
        self.writes = self.erases = 0
        self._pico = pico

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        return self.data[key]

    def __setitem__(self, key, value):
        start, stop = key.start, key.stop
        blank = True
        for i in range(start, stop):
            blank = blank and self.data[i] == 0xFF
        self.writes += 1
        if not blank:
            if stop - start < len(self.data):
                raise Wrong("a write over what is there")
            self.erases += 1
            for i in range(len(self.data)):
                self.data[i] = 0xFF
        self._pico.us += WRITE_US if blank else ERASE_US
        if self.doom == ("write" if blank else "erase"):
            self.doom = None
            if blank:
                half = start + (stop - start) // 2
                self.data[start:half] = value[: half - start]
            self._pico.cuts += 1
            raise PowerCut
        self.data[start:stop] = value


class Pico:
    """The chip with its pads, strip, console and clock; and the visitors' hands."""

    def __init__(self, name, seed, seconds):
        self.n = wiring.holes(name)
        self.rows = wiring.ROWS[name]
        self.leds = wiring.leds(name)
        self.seconds = seconds
        self.dice = Dice(seed)
        self.nvm = Nvm(self)
        self.us = 0
        self.strip = bytearray(3 * self.n)
        self.frames = 0
        self.state = ""
        self.cuts = self.resets = self.visitors = self.silences = self.games = 0
        self.free = []  # bytes, in attract, after all had been loaded
        self._finger = [0] * self.n  # counts
        self._cloth = ()
        self._wet_us = [0] * self.n  # dry again
        self._born_us = self._asked_us = self._due_us = 0
        self._pace_us = PLAY_US
        self._cut = False
        self._fed_us = None
        self._day = self._live()

    # ---- what the shims are made of

    def read(self, pad):
        """touchio's raw_value."""
        raw = 220 + self.dice.below(5) - 2 + self._finger[pad]
        if pad in self._cloth or self.us < self._wet_us[pad]:
            raw += self.dice.below(300)
        self.us += READ_US if raw < 420 else 2 * READ_US
        return raw

    def ticks_ms(self):
        self.us = max(self.us + 10, self._asked_us + self._pace_us)
        self._asked_us = self.us
        while self.us >= self._due_us:
            self._due_us += 1000 * next(self._day)
        if self._cut:
            self._cut = False
            self.cuts += 1
            raise PowerCut
        if self._fed_us is not None and self.us - self._fed_us > BITES_US:
            raise Wrong("the watchdog was not fed")
        return ((self.us - self._born_us) // 1000 - FIRST_WRAP_MS) & 0x1FFFFFFF

    def feed(self):
        self._fed_us = self.us

    def show(self, pin, data):
        self.us += STRIP_US
        self.frames += 1
        self.strip[:] = data

    def hear(self, data):
        text = bytes(data)
        at = text.rfind(b'{"state":"')
        if at >= 0:
            self.state = text[at + 10 :].split(b'"')[0].decode()
            self.games += self.state == "play"
        return len(text)

    def reset(self):
        if self.us - self._born_us < DAY_US:  # an exception for which not even traceback.py found memory
            raise Wrong("it starts again by itself")
        self.resets += 1
        raise Reset

    def broken(self, error):
        """traceback.format_exception: only hardware/mishap.py asks for it, of what nobody has caught."""
        sys.print_exception(error)
        raise Wrong("an exception")

    def switch_on(self, power):
        """The chip begins."""
        self._born_us = self.us
        self._fed_us = None
        self.strip[:] = bytes(3 * self.n)
        self.state = ""
        self.build("POWER_ON" if power else "SOFTWARE")

    def build(self, reason):
        """CircuitPython's modules."""
        pico = self

        class TouchIn:
            def __init__(self, pin, pull=None):
                self._pad = pin if pin < 23 else pin - 3  # GP0 to GP22, and GP26

            @property
            def raw_value(self):
                return pico.read(self._pad)

            def deinit(self):
                pass

        class Board:
            def __getattr__(self, name):
                if name[:2] != "GP":
                    raise AttributeError(name)
                return int(name[2:])

        def nothing(*_):
            pass

        console = Thing(connected=True, in_waiting=0, out_waiting=0, write=self.hear)
        runtime = Thing(autoreload=True, run_reason="STARTUP", serial_connected=True)
        reasons = Thing(WATCHDOG="WATCHDOG", SOFTWARE="SOFTWARE", POWER_ON="POWER_ON")
        modules = {
            "alarm": Thing(sleep_memory=bytearray(256)),
            "board": Board(),
            "digitalio": Thing(DigitalInOut=lambda pin: Thing(), Direction=Thing(OUTPUT=1), Pull=Thing(UP=1)),
            "microcontroller": Thing(
                nvm=self.nvm,
                reset=self.reset,
                cpu=Thing(reset_reason=reason),
                ResetReason=reasons,
                watchdog=Thing(feed=self.feed),
            ),
            "neopixel_write": Thing(neopixel_write=self.show),
            "storage": Thing(disable_usb_drive=nothing, remount=nothing),
            "supervisor": Thing(
                ticks_ms=self.ticks_ms,
                runtime=runtime,
                RunReason=Thing(STARTUP="STARTUP"),
                status_bar=Thing(),
                reload=self.reset,
            ),
            "touchio": Thing(TouchIn=TouchIn),
            "traceback": Thing(format_exception=self.broken),
            "usb_cdc": Thing(console=console),
            "watchdog": Thing(WatchDogMode=Thing(RESET=1)),
        }
        for name in modules:
            sys.modules[name] = modules[name]

    # ---- the visitors' hands

    def down(self, pad, strength=1):
        self._finger[pad] = int(400 * strength)

    def up(self, pad):
        self._finger[pad] = 0

    def cloth(self, pads):
        for pad in self._cloth:
            self._wet_us[pad] = self.us + DRY_US
        self._cloth = tuple(pads)

    def lit(self):
        return [hole for pixel, hole in enumerate(self.leds) if any(self.strip[3 * pixel : 3 * pixel + 3])]

    def legal(self):
        return ()

    # ---- the day

    def _live(self):
        """All that happens, as milliseconds until the next thing does."""
        dice = self.dice
        yield LOADED_MS
        while self.us < 1_000_000 * min(self.seconds, OPEN_S):
            self._pace_us = PLAY_US
            yield 2 * REST_US // 1000
            self.visitors += 1
            if dice.chance(10):
                self.nvm.doom = "write"
            elif dice.chance(20):
                self.nvm.doom = "erase"
            ends = dice.below(30_000) if dice.chance(20) else 600_000
            for ms in somebody(dice)(self, dice):
                yield ms
                ends -= ms
                if ends < 0:
                    break
            self.nvm.doom = None
            if dice.chance(5):
                self._cut = True
            for pad in range(self.n):
                self.up(pad)
            self.cloth(())
            if dice.chance(60):
                yield from self._silence()
            else:
                yield dice.below(20_000)
        yield from self._silence()
        self._pace_us = REST_US
        while self.us < 1_000_000 * self.seconds:
            yield 60_000
            if self.state != "attract":
                raise Wrong("in the night the board is in " + self.state)
            print("now", self.us // 1_000_000)
        raise Over

    def _silence(self):
        """It leads to attract, and there as much is free as ever."""
        self._pace_us = WAIT_US
        end = self.us + 1000 * SILENT_MS
        while self.state != "attract":
            if self.us > end:
                raise Wrong("silence does not lead to attract: " + self.state)
            yield 1000
        self.silences += 1
        yield LOADED_MS
        gc.collect()
        self.free.append(gc.mem_free())
        print("now", self.us // 1_000_000)

    def run(self):
        """Until the day is over."""
        power = True
        while True:
            self.switch_on(power)
            power = True
            try:
                for name in ("boot", "code"):
                    __import__(name)
                raise Wrong("code.py has ended")
            except PowerCut:
                pass
            except Reset:
                power = False
            except Over:
                return
            for name in list(sys.modules):
                if name.split(".")[0] in ("boot", "code", "engine", "hardware", "table"):
                    del sys.modules[name]
            gc.collect()


def main(words):
    pico = Pico(words[0], int(words[1]), int(words[2]))
    gc.collect()
    own = gc.mem_alloc()
    wrong = None
    try:
        pico.run()
    except Wrong as error:
        wrong = error
    half = len(pico.free) // 2
    least = [min(part) for part in (pico.free[:half], pico.free[half:]) if part]
    if not wrong and len(pico.free) >= 40 and least[1] < least[0] - GROWTH:
        wrong = "less and less memory is free: %s" % pico.free
    for name in ("visitors", "games", "silences", "cuts", "resets", "frames"):
        print("%9d %s" % (getattr(pico, name), name))
    print("%9d writes of the flash, %d erases" % (pico.nvm.writes, pico.nvm.erases))
    print("%9d bytes of the heap are this tool's" % own)
    if len(least) == 2:
        print("%9d bytes free in attract at the least, %d in the second half of the day" % tuple(least))
    seconds = pico.us // 1_000_000
    if wrong:
        print("at %d s, in %s: %s" % (seconds, pico.state or "no state", wrong))
        return 1
    print("held: %d s on MicroPython %d.%d" % (seconds, sys.implementation[1][0], sys.implementation[1][1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
