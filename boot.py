"""Runs once at power-up, before USB: who has the drive.

At home the PC has it, as CircuitPython leaves it. In an exhibit it is hidden, and nothing restarts the board;
whoever holds pad 0, and only that one, while switching on has it back for this run.
"""

import os


def words(key, default):
    return (os.getenv(key) or default).replace(",", " ").split()


def chips():
    """`readings` of pads on MPR121 chips. Where the settings are wrong, none can be read."""
    from hardware.pads_mpr121 import Mpr121Pads, open_bus

    holes = 24 if os.getenv("GEBETA_BOARD") == "2x12" else 18
    try:
        sda, scl = words("GEBETA_MPR121_PINS", "GP20,GP21")
        addresses = [int(word, 16) for word in words("GEBETA_MPR121", "0x5A,0x5B")]
        electrodes = [int(word) for word in words("GEBETA_MPR121_ELECTRODES", "")] or range(holes)
        pads = Mpr121Pads(holes, lambda: open_bus(sda.upper(), scl.upper()), addresses, electrodes, 0)
    except (ValueError, IndexError):
        return [None]
    found = [pads.baseline(pad) or None for pad in range(holes)]
    pads.close()
    return found


def readings():
    """One reading of each pad in ring order; None for a pad that cannot be read."""
    if str(os.getenv("GEBETA_PADS")).lower() == "mpr121":
        return chips()
    import board
    import touchio
    from digitalio import Pull

    pull = Pull.UP if str(os.getenv("GEBETA_PAD_PULL")).lower() == "up" else None
    names = os.getenv("GEBETA_PAD_PINS")
    if names:
        names = names.upper().replace(",", " ").split()
    else:
        names = ["GP%d" % i for i in range(18 if os.getenv("GEBETA_BOARD") != "2x12" else 23)]
    found = []
    for name in names:
        try:
            sensor = touchio.TouchIn(getattr(board, name), pull)
            found.append(sensor.raw_value)
            sensor.deinit()
        except (AttributeError, ValueError, RuntimeError):
            found.append(None)
    return found


def builder():
    """Whether pad 0 is held, and no other; also where pad 0 cannot be read, for nobody must be locked out."""
    from hardware.pads import median, touched_at_start

    found = readings()
    if found[0] is None:
        return True
    usual = median([reading for reading in found if reading is not None])
    held = [touched_at_start(reading or 0, usual) for reading in found]
    return held.pop(0) and True not in held


if str(os.getenv("GEBETA_MODE")).lower() == "exhibit" and not builder():
    import storage
    import supervisor

    supervisor.runtime.autoreload = False
    storage.disable_usb_drive()
