"""An exhibit that meets with what must never happen (faults.py), and comes back by itself with the game that was on."""

import itertools
import json
from dataclasses import dataclass

from engine import protocol
from tools.emulate import machine, rounds
from tools.emulate.fingers import BarePins, Script

GAME = "lame_uweedet"
SETTINGS = {**rounds.SETTINGS, "GEBETA_MODE": "exhibit", "GEBETA_GAMES": GAME}
BACK_MS = 25_000  # until the program greets the console again
SWEEP_MS = 1_500

# In the place of code.py: nothing but crashes.
UNWELL = """
import microcontroller
microcontroller.on_next_reset(microcontroller.RunMode.SAFE_MODE)
microcontroller.reset()
"""


@dataclass
class Check:
    """A fault in the middle of a game: the pad whose touch brings it, why the board begins then, the error that it
    remembers (how it starts), and whether the amber light is seen."""

    fault: str
    pad: int
    reason: str
    error: str = ""
    sweep: bool = False

    @property
    def name(self):
        return f"exhibit {self.fault}"

    def words(self):
        return {self.name, *self.name.split()}

    def play(self, run):
        """(what is wrong, what was done) as a list of lines and a text."""
        script = Script(BarePins(18))
        plan = rounds.Plan(GAME, {}, script, 1)
        plan.begin()
        plan.turn()
        script.touch(500, self.pad)
        script.mark("fault")
        script.lift(100, self.pad)
        script.wait_for("gebeta ready", BACK_MS)
        script.wait(rounds.END_MS)
        recording = run(self.name, "3x6", SETTINGS, script.whole, extra=machine.in_front("faults.py"))
        trouble = recording.trouble(fails=True)
        return ([trouble], "") if trouble else (list(self.wrong(recording, plan.game)), self.told(recording))

    def wrong(self, recording, game):
        said = [text for _, text in recording.lines() if text.startswith("{")]
        began = [json.loads(text) for text in said if text.startswith('{"began"')][-1]
        if began["began"] != self.reason:
            yield f"it began by {began['began']}, not by {self.reason}"
        if not 2 <= began["before"] <= 30:
            yield f"it says that it had been up {began['before']} s"
        if said[-1] != rounds.written(protocol.write_position, game):
            yield f"it goes on with {said[-1]}"
        errors = began["errors"]
        if len(errors) != bool(self.error) or not all(text.startswith(self.error) for text in errors):
            yield f"it remembers the errors {errors}, not {self.error or 'none'}"
        if self.sweep:
            since = recording.mark("fault")
            swept = recording.shown(since + 400_000, since + SWEEP_MS * 1000)
            brightest = [max(frame["rgb"][pixel] for frame in swept) for pixel in range(3, 15)]
            colours = {tuple(rgb) for frame in swept for rgb in frame["rgb"]}
            if len(swept) < 30 or any(blue or green > red for red, green, blue in colours):
                yield f"no amber sweep, but {sorted(colours)}"
            if min(brightest)[0] < 50:
                yield f"the sweep passes pixels: {brightest}"

    def told(self, recording):
        since = recording.mark("fault")
        frames = [frame["t_us"] for frame in recording.frames if frame["t_us"] > since]
        _, light = max(itertools.pairwise(frames), key=lambda pair: pair[1] - pair[0])
        ready = [t_us for t_us, text in recording.lines() if "gebeta ready" in text][-1]
        return f"light again {(light - since) / 1e6:.1f} s after it, all loaded {(ready - since) / 1e6:.1f} s"


@dataclass
class Crashes:
    """A board that crashes whenever it begins stays in safe mode in the end, where its drive can be reached."""

    name = "exhibit crashes"

    def words(self):
        return {self.name, *self.name.split()}

    def play(self, run):
        script = Script(BarePins(18))
        script.wait_for("safe mode", 60_000)
        script.wait(3_000)
        recording = run(self.name, "3x6", SETTINGS, script.whole, extra={"code.py": UNWELL})
        trouble = recording.trouble(fails=True)
        wrong = [trouble] if trouble else []
        if recording.end["resets"] != 11:
            wrong.append(f"it was reset {recording.end['resets']} times, not five times two and once")
        return wrong, "in safe mode after 5 restarts"


CHECKS = [
    Check("hang", 1, "watchdog", "watchdog"),
    Check("exception", 2, "software", "AttributeError table/table.py ", sweep=True),
    Check("memory", 3, "software", "MemoryError ", sweep=True),
    Check("safe-mode", 6, "software"),
    Crashes(),
]
