"""What people do to a board, as generators that yield the milliseconds until they go on. Runs on MicroPython too.

`hands` has `n`, `down(pad, strength)`, `up(pad)`, `lit()` and `legal()` (the holes that shine, and those that may be
chosen as far as that is known), `cloth(pads)` and `rows`, lists of neighbouring holes.
"""


class Dice:
    """Whole numbers by chance, the same on every interpreter."""

    def __init__(self, seed):
        self._state = (seed * 2654435761 + 12345) & 0x3FFFFFFF

    def below(self, count):
        self._state = (self._state * 69069 + 362437) & 0x3FFFFFFF
        return (self._state >> 8) % count

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, things):
        return things[self.below(len(things))]


def tap(hands, dice, pad, shortest=70, spread=350):
    hands.down(pad)
    yield shortest + dice.below(spread)
    hands.up(pad)
    yield 60


def a_hole(hands, dice, wrong):
    """A hole to tap: mostly one that may be chosen."""
    holes = [] if dice.chance(wrong) else hands.legal() or hands.lit()
    return dice.pick(holes) if holes else dice.below(hands.n)


def player(hands, dice):
    """Plays, alone or with a friend, for a while or to the end."""
    patient = dice.chance(60)
    for _ in range(5 + dice.below(60)):
        yield from tap(hands, dice, a_hole(hands, dice, 12))
        yield 300 + dice.below(5000 if patient else 1800)


def friends(hands, dice):
    """Play a game to its end, and perhaps another."""
    for _ in range(60 + dice.below(120)):
        yield from tap(hands, dice, a_hole(hands, dice, 3))
        yield 1500 + dice.below(3500)


def looker(hands, dice):
    """Touches it once or twice, and goes on."""
    for _ in range(1 + dice.below(3)):
        yield from tap(hands, dice, dice.below(hands.n))
        yield 200 + dice.below(4000)


def counter(hands, dice):
    """Holds holes down to see what happens."""
    for _ in range(2 + dice.below(5)):
        yield from tap(hands, dice, a_hole(hands, dice, 40), 900, 4000)
        yield 300 + dice.below(2000)


def masher(hands, dice):
    """A child with both hands."""
    for _ in range(20 + dice.below(120)):
        first = dice.below(hands.n)
        second = dice.below(hands.n)
        hands.down(first)
        yield 20 + dice.below(90)
        hands.down(second)
        yield 20 + dice.below(90)
        hands.up(first)
        yield dice.below(120)
        hands.up(second)
        yield 10 + dice.below(150)


def leaner(hands, dice):
    """Leans on it with a palm or an arm, for a moment or as long as a talk takes."""
    for _ in range(1 + dice.below(4)):
        row = dice.pick(hands.rows)
        at = dice.below(len(row))
        pads = row[at : at + 3 + dice.below(4)]
        for pad in pads:
            hands.down(pad, (4 + dice.below(7)) / 10)
            yield dice.below(120)
        yield 200 + dice.below(45_000 if dice.chance(20) else 4000)
        for pad in pads:
            hands.up(pad)
            yield dice.below(60)
        yield 500 + dice.below(2000)


def grasper(hands, dice):
    """Holds both left-hand holes down, or all four corners: a new game, and the staff's gesture."""
    pads = [0, hands.n // 2]
    if dice.chance(40):
        far, near = hands.rows[0], hands.rows[-1]
        pads = [far[0], far[-1], near[0], near[-1]]
    for pad in pads:
        hands.down(pad)
        yield dice.below(200)
    yield 1500 + dice.below(5500)
    for pad in pads:
        hands.up(pad)
    yield 500
    for _ in range(dice.below(6)):
        yield from tap(hands, dice, a_hole(hands, dice, 20))
        yield 300 + dice.below(3000)


def cleaner(hands, dice):
    """Wipes it with a wet cloth."""
    for _ in range(1 + dice.below(3)):
        for row in hands.rows:
            for at in range(0, len(row), 1 + dice.below(3)):
                hands.cloth(row[at : at + 3])
                yield 150 + dice.below(600)
    if dice.chance(30):
        yield dice.below(30_000)  # it is left lying there
    hands.cloth([])
    yield 500


def carrier(hands, dice):
    """Puts a bag down on it."""
    pads = [dice.below(hands.n) for _ in range(1 + dice.below(4))]
    for pad in pads:
        hands.down(pad, (5 + dice.below(6)) / 10)
    yield 1000 + dice.below(180_000)
    for pad in pads:
        hands.up(pad)
    yield 200


# (who, of a hundred)
KINDS = (
    (player, 44),
    (friends, 6),
    (looker, 14),
    (counter, 8),
    (masher, 8),
    (leaner, 8),
    (grasper, 5),
    (cleaner, 4),
    (carrier, 3),
)


def somebody(dice):
    """One of KINDS."""
    at = dice.below(100)
    for who, share in KINDS:
        at -= share
        if at < 0:
            return who
    return player
