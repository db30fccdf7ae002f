"""Gebeta Lights: builds the board that settings.toml describes, and turns the loop.

One pass: read the pads, let the table think, send the frame. The same file runs on a Raspberry Pi Pico and,
by `make play`, on a PC. What goes wrong in it is a mishap: the board says so and begins again.
"""

import gc
import os
import random
import sys

import board
import microcontroller
import supervisor
import usb_cdc
from alarm import sleep_memory

WELL_S = 60  # after so long the board is well: safemode.py (byte 0) and mishap.py (byte 6) count from 0 again
DAY_S = 24 * 60 * 60  # after so long an exhibit begins anew,
ALONE_MS = 60_000  # once nobody has touched it for so long
# Bytes of the console that may wait for the host: a turn's line, or the readings of 24 pads; else what is wrong.
WAITING = 1024
LITTLE = 256
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


def open_console(size):
    from hardware.console import Console

    return Console(usb_cdc.console, size)


def open_memory(settings):
    """What the board remembers, in the chip's own flash."""
    from hardware.journal import Journal
    from table.memory import Memory

    return Memory(Journal(microcontroller.nvm), settings.stamp, watchdog.reason, watchdog.before)


def open_show(its):
    """What attract plays on that table. Its module, 5 kB, is forgotten at once: it lasts as long as the show."""
    from table.show import Show

    let_go("table.show")
    return Show(its, random.randrange)


def self_test(settings, output, pads, complaints):
    """The self-test, until somebody ends it; its modules are let go of again."""
    import hardware.selftest

    console = open_console(WAITING)
    ends = not settings.selftest
    hardware.selftest.run(
        output, settings, pads, console, supervisor.ticks_ms, complaints, watchdog.feed, ends
    )
    let_go("hardware.selftest", "hardware.ledmap", "hardware.keys")


def report(table, answers):
    """The counters, on the console."""
    answers.say(table.memory.report)
    let_go("table.report")


def serve(table, settings, strip, output, pads, answers, complaints):
    """What the staff has asked the table for; `answers`: None while nobody listens at the console."""
    from table.states import DIM_STRIP, LEFT_STAFF, RUN_SELFTEST, TELL_COUNTERS

    wishes = table.wishes
    table.wishes = 0
    if wishes & DIM_STRIP:
        strip.dim(table.brightness)
    if wishes & TELL_COUNTERS:
        if answers:
            report(table, answers)
        else:
            table.wishes = TELL_COUNTERS  # so it says no
    if wishes & RUN_SELFTEST:
        self_test(settings, output, pads, complaints)
        table.staff.catch_up(supervisor.ticks_ms(), pads.is_out)
        strip.fresh = strip.rising = True
    if wishes & LEFT_STAFF:
        let_go("table.staff")
        gc.collect()


def obey(text, table, console, answers):
    """A line that was typed at the console."""
    if text == "counters" and table.memory:
        report(table, answers)
    elif text == "staff":
        if not table.corners.open_staff():
            console.write("staff: open already, or a race is on\n")
    elif text:
        console.write("%s: allowed are counters, staff\n" % text)


def listen(console):
    """What it takes to understand who has opened the console."""
    from hardware.keys import Answers, Keys

    return Keys(console), Answers(console)


def greet(console, table, complaints):
    """Who connects hears what was wrong with the settings; a program, what there is to play, and what goes on."""
    for line in complaints:
        console.write(line)
        console.write("\n")
    if table.log:
        names = ",".join([name for name, _ in table.games])
        holes = table.settings.board
        console.write("gebeta ready board=%s games=%s free=%d\n" % (holes, names, gc.mem_free()))
        table.report()


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
        self_test(settings, output, pads, complaints)
        gc.collect()
    lights = Lights(settings.holes, settings.drop_ms)
    table = Table(
        lights, settings, None, gc.collect, extras and extras.speaker, lambda: open_memory(settings)
    )
    gc.collect()
    watchdog.feed()
    loading = True
    told = False
    console = keys = answers = None
    while True:
        now = supervisor.ticks_ms()
        pads.scan(now, table)
        changed = table.tick(now)
        if extras:
            extras.tick(now, table.state is not table.asleep, table.touch.count, table.note)
        if changed or strip.rising:
            strip.show(lights.frame, now)
        if table.wishes:
            serve(table, settings, strip, output, pads, answers, complaints)
        if loading:
            loading = (table.touch.count > 0 and not table.recalling) or table.load()
            if not loading:
                let_go("table.loading", "table.recall", "hardware.journal_whole")
        elif not console:
            # Last of all: whoever listens is told then how things are.
            console = open_console(WAITING if settings.log else LITTLE)
            table.log = console.write if settings.log else None
            table.open_show = open_show
        else:
            console.tick()
            if console.connected != told:
                told = console.connected
                keys = answers = None
                if told:
                    greet(console, table, complaints)
                    keys, answers = listen(console)
            if keys:
                answers.tick()
                text = keys.line()
                if text:
                    obey(text.strip().lower(), table, console, answers)
        if watchdog.tick(now):  # once a second
            let_go("table.compaction", "hardware.journal_whole")
            if watchdog.seconds == WELL_S:
                sleep_memory[0] = sleep_memory[6] = 0
            elif exhibit and watchdog.seconds >= DAY_S and table.silence >= ALONE_MS:
                if table.state is table.attract:
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
