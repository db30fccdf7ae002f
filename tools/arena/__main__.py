"""Any two players against each other, many times over: `make arena`.

    python3 -m tools.arena [FIRST:SECOND ...] [--game GAME ...] [--games N] [--seed S] [--json]

Without pairs, those for which there are goals. The players stand in tools/arena/players.py. Each opening (two
random choices) is played twice, with sides swapped. The same seed gives the same figures, whatever `--processes`.
`--from FILE ...` reads what `--json` printed instead of playing, of several runs: PyPy, which is quicker, may have made
them. It needs nothing but the engine. tools/arena/page.py makes docs/opponent.md of it.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent.parent))

import engine
from tools.arena import figures, games, players
from tools.arena.progress import Progress

GAMES = 400


def pairs(words):
    """(first, second) of each word; ValueError for a wrong one."""
    found = []
    for word in words:
        two = tuple(word.split(":"))
        if len(two) != 2:
            raise ValueError("%s: two players are right, as in level3:random" % word)
        for name in two:
            players.check(name)
        if "mcts10x" in two and ("random" in two or two[0] == two[1]):
            raise ValueError("%s: mcts10x needs another player who searches" % word)
        found.append(two)
    return found


def rows(chosen):
    """(kind, options, (first, second)) of each row of the table."""
    found = []
    entries = [games.entry(text) for text in chosen.game or engine.names()]
    for two in pairs(chosen.pairs) or list(figures.GOALS):
        for kind, options in entries:
            if kind == "lamlameta" or not any(name.startswith("peer") for name in two):
                found.append((kind, options, two))
    if not found:
        raise ValueError("peer plays lamlameta only")
    for kind, options, two in found:  # what cannot be made is told before anything is played
        for name in two:
            players.make(name, kind, options, chosen.peer, chosen.budget)
    return found


def play(chosen):
    """The figures of all rows, as a dict."""
    todo = rows(chosen)
    progress = Progress(chosen.games * len(todo))

    def show(row, done):
        kind, _, (first, second) = todo[row]
        progress.show(done, "%s, %s against %s" % (kind, first, second))

    found = games.play_all(
        todo, chosen.games, chosen.seed, chosen.processes, chosen.peer, chosen.budget, show
    )
    progress.end()
    results = [figures.summary(*todo[i], found[i]) for i in range(len(todo))]
    return {"seed": chosen.seed, "rows": results}


def read(files):
    """What `--json` printed, of several runs: all their rows, the later in place of the earlier."""
    found = {}
    for file in files:
        for row in json.loads(Path(file).read_text(encoding="utf-8"))["rows"]:
            found[row["first"], row["second"], figures.title(row)] = row
    return {"rows": list(found.values())}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools.arena", description="Any two players against each other.")
    parser.add_argument("pairs", nargs="*", metavar="FIRST:SECOND", help=players.NAMES)
    parser.add_argument("--game", action="append", help='such as "lamlameta russ=1"; all six if not said')
    parser.add_argument("--games", type=int, default=GAMES, help="of each game and pair, an even number; 400")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--peer", metavar="FOLDER", help="a copy of MancalaGames, for the player `peer`")
    parser.add_argument("--budget", type=int, default=0, help="positions that mcts10x takes ten times")
    parser.add_argument("--json", action="store_true", help="for programs, instead of the table")
    parser.add_argument("--from", nargs="+", metavar="FILE", dest="files", help="do not play: read these")
    chosen = parser.parse_args(arguments)
    if chosen.games < 2 or chosen.games % 2 or chosen.processes < 1 or chosen.budget < 0:
        parser.error("games: an even number; processes: at least one; budget: at least 0")
    try:
        found = read(chosen.files) if chosen.files else play(chosen)
    except (OSError, ValueError, KeyError) as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        for line in figures.lines(found["rows"]):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
