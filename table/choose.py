"""*Choose*: which game; and then, where the settings leave that open, who plays (table/players.py). A question with one
possible answer is not asked."""

from table.states import ROOM, State

SILENCE_MS = 8000  # then the first answer is taken
DEAF_MS = 500  # mashing must not choose


class Choose(State):
    NAME = "choose"
    ANY_LENGTH = True
    DEAF_MS = DEAF_MS
    QUESTION = "game"

    def __init__(self, table):
        super().__init__(table)
        self._tapped = False  # whether somebody has answered a question
        self._choice = bytearray(table.n)  # which answer each hole stands for, plus one

    def begin(self):
        """Ask, or start the game if nothing needs asking."""
        self._tapped = False
        self._ask()

    def _possible(self):
        """How many answers there are, those counted that may not be given."""
        return len(self.table.games)

    def offers(self, entry):
        """Whether that answer may be given: the staff may have taken some games away."""
        return not self.table.offered or self.table.offered >> entry & 1 > 0

    def _next(self, answer=0):
        """The first answer, from that one on, that may be given."""
        while answer < self._possible() and not self.offers(answer):
            answer += 1
        return answer

    def _ask(self):
        answer = self._next()
        if self._next(answer + 1) < self._possible():
            self.table.go(self)
        else:
            self._take(answer)

    def enter(self):
        self.pads_changed()

    def about(self):
        away = [str(answer) for answer in range(self._possible()) if not self.offers(answer)]
        return ',"question":"%s"' % self.QUESTION + (',"away":[%s]' % ",".join(away) if away else "")

    def pads_changed(self):
        """Answer i lies at hole i and at its partner, on living pads; where both are dead, one further on."""
        table = self.table
        half = table.n // 2
        answer = 0
        for hole in range(table.n):
            self._choice[hole] = 0
        for hole in range(half):
            if answer < self._possible() and not (table.dead[hole] and table.dead[hole + half]):
                may = self.offers(answer)
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
        table = self.table
        if table.settings.players == "two":
            table.level = 0
            table.start(answer)
        else:
            from table.players import Players

            Players(table, answer, self._tapped)._ask()

    def tick(self, dt, now):
        table = self.table
        table.make_room(ROOM)
        if table.age >= SILENCE_MS and table.silence >= SILENCE_MS:
            if table.settings.exhibit and not self._tapped:
                table.go(table.attract)
            else:
                if not self._tapped:
                    table.sit(0)
                self._take(self._next())

    def draw(self, lights, now):
        for hole in range(self.table.n):
            if self._choice[hole]:
                lights.entry(hole, self._choice[hole] - 1, self.table.clock)
