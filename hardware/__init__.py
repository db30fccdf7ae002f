"""Pads, lights, sound and supply over CircuitPython's modules. Nothing here knows that there is a game."""
