"""The palette, and the resting light of one hole.

Nothing here knows a game or a clock: a light is an integer function of the seeds, the claim, the flags
and the time given. Colours are R G B at full scale (0..255), which stands for an LED's drive: linear light.
docs/lights.json says the same for programs, docs/lights.md for people.
"""

# Seven colours for 1..7 seeds and again from 8: the more seeds, the lighter. Found by search: as sent at the default
# brightness, and breathing down to 60 %, no two of all these are nearer than tests/test_palette.py says.
COLOURS = bytes((0, 0, 47, 31, 5, 0, 0, 30, 24, 95, 0, 254, 80, 54, 0, 28, 120, 199, 105, 243, 0))
NAMES = ("night", "ember", "pond", "violet", "honey", "sky", "leaf")
OWNERS = bytes((167, 60, 50, 0, 234, 114))  # South coral, North mint: claims, results, hands
FAULT = bytes((172, 6, 60))
WHITE = bytes((123, 119, 102))  # glints: no brighter than a hole may be if all are
BRIGHT = bytes((220, 213, 184))  # answers to touches, over whatever is there
BRIGHTNESS = 146  # the strip's default, of 255, for which the colours were found

# Flags of a hole at rest.
LEGAL = 1  # a human mover may choose it
END = 2  # the last move ended here
START = 4  # the last move started here; shown only with TWICE, since one glint means the end
TWICE = 8  # take-back is on: the start glints twice
DEAD = 16  # its pad is out of order
SOUTHS = 32  # it lies in North's half, but is South's territory;
NORTHS = 64  # the other way round

CYCLE = 2000  # the slow clock; two of its cycles make the 0..3999 of `clock`
OWNER_MS = 600  # the first part of a cycle belongs to claims, glints and blinks
FADE_MS = 100  # the end of that part, in which the owner's colour fades into the count
GLINT_MS = 120
GLINT_2 = 250  # when the second glint begins
BLINK_MS = 120
TERRITORY_MS = 250  # in the cycles of the blink: from then until OWNER_MS the owner of a territory shows
DIP_MS = 150
DIP_1, DIP_2, DIP_3 = 850, 1200, 1550
DIP = 102  # 40 % of 256
BREATH_MIN = 154  # 60 %


def _breath():
    """256 at the start of a cycle, BREATH_MIN in its middle, in 100 steps; less one, to fit a byte.

    A cosine after Bhaskara, in integers. It is highest where a cycle begins and lowest between the first
    dip and the second: so it falls before the first and rises after it, and adds no turn of its own to the light.
    """
    table = bytearray(100)
    for i in range(100):
        u = i if i < 50 else 100 - i
        v = u if u <= 25 else 50 - u
        cosine = (2500 - 4 * v * v) * 1000 // (2500 + v * v)
        if u > 25:
            cosine = -cosine
        table[i] = BREATH_MIN - 1 + ((256 - BREATH_MIN) * (1000 + cosine) + 1000) // 2000
    return bytes(table)


BREATH = _breath()


def owner_of(mark):
    """The owner of the claim in a game's `marks[h]`, or -1."""
    return (mark >> 2 & 3) - 1


def swell(x, ms):
    """Up and down again, 0..256, within ms."""
    if x <= 0 or x >= ms:
        return 0
    x += x
    return (x if x < ms else ms + ms - x) * 256 // ms


class Rest:
    """The resting light of any hole at one instant: `set(clock)`, then `hole(...)` for each."""

    def __init__(self):
        self.dips = [256] * 5  # levels: of counts with 0, 1, 2, 3 dips, and of 29 and more
        self._breath = 256
        self._claim = 0  # how much of the owner's colour shows, 0..256
        self._ground = 0  # ... of the colour of a territory's owner
        self._glint = 0  # 1, 2: the first, the second glint; 3: its lengthening
        self._blink = False

    def set(self, clock, dips):
        """The instant: `clock` 0..3999 ms; `dips` False for counts by their colour alone. Two instants of the same
        answer (a whole number) differ in nothing but breathing."""
        c = clock % CYCLE
        dip = -1
        if dips and c >= DIP_1:
            if c < DIP_1 + DIP_MS:
                dip = 0
            elif DIP_2 <= c < DIP_2 + DIP_MS:
                dip = 1
            elif DIP_3 <= c < DIP_3 + DIP_MS:
                dip = 2
        for i in range(4):
            self.dips[i] = DIP if 0 <= dip < i else 256
        self.dips[4] = 256 if dip >= 0 else DIP
        self._breath = BREATH[c // 20] + 1
        fade = OWNER_MS - c
        self._claim = 0 if fade <= 0 else 256 if fade >= FADE_MS else fade * 256 // FADE_MS
        self._ground = self._claim if clock >= CYCLE + TERRITORY_MS else 0
        self._glint = 0
        if clock < GLINT_MS:
            self._glint = 1
        elif GLINT_2 <= clock < GLINT_2 + GLINT_MS:
            self._glint = 2
        elif GLINT_2 + GLINT_MS <= clock < GLINT_2 + 2 * GLINT_MS:
            self._glint = 3
        self._blink = CYCLE <= clock < CYCLE + BLINK_MS
        key = self._claim + (dip + 1 << 11) + (self._glint << 13)
        return key + (1024 if self._ground else 0) + (32768 if self._blink else 0)

    def hole(self, out, i, seeds, owner, flags):
        """Write R G B to out[i:i + 3]: `seeds` in it, `owner` of its claim (-1: none), and its flags."""
        if self._blink and flags & DEAD:
            out[i] = FAULT[0]
            out[i + 1] = FAULT[1]
            out[i + 2] = FAULT[2]
            return
        if self._glint and flags & (END | START):
            # The start needs TWICE; where the move ended in its start hole the second glint lasts twice as long.
            start = flags & TWICE and flags & START
            end = flags & END
            if (end and self._glint == 1) or (start and (end or self._glint != 3)):
                out[i] = WHITE[0]
                out[i + 1] = WHITE[1]
                out[i + 2] = WHITE[2]
                return
        r = g = b = 0
        if seeds:
            at = (seeds - 1) % 7 * 3 if seeds < 29 else 18
            r = COLOURS[at]
            g = COLOURS[at + 1]
            b = COLOURS[at + 2]
            level = self.dips[(seeds - 1) // 7 if seeds < 29 else 4]
        else:
            level = 256
        w = 0
        if owner >= 0:
            w = self._claim
        elif flags >= SOUTHS:
            w = self._ground
            owner = 1 if flags & NORTHS else 0
        if w:
            # An owner's colour is steady; the count it fades into has its own level.
            if flags & LEGAL:
                level = level * self._breath >> 8
            v = (256 - w) * level >> 8
            at = 3 * owner
            r = (r * v + OWNERS[at] * w + 255) >> 8
            g = (g * v + OWNERS[at + 1] * w + 255) >> 8
            b = (b * v + OWNERS[at + 2] * w + 255) >> 8
            level = 256
        elif flags & LEGAL:
            level = level * self._breath >> 8
        # Rounded up: a channel that is lit stays lit, or colours would turn into one another.
        out[i] = (r * level + 255) >> 8
        out[i + 1] = (g * level + 255) >> 8
        out[i + 2] = (b * level + 255) >> 8
