"""Scripts for the emulated board: what hangs on it, and fingers that tap its holes."""

TAP_MS = 120  # a press and its release; less than 80 ms is no tap yet
PAUSE_MS = 280  # after the same pad's release; a trembling finger is quicker

ADDRESSES = ("0x5a", "0x5b")  # of the MPR121s
ELECTRODES = 12


class BarePins:
    """Pads on bare pins, each with its resistor, in ring order from GP0 upwards."""

    name = "touchio"
    settings = {}

    def __init__(self, holes):
        self.pins = [i if i < 23 else i + 3 for i in range(holes)]

    def board(self):
        return {"pads": {str(pin): {"idle_us": 20, "touch_us": 60, "noise_us": 1} for pin in self.pins}}

    def touch(self, holes, yes):
        return {"pin": [self.pins[hole] for hole in holes], "touched": yes}


class Chips:
    """Pads on the electrodes of two MPR121s, in ring order from the first one's first electrode."""

    name = "mpr121"
    settings = {"GEBETA_PADS": "mpr121"}

    def __init__(self, holes):
        self.holes = holes

    def board(self):
        chip = {"idle": 250, "touched": 205, "noise": 1}
        return {"i2c": {"sda": 20, "scl": 21, "chips": {address: chip for address in ADDRESSES}}}

    def touch(self, holes, yes):
        names = [f"{ADDRESSES[hole // ELECTRODES]}:{hole % ELECTRODES}" for hole in holes]
        return {"electrode": names, "touched": yes}


class Script:
    """A script that grows event by event. Times are milliseconds after the event before."""

    def __init__(self, wiring, seed=1, host="open"):
        self.wiring = wiring
        self.events = []
        self.whole = {
            "strips": [{"pin": 28, "order": "GRB"}],
            "host": host,
            "seed": seed,
            "events": self.events,
            **wiring.board(),
        }

    def wait(self, ms):
        self.events.append({"dt_ms": ms})

    def wait_for(self, text, timeout_ms=20_000):
        self.events.append({"wait_for": text, "timeout_ms": timeout_ms})

    def touch(self, after_ms, *holes):
        self.events.append({"dt_ms": after_ms, **self.wiring.touch(holes, True)})

    def lift(self, after_ms, *holes):
        self.events.append({"dt_ms": after_ms, **self.wiring.touch(holes, False)})

    def tap(self, hole, after_ms=PAUSE_MS, ms=TAP_MS):
        self.touch(after_ms, hole)
        self.lift(ms, hole)

    def host(self, kind):
        self.events.append({"host": kind})

    def type(self, text):
        self.events.append({"type": text})

    def fault(self, chip, kind):
        self.events.append({"chip": ADDRESSES[chip], "fault": kind})

    def power_cut(self, when=True):
        """Now (True), or in the middle of the next "erase"."""
        self.events.append({"power_cut": when})

    def mark(self, name, after_ms=0):
        self.events.append({"dt_ms": after_ms, "mark": name})
