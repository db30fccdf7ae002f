"""How long the games take, and who wins: random games, counted. Writes docs/games.md and its charts.

    python3 -m tools.gamefigures [--games N] [--seed S] [--processes P]

The engine plays; table/motion.py tells how long the board would show each turn. The charts need matplotlib:
`pip install -r requirements/stats.txt`. The same seed gives the same figures, with any number of processes.
"""

import argparse
import multiprocessing
import os
import platform
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

import engine
from engine import replay
from engine.core import QUIET_LIMIT
from engine.race import DROP_DROPPED, DROP_LIFTED
from engine.state import DONE, RACE_FIRST
from table.motion import Motion

DOCS = Path(__file__).parent.parent / "docs"
DROP_MS = 180  # as settings.toml has it
BATCH = 50
SAMPLE = 2000

# game, options, what they are called. `rounds=1`: a match is one round, and figures are for one round.
ROWS = [
    ("lamlameta", {}, "Lamlameta"),
    ("lamlameta", {"opening": "right2"}, "Lamlameta, opening=right2"),
    ("lamlameta", {"russ": "1"}, "Lamlameta, russ=1"),
    ("gabata_aksum", {}, "Gabata of Aksum"),
    ("gabata_aksum", {"claims": "second_turn"}, "Gabata of Aksum, claims=second_turn"),
    ("gabata_aksum", {"claims": "any"}, "Gabata of Aksum, claims=any"),
    ("sulus_nishtaw", {}, "Sulus Nishtaw"),
    ("sulus_nishtaw", {"gambit": "0"}, "Sulus Nishtaw, gambit=0"),
    ("lame_uweedet", {}, "Lamè Uwèièdèt"),
    ("lame_uweedet", {"gambit": "0"}, "Lamè Uwèièdèt, gambit=0"),
    ("sulus_aidi", {}, "Sulus Aidi"),
    ("sulus_aidi", {"race": "1"}, "Sulus Aidi, race=1"),
    ("selus_massawa", {}, "Selus of Massawa"),
]
MEASURES = [("turns", "turns"), ("drops", "drops"), ("laps", "laps"), ("seconds", "seconds shown")]


class Counter:
    """Plays games of one row and counts."""

    def __init__(self, name, options):
        options = dict(options)
        if engine.find(name).ROUNDS:
            options["rounds"] = "1"
        self.game = engine.make(name, options)
        self.motion = Motion(self.game.n, DROP_MS, None)
        self.walk = replay.Replay(self.game.n)

    def play(self, rng):
        """One game; how it went, as a dict."""
        game = self.game
        game.start(0)
        self.drops = self.laps = self.ms = self.longest = self.endless = 0
        starter = 0
        if game.race:
            self._race(rng)
            starter = max(0, game.tally[RACE_FIRST] - 1)
        while not game.over:
            hole = game.legal[rng.randrange(game.moves())]
            game.play(hole)
            self._count()
        winner = game.winner()
        return {
            "turns": game.turns(0) + game.turns(1),
            "drops": self.drops,
            "laps": self.laps,
            "seconds": self.ms / 1000,
            "longest": self.longest,
            "endless": self.endless,
            "quiet": game.quiet >= QUIET_LIMIT,
            "result": 0 if winner < 0 else (1 if winner == starter else -1),
        }

    def _count(self):
        trace = self.game.trace
        self.ms += self.motion.begin(trace, self.game.marks)
        self.longest = max(self.longest, trace.count)
        self.endless += trace.endless >= 0
        self.laps += trace.count
        self.walk.begin(trace, False)
        event = self.walk.step()
        while event != replay.DONE:
            self.drops += event == replay.DROP
            event = self.walk.step()

    def _race(self, rng):
        """Whose hand is quicker changes from drop to drop: each drop is made by a player at random."""
        game = self.game
        while game.race:
            player = rng.randrange(2)
            hole = -1
            if game.tally[DONE + player]:
                continue
            if game.next_drop(player) < 0:
                holes = [h for h in range(game.n) if game.may_lift(player, h)]
                if not holes:
                    continue
                hole = rng.choice(holes)
            did = game.drop(player, hole)
            self.drops += did & DROP_DROPPED > 0
            self.laps += did & DROP_LIFTED > 0


def batch(job):
    """Some games of one row; each has a generator of its own, so that no other game changes it."""
    row, first, count, seed = job
    name, options, title = ROWS[row]
    counter = Counter(name, options)
    return row, [counter.play(random.Random(f"{seed}/{title}/{i}")) for i in range(first, first + count)]


def gentle():
    """Long work, and others are at work too."""
    if hasattr(os, "nice"):
        os.nice(10)


def play_all(games, seed, processes):
    """A list of results for each row."""
    jobs = [
        (row, first, min(BATCH, games - first), seed)
        for row in range(len(ROWS))
        for first in range(0, games, BATCH)
    ]
    results = [[] for _ in ROWS]
    total = games * len(ROWS)
    done = 0
    with multiprocessing.Pool(processes, gentle) as pool:
        for row, found in pool.imap(batch, jobs):
            results[row] += found
            done += len(found)
            bar = "#" * (30 * done // total)
            sys.stderr.write(f"\r[{bar:30}] {done:,} of {total:,} games  {ROWS[row][2]:40}")
            sys.stderr.flush()
    sys.stderr.write("\n")
    return results


def spread(values):
    """Median, 95th percentile (nearest rank) and greatest."""
    values = sorted(values)
    return values[(len(values) - 1) // 2], values[-(-95 * len(values) // 100) - 1], values[-1]


def shares(results):
    """Parts of a hundred in which the starter wins, draws and loses."""
    return [100 * sum(r["result"] == kind for r in results) / len(results) for kind in (1, 0, -1)]


# ---- the charts

PAPER = "#fbf7ef"
INK = "#33261a"
# Okabe and Ito's colours, told apart by all who see colours differently
BLUE, ORANGE, GREY, GREEN = "#0072B2", "#E69F00", "#c9c2b4", "#009E73"


def plain():
    """matplotlib, set up: no date and no random names in the files, so that they change only with the figures."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {
            "svg.hashsalt": "gebeta",
            "font.family": "DejaVu Sans",
            "font.size": 10.5,
            "text.color": INK,
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "axes.edgecolor": "#b8ab97",
            "figure.facecolor": PAPER,
            "axes.facecolor": PAPER,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    return plt


def heights():
    """Where each row stands: the rows of a game close together, games apart."""
    places = []
    at = 0.0
    for row, (name, _, _) in enumerate(ROWS):
        if row:
            at -= 1 if name == ROWS[row - 1][0] else 1.6
        places.append(at)
    return places


def label(row):
    """A game's name, or only the option on the lines below it."""
    _, options, title = ROWS[row]
    return title if not options else title.split(", ")[1]


def save(figure, plt, name):
    figure.savefig(DOCS / "pictures" / name, metadata={"Date": None, "Creator": "tools.gamefigures"})
    plt.close(figure)


def rows_axis(axis, places):
    axis.set_yticks(places, [label(row) for row in range(len(ROWS))])
    for row, text in enumerate(axis.get_yticklabels()):
        if not ROWS[row][1]:
            text.set_fontweight("bold")
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(places[-1] - 0.8, places[0] + 0.8)


def chart_lengths(results):
    plt = plain()
    from matplotlib.ticker import FuncFormatter, LogLocator

    places = heights()
    figure, axes = plt.subplots(1, 4, figsize=(13, 6.4), sharey=True, layout="constrained")
    for axis, (measure, title) in zip(axes, MEASURES, strict=True):
        for row, place in enumerate(places):
            median, most, longest = spread([r[measure] for r in results[row]])
            axis.plot(
                [median, most], [place, place], color=BLUE, lw=5, solid_capstyle="round", alpha=0.35, zorder=2
            )
            axis.plot([most, longest], [place, place], color=ORANGE, lw=1.6, zorder=1)
            axis.plot([median], [place], "o", color=BLUE, ms=8, zorder=4)
            axis.plot([most], [place], "|", color=BLUE, ms=11, mew=2.4, zorder=3)
            axis.plot([longest], [place], "D", color=ORANGE, ms=5.5, mec=INK, mew=0.6, zorder=4)
            axis.annotate(
                f"{median:,.0f}",
                (median, place),
                (0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=8.5,
            )
        axis.set_xscale("log")
        axis.set_title(title, fontweight="bold", loc="left")
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        axis.xaxis.set_minor_formatter(FuncFormatter(lambda x, _: ""))
        axis.grid(axis="x", color="#e2d8c6", lw=0.8)
        axis.set_axisbelow(True)
    rows_axis(axes[0], places)
    marks = [
        plt.Line2D([], [], color=BLUE, marker="o", ms=8, ls=""),
        plt.Line2D([], [], color=BLUE, marker="|", ms=11, mew=2.4, ls=""),
        plt.Line2D([], [], color=ORANGE, marker="D", ms=5.5, mec=INK, mew=0.6, ls=""),
    ]
    names = ["median (its value above)", "95 of 100 games are no longer", "longest"]
    figure.legend(marks, names, loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle("How long a random game takes", x=0.01, ha="left", fontsize=16, fontweight="bold")
    save(figure, plt, "games-lengths.svg")


def chart_winners(results):
    plt = plain()
    places = heights()
    figure, axis = plt.subplots(figsize=(10.5, 6), layout="constrained")
    for row, place in enumerate(places):
        left = 0
        for part, colour, ink in zip(
            shares(results[row]), (BLUE, GREY, ORANGE), ("white", INK, INK), strict=True
        ):
            axis.barh(place, part, left=left, height=0.72, color=colour, edgecolor=PAPER, lw=1.2)
            if part >= 3:
                text = f"{part:.0f}"
                axis.text(
                    left + part / 2, place, text, ha="center", va="center", color=ink, fontweight="bold"
                )
            left += part
    axis.axvline(50, color=INK, lw=1, ls=(0, (4, 3)))
    axis.set_xlim(0, 100)
    axis.set_xlabel("of 100 random games")
    rows_axis(axis, places)
    axis.spines["left"].set_visible(False)
    names = ["the starter wins", "draw", "the other wins"]
    figure.legend(
        [plt.Rectangle((0, 0), 1, 1, color=c) for c in (BLUE, GREY, ORANGE)],
        names,
        loc="outside lower center",
        ncols=3,
        frameon=False,
    )
    figure.suptitle("Who wins, from the start", x=0.01, ha="left", fontsize=16, fontweight="bold")
    save(figure, plt, "games-winners.svg")


# ---- the page

PAGE = """# How long the games take, and who wins

Figures from {games:,} random games of each game and option. `tools/gamefigures.py` writes this page and its charts:

    {command}

It needs matplotlib for the charts (`pip install -r requirements/stats.txt`), and about a
minute on two free cores.

## What was played

- **Random games**: each choice of hole is drawn evenly from those that the rules allow. People don't play like that:
  read the figures as the size and the leaning of the *rules*, not as what good players make of them.
- **One round** of each game (`rounds=1`). South always starts; the board is the same from both sides, so that it would
  make no difference if North did. Options are at their default, but for the one that is named.
- **turns**: of both players, passes too. A bonus move belongs to the turn before it. **drops**: seeds sown.
  **laps**: handfuls sown out.
- **seconds shown**: how long the board's lights show it, by the table's own timing (`table/motion.py`) at {drop} ms a
  drop, the default, and without the time that players think. No choice of hole is shown for longer than 12 seconds:
  a long one is shown faster.
- **Race** (`race=1`): each drop of the race is made by a player drawn at random, as if both hands were equally quick.
  Its drops and laps are counted; its seconds are the players' own, and are not. The *starter* is he who won the race.
- Each game has its own random numbers, made from the seed, the row's name and the game's number, so that the figures
  don't depend on the number of processes.

With {games:,} games, parts of a hundred are right to within about {error:.0f} (19 times in 20). The longest of these
games says little about the longest there is.

## How long

![Dots and bars: turns, drops, laps and seconds of each game](pictures/games-lengths.svg)

Each cell: median / 95th percentile / longest.

| game | turns | drops | laps | seconds shown |
| --- | --- | --- | --- | --- |
{lengths}

## Who wins

![Bars: how often the starter wins, draws and loses in each game](pictures/games-winners.svg)

The last two columns: how often the [100-choice rule](rules/README.md#play-that-goes-nowhere) ended the round, and
the most laps that one choice of hole took.

| game | starter wins | draw | the other wins | 100-choice rule | longest choice, in laps |
| --- | ---: | ---: | ---: | ---: | ---: |
{winners}

{uneven} {endless}
The two rows with `gambit=0` are one and the same game, played with other random numbers: how
much they differ shows what chance does.

Made by Python {python} with seed {seed}.
"""


def cell(values):
    median, most, longest = spread(values)
    return f"**{median:,.0f}** / {most:,.0f} / {longest:,.0f}"


def page(results, games, seed):
    lengths = []
    winners = []
    for (_, _, title), found in zip(ROWS, results, strict=True):
        cells = " | ".join(cell([r[measure] for r in found]) for measure, _ in MEASURES)
        lengths.append(f"| {title} | {cells} |")
        parts = " | ".join(f"{part:.1f} %" for part in shares(found))
        quiet = 100 * sum(r["quiet"] for r in found) / games
        winners.append(f"| {title} | {parts} | {quiet:.1f} % | {max(r['longest'] for r in found):,} |")
    endless = sum(r["endless"] for found in results for r in found)
    row = max(range(len(ROWS)), key=lambda i: abs(shares(results[i])[0] - shares(results[i])[2]))
    starter, _, other = shares(results[row])
    uneven = f"The most uneven is {ROWS[row][2]}: the starter wins {starter:.0f} of a hundred, the other {other:.0f}."
    text = (
        "No sowing was endless in all these games."
        if not endless
        else f"Endless sowings in all these games: {endless}."
    )
    command = "python3 -m tools.gamefigures"
    if games != SAMPLE:
        command += f" --games {games}"
    if seed != 1:
        command += f" --seed {seed}"
    return PAGE.format(
        games=games,
        command=command,
        drop=DROP_MS,
        error=100 / games**0.5,
        lengths="\n".join(lengths),
        winners="\n".join(winners),
        uneven=uneven,
        endless=text,
        python=platform.python_version(),
        seed=seed,
    )


def main():
    parser = argparse.ArgumentParser(description="Play random games and write docs/games.md.")
    parser.add_argument("--games", type=int, default=SAMPLE, help="games of each row (2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    plain()  # ends here, rather than after the games, where there is no matplotlib
    results = play_all(options.games, options.seed, options.processes)
    (DOCS / "pictures").mkdir(exist_ok=True)
    chart_lengths(results)
    chart_winners(results)
    (DOCS / "games.md").write_text(page(results, options.games, options.seed), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
