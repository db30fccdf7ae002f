"""PCs that do not as the board would like: one never opens the console, one opens it and stops reading.

The board must not care: its lights go on by the clock, and once somebody listens again it tells where it stands.
"""

from engine import protocol
from tools.emulate import rounds

TURNS = 6  # that nobody hears of


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


HOSTS = {"closed": Closed, "deaf": Deaf}


def check(plan, recording):
    """What is wrong: a list of lines."""
    wrong = [line for look in plan.looks for line in rounds.check_look(recording, *look)]
    said = [text for _, text in recording.lines() if '"seeds"' in text] or ["nothing"]
    if said[-1] != plan.last:
        wrong.append(f"at the end the console said\n  {said[-1]}\nthe engine says\n  {plan.last}")
    return wrong
