"""Put together what goes onto the board's drive, and check that it will run there.

python3 -m tools.bundle [--board 2x12] [--set "KEY=VALUE ..."] [--mpy-cross PROGRAM] [--uf2 CIRCUITPYTHON.uf2]

Writes dist/CIRCUITPY/, and with --uf2 one file of firmware and drive, dist/gebeta-lights-BOARD.uf2. Nothing is written
when a check fails.
"""

import argparse
import base64
import difflib
import hashlib
import importlib.metadata
import json
import re
import shlex
import shutil
import sys
import tomllib
import zlib
from pathlib import Path

import folder2uf2

from table import settings as board_settings
from tools import devicecheck, mpycross

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
NAME = "CIRCUITPY"
FOLDERS = ("engine", "table", "hardware")
RUN = ("boot.py", "code.py", "safemode.py")  # by CircuitPython itself, which wants them as sources
TOP = (*RUN, "service.py")
REQUIREMENTS = "lib/requirements.txt"
LISTING = "gebeta-files.txt"
SETTINGS = "settings.toml"
PICO = "raspberry_pi_pico"

# A drive that CircuitPython 10.2.1 made on a Pico has 2008 clusters of one sector; it keeps four of them for itself
# (boot_out.txt, /sd with its remark, .fseventsd).
CLUSTER = 512
FIRMWARES = 4
OWNERS = 64 * 1024  # room that stays for the owner's own files
STARTING = {"py": "about five seconds", "mpy": "about three seconds"}  # measured on an emulated Pico


class Failed(Exception):
    """The bundle cannot be made; says why, and what would be right."""


def gather(root=ROOT):
    """{path on the drive: text} of our own sources. A __main__.py, which a PC starts by `python -m`, stays there."""
    paths = [root / name for name in TOP]
    for folder in FOLDERS:
        paths += sorted(p for p in (root / folder).rglob("*.py") if p.name != "__main__.py")
    return {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in paths}


def pins(root=ROOT):
    """{library: version} of lib/requirements.txt."""
    found = {}
    for number, line in enumerate((root / REQUIREMENTS).read_text(encoding="utf-8").splitlines(), 1):
        line = line.partition("#")[0].strip()
        name, pin, version = line.partition("==")
        if line and not pin:
            raise Failed(
                '%s:%d: "%s": each library wants its version, as in name==1.2.3'
                % (REQUIREMENTS, number, line)
            )
        if line:
            found[name.strip()] = version.strip()
    return found


def libraries(sources, root=ROOT):
    """({path on the drive: text}, [(library, licence)]) of what our sources import from the pinned libraries, and those
    from one another. They are taken as pip has put them beside us, byte for byte."""
    files = {}
    licences = []
    pinned = pins(root)
    for name, version in pinned.items():
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            raise Failed(
                "%s is not installed: make bundle does that, or pip install -r %s" % (name, REQUIREMENTS)
            ) from None
        if distribution.version != version:
            raise Failed(
                "%s %s is installed, and %s pins %s" % (name, distribution.version, REQUIREMENTS, version)
            )
        for path in distribution.files:
            if path.suffix == ".py" and ".dist-info" not in path.parts[0]:
                files["lib/" + path.as_posix()] = (name, _intact(path))
            elif "LICENSE" in path.name.upper():
                licences.append((name, _intact(path).decode()))
    shipped = {}
    wanted = devicecheck.unresolved(sources)
    while wanted:
        found = {}
        for module in wanted:
            stem = "lib/" + module.split(".")[0]
            for path, (_, data) in files.items():
                if path not in shipped and (path == stem + ".py" or path.startswith(stem + "/")):
                    found[path] = data.decode()
        shipped.update(found)
        wanted = devicecheck.unresolved({**sources, **shipped}) if found else None
    idle = set(pinned) - {files[path][0] for path in shipped}
    if idle:
        raise Failed(
            "%s: nothing on the board imports %s: take it out" % (REQUIREMENTS, ", ".join(sorted(idle)))
        )
    return shipped, licences


def _intact(path):
    """The bytes of an installed file, when they are those that pip installed."""
    data = path.read_binary()
    digest = base64.urlsafe_b64encode(hashlib.new(path.hash.mode, data).digest()).decode().rstrip("=")
    if digest != path.hash.value:
        raise Failed(
            "%s is not as pip installed it: pip install --force-reinstall -r %s"
            % (path.locate(), REQUIREMENTS)
        )
    return data


def settings_text(template, board, changes):
    """settings.toml for a board, with `changes` ("KEY=VALUE ...", as in a shell) where it shows their defaults."""
    wanted = {}
    for word in shlex.split(changes):
        key, equals, value = word.partition("=")
        if not equals:
            raise Failed("SET: %s: wanted is KEY=VALUE, as in GEBETA_MODE=exhibit" % word)
        wanted[key] = value
    if wanted.setdefault("GEBETA_BOARD", board) != board:
        raise Failed("BOARD is %s, and SET says GEBETA_BOARD=%s: say one" % (board, wanted["GEBETA_BOARD"]))
    lines = template.splitlines()
    known = {}
    for number, line in enumerate(lines):
        found = re.match(r"#?([A-Z][A-Z0-9_]*) = (.*)$", line)
        if found:
            known[found[1]] = (number, found[2])
    for key, value in wanted.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.8)
            right = "did you mean %s?" % near[0] if near else "there are " + ", ".join(known)
            raise Failed("SET: no setting %s: %s" % (key, right))
        number, shown = known[key]
        bare = shown[:1] != '"' and re.fullmatch(r"-?\d+", value)
        lines[number] = "%s = %s" % (key, value if bare else json.dumps(value, ensure_ascii=False))
    text = "\n".join(lines) + "\n"
    complaints = []
    board_settings.read(tomllib.loads(text).get, complaints.append)
    if complaints:
        raise Failed("\n".join(complaints))
    return text


def read_me(board, compiled):
    """The page for whoever opens the drive."""
    page = (ROOT / "tools/drive-read-me.txt").read_text(encoding="utf-8")
    sources = "The sources lie here in full: the board itself compiles them at each start."
    if compiled:
        sources = "The .mpy files are compiled; their sources are in the project's repository."
    versions = ", ".join("%s %s" % pin for pin in pins().items())
    return page % {
        "starting": STARTING["mpy" if compiled else "py"],
        "circuitpython": mpycross.CIRCUITPYTHON,
        "libraries": versions.replace("adafruit-circuitpython-", ""),
        "sources": sources,
        "board": board,
    }


def is_game(path):
    """Games stay sources: a board knows them by their first line, and loads only the one that is played."""
    return path.startswith("engine/games/") and not path.endswith("__init__.py")


def build(board, changes="", mpy_cross=None):
    """{path on the drive: bytes}, checked."""
    if board not in board_settings.BOARDS:
        raise Failed("BOARD=%s: there are %s" % (board, " and ".join(board_settings.BOARDS)))
    files = {SETTINGS: settings_text((ROOT / SETTINGS).read_text(encoding="utf-8"), board, changes).encode()}
    sources = gather()
    shipped, licences = libraries(sources)
    wrong = devicecheck.check({**sources, **shipped}, lambda path: path in sources)
    if wrong:
        raise Failed("\n".join(wrong))
    sources.update(shipped)
    if mpy_cross:
        modules = {path: text for path, text in sources.items() if path not in RUN and not is_game(path)}
        files.update(mpycross.compile_all(mpy_cross, modules))
        sources = {path: text for path, text in sources.items() if path not in modules}
    for path, text in sources.items():
        files[path] = text.encode()
    files["READ-ME.txt"] = read_me(board, bool(mpy_cross)).encode()
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    for name, text in licences:
        licence += "\n%s\n%s\n%s" % (name, "-" * len(name), text)
    files["LICENSE.txt"] = licence.encode()
    files[LISTING] = listing(files).encode()
    return files


def listing(files):
    """A line for each file of a bundle but the settings, which are the owner's: CRC-32 and path."""
    return "".join(
        "%08x %s\n" % (zlib.crc32(files[path]), path) for path in sorted(files) if path != SETTINGS
    )


def clusters(files):
    """How many clusters {path: bytes} takes on the drive, with its folders (but the root, which has its own place)."""
    folders = {}
    for path in files:
        while "/" in path:
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, set()).add(name)
            path = folder
    # 32 bytes for ".", "..", each name, and for each 13 letters of it
    entries = [2 + sum(2 + (len(name) - 1) // 13 for name in names) for names in folders.values()]
    return sum((len(data) + CLUSTER - 1) // CLUSTER for data in files.values()) + sum(
        (32 * n - 1) // CLUSTER + 1 for n in entries
    )


def check_room(files, total):
    """How many bytes stay free on a drive of `total` clusters. They must hold the bundle once more (`make deploy`
    writes the new files beside the old ones before it switches over) and some files of the owner's."""
    used = clusters(files)
    free = (total - FIRMWARES - used) * CLUSTER
    needed = used * CLUSTER + OWNERS
    if free < needed:
        largest = sorted(files, key=lambda path: -len(files[path]))[:5]
        sizes = ", ".join("%s %d" % (path, len(files[path])) for path in largest)
        raise Failed(
            "The bundle takes %d bytes of the drive and leaves %d: wanted are %d, for itself once more and %d for the"
            " owner's files. The largest are %s" % (used * CLUSTER, free, needed, OWNERS, sizes)
        )
    return free


def drive_clusters(profile):
    """The clusters of the drive that CircuitPython makes on a board of folder2uf2."""
    _, start, flash = folder2uf2.BOARDS[profile]
    return folder2uf2.Geometry((flash - start) // folder2uf2.SECTOR).cluster_count


def firmware_board(uf2):
    """Which board of folder2uf2 a firmware is for; Failed unless it is CircuitPython 10."""
    try:
        blocks, _ = folder2uf2.read_uf2(uf2)
    except (OSError, ValueError) as error:
        raise Failed(
            "UF2=%s: %s; wanted is CircuitPython's .uf2 from https://circuitpython.org/board/%s/"
            % (uf2, error, PICO)
        ) from error
    data = b"".join(chunk for _, chunk in sorted(blocks))
    version = re.search(rb"CircuitPython (\d+)\.(\d+)\.", data)
    if not version or int(version[1]) != mpycross.CIRCUITPYTHON:
        what = "CircuitPython %s" % version[1].decode() if version else "no CircuitPython"
        right = "wanted is CircuitPython %d, from https://circuitpython.org/board/%s/" % (
            mpycross.CIRCUITPYTHON,
            PICO,
        )
        raise Failed("UF2=%s is %s: %s" % (uf2, what, right))
    boards = [name for name in folder2uf2.BOARDS if b"\0%s\0" % name.encode() in data]
    if len(boards) != 1:
        raise Failed(
            "UF2=%s is for another board: there are %s" % (uf2, ", ".join(sorted(folder2uf2.BOARDS)))
        )
    return boards[0]


def write(files, folder):
    """Write a bundle where the last one was. The old one goes only when the new one is whole."""
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    for path, data in files.items():
        (fresh / path).parent.mkdir(parents=True, exist_ok=True)
        (fresh / path).write_bytes(data)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools.bundle", description=__doc__.splitlines()[0])
    parser.add_argument("--board", default="3x6", help="3x6 or 2x12")
    parser.add_argument("--set", default="", help='further settings: "GEBETA_MODE=exhibit GEBETA_LOG=1"')
    parser.add_argument("--mpy-cross", help="CircuitPython's own mpy-cross: compile the modules")
    parser.add_argument("--uf2", help="a firmware, to make one file of it and the bundle")
    options = parser.parse_args(arguments)
    try:
        profile = firmware_board(options.uf2) if options.uf2 else PICO
        files = build(options.board, options.set, options.mpy_cross)
        free = check_room(files, drive_clusters(profile))
        write(files, DIST / NAME)
        print(
            "dist/%s: %d files, %d bytes; %d bytes stay free on the drive"
            % (NAME, len(files), sum(map(len, files.values())), free)
        )
        if options.uf2:
            output = DIST / ("gebeta-lights-%s.uf2" % options.board)
            folder2uf2.main(
                ["--board", profile, "--combine", options.uf2, "-o", str(output), str(DIST / NAME)]
            )
            print(
                "Hold the white button of the Pico while plugging it in, and copy dist/%s to the drive RPI-RP2."
                % output.name
            )
    except (Failed, mpycross.WrongMpyCross) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
