"""The virtual board: code.py, unmodified, on a desktop.

machine.py  the Pico: its clock, pads, strip, console, nvm and power, and code.py running on it
shims.py    the CircuitPython modules that Blinka does not have
i2c.py      an I2C bus with MPR121 chips
wiring.py   how the board is put together: which pad and which LED belongs to which hole
server.py   the board in a browser, on this computer only
page/       what the browser shows; texts/ what it says, one file a language

Nothing here knows a game: touches go in as raw pad readings, light comes out as the bytes of the strip.
"""
