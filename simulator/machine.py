"""A Raspberry Pi Pico that runs the repository's code.py, unmodified, under CPython and Adafruit Blinka.

In a test, on a clock of its own, so that nothing waits and every run is the same:

    from simulator.machine import Machine

    with Machine(settings={"GEBETA_BOARD": "3x6"}, virtual=True) as m:
        m.run(500)                   # half a second of the board's time; an error in code.py raises here
        m.touch(0); m.run(120)       # a finger comes down on the first pad ...
        m.touch(0, False); m.run(50) # ... and goes; or in one: m.tap(0)
        m.rgb()                      # [(r, g, b), ...]: what shines now, in pixel order
        m.frames                     # [(t_us, bytes as sent to the strip), ...]
    m.notes                      # [(t_us, Hz, duty cycle of 65536), ...]: each change of the piezo; silence has 0 Hz
        m.console                    # all that it has printed
        m.power(False); m.power(True)  # a power cut, right where it stands; nvm is kept

In real time (`Machine()`, then `power(True)`) code.py runs in a thread of its own until `power(False)` or
`close()`; `touch` and `rgb` may be called from any thread. `speed=4` lets the board's time run four times
as fast.

**Time.** The board's time is what the work takes on the chip: a pad reading 0.4 ms (0.8 ms touched), a byte
on the I2C bus 22 us, a strip 1.2 ms, an nvm write 1 or 50 ms. Nothing else moves its clock. In real time the
machine waits until the computer's clock has come as far, in naps of 2 ms or more, which also keeps code.py
from burning a core.
On a computer too slow for that (or for the `speed` asked for) the board lives more slowly; it never skips.

**Modules.** Each power-up imports the program afresh. `sys.modules`, `sys.path` and the standard streams
are changed only while the program runs: in virtual time during `run`, so that a test may import `engine`
for itself; in real time as long as power is on (therefore one powered real-time machine a process).
"""

from __future__ import annotations

import codecs
import importlib
import json
import math
import random
import sys
import threading
import time
import tomllib
import traceback
from collections import deque
from pathlib import Path

from simulator import i2c, shims

HERE = Path(__file__).resolve().parent

# Microseconds of the chip's time (measured on CircuitPython 10 on an RP2040).
READ_IDLE_US = 400
READ_TOUCHED_US = 800
READ_OPEN_US = 14_000  # the count goes on until touchio gives up, at
OPEN_RAW = 10_000
STRIP_US = 1200
TICKS_US = 10  # asking for the time: lets a loop that only watches the clock come to its end

CONSOLE_FIFO = 256  # bytes that the chip keeps for a host which does not read them

TICKS_PERIOD = 1 << 29
TICKS_TO_FIRST_WRAP = 65_000  # CircuitPython starts its tick counter this far before the wrap

# The pins of a Pico that can be reached, in order: 26 of them. GP23-25 stay on the module.
PINS = (*range(23), 26, 27, 28)

DRY_US = 40_000_000  # so long after the wet cloth has gone a pad is dry again
RESTLESS = 0.3  # how far a reading under water may wander from the one before, of a whole finger
SLEEP_MEMORY = 256  # bytes

_PATIENCE_S = 60
_LAG_US = 50_000
_NAP_US = 2000  # shorter sleeps are less exact than this and cost more than they are worth


class PowerCut(BaseException):
    """Raised inside code.py when the power goes. A BaseException, so that no `except Exception` outlives
    it."""


class Reset(BaseException):
    """Raised inside code.py by microcontroller.reset() and the watchdog."""


class Reload(Reset):
    """Raised by supervisor.reload(): code.py begins anew, and nothing else does."""


class Crash(Reset):
    """A fault of CircuitPython, or a brown-out: what begins is safe mode."""


# What runs then.
PROGRAMS = {Reset: ("boot.py", "code.py"), Reload: ("code.py",), Crash: ("safemode.py",)}


class ProgramError(Exception):
    """code.py ended by an exception; the message is the traceback that the console shows."""


class Pad:
    """One capacitive pad with its resistor, as touchio sees it. Tests may change any of these at any time.

    idle, touched: raw readings; noise: how far a reading strays; strength: 0 not touched, 1 a whole
    finger, in between a sleeve or the edge of one; fault: None, "open" (no resistor: TouchIn refuses it, and
    one that was made before reads 10,000; on an MPR121 a wire that touches ground: it reads 0), "stuck" (reads
    as touched for ever), "dead" (a torn wire: reads as idle for ever) or "wet" (half way up, restless).
    wet_until_us: when it is dry again after a wet cloth (Machine.lay_cloth), inf while that lies on it.
    """

    FAULTS = (None, "open", "stuck", "dead", "wet")

    def __init__(self, idle=220, touched=620, noise=2.0):
        self.idle = idle
        self.touched = touched
        self.noise = noise
        self.strength = 0.0
        self.fault = None
        self.wet_until_us = 0
        self._water = 0.0  # how much of a finger the water is just now

    def raw(self, rng, now_us=0):
        """One reading."""
        strength, noise = self.strength, self.noise
        if now_us < self.wet_until_us:
            self._water = min(0.9, max(0.0, self._water + (rng.random() - 0.5) * RESTLESS))
            strength = max(strength, self._water * min(1.0, (self.wet_until_us - now_us) / DRY_US))
        if self.fault == "stuck":
            strength = 1.0
        elif self.fault == "dead":
            strength = 0.0
        elif self.fault == "wet":
            strength, noise = max(strength, 0.5), noise * 20
        value = self.idle + strength * (self.touched - self.idle) + (rng.random() * 2 - 1) * noise
        return max(0, round(value))


class Machine:
    """See the module's docstring.

    program:  folder with code.py (and boot.py, settings.toml, lib/), by default the repository
    settings: {key: value} laid over settings.toml; None as a value takes a key away
    virtual:  the clock that only work moves
    seed:     for pad noise, `random` and os.urandom; a virtual machine has one (0), a real one if asked
    order:    the order of the strip's colour bytes on the wire
    pull:     which way the pads' resistors go, "down" (Pico) or "up" (Pico 2)
    speed:    how much faster than real time a real-time machine lives
    power:    False: a virtual machine starts switched off, to break a pad or touch one first;
              a real-time machine always does
    nvm:      the bytes in flash, to begin with
    mishaps:  True: code.py may begin again after an exception of its own, as on the board; else run() raises it

    For long stretches of virtual time: `pace_us`, 0 or the shortest time from one `ticks_ms()` to the next, as if each
    pass of the program's loop took so long; `forget()` drops frames, notes and console; `stop_in` lets `run` end in the
    middle of the next "write" or "erase" of the flash (then `nvm.busy` says so), so that the power can be cut there.
    """

    def __init__(
        self,
        program=None,
        settings=None,
        virtual=False,
        seed=None,
        order="GRB",
        pull="down",
        speed=1.0,
        power=True,
        nvm=None,
        mishaps=False,
    ):
        self.program = Path(program or HERE.parent).resolve()
        if not (self.program / "code.py").is_file():
            raise FileNotFoundError(f"no code.py in {self.program}")
        if sorted(order) not in (sorted("RGB"), sorted("RGBW")):
            raise ValueError(f"order {order!r} is no order of RGB or RGBW")
        if not speed > 0:
            raise ValueError(f"speed {speed!r} is not above 0")
        self.settings = dict(settings or {})
        self.virtual = virtual
        self.seed = 0 if virtual and seed is None else seed
        self.order = order
        self.pull = pull
        self.speed = speed
        self.rng = random.Random(self.seed)
        self.pads = {pin: Pad() for pin in PINS}
        # The same pads on MPR121 chips, for a program that looks for them there: 12 on each, in order.
        pads = list(self.pads.values())
        first, second = i2c.ELECTRODES, 2 * i2c.ELECTRODES
        self.chips = [i2c.Chip(pads[:first], self.rng), i2c.Chip(pads[first:second], self.rng)]
        self.bus = i2c.Bus(self, dict(zip((0x5A, 0x5B), self.chips, strict=True)))
        self.levels = {}  # digital inputs: {GP number: bool}
        self.outputs = {}  # digital outputs, likewise
        self.supply_mv = 4700  # what the board is fed with: USB, less the drop of a diode
        self.nvm = shims.Nvm(self, nvm)
        self.serial_connected = True
        self._reads = True
        self._unread = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.drive = {"readonly": True, "usb": True}  # what storage.remount and friends asked for
        self.frames = [] if virtual else deque(maxlen=20_000)
        self.frame_count = 0
        self.notes = [] if virtual else deque(maxlen=2000)
        self.note_count = 0
        self.powered = False
        self.resets = 0
        self.error = None  # the traceback that ended code.py, or None
        self.mishap = None  # the traceback after which it began again last, or None
        self._mishaps = mishaps
        self.safe_mode = False  # whether it has come to stay in it
        self.sleep_memory = bytearray(SLEEP_MEMORY)  # alarm's: outlives resets, but no power cut
        self.autoreload = True
        self.run_reason = "STARTUP"
        self.watchdog_due_us = None
        self.pace_us = 0
        self.stop_in = None
        self._asked_us = 0
        self.pins_in_use = set()
        self._console = deque()
        self._console_len = 0
        self.console_count = 0  # characters ever printed
        self.greeting = ""  # the first of them since power-up, which are kept
        self._typed = deque()
        self._last = b""
        self._hum = (0, 0)
        self._hum_lock = threading.Lock()
        self._us = 0
        self._born_us = 0
        self._real_start = None
        self._limit = 0
        self._cut = False
        self._crashed = False
        self._thread = None
        self._resume = threading.Semaphore(0)
        self._paused = threading.Semaphore(0)
        self._modules = {}
        self._swapped = None
        self._lock = threading.RLock()
        self._toml = self._read_toml()
        if virtual and power:
            self.power(True)

    # ---- power -------------------------------------------------------------------------------------------

    def power(self, on):
        """Switches the power. Off is a cut: code.py is stopped wherever it stands. Fingers stay where they
        are."""
        with self._lock:
            if on == self.powered:
                return
            self._power_up() if on else self._power_down()

    def _power_up(self):
        shims.load_blinka()
        self.powered = True
        self._cut = False
        self._crashed = False
        self.error = self.mishap = None
        self.reset_reason = "POWER_ON"
        self.sleep_memory[:] = bytes(SLEEP_MEMORY)
        self.nvm.busy = None
        self._thread = threading.Thread(target=self._main, name="code.py", daemon=True)
        if not self.virtual:
            self._real_start = time.perf_counter() - self._us / 1e6 / self.speed
            self._swap_in()
        self._thread.start()

    def _power_down(self):
        self._cut = True
        self.powered = False
        if self.virtual:
            self._swap_in()
            try:
                self._resume.release()
                self._thread.join(10)
            finally:
                self._swap_out()
        else:
            self._thread.join(10)
            self._swap_out()
        if self._thread.is_alive():
            raise RuntimeError("code.py does not stop: it catches BaseException, or touches no hardware")
        self._thread = None
        self._modules = {}
        self._last = b""  # the LEDs have lost their supply too
        self.hum(0, 0)

    def crash(self):
        """CircuitPython itself fails: safemode.py is what runs next, and code.py only if that says so."""
        self._crashed = True

    def close(self):
        """Switches off for good. Also done by `with`."""
        self.power(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- time --------------------------------------------------------------------------------------------

    @property
    def t_us(self):
        """Microseconds of the board's time since the machine was made, power cuts included."""
        return self._us

    def run(self, ms):
        """Lets `ms` milliseconds of virtual time pass. Raises ProgramError when code.py has died of an
        exception, or begun again after one."""
        if not self.virtual:
            raise RuntimeError("run() is for virtual time; a real-time machine runs by itself")
        self._limit = self._us + round(ms * 1000)
        if not self.powered:
            self._us = self._limit
            return
        if self._thread.is_alive():
            self._swap_in()
            try:
                self._resume.release()
                if not self._paused.acquire(timeout=_PATIENCE_S):
                    raise RuntimeError(f"code.py has not touched the hardware for {_PATIENCE_S} s")
            finally:
                self._swap_out()
        if self.error:
            raise ProgramError(self.error)
        if self.mishap and not self._mishaps:
            raise ProgramError(self.mishap)

    def run_until(self, true, ms=20_000, step=10):
        """Runs in steps until `true()` holds; AssertionError when it does not within `ms`."""
        end = self._us + ms * 1000
        while not true():
            if self._us >= end:
                raise AssertionError(f"still not so after {ms} ms of the board's time: {true}")
            self.run(step)

    def ticks_ms(self):
        """supervisor.ticks_ms(): wraps at 2**29, the first time 65 s after power-up."""
        self.spend(max(TICKS_US, self._asked_us + self.pace_us - self._us))
        self._asked_us = self._us
        return ((self._us - self._born_us) // 1000 - TICKS_TO_FIRST_WRAP) % TICKS_PERIOD

    def since_power_up_ns(self):
        """time.monotonic_ns()."""
        self.spend(TICKS_US)
        return (self._us - self._born_us) * 1000

    def _ahead_us(self):
        """How far the board's clock is ahead of the computer's. What was lost is not made up for."""
        ahead = self._us - int((time.perf_counter() - self._real_start) * 1e6 * self.speed)
        if ahead < -_LAG_US * self.speed:
            self._real_start = time.perf_counter() - self._us / 1e6 / self.speed
        return ahead

    def spend(self, us):
        """The chip works for so long. Every shim that touches hardware comes through here, in code.py's
        thread; power cuts, the watchdog and the end of a `run` happen here and nowhere else."""
        if self._cut:
            raise PowerCut
        if self.virtual:
            end = self._us + us
            while end >= self._limit:
                self._us = self._limit
                self._hand_over()
            self._us = end
        else:
            self._us += us
            while (ahead := self._ahead_us()) > _NAP_US * self.speed and not self._cut:
                # In pieces, so that a long sleep notices the cut.
                time.sleep(min(ahead / 1e6 / self.speed, 0.05))
        if self._cut:
            raise PowerCut
        if self._crashed:
            self._crashed = False
            self.reset_reason = "SOFTWARE"
            raise Crash
        if self.watchdog_due_us is not None and self._us > self.watchdog_due_us:
            self.reset_reason = "WATCHDOG"
            raise Reset

    def spend_in_flash(self, what, us):
        """Likewise, for a "write" or an "erase"."""
        if self.stop_in == what:
            self.stop_in = None
            self.nvm.busy = what
            self.spend(self.rng.randrange(us))
            self._limit = self._us
        self.spend(us)
        self.nvm.busy = None

    def _hand_over(self):
        self._paused.release()
        self._resume.acquire()
        if self._cut:
            raise PowerCut

    # ---- fingers and pads --------------------------------------------------------------------------------

    def pin(self, pad):
        """The GP number of a pad: a number counts the pads (0 is GP0, 22 is GP22, 23 is GP26, ...), "GP26"
        is a pin."""
        if isinstance(pad, str) and pad.startswith("GP") and pad[2:].isdigit() and int(pad[2:]) in self.pads:
            return int(pad[2:])
        if isinstance(pad, int) and 0 <= pad < len(PINS):
            return PINS[pad]
        raise ValueError(f"no pad {pad!r}: 0 to {len(PINS) - 1}, or GP0 to GP28")

    def pad(self, pad):
        """The Pad, to be changed: `m.pad(3).idle = 260`."""
        return self.pads[self.pin(pad)]

    def touch(self, pad, down=True, strength=1.0):
        """A finger comes down (and stays), or goes."""
        self.pad(pad).strength = float(strength) if down else 0.0

    def tap(self, pad, ms=120, after=60):
        """In virtual time: a finger comes down for `ms` and goes; `after` ms more let the release be
        seen."""
        self.touch(pad)
        self.run(ms)
        self.touch(pad, False)
        self.run(after)

    def break_pad(self, pad, fault="open"):
        """Gives a pad one of Pad.FAULTS; None mends it."""
        if fault not in Pad.FAULTS:
            raise ValueError(f"no fault {fault!r}: {Pad.FAULTS}")
        self.pad(pad).fault = fault

    def lay_cloth(self, *pads):
        """A wet cloth lies on these pads from now on; it has left all others, which dry in DRY_US. Without pads:
        it has been taken away."""
        under = {id(self.pad(pad)) for pad in pads}
        for pad in self.pads.values():
            if id(pad) in under:
                pad.wet_until_us = math.inf
            elif pad.wet_until_us == math.inf:
                pad.wet_until_us = self._us + DRY_US

    def is_wet(self, pad):
        """Whether the cloth lies there, or has lain there lately."""
        return self._us < self.pad(pad).wet_until_us

    def level(self, number, pulled):
        """What a digital input sees."""
        level = self.bus.level(number, pulled)
        return self.levels.get(number, pulled if level is None else level)

    def read_pad(self, number):
        """touchio's raw_value."""
        pad = self.pads[number]
        if pad.fault == "open":
            self.spend(READ_OPEN_US)
            return OPEN_RAW
        raw = pad.raw(self.rng, self._us)
        self.spend(READ_TOUCHED_US if raw > (pad.idle + pad.touched) / 2 else READ_IDLE_US)
        return raw

    def forget(self):
        """Frames, notes and console until now: a long run would only heap them up."""
        self.frames.clear()
        self.notes.clear()
        self._console.clear()
        self._console_len = 0

    # ---- light -------------------------------------------------------------------------------------------

    def write_strip(self, data):
        """The strip's bytes, as neopixel_write got them."""
        self.spend(STRIP_US)
        self._last = bytes(data)
        self.frames.append((self._us, self._last))
        self.frame_count += 1

    def decode(self, data):
        """Wire bytes as [(r, g, b), ...] in pixel order. The white of an RGBW strip shines in all three."""
        n = len(self.order)
        r, g, b, w = (self.order.find(c) for c in "RGBW")
        out = []
        for i in range(0, len(data) - n + 1, n):
            white = data[i + w] if w >= 0 else 0
            out.append(tuple(min(255, data[i + c] + white) for c in (r, g, b)))
        return out

    def rgb(self):
        """What shines now: [(r, g, b), ...] in pixel order, drive levels 0-255. Empty before the first
        frame and without power."""
        return self.decode(self._last)

    def frame_lines(self, since_us=0):
        """The frames as lines of JSON (`t_us`, and `rgb` in pixel order), for `python3 -m tools.lights`. A frame
        that was already shining at `since_us` comes first, with its true time: the strip keeps its light
        until the next one."""
        frames = list(self.frames)
        first = 0
        while first + 1 < len(frames) and frames[first + 1][0] <= since_us:
            first += 1
        for t_us, data in frames[first:]:
            yield json.dumps({"t_us": t_us, "rgb": self.decode(data)}, separators=(",", ":"))

    def write_frames(self, path, since_us=0):
        """Writes frame_lines to a file."""
        Path(path).write_text("".join(line + "\n" for line in self.frame_lines(since_us)), encoding="utf-8")

    # ---- sound -------------------------------------------------------------------------------------------

    def hum(self, hertz, duty):
        """The piezo's pin from now on. One that only stays as it is makes no note."""
        hum = (hertz, duty) if duty else (0, 0)
        if hum != self._hum:
            self._hum = hum
            with self._hum_lock:
                self.notes.append((self._us, *hum))
                self.note_count += 1

    def notes_since(self, count):
        """The notes after the first `count` of all, as far as they are still known, and how many there are now."""
        with self._hum_lock:
            fresh = min(self.note_count - count, len(self.notes))
            return list(self.notes)[len(self.notes) - fresh :], self.note_count

    # ---- console -----------------------------------------------------------------------------------------

    @property
    def console(self):
        """All that was printed while a console was connected (in real time: the last 200,000 characters or
        so)."""
        return "".join(list(self._console))

    def type(self, text):
        """Typed at the console: read by sys.stdin, usb_cdc.console and serial_bytes_available."""
        self._typed.extend(text)

    @property
    def serial_reads(self):
        """False: the host has opened the console, and does not read it."""
        return self._reads

    @serial_reads.setter
    def serial_reads(self, reads):
        self._reads = reads
        if reads:
            unread, self._unread = self._unread, b""
            self._hear(unread)

    def print_out(self, text):
        """What code.py prints. Lost, as on the chip, while nobody is connected; and as there it waits for a host
        that does not read."""
        data = text.encode()
        while data := data[self.send_out(data) :]:
            self.spend(1000)

    def send_out(self, data):
        """Bytes for the console; returns how many of them found room."""
        if not self.serial_connected:
            return len(data)
        if self._reads:
            self._hear(data)
            return len(data)
        count = max(0, min(len(data), CONSOLE_FIFO - len(self._unread)))
        self._unread += data[:count]
        return count

    def unread(self):
        """How many bytes the host has not read yet."""
        return len(self._unread)

    def drop_unread(self):
        """Forgets them."""
        self._unread = b""

    def _hear(self, data):
        text = self._decoder.decode(data)
        if not text:
            return
        self._console.append(text)
        self._console_len += len(text)
        self.console_count += len(text)
        if len(self.greeting) < 4000:
            self.greeting += text
        while not self.virtual and self._console_len > 200_000 and len(self._console) > 1:
            self._console_len -= len(self._console.popleft())

    def typed(self):
        """How many characters wait to be read."""
        return len(self._typed)

    def read_typed(self, count):
        """Takes up to `count` waiting characters; waits for none."""
        return "".join(self._typed.popleft() for _ in range(min(count, len(self._typed))))

    # ---- the program -------------------------------------------------------------------------------------

    def setting(self, key, default=None):
        """What os.getenv gives: settings.toml under `settings`. Strings only, as from CircuitPython 10.2
        on."""
        value = self.settings[key] if key in self.settings else self._toml.get(key)
        if value is None:
            return default
        return str(int(value)) if isinstance(value, bool) else str(value)

    def _read_toml(self):
        path = self.program / "settings.toml"
        try:
            with path.open("rb") as file:
                return tomllib.load(file)
        except FileNotFoundError:
            return {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            # CircuitPython too goes on without a file that it cannot read; it says less.
            self.print_out(f"settings.toml: {error}; all settings have their defaults\n")
            return {}

    def _main(self):
        """code.py's thread: power-up to power cut, resets in between."""
        try:
            if self.virtual:
                self._resume.acquire()
                if self._cut:
                    return
            how = Reset
            while True:
                try:
                    self._boot(how)
                except Reset as reset:
                    self.resets += 1
                    how = type(reset)
        except PowerCut:
            pass
        except BaseException:  # a fault of this file or of a shim: said, not swallowed
            self.error = traceback.format_exc()
        finally:
            if self.virtual and not self._cut:
                self._paused.release()

    def _boot(self, how):
        """The chip's beginning, or code.py's alone; `how` it came to it is a Reset's class."""
        if how is not Reload:
            self._born_us = self._us
            self.greeting = ""
            self._unread = b""
            self.watchdog_due_us = None
            self.autoreload = how is not Crash
            self.drive = {"readonly": True, "usb": True}
        self.run_reason = "SUPERVISOR_RELOAD" if how is Reload else "STARTUP"
        self.safe_mode = how is Crash
        self.spend(1000)  # so that a program which does nothing but reset takes time, too
        self.pins_in_use.clear()
        self.outputs.clear()
        self.hum(0, 0)
        self._drop_modules()
        importlib.invalidate_caches()
        self._toml = self._read_toml()
        sys.modules.update(shims.build(self))
        try:
            for name in PROGRAMS[how]:
                path = self.program / name
                if path.is_file():
                    self._execute(path)
            self.print_out("\nCode done running.\n")
        except Exception:
            self.error = self._traceback()
            self.print_out(self.error + "\nCode done running.\n")
        except SystemExit:
            self.print_out("\nCode done running.\n")
        while True:  # as CircuitPython does: the lights stay as they are
            self.spend(1000)

    def _execute(self, path):
        module = type(sys)("__main__")
        module.__file__ = str(path)
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)

    def begins_again(self):
        """The program asks for a reset or a reload: note the exception that it does so for, if there is one."""
        if sys.exc_info()[1]:
            self.mishap = self._traceback()

    def _traceback(self):
        lines = traceback.format_exception(*sys.exc_info())
        return "".join(line for line in lines if str(HERE / "machine.py") not in line)

    # ---- whose modules -----------------------------------------------------------------------------------

    def _mine(self, name):
        """Whether a module is the program's own: found in its folders, or a library that holds on to a
        shim."""
        top = name.partition(".")[0]
        return top in self._own or top in shims.FRESH

    def _drop_modules(self):
        for name in [name for name in sys.modules if self._mine(name)]:
            del sys.modules[name]

    def _own_names(self):
        names = set()
        for folder in (self.program, self.program / "lib"):
            if folder.is_dir():
                for path in folder.iterdir():
                    if path.suffix == ".py" or path.is_dir():
                        names.add(path.stem)
        # These may lie in the same folder, but no drive of a Pico has them.
        return names - {"simulator", "tests", "conftest", "code", "boot"}

    def _swap_in(self):
        """Makes the interpreter look like the Pico to whoever imports and prints."""
        self._own = self._own_names()
        stash = {name: sys.modules[name] for name in shims.NAMES if name in sys.modules}
        stash.update((name, module) for name, module in sys.modules.items() if self._mine(name))
        self._swapped = (stash, sys.path, sys.stdout, sys.stderr, sys.stdin)
        self._drop_modules()
        sys.modules.update(self._modules)
        sys.path = [str(self.program), str(self.program / "lib"), *sys.path]
        sys.stdout = shims.Output(self, sys.stdout)
        sys.stderr = shims.Output(self, sys.stderr)
        sys.stdin = shims.Input(self, sys.stdin)

    def _swap_out(self):
        stash, sys.path, sys.stdout, sys.stderr, sys.stdin = self._swapped
        self._swapped = None
        self._modules = {
            name: module for name, module in sys.modules.items() if self._mine(name) or name in shims.NAMES
        }
        for name in self._modules:
            del sys.modules[name]
        sys.modules.update(stash)

    def is_inside(self):
        """Whether the caller is code.py."""
        return threading.current_thread() is self._thread
