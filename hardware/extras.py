"""What not every board has: a piezo, a switch for the strip's supply, a battery. Imported where a setting asks for one.

What cannot be had is said and left out, and the board plays all the same.
"""

import time

import board

FAULTS = (ImportError, AttributeError, ValueError, RuntimeError)


class Extras:
    """`wanted`: (pin of a piezo, its volume, pin of the strip's supply, battery) as the settings have them."""

    def __init__(self, wanted, strip, now, complain):
        sound, volume, supply, battery = wanted
        self.speaker = self._power = None
        if sound:
            try:
                from hardware.sound import Speaker

                self.speaker = Speaker(getattr(board, sound), volume)
            except FAULTS as error:
                complain('GEBETA_SOUND_PIN = "%s": %s; there is no sound' % (sound, error))
        if supply or battery:
            try:
                from hardware.power import Power

                switch = getattr(board, supply) if supply else None
                monitor = board.VOLTAGE_MONITOR if battery else None
                self._power = Power(strip, switch, monitor, now, time.sleep)
            except FAULTS as error:
                complain("GEBETA_LED_POWER_PIN, GEBETA_BATTERY: %s; neither is in use" % error)

    def tick(self, now, awake, touched, note):
        """One pass, after what moves in it has been drawn. `awake`: the board is to shine; `touched`: somebody touches
        it; `note(line)` is told of a battery that is better or worse than it was."""
        if self.speaker:
            self.speaker.tick(now)
        if self._power and self._power.tick(now, awake, touched):
            note('{"battery_mv":%d}' % self._power.mv)
