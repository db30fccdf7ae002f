"""The power is cut, and comes back: the board must go on as its journal has it."""

from hardware.journal import Journal
from table.memory import Memory
from table.recall import Recall
from table.states import ROOM
from tools.emulate import rounds

MIDDLE_MS = 150  # into the animation of a move
DROPS = 5  # of a race that is cut short


class Cut(rounds.Plan):
    """A plan in which the power may be cut."""

    def cut(self):
        """Off and on again."""
        self.script.power_cut()
        self.script.wait_for("gebeta ready", rounds.READY_MS)


class InPlay(Cut):
    """In the middle of a move, twice: the choice counts, and its marks are there."""

    def play(self):
        self.begin()
        self.turn()
        for _ in range(2):
            hole = self.rng.choice(rounds.moves(self.game))
            self.game.play(hole)
            self.played += 1
            self._start, self._end = hole, self.game.trace.last
            self.script.tap(hole)
            self.script.wait(MIDDLE_MS)
            self.cut()
            self._position("play")
            self._look()
            self.turn()
        self._look()
        self.script.wait(rounds.END_MS)


class InRace(Cut):
    """Some drops into a race: it begins anew, at the lifting."""

    def play(self):
        self.script.wait_for("gebeta ready", rounds.READY_MS)
        self.script.tap(4, after_ms=800)
        self._race(DROPS)
        self.script.wait(rounds.END_MS)  # till the last drop's line is out
        self.game = rounds.make(self.name, self.game.options)
        self.cut()
        self._race()
        self.turn()
        self._look()
        self.script.wait(rounds.END_MS)


class InChoose(Cut):
    """While games are offered: the board invites again, and offers them again."""

    def play(self):
        self.script.wait_for("gebeta ready", rounds.READY_MS)
        self.script.tap(4, after_ms=800)
        self.script.wait_for('"state":"choose"')
        self.cut()
        self.script.wait_for('"state":"attract"')
        self.script.tap(4, after_ms=800)
        self.script.wait_for('"state":"choose"')
        self.script.tap(0, after_ms=rounds.DEAF_MS)
        self._begun()
        self.turn()
        self._look()
        self.script.wait(rounds.END_MS)


def nearly_full():
    """A journal that is compacted at the first opportunity."""
    nvm = bytearray(b"\xff" * 4096)
    memory = Memory(Journal(nvm))
    Recall(memory).read()
    while memory.journal.free >= ROOM:
        memory.run()
    return bytes(nvm)


class InErase(Cut):
    """While the journal is compacted: all of it is lost, and the board is as new."""

    nvm = nearly_full()

    def play(self):
        self.script.power_cut("erase")
        self.begin()
        for _ in range(2):
            self.turn()
        self.script.wait(rounds.END_MS)
        self.cut()
        self._position("play")
        self._look()
        self.script.wait(rounds.END_MS)


KINDS = {"cut": InPlay, "cut-race": InRace, "cut-choose": InChoose, "cut-erase": InErase}
