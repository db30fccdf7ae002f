"""The bundle: what lies in it, that it is checked, and that one file of firmware and drive holds the same."""

import os
import re
import stat
import struct
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

import fat12
import pytest

import engine
from table import settings
from tools import bundle, devicecheck, mpycross

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def files():
    return bundle.build("3x6")


@pytest.fixture
def dist(monkeypatch, tmp_path):
    monkeypatch.setattr(bundle, "DIST", tmp_path)
    return tmp_path


def read(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_it_holds_all_that_the_board_runs(files):
    assert {
        "code.py",
        "boot.py",
        "safemode.py",
        "service.py",
        "settings.toml",
        "READ-ME.txt",
        "LICENSE.txt",
        "lib/neopixel.py",
    } <= set(files)
    for folder in ("engine", "engine/games", "table", "hardware"):
        for module in (ROOT / folder).glob("*.py"):
            path = module.relative_to(ROOT).as_posix()
            assert (path in files) == (module.name != "__main__.py")
            assert files.get(path, module.read_bytes()) == module.read_bytes()
    assert not [path for path in files if "__pycache__" in path or path.endswith(".pyc")]


def test_it_runs_alone(tmp_path, files):
    """Nothing of ours is imported from beyond the bundle: all games are made from a copy of it."""
    bundle.write(files, tmp_path / "drive")
    program = "import engine, table.table; print([g for g in engine.names() if engine.make(g)])"
    shown = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path / "drive", capture_output=True, text=True, check=True
    )
    assert "lamlameta" in shown.stdout
    assert "gabata_aksum" in shown.stdout


def test_the_libraries_are_the_pinned_ones(files):
    in_lib = {path.split("/")[1].removesuffix(".py") for path in files if path.startswith("lib/")}
    circup = (ROOT / "lib" / "circup.txt").read_text()
    assert {line for line in circup.splitlines() if line and line[0] != "#"} == in_lib
    for name, version in bundle.pins().items():
        assert name.removeprefix("adafruit-circuitpython-") + " " + version in files["READ-ME.txt"].decode()
        assert name in files["LICENSE.txt"].decode()


def library_root(tmp_path, text):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "requirements.txt").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("# remark\nadafruit-circuitpython-neopixel\n", "requirements.txt:2: .*wants its version"),
        ("adafruit-circuitpython-neopixel==1.0.0\n", "6.4.2 is installed, and .* pins 1.0.0"),
        ("adafruit-circuitpython-nosuch==1.0.0\n", "nosuch is not installed"),
        ("adafruit-circuitpython-neopixel==6.4.2\nmicrodot==2.7.0\n", "imports microdot: take it out"),
    ],
)
def test_a_wrong_list_of_libraries_is_named(tmp_path, text, named):
    with pytest.raises(bundle.Failed, match=named):
        bundle.libraries(bundle.gather(), library_root(tmp_path, text))


def test_a_library_that_is_missing_is_named(tmp_path):
    sources = {"code.py": "import neopixel\nimport adafruit_mpr121\n"}
    shipped, _ = bundle.libraries(sources, library_root(tmp_path, "adafruit-circuitpython-neopixel==6.4.2\n"))
    assert set(shipped) == {"lib/neopixel.py"}
    wrong = devicecheck.check({**sources, **shipped}, lambda path: path in sources)
    assert wrong == [
        "code.py:2: no module adafruit_mpr121 on CircuitPython 10 on a Pico, nor on the drive: "
        "pin the library that has it in lib/requirements.txt, or ship its folder"
    ]


# ---- settings


def test_the_settings_are_those_of_the_board():
    template = (ROOT / "settings.toml").read_text()
    text = bundle.settings_text(
        template, "2x12", """GEBETA_MODE=exhibit GEBETA_LOG=1 GEBETA_GAMES="lamlameta; lamlameta russ=1" """
    )
    assert tomllib.loads(text) == {
        "GEBETA_BOARD": "2x12",
        "GEBETA_MODE": "exhibit",
        "GEBETA_LOG": 1,
        "GEBETA_GAMES": "lamlameta; lamlameta russ=1",
        "CIRCUITPY_HEAP_START_SIZE": 102400,
    }
    changed = [
        pair for pair in zip(template.splitlines(), text.splitlines(), strict=True) if pair[0] != pair[1]
    ]
    assert len(changed) == 4
    assert bundle.settings_text(template, "3x6", "") == template
    assert settings.read(tomllib.loads(text).get, pytest.fail).board == "2x12"


@pytest.mark.parametrize(
    ("board", "changes", "named"),
    [
        ("4x4", "", "BOARD=4x4: there are 3x6 and 2x12"),
        ("3x6", "GEBETA_MOOD=exhibit", "no setting GEBETA_MOOD: did you mean GEBETA_MODE?"),
        ("3x6", "GEBETA_MODE", "wanted is KEY=VALUE"),
        ("3x6", "GEBETA_BOARD=2x12", "BOARD is 3x6, and SET says GEBETA_BOARD=2x12"),
        ("3x6", "GEBETA_DROP_MS=9", "GEBETA_DROP_MS.*allowed is a whole number from 60"),
        ("3x6", "GEBETA_GAMES=lamlameta", "lamlameta is played on 2x12"),
    ],
)
def test_a_wrong_setting_is_named(board, changes, named):
    with pytest.raises(bundle.Failed, match=re.escape(named).replace(r"\.\*", ".*")):
        bundle.build(board, changes)


def test_the_settings_live_through_circuitpythons_reader():
    """It knows strings in one pair of quotes and whole numbers only: nothing else may come of SET."""
    template = (ROOT / "settings.toml").read_text()
    text = bundle.settings_text(template, "3x6", "GEBETA_LED_COLORS=rgb GEBETA_TAP_MS=900")
    for line in text.splitlines():
        assert not line or line[0] == "#" or re.fullmatch(r'[A-Z_]+ = ("[^"\\]*"|-?\d+)', line)


# ---- what the drive holds


def test_the_listing_names_every_file_but_the_settings(files):
    lines = files["gebeta-files.txt"].decode().splitlines()
    assert {line[9:]: int(line[:8], 16) for line in lines} == {
        path: zlib.crc32(data)
        for path, data in files.items()
        if path not in ("gebeta-files.txt", "settings.toml")
    }


def test_the_page_for_whoever_opens_the_drive_is_one_page(files):
    page = files["READ-ME.txt"].decode()
    assert page.isascii()
    assert len(page.splitlines()) <= 50
    assert max(map(len, page.splitlines())) <= 82
    assert "%" not in page
    for name in re.findall(r"\S+\.(?:py|toml|txt)\b", page):
        assert name in files


def test_the_room_on_the_drive_is_counted_in_clusters():
    assert bundle.clusters({}) == 0
    assert bundle.clusters({"a": b"", "b": b"1", "c": b"1" * 512, "d": b"1" * 513}) == 4
    assert bundle.clusters({"a/b/c.py": b"1"}) == 3
    # 2 + 2 x 7 = 16 entries of 32 bytes fill a cluster, one more name makes a second
    names = {"a/%d.py" % i: b"1" for i in range(7)}
    assert bundle.clusters(names) == 7 + 1
    assert bundle.clusters({**names, "a/with a long name of 27.py": b"1"}) == 8 + 2


def test_a_bundle_that_is_too_large_is_refused(files):
    free = bundle.check_room(files, bundle.drive_clusters("raspberry_pi_pico"))
    assert free == (2008 - 4 - bundle.clusters(files)) * 512
    with pytest.raises(bundle.Failed, match=r"The largest are big\.py 400000"):
        bundle.check_room({"big.py": b"1" * 400_000, "small.py": b""}, 1600)


# ---- compiled


def fake_mpy_cross(tmp_path, version, head):
    """A program that answers --version, and writes `head` and the name it was given for each source."""
    path = tmp_path / "mpy-cross"
    path.write_text(
        "#!%s\nimport sys\na = sys.argv[1:]\nif a == ['--version']:\n    print(%r)\nelse:\n"
        "    open(a[3], 'wb').write(%r + a[1].encode())\n" % (sys.executable, version, head)
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


CIRCUITPYTHONS = "CircuitPython 10.2.1 on 2026-01-01; mpy-cross emitting mpy v6.3"


def test_compiled_modules_take_the_place_of_the_sources(tmp_path, files):
    head = b"C\x06\x00\x1f"
    compiled = bundle.build("3x6", mpy_cross=fake_mpy_cross(tmp_path, CIRCUITPYTHONS, head))
    games = {f"engine/games/{name}.py" for name in engine.names()}
    assert {path for path in compiled if path.endswith(".py")} == {
        "code.py",
        "boot.py",
        "safemode.py",
        *games,
    }
    modules = {path for path in files if path.endswith(".py") and path not in bundle.RUN} - games
    assert {path for path in compiled if path.endswith(".mpy")} == {path[:-3] + ".mpy" for path in modules}
    assert compiled["engine/core.mpy"] == head + b"engine/core.py"
    assert "compiled" in compiled["READ-ME.txt"].decode()


@pytest.mark.parametrize(
    ("version", "head", "named"),
    [
        (
            "MicroPython v1.28.0 on 2026-01-01; mpy-cross emitting mpy v6.3",
            b"M\x06\x00\x1f",
            "is MicroPython's",
        ),
        (
            "CircuitPython 9.2.0 on 2025-01-01; mpy-cross emitting mpy v6.3",
            b"C\x06\x00\x1f",
            "is CircuitPython 9's",
        ),
        ("what", b"M\x06\x00\x1f", "makes MicroPython's files"),
        ("what", b"what", "begin with b'what', not with C"),
        ("what", b"", "begin with b'engi', not with C"),
        (CIRCUITPYTHONS, b"C\x05\x00\x1f", "version 5; the board loads version 6"),
        (CIRCUITPYTHONS, b"C\x06\x1c\x1f", "for another machine"),
        (CIRCUITPYTHONS, b"C\x06\x00\x3f", "for another machine"),
    ],
)
def test_another_mpy_cross_is_refused(tmp_path, version, head, named):
    with pytest.raises(mpycross.WrongMpyCross, match=named) as caught:
        mpycross.compile_all(fake_mpy_cross(tmp_path, version, head), {"engine/core.py": ""})
    assert "Needed is the mpy-cross of CircuitPython 10: https://" in str(caught.value)


def test_no_mpy_cross_is_named(tmp_path):
    with pytest.raises(mpycross.WrongMpyCross, match=r"cannot be run \(No such file"):
        mpycross.compile_all(str(tmp_path / "none"), {"a.py": ""})


# ---- one file to flash


def firmware(
    path,
    text=b"Adafruit CircuitPython 10.2.1 on 2026-01-01\0raspberry_pi_pico\0",
    family=0xE48BFF56,
    at=0x10000000,
):
    """A UF2 that looks like a firmware."""
    block = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, at, 256, 0, 1, family) + text.ljust(476, b"\0")
    path.write_bytes(block + struct.pack("<I", 0x0AB16F30))
    return str(path)


def test_one_file_holds_firmware_and_drive(dist, tmp_path):
    fw = firmware(tmp_path / "fw.uf2")
    assert bundle.main(["--board", "2x12", "--uf2", fw, "--set", "GEBETA_LOG=1"]) == 0
    written = read(dist / "CIRCUITPY")
    assert written["settings.toml"] == bundle.build("2x12", "GEBETA_LOG=1")["settings.toml"]
    uf2 = (dist / "gebeta-lights-2x12.uf2").read_bytes()
    assert fat12.image(uf2, 0, 20)[:10] == b"Adafruit C"
    drive = fat12.files(fat12.image(uf2, 0x100000, 0x100000))
    assert {path: data for path, data in drive.items() if path[0] != "."} == written
    assert {path for path in drive if path[0] == "."} == {
        ".fseventsd/no_log",
        ".metadata_never_index",
        ".Trashes",
        ".Trash-1000",
    }


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            {"text": b"MicroPython v1.28.0\0raspberry_pi_pico\0"},
            "is no CircuitPython: wanted is CircuitPython 10",
        ),
        (
            {"text": b"CircuitPython 9.2.0 on\0raspberry_pi_pico\0"},
            "is CircuitPython 9: wanted is CircuitPython 10",
        ),
        ({"text": b"CircuitPython 10.2.0 on\0feather_m4\0"}, "is for another board: there are"),
    ],
)
def test_another_firmware_is_refused(dist, tmp_path, capsys, change, named):
    assert bundle.main(["--uf2", firmware(tmp_path / "fw.uf2", **change)]) == 1
    assert named in capsys.readouterr().err
    assert not (dist / "CIRCUITPY").exists()


def test_what_is_no_uf2_is_refused(dist, tmp_path, capsys):
    (tmp_path / "fw.uf2").write_bytes(b"1" * 512)
    assert bundle.main(["--uf2", str(tmp_path / "fw.uf2")]) == 1
    assert bundle.main(["--uf2", str(tmp_path / "none.uf2")]) == 1
    assert capsys.readouterr().err.count("https://circuitpython.org/board/raspberry_pi_pico/") == 2


def test_a_failed_check_leaves_the_last_bundle(dist, monkeypatch, capsys):
    assert bundle.main([]) == 0
    before = read(dist / "CIRCUITPY")
    sources = bundle.gather()
    monkeypatch.setattr(
        bundle, "gather", lambda: {**sources, "table/a.py": "import enum\n", "table/b.py": "x = (\n"}
    )
    assert bundle.main(["--board", "2x12"]) == 1
    shown = capsys.readouterr().err
    assert "table/a.py:1: no module enum" in shown
    assert "table/b.py:1: '(' was never closed" in shown
    assert read(dist / "CIRCUITPY") == before
    monkeypatch.undo()
    monkeypatch.setattr(bundle, "DIST", dist)
    (dist / "CIRCUITPY" / "old.py").write_text("")
    assert bundle.main(["--board", "2x12"]) == 0
    assert not (dist / "CIRCUITPY" / "old.py").exists()
    assert os.listdir(dist) == ["CIRCUITPY"]
