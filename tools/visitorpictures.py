"""Write the picture strips of docs/exhibit.md: what a visitor sees, frame by frame, from the table as it plays.

    python3 -m tools.visitorpictures

Each strip is an exhibit in virtual time: fingers touch its pads, and some of the frames that it lights are drawn.
"""

import random
import sys

from table.cues import CYCLE
from table.lights import Lights
from table.settings import read
from table.show import BARS, FINGER, FINGER_MS, LESSON, MOVING, SEED_MS, SEEDS, Show
from table.states import BARS_MS
from table.table import Table
from tools.pictures import DOCS, FONT, INK, RIM, hole, place, svg

STEP = 10  # ms
PITCH, RADIUS = 25, 9  # of the holes
GAP = 12
ACROSS = 6
WIDE, HIGH = 5 * PITCH + 36, 2 * PITCH + 36


class Exhibit:
    """A table in virtual time, and the frames that were kept of it."""

    def __init__(self, games, players="two"):
        get = {"GEBETA_MODE": "exhibit", "GEBETA_GAMES": games, "GEBETA_PLAYERS": players}.get
        settings = read(get, print)
        self.lights = Lights(settings.holes)
        self.table = Table(self.lights, settings)
        while self.table.load():
            pass
        draw = random.Random(4).randrange
        self.table.open_show = lambda table: Show(table, draw)
        self.now = 0
        self.fingers = set()
        self.kept = []  # (frame, fingers, caption)
        self.run(100)

    def run(self, ms):
        for _ in range(ms // STEP):
            self.now += STEP
            self.table.tick(self.now)
        return self

    def down(self, pad):
        self.fingers.add(pad)
        self.table.press(pad, 100, self.now)
        return self

    def up(self, pad):
        self.fingers.discard(pad)
        self.table.release(pad, self.now)
        return self

    def keep(self, caption):
        self.kept.append((bytes(self.lights.frame), sorted(self.fingers), caption))
        return self

    def shots(self, *pairs):
        """Frames (ms from now, caption)."""
        since = self.now
        for ms, caption in pairs:
            self.run(since + ms - self.now)
            self.keep(caption)
        return self

    def until(self, there):
        while not there():
            self.run(STEP)
        return self

    def clock(self, ms):
        """Wait until the lights' slow clock stands there, of 2 s: claims show their owners before 600."""
        return self.until(lambda: self.table.clock % CYCLE == ms % CYCLE // STEP * STEP)

    def begin(self, name="gabata_aksum", seed=101, turns=20):
        """In play, after so many turns of random moves."""
        table = self.table
        table.start(0)
        draw = random.Random(f"{name} {seed}")
        for _ in range(turns):
            table.game.play(draw.choice(list(table.game.legal[: table.game.moves()])))
        table.go(table.play)
        return self.run(600)


def a_turn(position, pad, shots, end=1800):
    """A turn from a `position`, as `begin` takes it: its touch, then frames (ms before its end, caption). The slow
    clock stands at `end` then."""
    plan = Exhibit(position[0]).begin(*position)
    game = plan.table.game
    game.play(pad)
    ms = plan.lights.begin(game.trace, game.marks)
    board = Exhibit(position[0]).begin(*position)
    board.clock(end - ms - 90)
    board.down(pad).run(80).keep("a touch").up(pad)
    board.until(lambda: board.table.state.moving)
    return board.shots(*[(ms - before, caption) for before, caption in shots])


def invite():
    board = Exhibit("gabata_aksum").begin(turns=2).clock(0)
    return board.shots(
        (0, "bright"), (500, "less"), (1000, "dim"), (1500, "brighter"), (2000, "bright again")
    )


def choose():
    board = Exhibit("gabata_aksum; lame_uweedet; sulus_nishtaw").run(2000)
    board.down(7).shots((40, "any touch"))
    board.up(7).shots((1000, "three games glow"))
    board.down(1).shots((100, "the second one"))
    return board.up(1).run(60).shots((700, "it begins"))


def who_plays():
    board = Exhibit("gabata_aksum", "ask").run(2000).down(7).run(60).up(7).run(600)
    board.until(lambda: board.table.clock == 0)
    board.shots((0, "two: South,"), (1000, "changing to"), (2000, "North"), (3100, "and back"))
    return board.down(1).shots((100, "one, on this side"))


def how_strongly():
    board = who_plays()
    board.kept.clear()
    board.up(1).run(600).until(lambda: board.table.clock == 0)
    board.shots((250, "North thinks"), (500, "rings spread"), (750, "and fade"))
    board.down(1).shots((100, "the second level"))
    return board.up(1).run(60).shots((700, "it begins"))


def rest_a_finger():
    board = Exhibit("gabata_aksum").begin().clock(1500)
    return board.down(3).shots(
        (100, "a touch"), (1140, "one"), (1290, "two"), (1450, "three seeds"), (2400, "there it would end")
    )


def wrong_tap():
    board = Exhibit("gabata_aksum").begin().clock(650)
    board.down(12).shots((80, "not South's")).up(12)
    return board.shots((170, "no,"), (310, "but these"), (460, "no,"), (800, "or these"))


def capture():
    shots = [(880, "the last seed"), (500, "South's colour"), (380, "sinks there"), (230, "and rises here")]
    return a_turn(("gabata_aksum", 101, 20), 3, [*shots, (-60, "they are taken")])


def claim():
    shots = [(1060, "the last seed"), (780, "from both sides"), (640, "South's colour"), (250, "runs in")]
    return a_turn(("lame_uweedet", 252, 21), 8, [*shots, (-500, "and comes again")])


def bonus():
    shots = [(1680, "the last seed"), (1380, "takes"), (720, "a wave"), (520, "over South's holes")]
    return a_turn(("lame_uweedet", 144, 20), 3, [*shots, (-450, "once more")], end=300)


def passes():
    shots = [(900, "all is sown"), (600, "North's holes"), (400, "go dark"), (200, "and come back")]
    return a_turn(("gabata_aksum", 104, 40), 7, [*shots, (-60, "South again")])


def round_end():
    shots = [(1650, "the last seed"), (1150, "it is over"), (500, "whose is what")]
    board = a_turn(("lame_uweedet", 264, 38), 6, shots, end=600)
    board.until(lambda: board.table.state is board.table.result)
    return board.shots((700, "the scores grow"), (BARS_MS + 1500, "South has more"))


def away():
    board = Exhibit("gabata_aksum").begin()
    table = board.table
    board.until(lambda: table.silence >= table.idle_ms)
    board.shots((1400, "the call"), (2900, "20 seconds"), (7900, "15"), (12_900, "10"), (20_900, "1"))
    board.until(lambda: table.state is table.attract)
    return board.shots((900, "embers"))


def attract():
    board = Exhibit("gabata_aksum").run(4000).keep("embers")
    show = board.table.attract.show
    board.until(lambda: show._doing == FINGER).shots((FINGER_MS // 2, "a light touches"))
    board.until(lambda: show._doing == MOVING).shots((1300, "and sows"), (2900, "seed by seed"))
    board.until(lambda: show._moves == 4 and show._doing == FINGER).shots((FINGER_MS // 2, "a move later on"))
    board.until(lambda: show._scene == BARS).shots((3000, "the end"))
    return board


def lesson():
    board = Exhibit("gabata_aksum").run(2000)
    show = board.table.attract.show
    board.until(lambda: show._scene == LESSON)
    found = [(seed * SEED_MS + 2800, f"{seed + 1}") for seed in range(SEEDS)]
    found[3:3] = [(3 * SEED_MS + 420, "one more comes"), (3 * SEED_MS + 800, "and falls")]
    return board.shots(*found)


STRIPS = {
    "invite": ("the holes that may be chosen breathe", invite),
    "choose": ("choosing a game", choose),
    "players": ("who plays", who_plays),
    "level": ("how strongly the computer plays", how_strongly),
    "rest": ("a finger rests on a hole", rest_a_finger),
    "wrong": ("a tap on a hole that may not be chosen", wrong_tap),
    "capture": ("seeds are taken", capture),
    "own": ("a hole is claimed", claim),
    "again": ("a bonus move", bonus),
    "passing": ("a player has to pass", passes),
    "end": ("a round ends", round_end),
    "away": ("nobody is there", away),
    "attract": ("what the board plays while nobody does", attract),
    "lesson": ("what the colours count", lesson),
}


def finger(x, y):
    """A fingertip, and the nail on it."""
    return (
        f'<g transform="translate({x:g} {y:g})">'
        '<path d="M-6.5 26V7.5a6.5 7 0 0 1 13 0V26z" fill="#c58c66" stroke="#7a4d32"/>'
        '<path d="M-3.5 8.5a3.5 4.5 0 0 1 7 0l-.5 4.5h-6z" fill="#f0cdb2"/></g>'
    )


def strip(title, kept, n=18):
    body = []
    for i, (frame, fingers, caption) in enumerate(kept):
        left, top = GAP + i % ACROSS * (WIDE + GAP), GAP + i // ACROSS * (HIGH + 36)
        body.append(
            f'<rect x="{left}" y="{top}" width="{WIDE}" height="{HIGH}" rx="15" fill="{RIM}" opacity=".55"/>'
        )
        tips = []
        for h in range(n):
            column, row = place(n, h)
            x, y = left + 18 + PITCH * column, top + 18 + PITCH * row
            body.append(hole(x, y, RADIUS, frame[3 * h : 3 * h + 3]))
            if h in fingers:
                tips.append(finger(x, y))
        body += tips
        at = f'x="{left + WIDE / 2:g}" y="{top + HIGH + 20}" text-anchor="middle"'
        body.append(f'<text {at} {FONT} fill="{INK}">{caption}</text>')
    count = min(ACROSS, len(kept))
    lines = (len(kept) + ACROSS - 1) // ACROSS
    return svg(GAP + count * (WIDE + GAP), 2 + lines * (HIGH + 36), title, body)


def files():
    """path: text of every strip."""
    found = {}
    for name, (title, play) in STRIPS.items():
        found[DOCS / "pictures" / f"visitor-{name}.svg"] = strip(title, play().kept)
    return found


def main():
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
