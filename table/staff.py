"""*Staff*: what those may do who look after the board. The four corners or the console open it; it is loaded then, and
let go of afterwards. docs/exhibit.md shows it.

Each item has its hole, the same on both boards. Where that one's pad is dead, its partner's does for it.
"""

from table.cues import COLOURS, LEGAL, OWNERS, WHITE
from table.lights import NO_MS
from table.states import DIM_STRIP, LEFT_STAFF, RUN_SELFTEST, TELL_COUNTERS, Aside

# The items, and their holes.
BRIGHTNESS, WIPE, GAMES, TEST, COUNTERS, ZERO = range(6)
LEAVE = 8
NAMES = ("brightness", "wipe-down", "games", "self-test", "counters", "zero")
# White, sky, violet, honey, leaf and coral; mint.
LIGHTS = WHITE + COLOURS[15:18] + COLOURS[9:15] + COLOURS[18:21] + OWNERS
# The pages are the first three items; and
MAIN = 6

# Each a third more than the one before; the default is the sixth, and the first still shows every count.
LEVELS = bytes((36, 48, 63, 83, 110, 146, 193, 255))
FAINT = 40  # the light of what is not so at the moment, of 256

DEAF_MS = 500
SILENCE_MS = 20_000  # then all goes on
WIPE_MS = 30_000
ZERO_MS = 3000  # a hold so long sets the counters to zero


class Staff(Aside):
    NAME = "staff"

    def __init__(self, table):
        super().__init__(table)
        self._flags = bytearray(table.n)  # LEGAL: a tap or a hold does something
        self._zeroed = not table.memory  # there is nothing to set to zero
        self._asked = 0  # for the counters: ticks in which it may be heard
        self._go(MAIN)

    def _go(self, page):
        """Another page; nothing that is down acts on it, and nothing that comes down in the next moment."""
        table = self.table
        flags = self._flags
        self._page = page
        self._t = 0
        self._waiting = True  # for the pads to be up
        self._wrong = -1  # a pad that was tapped in vain, and when
        self._wrong_ms = 0
        self._held_ms = -1  # of the hold that sets the counters to zero
        count = 0
        if page == MAIN:
            count = ZERO
        elif page == BRIGHTNESS:
            count = len(LEVELS)
        elif page == GAMES:
            count = len(table.games)
        for hole in range(table.n):
            flags[hole] = LEGAL if hole < count else 0
        if page != WIPE:
            flags[LEAVE] = LEGAL
        if page == MAIN:
            flags[GAMES] = LEGAL if len(table.games) > 1 else 0
            flags[COUNTERS] = LEGAL if table.memory else 0
            flags[ZERO] = 0 if self._zeroed else LEGAL
        table.silence = 0
        table.touch.turn_over()
        table.deafen(DEAF_MS)
        table.redraw()

    def _hole(self, pad):
        """The hole that is meant by a tap on this pad."""
        half = self.table.n // 2
        return pad - half if pad >= half and self.table.dead[pad - half] else pad

    def lit(self, pad):
        return self._flags[self._hole(pad)] > 0

    # ---- what fingers do

    def tap(self, pad):
        table = self.table
        hole = self._hole(pad)
        page = self._page
        done = self._flags[hole] > 0
        if done and hole == LEAVE:
            if page == MAIN:
                self._leave()
            else:
                self._go(MAIN)
        elif done and page == MAIN:
            done = self._item(hole)
        elif done and page == BRIGHTNESS:
            self._dim(LEVELS[hole])
        elif done:
            done = self._offer(hole)
        if not done:
            self._no(pad)
        table.redraw()

    def _no(self, pad):
        self._wrong = pad
        self._wrong_ms = 0
        if self.table.sounds:
            self.table.sounds.no()

    def _item(self, item):
        """A tap on an item of the main page; whether it has one to offer."""
        table = self.table
        if item == ZERO:
            return False  # never by a tap
        if table.log:
            table.note('{"staff":"%s"}' % NAMES[item])
        if item == COUNTERS:
            table.wishes |= TELL_COUNTERS
            self._asked = 2
        elif item == TEST:
            if table.sounds:
                table.sounds.hush()  # for nobody ends a note meanwhile
            table.wishes |= RUN_SELFTEST
            self._go(MAIN)
        else:
            self._go(item)
        return True

    def _leave(self):
        table = self.table
        table.resume()
        table.silence = 0
        table.staff = None
        table.wishes |= LEFT_STAFF

    def _dim(self, brightness):
        table = self.table
        table.brightness = brightness
        table.wishes |= DIM_STRIP
        if table.memory:
            table.memory.keep(brightness, table.memory.games)

    def _offer(self, entry):
        """Offer that game to visitors, or no longer; one stays."""
        table = self.table
        every = (1 << len(table.games)) - 1
        offered = (table.offered or every) ^ 1 << entry
        if offered:
            table.offered = 0 if offered == every else offered
            if table.memory:
                table.memory.keep(table.memory.brightness, table.offered)
        return offered > 0

    # ---- time

    def catch_up(self, now, out):
        """The self-test is over: time has passed, and touches have been made, of which the table has not heard.
        `out(pad)`: whether a pad is out of order now."""
        table = self.table
        table.now = now
        table.silence = 0
        for pad in range(table.n):
            table.touch.lose(pad, now)
            table.out_of_order(pad, out(pad))
        table.report()

    def tick(self, dt, now):
        table = self.table
        self._t += dt
        self._wrong_ms += dt
        if self._wrong_ms >= NO_MS:
            self._wrong = -1
        if self._page == WIPE:
            table.deafen(DEAF_MS)
            if self._t >= WIPE_MS:
                table.note('{"staff":"items"}')
                self._go(MAIN)
            return
        if self._waiting:
            table.deafen(DEAF_MS)
            self._waiting = table.touch.count > 0
        if self._asked:
            self._asked -= 1
            if not self._asked and table.wishes & TELL_COUNTERS:  # nobody listens
                table.wishes ^= TELL_COUNTERS
                self._no(COUNTERS)
        self._hold(now)
        if table.silence >= SILENCE_MS:
            self._leave()

    def _hold(self, now):
        touch = self.table.touch
        pad = touch.hold(now)
        self._held_ms = -1
        if pad >= 0 and self._page == MAIN and not self._zeroed and self._hole(pad) == ZERO:
            self._held_ms = touch.age(pad, now) - touch.tap_ms
            if self._held_ms >= ZERO_MS:
                self.table.memory.zero()
                self.table.note('{"staff":"zero"}')
                self._zeroed = True
                self._go(MAIN)

    # ---- light

    def draw(self, lights, now):
        table = self.table
        page = self._page
        if page == WIPE:
            lights.countdown(self._t, WIPE_MS)
            return
        if self._flags[LEAVE]:
            lights.mix(LEAVE, LIGHTS, 18, 256)
        for hole in range(LEAVE):
            if not self._flags[hole]:
                continue
            if page == MAIN:
                lights.mix(hole, LIGHTS, 3 * hole, 256)
            elif page == BRIGHTNESS:
                lights.mix(hole, WHITE, 0, 256 if LEVELS[hole] <= table.brightness else FAINT)
            else:
                lights.entry(hole, hole, table.clock, 256 if table.choose.offers(hole) else FAINT)
        if self._held_ms >= 0:
            lights.filling(ZERO, self._held_ms, ZERO_MS)
        if self._wrong >= 0:
            lights.no(self._wrong, self._wrong_ms)
            lights.swell(self._flags, self._wrong_ms)
