"""Gebeta Lights: builds the board that settings.toml describes, and turns the loop.

One pass: read the pads, let the table think, send the frame. The same file runs on a Raspberry Pi Pico and,
by `make play`, on a PC. What goes wrong in it is a mishap: the board says so and begins again.
"""

import gc
import os
import sys

import board
import microcontroller
import supervisor
from alarm import sleep_memory

WELL_S = 60  # after so long the board is well: safemode.py (byte 0) and mishap.py (byte 6) count from 0 again
DAY_S = 24 * 60 * 60  # after so long an exhibit begins anew,
ALONE_MS = 60_000  # once nobody has touched it for so long
# So long after its first light the board does nothing but answer: the pieces that it then loads take up to 0.3 s each.
AT_ONCE_MS = 250
SELF_TEST = {"3x6": [4, 5], "2x12": [10, 11]}  # just these pads held at power-up

exhibit = not supervisor.runtime.autoreload  # says boot.py
output = watchdog = None  # of main: what a mishap needs when the table is gone


def reader(complain):
    """`os.getenv`, but for the keys that settings.toml does not set: it goes through all of the file for each, which
    takes a Pico 5 ms. A file in another encoding than UTF-8, as an old editor leaves it, is said, and no more."""
    try:
        with open("/settings.toml", "rb") as file:
            said = [line.split(b"=")[0].strip() for line in file if line[0] != 35]  # a #
    except OSError:
        said = None

    def get(key):
        if said and key.encode() not in said:
            return None
        try:
            return os.getenv(key)
        except UnicodeError:
            complain("%s: settings.toml is to be saved as UTF-8; the default is used" % key)
            return None

    return get


def let_go(*names):
    """Of modules that are not needed any more, where they have been: their memory is."""
    for name in names:
        package, _, module = name.partition(".")
        if sys.modules.pop(name, None):
            delattr(sys.modules[package], module)


def read_settings(complain):
    """The settings; the modules that read them, 10 kB, are let go of again."""
    import table.settings

    settings = table.settings.read(reader(complain), complain)
    let_go("table.settings", "table.settings_pads")
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


def open_memory(settings):
    """What the board remembers, in the chip's own flash."""
    from hardware.journal import Journal
    from table.memory import Memory

    return Memory(Journal(microcontroller.nvm), settings.stamp, watchdog.reason, watchdog.before)


def main():
    global output, watchdog
    from hardware.watchdog import Watchdog

    watchdog = Watchdog(exhibit, sleep_memory, supervisor.ticks_ms())
    from hardware.lights import Output, Strip
    from table.lights import Lights
    from table.table import Table

    complaints = []
    settings = read_settings(complaints.append)
    gc.collect()
    watchdog.feed()
    output = Output(getattr(board, settings.led_pin), settings.holes, settings.led_colors)
    strip = Strip(output, settings.led_order, settings.led_colors, settings.brightness, settings.current_ma)
    extras = None
    if settings.extras:
        from hardware.extras import Extras

        extras = Extras(settings.extras, strip, supervisor.ticks_ms(), complaints.append)
    pads = open_pads(settings, supervisor.ticks_ms())
    if settings.selftest or pads.held == SELF_TEST[settings.board]:
        from service import self_test

        self_test(settings, output, pads, complaints, watchdog.feed, let_go, not settings.selftest)
        gc.collect()
    lights = Lights(settings.holes, settings.drop_ms)
    table = Table(
        lights, settings, None, gc.collect, extras and extras.speaker, lambda: open_memory(settings)
    )
    gc.collect()
    watchdog.feed()
    loading = True
    service = None
    while True:
        now = supervisor.ticks_ms()
        pads.scan(now, table)
        changed = table.tick(now)
        if extras:
            extras.tick(now, table.state is not table.asleep, table.touch.count, table.note)
        if changed or strip.rising:
            strip.show(lights.frame, now)
        if loading:
            waits = table.touch.count and not table.recalling
            loading = table.age < AT_ONCE_MS or waits or table.load()
        elif service:
            service.tick()
        else:
            let_go("table.loading", "table.recall", "hardware.journal_whole")
            # Last of all: whoever listens at the console is told then how things are.
            from service import Service

            service = Service(table, settings, strip, pads, complaints, watchdog.feed, let_go)
        if watchdog.tick(now):  # once a second
            if "table.opponent" in sys.modules:
                let_go("table.opponent", "engine.search")
            if "table.players" in sys.modules:
                let_go("table.players")
            if "table.compaction" in sys.modules:
                let_go("table.compaction", "hardware.journal_whole")
            if watchdog.seconds == WELL_S:
                sleep_memory[0] = sleep_memory[6] = 0
            elif exhibit and watchdog.seconds >= DAY_S and table.silence >= ALONE_MS:
                if table.state is table.attract:
                    table.memory.settle()
                    microcontroller.reset()


def mishap(error):
    """What nobody has caught: note it, show it, begin again."""
    gc.collect()
    try:
        from hardware.mishap import handle

        seconds = watchdog.seconds if watchdog else 0
        feed = watchdog.feed if watchdog else int  # which does nothing
        handle(error, seconds, output, feed, sleep_memory, supervisor.ticks_ms)
    except Exception:  # a damaged drive, perhaps: begin again all the same
        pass
    if exhibit:
        microcontroller.reset()
    supervisor.reload()


try:
    main()
except Exception as error:  # not the builder's Ctrl-C
    mishap(error)
