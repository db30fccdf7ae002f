"""Copy dist/CIRCUITPY to the drive of a board, so that it plays before, after, and when the copying is cut short.

python3 -m tools.deploy [--to FOLDER] [--yes] [--anyway]

First the new files are written beside the old ones, forced to the drive and read back; only then they take their
places, code.py last. The owner's settings.toml stays as it is. What came with an earlier bundle (gebeta-files.txt names
it) is replaced and taken away without a question; anything else that would be lost is asked about.
"""

import argparse
import errno
import glob
import os
import re
import shutil
import string
import sys
import tomllib
import zlib
from pathlib import Path

from tools.bundle import CLUSTER, DIST, LISTING, NAME, SETTINGS
from tools.mpycross import CIRCUITPYTHON

FRESH = ".new"  # behind the name of a file that has yet to take its place
STUB = b'print("Hello World!")\n'  # the code.py of a drive that CircuitPython has just made
# Where a drive called CIRCUITPY is mounted on Linux and macOS.
MOUNTS = (
    "/media/*/CIRCUITPY*",
    "/media/CIRCUITPY*",
    "/run/media/*/CIRCUITPY*",
    "/mnt/CIRCUITPY*",
    "/Volumes/CIRCUITPY*",
)


class Refused(Exception):
    """Nothing was changed, or not everything; says why, and what to do."""


def mounted():
    """The folders of all CIRCUITPY drives that can be seen."""
    found = [folder for pattern in MOUNTS for folder in glob.glob(pattern)]
    if os.name == "nt":
        found = [letter + ":\\" for letter in string.ascii_uppercase[3:]]
    return [Path(folder) for folder in sorted(found) if os.path.isfile(os.path.join(folder, "boot_out.txt"))]


def find(to, anyway):
    """The folder of the drive; Refused unless it is that of a board."""
    if not to:
        drives = mounted()
        if len(drives) != 1:
            what = (
                "No CIRCUITPY drive is mounted"
                if not drives
                else "There are several: " + ", ".join(map(str, drives))
            )
            hidden = (
                ""
                if drives
                else " (An exhibit hides it: hold the pad of hole 0, and only that one, while switching on.)"
            )
            raise Refused("%s. Name the folder: make deploy TO=/path.%s" % (what, hidden))
        return drives[0]
    drive = Path(to)
    if not drive.is_dir():
        raise Refused("TO=%s: there is no such folder" % to)
    if anyway:
        return drive
    told = drive / "boot_out.txt"
    if not told.is_file():
        raise Refused(
            "%s is no CIRCUITPY drive: it has no boot_out.txt. If it is meant: make deploy TO=... ANYWAY=1"
            % drive
        )
    return drive


def check_firmware(drive, anyway):
    """Refused when another CircuitPython, or another board, has written boot_out.txt."""
    if anyway:
        return
    text = (drive / "boot_out.txt").read_text(encoding="utf-8", errors="replace")
    version = re.search(r"CircuitPython (\d+)\.\S*", text)
    if not version or int(version[1]) != CIRCUITPYTHON:
        what = version[0] if version else "no CircuitPython that is known"
        raise Refused("The board runs %s; it wants CircuitPython %d (or ANYWAY=1)" % (what, CIRCUITPYTHON))
    board = re.search(r"Board ID:\s*(\S+)", text)
    if not board or not board[1].startswith("raspberry_pi_pico"):
        what = board[1] if board else "not known"
        raise Refused("The board is %s; wanted is a raspberry_pi_pico (or ANYWAY=1)" % what)


def read_bundle(folder):
    """{path: bytes} of a bundle."""
    if not (folder / LISTING).is_file():
        raise Refused("%s holds no bundle: make bundle" % folder)
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def read_listing(text):
    """{path: set of CRC-32s} of gebeta-files.txt; lines that are none are left out."""
    known = {}
    for line in text.splitlines():
        crc, space, path = line.partition(" ")
        if space and re.fullmatch("[0-9a-f]{8}", crc):
            known.setdefault(path, set()).add(int(crc, 16))
    return known


class Plan:
    """What to do on a drive to bring a bundle onto it: `write` (paths, code.py last but for the listing), `remove`
    (paths), `lost` (path, why: what is neither ours nor the same), `strange` (files in our folders that stay),
    `leftover` (of a deploy that was cut short), `news` (lines about settings)."""

    def __init__(self, drive, bundle):
        self.drive = drive
        self.bundle = bundle
        self.lost = []
        self.news = []
        self.known = self._known()
        on_drive = self._on_drive()
        self.write = [path for path in bundle if self._differs(path)]
        self.write.sort(key=lambda path: (path == LISTING, path == "code.py", path))
        for path in self.write:
            if path in on_drive and not self._ours(path):
                self.lost.append((path, "would be overwritten, and did not come with a bundle"))
        stale = {path for path in on_drive if path in self.known and path not in bundle and path != SETTINGS}
        shading = self._shading(on_drive)
        self.remove = sorted(stale | set(shading))
        for path in self.remove:
            if not self._ours(path):
                why = (
                    "would run instead of %s" % shading[path]
                    if path in shading
                    else "was changed since a bundle brought it"
                )
                self.lost.append((path, why + ": it would be removed"))
        folders = {path.split("/")[0] for path in bundle if "/" in path} - {"lib"}
        if (self.write or self.remove) and LISTING not in self.write:
            self.write.append(LISTING)
        self.leftover = [
            path
            for path in on_drive
            if path.endswith(FRESH) and path[: -len(FRESH)] in {*bundle, *self.known}
        ]
        gone = {*self.remove, *self.leftover, *bundle}
        self.strange = [path for path in on_drive if path.split("/")[0] in folders and path not in gone]
        self._settings(on_drive)

    def _known(self):
        path = self.drive / LISTING
        return read_listing(path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else {}

    def _on_drive(self):
        """The files in the root and in our folders, but hidden ones."""
        folders = {self.drive}
        for path in self.bundle:
            folders |= {self.drive / parent for parent in Path(path).parents}
        folders |= {self.drive / parent for path in self.known for parent in Path(path).parents}
        found = []
        for folder in folders:
            if folder.is_dir():
                found += [
                    p.relative_to(self.drive).as_posix()
                    for p in folder.iterdir()
                    if p.is_file() and p.name[0] != "."
                ]
        return sorted(found)

    def _differs(self, path):
        there = self.drive / path
        if there.is_dir():
            raise Refused("%s is a folder on the drive, and a file of the bundle: move it away" % there)
        if path == SETTINGS and there.is_file() and there.read_bytes().strip():
            return False
        return not there.is_file() or there.read_bytes() != self.bundle[path]

    def _ours(self, path):
        """Whether a file on the drive may go without a question."""
        data = (self.drive / path).read_bytes()
        return (
            path == LISTING
            or not data.strip()
            or (path == "code.py" and data == STUB)
            or zlib.crc32(data) in self.known.get(path, ())
        )

    def _shading(self, on_drive):
        """{path: file of ours} of files that CircuitPython would run or import instead of ours."""
        shading = {}
        for path in self.bundle:
            stem, _, ending = path.rpartition(".")
            others = []
            if ending == "mpy":
                others = [stem + ".py"]
            elif path == "code.py":
                others = ["code.txt"]
            if path.startswith("lib/") and ending in ("py", "mpy"):
                others += [stem[4:] + ".py", stem[4:] + ".mpy"]
            shading.update(
                {other: path for other in others if other in on_drive and other not in self.bundle}
            )
        return shading

    def _settings(self, on_drive):
        if SETTINGS not in on_drive or SETTINGS in self.write:
            return
        owners = (self.drive / SETTINGS).read_text(encoding="utf-8", errors="replace")
        shipped = self.bundle[SETTINGS].decode()
        key = re.compile(r"^#?\s*(GEBETA_[A-Z0-9_]+)\s*=.*$", re.MULTILINE)
        there = set(key.findall(owners))
        new = [match[0] for match in key.finditer(shipped) if match[1] not in there]
        if new:
            self.news.append(
                "settings.toml stays as it is. New settings, with what holds unless you set them:"
            )
            self.news += ["  " + line.lstrip("#") for line in new]
        try:
            says = {"GEBETA_BOARD": "3x6", **tomllib.loads(owners)}
        except tomllib.TOMLDecodeError as error:
            self.news.append(
                "The drive's settings.toml cannot be read (%s): the board will use its defaults." % error
            )
            return
        for name, wanted in tomllib.loads(shipped).items():
            if name.startswith("GEBETA_") and str(says.get(name)) != str(wanted):
                self.news.append(
                    "The drive's settings.toml says %s, and stays so; the bundle was made for %s. Change it there."
                    % (f"{name} = {says[name]}" if name in says else f"nothing of {name}", wanted)
                )

    def needs(self, cluster):
        """How many bytes must be free: all that is written, besides what it takes the place of, and the folders."""
        sizes = [-(-len(self.bundle[path]) // cluster) for path in self.write]
        folders = {
            parent
            for path in self.write
            for parent in Path(path).parents
            if not (self.drive / parent).is_dir()
        }
        return (sum(sizes) + 4 * len(folders) + 4) * cluster


def free_bytes(drive):
    return shutil.disk_usage(drive).free


def cluster_bytes(drive):
    return os.statvfs(drive).f_frsize if hasattr(os, "statvfs") else CLUSTER


# ---- the drive itself


def put(path, data):
    """Write a file and force it to the drive."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def same(path, data):
    """Whether a file holds `data`, as the drive has it, not as this computer remembers it."""
    with open(path, "rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return file.read() == data


def move(old, new):
    os.replace(old, new)


def remove(path):
    os.remove(path)


def settle(folder):
    """Force the names in a folder to the drive, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def carry_out(plan, say):
    """Do what a plan says. Refused when the drive fails, saying what state it is in."""
    drive = plan.drive
    step = "preparing"
    switching = False
    try:
        for path in plan.leftover:
            remove(drive / path)
        # Both bundles are ours until the end: so a second try asks nothing.
        both = sorted({(crc, path) for path, crcs in plan.known.items() for crc in crcs})
        lines = "".join("%08x %s\n" % entry for entry in both) + plan.bundle[LISTING].decode()
        step = "writing " + LISTING
        put(drive / (LISTING + FRESH), lines.encode())
        move(drive / (LISTING + FRESH), drive / LISTING)
        for number, path in enumerate(plan.write, 1):
            step = "writing " + path
            say("%d/%d %s" % (number, len(plan.write), path))
            (drive / path).parent.mkdir(parents=True, exist_ok=True)
            put(drive / (path + FRESH), plan.bundle[path])
        for path in plan.write:
            step = "reading back " + path
            if not same(drive / (path + FRESH), plan.bundle[path]):
                raise Refused(
                    "%s was not written rightly: is the drive worn out? What was there before still runs."
                    % path
                )
        switching = True
        for path in plan.write:
            step = "putting %s in its place" % path
            if path == "code.py":
                _remove_all(plan)
            move(drive / (path + FRESH), drive / path)
        step = "removing old files"
        _remove_all(plan)
        for folder in {(drive / path).parent for path in (*plan.write, *plan.remove)}:
            if folder.is_dir():
                settle(folder)
        for path, data in plan.bundle.items():
            step = "reading back " + path
            if path != SETTINGS and not same(drive / path, data):
                raise Refused("%s is not on the drive as it should be: run make deploy again." % path)
    except OSError as error:
        if not drive.is_dir():
            what = "The drive went away while %s." % step
        else:
            what = "The drive failed while %s (%s)." % (step, error.strerror or error)
        if error.errno == errno.EROFS:
            what += " It cannot be written: an exhibit keeps it to itself; hold the pad of hole 0 while switching on."
        after = (
            "Half is new: run make deploy again."
            if switching
            else "What was there before still runs; run make deploy again."
        )
        raise Refused("%s %s" % (what, after)) from error


def _remove_all(plan):
    for path in plan.remove:
        if (plan.drive / path).is_file():
            remove(plan.drive / path)


def deploy(drive, bundle, confirm, say=print):
    """Bring a bundle onto a drive. `confirm(lines)` is asked before anything is lost."""
    try:
        plan = Plan(drive, bundle)
        for path in plan.strange:
            say("%s is none of the bundle's, and stays" % path)
        for line in plan.news:
            say(line)
        if not plan.write and not plan.remove:
            say("Nothing to do: the drive holds this bundle.")
            return
        cluster = cluster_bytes(drive)
        free = free_bytes(drive) + sum((drive / path).stat().st_size for path in plan.leftover)
        needed = plan.needs(cluster)
    except OSError as error:
        raise Refused(
            "%s cannot be read (%s). Nothing was changed." % (drive, error.strerror or error)
        ) from error
    if free < needed:
        raise Refused(
            "%s has %d bytes free, and %d are needed: nothing was changed. Take something off it."
            % (drive, free, needed)
        )
    if plan.lost and not confirm(["%s %s" % entry for entry in plan.lost]):
        raise Refused("Nothing was changed.")
    carry_out(plan, say)
    size = sum(len(bundle[path]) for path in plan.write)
    say(
        "Done: %d files written (%d bytes) and read back, %d removed. The board starts again by itself."
        % (len(plan.write), size, len(plan.remove))
    )


def ask(lines, yes=False):
    print("\n".join(lines))
    if yes:
        return True
    if not sys.stdin.isatty():
        print("Nobody is there to be asked. If that is all right: make deploy YES=1")
        return False
    return input("Is that all right? [y/N] ").strip().lower() in ("y", "yes")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools.deploy", description=__doc__.splitlines()[0])
    parser.add_argument("--to", help="the folder of the drive; without, it is looked for")
    parser.add_argument("--yes", action="store_true", help="lose what would be asked about")
    parser.add_argument("--anyway", action="store_true", help="any folder, any board, any version")
    options = parser.parse_args(arguments)
    try:
        drive = find(options.to, options.anyway)
        check_firmware(drive, options.anyway)
        print("To %s" % drive)
        deploy(drive, read_bundle(DIST / NAME), lambda lines: ask(lines, options.yes))
    except Refused as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
