"""The settings of `settings.toml`: read, bounded, and named when they are wrong. A wrong value never leaves a
dead board: one line says which key, which value and what is allowed, and the default is used.
"""

from binascii import crc32

import engine
from engine import is_whole
from table.cues import BRIGHTNESS
from table.settings_pads import read_pads, words

BOARDS = {"3x6": 18, "2x12": 24}

CURRENT_MA = 400
ENTRIES = 7  # games to choose from, each in a colour of its own

# The holes along the strip when it runs to and fro: South's row, back, and along North's.
SERPENTINE = {
    "3x6": bytes((0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 16, 15, 14, 13, 12, 11, 10, 9)),
    "2x12": bytes(range(24)),
}
# ... and when it begins anew at the left of each row, from South's row upwards.
ROWS = {
    "3x6": bytes((0, 1, 2, 3, 4, 5, 15, 16, 17, 8, 7, 6, 14, 13, 12, 11, 10, 9)),
    "2x12": bytes(list(range(12)) + list(range(23, 11, -1))),
}


def read(get, complain):
    """Every setting as an attribute. `get(key)` gives a string, an int or None; `complain(line)` prints.

    What is returned holds nothing else, so that a board can let go of this module, 9 kB of its heap.
    """

    class Settings:
        """The settings of a board."""

    reader = _Reader(get, complain)
    settings = Settings()
    for name in dir(reader):
        if name[0] != "_":
            setattr(settings, name, getattr(reader, name))
    return settings


class _Reader:
    """Reads the settings one by one; those without an underscore are the settings."""

    def __init__(self, get, complain):
        self._get = get
        self._complain = complain
        self.stamp = 0  # a number that stands for all that is set
        self.board = self._one_of("GEBETA_BOARD", ("3x6", "2x12"))
        self.holes = BOARDS[self.board]
        self._hardware()
        self._play()
        self._choose_games()

    def _hardware(self):
        self.led_pin = self._pin("GEBETA_LED_PIN", "GP28")
        self.led_order = self._led_order()
        self.led_colors = self._colors()
        read_pads(self)
        self.brightness = self._number("GEBETA_BRIGHTNESS", BRIGHTNESS, 1, 255)
        self.current_ma = self._number("GEBETA_CURRENT_MA", CURRENT_MA, 100, 5000)
        self.extras = self._extras()

    def _extras(self):
        """What not every board has: (pin of a piezo, its volume, pin of the strip's supply, battery), or None."""
        sound = self._spare_pin("GEBETA_SOUND_PIN", "")
        volume = self._number("GEBETA_VOLUME", 6, 1, 10)
        supply = self._spare_pin("GEBETA_LED_POWER_PIN", sound)
        battery = self._number("GEBETA_BATTERY", 0, 0, 1)
        return (sound, volume, supply, battery) if sound or supply or battery else None

    def _play(self):
        self.drop_ms = self._number("GEBETA_DROP_MS", 180, 60, 1000)
        self.log = self._number("GEBETA_LOG", 0, 0, 1)
        self.selftest = self._number("GEBETA_SELFTEST", 0, 0, 1)
        self.mode = self._one_of("GEBETA_MODE", ("home", "exhibit"))
        self.exhibit = self.mode == "exhibit"
        self.players = self._one_of("GEBETA_PLAYERS", ("ask", "one", "two"))
        self.level = self._number("GEBETA_LEVEL", 0, 0, 3)
        self.takeback = self._number("GEBETA_TAKEBACK", 0 if self.exhibit else 1, 0, 1)
        self.hints = self._number("GEBETA_HINTS", 1, 0, 1)
        self.idle_s = self._number("GEBETA_IDLE_S", 90, 10, 3600)
        self.sleep_min = self._number("GEBETA_SLEEP_MIN", 5, 0, 600)
        self.tap_ms = self._number("GEBETA_TAP_MS", 1000, 200, 5000)

    # ---- one setting

    def _value(self, key):
        """The setting as text, or None where there is none. (CircuitPython before 10.2 gives ints.)"""
        value = self._get(key)
        if value is None:
            return None
        value = str(value).strip()
        self.stamp = crc32(("%s=%s\n" % (key, value)).encode(), self.stamp)
        return value or None

    def _wrong(self, key, value, allowed, used):
        value = value.replace("\n", " ").replace("\r", " ")  # one line, whatever it holds
        self._complain('%s = "%s": allowed is %s; %s is used' % (key, value, allowed, used))

    def _one_of(self, key, allowed):
        value = self._value(key)
        if value is None or value.lower() in allowed:
            return allowed[0] if value is None else value.lower()
        self._wrong(key, value, " or ".join(allowed), allowed[0])
        return allowed[0]

    def _number(self, key, default, low, high):
        value = self._value(key)
        if value is None:
            return default
        if value.lower() in ("true", "false"):
            value = "1" if value.lower() == "true" else "0"
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if low <= number <= high:
            return number
        self._wrong(key, value, "a whole number from %d to %d" % (low, high), default)
        return default

    def _is_pin(self, name):
        digits = name[2:]
        return name[:2] == "GP" and is_whole(digits) and str(int(digits)) == digits and int(digits) <= 28

    def _pin(self, key, default):
        value = self._value(key)
        if value is None or self._is_pin(value.upper()):
            return (value or default).upper()
        self._wrong(key, value, "a pin, GP0 to GP28", default or "none")
        return default

    def _spare_pin(self, key, other):
        """A pin for what not every board has, or "" for none."""
        pin = self._pin(key, "")
        if pin and (pin in self.pad_pins or pin in (self.led_pin, other)):
            self._wrong(key, pin, "a pin that nothing else uses", "none")
            return ""
        return pin

    def _led_order(self):
        """Which hole each pixel of the strip lights."""
        key = "GEBETA_LED_ORDER"
        default = SERPENTINE[self.board]
        value = self._value(key)
        ring = bytes(range(self.holes))
        known = {"serpentine": default, "rows": ROWS[self.board], "ring": ring}
        if value is None or value.lower() in known:
            return default if value is None else known[value.lower()]
        holes = []
        for word in words(value):
            if is_whole(word) and int(word) < self.holes and int(word) not in holes:
                holes.append(int(word))
            else:
                holes = ()
                break
        if len(holes) == self.holes:
            return bytes(holes)
        allowed = "serpentine, rows, ring, or all holes 0 to %d in the order of the pixels" % (self.holes - 1)
        self._wrong(key, value, allowed, "serpentine")
        return default

    def _colors(self):
        value = self._value("GEBETA_LED_COLORS")
        if value is None:
            return "GRB"
        colors = value.upper()
        if "".join(sorted(colors)) in ("BGR", "BGRW"):
            return colors
        self._wrong("GEBETA_LED_COLORS", value, "an order of RGB or of RGBW, such as GRB or GRBW", "GRB")
        return "GRB"

    # ---- games

    def _choose_games(self):
        """`games`: a list of (name, options), of which *choose* has one entry each."""
        key = "GEBETA_GAMES"
        value = self._value(key)
        self.games = []
        for entry in (value or "").split(";"):
            if not entry.strip():
                continue
            try:
                game = self._game(entry)
            except ValueError as error:
                self._complain('%s = "%s": %s; left out' % (key, entry.strip(), error))
                continue
            if len(self.games) == ENTRIES:
                allowed = "at most %d games" % ENTRIES
                self._complain('%s = "%s": allowed is %s; left out' % (key, entry.strip(), allowed))
            else:
                self.games.append(game)
        if self.games:
            return
        if value is not None:
            self._complain("%s: no game is left; all games of the board %s are used" % (key, self.board))
        for name in self._fitting()[:ENTRIES]:
            self.games.append((name, {}))

    def _fitting(self):
        """The names of the games of this board."""
        return [name for name in engine.names() if self.board == engine.board_of(name)]

    def _game(self, entry):
        """(name, options) of one entry; ValueError says what would be right."""
        parts = words(entry) or [""]
        name = parts[0]
        board = engine.board_of(name)
        if board != self.board:
            fitting = ", ".join(self._fitting())
            raise ValueError("%s is played on %s; allowed here are %s" % (name, board, fitting))
        options = {}
        for part in parts[1:]:
            option, equals, text = part.partition("=")
            if not equals or option in options:
                raise ValueError("%s: allowed is option=value, each option once" % part)
            options[option] = text
        if options:  # a game without any is not loaded before it is chosen
            engine.find(name).variant(options).whole(options)
        return (name, options)
