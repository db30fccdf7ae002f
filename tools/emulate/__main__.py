"""Runs the board's files on an emulated Raspberry Pi Pico, under a real CircuitPython.

    python3 -m tools.emulate --uf2 CIRCUITPYTHON.uf2 [--list] [--measure] [--jobs 2] [--keep FOLDER] [WHAT ...]

A round of every game is played by touches of the pads; what the console tells of each turn, and what tools.lights reads
from the strip, must be what the engine says. Then it is measured what the program takes. WHAT, of --list, picks some.
"""

import argparse
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent.parent))

import engine
from tools.emulate import alone, cuts, exhibit, machine, measure, mishaps, rounds
from tools.emulate.fingers import BarePins, Chips, Script

WHERE = """Which firmware? Say `make emulate UF2=FILE`, FILE being CircuitPython 10 for the Raspberry Pi Pico.
Its page, with the file to download: https://circuitpython.org/board/raspberry_pi_pico/"""
SAY_S = 30  # how often a long run says how far it is


@dataclass
class Check:
    """A round to be played on the emulated board."""

    game: str
    options: dict = field(default_factory=dict)
    wiring: type = BarePins
    rounds: int = 1
    turns: int | None = None  # of the last round; None: all
    looks: int = 8
    mishap: str = ""  # of mishaps.py or cuts.py
    settings: dict = field(default_factory=dict)

    @property
    def name(self):
        words = [self.game, *(f"{key}={value}" for key, value in self.options.items())]
        if self.wiring is not BarePins:
            words.append(self.wiring.name)
        if self.mishap:
            words.append(self.mishap)
        return " ".join(words)

    def words(self):
        return {self.name, *self.name.split()}

    def play(self, run):
        """(what is wrong, what was done) as a list of lines and a text."""
        board = engine.find(self.game).BOARD
        script = Script(self.wiring(measure.BOARDS[board]))
        seed = rounds.shortest(self.game, self.options)
        kind = {**mishaps.KINDS, **cuts.KINDS}.get(self.mishap, rounds.Plan)
        plan = kind(self.game, self.options, script, seed, looks=self.looks)
        if self.mishap:
            plan.play()
        else:
            plan.begin()
            for _ in range(1, self.rounds):
                plan.round()
                plan.go_on()
            plan.most = None if self.turns is None else plan.played + self.turns
            plan.round()
        entry = " ".join([self.game, *(f"{key}={value}" for key, value in self.options.items())])
        settings = {**rounds.SETTINGS, **self.wiring.settings, "GEBETA_GAMES": entry, **self.settings}
        recording = run(self.name, board, settings, script.whole, nvm=getattr(plan, "nvm", None))
        trouble = recording.trouble()
        wrong = (
            [trouble]
            if trouble
            else (mishaps if self.mishap in mishaps.KINDS else rounds).check(plan, recording)
        )
        ending = "to the end" if plan.game.over else "of a round"
        return wrong, f"{plan.played} turns {ending}, {len(plan.looks)} looks at the lights"


CHECKS = [
    Check("lamlameta", looks=10),
    Check("gabata_aksum", {"rounds": "2"}, rounds=2, turns=8),
    Check("sulus_aidi", {"race": "1"}),
    Check("lame_uweedet"),
    Check("sulus_nishtaw"),
    Check("sulus_aidi"),
    Check("selus_massawa"),
    Check("lamlameta", wiring=Chips, turns=24),
    Check("selus_massawa", wiring=Chips),
    Check("lamlameta", {"opening": "right2", "russ": "1"}, turns=24),
    Check("gabata_aksum", {"claims": "any"}, turns=24),
    Check("gabata_aksum", {"claims": "second_turn"}, turns=24),
    Check("lame_uweedet", {"gambit": "0"}, turns=16),
    Check("sulus_nishtaw", {"gambit": "0"}, turns=16),
    Check("sulus_nishtaw", mishap="closed", looks=3),
    Check("sulus_nishtaw", mishap="deaf", looks=3),
    Check("sulus_aidi", wiring=Chips, mishap="faults", looks=3),
    Check("gabata_aksum", mishap="cut", looks=0),
    Check("lame_uweedet", mishap="cut-erase", looks=0),
    Check("sulus_aidi", {"race": "1"}, mishap="cut-race", looks=0),
    Check(
        "selus_massawa",
        mishap="cut-choose",
        looks=0,
        settings={"GEBETA_GAMES": "selus_massawa; gabata_aksum"},
    ),
    Check("gabata_aksum", mishap="staff", looks=2),
]
ALL = CHECKS + exhibit.CHECKS
PARTS = {**measure.PARTS, **alone.PARTS}


class Work:
    """Runs emulated boards, some at a time, and says how far it is."""

    def __init__(self, firmware, folder):
        self.firmware = firmware
        self.folder = folder
        self.bootrom = folder / "bootrom.bin"
        machine.write_bootrom(self.bootrom)
        self.done = 0
        self.all = 0
        self._lock = threading.Lock()
        self._begun = time.monotonic()

    def run(self, name, board, settings, script, cache=False, extra=None, nvm=None):
        folder = self.folder / name.replace(" ", "_")
        folder.mkdir()
        self.say(f"{name} ...")
        last = time.monotonic()

        def watch(recording):
            nonlocal last
            if time.monotonic() - last >= SAY_S and recording.events:
                last = time.monotonic()
                t_us, event = recording.events[-1]
                self.say(f"{name}: {t_us / 1e6:.0f} s of the board's time, {event.get('mark', 'a touch')}")

        return machine.run(
            self.firmware, self.bootrom, folder, board, settings, script, cache, extra, watch, nvm
        )

    def say(self, text):
        with self._lock:
            seconds = round(time.monotonic() - self._begun)
            print(
                f"{seconds // 60:3}:{seconds % 60:02}  {self.done}/{self.all}  {text}",
                file=sys.stderr,
                flush=True,
            )

    def check(self, check):
        began = time.monotonic()
        try:
            wrong, did = check.play(self.run)
        except machine.Failed as error:
            wrong, did = [str(error)], ""
        return self._finished(check.name, wrong, did, began)

    def measure(self, name):
        began = time.monotonic()
        figures, wrong = [], []
        try:
            figures = list({**PARTS, **measure.LONG}[name](self.run))
        except machine.Failed as error:
            wrong = [str(error)]
        return (*self._finished(name, wrong, "measured", began), figures)

    def _finished(self, name, wrong, did, began):
        self.done += 1
        self.say(f"{name}: {'WRONG' if wrong else 'right'}, {time.monotonic() - began:.0f} s")
        return name, wrong, did


def chosen(words):
    """(checks, parts to be measured) that the words pick, or all. ValueError names a word that picks none."""
    if not words:
        return ALL, list(PARTS)
    checks = [check for check in ALL if check.words() & set(words)]
    named = list(PARTS) + list(measure.LONG)
    parts = [name for name in named if name in words]
    known = {word for check in ALL for word in check.words()} | set(named)
    for word in words:
        if word not in known:
            short = sorted(word for word in known if " " not in word or word in named)
            raise ValueError(f"there is no {word!r}, but {', '.join(short)}")
    return checks, parts


def summary(checks, figures):
    """The tables for people."""
    if checks:
        wide = max(len(name) for name, _, _ in checks)
        for name, wrong, did in checks:
            yield f"  {name:<{wide}}  {'WRONG' if wrong else 'right'}  {did}"
        yield ""
    if figures:
        wide = max(len(figure.name) for figure in figures)
        for figure in figures:
            met = "" if figure.met else "  <- not reached"
            yield f"  {figure.name:<{wide}}  {figure.value:>18}  ({figure.goal}){met}"
        yield ""
    for name, wrong, _ in checks:
        for line in wrong:
            yield f"{name}: {line}"


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="make emulate", description="The board's files on an emulated Pico."
    )
    parser.add_argument(
        "what", nargs="*", metavar="WHAT", help="a game, a check or a part to be measured; see --list"
    )
    parser.add_argument("--uf2", metavar="FILE", help="CircuitPython 10 for the Raspberry Pi Pico")
    parser.add_argument("--list", action="store_true", help="say what there is to run")
    parser.add_argument("--measure", action="store_true", help="only measure")
    parser.add_argument("--jobs", type=int, default=2, help="emulated boards at a time (2)")
    parser.add_argument("--keep", metavar="FOLDER", help="leave drives, scripts and recordings there")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join([check.name for check in ALL] + list(PARTS) + list(measure.LONG)))
        return 0
    try:
        checks, parts = ([], list(PARTS)) if options.measure and not options.what else chosen(options.what)
    except ValueError as error:
        print(f"make emulate: {error}", file=sys.stderr)
        return 1
    if not options.uf2:
        print(WHERE, file=sys.stderr)
        return 1
    if not Path(options.uf2).is_file():
        print(f"make emulate: there is no file {options.uf2}\n{WHERE}", file=sys.stderr)
        return 1
    try:
        machine.check_firmware(options.uf2)
    except machine.Failed as error:
        print(f"make emulate: {error}", file=sys.stderr)
        return 1
    folder = Path(options.keep or tempfile.mkdtemp(prefix="gebeta-emulate-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        work = Work(options.uf2, folder)
        work.all = len(checks) + len(parts)
        with ThreadPoolExecutor(max(1, options.jobs)) as pool:
            # The longest first, so that no core is left alone in the end.
            measured = [pool.submit(work.measure, name) for name in reversed(parts)]
            played = [pool.submit(work.check, check) for check in checks]
            results = [future.result() for future in played]
            figures = []
            for future in reversed(measured):
                name, wrong, did, found = future.result()
                results.append((name, wrong, did))
                figures += found
    except (machine.Failed, OSError) as error:
        print(f"make emulate: {error}", file=sys.stderr)
        return 1
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(summary(results, figures)))
    return 1 if any(wrong for _, wrong, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
