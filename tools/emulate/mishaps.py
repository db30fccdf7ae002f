"""What goes wrong around a board that is all right: PCs that do not as it would like, chips that fail for a while,
staff that comes in the middle of a game.

The board must not care: its lights go on by the clock, and once all is well again it plays on and says where it is.
"""

from engine import protocol
from table.cues import BRIGHTNESS as DEFAULT
from table.staff import BRIGHTNESS, LEAVE, LEVELS, TEST
from tools.emulate import rounds

TURNS = 6  # that nobody hears of
BAD_MS = 3_000  # how long a chip fails
GOOD_MS = 12_000  # a pad that has failed is tried again after 10 s
CORNERS_MS = 5_500
FAULTS = ("reset", "silent", "hold_sda", "over_current")


class Closed(rounds.Plan):
    """Nobody opens the console until after those turns."""

    def play(self):
        self.script.whole["host"] = "closed"
        self.quiet = True
        self.begin()
        for _ in range(TURNS):
            self.turn()
        self.script.host("open")
        self.script.wait_for("gebeta ready")
        self.script.wait(rounds.END_MS)
        self.last = rounds.written(protocol.write_position, self.game)


class Deaf(rounds.Plan):
    """Somebody listens to the first turns, then leaves the port open and reads no more; and reads again in the end."""

    def play(self):
        self.begin()
        for _ in range(2):
            self.turn()
        self.script.wait(rounds.END_MS)
        self.script.host("deaf")
        self.quiet = True
        for _ in range(TURNS):
            self.turn()
        self.script.host("open")
        self.script.wait(rounds.END_MS)
        self.quiet = False
        self.turn()
        self.script.wait(rounds.END_MS)
        self.last = self.expected[-1]


class Faulty(rounds.Plan):
    """The chips that read the pads fail, one after the other and each in another way, and come back."""

    def play(self):
        self.begin()
        for i, fault in enumerate(FAULTS):
            self.turn()
            self.script.wait(rounds.END_MS)
            self.script.fault(i % 2, fault)
            self.script.wait(BAD_MS)
            self.script.fault(i % 2, "none")
            self.script.wait(GOOD_MS)
        self.turn()
        self._look()
        self.last = self.expected[-1]


class Staffed(rounds.Plan):
    """After two turns somebody holds the corners, dims the board and back, tests it, and goes; then it is played on."""

    def play(self):
        self.begin()
        for _ in range(2):
            self.turn()
        self.script.wait(rounds.END_MS)
        self.corners()
        self.script.wait_for('"state":"staff"')
        self.item(BRIGHTNESS)
        self.script.mark("dim")
        self.item(0)
        self.script.mark("dimmed")
        self.item(LEVELS.index(DEFAULT))
        self.item(LEAVE)
        self.item(TEST)
        self.script.wait_for("self-test: ")
        self.script.wait(rounds.END_MS)
        self.script.type("q\n")
        self.script.wait_for('"state":"staff"')
        self.item(LEAVE)
        self.script.wait_for('"state":"play"')
        self.turn()
        self._look()
        self.last = self.expected[-1]

    def corners(self):
        corners = (0, 5, 9, 14) if self.game.n == 18 else (0, 11, 12, 23)
        self.script.touch(rounds.DEAF_MS, *corners)
        self.script.lift(CORNERS_MS, *corners)

    def item(self, hole):
        self.script.tap(hole, after_ms=rounds.DEAF_MS)


KINDS = {"closed": Closed, "deaf": Deaf, "faults": Faulty, "staff": Staffed}


def check(plan, recording):
    """What is wrong: a list of lines."""
    wrong = [line for look in plan.looks for line in rounds.check_look(recording, *look)]
    said = [text for _, text in recording.lines() if '"seeds"' in text] or ["nothing"]
    if said[-1] != plan.last:
        wrong.append(f"at the end the console said\n  {said[-1]}\nthe engine says\n  {plan.last}")
    return wrong
