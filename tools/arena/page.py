"""Puts the arena's figures into docs/opponent.md, and draws its pictures.

    python3 -m tools.arena --json > docs/opponent.json
    python3 -m tools.arena.page

The table stands between two marks in the page; the values drawn are the engine's own. The pictures need matplotlib
(`pip install -r requirements/stats.txt`).
"""

import json
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent.parent))

import engine
from tools.arena import figures
from tools.gamefigures import BLUE, GREEN, GREY, INK, ORANGE, plain
from tools.tune import parts

DOCS = Path(__file__).parent.parent.parent / "docs"
FIGURES = DOCS / "opponent.json"
PAGE = DOCS / "opponent.md"
SEEDS = ("0", "1", "2", "3", "4-7", "8+")  # as engine/search.py tells them apart
MARKS = ("<!-- arena -->\n", "<!-- end -->")
STRENGTH = "pictures/opponent-strength.svg"
PICTURE = "![Bars for each pair of players and each game: won, drawn and lost, with the goals](%s)" % STRENGTH


def name(text):
    """A game's name as people write it: the first line of its file begins with it."""
    return sys.modules[engine.find(text).__module__].__doc__.split(":")[0].split(",")[0]


def pairs(rows):
    """{(first, second): {game: row}}."""
    found = {}
    for row in rows:
        found.setdefault((row["first"], row["second"]), {})[figures.title(row)] = row
    return found


def table(rows):
    """The figures as a Markdown table: a line for each pair, a column for each game."""
    kinds = sorted({figures.title(row) for row in rows})
    lines = [
        "| players | goal | " + " | ".join("`%s`" % kind for kind in kinds) + " |",
        "| --- | --- |" + " ---: |" * len(kinds),
    ]
    for (first, second), games in pairs(rows).items():
        some = next(iter(games.values()))
        cells = []
        for kind in kinds:
            row = games.get(kind)
            if row is None:
                cells.append("")
                continue
            text = "%.1f (%.0f-%.0f)" % (row["score"], row["low"], row["high"])
            cells.append(text + (" **no**" if row.get("reached") is False else ""))
        goal = figures.goal(some) if "goal" in some else ""
        lines.append("| %s against %s | %s | %s |" % (first, second, goal, " | ".join(cells)))
    return "\n".join(lines) + "\n"


def put(text, rows):
    """The page with the picture and the table of these figures."""
    start, end = MARKS
    if text.count(start) != 1:
        raise ValueError("docs/opponent.md: one line %s is right" % start.strip())
    return re.sub(
        re.escape(start) + ".*?" + re.escape(end),
        lambda _: start + "\n" + PICTURE + "\n\n" + table(rows) + "\n" + end,
        text,
        flags=re.DOTALL,
    )


def save(figure, plt, file):
    figure.savefig(file, metadata={"Date": None, "Creator": "tools.arena.page"})
    plt.close(figure)


def draw_strength(rows, file):
    """Each pair a block, each game a line: won, drawn and lost, the score with its interval, the goal."""
    plt = plain()
    blocks = pairs(rows)
    figure, axes = plt.subplots(
        (len(blocks) + 2) // 3,
        3,
        figsize=(14, 2.6 * ((len(blocks) + 2) // 3)),
        layout="constrained",
        squeeze=False,
    )
    for axis in axes.flat[len(blocks) :]:
        axis.set_visible(False)
    for axis, ((first, second), games) in zip(axes.flat, blocks.items(), strict=False):
        for place, row in enumerate(games.values()):
            left = 0
            for part, colour in (("wins", BLUE), ("draws", GREY), ("losses", ORANGE)):
                width = 100 * row[part] / row["games"]
                axis.barh(-place, width, left=left, height=0.7, color=colour, alpha=0.55)
                left += width
            axis.plot([row["low"], row["high"]], [-place, -place], color=INK, lw=2)
            axis.plot(row["score"], -place, "o", color=INK, ms=5)
            axis.annotate("%.0f" % row["score"], (101.5, -place), va="center", annotation_clip=False)
        some = next(iter(games.values()))
        for goal in some.get("goal", ()):
            if goal < 100:
                axis.axvline(goal, color=INK, lw=1.2, ls=(0, (3, 2)))
        axis.set_yticks(
            [-place for place in range(len(games))], [name(row["game"]) for row in games.values()]
        )
        axis.set_xlim(0, 100)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        axis.set_title("%s against %s" % (first, second), loc="left", fontweight="bold")
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour, alpha=0.55) for colour in (BLUE, GREY, ORANGE)]
    handles += [
        plt.Line2D([], [], color=INK, marker="o", ms=5),
        plt.Line2D([], [], color=INK, ls=(0, (3, 2))),
    ]
    names = ["won", "drawn", "lost, of 100", "score, 95 % interval", "goal"]
    figure.legend(handles, names, loc="outside lower center", ncols=5, frameon=False)
    save(figure, plt, file)


def draw_values(file):
    """What each game's evaluation gives for a claim, by where it lies, and for a loose hole, by its seeds."""
    plt = plain()
    kinds = engine.names()
    figure, axes = plt.subplots(
        len(kinds),
        3,
        figsize=(14, 1.6 * len(kinds)),
        layout="constrained",
        width_ratios=(3, 1, 1.5),
        squeeze=False,
    )
    for (claims, loose, lie), kind in zip(axes, kinds, strict=True):
        (tempo, again), held, places, where = parts(engine.find(kind).VALUES)
        seeds = [value / 4 for value in where]
        claims.bar(range(len(seeds)), seeds, color=[BLUE if value >= 0 else ORANGE for value in seeds])
        claims.set_title(name(kind), loc="left", fontweight="bold")
        if seeds:
            claims.axhline(0, color=INK, lw=0.8)
            if len(seeds) > 9:
                claims.axvline(8.5, color=INK, lw=0.8, ls=(0, (3, 2)))
            claims.set_xticks(range(len(seeds)))
        else:
            claims.set_axis_off()
            claims.text(0, 0.5, "nothing is claimed in this game", transform=claims.transAxes)
        held = held or [0] * len(SEEDS)
        loose.bar(range(len(SEEDS)), [value / 4 for value in held], color=GREEN)
        loose.axhline(0, color=INK, lw=0.8)
        loose.set_xticks(range(len(SEEDS)), SEEDS)
        lie.bar(range(len(places)), [value / 4 for value in places], color=GREEN)
        lie.set_xticks(range(len(places)))
        if places:
            lie.axhline(0, color=INK, lw=0.8)
        else:
            lie.set_axis_off()
        loose.set_title("on the move %+.2f, bonus %+.2f" % (tempo / 4, again / 4), loc="left", fontsize=10)
    axes[-1][0].set_xlabel("A claim, besides its seeds, by its hole, counted from the other player's left")
    axes[-1][1].set_xlabel("A loose hole, by its seeds,")
    axes[-1][2].set_xlabel("and by its place, from one's own left")
    figure.supylabel("worth in seeds")
    save(figure, plt, file)


def main():
    try:
        rows = json.loads(FIGURES.read_text(encoding="utf-8"))["rows"]
        page = put(PAGE.read_text(encoding="utf-8"), rows)
    except (OSError, ValueError, KeyError) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    draw_strength(rows, DOCS / STRENGTH)
    draw_values(DOCS / "pictures" / "opponent-values.svg")
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
