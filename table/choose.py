"""*Choose*: which game, how many players, and how strongly the computer plays. A question with one possible answer is
not asked."""

from table.states import ROOM, State

SILENCE_MS = 8000  # then the first answer is taken
DEAF_MS = 500  # mashing must not choose

GAME = 0
PLAYERS = 1  # answers: two, one
LEVEL = 2  # answers: levels 1 to 3
DONE = 3
NAMES = ("game", "players", "level")


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
        self._scene = None  # draws the last two questions

    def begin(self):
        """Ask the first question that needs asking, or start the game if none does."""
        self._tapped = False
        self._ask(GAME)

    def _possible(self, question):
        """How many answers there are, those counted that may not be given."""
        return len(self.table.games) if question == GAME else question + 1

    def offers(self, entry):
        """Whether that game is offered: the staff may have taken some away."""
        return not self.table.offered or self.table.offered >> entry & 1 > 0

    def _may(self, question, answer):
        """Whether that answer may be given."""
        settings = self.table.settings
        if question == GAME:
            return self.offers(answer)
        if question == PLAYERS:
            return settings.players != ("two" if answer else "one")
        if self._answers[PLAYERS]:
            return not settings.level or settings.level == answer + 1
        return not answer  # two people: which, does not matter

    def _next(self, question, answer=0):
        """The first answer, from that one on, that may be given."""
        while answer < self._possible(question) and not self._may(question, answer):
            answer += 1
        return answer

    def _ask(self, question):
        table = self.table
        while question < DONE:
            answer = self._next(question)
            if self._next(question, answer + 1) < self._possible(question):
                break
            self._answers[question] = answer
            question += 1
        self._question = question
        if question == DONE:
            self._scene = None
            table.level = self._answers[LEVEL] + 1 if self._answers[PLAYERS] else 0
            table.start(self._answers[GAME])
        else:
            table.go(self)

    def enter(self):
        if self._question != GAME:
            from table.players import draw

            self._scene = draw
        self.pads_changed()

    def about(self):
        text = ',"question":"%s"' % NAMES[self._question]
        away = []
        for answer in range(self._possible(self._question)):
            if not self._may(self._question, answer):
                away.append(str(answer))
        return text + ',"away":[%s]' % ",".join(away) if away else text

    def pads_changed(self):
        """Answer i lies at hole i and at its partner, on living pads; where both are dead, one further on."""
        table = self.table
        half = table.n // 2
        answer = 0
        for hole in range(table.n):
            self._choice[hole] = 0
        for hole in range(half):
            if answer < self._possible(self._question) and not (table.dead[hole] and table.dead[hole + half]):
                may = self._may(self._question, answer)
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
            self.table.sit(pad)
            self._take(self._choice[pad] - 1)

    def _take(self, answer):
        self._answers[self._question] = answer
        self._ask(self._question + 1)

    def tick(self, dt, now):
        table = self.table
        table.make_room(ROOM)
        if table.age >= SILENCE_MS and table.silence >= SILENCE_MS:
            if table.settings.exhibit and not self._tapped:
                self._scene = None
                table.go(table.attract)
            else:
                if not self._tapped:
                    table.sit(0)
                self._take(self._next(self._question))

    def draw(self, lights, now):
        table = self.table
        if self._question != GAME:
            self._scene(lights, self._choice, table.person if self._question == LEVEL else -1, table.clock)
            return
        for hole in range(table.n):
            if self._choice[hole]:
                lights.entry(hole, self._choice[hole] - 1, table.clock)
