"""Draw worked turns of each game, lap by lap, from the engine's own trace: docs/rules/pictures/*.svg.

    python3 -m tools.turnpictures

The turns are played by the engine and walked by its Replay, so that a picture shows what the game does and not what
somebody thought it does. The same steps in words go into the pages beside them. Nothing but the standard library.
"""

import itertools
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.append(str(Path(__file__).parent.parent))

import engine
from engine.replay import CLAIM, DONE, DROP, ENDLESS, LIFT, SKIP, TAKE, Replay

RULES = Path(__file__).parent.parent / "docs" / "rules"
SIDES = ("South", "North")
COLOURS = ("#d9806f", "#3ce0b0")
GOLD = "#ffd76a"
INK = "#33261a"
PAPER = "#f7f0e2"

# file: title, game, choices that lead there, choices that are drawn
# (and what the laps alone don't tell, said in the last picture).
TURNS = {
    "lamlameta": ("Lamlameta: the first turn", "lamlameta", [], [11], ""),
    "lamlameta-later": (
        "Lamlameta: passing over, and taking",
        "lamlameta",
        [6, 13, 6, 13],
        [10],
        "Hole 0 is in South's own row, and faces hole 23, which holds exactly two.",
    ),
    "gabata_aksum": ("Gabata of Aksum: the first turn", "gabata_aksum", [], [4], ""),
    "gabata_aksum-later": ("Gabata of Aksum: a claim, and a take", "gabata_aksum", [6, 17, 2], [14, 2], ""),
    "lame_uweedet": ("Lamè Uwèièdèt: the first turn, a gambit", "lame_uweedet", [], [8], ""),
    "lame_uweedet-later": ("Lamè Uwèièdèt: a claim, and a take", "lame_uweedet", [8, 10, 1], [17, 2], ""),
    "sulus_nishtaw": ("Sulus Nishtaw: the first turn, a gambit", "sulus_nishtaw", [], [7], ""),
    "sulus_nishtaw-later": ("Sulus Nishtaw: a claim, and a take", "sulus_nishtaw", [7], [16, 1], ""),
    "sulus_aidi": ("Sulus Aidi: the first turn", "sulus_aidi", [], [6], ""),
    "sulus_aidi-later": ("Sulus Aidi: a claim", "sulus_aidi", [6, 17], [7], ""),
    "selus_massawa": ("Selus of Massawa: the first turn", "selus_massawa", [], [3], ""),
    "selus_massawa-later": (
        "Selus of Massawa: a claim on one's own side, and a left-hand hole",
        "selus_massawa",
        [0, 9, 3, 15, 8],
        [16, 7],
        "Hole 9 is North's left-hand hole.",
    ),
}

WIDTH = 960
MARGIN = 28
GAP = 24
LINE = 21


# ---- the steps of a turn, from its trace


class Step:
    """One picture: the board at the end of a lap, and how it came about."""

    def __init__(self, seeds, claims, mover):
        self.seeds = list(seeds)
        self.claims = list(claims)
        self.mover = mover
        self.first = False  # the board before a turn
        self.text = ""
        self.lifted = {}  # hole: seeds lifted there
        self.path = []  # the hole lifted, then where each seed fell
        self.skipped = []
        self.taken = {}  # hole: seeds taken
        self.end = -1  # the hole where the turn ended
        self.relay = -1  # the hole that is lifted next


def holes_text(holes):
    """`hole 5`, `holes 5 and 6`, `holes 5 to 9`, `holes 0, 2 and 4`."""
    if len(holes) == 1:
        return f"hole {holes[0]}"
    if len(holes) > 2 and all(b - a == 1 for a, b in itertools.pairwise(holes)):
        return f"holes {holes[0]} to {holes[-1]}"
    return "holes " + ", ".join(map(str, holes[:-1])) + f" and {holes[-1]}"


def runs_text(holes, n):
    """The same for a path that may come round the end of the ring: `holes 16, 17, 0 and 1`."""
    if len(holes) > 4 and 0 in holes[1:] and holes[holes.index(0) - 1] == n - 1:
        at = holes.index(0)
        return f"{holes_text(holes[:at])} and on into {holes_text(holes[at:])}"
    return holes_text(holes)


def seeds_text(seeds):
    return "one seed" if seeds == 1 else f"{seeds} seeds"


def turn_steps(game, hole, note):
    """Play `hole` and tell it in steps."""
    mover = game.mover
    side = SIDES[mover]
    claims = [game.claim(h) for h in range(game.n)]
    owners = [game.owner(h) for h in range(game.n)]
    game.play(hole)
    trace = game.trace
    replay = Replay(game.n)
    replay.begin(trace)
    before = Step(replay.seeds, claims, mover)
    before.first = True
    claimed = [f"{SIDES[p]} has claimed {holes_text(own)}" for p in (0, 1) if (own := _holes_of(claims, p))]
    before.text = f"Before the turn: {side} to move." + "".join(f" {c}." for c in claimed)
    steps = [before]
    event = replay.step()
    while event != DONE:
        if event == LIFT:
            steps.append(_lap(replay, trace, claims, mover))
        elif event == DROP:
            steps[-1].path.append(replay.hole)
            steps[-1].seeds = list(replay.seeds)
        elif event == SKIP:
            steps[-1].skipped.append(replay.hole)
        elif event in (CLAIM, TAKE):
            _gain(steps, replay, event, mover)
        elif event == ENDLESS:
            steps[-1].text += " This position has stood before: the move ends here."
        event = replay.step()
    _tell(steps, trace, side, owners, note, game.n)
    return steps


def _holes_of(claims, player):
    return [h for h, owner in enumerate(claims) if owner == player]


def _lap(replay, trace, claims, mover):
    step = Step(replay.seeds, claims, mover)
    step.path = [replay.hole]
    if replay.lap == 0 and trace.gambit:
        step.lifted = {h: 1 for h in range(replay.n) if trace.gambit >> h & 1}
    else:
        step.lifted = {replay.hole: replay.count}
    return step


def _gain(steps, replay, event, mover):
    """A claim or a take: told in a picture of its own, several takes in one."""
    if not (event == TAKE and steps[-1].taken):
        steps.append(Step(replay.seeds, steps[-1].claims, mover))
    step = steps[-1]
    step.seeds = list(replay.seeds)
    if event == CLAIM:
        step.claims[replay.hole] = mover
        step.end = replay.hole
    else:
        step.taken[replay.hole] = replay.count


def _tell(steps, trace, side, owners, note, n):
    """Put the laps into words."""
    laps = [step for step in steps if step.path]
    for i, step in enumerate(laps):
        last = step.path[-1]
        into = runs_text(step.path[1:], n)
        seeds = sum(step.lifted.values())
        if i == 0 and trace.gambit:
            step.text = f"The gambit: {side} takes one seed from each of the {holes_text(list(step.lifted))} "
            step.text += f"and sows them into {into}."
        elif i == 0:
            them = "it" if seeds == 1 else "them"
            step.text = (
                f"{side} lifts the {seeds_text(seeds)} of hole {step.path[0]} and sows {them} into {into}."
            )
        else:
            step.text = f"The {seeds_text(seeds)} of hole {step.path[0]} go into {into}."
        if step.skipped:
            verb = "holds exactly two: it is" if len(step.skipped) == 1 else "hold exactly two: they are"
            step.text += f" {holes_text(sorted(step.skipped)).capitalize()} {verb} passed over."
        if i + 1 < len(laps):
            step.relay = last
            step.text += f" Hole {last} held seeds: it is lifted next."
        elif trace.endless < 0:
            step.end = last
            if trace.claim >= 0:
                step.text += f" The last seed is the fourth in hole {last}."
            elif step.claims[last] >= 0:
                step.text += f" The last seed falls into {SIDES[step.claims[last]]}'s claim."
            else:
                step.text += f" Hole {last} was empty: the sowing is over."
    end = steps[-1]
    words = [note] if note else []
    if trace.claim >= 0:
        where = "on his own side" if owners[trace.claim] == end.mover else f"on {SIDES[1 - end.mover]}'s side"
        words.append(
            f"{side} claims hole {trace.claim}, {where}. The four seeds stay, and nobody lifts them again."
        )
    if end.taken:
        total = sum(end.taken.values())
        words.append(f"{side} takes {total} seeds out of {holes_text(sorted(end.taken))}.")
    if trace.bonus:
        words.append(f"{side} moves again.")
    else:
        words.append("The turn ends.")
    if end.path:
        end.text += " " + " ".join(words)
    else:
        end.text = " ".join(words)


def told(name):
    """(title, board, steps) of a picture."""
    title, kind, lead, shown, note = TURNS[name]
    game = engine.make(kind)
    for hole in lead:
        game.play(hole)
    steps = []
    for hole in shown:
        more = turn_steps(game, hole, note if hole == shown[-1] else "")
        steps += more
    return title, game.BOARD, [game.owner(h) for h in range(game.n)], steps


# ---- drawing


class Board:
    """Where the holes of a board lie, in a drawing `width` wide."""

    def __init__(self, kind, width):
        self.kind = kind
        if kind == "2x12":
            self.cells = [(h, 1) if h < 12 else (23 - h, 0) for h in range(24)]
            self.columns, self.rows = 12, 2
        else:
            self.cells = [(h, 2) for h in range(6)] + [(5 - i, 1) for i in range(3)]
            self.cells += [(5 - i, 0) for i in range(6)] + [(i, 1) for i in range(3)]
            self.columns, self.rows = 6, 3
        self.side = 34
        self.pitch = (width - 2 * self.side) / self.columns
        self.row = min(self.pitch * 1.06, 74)
        self.r = min(self.pitch, self.row) * 0.385
        self.width = width
        self.height = self.row * self.rows + 2 * 20

    def at(self, hole):
        column, row = self.cells[hole]
        return self.side + self.pitch * (column + 0.5), 20 + self.row * (row + 0.5)

    def groove(self):
        """The carved line between the halves, where they are nine and nine or two rows."""
        left, right = 12, self.width - 12
        if self.kind == "2x12":
            y = 20 + self.row
            return [(left, y), (right, y)]
        low, high, middle = 20 + 2 * self.row, 20 + self.row, self.width / 2
        return [(left, low), (middle, low), (middle, high), (right, high)]


def num(x):
    """A number for SVG: at most one decimal."""
    text = f"{x:.1f}"
    return text[:-2] if text.endswith(".0") else text


SPOTS = {
    1: [(0, 0)],
    2: [(-0.36, 0.05), (0.36, -0.05)],
    3: [(0, -0.38), (-0.38, 0.28), (0.38, 0.28)],
    4: [(-0.34, -0.34), (0.34, -0.34), (-0.34, 0.34), (0.34, 0.34)],
    5: [(0, 0), (-0.45, -0.4), (0.45, -0.4), (-0.45, 0.4), (0.45, 0.4)],
    6: [(-0.45, -0.36), (0, -0.5), (0.45, -0.36), (-0.45, 0.36), (0, 0.5), (0.45, 0.36)],
}


def spots(count):
    """Where `count` seeds lie in a hole of radius 1."""
    if count in SPOTS:
        return SPOTS[count]
    places = []
    for i in range(count):
        r = 0.68 * math.sqrt((i + 0.4) / count)
        places.append((r * math.cos(2.4 * i), r * math.sin(2.4 * i)))
    return places


TURNED = (10, 55, 100, 145)  # degrees; a seed lies in one of these ways
SEEDS = {  # what is drawn many times over: seeds lying there, sown by South, by North, lifted, and taken
    "s": ("url(#seed)", "#4a2c10"),
    "n0": ("url(#new0)", "#fff"),
    "n1": ("url(#new1)", "#fff"),
    "g0": ("none", COLOURS[0]),
    "g1": ("none", COLOURS[1]),
    "t": ("none", GOLD),
}


def shapes(board):
    """The seeds in all ways of lying, a hole, and the plate of a number, to be used by name."""
    r = board.r
    out = ["<defs>"]
    for name, (fill, stroke) in SEEDS.items():
        for i, turn in enumerate(TURNED):
            out.append(
                f'<ellipse id="{name}{"abcd"[i]}" rx="{num(r * 0.24)}" ry="{num(r * 0.175)}" '
                f'transform="rotate({turn})" fill="{fill}" stroke="{stroke}"/>'
            )
    out.append(
        f'<g id="h"><circle r="{num(r)}" fill="url(#hole)" stroke="#1f0f04" stroke-width="1.5"/>'
        f'<path d="M{num(-r)} 3a{num(r)} {num(r)} 0 0 0 {num(2 * r)} 0" fill="none" stroke="#e2b57c" '
        'stroke-opacity=".4" stroke-width="1.5"/></g>'
    )
    out.append('<circle id="c" r="9.5" fill="#241104" stroke="#e2b57c" stroke-opacity=".5"/>')
    out.append("</defs>")
    return out


def use(name, x, y):
    return f'<use href="#{name}" x="{num(x)}" y="{num(y)}"/>'


def hop(board, start, end, over, colour):
    """An arc from hole to hole, bowed outwards; higher where holes were passed over."""
    (x1, y1), (x2, y2) = board.at(start), board.at(end)
    dx, dy = x2 - x1, y2 - y1
    length = math.hypot(dx, dy)
    bow = 0.3 * board.r + (0.32 * length if over else 0.16 * length)
    # along the path the outside of the ring is on the right hand
    cx, cy = (x1 + x2) / 2 - dy / length * bow, (y1 + y2) / 2 + dx / length * bow
    # stop short of the middle of the hole
    ux, uy = x2 - cx, y2 - cy
    far = math.hypot(ux, uy)
    x2, y2 = x2 - ux / far * board.r * 0.5, y2 - uy / far * board.r * 0.5
    return f'<path d="M{num(x1)} {num(y1)}Q{num(cx)} {num(cy)} {num(x2)} {num(y2)}" stroke="{colour}"/>'


def draw_board(board, owners, step):
    """The board of one step, as SVG."""
    w, h = board.width, board.height
    colour = COLOURS[step.mover]
    out = [
        f'<rect width="{num(w)}" height="{num(h)}" rx="20" fill="url(#wood)" stroke="#3b200d" stroke-width="2"/>'
    ]
    out += grain(w, h)
    out.append(
        f'<rect x="2.5" y="2.5" width="{num(w - 5)}" height="{num(h - 5)}" rx="18" fill="none" '
        'stroke="#e2b57c" stroke-opacity=".35" stroke-width="1.5"/>'
    )
    for player, y in ((1, 6), (0, h - 11)):
        out.append(
            f'<rect x="{num(w / 2 - 90)}" y="{num(y)}" width="180" height="5" rx="2.5" fill="{COLOURS[player]}" '
            f'fill-opacity="{1 if player == step.mover else 0.45}"/>'
        )
    line = " ".join(f"{num(x)},{num(y)}" for x, y in board.groove())
    out.append(
        f'<polyline points="{line}" fill="none" stroke="#2a1506" stroke-width="3" stroke-opacity=".75"/>'
    )
    out.append(
        f'<polyline points="{line}" fill="none" stroke="#e2b57c" stroke-width="1" stroke-opacity=".4" '
        'transform="translate(0 2)"/>'
    )
    for hole in range(len(owners)):
        out += draw_hole(board, hole, step)
    if step.path:
        out.append('<g fill="none" stroke-width="3" stroke-linecap="round" stroke-opacity=".85">')
        for start, end in itertools.pairwise(step.path):
            over = step.skipped and (end - start) % len(owners) > 1
            out.append(hop(board, start, end, over, colour))
        out.append("</g>")
    for hole in range(len(owners)):
        out += draw_seeds(board, hole, step)
    return out


def grain(w, h):
    """A few long lines of the wood."""
    out = ['<g fill="none" stroke="#2a1506" stroke-opacity=".16" stroke-width="1.4">']
    for i in range(1, 6):
        y = h * i / 6
        bend = y + (9 if i % 2 else -7)
        to = f"{num(w * 0.55)} {num(y)}T{num(w - 10)} {num(y + 3)}"
        out.append(f'<path d="M10 {num(y)}Q{num(w * 0.3)} {num(bend)} {to}"/>')
    out.append("</g>")
    return out


def draw_hole(board, hole, step):
    x, y = board.at(hole)
    r = board.r
    out = [use("h", x, y)]
    owner = step.claims[hole]
    if owner >= 0:
        out.append(
            f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r - 1)}" fill="{COLOURS[owner]}" fill-opacity=".2" '
            f'stroke="{COLOURS[owner]}" stroke-width="5"/>'
        )
    ring = f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r + 3.5)}" fill="none" '
    if hole in step.lifted:
        out.append(ring + f'stroke="{COLOURS[step.mover]}" stroke-width="2.5" stroke-dasharray="5 4"/>')
    if hole in step.taken:
        out.append(ring + f'stroke="{GOLD}" stroke-width="3" stroke-dasharray="2 3"/>')
    if hole == step.relay:
        out.append(ring + f'stroke="{COLOURS[step.mover]}" stroke-width="3"/>')
    if hole == step.end:
        out.append(ring + f'stroke="{GOLD}" stroke-width="3"/>')
    if hole in step.skipped:
        out.append(ring + 'stroke="#f7f0e2" stroke-opacity=".65" stroke-width="1.5" stroke-dasharray="1 4"/>')
    return out


def draw_seeds(board, hole, step):
    """Seeds, new ones in the mover's colour; lifted and taken ones as empty outlines; both numbers."""
    x, y = board.at(hole)
    r = board.r
    count = step.seeds[hole]
    new = step.path[1:].count(hole)
    gone = step.taken.get(hole, 0)
    if hole in step.lifted:
        gone = step.lifted[hole] if len(step.lifted) == 1 else 1
        gone = max(0, gone - count) if len(step.lifted) == 1 else gone
    out = []
    for i, (px, py) in enumerate(spots(count + gone)):
        if i >= count:
            kind = "t" if hole in step.taken else f"g{step.mover}"
        else:
            kind = f"n{step.mover}" if i >= count - new else "s"
        out.append(use(kind + "abcd"[(hole * 3 + i * 7) % 4], x + px * r, y + py * r))
    bx, by = x + r * 0.8, y + r * 0.8
    out.append(use("c", bx, by))
    out.append(f'<text class="count" x="{num(bx)}" y="{num(by + 4.4)}">{count}</text>')
    out.append(f'<text class="name" x="{num(x - r * 1.02)}" y="{num(y - r * 0.86)}">{hole}</text>')
    owner = step.claims[hole]
    if owner >= 0:
        fx, fy = x + r * 0.8, y - r * 0.8
        out.append(
            f'<circle cx="{num(fx)}" cy="{num(fy)}" r="9.5" fill="{COLOURS[owner]}" stroke="#241104"/>'
        )
        out.append(f'<text class="flag" x="{num(fx)}" y="{num(fy + 4.4)}">{SIDES[owner][0]}</text>')
    return out


def wrap(text, room):
    """Lines of at most `room` letters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" \
aria-labelledby="t d">
<title id="t">{title}</title>
<desc id="d">{words}</desc>
<defs>
<linearGradient id="wood" x1="0" y1="0" x2=".25" y2="1"><stop offset="0" stop-color="#a5693a"/>\
<stop offset=".5" stop-color="#875028"/><stop offset="1" stop-color="#693a1a"/></linearGradient>
<radialGradient id="hole" cx=".5" cy=".42" r=".62"><stop offset="0" stop-color="#4a2710"/>\
<stop offset=".7" stop-color="#371b09"/><stop offset="1" stop-color="#1f0f04"/></radialGradient>
<radialGradient id="seed" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#fdf1d0"/>\
<stop offset="1" stop-color="#c79552"/></radialGradient>
<radialGradient id="new0" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#ffc9bc"/>\
<stop offset="1" stop-color="#d9806f"/></radialGradient>
<radialGradient id="new1" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#c6fff0"/>\
<stop offset="1" stop-color="#3ce0b0"/></radialGradient>
</defs>
<style>text{{font-family:"Segoe UI",Helvetica,Arial,sans-serif;fill:#33261a}}
.title{{font:600 27px Georgia,serif}}.key{{font-size:15px}}.say{{font-size:16.5px}}
.step{{font-size:15px;font-weight:700;fill:#fff;text-anchor:middle}}
.count{{font-size:12.5px;font-weight:700;fill:#fff;text-anchor:middle}}
.flag{{font-size:12.5px;font-weight:700;fill:#241104;text-anchor:middle}}
.name{{font-size:11px;fill:#f3dcb4;text-anchor:middle}}</style>
<rect width="{w}" height="{h}" rx="16" fill="{paper}"/>
"""


def rows(steps, columns):
    """Which pictures stand side by side: a turn begins a row."""
    row = []
    for i, step in enumerate(steps):
        if row and (step.first or len(row) == columns):
            yield row
            row = []
        row.append(i)
    yield row


def picture(name):
    """The SVG text of one worked turn."""
    title, kind, owners, steps = told(name)
    columns = 1 if kind == "2x12" else 2
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns
    board = Board(kind, width)
    texts = [wrap(step.text, int((width - 44) / 8.4)) for step in steps]
    out = [f'<text class="title" x="{MARGIN}" y="48">{escape(title)}</text>']
    out += key(steps)
    out += shapes(board)
    y = 122
    for row in rows(steps, columns):
        lines = max(len(texts[i]) for i in row)
        for i in row:
            x = MARGIN + (i - row[0]) * (width + GAP)
            out.append(f'<g transform="translate({num(x)} {num(y)})">')
            badge = INK if steps[i].first else ("#b5503d", "#12795b")[steps[i].mover]
            out.append(f'<circle cx="15" cy="14" r="14" fill="{badge}"/>')
            out.append(f'<text class="step" x="15" y="19">{i}</text>')
            for j, line in enumerate(texts[i]):
                out.append(f'<text class="say" x="40" y="{19 + j * LINE}">{escape(line)}</text>')
            out.append(f'<g transform="translate(0 {lines * LINE + 14})">')
            out += draw_board(board, owners, steps[i])
            out.append("</g></g>")
        y += lines * LINE + 14 + board.height + 26
    words = " ".join(f"{i}. {step.text}" for i, step in enumerate(steps))
    head = HEAD.format(w=WIDTH, h=num(y), title=escape(title), words=escape(words), paper=PAPER)
    return head + "\n".join(out) + "\n</svg>\n"


def key(steps):
    """What the rings mean, under the title."""
    mover = steps[1].mover
    items = [
        (f'stroke="{("#b5503d", "#12795b")[mover]}" stroke-width="2.5" stroke-dasharray="5 4"', "lifted"),
        (f'stroke="{("#b5503d", "#12795b")[mover]}" stroke-width="3"', "lifted next"),
        ('stroke="#c9971c" stroke-width="3"', "the last seed"),
    ]
    if any(step.taken for step in steps):
        items.append(('stroke="#c9971c" stroke-width="3" stroke-dasharray="2 3"', "taken"))
    if any(owner >= 0 for step in steps for owner in step.claims):
        items.append((f'stroke="{COLOURS[mover]}" stroke-width="5"', "claimed"))
    out = []
    x = MARGIN + 10
    for ring, text in items:
        out.append(f'<circle cx="{num(x)}" cy="74" r="8" fill="none" {ring}/>')
        out.append(f'<text class="key" x="{num(x + 15)}" y="79">{text}</text>')
        x += 15 + 8.2 * len(text) + 26
    out.append(f'<ellipse cx="{num(x)}" cy="74" rx="8" ry="6" fill="url(#new{mover})" stroke="{INK}"/>')
    out.append(f'<text class="key" x="{num(x + 15)}" y="79">just sown</text>')
    text = "The number at a hole's foot counts its seeds; the small one above is its name."
    out.append(f'<text class="key" x="{MARGIN}" y="102">{text}</text>')
    return out


def words(name):
    """The steps as a Markdown list, for the page beside the picture."""
    return "".join(f"{i}. {step.text}\n" for i, step in enumerate(told(name)[3]))


def page_with_words(text):
    """A page of docs/rules with the lists between its `<!-- turn: NAME -->` and `<!-- end -->` lines written anew."""
    parts = text.split("<!-- turn: ")
    for i in range(1, len(parts)):
        name, _, rest = parts[i].partition(" -->\n")
        _, _, after = rest.partition("<!-- end -->")
        parts[i] = f"{name} -->\n\n{words(name)}\n<!-- end -->{after}"
    return "<!-- turn: ".join(parts)


def main():
    (RULES / "pictures").mkdir(parents=True, exist_ok=True)
    for name in TURNS:
        (RULES / "pictures" / (name + ".svg")).write_text(picture(name), encoding="utf-8")
    for page in RULES.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(page_with_words(text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
