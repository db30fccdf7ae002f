"""The chip's watchdog, why the board has begun, and for how long it has been up.

The watchdog starts the chip anew when it has not been fed for 8 s (the RP2040 counts to 8.388 at most, and has no
gentler way). Only an exhibit has one: in the workshop it would go off while the builder stops at a line of his.
"""

import microcontroller
import supervisor
from watchdog import WatchDogMode

MASK = 0x1FFFFFFF  # milliseconds wrap here
TIMEOUT_S = 8
UPTIME = 2  # of sleep_memory: four bytes from here; safemode.py has those before, mishap.py the one after


def reason():
    """Why the board has begun: "power", "software" or "watchdog"."""
    if supervisor.runtime.run_reason != supervisor.RunReason.STARTUP:
        return "software"  # a reload: the chip still tells of its last reset
    why = microcontroller.cpu.reset_reason
    if why == microcontroller.ResetReason.WATCHDOG:
        return "watchdog"
    return "software" if why == microcontroller.ResetReason.SOFTWARE else "power"


class Watchdog:
    """`exhibit`: whether the chip's watchdog is to watch; `kept`: `alarm.sleep_memory`, which outlives a reset.

    `reason` is why the board has begun, `before` how many seconds it had been up then (0 after a power cut),
    `seconds` how many it has been up now, however often the clock of milliseconds wraps.
    """

    def __init__(self, exhibit, kept, now):
        self._kept = kept
        self._second = now  # when the last whole second ended
        self.reason = reason()
        self.before = 0
        if self.reason != "power":
            for i in range(4):
                self.before |= kept[UPTIME + i] << 8 * i
        self.seconds = 0
        self._keep()
        self._chip = None
        if exhibit:
            self._chip = microcontroller.watchdog
            self._chip.timeout = TIMEOUT_S
            self._chip.mode = WatchDogMode.RESET

    def feed(self):
        """The board is alive. Nothing may take over 2 s from one call to the next."""
        if self._chip:
            self._chip.feed()

    def tick(self, now):
        """The end of a pass of the loop, all parts of which have been through: feeds; True once a second."""
        self.feed()
        if (now - self._second) & MASK < 1000:
            return False
        self._second = (self._second + 1000) & MASK
        self.seconds += 1
        self._keep()
        return True

    def _keep(self):
        for i in range(4):
            self._kept[UPTIME + i] = self.seconds >> 8 * i & 255
