"""A round of a game on the emulated board, planned beforehand by the engine, and what must be seen of it."""

import json
import random

import engine
from engine import protocol
from table.lights import Lights
from tools import lights as reader

DROP_MS = 60
READY_MS = 12_000  # until the program greets the console
DEAF_MS = 700  # the beginning of each state ignores touches for 500 ms
CALM_MS = 1_300  # the flash limiter may hold a light for so long after a move
LOOK_MS = 5_200  # tools.lights looks at five seconds
RESULT_MS = 1_800  # the result ignores touches for 1.5 s
END_MS = 500  # until the last turn's line is out
HURRY_MS = 500  # an animation at least so long is tapped, to go on four times as fast
PULSES_MS = 2_000  # before a race
SEEDS = 40  # rounds that are tried, to find a short one

SETTINGS = {
    "GEBETA_LOG": "1",
    "GEBETA_DROP_MS": str(DROP_MS),
    "GEBETA_SLEEP_MIN": "0",
    "GEBETA_PLAYERS": "two",
}


def written(write, *args):
    """What the line protocol writes, without the end of its line."""
    pieces = []
    write(pieces.append, *args)
    return "".join(pieces).rstrip("\n")


def moves(game):
    return list(game.legal[: game.moves()])


def shown(game, start=-1, end=-1):
    """What tools.lights must read from the lights of that position, 29 for 29 and more seeds. `start` and `end` are
    those of the last move."""
    holes = range(game.n)
    claims = [game.claim(hole) for hole in holes]
    return {
        "seeds": [min(count, 29) for count in game.seeds],
        "claims": claims,
        "legal": moves(game),
        "start": [start] if start >= 0 else [],
        "end": [end] if end >= 0 else [],
        "faults": [],
        "territory": [-1 if claims[hole] >= 0 else game.owner(hole) for hole in holes],
    }


def make(name, options):
    """A game as the table starts it: South begins."""
    game = engine.make(name, dict(options))
    game.start(0)
    return game


def shortest(name, options, seeds=SEEDS):
    """The seed of random choices that end a round soonest."""
    if "race" in options:
        return 1
    lengths = {}
    for seed in range(1, seeds + 1):
        game = make(name, options)
        rng = random.Random(seed)
        while not game.over:
            game.play(rng.choice(moves(game)))
        lengths[seed] = game.turns(0) + game.turns(1)
    return min(lengths, key=lambda seed: (lengths[seed], seed))


class Plan:
    """Plays a game in the engine, and writes down the fingers for it and what the board must say and show.

    `looks`: the lights are read at the beginning and after each so many turns, 0: never; `turns` ends the plan early.
    `quiet`: nobody listens at the console, so that the plan waits by the clock alone. `hurry`: long animations are
    tapped, as impatient people do.
    """

    def __init__(self, name, options, script, seed, looks=0, turns=None, quiet=False, hurry=True):
        self.name = name
        self.game = make(name, options)
        self.rng = random.Random(seed)
        self.script = script
        self.every = looks
        self.most = turns
        self.quiet = quiet
        self.hurry = hurry
        self.played = 0
        self.expected = []  # lines of the console that hold a position
        self.looks = []  # (name, the position that the lights must show)
        self._first = 0  # who began the match
        self._start = self._end = -1  # of the last move
        self._lights = Lights(self.game.n, DROP_MS)  # knows how long a move is shown

    # ---- beginnings

    def begin(self, entry=0, entries=1):
        """From power-up to the first position; the board has so many games, and this one is that entry."""
        if self.quiet:
            self.script.wait(READY_MS)
        else:
            self.script.wait_for("gebeta ready", READY_MS)
        self.script.tap(4, after_ms=800)
        if entries > 1:
            self.script.wait_for('"state":"choose"')
            self.script.tap(entry, after_ms=DEAF_MS)
        self._begun()

    def go_on(self):
        """From a round's result to the next round, or the next match."""
        self.script.wait_for('"state":"result"')
        self.script.tap(2, after_ms=RESULT_MS)
        if self.game.match_over:
            self._first = 1 - self._first
            self.game.start(self._first)
        else:
            self.game.next()
            self.script.wait_for('"state":"deal"')
            self.script.tap(3, after_ms=DEAF_MS)
        self._begun()

    def _begun(self):
        self._start = self._end = -1
        if self.game.race:
            self._race()
        else:
            self._position("play")
        if self.every:
            self._look()

    def _position(self, state):
        self.expected.append(written(protocol.write_position, self.game))
        if not self.quiet:
            self.script.wait_for(f'"state":"{state}"')
        self.script.wait(DEAF_MS)

    # ---- moves

    def round(self):
        """Random choices until the round, or the plan, ends."""
        while not self.game.over and self.played != self.most:
            self.turn()
        self.script.wait(END_MS)

    def turn(self):
        """A random choice; returns how many ms its animation takes if nobody taps."""
        game, script = self.game, self.script
        hole = self.rng.choice(moves(game))
        game.play(hole)
        self.played += 1
        self._start, self._end = hole, game.trace.last
        ms = wait_ms = self._lights.begin(game.trace, game.marks)
        script.tap(hole)
        script.mark(f"turn {self.played}")
        if self.hurry and ms >= HURRY_MS:
            # A hole that was not tapped just now, or it would be the same, trembling, finger.
            script.tap((hole + 3) % game.n, after_ms=100)
            wait_ms = ms // 4 + 300
        self.expected.append(written(protocol.write_turn, game))
        if self.quiet:
            script.wait(wait_ms + 400)
        else:
            script.wait_for('{"events":[')
        script.mark(f"landed {self.played}")
        if self.every and not game.over and self.played % self.every == 0:
            self._look()
        return ms

    def _look(self):
        """Let the lights come to rest, and look at them."""
        name = f"look {len(self.looks)}"
        self.script.mark(name, CALM_MS)
        self.script.mark(name + " end", LOOK_MS)
        self.looks.append((name, shown(self.game, self._start, self._end)))

    # ---- the race

    def _race(self, most=None):
        """The race, or so many drops of it."""
        game, script = self.game, self.script
        self._position("race")
        last = 1
        lifted = [
            self.rng.choice([h for h in range(game.n) if game.may_lift(player, h)]) for player in range(2)
        ]
        for player, hole in enumerate(lifted):
            script.tap(hole, after_ms=350)
            self._drop(player, hole)
            last = player
        script.wait(PULSES_MS)
        while game.race and most != 0:
            most = None if most is None else most - 1
            nexts = [game.next_drop(0), game.next_drop(1)]
            waiting = [player for player in range(2) if nexts[player] >= 0]
            player = 1 - last if nexts[0] == nexts[1] else self.rng.choice(waiting)
            script.tap(nexts[player], after_ms=60, ms=60)
            self._drop(player)
            last = player
        if not game.race:
            self._position("play")

    def _drop(self, player, hole=-1):
        game = self.game
        here = game.next_drop(player)
        did = game.drop(player, hole)
        lifted = hole if here < 0 else here
        self.expected.append(written(protocol.write_drop, game, player, did, here, lifted))
        self.script.wait_for('{"events":[')


def check(plan, recording):
    """What is wrong with the recording of a plan: a list of lines, none if all is as the engine has it."""
    wrong = []
    said = [text for _, text in recording.lines() if text.startswith("{") and '"seeds"' in text]
    if not plan.quiet:
        for i, (have, want) in enumerate(zip(said, plan.expected, strict=False)):
            if have != want:
                wrong.append(f"position {i}: the console said\n  {have}\nthe engine says\n  {want}")
                break
        if len(said) != len(plan.expected):
            wrong.append(f"the console told {len(said)} positions, the engine {len(plan.expected)}")
    for name, position in plan.looks:
        wrong += check_look(recording, name, position)
    return wrong


def check_look(recording, name, position):
    """The same for one look at the lights."""
    since = recording.mark(name)
    frames = recording.shown(since, recording.mark(name + " end"))
    if not frames:
        return [f"{name}: the strip had not got a frame"]
    seen = reader.read(frames)
    seen["seeds"] = [29 if count == "29+" else count for count in seen["seeds"]]
    wrong = [] if seen["rest"] else [f"{name} ({since / 1e6:.1f} s): the lights were not at rest"]
    for part, want in position.items():
        if seen[part] != want:
            have, want = json.dumps(seen[part]), json.dumps(want)
            when = f"{name} ({since / 1e6:.1f} s)"
            wrong.append(f"{when}: {part}: the lights show\n  {have}\nthe engine says\n  {want}")
    return wrong
