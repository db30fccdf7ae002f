"""Gebeta Lights: builds the board that settings.toml describes, and turns the loop.

One pass: read the pads, let the table think, send the frame. The same file runs on a Raspberry Pi Pico and,
by `make play`, on a PC.
"""

import gc
import os
import sys

import board
import supervisor

from hardware.lights import Output, Strip
from table.lights import Lights
from table.table import Table

try:
    from alarm import sleep_memory
except ImportError:  # a PC
    sleep_memory = bytearray(2)

WELL_MS = 60_000  # after so long the board is well: safemode.py counts from 0 again


class Console:
    """Prints only while somebody is connected; what was wrong with the settings is said to each who comes."""

    def __init__(self):
        self.complaints = []
        self.table = None
        self._heard = False

    def write(self, text):
        if supervisor.runtime.serial_connected:
            print(text, end="")

    def greet(self):
        """Say what there is to say when somebody has just connected."""
        connected = supervisor.runtime.serial_connected
        if connected and not self._heard:
            for line in self.complaints:
                print(line)
            if self.table.log:
                names = ",".join([name for name, _ in self.table.games])
                holes = self.table.settings.board
                print("gebeta ready board=%s games=%s free=%d" % (holes, names, gc.mem_free()))
                self.table.report()
        self._heard = connected


def keys():
    """What settings.toml sets, or None where there is no such file. `os.getenv` goes through all of it for each key,
    which takes a Pico 5 ms, and most keys are not there."""
    try:
        with open("/settings.toml") as file:
            return [line.split("=")[0].strip() for line in file if line[0] != "#"]
    except OSError:
        return None


def read_settings(complain):
    """The settings; the modules that read them, 10 kB, are let go of again."""
    import table.settings

    said = keys()
    settings = table.settings.read(lambda key: os.getenv(key) if not said or key in said else None, complain)
    for name in ("table.settings", "table.settings_pads"):
        del sys.modules[name]
    del table.settings, table.settings_pads
    return settings


def open_pads(settings, now):
    """The pads, by the driver that is set: the other one would only take memory."""
    pins = settings.pad_pins
    if settings.pads == "mpr121":
        from hardware.pads_mpr121 import Mpr121Pads, open_bus

        sda, scl = pins
        return Mpr121Pads(
            settings.holes, lambda: open_bus(sda, scl), settings.addresses, settings.electrodes, now
        )
    from hardware.pads_touchio import TouchioPads, open_pin

    pull = settings.pad_pull
    return TouchioPads(settings.holes, lambda pad: open_pin(pins[pad], pull), now)


def main():
    console = Console()
    settings = read_settings(console.complaints.append)
    gc.collect()
    output = Output(getattr(board, settings.led_pin), settings.holes, settings.led_colors)
    strip = Strip(output, settings.led_order, settings.led_colors, settings.brightness, settings.current_ma)
    lights = Lights(settings.holes, settings.drop_ms)
    extras = None
    if settings.extras:
        from hardware.extras import Extras

        extras = Extras(settings.extras, strip, supervisor.ticks_ms(), console.complaints.append)
    table = Table(
        lights, settings, console.write if settings.log else None, gc.collect, extras and extras.speaker
    )
    console.table = table
    pads = open_pads(settings, supervisor.ticks_ms())
    gc.collect()
    begun = supervisor.ticks_ms()
    loading = True
    while True:
        now = supervisor.ticks_ms()
        pads.scan(now, table)
        changed = table.tick(now)
        if extras:
            extras.tick(now, table.state is not table.asleep, table.touch.count, table.note)
        if changed or strip.rising:
            strip.show(lights.frame, now)
        loading = loading and (table.touch.count > 0 or table.load())
        if not loading:
            console.greet()
        if sleep_memory[0] and (now - begun) & 0x1FFFFFFF >= WELL_MS:
            sleep_memory[0] = 0


main()
