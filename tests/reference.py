"""The rule book once more, written as plainly as possible and as differently from the engine as possible.

Slow: sets of positions, lists, one drop at a time, every earlier lap start remembered. The tests play it
beside the engine, seed for seed.
"""

GAMBITS = {"lame_uweedet": (0, 2, 4, 6, 8), "sulus_nishtaw": range(8)}


def facing(hole):
    return 23 - hole


class Reference:
    """A position and its rules; `play` returns the protocol's events."""

    def __init__(self, game, starter=0, **options):
        self.game = game
        self.options = options
        self.n = 24 if game == "lamlameta" else 18
        self.each = 2 if self.n == 24 else 3
        half = self.n // 2
        self.seeds = [self.each] * self.n
        self.claims = [-1] * self.n
        self.territory = [0] * half + [1] * half
        self.unmoved = [1] * self.n
        self.taken = [0, 0]
        self.turns = [0, 0]
        self.mover = self.starter = starter
        self.quiet = self.again = self.over = 0

    def state(self):
        return {
            "seeds": list(self.seeds),
            "claims": list(self.claims),
            "territory": list(self.territory),
            "unmoved": list(self.unmoved),
            "taken": list(self.taken),
            "turns": list(self.turns),
            "mover": self.mover,
            "quiet": self.quiet,
            "again": self.again,
            "over": self.over,
            "moves": self.moves(),
        }

    def mine(self, hole, who):
        return self.territory[hole] == who and self.claims[hole] == -1 and self.seeds[hole] > 0

    def first_turn(self):
        return self.turns == [0, 0]

    def gambit(self):
        """The holes the gambit takes from, or nothing."""
        if self.game not in GAMBITS or self.options.get("gambit", "1") == "0":
            return []
        if not self.first_turn() or self.again or sum(self.territory) != 9:
            return []
        holes = [9 * self.mover + i for i in GAMBITS[self.game]]
        return holes if all(self.seeds[h] and self.claims[h] == -1 for h in holes) else []

    def moves(self):
        if self.over:
            return []
        who = self.mover
        holes = [h for h in range(self.n) if self.mine(h, who)]
        if self.game == "lamlameta":
            if self.options.get("opening") == "right2" and self.first_turn():
                holes = [h for h in holes if h in (10, 11, 22, 23)] or holes
            if self.options.get("russ") == "1":
                holes = [h for h in holes if self.seeds[h] != 2] or holes
        if self.game == "gabata_aksum":
            left = 9 * who
            if left in holes and self.seeds[left] <= 3 and len(holes) > 1:
                holes.remove(left)
        return self.gambit()[-1:] or holes

    def may_claim(self, hole, who):
        if self.game == "selus_massawa":
            return 0 not in self.turns
        if self.territory[hole] == who:
            return False
        if self.game == "gabata_aksum":
            rule = self.options.get("claims", "unmoved")
            if rule == "unmoved":
                return not self.unmoved[hole]
            return rule == "any" or not self.first_turn()
        return not self.first_turn()

    def play(self, hole):
        assert hole in self.moves()
        who, seeds, events = self.mover, self.seeds, []
        gain = bonus = False
        seen = set()
        gambit = self.gambit()
        while True:
            position = (tuple(seeds), hole)
            if position in seen:
                events.append(["endless", hole])
                break
            seen.add(position)
            if gambit:
                hand = len(gambit)
                for h in gambit:
                    seeds[h] -= 1
                    self.unmoved[h] = 0
                gambit = []
            else:
                hand = seeds[hole]
                seeds[hole] = 0
                self.unmoved[hole] = 0
            events.append(["lift", hole, hand])
            while hand:
                hole = (hole + 1) % self.n
                if self.skips(hole, who):
                    events.append(["skip", hole])
                    continue
                seeds[hole] += 1
                hand -= 1
            if self.claims[hole] >= 0:
                takes, bonus = self.in_claim(hole, who)
                if takes:
                    self.take(hole, min(2, seeds[hole]), events)
                    gain = True
                break
            if seeds[hole] == 1:
                if self.game == "lamlameta" and self.territory[hole] == who and seeds[facing(hole)] == 2:
                    if not (self.options.get("russ") == "1" and self.first_turn()):
                        for h in range(self.n):
                            if self.territory[h] != who and seeds[h] == 2:
                                self.take(h, 2, events)
                                gain = True
                break
            if self.game != "lamlameta" and seeds[hole] == 4 and self.may_claim(hole, who):
                gain = True
                if self.game == "gabata_aksum" and self.territory.count(1 - who) == 1:
                    self.take(hole, 3, events)
                else:
                    self.claims[hole] = who
                    events.append(["claim", hole])
                break
        self.quiet = 0 if gain else self.quiet + 1
        if bonus:
            self.again = 1
            if self.moves():
                return events
        self.end_turn()
        if self.quiet >= 100:
            self.award_own()
            self.over = 1
        else:
            self.follow()
        return events

    def in_claim(self, hole, who):
        """Whether the last seed in a claim takes two, and whether it gives a bonus move."""
        own = self.claims[hole] == who
        if self.game == "gabata_aksum":
            return not own, False
        if self.game == "sulus_aidi":
            return False, False
        if self.game == "selus_massawa":
            if hole == 9 * who:
                return False, False
            return True, own or hole == 9 - 9 * who
        return not own, not own

    def skips(self, hole, who):
        return (
            self.game == "lamlameta"
            and not self.first_turn()
            and self.territory[hole] != who
            and self.seeds[hole] == 2
        )

    def take(self, hole, amount, events):
        self.seeds[hole] -= amount
        self.taken[self.mover] += amount
        events.append(["take", hole, amount])

    def end_turn(self):
        self.turns[self.mover] += 1
        self.again = 0
        self.mover = 1 - self.mover

    def award_own(self):
        for h in range(self.n):
            if self.claims[h] == -1:
                self.taken[self.territory[h]] += self.seeds[h]
                self.seeds[h] = 0

    def follow(self):
        while True:
            if self.game == "lamlameta" and not self.moves():
                self.taken[1 - self.mover] += sum(self.seeds)
                self.seeds[:] = [0] * self.n
                self.over = 1
            elif self.game in ("gabata_aksum", "sulus_aidi", "selus_massawa"):
                self.over = int(not any(s and c == -1 for s, c in zip(self.seeds, self.claims, strict=True)))
            elif self.game in GAMBITS and not self.moves():
                self.award_own()
                self.over = 1
            if self.over or self.moves():
                return
            self.end_turn()
