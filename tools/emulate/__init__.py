"""The board's files on an emulated Raspberry Pi Pico, under a real CircuitPython: `make emulate UF2=...`."""
