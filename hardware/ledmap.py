"""Which pixel lights which hole, found out by asking: the self-test lights a pixel, somebody names its hole."""


class LedMap:
    """`order[i]` is the hole of pixel i as it was set up, and at the end as it is; `say(line)` speaks.

    `pixel` is being asked for, `holes[i]` the hole that pixel i has been given, or None.
    """

    def __init__(self, order, say):
        self.order = order
        self.holes = [None] * len(order)
        self.pixel = 0
        self.done = False
        self.answers = []  # pixels, in the order in which they got their holes
        self._skipped = bytearray(len(order))  # how often
        self._say = say

    def ask(self):
        """The next pixel that has no hole; those that were skipped come again at the end, once."""
        left = [pixel for pixel in range(len(self.order)) if self.holes[pixel] is None]
        first = [pixel for pixel in left if self._skipped[pixel] == 0]
        again = [pixel for pixel in left if self._skipped[pixel] == 1]
        if len(left) < 2 or not (first or again):
            self._finish(left)
            return
        self.pixel = (first or again)[0]
        self._say("pixel %d lights: which hole?" % self.pixel)

    def answer(self, hole):
        """Whether the pixel may have this hole."""
        if hole in self.holes:
            self._say("hole %d is pixel %d's already (u: one back)" % (hole, self.holes.index(hole)))
            return False
        self.holes[self.pixel] = hole
        self.answers.append(self.pixel)
        self.ask()
        return True

    def back(self):
        """Take the last answer back, and ask for it again."""
        if self.answers:
            pixel = self.answers.pop()
            self.holes[pixel] = None
            self._skipped[pixel] = 0
        self.ask()

    def skip(self):
        self._skipped[self.pixel] += 1
        self.ask()

    def _finish(self, left):
        """Nothing can be asked any more: the holes that are left go to the pixels that are left, where possible
        as the map was before. So it is always a map."""
        holes = [hole for hole in range(len(self.order)) if hole not in self.holes]
        for keep in (True, False):
            for pixel in left:
                if self.holes[pixel] is None and (not keep or self.order[pixel] in holes):
                    hole = self.order[pixel] if keep else holes[0]
                    holes.remove(hole)
                    self.holes[pixel] = hole
                    if len(left) > 1:
                        self._say("pixel %d: hole %d is a guess" % (pixel, hole))
        if self.holes == self.order:
            self._say("The LED map is as it was:")
        else:
            self._say("The LED map is another one. Put this into settings.toml:")
        self._say('GEBETA_LED_ORDER = "%s"' % ",".join([str(hole) for hole in self.holes]))
        self.order[:] = self.holes
        self.done = True
