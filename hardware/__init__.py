"""Pads and lights over CircuitPython's modules. Nothing here knows that there is a game."""
