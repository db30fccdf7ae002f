"""A move as light: a redraw is a function of the trace, the time since the move began, and nothing else.

Any t may be asked for. Forward costs the events in between; backward, at most a CUTS-th of the move.
"""

from engine.replay import CLAIM, DONE, DROP, ENDLESS, JUMP, LIFT, SKIP, TAKE, Replay
from table.scenes import BONUS, FORGONE, OVER, PASS, PASS_2, REST, Scenes

LONGEST = 12000  # ms, all of it: a turn of 681 drops has been found
CLAIM_MS = 1000
TAKE_MS = 700  # one take; several share TAKES_MS
TAKES_MS = 2100
ENDLESS_MS = 1600
JUMP_MS = 800
BONUS_MS = 900
PASS_MS = 800
OVER_MS = 1600
DIPS_MIN = 90  # ms a drop; quicker sowing shows colours without their dips
CUTS = 8

# Each lap's drops take 7/8 of the time of those before, down to a third.
_HASTE = bytes((255, 223, 195, 170, 149, 130, 114, 99, 87))


class Motion:
    """Draws moves of a board of n holes into `canvas` (see scenes.py; Lights: `base`)."""

    def __init__(self, n, drop_ms, canvas):
        self.n = n
        self.drop_ms = drop_ms
        self._canvas = canvas
        self._scenes = Scenes(n, canvas)
        self.replay = Replay(n)
        self.duration = 0
        self._marks = bytearray(n)  # the claims to show: the new one only once it is made
        self._claims = None
        self._scale = 1024
        self.event = REST  # what was drawn last (of engine.replay and scenes),
        self.start = self.end = 0  # from when to when it lasts
        self._sown = False
        # Where the walk can be taken up again: seeds at the start of a lap, the hole it lifts, its index, its time.
        self._cuts = bytearray(n * CUTS)
        self._cut_hole = bytearray(CUTS)
        self._cut_lap = bytearray(CUTS)
        self._cut_ms = [0] * CUTS
        self._every = 1
        self._trace = None

    def begin(self, trace, marks):
        """Get ready for a trace; `marks` as after the move, and kept by reference. Returns the duration in ms."""
        self._trace = trace
        self._claims = marks
        self._scenes.begin(trace, self.replay, marks)
        laps = trace.count if trace.count < trace.room else trace.room
        self._every = (laps + CUTS - 1) // CUTS or 1
        room = LONGEST - self._tail()
        self._scale = 1024
        self._rewind(-1)
        while not self._sown:  # on the chip some 0.3 ms a drop
            self._advance()
        if self.start > room:
            self._scale = (room << 10) // self.start
            self._rewind(-1)
        while self.event != REST:
            self._advance()
        self.duration = self.start
        return self.duration

    def _tail(self):
        """The time of all that is not sowing, before it is known what the sowing takes."""
        trace = self._trace
        ms = self._take_ms() * trace.takes
        if trace.count > trace.room:
            ms += JUMP_MS
        if trace.claim >= 0:
            ms += CLAIM_MS
        if trace.endless >= 0:
            ms += ENDLESS_MS
        if trace.bonus or trace.forgone:
            ms += BONUS_MS
        if trace.over:
            ms += OVER_MS
        return ms + PASS_MS * (min(2, trace.passes))

    def _take_ms(self):
        takes = self._trace.takes
        return TAKE_MS if takes * TAKE_MS <= TAKES_MS else TAKES_MS // takes

    def _unit(self, lap):
        """ms for one drop of a lap."""
        ms = self.drop_ms * (_HASTE[min(8, lap)] + 1) >> 8
        return ms * self._scale >> 10

    def _rewind(self, cut):
        """Stand at the start of a cut, or at the very start (-1)."""
        replay = self.replay
        replay.begin(self._trace)
        self.start = self.end = 0
        self._sown = False
        if cut >= 0:
            at = cut * self.n
            for hole in range(self.n):
                replay.seeds[hole] = self._cuts[at + hole]
            replay.lap = self._cut_lap[cut] - 1
            replay.hole = self._cut_hole[cut]
            self.end = self._cut_ms[cut]
        for hole in range(self.n):
            self._marks[hole] = self._claims[hole]
        if self._trace.claim >= 0:
            self._marks[self._trace.claim] &= 3
        self.event = LIFT
        self._advance()

    def _advance(self):
        """Go on to the next event, from `_start` to `_end`."""
        event = self.event
        replay = self.replay
        trace = self._trace
        self.start = self.end
        if event == CLAIM:
            self._marks[trace.claim] = self._claims[trace.claim]
        if event <= ENDLESS and event != DONE:
            if not replay.hand and (replay.lap + 1) % self._every == 0 and replay.lap + 1 < replay.laps:
                self._cut(replay)
            event = replay.step()
        if event == LIFT:
            ms = self._unit(replay.lap) * (2 if replay.lap else 5) >> (0 if replay.lap else 1)
        elif DROP <= event <= SKIP:
            ms = self._unit(replay.lap)
        else:
            self._sown = True
            if event == JUMP:
                ms = JUMP_MS
            elif event == CLAIM:
                ms = CLAIM_MS
            elif event == TAKE:
                ms = self._take_ms()
            elif event == ENDLESS:
                ms = ENDLESS_MS
            else:
                event = self._after(event)
                if event == REST:
                    ms = 0
                elif event == OVER:
                    ms = OVER_MS
                else:
                    ms = BONUS_MS if event < PASS else PASS_MS
        self.event = event
        self.end = self.start + ms

    def _cut(self, replay):
        """Remember the start of a lap."""
        lap = replay.lap + 1
        cut = lap // self._every
        at = cut * self.n
        for hole in range(self.n):
            self._cuts[at + hole] = replay.seeds[hole]
        self._cut_lap[cut] = lap
        self._cut_hole[cut] = replay.hole
        self._cut_ms[cut] = self.start

    def _after(self, event):
        """What comes after `event`, once the replay is done."""
        trace = self._trace
        if event < BONUS and trace.bonus:
            return BONUS
        if event < FORGONE and trace.forgone:
            return FORGONE
        if event < PASS and trace.passes:
            return PASS
        if event < PASS_2 and trace.passes > 1:
            return PASS_2
        return OVER if event < OVER and trace.over else REST

    def draw(self, t, clock):
        """Draw the move at t ms."""
        t = max(t, 0)
        if t < self.start:
            cut = (self.replay.laps - 1) // self._every
            while cut >= 0 and self._cut_ms[cut] > t:
                cut -= 1
            self._rewind(cut)
        while self.event != REST and t >= self.end:
            self._advance()
        sown = self._sown or self._unit(self.replay.lap) >= DIPS_MIN
        self._canvas.base(self.replay.seeds, self._marks, clock, sown)
        self._scenes.draw(self.event, t - self.start, self.end - self.start)
