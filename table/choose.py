"""*Choose*: which game, and in time how many players and how strong the board plays. A question with one
possible answer is not asked."""

from table.states import ROOM, State

SILENCE_MS = 8000  # then the first answer is taken
DEAF_MS = 500  # mashing must not choose

GAME = 0
PLAYERS = 1
LEVEL = 2
DONE = 3


class Choose(State):
    NAME = "choose"
    ANY_LENGTH = True
    DEAF_MS = DEAF_MS

    def __init__(self, table):
        super().__init__(table)
        self._question = GAME
        self._answers = bytearray(3)  # to each question
        self._tapped = False  # whether somebody has answered one
        self._choice = bytearray(table.n)  # which answer each hole stands for, plus one

    def begin(self):
        """Ask the first question that needs asking, or start the game if none does."""
        self._tapped = False
        self._ask(GAME)

    def _possible(self, question):
        """How many answers there are. Players and level: one, until the board has an opponent to offer."""
        return len(self.table.games) if question == GAME else 1

    def _ask(self, question):
        while question < DONE and self._possible(question) < 2:
            self._answers[question] = 0
            question += 1
        self._question = question
        if question == DONE:
            self.table.start(self._answers[GAME])
        else:
            self.table.go(self)

    def enter(self):
        self.pads_changed()

    def pads_changed(self):
        """Answer i lies at hole i and at its partner, on living pads; where both are dead, one further on."""
        table = self.table
        half = table.n // 2
        answer = 0
        for hole in range(table.n):
            self._choice[hole] = 0
        for hole in range(half):
            if answer < self._possible(self._question) and not (table.dead[hole] and table.dead[hole + half]):
                answer += 1
                if not table.dead[hole]:
                    self._choice[hole] = answer
                if not table.dead[hole + half]:
                    self._choice[hole + half] = answer

    def lit(self, pad):
        return self._choice[pad] > 0

    def tap(self, pad):
        if self._choice[pad]:
            self._tapped = True
            self._take(self._choice[pad] - 1)

    def _take(self, answer):
        self._answers[self._question] = answer
        self._ask(self._question + 1)

    def tick(self, dt, now):
        table = self.table
        table.make_room(ROOM)
        if table.age >= SILENCE_MS and table.silence >= SILENCE_MS:
            if table.settings.exhibit and not self._tapped:
                table.go(table.attract)
            else:
                self._take(0)

    def draw(self, lights, now):
        for hole in range(self.table.n):
            if self._choice[hole]:
                lights.entry(hole, self._choice[hole] - 1, self.table.clock)
