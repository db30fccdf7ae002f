"""make deploy, onto a folder that stands for the drive: nothing of the owner's is lost, and it may be cut short."""

import builtins
import errno
import os
import re
import shutil
import zlib
from pathlib import Path

import pytest

from tools import bundle, deploy

BOOT_OUT = (
    "Adafruit CircuitPython 10.2.1 on 2026-01-01; Raspberry Pi Pico\nBoard ID:raspberry_pi_pico\nUID:0\n"
)
OLD = {
    "code.py": b"import table.play # 1",
    "table/play.py": b"one",
    "table/gone.py": b"gone",
    "engine/same.py": b"same",
    "settings.toml": b'GEBETA_BOARD = "3x6"\n#GEBETA_LOG = 0\n',
}
NEW = {
    "code.py": b"import table.play # 2",
    "table/play.py": b"two",
    "table/more.py": b"more",
    "engine/same.py": b"same",
    "lib/neopixel.py": b"pixel",
    "settings.toml": b'GEBETA_BOARD = "3x6"\n#GEBETA_LOG = 0\n#GEBETA_SOUND_PIN = ""\n',
}


def listed(files):
    return {**files, "gebeta-files.txt": bundle.listing(files).encode()}


def lay(folder, files):
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def read(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(autouse=True)
def forced(monkeypatch):
    """What was forced to the drive: the size of each file, at the moment it was."""
    sizes = []
    monkeypatch.setattr(os, "fsync", lambda handle: sizes.append(os.fstat(handle).st_size))
    return sizes


@pytest.fixture
def drive(tmp_path):
    """A drive that an earlier bundle and its owner have written."""
    files = {
        **listed(OLD),
        "boot_out.txt": BOOT_OUT.encode(),
        "photo.jpg": b"mine",
        "lib/other.mpy": b"mine too",
    }
    return lay(tmp_path / "CIRCUITPY", files)


def never(lines):
    raise AssertionError("asked: %s" % lines)


def expected(new=NEW):
    """The drive with another bundle on it: what is the owner's has stayed."""
    kept = {"settings.toml": OLD["settings.toml"], "photo.jpg": b"mine", "lib/other.mpy": b"mine too"}
    return {**listed(new), **kept, "boot_out.txt": BOOT_OUT.encode()}


def test_a_bundle_replaces_the_last_one_and_asks_nothing(drive):
    said = []
    deploy.deploy(drive, listed(NEW), never, said.append)
    assert read(drive) == expected()
    assert '  GEBETA_SOUND_PIN = ""' in said  # a setting that the owner's file does not know
    assert not [line for line in said if "GEBETA_LOG" in line]
    assert "1/5 lib/neopixel.py" in said  # what is the same already is not written again
    assert said[-1].startswith("Done: 5 files written")
    said.clear()
    deploy.deploy(drive, listed(NEW), never, said.append)
    assert said[-1] == "Nothing to do: the drive holds this bundle."


def test_each_file_is_forced_to_the_drive_when_it_is_whole(drive, forced):
    deploy.deploy(drive, listed(NEW), never, lambda line: None)
    for path in ("code.py", "table/play.py", "table/more.py", "lib/neopixel.py", "gebeta-files.txt"):
        forced.remove(len(listed(NEW)[path]))


def test_a_new_drive_gets_everything(tmp_path):
    fresh = {"boot_out.txt": BOOT_OUT.encode(), "code.py": b'print("Hello World!")\n', "settings.toml": b""}
    drive = lay(tmp_path / "CIRCUITPY", fresh)
    (drive / "lib").mkdir()
    deploy.deploy(drive, listed(NEW), never, lambda line: None)
    assert read(drive) == {**listed(NEW), "boot_out.txt": BOOT_OUT.encode()}


def test_what_would_be_lost_is_asked_about(drive):
    changes = {
        "table/play.py": b"changed",
        "lib/neopixel.py": b"another",
        "table/gone.py": b"mine",
        "code.txt": b"first",
        "neopixel.mpy": b"shade",
    }
    before = read(lay(drive, changes))
    asked = []
    with pytest.raises(deploy.Refused, match=r"Nothing was changed\."):
        deploy.deploy(drive, listed(NEW), asked.extend, lambda line: None)
    assert read(drive) == before
    assert sorted(line.split(" ")[0] for line in asked) == sorted(changes)
    assert "code.txt would run instead of code.py: it would be removed" in asked
    assert "neopixel.mpy would run instead of lib/neopixel.py: it would be removed" in asked
    deploy.deploy(drive, listed(NEW), lambda lines: True, lambda line: None)
    assert read(drive) == expected()


def test_sources_give_way_to_compiled_modules_and_back(drive):
    compiled = {
        ("%s.mpy" % path[:-3] if "/" in path and path.endswith(".py") else path): data
        for path, data in NEW.items()
    }
    deploy.deploy(drive, listed(compiled), never, lambda line: None)
    assert read(drive) == expected(compiled)
    deploy.deploy(drive, listed(NEW), never, lambda line: None)
    assert read(drive) == expected()


def test_an_owners_own_game_stays(drive):
    lay(drive, {"engine/games/mine.py": b"my game"})
    new = {**NEW, "engine/games/aksum.py": b"aksum"}
    said = []
    deploy.deploy(drive, listed(new), never, said.append)
    assert read(drive)["engine/games/mine.py"] == b"my game"
    assert "engine/games/mine.py is none of the bundle's, and stays" in said


def test_what_the_owners_settings_say_otherwise_is_told(drive):
    said = []
    new = {**NEW, "settings.toml": b'GEBETA_BOARD = "2x12"\n'}
    deploy.deploy(drive, listed(new), never, said.append)
    assert [line for line in said if "GEBETA_BOARD = 3x6, and stays so; the bundle was made for 2x12" in line]
    said = []
    new = {**NEW, "settings.toml": b'GEBETA_BOARD = "3x6"\nGEBETA_MODE = "exhibit"\n'}
    for _ in range(2):  # at the second one there is nothing to do
        said = []
        deploy.deploy(drive, listed(new), never, said.append)
        assert [
            line
            for line in said
            if "nothing of GEBETA_MODE, and stays so; the bundle was made for ex" in line
        ]
    lay(drive, {"settings.toml": b"GEBETA_BOARD = 3x6"})
    deploy.deploy(drive, listed(NEW), never, said.append)
    assert [line for line in said if "cannot be read" in line]


# ---- cut short

STEPS = ("put", "same", "move", "remove", "settle")


class Cut:
    """Lets `after` steps on the drive go through, then it is gone: half of what is being written is there."""

    def __init__(self, monkeypatch, drive, after, gone=True):
        self.left = after
        self.switched = False
        self.drive = drive
        self.gone = gone
        self.away = drive.with_name("away")
        for name in STEPS:
            monkeypatch.setattr(deploy, name, self.step(name, getattr(deploy, name)))

    def step(self, name, action):
        def stepped(path, *rest):
            if self.left == 0:
                if name == "put":
                    Path(path).write_bytes(rest[0][: len(rest[0]) // 2])
                if self.gone:
                    self.drive.rename(self.away)
                raise OSError(errno.EIO, "Input/output error")
            self.left -= 1
            self.switched |= name == "move" and not str(path).endswith("gebeta-files.txt.new")
            return action(path, *rest)

        return stepped


def runs(files):
    """Whether code.py finds the module that it was written for."""
    return (files["code.py"], files["table/play.py"]) in {
        (OLD["code.py"], OLD["table/play.py"]),
        (NEW["code.py"], NEW["table/play.py"]),
    }


def steps_of_a_whole_deploy(monkeypatch, drive):
    with monkeypatch.context() as patch:
        whole = Cut(patch, drive, 10_000)
        deploy.deploy(drive, listed(NEW), never, lambda line: None)
    return 10_000 - whole.left


def test_a_deploy_cut_short_anywhere_is_mended_by_the_next(monkeypatch, drive, tmp_path):
    copy = shutil.copytree(drive, tmp_path / "copy")
    steps = steps_of_a_whole_deploy(monkeypatch, copy)
    assert steps > 20
    halves = 0
    for after in range(steps):
        shutil.rmtree(copy)
        shutil.copytree(drive, copy)
        with monkeypatch.context() as patch:
            cut = Cut(patch, copy, after)
            with pytest.raises(deploy.Refused, match="The drive went away while") as caught:
                deploy.deploy(copy, listed(NEW), never, lambda line: None)
            cut.away.rename(copy)
        files = read(copy)
        if not cut.switched:
            # nothing that runs has changed
            assert {**files, **OLD} == files
            assert re.search("What was there before still runs|putting .* in its place", str(caught.value))
        halves += not runs(files)
        deploy.deploy(copy, listed(NEW), never, lambda line: None)  # the next asks nothing
        assert read(copy) == expected()
    assert halves == 2  # when the old module and code.py itself would have been next


def test_a_drive_that_fails_is_named(monkeypatch, drive):
    Cut(monkeypatch, drive, 3, gone=False)
    with pytest.raises(
        deploy.Refused,
        match=r"The drive failed while writing .* \(Input/output error\)\. What was there before",
    ):
        deploy.deploy(drive, listed(NEW), never, lambda line: None)


def test_a_drive_that_cannot_be_written_is_named(monkeypatch, drive):
    def put(path, data):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(deploy, "put", put)
    with pytest.raises(deploy.Refused, match="hold the pad of hole 0 while switching on"):
        deploy.deploy(drive, listed(NEW), never, lambda line: None)


def test_a_file_that_is_written_wrongly_never_takes_its_place(monkeypatch, drive):
    right = deploy.put
    monkeypatch.setattr(deploy, "put", lambda path, data: right(path, data.replace(b"two", b"twe")))
    with pytest.raises(deploy.Refused, match=r"table/play\.py was not written rightly"):
        deploy.deploy(drive, listed(NEW), never, lambda line: None)
    assert {**read(drive), **OLD} == read(drive)


def test_too_little_room_is_told_before_anything_is_written(monkeypatch, drive):
    before = read(drive)
    monkeypatch.setattr(deploy, "free_bytes", lambda drive: 5000)
    monkeypatch.setattr(deploy, "cluster_bytes", lambda drive: 512)
    big = {**NEW, "table/play.py": b"2" * 3000}
    with pytest.raises(deploy.Refused, match="has 5000 bytes free, and 7168 are needed: nothing was changed"):
        deploy.deploy(drive, listed(big), never, lambda line: None)
    assert read(drive) == before
    deploy.deploy(drive, listed(NEW), never, lambda line: None)  # 5 files of one cluster, and the folders


# ---- finding the drive


def test_only_the_drive_of_such_a_board_is_taken(tmp_path, drive, monkeypatch):
    assert deploy.find(str(drive), False) == drive
    with pytest.raises(deploy.Refused, match=r"is no CIRCUITPY drive: it has no boot_out\.txt"):
        deploy.find(str(tmp_path), False)
    assert deploy.find(str(tmp_path), True) == tmp_path
    with pytest.raises(deploy.Refused, match="there is no such folder"):
        deploy.find(str(tmp_path / "none"), True)
    monkeypatch.setattr(deploy, "MOUNTS", (str(tmp_path / "CIRC*"),))
    assert deploy.find("", False) == drive
    lay(tmp_path / "CIRCUITPY1", {"boot_out.txt": BOOT_OUT.encode()})
    with pytest.raises(
        deploy.Refused,
        match=r"There are several: .*CIRCUITPY, .*CIRCUITPY1\. Name the folder: make deploy TO=",
    ):
        deploy.find("", False)
    monkeypatch.setattr(deploy, "MOUNTS", ())
    with pytest.raises(deploy.Refused, match="No CIRCUITPY drive is mounted"):
        deploy.find("", False)


@pytest.mark.parametrize(
    ("told", "named"),
    [
        (BOOT_OUT.replace("10.2.1", "9.2.4"), r"runs CircuitPython 9\.2\.4; it wants CircuitPython 10"),
        (BOOT_OUT.replace("raspberry_pi_pico", "feather_m4"), "The board is feather_m4"),
        ("", "no CircuitPython that is known"),
    ],
)
def test_another_firmware_is_refused(drive, told, named):
    deploy.check_firmware(drive, False)
    (drive / "boot_out.txt").write_text(told)
    with pytest.raises(deploy.Refused, match=named):
        deploy.check_firmware(drive, False)
    deploy.check_firmware(drive, True)


def test_from_the_command_line(monkeypatch, drive, tmp_path, capsys):
    monkeypatch.setattr(deploy, "DIST", tmp_path / "dist")
    assert deploy.main(["--to", str(drive)]) == 1
    assert "holds no bundle: make bundle" in capsys.readouterr().err
    lay(tmp_path / "dist" / "CIRCUITPY", listed(NEW))
    lay(drive, {"table/play.py": b"changed"})
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert deploy.main(["--to", str(drive)]) == 1
    assert "make deploy YES=1" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(builtins, "input", lambda question: "")
    assert deploy.main(["--to", str(drive)]) == 1
    monkeypatch.setattr(builtins, "input", lambda question: "y")
    assert deploy.main(["--to", str(drive)]) == 0
    assert read(drive) == expected()


def test_a_listing_that_makes_no_sense_is_no_listing():
    text = "nonsense\n12 a.py\n%08x table/a b.py\n" % zlib.crc32(b"1")
    assert deploy.read_listing(text) == {"table/a b.py": {zlib.crc32(b"1")}}
