"""Walk a trace event by event, every drop of it, without knowing the game."""

LIFT = 1
DROP = 2
SKIP = 3
JUMP = 4
CLAIM = 5
TAKE = 6
ENDLESS = 7
DONE = 0


class Replay:
    """A cursor in a `Trace`. After `begin`, each `step` returns one event and leaves it here:

    hole    the hole it happened in
    count   seeds lifted or taken; laps left out by a JUMP
    hand    seeds still in the hand
    lap     index of the lap, from 0
    laps    how many are walked
    seeds   bytearray(holes): the board after the event
    """

    def __init__(self, holes):
        self.n = holes
        self.seeds = bytearray(holes)
        self.trace = None
        self.hole = self.count = self.hand = self.lap = self.laps = self._takes = self._stage = 0

    def begin(self, trace, short=True):
        """Stand before the first event of `trace`; `short`: of its laps only the first `trace.room` are walked, and a
        JUMP tells of the others."""
        self.trace = trace
        self.laps = trace.room if short and trace.count > trace.room else trace.count
        for hole in range(self.n):
            self.seeds[hole] = trace.before[hole]
        self.hand = 0
        self.lap = -1
        self._takes = 0
        self._stage = LIFT

    def step(self):
        """The next event: LIFT, DROP, SKIP, JUMP (laps left out), CLAIM, TAKE, ENDLESS, and then DONE."""
        trace = self.trace
        seeds = self.seeds
        if self.hand:
            hole = self.hole + 1
            if hole == self.n:
                hole = 0
            self.hole = hole
            if seeds[hole] == 2 and trace.marks[hole] & 1 == trace.skips:
                return SKIP
            seeds[hole] += 1
            self.hand -= 1
            return DROP
        if self._stage == LIFT:
            lap = self.lap + 1
            if lap < self.laps:
                self.lap = lap
                if lap == 0:
                    self.hole = trace.start
                if lap == 0 and trace.gambit:
                    for i in range(self.n):
                        if trace.gambit >> i & 1:
                            seeds[i] -= 1
                            self.hand += 1
                else:
                    self.hand = seeds[self.hole]
                    seeds[self.hole] = 0
                self.count = self.hand
                return LIFT
            self._stage = CLAIM
            if trace.count > self.laps:
                self.count = trace.count - self.laps
                for hole in range(self.n):
                    seeds[hole] = trace.landed[hole]
                return JUMP
        if self._stage == CLAIM:
            self._stage = TAKE
            if trace.claim >= 0:
                self.hole = trace.claim
                return CLAIM
        if self._takes < trace.takes:
            i = 2 * self._takes
            self._takes += 1
            self.hole = trace.took[i]
            self.count = trace.took[i + 1]
            seeds[self.hole] -= self.count
            return TAKE
        if trace.endless >= 0 and self._stage == TAKE:
            self._stage = DONE
            self.hole = trace.endless
            return ENDLESS
        return DONE
