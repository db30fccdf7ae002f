"""Every setting: its default, what it takes, and how a wrong value is named."""

import ast
import io
import os
import re
import tomllib
import types

import pytest
from conftest import ROOT

import engine
from table.cues import BRIGHTNESS
from table.settings import ENTRIES
from table.settings import read as read_settings


def read(**values):
    lines = []
    get = {f"GEBETA_{key}": value for key, value in values.items()}.get
    return read_settings(get, lines.append), lines


def test_defaults():
    s, lines = read()
    assert lines == []
    assert (s.board, s.holes, s.mode, s.exhibit, s.players, s.level) == ("3x6", 18, "home", False, "ask", 0)
    assert (s.takeback, s.hints, s.idle_s, s.sleep_min, s.tap_ms) == (1, 1, 90, 5, 1000)
    assert (s.drop_ms, s.log, s.brightness, s.current_ma) == (180, 0, BRIGHTNESS, 400)
    assert s.extras is None
    assert (s.led_pin, s.led_colors, s.pads, s.pad_pull) == ("GP28", "GRB", "touchio", "down")
    assert s.pad_pins == [f"GP{i}" for i in range(18)]
    assert (s.addresses, s.electrodes) == (b"\x5a\x5b", bytes(range(18)))
    assert [name for name, _ in s.games] == [n for n in engine.names() if engine.find(n).BOARD == "3x6"]
    assert all(options == {} for _, options in s.games)


def test_the_large_board():
    s, lines = read(BOARD="2x12")
    assert lines == []
    assert (s.holes, s.games) == (24, [("lamlameta", {})])
    assert s.pad_pins == [f"GP{i}" for i in range(23)] + ["GP26"]
    assert s.led_order == s.electrodes == bytes(range(24))


def test_mpr121_takes_two_pins_and_leaves_the_others_free():
    s, lines = read(PADS="MPR121", LED_PIN="GP3", BOARD="2x12")
    assert lines == []
    assert (s.pads, s.pad_pins, s.led_pin) == ("mpr121", ["GP20", "GP21"], "GP3")
    s, lines = read(PADS="mpr121", MPR121_PINS="gp26 gp27", LED_PIN="GP26")
    assert (s.pad_pins, s.led_pin) == (["GP20", "GP21"], "GP28")
    assert len(lines) == 1
    assert 'GEBETA_LED_PIN = "GP26": allowed is a pin that is no pad\'s' in lines[0]


def test_the_strip_and_the_pads_share_no_pin():
    order = ",".join(f"GP{i}" for i in range(11, 29))
    s, lines = read(PAD_PINS=order)
    assert s.pad_pins == [f"GP{i}" for i in range(18)]
    assert len(lines) == 1
    assert 'GEBETA_LED_PIN = "GP28": allowed is a pin that is no pad\'s' in lines[0]
    s, lines = read(PAD_PINS=order, LED_PIN="GP0")
    assert (s.pad_pins[0], s.led_pin, lines) == ("GP11", "GP0", [])


def test_an_exhibit_takes_nothing_back():
    s, _ = read(MODE="exhibit")
    assert s.exhibit
    assert s.takeback == 0
    s, lines = read(MODE="exhibit", TAKEBACK="1", GAMES="gabata_aksum rounds=3; lame_uweedet")
    assert lines == []
    assert s.takeback == 1
    assert s.games == [("gabata_aksum", {"rounds": "3"}), ("lame_uweedet", {})]
    s, lines = read(MODE="exhibit", BOARD="2x12")
    assert (s.games, lines) == ([("lamlameta", {})], [])


@pytest.mark.parametrize(
    ("board", "order", "holes"),
    [
        ("3x6", "serpentine", [0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 16, 15, 14, 13, 12, 11, 10, 9]),
        ("3x6", "rows", [0, 1, 2, 3, 4, 5, 15, 16, 17, 8, 7, 6, 14, 13, 12, 11, 10, 9]),
        ("3x6", "ring", list(range(18))),
        ("2x12", "serpentine", list(range(24))),
        ("2x12", "rows", list(range(12)) + list(range(23, 11, -1))),
        ("2x12", "Ring", list(range(24))),
        ("3x6", ", ".join(str(h) for h in range(17, -1, -1)), list(range(17, -1, -1))),
    ],
)
def test_the_order_of_the_pixels(board, order, holes):
    s, lines = read(BOARD=board, LED_ORDER=order)
    assert lines == []
    assert list(s.led_order) == holes


GOOD = [
    ("BOARD", "2x12", "board", "2x12"),
    ("BOARD", "2X12", "board", "2x12"),
    ("LED_PIN", "GP27", "led_pin", "GP27"),
    ("LED_PIN", "gp22", "led_pin", "GP22"),
    ("LED_COLORS", "rgb", "led_colors", "RGB"),
    ("LED_COLORS", "GRBW", "led_colors", "GRBW"),
    ("PADS", "touchio", "pads", "touchio"),
    ("PADS", "MPR121", "pads", "mpr121"),
    ("MPR121", "0x5b,0x5A", "addresses", b"\x5b\x5a"),
    ("MPR121", "5A 5B 5C 5D", "addresses", b"\x5a\x5b\x5c\x5d"),
    (
        "MPR121_ELECTRODES",
        " ".join(str(23 - i) for i in range(18)),
        "electrodes",
        bytes(range(23, 5, -1)),
    ),
    ("PAD_PULL", "up", "pad_pull", "up"),
    (
        "PAD_PINS",
        " ".join(f"GP{i}" for i in range(17, -1, -1)),
        "pad_pins",
        [f"GP{17 - i}" for i in range(18)],
    ),
    ("BRIGHTNESS", "255", "brightness", 255),
    ("BRIGHTNESS", 1, "brightness", 1),
    ("CURRENT_MA", "1000", "current_ma", 1000),
    ("SOUND_PIN", "gp27", "extras", ("GP27", 6, "", 0)),
    ("SOUND_PIN", "", "extras", None),
    ("VOLUME", "10", "extras", None),
    ("LED_POWER_PIN", "GP22", "extras", ("", 6, "GP22", 0)),
    ("BATTERY", "1", "extras", ("", 6, "", 1)),
    ("DROP_MS", "60", "drop_ms", 60),
    ("LOG", "1", "log", 1),
    ("LOG", 1, "log", 1),
    ("LOG", "true", "log", 1),
    ("LOG", True, "log", 1),
    ("MODE", "Exhibit", "mode", "exhibit"),
    ("PLAYERS", "two", "players", "two"),
    ("LEVEL", 3, "level", 3),
    ("TAKEBACK", "0", "takeback", 0),
    ("HINTS", "false", "hints", 0),
    ("IDLE_S", " 30 ", "idle_s", 30),
    ("SLEEP_MIN", 0, "sleep_min", 0),
    ("TAP_MS", "1500", "tap_ms", 1500),
    ("TAP_MS", "", "tap_ms", 1000),
    ("GAMES", "", "games", [("gabata_aksum", {}), ("lame_uweedet", {})]),
    (
        "GAMES",
        " lame_uweedet;gabata_aksum claims=any rounds=2 ;",
        "games",
        [("lame_uweedet", {}), ("gabata_aksum", {"claims": "any", "rounds": "2"})],
    ),
]


@pytest.mark.parametrize(("key", "value", "name", "want"), GOOD)
def test_right_values(key, value, name, want):
    s, lines = read(**{key: value})
    assert lines == []
    if (key, value) == ("GAMES", ""):  # all games, whichever there are
        want = [(n, {}) for n in engine.names() if engine.find(n).BOARD == "3x6"]
    assert getattr(s, name) == want


# key, value, attribute, what is used instead, what the line says besides the key and the value
BAD = [
    ("BOARD", "4x6", "board", "3x6", "3x6 or 2x12"),
    ("BOARD", "18", "board", "3x6", "3x6 or 2x12"),
    ("LED_PIN", "28", "led_pin", "GP28", "GP0 to GP28"),
    ("LED_PIN", "GP29", "led_pin", "GP28", "GP0 to GP28"),
    ("LED_PIN", "GP028", "led_pin", "GP28", "GP0 to GP28"),
    ("LED_PIN", "GP3", "led_pin", "GP28", "no pad's"),
    ("LED_ORDER", "zigzag", "led_order", bytes([*range(9), *range(17, 8, -1)]), "serpentine, rows, ring"),
    ("LED_ORDER", "0,1,2", "led_order", bytes([*range(9), *range(17, 8, -1)]), "all holes 0 to 17"),
    ("LED_ORDER", "0 " * 18, "led_order", bytes([*range(9), *range(17, 8, -1)]), "all holes 0 to 17"),
    ("LED_COLORS", "GRBB", "led_colors", "GRB", "GRB"),
    ("LED_COLORS", "white", "led_colors", "GRB", "GRB"),
    ("PADS", "buttons", "pads", "touchio", "touchio or mpr121"),
    ("MPR121", "0x5A", "addresses", b"\x5a\x5b", "two to four different ones of 0x5A"),
    ("MPR121", "0x5A,0x5A", "addresses", b"\x5a\x5b", "two to four different ones of 0x5A"),
    ("MPR121", "0x5A,0x5E", "addresses", b"\x5a\x5b", "two to four different ones of 0x5A"),
    ("MPR121", "90,91", "addresses", b"\x5a\x5b", "two to four different ones of 0x5A"),
    ("MPR121_PINS", "GP21,GP20", "pad_pins", [f"GP{i}" for i in range(18)], "GP20,GP21"),
    ("MPR121_PINS", "GP20,GP23", "pad_pins", [f"GP{i}" for i in range(18)], "SDA and SCL of one I2C"),
    ("MPR121_PINS", "GP20", "pad_pins", [f"GP{i}" for i in range(18)], "SDA and SCL of one I2C"),
    ("MPR121_ELECTRODES", "0,1,2", "electrodes", bytes(range(18)), "18 different electrodes, 0 to 23"),
    ("MPR121_ELECTRODES", "0 " * 18, "electrodes", bytes(range(18)), "18 different electrodes, 0 to 23"),
    (
        "MPR121_ELECTRODES",
        " ".join(str(i) for i in range(7, 25)),
        "electrodes",
        bytes(range(18)),
        "18 different electrodes, 0 to 23",
    ),
    ("PAD_PULL", "sideways", "pad_pull", "down", "down or up"),
    ("PAD_PINS", "GP0,GP1", "pad_pins", [f"GP{i}" for i in range(18)], "18 different pins"),
    ("PAD_PINS", "GP0 " * 18, "pad_pins", [f"GP{i}" for i in range(18)], "18 different pins"),
    ("BRIGHTNESS", "0", "brightness", BRIGHTNESS, "1 to 255"),
    ("BRIGHTNESS", "256", "brightness", BRIGHTNESS, "1 to 255"),
    ("BRIGHTNESS", "0.5", "brightness", BRIGHTNESS, "1 to 255"),
    ("BRIGHTNESS", "bright", "brightness", BRIGHTNESS, "1 to 255"),
    ("CURRENT_MA", "20", "current_ma", 400, "100 to 5000"),
    ("SOUND_PIN", "27", "extras", None, "GP0 to GP28; none is used"),
    ("SOUND_PIN", "GP3", "extras", None, "nothing else uses"),
    ("SOUND_PIN", "GP28", "extras", None, "nothing else uses"),
    ("VOLUME", "11", "extras", None, "1 to 10"),
    ("VOLUME", "0", "extras", None, "1 to 10"),
    ("LED_POWER_PIN", "GP17", "extras", None, "nothing else uses"),
    ("BATTERY", "2", "extras", None, "0 to 1"),
    ("DROP_MS", "-180", "drop_ms", 180, "60 to 1000"),
    ("LOG", "yes", "log", 0, "0 to 1"),
    ("SELFTEST", "on", "selftest", 0, "0 to 1"),
    ("MODE", "museum", "mode", "home", "home or exhibit"),
    ("PLAYERS", "2", "players", "ask", "ask or one or two"),
    ("LEVEL", "4", "level", 0, "0 to 3"),
    ("TAKEBACK", "2", "takeback", 1, "0 to 1"),
    ("HINTS", "on", "hints", 1, "0 to 1"),
    ("IDLE_S", "5", "idle_s", 90, "10 to 3600"),
    ("SLEEP_MIN", "1e3", "sleep_min", 5, "0 to 600"),
    ("TAP_MS", 100, "tap_ms", 1000, "200 to 5000"),
]


@pytest.mark.parametrize(("key", "value", "name", "used", "allowed"), BAD)
def test_wrong_values_are_named_and_the_default_is_used(key, value, name, used, allowed):
    s, lines = read(**{key: value})
    assert getattr(s, name) == used
    assert len(lines) == 1
    assert "\n" not in lines[0]
    for part in (f"GEBETA_{key}", str(value).strip(), allowed):
        assert part in lines[0]


# the setting, the games that are left, and what each line names
GAMES = [
    ("gabata_axum", None, ["gabata_axum", "no game is left"]),
    ("lamlameta", None, ["lamlameta is played on 2x12", "no game is left"]),
    ("lamlameta; gabata_aksum", [("gabata_aksum", {})], ["lamlameta is played on 2x12"]),
    ("gabata_aksum claims=all", None, ["claims=all", "no game is left"]),
    ("gabata_aksum speed=9; lame_uweedet", [("lame_uweedet", {})], ["no option speed"]),
    ("gabata_aksum rounds; lame_uweedet", [("lame_uweedet", {})], ["option=value"]),
    ("gabata_aksum rounds=1 rounds=2; lame_uweedet", [("lame_uweedet", {})], ["each option once"]),
    ("gabata_aksum rounds=-1; lame_uweedet", [("lame_uweedet", {})], ["rounds=-1"]),
    (",; lame_uweedet", [("lame_uweedet", {})], ["no game"]),
    (
        "; ".join(["gabata_aksum"] * (ENTRIES + 1)),
        [("gabata_aksum", {})] * ENTRIES,
        ["at most 7 games"],
    ),
]


@pytest.mark.parametrize(("value", "games", "named"), GAMES)
def test_wrong_games_are_left_out(value, games, named):
    s, lines = read(GAMES=value)
    if games is None:
        games = [(n, {}) for n in engine.names() if engine.find(n).BOARD == "3x6"]
    assert s.games == games
    assert len(lines) == len(named)
    for line, part in zip(lines, named, strict=True):
        assert "GEBETA_GAMES" in line
        assert part in line


def test_no_two_things_have_one_pin():
    s, lines = read(SOUND_PIN="GP27", LED_POWER_PIN="GP27", VOLUME="3")
    assert s.extras == ("GP27", 3, "", 0)
    assert len(lines) == 1


def test_several_wrong_values_are_all_named():
    _, lines = read(BOARD="9x9", TAP_MS="x", GAMES="chess; go")
    assert len(lines) == 5


def test_settings_toml_names_every_setting_with_its_default():
    """settings.toml is the list of settings; a line in a comment shows the default, and must parse as it."""
    with open(os.path.join(ROOT, "settings.toml")) as file:
        text = file.read()
    shown = tomllib.loads(re.sub(r"^#(GEBETA_)", r"\1", text, flags=re.MULTILINE))
    used = set()

    defaults = read_settings(used.add, print)
    assert shown.pop("CIRCUITPY_HEAP_START_SIZE") == 100 * 1024  # CircuitPython's own
    assert set(shown) == used
    shown.pop("GEBETA_GAMES")
    lines = []
    read_back = read_settings(shown.get, lines.append)
    assert lines == []
    for name, value in vars(defaults).items():
        if name != "stamp":
            assert getattr(read_back, name) == value, name


@pytest.mark.parametrize("value", ["GP\u00b2", "GP\u0663", "GP\uff10"])
def test_digits_of_other_scripts_are_no_pins(value):
    said = []
    settings = read_settings({"GEBETA_LED_PIN": value, "GEBETA_PAD_PINS": value}.get, said.append)
    assert settings.led_pin == "GP28"
    assert len(said) == 2


@pytest.mark.parametrize(
    ("pins", "right"),
    [("GP0,GP1", 1), ("GP2,GP3", 1), ("GP4,GP1", 1), ("GP26,GP27", 1), ("GP0,GP3", 0), ("GP1,GP0", 0)],
)
def test_sda_and_scl_belong_to_one_i2c(pins, right):
    s, lines = read(PADS="mpr121", MPR121_PINS=pins)
    assert s.pad_pins == (pins.split(",") if right else ["GP20", "GP21"])
    assert len(lines) == 1 - right


@pytest.mark.parametrize("value", ["\u00b2", "0,1,\u00b2"])
def test_digits_of_other_scripts_are_no_holes(value):
    said = []
    assert list(read_settings({"GEBETA_LED_ORDER": value}.get, said.append).led_order)[:8] == [
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    assert len(said) == 1


def test_a_value_of_two_lines_is_named_in_one():
    _, lines = read(MODE="a\nb")
    assert len(lines) == 1
    assert "\n" not in lines[0]


def reader(content, getenv, complain):
    """code.py's way to the settings, with a settings.toml of these bytes (None: there is no such file)."""

    def opened(path, mode):
        assert (path, mode) == ("/settings.toml", "rb")
        if content is None:
            raise OSError(2, "no such file")
        return io.BytesIO(content)

    with open(os.path.join(ROOT, "code.py")) as file:
        parts = ast.parse(file.read()).body
    part = next(part for part in parts if isinstance(part, ast.FunctionDef) and part.name == "reader")
    names = {"open": opened, "os": types.SimpleNamespace(getenv=getenv)}
    exec(compile(ast.Module([part], []), "code.py", "exec"), names)
    return names["reader"](complain)


@pytest.mark.parametrize(
    ("content", "asked"),
    [
        (None, ["A", "B", "C"]),
        (b"", ["A", "B", "C"]),
        (b'A = "1"\n#B = "2"\n\n  C="3"\n', ["A", "C"]),
        (b"# caf\xe9\nA = 1\n\xff\xfe = 3\n[x\n=\nB", ["A", "B"]),  # no UTF-8, and no TOML
    ],
)
def test_only_what_settings_toml_sets_is_looked_for(content, asked):
    seen = []
    get = reader(content, lambda key: seen.append(key) or key.lower(), None)
    assert [get(key) for key in "ABC"] == [key.lower() if key in asked else None for key in "ABC"]
    assert seen == asked


def test_a_value_that_is_no_utf_8_is_named_and_the_default_is_used():
    def getenv(key):
        if key == "GEBETA_GAMES":
            raise UnicodeError
        return "exhibit"

    said = []
    content = b'GEBETA_GAMES = "caf\xe9"\nGEBETA_MODE = "exhibit"\n'
    settings = read_settings(reader(content, getenv, said.append), said.append)
    assert settings.exhibit
    assert len(settings.games) > 1
    assert len(said) == 1
    assert said[0].startswith("GEBETA_GAMES: ")
    assert "UTF-8" in said[0]
