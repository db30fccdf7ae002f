"""What becomes of an exception that nobody has caught: it is noted, said, shown, and the board begins again.

Imported by code.py only then, when the table is gone already. Every step may fail by itself, and the next one
comes all the same. A board that has had `LIMIT` mishaps, with not one minute of running well in between, waits:
nothing is gained by beginning again for ever; but a fault that passes must not leave a dead board either.
"""

import os
import time
import traceback

MASK = 0x1FFFFFFF  # milliseconds wrap here
COUNT = 6  # of sleep_memory: mishaps in a row; code.py sets it back
LIMIT = 5
WAIT_S = 600

LONGEST = 40  # characters of a note
WAITING = 1024  # bytes of the traceback that may wait for the host

SWEEP_MS = 1500
FRAME_S = 0.02
WIDE = 4  # pixels from the middle of the sweep to the dark
LEVEL = 64  # of its middle, of 255
STILL = 12  # of the lights that stand still while the board waits, one in six


def handle(error, seconds, output, feed, kept, ticks_ms):
    """`error` after `seconds` of running: to the journal, the console and the strip (`output`, or None: it is not open
    yet). `feed()` feeds the watchdog; `kept` is `alarm.sleep_memory`. Returns when the board is to begin again."""
    lines = attempt(told, error) or []
    attempt(note, summary(lines, type(error).__name__), seconds)
    kept[COUNT] = count = min(kept[COUNT] + 1, 255)
    console = attempt(say, lines)
    output = output or attempt(open_strip)
    show(output, console, feed, ticks_ms)
    if count >= LIMIT:
        attempt(stand_still, output)
        for _ in range(WAIT_S):
            feed()
            time.sleep(1)


def attempt(step, *args):
    """What the step returns; None if it fails."""
    try:
        return step(*args)
    except Exception:  # whatever it is: the board must begin again
        return None


def told(error):
    """The lines of the traceback."""
    return "".join(traceback.format_exception(error)).strip().split("\n")


def note(text, seconds):
    """To the journal, read anew: what the program knew of it may be what went wrong."""
    import microcontroller

    from hardware.journal import Journal

    journal = Journal(microcontroller.nvm)
    journal.read(lambda record, whole: None)
    journal.error(text, seconds)


def summary(lines, name):
    """Type, file and line: "ValueError table/play.py 123". `lines` are those of the traceback."""
    text = name
    for line in lines:
        line = line.strip()
        if line.startswith('File "') and '", line ' in line:
            path, rest = line[6:].split('", line ', 1)
            path = "/".join(path.replace("\\", "/").split("/")[-2:])
            text = "%s %s %s" % (name, path, rest.split(",")[0])
    return text[:LONGEST]


def say(lines):
    """The traceback to whoever listens, without waiting for him."""
    import usb_cdc

    from hardware.console import Console

    console = Console(usb_cdc.console, WAITING)
    console.tick()
    for line in lines:
        console.write(line)
        console.write("\n")
    return console


def open_strip():
    """The strip, where it was not open yet: the longest there may be."""
    import board

    from hardware.lights import Output

    pin = getattr(board, os.getenv("GEBETA_LED_PIN") or "GP28")
    return Output(pin, 24, (os.getenv("GEBETA_LED_COLORS") or "GRB").upper())


def show(output, console, feed, ticks_ms):
    """The sweep, and time for the console."""
    begun = ticks_ms()
    passed = 0
    while passed < SWEEP_MS:
        attempt(sweep, output, passed)
        if console:
            attempt(console.tick)
        feed()
        time.sleep(FRAME_S)
        passed = (ticks_ms() - begun) & MASK


def sweep(output, passed):
    """An amber light goes once along the strip, softly: no pixel rises and falls more than once."""
    data = bytearray(output.count * len(output.colors))
    middle = (output.count + 2 * WIDE) * 256 * passed // SWEEP_MS - 256 * WIDE
    for pixel in range(output.count):
        amber(data, output.colors, pixel, LEVEL - LEVEL * abs(256 * pixel - middle) // (256 * WIDE))
    output.write(data)


def stand_still(output):
    data = bytearray(output.count * len(output.colors))
    for pixel in range(0, output.count, 6):
        amber(data, output.colors, pixel, STILL)
    output.write(data)


def amber(data, colors, pixel, level):
    """Let a pixel shine; dark below 1."""
    at = pixel * len(colors)
    data[at + colors.find("R")] = max(0, level)
    data[at + colors.find("G")] = max(0, level) * 2 // 5
