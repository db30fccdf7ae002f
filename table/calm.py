"""The flash limiter: no hole, and not the board on average, flashes more than three times in any second.

A flash is two opposing swings of a light. What is limited is therefore the number of swings: a swing is a
stretch of time in which red, green, blue, the strongest of them, their sum and luminance each go one way
only (wiggles below a threshold apart), so whichever of them somebody measures, it turns no more often than
swings begin. Seven swings are three flashes. That is what the resting cues make at the worst, and they pass
unaltered; where touches and moves come in between, fewer may begin within a second, since one more may have
begun before it and end in it.

A hole whose next change would begin one swing too many keeps its light until it may change. When it is the
board as a whole that may not turn, touched holes come first, then the changes that go the way the board is
going, then as many of the rest as leave the average where it is. Each frame is tried anew with what is
wanted by then, so once things are quiet the frame shown is the frame wanted.
"""

WINDOW = 1010  # ms; frames are shown a few ms late or early, so a little more than a second
SWINGS = 7  # at rest, of a hole or the board
STIRRED = 5  # of a hole, until a window after the last touch or move
MOVING = 4  # of a hole while a move is shown: a touch can still answer
ANSWER = 6  # of the board for touches; for everything else it is STIRRED
TICKS = 0x1FFFFFFF  # the clock wraps at 2**29

# Smaller turns than these are not counted: of red, green, blue, the strongest, the sum (of 765), luminance (of
# 255). A tenth of the brightest light of a hole would be more; a tenth of what a dim board shows is nearer.
STEPS = bytes((10, 10, 10, 10, 18, 8))
BOARD_STEPS = bytes((3, 3, 3, 3, 7, 3))  # the same of the average hole

UP = 1
DOWN = 2

# What is to become of a hole in this frame; 0: it stays as it is wanted.
ON = 1  # goes on its way
NEW = 2  # begins a swing
HELD = 3  # may not


class Calm:
    """Keeps `shown` (3n bytes) as near to what is wanted as the eye allows.

    Holes are 0..n-1, the board as a whole is n: its light is the sum of all.
    """

    def __init__(self, n):
        self.n = n
        self.shown = bytearray(3 * n)
        self._way = bytearray(DOWN for _ in range(6 * n + 6))  # where each measure is going: 0 nowhere yet
        self._peak = [0] * (6 * n + 6)  # how far it has gone that way
        self._began = [0] * (SWINGS * (n + 1))  # of the last swings, a ring for each hole and the board
        self._oldest = bytearray(n + 1)  # in each ring
        self._state = bytearray(n)
        self._steps = [0] * 12
        self._value = [0] * 6
        for k in range(6):
            self._steps[k] = STEPS[k]
            self._steps[6 + k] = BOARD_STEPS[k] * n
        self._red = self._green = self._blue = 0  # of the board
        self._first = 0  # the hole that comes first when not all can be served
        self._stirred = 0  # when something was last touched or moved
        self._fresh = True

    def show(self, want, touched, now, stir):
        """Bring `shown` nearer to `want`; True if it changed.

        `touched[h]` is not 0 where a hole answers a touch; `stir`: 0 all at rest, 1 somebody touches, 2 a move
        is shown. `now`: ms, wrapping at 2**29.
        """
        if self._fresh:
            # Whatever the clock says, no swing lies behind us.
            self._fresh = False
            self._stirred = (now - WINDOW) & TICKS
            for i in range(len(self._began)):
                self._began[i] = self._stirred
        n = self.n
        if stir:
            self._stirred = now
        shown = self.shown
        state = self._state
        red = self._red
        green = self._green
        blue = self._blue
        stirred = (now - self._stirred) & TICKS < WINDOW
        most = MOVING if stir > 1 else STIRRED if stirred else SWINGS
        changed = False
        i = 0
        for hole in range(n):
            r = want[i]
            g = want[i + 1]
            b = want[i + 2]
            if r == shown[i] and g == shown[i + 1] and b == shown[i + 2]:
                state[hole] = 0
            else:
                at = ON
                if self._follow_hole(hole, r, g, b):
                    at = NEW if self._may(hole, now, STIRRED if touched[hole] else most) else HELD
                state[hole] = at
                if at != HELD:
                    changed = True
                    red += r - shown[i]
                    green += g - shown[i + 1]
                    blue += b - shown[i + 2]
            i += 3
        if not changed:
            return False
        turns = self._turns(red, green, blue)
        if turns and not self._may(n, now, STIRRED if stirred else SWINGS):
            return self._serve(want, touched, now)
        if turns:
            self._begin(n, self._red, self._green, self._blue, now)
        for hole in range(n):
            if state[hole] and state[hole] != HELD:
                self._change(hole, want, now)
        self._go(red, green, blue)
        return True

    def _serve(self, want, touched, now):
        """The board may not turn for everybody: touches first, then what keeps it from turning."""
        n = self.n
        state = self._state
        changed = False
        red = self._red
        green = self._green
        blue = self._blue
        turned = False
        may = self._may(n, now, ANSWER)
        for hole in range(n):
            if touched[hole] and state[hole] and state[hole] != HELD:
                turns = not turned and self._turns_with(hole, want)
                if turns and not may:
                    continue
                if turns:
                    turned = True
                    self._begin(n, red, green, blue, now)
                self._change(hole, want, now)
                changed = True
        self._go(self._red, self._green, self._blue)
        rising = self._way[6 * n + 4] == UP
        for other_way in range(2):
            hole = self._first
            for _ in range(n):
                i = 3 * hole
                if state[hole] and state[hole] != HELD:
                    up = total(want, i) > total(self.shown, i)
                    if (other_way or up == rising) and not self._turns_with(hole, want):
                        self._change(hole, want, now)
                        changed = True
                hole += 1
                if hole == n:
                    hole = 0
        self._first = hole + 1 if hole + 1 < n else 0
        self._go(self._red, self._green, self._blue)
        return changed

    def _may(self, ring, now, most):
        """Whether one more swing may begin, of `most` within the window."""
        i = self._oldest[ring] + SWINGS - most
        if i >= SWINGS:
            i -= SWINGS
        return (now - self._began[ring * SWINGS + i]) & TICKS >= WINDOW

    def _follow_hole(self, hole, r, g, b):
        """Note where the measures of a hole go; True as soon as one turns.

        In one pass, since this is most of a frame's time on the chip. If the change is then held, some may have
        been noted too far along their way: they will be thought to turn sooner, never later.
        """
        value = self._value
        value[0] = r
        value[1] = g
        value[2] = b
        value[3] = max(r, g, b)
        value[4] = r + g + b
        value[5] = (54 * r + 183 * g + 19 * b) >> 8
        ways = self._way
        peaks = self._peak
        steps = self._steps
        j = 6 * hole
        for k in range(6):
            way = ways[j]
            gain = value[k] - peaks[j]
            if way == UP:
                if gain > 0:
                    peaks[j] = value[k]
                elif -gain >= steps[k]:
                    return True
            elif way == DOWN:
                if gain < 0:
                    peaks[j] = value[k]
                elif gain >= steps[k]:
                    return True
            elif gain >= steps[k]:
                ways[j] = UP
                peaks[j] = value[k]
            elif -gain >= steps[k]:
                ways[j] = DOWN
                peaks[j] = value[k]
            j += 1
        return False

    def _turns(self, r, g, b):
        """Whether any measure of the board would turn if its light became r g b."""
        j = 6 * self.n
        if self._back(j, r, 6) or self._back(j + 1, g, 7) or self._back(j + 2, b, 8):
            return True
        if self._back(j + 3, max(r, g, b), 9) or self._back(j + 4, r + g + b, 10):
            return True
        return self._back(j + 5, luminance(r, g, b), 11)

    def _back(self, j, value, k):
        way = self._way[j]
        if way == UP:
            return self._peak[j] - value >= self._steps[k]
        return way == DOWN and value - self._peak[j] >= self._steps[k]

    def _turns_with(self, hole, want):
        """Whether the board would turn if this hole became what is wanted."""
        i = 3 * hole
        shown = self.shown
        return self._turns(
            self._red + want[i] - shown[i],
            self._green + want[i + 1] - shown[i + 1],
            self._blue + want[i + 2] - shown[i + 2],
        )

    def _begin(self, ring, r, g, b, now):
        """A swing begins, from r g b."""
        i = self._oldest[ring]
        self._began[ring * SWINGS + i] = now
        i += 1
        self._oldest[ring] = 0 if i == SWINGS else i
        j = 6 * ring
        for k in range(6):
            self._way[j + k] = 0
        self._peak[j] = r
        self._peak[j + 1] = g
        self._peak[j + 2] = b
        self._peak[j + 3] = max(r, g, b)
        self._peak[j + 4] = r + g + b
        self._peak[j + 5] = luminance(r, g, b)

    def _change(self, hole, want, now):
        """Show what is wanted in this hole; the board's own way is noted later, once a frame."""
        i = 3 * hole
        shown = self.shown
        r = shown[i]
        g = shown[i + 1]
        b = shown[i + 2]
        new = self._state[hole] == NEW
        if new:
            self._begin(hole, r, g, b, now)
        self._state[hole] = 0
        self._red += want[i] - r
        self._green += want[i + 1] - g
        self._blue += want[i + 2] - b
        shown[i] = r = want[i]
        shown[i + 1] = g = want[i + 1]
        shown[i + 2] = b = want[i + 2]
        if new:
            self._follow_hole(hole, r, g, b)

    def _go(self, r, g, b):
        """Note where the measures of the board went."""
        j = 6 * self.n
        self._follow(j, r, 6)
        self._follow(j + 1, g, 7)
        self._follow(j + 2, b, 8)
        self._follow(j + 3, max(r, g, b), 9)
        self._follow(j + 4, r + g + b, 10)
        self._follow(j + 5, luminance(r, g, b), 11)

    def _follow(self, j, value, k):
        way = self._way[j]
        gain = value - self._peak[j]
        if way == UP:
            if gain > 0:
                self._peak[j] = value
        elif way == DOWN:
            if gain < 0:
                self._peak[j] = value
        elif gain >= self._steps[k]:
            self._way[j] = UP
            self._peak[j] = value
        elif -gain >= self._steps[k]:
            self._way[j] = DOWN
            self._peak[j] = value


def total(frame, i):
    """Red, green and blue together of the hole at offset i."""
    return frame[i] + frame[i + 1] + frame[i + 2]


def luminance(r, g, b):
    """After Rec. 709, of linear light; white gives 255."""
    return (54 * r + 183 * g + 19 * b) >> 8
