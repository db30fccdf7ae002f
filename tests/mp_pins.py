"""Stands in for CircuitPython's pins where a MicroPython has none (tests/mp/). Import it before `hardware`."""

import sys


class Pin:
    """A piezo's PWM, a switch, a voltage: whatever is asked of it."""

    def __init__(self, pin, frequency=0, duty_cycle=0, variable_frequency=False):
        self.frequency = frequency
        self.duty_cycle = duty_cycle
        self.value = 30_000

    def switch_to_output(self, value):
        self.value = value


class Module:
    PWMOut = AnalogIn = DigitalInOut = Pin


for name in ("pwmio", "analogio", "digitalio"):
    sys.modules[name] = Module
