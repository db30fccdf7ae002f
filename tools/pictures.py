"""Write docs/lights.json and the pictures of docs/lights.md, all drawn by the lights themselves.

    python3 -m tools.pictures [--check]

`--check` writes nothing and says which files are not what they would become.
"""

import json
import re
import sys
from pathlib import Path

from engine.trace import LAPS, Trace
from hardware.journal import Journal
from table import cues, players
from table.cues import DEAD, END, LEGAL, NORTHS, SOUTHS, START, TWICE
from table.deal import Dealing
from table.lights import Lights
from table.memory import Memory
from table.settings import read
from table.staff import BRIGHTNESS, COUNTERS, GAMES, LEAVE, TEST, WIPE, WIPE_MS, ZERO
from table.table import Table

DOCS = Path(__file__).parent.parent / "docs"


def sent(colour):
    """A colour as the strip sends it at the default brightness."""
    return [((c * cues.BRIGHTNESS + 127) // 255 or 1) if c else 0 for c in colour]


def lights_json():
    """docs/lights.json: the palette and the times, for programs."""
    full = {
        "counts": [list(cues.COLOURS[i : i + 3]) for i in range(0, 21, 3)],
        "owners": [list(cues.OWNERS[:3]), list(cues.OWNERS[3:])],
        "fault": list(cues.FAULT),
        "white": list(cues.WHITE),
        "bright": list(cues.BRIGHT),
    }
    at_default = {
        "counts": [sent(c) for c in full["counts"]],
        "owners": [sent(c) for c in full["owners"]],
        "fault": sent(full["fault"]),
        "white": sent(full["white"]),
        "bright": sent(full["bright"]),
    }
    return {
        "about": "Palette and times of the resting lights; see lights.md. Colours are R, G, B of 255, linear light; "
        "levels are of 256; times are ms on a clock of two cycles: glints in the first, blinks and territories in "
        "the second.",
        "brightness": cues.BRIGHTNESS,
        "full": full,
        "sent": at_default,
        "times_ms": {
            "cycle": cues.CYCLE,
            "owner": cues.OWNER_MS,
            "fade": cues.FADE_MS,
            "glint": cues.GLINT_MS,
            "second_glint": cues.GLINT_2,
            "blink": cues.BLINK_MS,
            "territory": cues.TERRITORY_MS,
            "dip": cues.DIP_MS,
            "dips": [cues.DIP_1, cues.DIP_2, cues.DIP_3],
        },
        "levels": {"dip": cues.DIP, "hint": 110, "breath": [level + 1 for level in cues.BREATH]},
    }


def json_text(data):
    """JSON with each innermost list on one line."""
    text = json.dumps(data, indent=2)
    return re.sub(r"\[([^\[\]]*)\]", lambda found: "[" + " ".join(found[1].split()) + "]", text) + "\n"


# Pictures: SVG, so that they stay small and sharp, and a change of a light is seen in a diff.

WOOD, RIM, DARK, INK, FAINT = "#3b2417", "#593823", "#160d08", "#f3e7d8", "#b59a80"
FONT = 'font-family="Georgia, serif" font-size="15"'
STEP = 20  # ms between two looks at a light


def screen(light):
    """The colour on a screen of an LED's light, which is linear."""
    text = "#"
    for c in light:
        c /= 255
        text += "%02x" % round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))
    return text


def hole(x, y, r, light, animation=""):
    """A hole in the wood, its light and the glow that spills from it."""
    lit = max(light) > 0 or animation
    colour = screen(light) if lit else DARK
    glow = f'<circle cx="{x}" cy="{y}" r="{r * 1.45:.1f}" fill="{colour}" opacity=".22">{animation}</circle>'
    edge = f'stroke="{RIM}" stroke-width="1.5"'
    return (
        glow if lit else ""
    ) + f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}" {edge}>{animation}</circle>'


def svg(width, height, title, body):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{title}</title>\n<rect width="{width}" height="{height}" rx="14" fill="{WOOD}"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def runs(lights):
    """(start, end, light) of a series of looks."""
    start = 0
    for i in range(1, len(lights) + 1):
        if i == len(lights) or lights[i] != lights[start]:
            yield start, i, lights[start]
            start = i


def strips(title, rows, cycles=2):
    """One hole a row, glowing as it does on the board, and beside it the same along time."""
    wide = 260 * cycles
    length = cues.CYCLE * cycles
    body = []
    rest = cues.Rest()
    out = bytearray(3)
    for row, (label, seeds, owner, flags) in enumerate(rows):
        y = 44 + 52 * row
        looks = []
        for t in range(0, length, STEP):
            rest.set(t, True)
            rest.hole(out, 0, seeds, owner, flags)
            looks.append(bytes(out))
        found = list(runs(looks))
        animation = ""
        if len(found) > 1:
            values = ";".join(screen(light) if max(light) else DARK for _, _, light in found)
            times = ";".join(f"{start / len(looks):.3f}".rstrip("0").rstrip(".") for start, _, _ in found)
            animation = (
                f'<animate attributeName="fill" calcMode="discrete" dur="{length}ms" repeatCount="indefinite" '
                f'values="{values}" keyTimes="{times}"/>'
            )
        body.append(f'<text x="20" y="{y + 5}" {FONT} fill="{INK}">{label}</text>')
        body.append(hole(230, y, 15, looks[40], animation))
        body.append(f'<rect x="266" y="{y - 14}" width="{wide}" height="28" fill="{DARK}"/>')
        for start, end, light in found:
            if max(light):
                x = 266 + wide * start / len(looks)
                width = wide * (end - start) / len(looks)
                body.append(
                    f'<rect x="{x:.1f}" y="{y - 14}" width="{width:.1f}" height="28" fill="{screen(light)}" '
                    'shape-rendering="crispEdges"/>'
                )
    y = 44 + 52 * len(rows) - 18
    for second in range(length // 1000 + 1):
        x = 266 + wide * second * 1000 // length
        body.append(f'<text x="{x}" y="{y}" {FONT} fill="{FAINT}" text-anchor="middle">{second} s</text>')
    return svg(300 + wide, y + 18, title, body)


def place(n, h):
    """Column and row of a hole, seen from South."""
    if n == 24:
        return (h, 1) if h < 12 else (23 - h, 0)
    if h < 6:
        return h, 2
    if h < 9:
        return 11 - h, 1
    if h < 15:
        return 14 - h, 0
    return h - 15, 1


def film(title, n, draw, times, captions=None):
    """The board at some instants of `draw(lights, t)`, from left to right."""
    columns, rows = (6, 3) if n == 18 else (12, 2)
    wide, high = 34 * columns + 26, 34 * rows + 26
    across = 3 if n == 18 else 2
    body = []
    lights = Lights(n)
    for i, t in enumerate(times):
        left, top = 20 + i % across * (wide + 16), 20 + i // across * (high + 34)
        lights.clear()
        draw(lights, t)
        body.append(
            f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" rx="16" fill="{RIM}" opacity=".55"/>'
        )
        for h in range(n):
            x, y = place(n, h)
            light = lights._want[3 * h : 3 * h + 3]
            body.append(hole(left + 30 + 34 * x, top + 30 + 34 * y, 12, light))
        caption = captions[i] if captions else f"{t / 1000:g} s"
        at = f'x="{left + wide / 2:g}" y="{top + high + 20}" text-anchor="middle"'
        body.append(f'<text {at} {FONT} fill="{FAINT}">{caption}</text>')
    count = min(across, len(times))
    lines = (len(times) + across - 1) // across
    return svg(24 + count * (wide + 16), 26 + lines * (high + 34), title, body)


def a_move(n, seeds, start, claims=None, **what):
    """A move to look at, of one lap or of `count`."""
    trace = Trace(n, what.pop("room", LAPS))
    trace.marks = bytearray(1 if h >= n // 2 else 0 for h in range(n))
    for h in range(n):
        trace.before[h] = seeds[h]
        trace.landed[h] = seeds[h] ^ 1
    trace.start = start
    trace.count = 1
    for h, count in what.pop("takes", ()):
        trace.take(h, count)
    for key, value in what.items():
        setattr(trace, key, value)
    marks = bytearray(trace.marks)
    for h, owner in (claims or {}).items():
        marks[h] |= 4 * (owner + 1)
    return trace, marks


def move_film(title, move, times, from_end=False):
    """The instants `times` of a move; from its last event's start when `from_end`."""
    trace, marks = move
    n = len(trace.before)
    ready = Lights(n)
    ms = ready.begin(trace, marks)
    times = [ms - t for t in times] if from_end else times

    def draw(lights, t):
        if not lights.moves or lights.moves._trace is not trace:
            lights.begin(trace, marks)
        lights.motion(t, 700)

    return film(title, n, draw, times, [f"{t / 1000:.2f} s" for t in times])


SEEDS = bytes((3, 5, 2, 0, 4, 3, 1, 6, 3, 3, 2, 4, 0, 5, 3, 7, 1, 2))


def rest_film(title, draw, times, n=18, captions=None):
    """`draw` over a position at rest."""
    seeds = SEEDS if n == 18 else bytes(2 if h % 5 else 4 for h in range(n))
    flags = bytearray(n)
    for h in range(n // 2):
        if seeds[h]:
            flags[h] = LEGAL

    def whole(lights, t):
        lights.rest(seeds, bytes(n), flags, 700)
        draw(lights, t, flags)

    return film(title, n, whole, times, captions)


SIDES = bytes(9) + bytes([1]) * 9


def a_thought(lights, t):
    """The computer's turn, as North."""
    lights.rest(SEEDS, bytes(18), bytes(18), 700)
    lights.ripple(1, SEEDS, t)


def asks(lights, answers, person, clock):
    """One of *choose*'s last two questions."""
    row = answers + bytes(9 - len(answers))
    players.draw(lights, row + row, person, clock)


def a_race(lights, moment):
    """Some moments of a race, in which seeds lie as they do."""
    lights.rest((3, 3, 3, 3, 3, 3, 3, 3, 0, 4, 4, 0, 1, 3, 3, 3, 3, 3), SIDES, bytes(18), 700)
    south, north = ((3, 12), (-1, 13), (13, 14))[moment]
    if south >= 0:
        lights.next_drop(south, 0, 0, True)
    lights.next_drop(north, 1, 0, True)


def a_deal(south):
    """Winnings being dealt out: so many holes are South's."""

    def draw(lights, t):
        scene = Dealing(18, lights)
        marks = bytes(int(h >= south if h < 9 else h - 9 < 18 - south) for h in range(18))
        scene.begin(marks, -1)
        lights.film(scene, t, 700)

    return draw


STAFF_WORDS = {
    BRIGHTNESS: "brightness",
    WIPE: "wipe-down",
    GAMES: "games",
    TEST: "self-test",
    COUNTERS: "counters",
    ZERO: "to zero",
    LEAVE: "leave",
}
GAMES_SHOWN = {"3x6": "", "2x12": "lamlameta; lamlameta russ=1; lamlameta opening=right2"}


def staffed(board, item=None, taps=(), after_ms=0):
    """A table whose staff has been let in, has tapped an item, and then other holes; and so long after that."""
    games = GAMES_SHOWN[board]
    settings = read({"GEBETA_BOARD": board, "GEBETA_GAMES": games or None}.get, print)
    table = Table(Lights(settings.holes), settings)
    while table.load():
        pass
    table.memory = Memory(Journal(bytearray(b"\xff" * 4096)))
    now = 0

    def run(ms):
        nonlocal now
        end = now + ms
        while now < end:
            now += 10
            table.tick(now)

    table.corners.open_staff()
    run(700)
    for hole in [*([] if item is None else [item]), *taps]:
        table.press(hole, 100, now)
        run(100)
        table.release(hole, now)
        run(1500)
    run(after_ms or 2000 - now % 2000)  # where what breathes is brightest
    return table


def staff(title, words, table):
    """The board in that moment, its holes with their numbers, and with `words` under some."""
    n = table.n
    columns, rows = (6, 3) if n == 18 else (12, 2)
    wide, high = 92 * columns + 16, 96 * rows + 10
    body = [f'<rect x="20" y="20" width="{wide}" height="{high}" rx="24" fill="{RIM}" opacity=".55"/>']
    small = 'text-anchor="middle" font-family="Georgia, serif" font-size="13"'
    for h in range(n):
        x, y = place(n, h)
        left, top = 20 + 54 + 92 * x, 20 + 42 + 96 * y
        body.append(hole(left, top, 24, table.lights.frame[3 * h : 3 * h + 3]))
        body.append(f'<text x="{left - 36}" y="{top - 18}" {small} fill="{FAINT}">{h}</text>')
        if h in words:
            body.append(f'<text x="{left}" y="{top + 44}" {small} fill="{INK}">{words[h]}</text>')
    return svg(wide + 40, high + 40, title, body)


def pictures():
    """name: SVG of every picture in docs/pictures."""
    names = ["1 night", "2 ember", "3 pond", "4 violet", "5 honey", "6 sky", "7 leaf"]
    before = bytes((3,) * 18)
    late = (700, 550, 400, 250, 100, 0)
    return {
        "counts": strips(
            "one to seven seeds, and none",
            [("none", 0, -1, 0)] + [(x, i + 1, -1, 0) for i, x in enumerate(names)],
            1,
        ),
        "dips": strips(
            "eight seeds and more: dips",
            [
                ("6: no dip", 6, -1, 0),
                ("13: one dip", 13, -1, 0),
                ("20: two dips", 20, -1, 0),
                ("27: three", 27, -1, 0),
            ],
        ),
        "many": strips(
            "twenty-nine and more", [("28: three dips", 28, -1, 0), ("29 and more: rises", 29, -1, 0)]
        ),
        "legal": strips(
            "legal for a human mover", [("4, legal", 4, -1, LEGAL), ("13, legal", 13, -1, LEGAL)]
        ),
        "claim": strips(
            "claims",
            [
                ("4, South's claim", 4, 0, 0),
                ("4, North's claim", 4, 1, 0),
                ("13, North's claim", 13, 1, 0),
                ("empty, South's", 0, 0, 0),
            ],
        ),
        "marks": strips(
            "start and end of the last move",
            [
                ("3, end", 3, -1, END),
                ("empty, start", 0, -1, START | TWICE),
                ("3, start and end", 3, -1, START | TWICE | END),
            ],
        ),
        "territory": strips(
            "territory in the other's half",
            [
                ("3, North's", 3, -1, NORTHS),
                ("13, South's", 13, -1, SOUTHS),
                ("empty, North's", 0, -1, NORTHS),
                ("beside a claim", 3, 1, 0),
            ],
        ),
        "fault": strips(
            "out of order", [("5, out of order", 5, -1, DEAD), ("empty, out of order", 0, -1, DEAD)]
        ),
        "lift": move_film("lift", a_move(18, before, 2), (0, 110, 220, 300, 380, 440)),
        "drop": move_film("drop by drop", a_move(18, before, 2), (440, 540, 640, 740, 840, 980)),
        "skip": move_film(
            "skip",
            a_move(24, bytes((4,) * 10 + (4, 3, 2, 5, 2, 4, 3) + (1,) * 7), 10, skips=1),
            (450, 540, 630, 720, 810, 900),
        ),
        "relay": move_film("relay", a_move(18, before, 2, count=2), (810, 930, 985, 1060, 1150, 1290)),
        "jump": move_film(
            "a turn shown in short",
            a_move(18, before, 2, count=200, room=1),
            (900, 750, 600, 450, 300, 150),
            True,
        ),
        "claimed": move_film(
            "claim", a_move(18, before, 8, {11: 0}, claim=11), (990, 1100, 1240, 1400, 1700, 1990)
        ),
        "take": move_film(
            "take", a_move(18, before, 2, takes=((12, 2),)), (990, 1120, 1223, 1350, 1500, 1690)
        ),
        "bonus": move_film("bonus move", a_move(18, before, 2, bonus=1), late, True),
        "forgone": move_film(
            "a bonus move that cannot be made",
            a_move(18, before, 2, forgone=1),
            (850, 700, 600, 500, 400, 0),
            True,
        ),
        "pass": move_film("pass", a_move(18, before, 2, passes=1), late, True),
        "endless": move_film(
            "endless sowing", a_move(18, before, 2, endless=5), (1600, 1400, 1200, 1000, 600, 100), True
        ),
        "over": move_film(
            "the round is over", a_move(18, before, 2, over=1), (1500, 1250, 1000, 700, 300, 0), True
        ),
        "press": rest_film("a touch", lambda li, t, _: li.press(4, 256 - t * 256 // 400), (0, 200, 400)),
        "no": rest_film("no", lambda li, t, f: (li.no(12, t), li.swell(f, t)), (0, 150, 300, 450, 600)),
        "counting": rest_film("counting", lambda li, t, _: li.count_out(7, 6, t), (0, 150, 300, 600, 900)),
        "lap_end": rest_film(
            "where the first lap would end", lambda li, t, _: li.glow_end(7, t), (0, 130, 260)
        ),
        "filling": rest_film(
            "a gesture held down",
            lambda li, t, _: (li.filling(0, t, 3000), li.filling(9, t, 3000)),
            (0, 1500, 3000),
        ),
        "entry": film(
            "choices",
            18,
            lambda li, t: [li.entry(h + side, h, t) for h in range(6) for side in (0, 9)],
            (0, 1000),
        ),
        "players": film("who plays", 18, lambda li, t: asks(li, b"\1\2", -1, t), (0, 1000, 2000)),
        "level": film(
            "how strongly the computer plays",
            18,
            lambda li, t: asks(li, b"\1\2\3", 0, t),
            (200, 450, 700, 950),
        ),
        "bars": film("the result", 18, lambda li, t: li.bars(33, 21, t), (300, 800, 1500)),
        "winner": film(
            "the winner's side; a draw",
            18,
            lambda li, t: li.winner((0, 1, -1)[t], 0),
            (0, 1, 2),
            ("South", "North", "a draw"),
        ),
        "race": film(
            "a race",
            18,
            a_race,
            (0, 1, 2),
            ("each one's next hole", "both wait at one: North's turn", "then South's"),
        ),
        "pulse": rest_film(
            "a race is about to start", lambda li, t, _: li.pulse(SIDES, t, 600), (0, 150, 300, 450, 600)
        ),
        "ripple": film("the board thinks", 18, a_thought, tuple(range(250, 1200, 166))),
        "hint": rest_film("a hint", lambda li, t, _: li.hint(4, t), (0, 150, 300, 450, 600)),
        "deal": film("dealing", 18, a_deal(13), (260, 520, 2000, 3500, 4000, 5500)),
        "call": rest_film("call", lambda li, t, f: li.call(f, t), (0, 200, 400, 600, 800)),
        "countdown": rest_film(
            "countdown", lambda li, t, _: li.countdown(t, 20000), (0, 5000, 10000, 15000, 19000)
        ),
        "staff-3x6": staff("staff, 3x6", STAFF_WORDS, staffed("3x6")),
        "staff-2x12": staff("staff, 2x12", STAFF_WORDS, staffed("2x12")),
        "staff-brightness": staff("brightness", {8: "back"}, staffed("3x6", BRIGHTNESS)),
        "staff-games": staff("games", {8: "back"}, staffed("3x6", GAMES, (1, 3))),
        "staff-wipe": staff("wipe-down", {}, staffed("3x6", WIPE, (), WIPE_MS // 3)),
        "ember": film("embers", 18, lambda li, t: li.ember(t), (0, 700, 1400, 2100, 2800, 3500)),
    }


def files():
    """path: text of all that is written."""
    found = {DOCS / "lights.json": json_text(lights_json())}
    for name, text in pictures().items():
        found[DOCS / "pictures" / f"{name}.svg"] = text
    return found


def main(arguments):
    stale = 0
    for path, text in files().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments == ["--check"]:
            print(f"{path} is not what the lights show; python3 -m tools.pictures writes it anew")
            stale = 1
        else:
            path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
