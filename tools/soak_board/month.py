"""Days of an exhibit: code.py, unmodified, on the virtual Pico (simulator.machine), with visitors, cloths, broken pads
and power cuts, and what must hold all the while.

A day begins at nine. Visitors come until five; then the museum switches off at the wall, or on some days does not.
"""

import gc
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from hardware.journal import Journal
from simulator import wiring
from simulator.machine import DRY_US, Machine, ProgramError
from table.memory import NAMES, Memory
from table.recall import Recall
from tools import flashes, lights
from tools.soak_board.visitors import Dice, somebody, tap

GAMES = {
    "3x6": "gabata_aksum; sulus_aidi race=1; lame_uweedet; selus_massawa rounds=3",
    "2x12": "lamlameta; lamlameta russ=1",
}

# A pass of the program's loop takes so long, in microseconds: somebody plays; nobody does, but the lights still move;
# nobody is there.
PLAY_US = 20_000
WAIT_US = 100_000
REST_US = 1_000_000

HOUR = 3600
OPEN_S = 8 * HOUR
DAY_S = 24 * HOUR
LOADED_MS = 6_000  # after power-up all is there, and a game goes on
ENDS_MS = 13_000  # no animation is longer
LOOK_MS = 5_600  # what tools.lights looks at, and a little
# Silence leads to attract: after a choice nobody answers, a move, 90 s, the call and the countdown; or a result.
SILENT_MS = 8_000 + ENDS_MS + 90_000 + 22_000 + 20_000 + 5_000
# A pad that is stuck is a touch for so long; a wet one until it has dried.
STUCK_MS = 65_000
MOST_FLASHES = 3
ANSWERS = {"players": 2, "level": 3}  # to these questions, from the first hole on and at the partners
BREATHS = 10  # levels at least of a hole that breathes
FULL = 146  # a channel as sent, at the default brightness
# Blocks of memory that the interpreter may come to hold in a month: what grows by one object a turn is found.
GROWTH = 2_000


def settings(board):
    """Those of the exhibit."""
    return {
        "GEBETA_BOARD": board,
        "GEBETA_MODE": "exhibit",
        "GEBETA_GAMES": GAMES[board],
        "GEBETA_LOG": "1",
    }


def in_rgb(data):
    """The strip's bytes, G R B, as R G B."""
    out = bytearray(data)
    out[0::3], out[1::3] = data[1::3], data[0::3]
    return bytes(out)


class Wrong(Exception):
    """Something did not hold."""


class Month:
    """`days` of them; `tell(seconds)` hears how far it is."""

    def __init__(self, board="3x6", seed=1, tell=None):
        self.board = board
        self.dice = Dice(seed)
        self.tell = tell
        self.n = wiring.holes(board)
        self.rows = [list(row) for row in wiring.ROWS[board]]
        self.leds = wiring.leds(board)
        self.report = Counter()
        self.worst = (0, 0)
        self.blocks = []  # at the end of each day
        self.state = ""
        self.question = ""  # that *choose* asks
        self.computer = -1  # the side that the board plays
        self.position = None
        self.out = set()  # out of order, as the board says
        self.healing = {}  # pad -> when it will be mended, in us
        self.lost = False  # the journal, by a cut inside an erase
        self.counters = None
        self.cuts = True  # whether the power may go while somebody plays
        self._heard = 0
        self._touched_us = 0
        self._doing = "nothing"
        self.machine = Machine(settings=settings(board), virtual=True, seed=seed)
        self.run(LOADED_MS)

    # ---- the visitors' hands

    def down(self, pad, strength=1.0):
        self.machine.touch(pad, strength=strength)

    def up(self, pad):
        self.machine.touch(pad, False)

    def cloth(self, pads):
        self.machine.lay_cloth(*pads)

    def lit(self):
        """What shines; where sides or rings lie around what may be chosen, those holes of it that hold an answer."""
        lit = [hole for hole, color in zip(self.leds, self.machine.rgb(), strict=False) if any(color)]
        if self.question not in ANSWERS:
            return lit
        half = self.n // 2
        places = [hole for hole in range(half) if not {hole, hole + half} <= self.out][
            : ANSWERS[self.question]
        ]
        return [hole for hole in lit if hole % half in places and hole not in self.out]

    def legal(self):
        position = self.position or {"mover": -1}
        return (
            position.get("moves", []) if self.state == "play" and position["mover"] != self.computer else []
        )

    def let_go(self):
        for pad in range(self.n):
            self.up(pad)
        self.cloth([])

    # ---- time

    def run(self, ms, pace=PLAY_US):
        """Lets time pass; False if the power has been cut in the middle of a write."""
        machine = self.machine
        machine.pace_us = pace
        end = machine.t_us + 1000 * ms
        try:
            while machine.t_us < end:
                machine.run((end - machine.t_us) / 1000)
                if machine.nvm.busy:
                    self.cut("in a write" if machine.nvm.busy == "write" else "in an erase")
                    return False
        except ProgramError as error:
            raise Wrong(f"code.py: {error}") from error
        finally:
            self._hear()
        if machine.resets > self.report["nightly resets"]:
            self.report["nightly resets"] += 1
            if machine.reset_reason == "WATCHDOG" or self.state not in ("attract", ""):
                raise Wrong(f"a reset by {machine.reset_reason} in {self.state}")
        return True

    def hurry(self):
        """From a slow pace to that of play: the pass that is under way comes to its end."""
        self.run(REST_US // 1000 + 50)

    def _hear(self):
        machine = self.machine
        if machine.console_count == self._heard:
            return
        text = machine.console
        fresh = text[len(text) - (machine.console_count - self._heard) :]
        if not fresh.endswith("\n"):  # the rest of a line is still to come
            fresh = fresh[: fresh.rfind("\n") + 1]
        self._heard += len(fresh)
        for line in fresh.splitlines():
            if line.startswith("gebeta ready"):
                self.out.clear()
            elif line.startswith('{"state":'):
                said = json.loads(line)
                self.state = said["state"]
                self.question = said.get("question", "")
                if self.state in ("play", "race"):
                    self.computer = 1 - said["person"] if "level" in said else -1
                self.report[f"state {self.state}"] += 1
                if self.state not in ("play", "staff"):  # after the staff all is as it was
                    self.position = None
            elif '"moves":' in line and line.startswith("{"):
                self.position = json.loads(line)
            elif line.startswith('{"pad":'):
                said = json.loads(line)
                (self.out.add if said["out_of_order"] else self.out.discard)(said["pad"])
            elif line.startswith('{"abandoned":"idle"'):
                self.report["games abandoned"] += 1

    # ---- power

    def cut(self, where="anywhere"):
        """The power goes, and comes back after a while."""
        machine = self.machine
        self.report[f"power cuts {where}"] += 1
        if where == "in an erase":
            self.lost = True
        self._flashes()
        machine.power(False)
        self._recount()
        self.let_go()
        machine.run(1000 * (1 + self.dice.below(60)))
        self.switch_on()

    def switch_on(self):
        """And the board goes on with the game, if there was one."""
        machine = self.machine
        game, _ = self._remembered()
        self._forget()
        self.state = ""
        self.position = None
        machine.stop_in = None
        machine.power(True)
        self.report["power-ups"] += 1
        calm = self.calm()
        # Water that touches a pad before all is there is answered first; the rest waits until it has dried.
        if not self.run(LOADED_MS if calm else LOADED_MS + DRY_US // 1000):
            return
        self._recount(up=1)
        game = game and calm
        if game and self.state not in ("play", "race"):
            raise Wrong(f"after a power cut the game does not go on: {self.state or 'nothing'}")
        self.report["games that went on"] += bool(game)

    def _remembered(self):
        """(whether there is a game to go on with, the counters), as read from a copy of the flash."""
        memory = Memory(Journal(bytearray(self.machine.nvm.data)))
        recall = Recall(memory)
        recall.read()
        counters = dict(zip(NAMES, memory.counters, strict=True))
        counters["power_ups"] -= 1  # that was this reading's own
        for name, begun, finished in memory.kinds:
            counters[f"begun {name}"] = begun
            counters[f"finished {name}"] = finished
        return recall.resumes, counters

    def _recount(self, up=0):
        """Counters never fall, but when a cut inside an erase has lost them all."""
        _, now = self._remembered()
        before = self.counters
        if before and not self.lost:
            for name, count in before.items():
                if now.get(name, 0) < count:
                    raise Wrong(f"the counter {name} fell from {count} to {now.get(name, 0)}")
            if now["power_ups"] != before["power_ups"] + up:
                raise Wrong(f"{up} power-ups made {before['power_ups']} into {now['power_ups']}")
            if now["errors"]:
                raise Wrong("the journal has noted an error")
        self.counters = now
        self.lost = self.lost and not up

    # ---- what must hold

    def _forget(self):
        self._hear()
        self.machine.forget()

    def _flashes(self):
        """None too many in the frames since the last time; in pieces that overlap by a second."""
        frames = [(t / 1000, in_rgb(data)) for t, data in self.machine.frames]
        if len(frames) > 1:
            self.report["frames"] += len(frames)
            worst = flashes.worst(frames, self.n, FULL)
            self.worst = tuple(map(max, worst, self.worst))
            if max(worst) > MOST_FLASHES:
                raise Wrong(f"{worst[0]} flashes a second of a hole, {worst[1]} of the board")
        self._forget()

    def calm(self):
        """Whether nothing but fingers touches the pads."""
        wet = any(self.machine.is_wet(pad) for pad in range(self.n))
        return not wet and self.machine.t_us >= self._touched_us

    def touched_by_things(self):
        """Pads will be down without anybody's finger for so long at most."""
        self._touched_us = self.machine.t_us + 1000 * STUCK_MS

    def look(self):
        """After a quiet while the lights say what the engine says."""
        if not self.calm():
            return
        for _ in range(3):
            if not self.run(ENDS_MS, WAIT_US):
                return
            self.hurry()
            self._flashes()
            before = (self.state, self.position, set(self.out))
            if not self.run(LOOK_MS):
                return
            machine = self.machine
            frames = [{"t_us": t, "rgb": machine.decode(data)} for t, data in machine.frames]
            if before == (self.state, self.position, self.out) and self._looks_right(frames):
                self.report[f"lights read in {self.state}"] += 1
                return
        if self.state != "race":  # hands that drop by themselves may go on for 200 drops
            raise Wrong(f"in {self.state} the lights do not come to rest")

    def _looks_right(self, frames):
        if not frames:
            raise Wrong(f"in {self.state} the lights stand still")
        if self.state not in ("play", "choose"):
            if not any(any(color) for frame in frames for color in frame["rgb"]):
                raise Wrong(f"in {self.state} the board is dark")
            return True
        if self.question in ("players", "level"):  # which no count or claim says
            shown = {tuple(frame["rgb"][self.leds.index(0)]) for frame in frames}
            if len(shown) < BREATHS and not self.out & {0}:
                raise Wrong("nothing to choose is to be seen")
            return True
        seen = lights.read(frames)
        if not seen["rest"]:
            return False
        if self.state == "choose":
            if not seen["legal"]:
                raise Wrong("nothing to choose is to be seen")
            return True
        position = self.position
        want = {
            "seeds": ["29+" if seeds > 28 else seeds for seeds in position["seeds"]],
            "claims": position["claims"],
            "legal": self.legal(),
            "faults": sorted(self.out),
        }
        for key, value in want.items():
            if seen[key] != value:
                raise Wrong(f"the lights say {key} {seen[key]}, the engine {value}")
        return True

    def silence(self):
        """Nobody there: it leads to attract."""
        machine = self.machine
        end = max(machine.t_us, self._touched_us) + 1000 * SILENT_MS
        if not self.calm():
            end += DRY_US
        while self.state != "attract":
            if machine.t_us >= end:
                raise Wrong(f"silence does not lead to attract: {self.state}")
            self.run(1000, WAIT_US)
        self.report["silences that led to attract"] += 1

    def begin(self):
        """From attract, taps on lit holes alone lead to a game, one for each question."""
        if self.state != "attract" or not self.calm():
            return
        self.hurry()
        asked = self.report["state choose"]
        for answered in range(5):  # the first one invites; game, players, level
            if self.state in ("play", "race"):
                if self.report["state choose"] - asked != answered - 1 and answered > 1:
                    raise Wrong(
                        f"{answered - 1} taps answered {self.report['state choose'] - asked} questions"
                    )
                self.report["games begun from attract"] += 1
                return
            for _ in range(20):  # a light may be on its way
                if not self.run(600):
                    return
                alive = [hole for hole in self.lit() if not self.machine.pad(hole).fault]
                if alive:
                    break
            else:
                raise Wrong(f"in {self.state} no hole is lit")
            for ms in tap(self, self.dice, self.dice.pick(alive)):
                if not self.run(ms):
                    return
            if not self.run(700):
                return
        raise Wrong(f"lit holes were tapped, and there is no game: {self.state}")

    # ---- the days

    def visit(self):
        """Somebody comes, and goes."""
        dice = self.dice
        who = somebody(dice)
        self._doing = who.__name__
        self.report[f"visitors: {who.__name__}"] += 1
        self.hurry()
        ends = dice.below(40_000) if dice.chance(10) else None  # in the middle of something
        cut = None
        if self.cuts:
            if dice.chance(6):
                self.machine.stop_in = "write"
            if dice.chance(25):
                self.machine.stop_in = "erase"
            cut = dice.below(60_000) if dice.chance(3) else None
        spent = 0
        for ms in who(self, dice):
            spent += ms
            if not self.run(ms):
                break
            if cut is not None and spent >= cut:
                self.cut()
                break
            if ends is not None and spent >= ends:
                break
        self.machine.stop_in = None
        self.let_go()
        self.run(100)
        if who.__name__ in ("carrier", "leaner", "cleaner"):
            self.touched_by_things()
        self._flashes()

    def pads_age(self):
        """Now and then one breaks, or is mended."""
        dice, machine = self.dice, self.machine
        for pad, when in list(self.healing.items()):
            if machine.t_us >= when:
                machine.break_pad(pad, None)
                del self.healing[pad]
                self.touched_by_things()
        if dice.chance(2) and len(self.healing) < 3:
            pad = dice.below(self.n)
            fault = dice.pick(["open", "stuck", "dead", "wet"])
            machine.break_pad(pad, fault)
            self.healing[pad] = machine.t_us + 1_000_000 * (HOUR // 2 + dice.below(20 * HOUR))
            self.touched_by_things()
            self.report["pads broken"] += 1

    def wait(self, seconds, pace=REST_US):
        """Nobody comes for so long."""
        end = self.machine.t_us + 1_000_000 * seconds
        while self.machine.t_us < end:
            if not self.run(min(60_000, (end - self.machine.t_us) / 1000), pace):
                return
            self._forget()
            self._tell()

    def _tell(self):
        if self.tell:
            self.tell(self.machine.t_us / 1e6)

    def hours(self, seconds):
        """Visitors come and go for so long."""
        dice, machine = self.dice, self.machine
        end = machine.t_us + 1_000_000 * seconds
        while machine.t_us < end:
            self.pads_age()
            self.visit()
            self._doing = "what follows a visit"
            what = dice.below(100)
            if what < 25:
                self.look()
            elif what < 60:
                self.silence()
                if what < 40:
                    self.begin()
                    self.look()
            else:
                self.run(1000 * (2 + dice.below(30)), WAIT_US)
            self._flashes()
            self._tell()
            if dice.chance(40):
                self.wait(dice.below(1200))

    def day(self, hours=OPEN_S, off=True, rest=DAY_S - OPEN_S):
        """One day; `off`: the museum is switched off at the wall for the night."""
        self.hours(hours)
        self._doing = "the evening"
        self.silence()
        self._flashes()
        gc.collect()
        self.blocks.append(sys.getallocatedblocks())
        self.report["days"] += 1
        machine = self.machine
        if off:
            machine.power(False)
            self._recount()
            end = machine.t_us + 1_000_000 * rest
            machine.run((end - machine.t_us) / 1000)
            self._tell()
            self.switch_on()
        else:
            self._doing = "the night"
            self.report["nights on"] += 1
            self.wait(rest)
            if self.state != "attract":
                raise Wrong(f"in the morning the board is in {self.state}")

    def month(self, days):
        """So many days; of the last one a part, if so."""
        for index in range(int(days)):
            # Three days and nights with the power on, now and then: the board outlives its 24 hours.
            self.cuts = index % 7 not in (2, 3, 4)
            self.day(off=self.cuts)
        self.grown()
        part = days - int(days)
        if part:
            self.hours(int(part * DAY_S))
            self._doing = "the end"
            self.silence()
        self._flashes()
        self._recount()

    def told(self):
        """What happened, in lines."""
        machine = self.machine
        lines = [f"{count:>9,} {what}" for what, count in sorted(self.report.items())]
        lines += [
            f"{count:>9,} {what} (the journal's counter)" for what, count in (self.counters or {}).items()
        ]
        lines += [f"{machine.nvm.writes:>9,} writes of the flash", f"{machine.nvm.erases:>9,} erases"]
        lines += [
            f"{self.worst[0]:>9} flashes in a second of a hole at the most, {self.worst[1]} of the board"
        ]
        if self.blocks:
            first, last = self.blocks[0], self.blocks[-1]
            lines.append(f"{first:>9,} blocks of memory after the first day, {last:,} after the last")
        return lines

    def grown(self):
        """Raise if the interpreter holds more at the end of each day than before. The first days fill what is
        kept for good."""
        later = self.blocks[3:]
        if len(later) > 5 and min(later[-3:]) - max(later[:3]) > GROWTH:
            raise Wrong(f"memory grows: {self.blocks} blocks at the end of each day")

    def where(self):
        """For the report of a failure."""
        t = self.machine.t_us / 1e6
        return f"day {t / DAY_S:.3f} ({t:.1f} s), {self._doing}, in {self.state or 'no state'}"
