"""Finds what the opponent's evaluation should count, by games it plays against itself: `make tune`.

    python3 -m tools.tune [--game GAME ...] [--games N] [--steps N] [--verify N] [--work W] [--seed S] [--json]

Each game's `VALUES` (engine/state.py says what they are), in quarters of a seed, are found anew in two ways, one after
the other:

- *Fit*: the opponent plays itself, with short thinking and some random choices. The positions after these are kept,
  with the scores that the round ended with, and least squares finds the values that tell these best. Half of the games
  fit and the other half judge: how much worse is it told without each kind of feature, how much better with others?
- *Climb*: in small steps from there, or from the values in the file if these play better. In each, all values are
  changed at random, up or down; those play against the opposite changes, and the values go a little towards the winner
  (simultaneous perturbation, Spall 1992).

What comes out is printed as it stands in the game's file, with how it does against the values there, at level 3. The
same seed gives the same values. It takes PyPy an hour for all games; needs nothing but the engine.
"""

import argparse
import json
import math
import multiprocessing
import os
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

import engine
from engine.search import KINDS, Search
from engine.state import AGAIN, CLAIM, MOVER, SAVED, TAKEN
from tools.arena import figures
from tools.arena.games import entry, gentle
from tools.arena.progress import Progress

GAMES = 3000
STEPS = 800
VERIFY = 400
WORK = 2500  # units a choice: some 25 positions
CHANCE = 0.25  # of a random choice, where games are played to fit
PLIES = 4  # that begin a game at random, at most
BATCH = 20  # games of a job
PARTS = 4  # of a step of the climb, each with changes of its own
PAIRS = 5  # of games, in each part
QUARTERS = 4  # of a seed
LOOSE = KINDS[-1]  # kinds of loose holes with seeds; an empty one is worth nothing
SHRINK = 20.0  # how hard unlikely values are pulled to 0
WIDE = 24
# How far values are changed at first, in quarters of a seed: of loose holes, of all else.
CHANGES = (2.0, 4.0)
# After k of n steps they are changed less by (1 + k / n * LATER) ** -CHANGED, and go towards the winner of a game by
# RATE * (1 + k / n * LATER) ** -FOLLOWED of the change. The powers are Spall's.
LATER = 9
CHANGED = 0.101
FOLLOWED = 0.602
RATE = 0.01

# Kinds of features: name, how many of them. The first are the evaluation's own, in the order of `VALUES`.
OWN = (("score", 1), ("tempo", 1), ("again", 1), ("loose", LOOSE), ("places", WIDE // 2), ("claims", WIDE))
TRIED = (("unmoved", 1), ("aims", 1), ("heaps", WIDE // 2), ("late", 1))
MEANING = {
    "score": "seeds taken and in one's claims",
    "tempo": "to be on the move",
    "again": "a bonus move",
    "loose": "a loose hole, by its seeds",
    "claims": "a claim, by where it lies",
    "unmoved": "a loose hole not yet lifted",
    "aims": "a loose hole whose first lap ends where it takes",
    "places": "a loose hole with seeds, by where it lies",
    "heaps": "the seeds of a loose hole, by where it lies",
    "late": "the score, the more the fewer seeds are loose",
}


def columns():
    """{kind: (first column, behind the last)}."""
    found = {}
    at = 0
    for name, count in OWN + TRIED:
        found[name] = (at, at + count)
        at += count
    return found


COLUMNS = columns()
COUNT = sum(count for _, count in OWN + TRIED)


def features(game):
    """The position as [(column, number)], South's less North's, where that is not 0."""
    row = [0.0] * COUNT
    n = game.n
    half = n // 2
    tally = game.tally
    seeds = game.seeds
    score = tally[TAKEN] - tally[TAKEN + 1]
    free = 0
    for hole in range(n):
        mark = game.marks[hole]
        held = seeds[hole]
        claim = mark >> CLAIM
        owner = claim - 1 if claim else mark & 1
        sign = -1 if owner else 1
        place = (hole + half * owner) % n  # counted from the owner's left
        if claim:
            score += sign * held
            row[COLUMNS["claims"][0] + (place + half) % n] += sign  # from the other's
            continue
        free += held
        if not held:
            continue
        row[COLUMNS["loose"][0] + KINDS[held] - 1] += sign
        if place < half:  # with unequal territories some lie beyond
            row[COLUMNS["places"][0] + place] += sign
            row[COLUMNS["heaps"][0] + place] += sign * held
        if not mark & 2:
            row[COLUMNS["unmoved"][0]] += sign
        end = (hole + held) % n
        if n == WIDE:
            aims = end // half == owner and not seeds[end] and seeds[n - 1 - end] == 2
        else:
            aims = game.marks[end] >> CLAIM == 2 - owner
        if aims:
            row[COLUMNS["aims"][0]] += sign
    sign = -1 if tally[MOVER] else 1
    row[COLUMNS["score"][0]] = score
    row[COLUMNS["tempo"][0]] = sign
    row[COLUMNS["again"][0]] = sign * tally[AGAIN]
    row[COLUMNS["late"][0]] = score * (1 - free / (n * game.EACH))
    return [(i, row[i]) for i in range(COUNT) if row[i]]


# ---- playing


def search_with(values, kind, options):
    """A Search that counts by `values`. (It reads them where it is made. A class of its own for each would be
    neater, and take PyPy ten times as long: it compiles for each class anew.)"""
    game = engine.make(kind, options)
    made_for = type(game)
    kept = made_for.VALUES
    made_for.VALUES = values
    try:
        return Search(game)
    finally:
        made_for.VALUES = kept


def choose(search, game, rng, work):
    """The hole it chooses with so much work; 0: that of level 3."""
    search.begin(game, 3, rng.randrange(1 << 29), work)
    while search.think(100_000):
        pass
    return search.hole


def any_hole(game, rng):
    return game.legal[rng.randrange(game.moves())]


def batch(job):
    """Games of the opponent against itself, to fit: [(South's score less North's, [features, ...])]."""
    kind, options, values, work, seed, first, count = job
    game = engine.make(kind, options)
    search = search_with(values, kind, options)
    found = []
    for number in range(first, first + count):
        rng = random.Random("%s/%s/%s" % (seed, kind, number))
        game.start(rng.randrange(2))
        opening = rng.randrange(1, PLIES + 1)
        rows = []
        while not game.over:
            # What a search asks about is seldom what good play leads to: so a position after a random choice is kept.
            if opening > 0 or rng.random() < CHANCE:
                game.play(any_hole(game, rng))
                if not game.over and not decided(game):
                    rows.append(features(game))
            else:
                game.play(choose(search, game, rng, work))
            opening -= 1
        found.append((game.score(0) - game.score(1), rows))
    return found


def decided(game):
    """More than half of all seeds taken: the search knows that without any evaluation."""
    return max(game.taken(0), game.taken(1)) * 2 > game.n * game.EACH


def versus(job):
    """Pairs of games, each pair from one opening: the margins of the first values against the second ones (None: those
    in the file)."""
    kind, options, values, work, seed, count = job
    game = engine.make(kind, options)
    two = [search_with(one or type(game).VALUES, kind, options) for one in values]
    rng = random.Random("%s/%s" % (seed, kind))
    saved = bytearray(SAVED)
    margins = []
    for _ in range(count):
        game.start(rng.randrange(2))
        opening = rng.randrange(2, PLIES + 1)
        while opening and not game.over:
            game.play(any_hole(game, rng))
            opening -= 1
        game.save(saved)
        for side in range(2):
            game.load(saved)
            while not game.over:
                game.play(choose(two[game.mover ^ side], game, rng, work))
            margin = game.score(0) - game.score(1)
            margins.append(-margin if side else margin)
    return margins


def points(margins):
    return sum(one > 0 for one in margins) + sum(one == 0 for one in margins) / 2


class Workers:
    """The processes."""

    def __init__(self, processes):
        self.pool = multiprocessing.get_context("spawn").Pool(processes, gentle) if processes > 1 else None

    def all(self, work, jobs, progress, what, done=0):
        """A list of what `work` makes of each job; `done` were done before."""
        results = []
        for one in self.pool.imap(work, jobs) if self.pool else map(work, jobs):
            results.append(one)
            progress.show(done + len(results), what)
        return results

    def close(self):
        if self.pool:
            self.pool.close()
            self.pool.join()


# ---- fitting


def used(kinds):
    """The columns of some kinds of features."""
    return [i for name in kinds for i in range(*COLUMNS[name])]


def solve(a, b):
    """x of a x = b, a symmetric and positive."""
    size = len(b)
    a = [[*a[i], b[i]] for i in range(size)]
    for i in range(size):
        pivot = a[i]
        for j in range(i + 1, size):
            below = a[j]
            factor = below[i] / pivot[i]
            if factor:
                for k in range(i, size + 1):
                    below[k] -= factor * pivot[k]
    x = [0.0] * size
    for i in range(size - 1, -1, -1):
        total = a[i][size]
        for k in range(i + 1, size):
            total -= a[i][k] * x[k]
        x[i] = total / a[i][i]
    return x


def fit(samples, kinds):
    """{column: value, in seeds}: least squares of the margins at the end, on these kinds of features."""
    numbers = {}
    for i in used(kinds):
        numbers[i] = len(numbers)
    size = len(numbers)
    right = [0.0] * size
    left = [[0.0] * size for _ in range(size)]
    for i in range(size):
        left[i][i] = SHRINK
    for row, margin in samples:
        row = [(numbers[i], value) for i, value in row if i in numbers]
        for i, value in row:
            right[i] += value * margin
            line = left[i]
            for j, other in row:
                line[j] += value * other
    found = solve(left, right)
    return {i: found[numbers[i]] for i in numbers}


def error(samples, weights):
    """By how many seeds the margin at the end is missed (root of the mean square)."""
    total = 0.0
    for row, margin in samples:
        for i, value in row:
            margin -= weights.get(i, 0.0) * value
        total += margin * margin
    return math.sqrt(total / len(samples))


def as_values(weights, n):
    """The weights as `VALUES`: whole quarters of a seed of score."""
    score = weights[COLUMNS["score"][0]]
    return values_of(
        [weights[i] * QUARTERS / score for i in used(("tempo", "again", "loose", "places", "claims"))], n
    )


def values_of(numbers, n):
    """`VALUES` of tempo, again, loose holes from one seed on, claims."""
    whole = [round(one) for one in numbers]
    at = 2 + LOOSE + WIDE // 2
    loose, places, claims = whole[2 : 2 + LOOSE], whole[2 + LOOSE :][: n // 2], whole[at : at + n]
    while claims and not claims[-1]:
        claims.pop()
    loose = [0, *loose] if any(loose) else []
    parts = (whole[:2], loose, places if any(places) else [], claims)
    return " / ".join(" ".join(map(str, part)) for part in parts).replace("  ", " ").strip()


def parts(values):
    """What `VALUES` says, as four lists of numbers."""
    return [[int(word) for word in part.split()] for part in values.split("/")]


def numbers_of(values):
    """The other way round."""
    (tempo, again), loose, places, claims = parts(values)
    loose = loose[1:] or [0] * LOOSE
    places = [*places, *[0] * (WIDE // 2 - len(places))]
    return [float(one) for one in (tempo, again, *loose, *places, *claims, *[0] * (WIDE - len(claims)))]


def flat(games):
    return [(row, margin) for margin, rows in games for row in rows]


def climb(kind, options, values, moved, chosen, workers):
    """Better values than these, by games; only the numbers at `moved` change."""
    n = engine.find(kind).HOLES
    numbers = numbers_of(values)
    mean = [0.0] * len(numbers)  # of the second half of the steps
    rng = random.Random("%s/%s/climb" % (chosen.seed, kind))
    progress = Progress(PARTS * chosen.steps)
    for step in range(chosen.steps):
        later = 1 + step / chosen.steps * LATER
        jobs = []
        changes = []
        for part in range(PARTS):
            change = [0.0] * len(numbers)
            for i in moved:
                change[i] = (
                    CHANGES[not 2 <= i < 2 + LOOSE + WIDE // 2] * later**-CHANGED * rng.choice((-1, 1))
                )
            two = [
                values_of([numbers[i] + sign * change[i] for i in range(len(numbers))], n) for sign in (1, -1)
            ]
            seed = "%s/climb/%d/%d" % (chosen.seed, step, part)
            changes.append(change)
            jobs.append((kind, options, two, chosen.work, seed, PAIRS))
        for part, margins in enumerate(workers.all(versus, jobs, progress, kind + ", climb", PARTS * step)):
            won = 2 * points(margins) - len(margins)
            for i in moved:
                numbers[i] += RATE * later**-FOLLOWED * won * changes[part][i]
        if 2 * step >= chosen.steps:
            for i in moved:
                mean[i] += numbers[i] / (chosen.steps - (chosen.steps + 1) // 2)
    progress.end()
    return values_of(mean, n)


def against(kind, options, values, chosen, workers):
    """How these values do against those in the file, at level 3."""
    progress = Progress(chosen.verify // 2)
    jobs = [
        (kind, options, (values, None), 0, "%s/verify/%d" % (chosen.seed, number), 1)
        for number in range(chosen.verify // 2)
    ]
    margins = [
        one for two in workers.all(versus, jobs, progress, kind + ", against the file's") for one in two
    ]
    progress.end()
    low, high = figures.wilson(points(margins), len(margins))
    return {
        "values": values,
        "score": round(100 * points(margins) / len(margins), 1),
        "low": round(100 * low, 1),
        "high": round(100 * high, 1),
    }


def tune(kind, options, chosen, workers):
    """All that is found about one game, as a dict."""
    made_for = type(engine.make(kind, options))
    before = made_for.VALUES
    jobs = [
        (kind, options, before, chosen.work, chosen.seed, first, min(BATCH, chosen.games - first))
        for first in range(0, chosen.games, BATCH)
    ]
    progress = Progress(len(jobs))
    played = [game for part in workers.all(batch, jobs, progress, kind + ", fit") for game in part]
    progress.end()
    own = [name for name, _ in OWN]
    fits, judges = flat(played[::2]), flat(played[1::2])
    whole = error(judges, fit(fits, own))
    found = {
        "game": kind,
        "games": len(played),
        "positions": len(fits) + len(judges),
        "before": before,
        "error": round(whole, 3),
        "nothing": round(error(judges, {}), 3),
        "without": {},
        "with": {},
        "against": [],
    }
    for name in own:
        without = [one for one in own if one != name]
        found["without"][name] = round(error(judges, fit(fits, without)) - whole, 3)
    for name, _ in TRIED:
        found["with"][name] = round(error(judges, fit(fits, [*own, name])) - whole, 3)
    fitted = as_values(fit(flat(played), own), made_for.HOLES)
    found["against"].append(against(kind, options, fitted, chosen, workers))
    if chosen.steps:
        seen = {i for row, _ in fits for i, _ in row}
        columns = used(own[1:])
        moved = [i for i in range(len(columns)) if columns[i] in seen]
        start = fitted if found["against"][0]["score"] > 50 else before
        climbed = climb(kind, options, start, moved, chosen, workers)
        found["against"].append(against(kind, options, climbed, chosen, workers))
    return found


def lines(found):
    """What was found about one game, for people."""
    yield "%s: %d games, %d positions" % (found["game"], found["games"], found["positions"])
    yield "  at level 3, against the values in its file"
    for way, one in zip(("fit", "climb"), found["against"]):  # noqa: B905 - PyPy's zip has no `strict` yet
        yield "    {:<6}{score:5.1f} % ({low} - {high})".format(way, **one)
        yield '    VALUES = "%s"' % one["values"]
    yield (
        "  The margin at the end is told to within %.2f seeds (%.2f: how wide it is); it would be worse by, without"
        % (
            found["error"],
            found["nothing"],
        )
    )
    for name in sorted(found["without"], key=lambda one: -found["without"][one]):
        yield "    %-8s%+7.3f  %s" % (name, found["without"][name], MEANING[name])
    yield "  and with"
    for name in sorted(found["with"], key=lambda one: found["with"][one]):
        yield "    %-8s%+7.3f  %s" % (name, found["with"][name], MEANING[name])
    yield ""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="tools.tune", description="Find the evaluation's values by self-play."
    )
    parser.add_argument("--game", action="append", help="all six if not said")
    parser.add_argument("--games", type=int, default=GAMES, help="to fit; %d" % GAMES)
    parser.add_argument("--steps", type=int, default=STEPS, help="of the climb, 40 games each; %d" % STEPS)
    parser.add_argument(
        "--verify", type=int, default=VERIFY, help="games against the file's values; %d" % VERIFY
    )
    parser.add_argument("--work", type=int, default=WORK, help="units a choice; %d" % WORK)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="for programs, instead of text")
    chosen = parser.parse_args(arguments)
    if chosen.games < 2 or chosen.steps < 0 or chosen.verify < 2 or chosen.work < 1 or chosen.processes < 1:
        parser.error("games and verify: 2 or more; work and processes: 1 or more; steps: 0 or more")
    try:
        entries = [entry(text) for text in chosen.game or engine.names()]
    except ValueError as wrong:
        parser.error(str(wrong))
    workers = Workers(chosen.processes)
    everything = []
    for kind, options in entries:
        found = tune(kind, options, chosen, workers)
        everything.append(found)
        if not chosen.json:
            for line in lines(found):
                print(line, flush=True)
    workers.close()
    if chosen.json:
        print(json.dumps({"seed": chosen.seed, "games": everything}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
