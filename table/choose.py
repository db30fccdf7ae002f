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

    def offers(self, entry):
        """Whether that game is offered: the staff may have taken some away."""
        return not self.table.offered or self.table.offered >> entry & 1 > 0

    def _next(self, question, answer=0):
        """The first answer, from that one on, that may be given."""
        if question == GAME:
            while answer < len(self.table.games) and not self.offers(answer):
                answer += 1
        return answer

    def _ask(self, question):
        while question < DONE:
            answer = self._next(question)
            if self._next(question, answer + 1) < self._possible(question):
                break
            self._answers[question] = answer
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
                may = self._next(self._question, answer) == answer
                answer += 1
                if may and not table.dead[hole]:
                    self._choice[hole] = answer
                if may and not table.dead[hole + half]:
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
                self._take(self._next(self._question))

    def draw(self, lights, now):
        for hole in range(self.table.n):
            if self._choice[hole]:
                lights.entry(hole, self._choice[hole] - 1, self.table.clock)
