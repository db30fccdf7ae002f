"""Runs once at power-up, before USB: who has the drive.

*Workshop*: the PC has it, as CircuitPython leaves it, and what is saved there runs at once. So it is at home.
*Exhibit*: it is hidden, nobody writes it, and nothing restarts the board. Whoever holds pad 0, and only that one,
while switching on gets the workshop for this run; so does a board that is to test itself, and one whose pad 0
cannot be read. What goes wrong here, goes wrong before anything is hidden; and BOOTSEL, pressed within a second of
switching on, starts CircuitPython's safe mode, in which the drive is always open.

`supervisor.runtime.autoreload` tells code.py which of the two it is. Nothing is printed: CircuitPython would write
it to the drive (boot_out.txt) whenever it is something else than the last time.
"""

import os


def words(key, default):
    return (os.getenv(key) or default).replace(",", " ").split()


def holes():
    return 24 if os.getenv("GEBETA_BOARD") == "2x12" else 18


def chips():
    """`readings` of pads on MPR121 chips. Where the settings are wrong, none can be read."""
    from hardware.pads_mpr121 import Mpr121Pads, open_bus

    count = holes()
    try:
        sda, scl = words("GEBETA_MPR121_PINS", "GP20,GP21")
        addresses = [int(word, 16) for word in words("GEBETA_MPR121", "0x5A,0x5B")]
        electrodes = [int(word) for word in words("GEBETA_MPR121_ELECTRODES", "")] or range(count)
        pads = Mpr121Pads(count, lambda: open_bus(sda.upper(), scl.upper()), addresses, electrodes, 0)
    except (ValueError, IndexError):
        return [None]
    found = [pads.baseline(pad) or None for pad in range(count)]
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
    count = holes()
    names = str(os.getenv("GEBETA_PAD_PINS")).upper().replace(",", " ").split()
    known = [name for name in set(names) if hasattr(board, name)]
    if len(names) != count or len(known) != count:
        names = ["GP%d" % i for i in range(min(count, 23))]  # as code.py does
    found = []
    for name in names:
        try:
            sensor = touchio.TouchIn(getattr(board, name), pull)
            found.append(sensor.raw_value)
            sensor.deinit()
        except (ValueError, RuntimeError):
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


def setting(key):
    return str(os.getenv(key)).strip().lower()


def main():
    import supervisor

    # CircuitPython would write to each console that is opened, and wait while the last one has left its line full.
    supervisor.status_bar.console = False
    if (
        setting("GEBETA_MODE") == "exhibit"
        and setting("GEBETA_SELFTEST") not in ("1", "true")
        and not builder()
    ):
        import storage

        supervisor.runtime.autoreload = False
        storage.disable_usb_drive()
        storage.remount("/", True)  # without USB the program might write it


main()
