"""Presses and releases become taps and holds: which touch counts, and for how long.

A touch belongs to the *era* in which its press was believed: the table begins a new era with each change of
state, mover or animation, and a touch of an older one neither does nor shows anything more.
"""

MASK = 0x1FFFFFFF  # milliseconds wrap here, as supervisor.ticks_ms() does

TREMBLE_MS = 250  # a press so soon after the same pad's release is the same touch
SETTLE_MS = 80  # two presses so close together are judged together: no tap is decided earlier
PALM_MS = 250  # three down, each pressed so soon after the one before: a palm or a cloth
FADE_MS = 400  # the light of a touch fades so long after its release; longer than TREMBLE_MS
FULL = 256  # a light's full level

# flags[pad]
KNOWN = 1  # down, or released a moment ago
VOID = 2  # counts for nothing
SHUT = 4  # can no longer become a hold
PENDING = 8  # released, not yet decided
TAPPED = 16  # has been a tap
DEAF = 32  # pressed while presses were ignored: shows nothing either


class Touch:
    """All pads' touches. `lit(pad)` says whether a tap there would choose something."""

    def __init__(self, pads, tap_ms, lit):
        self.pads = pads
        self.tap_ms = tap_ms
        self.lit = lit
        self.era = 0
        self.deaf = False  # presses are ignored
        self.every = False  # in a race each press counts, however close to others
        self.any_length = False  # in choose and result a long press is a tap as well
        self.count = 0  # pads down
        self.known = 0  # pads whose flags are not 0
        self.down = bytearray(pads)
        self.flags = bytearray(pads)
        self._chain = bytearray(pads)
        self._born = [0] * pads  # the era of each touch
        self._since = [0] * pads  # when its press was believed
        self._until = [0] * pads  # when its release was
        self._force = [0] * pads

    def turn_over(self):
        """Begin a new era: what is down now has had its say."""
        self.era = (self.era + 1) & MASK

    # ---- what the pads report

    def press(self, pad, strength, now):
        """Take in a press. Returns False if it only goes on with a touch (a trembling finger)."""
        if self.down[pad]:
            return False
        flags = self.flags
        self.down[pad] = 1
        self.count += 1
        if flags[pad]:
            if not self.every and (now - self._until[pad]) & MASK < TREMBLE_MS:
                flags[pad] &= ~PENDING
                return False
        else:
            self.known += 1
        flags[pad] = KNOWN | (VOID | SHUT | DEAF if self.deaf else 0)
        self._born[pad] = self.era
        self._since[pad] = now
        self._force[pad] = strength
        if not self.every:
            self._judge(pad, now)
        return True

    def release(self, pad, now):
        if self.down[pad]:
            self.down[pad] = 0
            self.count -= 1
            self._until[pad] = now
            self.flags[pad] |= PENDING

    def lose(self, pad, now):
        """The pad fell out of order: if it was down it is up, and that was no tap."""
        self.flags[pad] |= VOID if self.flags[pad] else 0
        self.release(pad, now)

    def _judge(self, pad, now):
        """The rules of the pair, of the palm, and of the second pad that ends a hold."""
        flags = self.flags
        since = self._since
        near = 0
        other = pad
        for p in range(self.pads):
            if flags[p] and p != pad:
                if (now - since[p]) & MASK <= SETTLE_MS:
                    near += 1
                    other = p
                else:
                    flags[p] |= SHUT
        if near == 1:
            self._pair(pad, other)
        elif near:
            for p in range(self.pads):
                if flags[p] and (now - since[p]) & MASK <= SETTLE_MS:
                    flags[p] |= VOID
        if self.count >= 3:
            self._palm(pad, now)

    def _pair(self, a, b):
        """Two within SETTLE_MS: the one on something lit; else the one twice as strong; else neither."""
        lit_a = self.lit(a)
        lit_b = self.lit(b)
        if lit_a == lit_b:
            lit_a = self._force[a] >= 2 * self._force[b]
            lit_b = self._force[b] >= 2 * self._force[a]
            if lit_a and lit_b:  # both without any strength
                lit_a = lit_b = False
        if not lit_a:
            self.flags[a] |= VOID
        if not lit_b:
            self.flags[b] |= VOID

    def _palm(self, pad, now):
        chain = self._chain
        since = self._since
        for p in range(self.pads):
            chain[p] = 0
        chain[pad] = 1
        first = 0  # how long ago the earliest press of the chain was
        size = 1
        p = 0
        while p < self.pads:
            if self.down[p] and not chain[p]:
                age = (now - since[p]) & MASK
                if age <= first + PALM_MS:
                    chain[p] = 1
                    size += 1
                    if age > first:
                        first = age
                        p = -1  # those before it may reach it now
            p += 1
        if size >= 3:
            for p in range(self.pads):
                if chain[p]:
                    self.flags[p] |= VOID

    # ---- what the table asks, once a tick

    def tap(self, now):
        """The next pad whose touch has turned out to be a tap of this era, or -1. Ask until -1."""
        if not self.known:
            return -1
        flags = self.flags
        for p in range(self.pads):
            if flags[p] & PENDING:
                if (now - self._since[p]) & MASK < SETTLE_MS:
                    continue
                flags[p] &= ~PENDING
                if flags[p] & (VOID | TAPPED) or self._born[p] != self.era:
                    continue
                if self.any_length or (self._until[p] - self._since[p]) & MASK <= self.tap_ms:
                    flags[p] |= TAPPED
                    return p
            elif flags[p] and not self.down[p] and (now - self._until[p]) & MASK >= FADE_MS:
                flags[p] = 0
                self.known -= 1
        return -1

    def hold(self, now):
        """The pad that is being held in this era, or -1."""
        if self.count:
            for p in range(self.pads):
                if not self.down[p] or self.flags[p] & (VOID | SHUT | TAPPED):
                    continue
                if self._born[p] == self.era and self.age(p, now) > self.tap_ms:
                    return p
        return -1

    def age(self, pad, now):
        """Milliseconds since the press of `pad` was believed."""
        return (now - self._since[pad]) & MASK

    def longest(self, now):
        """How long a pad pressed in this era has been down: the longest, or 0."""
        longest = 0
        if self.count:
            for p in range(self.pads):
                if self.down[p] and self._born[p] == self.era and self.age(p, now) > longest:
                    longest = self.age(p, now)
        return longest

    def exactly(self, pads):
        """Whether these pads are down, and no other."""
        if self.count != len(pads):
            return False
        for i in range(len(pads)):
            if not self.down[pads[i]]:
                return False
        return True

    def void(self, pad):
        """This touch has become part of a gesture: it is neither a tap nor a hold."""
        self.flags[pad] |= VOID

    def level(self, pad, now):
        """How brightly a touch lights its hole: 0..FULL."""
        if not self.flags[pad] or self.flags[pad] & DEAF or self._born[pad] != self.era:
            return 0
        if self.down[pad]:
            return FULL
        gone = (now - self._until[pad]) & MASK
        return FULL - gone * FULL // FADE_MS if gone < FADE_MS else 0
