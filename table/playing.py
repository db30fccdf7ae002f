"""What *play* and *race* have in common."""

from engine.state import CLAIMED
from table.cues import DEAD, LEGAL, NORTHS, SOUTHS
from table.states import IDLE, State

STRANDED_MS = 5000  # none of the legal holes can be tapped: the board takes the lowest

CALL_MS = 2000  # exhibit, nobody there: the legal holes call,
COUNTDOWN_MS = 20_000  # then a ring empties

HANDS = 0  # why a game is given up, as in table/memory.py


class Playing(State):
    """A state in which a game goes on, *play* or *race*: it may be given up, and dead pads block nobody."""

    PLAYED = True

    def __init__(self, table):
        super().__init__(table)
        self.flags = bytearray(table.n)  # what is to be seen of each hole besides its seeds

    def human(self, player):
        """Whether a person plays that side."""
        return not self.table.level or player == self.table.person

    def legal(self, hole):
        return self.flags[hole] & LEGAL != 0

    def partner(self, hole):
        half = self.table.n // 2
        return hole + half if hole < half else hole - half

    def hole(self, pad):
        """The hole that a tap on this pad plays: its own, or its partner's if that one's pad is dead."""
        other = self.partner(pad)
        if not self.legal(pad) and self.table.dead[other] and self.legal(other):
            return other
        return pad

    def out_of_reach(self, hole):
        """Whether no pad plays this legal hole."""
        dead = self.table.dead
        other = self.partner(hole)
        return dead[hole] and (dead[other] or self.legal(other))

    def mark_ground(self):
        """The flags that depend on nobody's turn: dead pads, and territories that are not where they are at first."""
        table = self.table
        marks = table.game.marks
        half = table.n // 2
        for hole in range(table.n):
            flag = DEAD if table.dead[hole] else 0
            mark = marks[hole]
            if mark < CLAIMED:
                if hole < half:
                    flag |= NORTHS if mark & 1 else 0
                elif not mark & 1:
                    flag |= SOUTHS
            self.flags[hole] = flag

    def given_up(self, dt):
        """Leave the game if both left-hand holes are held, or in an exhibit nobody is there; whether it is left."""
        table = self.table
        if table.grasp.tick(dt):
            table.note('{"abandoned":"hands"}')
            table.give_up(HANDS, table.choose)
            return True
        if table.settings.exhibit and table.silence >= table.idle_ms + CALL_MS + COUNTDOWN_MS:
            table.note('{"abandoned":"idle"}')
            table.give_up(IDLE, table.attract)
            return True
        return False

    def missed(self, lights):
        """In an exhibit: call whoever has gone away, then count down; whether it does."""
        table = self.table
        answer = table.settings.exhibit and table.silence >= table.idle_ms
        if answer:
            lights.call(self.flags, table.clock)
            if table.silence >= table.idle_ms + CALL_MS:
                lights.countdown(table.silence - table.idle_ms - CALL_MS, COUNTDOWN_MS)
        return answer
