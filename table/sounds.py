"""What is to be heard, for whoever sees no colours: imported only where there is a piezo.

Each seed that falls sounds as many steps up a major scale as seeds now lie in its hole: 1-7 are one octave, 8-14 the
next, as the seven colours begin again. All else is a little figure, in the height of the player whose it is: South's
own note lies an octave below the first seed's, North's a fifth higher.

    turn      the player's note            lift      from it up an octave
    claim     a chord, rising              take      the same, falling down to the player's note
    bonus     short, short, high           forgone   short, short, low
    pass      three steps down             endless   up and down, three times
    in short  a whole scale                over      a chord, falling slowly; then the winner's three octaves
    no        a growl                      back      the lift the other way round

The lights' own timing says when: `follow` hears whatever `Motion` has just drawn, so what comes too thick for the
lights is too thick for the ear as well, and thins out.
"""

from engine.replay import CLAIM, DROP, ENDLESS, JUMP, LIFT, TAKE
from table.lights import COUNT_MS
from table.scenes import BONUS, FORGONE, OVER, PASS, PASS_2

MASK = 0x1FFFFFFF  # milliseconds wrap here

# Half-tones of an octave from A, in Hz five octaves above the lowest note.
HERTZ = (7040, 7459, 7902, 8372, 8870, 9397, 9956, 10548, 11175, 11840, 12544, 13290)
OCTAVES = 5
MAJOR = bytes((0, 2, 4, 5, 7, 9, 11))
FIRST = 12  # one seed: A, 440 Hz
MOST = 29  # seeds; all that are more sound like these
PLAYERS = bytes((0, 7))  # 220 and 330 Hz

TURN_MS = 220
REST_MS = 80  # before a turn's note
SEED_MS = 160  # at the longest; three quarters of a drop's time
LEAST_MS = 45  # shorter notes have no height: seeds that follow closer are not heard

# Half-tones and hundredths of a second, in turn.
SHIFT = bytes((0, 4, 12, 5))
BACK = bytes((12, 4, 0, 5))
CHORD = bytes((12, 8, 16, 8, 19, 8, 24, 36))
FALL = bytes((24, 7, 19, 7, 12, 7, 0, 20))
AGAIN = bytes((12, 8, 12, 8, 24, 24))
NOT_AGAIN = bytes((12, 8, 12, 8, 0, 24))
PASSED = bytes((12, 12, 7, 12, 0, 24))
CIRCLE = bytes((12, 9, 16, 9, 19, 9, 16, 9, 12, 9, 16, 9, 19, 9, 16, 9, 12, 9, 16, 9, 19, 9, 16, 9, 12, 18))
SCALE = bytes((12, 5, 14, 5, 16, 5, 17, 5, 19, 5, 21, 5, 23, 5, 24, 12))
CADENCE = bytes((24, 10, 21, 10, 19, 10, 16, 10, 12, 24))
WON = bytes((0, 16, 12, 16, 24, 40))
GROWL = bytes((1, 4, 0, 4, 1, 4, 0, 4))


def hertz(step):
    """The frequency of a note, in half-tones above 220 Hz, 0..60."""
    return HERTZ[step % 12] >> (OCTAVES - step // 12)


def step_of(seeds):
    """The note of so many seeds, 1 or more."""
    k = min(seeds, MOST) - 1
    return FIRST + k // 7 * 12 + MAJOR[k % 7]


class Sounds:
    """Plays on a `speaker`: `play(hz, ms)` queues a note, `stop()` forgets them. `motion` is the lights' own."""

    def __init__(self, speaker, motion):
        self._speaker = speaker
        self._motion = motion
        self._event = -1  # the last one heard,
        self._start = -1  # and when it began
        self._then = 0  # when the last note was begun
        self._lit = 0  # counting: how many have been heard,
        self._held = 0  # and for how long the hole had been held by then

    def _figure(self, notes, up, cut=True):
        if cut:
            self._speaker.stop()
        for i in range(0, len(notes), 2):
            self._speaker.play(hertz(notes[i] + up), 10 * notes[i + 1])

    def hush(self):
        """Nothing more is heard."""
        self._speaker.stop()

    def seed(self, seeds, ms=SEED_MS):
        """A seed has made them so many."""
        self._speaker.stop()
        self._speaker.play(hertz(step_of(seeds)), ms)

    def turn(self, player):
        """It is this player's turn; heard after what sounds already."""
        self._speaker.play(0, REST_MS)
        self._speaker.play(hertz(PLAYERS[player]), TURN_MS)

    def lift(self, player):
        self._figure(SHIFT, PLAYERS[player])

    def back(self, player):
        """A move has been taken back, this player's."""
        self._figure(BACK, PLAYERS[player])

    def no(self):
        self._figure(GROWL, 0)

    def pulse(self, last):
        """A race is about to start, or with the `last` one has started."""
        self._speaker.play(hertz(24 if last else 12), 300 if last else 100)

    def winner(self, side):
        """Whose round it was, -1: both. Heard after what sounds already."""
        for player in range(2):
            if side == player or side < 0:
                self._speaker.play(0, REST_MS)
                self._figure(WON, PLAYERS[player], False)

    def count(self, seeds, ms):
        """A hole has been held to be counted for so many ms: each of its seeds sounds as it lights."""
        if ms <= self._held:
            self._lit = 0
        self._held = ms
        lit = min(ms // COUNT_MS + 1, seeds)
        if lit != self._lit:
            self._lit = lit
            self.seed(lit, COUNT_MS * 3 // 4)

    def follow(self, now, speed):
        """The move as it is being shown, `speed` times as fast: call it after each frame of it."""
        motion = self._motion
        event = motion.event
        if event == self._event and motion.start == self._start:
            return
        self._event = event
        self._start = motion.start
        trace = motion.replay.trace
        mover = trace.marks[trace.start] & 1
        own = PLAYERS[mover]
        if event == DROP:
            if (now - self._then) & MASK < LEAST_MS:
                return
            ms = (motion.end - motion.start) * 3 // (4 * speed)
            self.seed(motion.replay.seeds[motion.replay.hole], max(LEAST_MS, min(SEED_MS, ms)))
        elif event == LIFT:
            self._figure(SHIFT, own)
        elif event == CLAIM:
            self._figure(CHORD, own)
        elif event == TAKE:
            self._figure(FALL, own)
        elif event == ENDLESS:
            self._figure(CIRCLE, 0)
        elif event == JUMP:
            self._figure(SCALE, 0)
        elif event == BONUS:
            self._figure(AGAIN, own)
        elif event == FORGONE:
            self._figure(NOT_AGAIN, own)
        elif PASS <= event <= PASS_2:
            self._figure(PASSED, PLAYERS[mover ^ (1 if event == PASS else 0)])
        elif event == OVER:
            self._figure(CADENCE, 0)
        else:
            return
        self._then = now
