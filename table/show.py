"""What *attract* shows while nobody plays: a game that the board plays against itself (level 1 against level 2, the
sides in turn), what the colours say, and rests.

    embers   a rest
    lesson   seeds come to one hole one by one, and as many holes after it are lit: what each colour counts
    game     some moves; before each one the light of a finger rises and falls on the hole that is sown then
    bars     the game is over: both scores,
    winner   and whose is higher

Scenes fade in and out, and all of it is dimmed. Nothing is heard and nothing is logged.
"""

from table.cues import BREATH_MIN, BRIGHT, END

FADE_MS = 1500  # in, and out
FIRST_MS = 7000  # embers when attract begins,
EMBERS_MS = 15_000  # and between two scenes
BARS_MS = 6000
WINNER_MS = 6000
MOVES = 8  # of the game, until there is a rest; after every other one of these a lesson
QUIET = 30  # moves without a gain, and the game is over: the rules of some let it drag on to 100

PAUSE_MS = 3000  # between two moves
FINGER_MS = 1050  # the light of a finger,
RISE_MS = 300  # which rises
FALL_MS = 400  # and falls
SLOW = 2  # times slower than play

SEEDS = 10  # of a lesson: the seven colours, and three with a dip
SEED_MS = 3200
# They fall into the third hole of a side: the way there from its first one, and on to the row's end and beyond, is
# one that the eye follows.
WALK = 2
WALK_MS = 1200
# Level of the holes that are lit for the seeds. Brighter ones would be three seeds to some eyes.
TALLY = 16
HAND = 130  # level of the light that a seed is on its way

EMBERS = 0
LESSON = 1
GAME = 2
BARS = 3
WINNER = 4
FOREVER = 1 << 28  # a game says itself when its scene ends
LENGTHS = (EMBERS_MS, SEEDS * SEED_MS + FADE_MS, FOREVER, BARS_MS, WINNER_MS)

PAUSE = 0
FINGER = 1
MOVING = 2


class Show:
    """Plays on `table` while it is in *attract*; `random(below)` is a number from 0 to below - 1."""

    def __init__(self, table, random):
        self.table = table
        self._random = random
        self._entry = table.made - 1  # whose game was shown last: the next one is there already
        self._side = 1  # of the last lesson
        self._seeds = bytearray(table.n)  # of a lesson
        self._marks = bytes(table.n)
        self._last = -1  # where the last move ended
        self._best = 0  # who plays a level higher than the other, in this game
        self._t = 0  # ms of the pause, the finger or the move
        self._doing = PAUSE
        self._duration = 0  # of the move
        self._moves = 0  # of this scene
        self.begin()

    def begin(self):
        """Attract begins, with embers that are there already."""
        self._scene = EMBERS
        self._ms = FADE_MS  # of the scene,
        self._end = FIRST_MS  # which ends then
        self._new = True  # a game begins next
        self._rests = 0  # until now

    def tick(self, dt):
        self._ms += dt
        if self._scene == GAME:
            self._play(dt)
        if self._ms >= self._end:
            self._go(self._next())

    # ---- scenes

    def _next(self):
        scene = self._scene
        if scene == GAME and self._over():
            self._new = True
            return BARS
        if scene == BARS:
            return WINNER
        if scene == EMBERS and self._rests & 1:
            self._side = 1 - self._side
            return LESSON
        if scene <= LESSON:
            return GAME
        self._rests += 1
        return EMBERS

    def _go(self, scene):
        """Begin a scene, in the dark."""
        self._scene = scene
        self._ms = 0
        self._end = LENGTHS[scene]
        if scene == GAME:
            self._moves = 0
            if self._new:
                self._new = False
                self._begin_game()
            self.mark()
            self._pause()

    def _begin_game(self):
        """The next entry's game, from its beginning. Its race, which is for two pairs of hands, is over already."""
        table = self.table
        self._entry = (self._entry + 1) % len(table.games)
        while not table.choose.offers(self._entry):
            self._entry = (self._entry + 1) % len(table.games)
        table.make(self._entry)
        game = table.game
        table.opponent.take(game)
        self._best = 1 - self._best
        game.start(self._random(2))
        self._last = -1
        if game.race:
            for player in range(2):
                hole = self._random(table.n)
                while not game.may_lift(player, hole):
                    hole = self._random(table.n)
                game.drop(player, hole)
            while game.race:
                for player in range(2):
                    if game.next_drop(player) >= 0:
                        game.drop(player)

    # ---- the game

    def _play(self, dt):
        self._t += dt
        if self._doing == MOVING:
            if self._t // SLOW >= self._duration:
                self._landed()
        elif self._doing == FINGER:
            if self._t >= FINGER_MS:
                self._move()
        elif self._end == FOREVER and not self.table.opponent.think(dt) and self._t >= PAUSE_MS:
            self._t = 0
            if self._moves < MOVES:
                self._doing = FINGER
            else:
                self._end = self._ms + FADE_MS

    def _pause(self):
        self._doing = PAUSE
        self._t = 0
        if not self._over():
            self.table.opponent.begin(2 if self.table.game.mover == self._best else 1)

    def _move(self):
        game = self.table.game
        game.play(self.table.opponent.hole)
        self._last = game.trace.last
        self._duration = self.table.lights.begin(game.trace, game.marks)
        self._doing = MOVING
        self._t = 0
        self._moves += 1

    def _over(self):
        game = self.table.game
        return game.over or game.quiet >= QUIET

    def _landed(self):
        table = self.table
        self.mark()
        table.tidy()
        self._pause()
        if self._over():
            self._end = self._ms + FADE_MS

    def mark(self):
        """What is to be seen besides seeds and claims: dead pads, territories, and where the last move ended."""
        if self._scene == GAME:
            play = self.table.play
            play.mark_ground()
            if self._last >= 0:
                play.flags[self._last] |= END

    # ---- light

    def draw(self, lights):
        table = self.table
        scene = self._scene
        clock = table.clock
        full = BREATH_MIN
        if scene == EMBERS:
            full = 256
            lights.ember(clock)
        elif scene == GAME:
            game = table.game
            if self._doing == MOVING:
                lights.motion(self._t // SLOW, clock)
            else:
                lights.rest(game.seeds, game.marks, table.play.flags, clock)
                if self._doing == FINGER:
                    self._finger(lights)
        elif scene == LESSON:
            self._lesson(lights, clock)
        elif scene == BARS:
            lights.bars(table.game.score(0), table.game.score(1), self._ms)
        else:
            lights.winner(table.game.winner(), clock)
        left = self._end - self._ms
        x = self._ms if self._ms < left else left
        if x < FADE_MS:
            x = (x << 8) // FADE_MS  # squared, since the eye sees steps where it is dark
            full = full * x * x >> 16
        lights.veil(full)

    def _finger(self, lights):
        left = FINGER_MS - self._t
        level = min(self._t * 256 // RISE_MS, left * 256 // FALL_MS, 256)
        lights.press(self.table.opponent.hole, max(level, 0))

    def _lesson(self, lights, clock):
        n = self.table.n
        half = n // 2
        hole = WALK + half * self._side
        t = self._ms
        seed = min(t // SEED_MS, SEEDS - 1)
        t -= seed * SEED_MS
        arrives = WALK_MS * (WALK + 1) // (WALK + 2)  # when its light is wholly at the hole
        self._seeds[hole + half if hole < half else hole - half] = 0
        self._seeds[hole] = count = seed + 1 if t >= arrives else seed
        lights.base(self._seeds, self._marks, clock, True)
        for i in range(1, count + 1):
            level = TALLY
            if i == count:
                level = min(TALLY, (t - arrives) * TALLY // 400) if t >= arrives else TALLY
            lights.mix((hole + i) % n, BRIGHT, 0, level)
        at = t * 256 * (WALK + 2) // WALK_MS - 256  # of its light, in 256ths of a hole
        for i in range(WALK + 1):
            level = 256 - abs(at - 256 * i)
            if level > 0:
                lights.mix((hole - WALK + i) % n, BRIGHT, 0, level * HAND >> 8)
