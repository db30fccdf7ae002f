"""What CircuitPython has and Blinka lacks: modules built for one Machine, put into sys.modules while its
program runs.

Blinka's own digitalio, adafruit_pixelbuf and the real neopixel library stay as they are; only
`neopixel_write`, where Blinka throws the bytes away, is ours. Each shim does no more than a program can
tell: take time, raise what the chip would raise, keep state.
"""

from __future__ import annotations

import gc
import os
import random
import threading
import time
from types import ModuleType, SimpleNamespace

from simulator import i2c

# Modules built here.
NAMES = {
    "alarm",
    "analogio",
    "board",
    "busio",
    "gc",
    "microcontroller",
    "neopixel_write",
    "os",
    "pwmio",
    "random",
    "storage",
    "supervisor",
    "time",
    "touchio",
    "usb_cdc",
    "watchdog",
}
# Libraries that hold on to a shim, so that each machine needs its own copy.
FRESH = {"neopixel", "adafruit_ticks"}

NVM_SIZE = 4096
NVM_WRITE_US = 1_000
NVM_ERASE_US = 50_000
READ_ADC_US = 2

_blinka = None
_machines = {}  # thread -> machine, for Blinka's digitalio, which is shared


def load_blinka():
    """Imports Blinka once, told that there is no board, and gives its digitalio our pins."""
    global _blinka
    if _blinka is None:
        os.environ["BLINKA_OS_AGNOSTIC"] = "1"
        import adafruit_pixelbuf  # noqa: F401 - loaded now, so that no program's copy of `time` ends up in it
        import board
        import digitalio
        import microcontroller
        import micropython  # noqa: F401

        digitalio.Pin = _pin_class(digitalio.Pin)
        pins = {f"GP{number}": digitalio.Pin(number, claim=False) for number in range(30)}
        pins["VOLTAGE_MONITOR"] = pins.pop("GP29")  # by its only name on a Pico
        _blinka = SimpleNamespace(
            board=board, digitalio=digitalio, microcontroller=microcontroller, pins=pins
        )
    return _blinka


def _pin_class(base):
    class Pin(base):
        """Blinka's pin, with levels from the machine, and refused while somebody else has it."""

        def __init__(self, number=None, claim=True):
            super().__init__(number)
            self._low = False  # driven so
            self._machine = _machines.get(threading.current_thread()) if claim else None
            if self._machine:
                claim_pin(self._machine, number)

        def init(self, mode=base.IN, pull=None):
            super().init(mode, pull)
            self._drive(False)

        def write(self, new_value):
            super().write(new_value)
            self._drive(not new_value)
            if self._machine:
                self._machine.outputs[self.id] = bool(new_value)

        def _drive(self, low):
            if self._low and not low and self._machine:
                self._machine.bus.clocked(self.id)
            self._low = low and self._mode == self.OUT

        def read(self):
            pulled = self._pull == self.PULL_UP
            return self._machine.level(self.id, pulled) if self._machine else pulled

        def deinit(self):
            if self._machine:
                self._machine.pins_in_use.discard(self.id)
                self._machine.outputs.pop(self.id, None)

        def __repr__(self):
            return f"board.GP{self.id}"

    return Pin


def claim_pin(machine, number):
    """A pin has one user."""
    if number in machine.pins_in_use:
        raise ValueError(f"GP{number} in use")
    machine.pins_in_use.add(number)


class Nvm:
    """microcontroller.nvm: bytes in flash. Writing where all is 0xFF takes 1 ms; anything else erases all
    of it and writes it anew in 50 ms, and a power cut inside these leaves it erased. `erases` counts them:
    flash wears out."""

    def __init__(self, machine, data=None):
        self._machine = machine
        self.data = bytearray(data if data is not None else b"\xff" * NVM_SIZE)
        self.erases = 0
        self.writes = 0
        self.busy = None  # "write" or "erase" while a run has stopped in the middle of one

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        return bytearray(self.data[key]) if isinstance(key, slice) else self.data[key]

    def __setitem__(self, key, value):
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self.data))
            if step != 1 or stop - start != len(value):
                raise ValueError("nvm: only slices of the value's own length")
            value = bytes(value)
        else:
            start = range(len(self.data))[key]
            value = bytes((value,))
        stop = start + len(value)
        old = self.data[start:stop]
        if old == value:
            return
        self.writes += 1
        if all(byte == 0xFF for byte in old):
            half = start + len(value) // 2  # a cut in the middle leaves it half written
            self.data[start:half] = value[: half - start]
            self._machine.spend_in_flash("write", NVM_WRITE_US)
            self.data[half:stop] = value[half - start :]
        else:
            new = bytearray(self.data)
            new[start:stop] = value
            self.data[:] = b"\xff" * len(self.data)
            self.erases += 1
            self._machine.spend_in_flash("erase", NVM_ERASE_US)
            self.data[:] = new


class Output:
    """sys.stdout and sys.stderr: code.py's lines go to its console, everybody else's where they went
    before."""

    def __init__(self, machine, other):
        self._machine = machine
        self._other = other

    def write(self, text):
        if not self._machine.is_inside():
            return self._other.write(text)
        self._machine.print_out(text)
        return len(text)

    def flush(self):
        if not self._machine.is_inside():
            self._other.flush()

    def __getattr__(self, name):
        return getattr(self._other, name)


class Input:
    """sys.stdin: what was typed at the console; code.py is never kept waiting."""

    def __init__(self, machine, other):
        self._machine = machine
        self._other = other

    def read(self, count=-1):
        if not self._machine.is_inside():
            return self._other.read(count)
        return self._machine.read_typed(self._machine.typed() if count < 0 else count)

    def __getattr__(self, name):
        return getattr(self._other, name)


def build(machine):
    """{name: module} for one power-up of this machine. Called in code.py's thread."""
    blinka = load_blinka()
    for thread in [thread for thread in _machines if not thread.is_alive()]:
        del _machines[thread]
    _machines[threading.current_thread()] = machine
    makers = (
        _alarm,
        _analogio,
        _board,
        _busio,
        _gc,
        _microcontroller,
        _neopixel_write,
        _os,
        _pwmio,
        _random,
        _storage,
        _supervisor,
        _time,
        _touchio,
        _usb_cdc,
        _watchdog,
    )
    return {module.__name__: module for module in (maker(machine, blinka) for maker in makers)}


def _module(name, base=None, **names):
    module = ModuleType(name)
    if base is not None:
        module.__dict__.update(base.__dict__)
    module.__dict__.update(names)
    return module


def _alarm(machine, blinka):
    return _module("alarm", sleep_memory=machine.sleep_memory)


def _analogio(machine, blinka):
    class AnalogIn:
        """Only of VOLTAGE_MONITOR: a third of what the board is fed with, as 16 bits of 3.3 V."""

        reference_voltage = 3.3

        def __init__(self, pin):
            if pin is not blinka.pins["VOLTAGE_MONITOR"]:
                raise ValueError(f"{pin!r}: only VOLTAGE_MONITOR can be read here")
            claim_pin(machine, pin.id)

        @property
        def value(self):
            machine.spend(READ_ADC_US)
            return min(65535, machine.supply_mv * 65535 // 9900)

        def deinit(self):
            machine.pins_in_use.discard(29)

    return _module("analogio", AnalogIn=AnalogIn)


def _board(machine, blinka):
    return _module(
        "board", blinka.board, board_id="raspberry_pi_pico", LED=blinka.pins["GP25"], **blinka.pins
    )


def _busio(machine, blinka):
    class I2C(i2c.I2C):
        def __init__(self, scl, sda, *, frequency=100_000, timeout=255):
            super().__init__(
                machine.bus,
                scl.id,
                sda.id,
                lambda number: claim_pin(machine, number),
                machine.pins_in_use.discard,
            )

    return _module("busio", I2C=I2C)


def _gc(machine, blinka):
    def collect():
        machine.spend(8_000)  # CPython's own collection would tell nothing about the chip's

    return _module("gc", gc, collect=collect, mem_free=lambda: 120_000, mem_alloc=lambda: 30_000)


def _microcontroller(machine, blinka):
    from simulator.machine import Reset

    class ResetReason:
        POWER_ON, BROWNOUT, SOFTWARE, WATCHDOG, UNKNOWN, RESET_PIN, RESCUE_DEBUG = (
            "POWER_ON",
            "BROWNOUT",
            "SOFTWARE",
            "WATCHDOG",
            "UNKNOWN",
            "RESET_PIN",
            "RESCUE_DEBUG",
        )

    class RunMode:
        NORMAL, SAFE_MODE, UF2, BOOTLOADER = "NORMAL", "SAFE_MODE", "UF2", "BOOTLOADER"

    def reset():
        machine.begins_again()
        machine.reset_reason = ResetReason.SOFTWARE
        raise Reset

    def delay_us(us):
        machine.spend(us)

    cpu = SimpleNamespace(
        frequency=125_000_000,
        reset_reason=machine.reset_reason,
        temperature=24.0,
        uid=bytes(range(8)),
        voltage=3.3,
    )
    return _module(
        "microcontroller",
        blinka.microcontroller,
        nvm=machine.nvm,
        reset=reset,
        cpu=cpu,
        delay_us=delay_us,
        RunMode=RunMode,
        ResetReason=ResetReason,
        on_next_reset=lambda mode: None,
        watchdog=_WatchDogTimer(machine),
    )


def _neopixel_write(machine, blinka):
    def neopixel_write(gpio, buf):
        machine.write_strip(buf)

    return _module("neopixel_write", neopixel_write=neopixel_write)


def _os(machine, blinka):
    def urandom(count):
        return os.urandom(count) if machine.seed is None else machine.rng.randbytes(count)

    def getenv(key, default=None):
        return machine.setting(key, default) if machine.is_inside() else os.getenv(key, default)

    return _module("os", os, urandom=urandom, getenv=getenv)


def _pwmio(machine, blinka):
    class PWMOut:
        """A pin that hums: what it gives is noted in `Machine.notes`, as a piezo there would sound."""

        def __init__(self, pin, *, duty_cycle=0, frequency=500, variable_frequency=False):
            claim_pin(machine, pin.id)
            self._pin = pin.id
            self._variable = variable_frequency
            self._frequency = frequency
            self._duty = 0
            self.duty_cycle = duty_cycle

        @property
        def frequency(self):
            return self._frequency

        @frequency.setter
        def frequency(self, hertz):
            if not self._variable:
                raise AttributeError("Invalid variable_frequency")
            if not 0 < hertz <= 62_500_000:
                raise ValueError("Invalid frequency")
            self._frequency = hertz
            machine.hum(hertz, self._duty)

        @property
        def duty_cycle(self):
            return self._duty

        @duty_cycle.setter
        def duty_cycle(self, duty):
            if not 0 <= duty <= 65535:
                raise ValueError("duty_cycle must be 0-65535")
            self._duty = duty
            machine.hum(self._frequency, duty)

        def deinit(self):
            self.duty_cycle = 0
            machine.pins_in_use.discard(self._pin)

    return _module("pwmio", PWMOut=PWMOut)


def _random(machine, blinka):
    rng = random.Random(machine.seed)
    names = ("seed", "getrandbits", "randrange", "randint", "choice", "random", "uniform")
    return _module("random", **{name: getattr(rng, name) for name in names})


def _storage(machine, blinka):
    def remount(path, readonly=False, disable_concurrent_write_protection=False):
        machine.drive["readonly"] = bool(readonly)

    def usb_drive(on):
        machine.drive["usb"] = on

    return _module(
        "storage",
        remount=remount,
        disable_usb_drive=lambda: usb_drive(False),
        enable_usb_drive=lambda: usb_drive(True),
        getmount=lambda path: SimpleNamespace(label="CIRCUITPY", readonly=machine.drive["readonly"]),
    )


def _supervisor(machine, blinka):
    from simulator.machine import Reload

    class RunReason:
        STARTUP, AUTO_RELOAD, SUPERVISOR_RELOAD, REPL_RELOAD = (
            "STARTUP",
            "AUTO_RELOAD",
            "SUPERVISOR_RELOAD",
            "REPL_RELOAD",
        )

    class SafeModeReason:
        NONE = "NONE"

    class Runtime:
        run_reason = machine.run_reason
        safe_mode_reason = SafeModeReason.NONE
        usb_connected = property(lambda self: machine.serial_connected)
        serial_connected = property(lambda self: machine.serial_connected)
        serial_bytes_available = property(lambda self: machine.typed())

        @property
        def autoreload(self):
            return machine.autoreload

        @autoreload.setter
        def autoreload(self, on):
            machine.autoreload = on

    def reload():
        machine.begins_again()
        raise Reload

    return _module(
        "supervisor",
        ticks_ms=machine.ticks_ms,
        runtime=Runtime(),
        RunReason=RunReason,
        SafeModeReason=SafeModeReason,
        reload=reload,
        set_next_code_file=lambda *args, **kwargs: None,
        status_bar=SimpleNamespace(console=True, display=False),
    )


def _time(machine, blinka):
    # Whoever else gets hold of this module keeps the computer's time.
    def sleep(seconds):
        if machine.is_inside():
            if seconds < 0:
                raise ValueError("sleep length must be non-negative")
            machine.spend(round(seconds * 1e6))
        else:
            time.sleep(seconds)

    def monotonic_ns():
        return machine.since_power_up_ns() if machine.is_inside() else time.monotonic_ns()

    return _module(
        "time", time, sleep=sleep, monotonic_ns=monotonic_ns, monotonic=lambda: monotonic_ns() / 1e9
    )


def _touchio(machine, blinka):
    from simulator.machine import READ_OPEN_US

    class TouchIn:
        """A pad: raw_value is a reading; value compares it with the threshold fixed at construction, as
        the chip does."""

        def __init__(self, pin, pull=None):
            number = getattr(pin, "id", None)
            if number not in machine.pads:
                raise ValueError(f"{pin!r} is no pin for touch")
            claim_pin(machine, number)
            up = pull is blinka.digitalio.Pull.UP
            if machine.pads[number].fault == "open" or up != (machine.pull == "up"):
                machine.spend(READ_OPEN_US)
                machine.pins_in_use.discard(number)
                raise ValueError(f"No pull{'up' if up else 'down'} on pin; 1Mohm recommended")
            self._number = number
            self.threshold = int(self.raw_value * 1.05) + 100

        @property
        def raw_value(self):
            if self._number is None:
                raise ValueError(
                    "Object has been deinitialized and can no longer be used. Create a new object."
                )
            return machine.read_pad(self._number)

        @property
        def value(self):
            return self.raw_value > self.threshold

        def deinit(self):
            machine.pins_in_use.discard(self._number)
            self._number = None

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.deinit()

    return _module("touchio", TouchIn=TouchIn)


def _usb_cdc(machine, blinka):
    class Console:
        timeout = write_timeout = None
        connected = property(lambda self: machine.serial_connected)
        in_waiting = property(lambda self: machine.typed())
        out_waiting = property(lambda self: machine.unread())

        def read(self, count=1):
            return machine.read_typed(count).encode()

        def readinto(self, buffer):
            data = machine.read_typed(len(buffer)).encode("latin-1", "replace")
            buffer[: len(data)] = data
            return len(data)

        def write(self, data):
            count = machine.send_out(bytes(data))
            while count < len(data) and self.write_timeout is None:
                machine.spend(1000)
                count += machine.send_out(bytes(data[count:]))
            return count

        def flush(self):
            pass

        def reset_input_buffer(self):
            machine.read_typed(machine.typed())

        def reset_output_buffer(self):
            machine.drop_unread()

    return _module("usb_cdc", console=Console(), data=None, enable=lambda **_: None, disable=lambda: None)


class _WatchDogTimer:
    """microcontroller.watchdog on an RP2040: RESET only, 8.388 s at most."""

    def __init__(self, machine):
        self._machine = machine
        self._timeout = None
        self._mode = None

    def feed(self):
        if self._mode is None:
            raise ValueError("WatchDogTimer is not currently running")
        self._machine.watchdog_due_us = self._machine.t_us + round(self._timeout * 1e6)

    @property
    def timeout(self):
        return self._timeout

    @timeout.setter
    def timeout(self, seconds):
        if not 0 < seconds <= 8.388:
            raise ValueError("timeout must be 0-8.388")
        self._timeout = seconds
        if self._mode is not None:
            self.feed()

    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, mode):
        if mode == "RAISE":
            raise NotImplementedError("RAISE mode is not implemented")
        if mode is not None and self._timeout is None:
            raise ValueError("set a timeout first")
        self._mode = mode
        if mode is not None:
            self.feed()

    def deinit(self):
        self._mode = None
        self._machine.watchdog_due_us = None


def _watchdog(machine, blinka):
    class WatchDogMode:
        RAISE, RESET = "RAISE", "RESET"

    return _module("watchdog", WatchDogMode=WatchDogMode, WatchDogTimer=_WatchDogTimer)
