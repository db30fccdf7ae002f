"""A frame of colours becomes the bytes of a WS2812 or SK6812 strip (NeoPixels).

The driver's own brightness stays at 1: dim colours would become one another (its scaling rounds small
channels to 0). Here a channel that is not 0 stays at 1 at least, in integers, and nothing is allocated.
"""

MASK = 0x1FFFFFFF  # milliseconds wrap here
CHANNEL_MA = 20  # one channel of one LED at full drive
IDLE_MA = 1  # one LED, even when dark
RISE_MS = 1000  # the limiter falls at once, and gives the whole brightness back in this time
# It begins to rise only so long after the last frame that needed it: hands that come and go twice a second would else
# pump the light of every hole, and make of their two flashes a second five.
EASE_MS = 1000
UNIT = 255 * 256  # `level` at full brightness


def scaled(value, level):
    """A channel 0..255 at a level 0..UNIT: rounded, but never down to 0."""
    return ((value * level + UNIT // 2) // UNIT or 1) if value else 0


class Output:
    """The data pin. With `lib/neopixel.py` on the drive a NeoPixel object owns it; without, the firmware's
    own `neopixel_write` does, so that a drive that has lost its libraries still plays. `count` pixels, of bytes in the
    order `colors`."""

    def __init__(self, pin, pixels, colors):
        self.count = pixels
        self.colors = colors
        try:
            import neopixel

            self._module = neopixel
            self.pixels = neopixel.NeoPixel(pin, pixels, pixel_order=colors, auto_write=False)
            self._pin = self.pixels.pin
        except ImportError:
            import digitalio
            import neopixel_write

            self._module = neopixel_write
            self._pin = digitalio.DigitalInOut(pin)
            self._pin.direction = digitalio.Direction.OUTPUT

    def write(self, data):
        # Looked up each time: a simulator may have put a function of its own in this place.
        self._module.neopixel_write(self._pin, data)


class Strip:
    """`show(frame, now)`: frame is 3 bytes a hole (R, G, B), `order[i]` the hole that pixel i lights.

    `colors` is the order of the bytes in a pixel ("GRB", "RGBW"...; a white channel stays dark),
    `brightness` 1..255, `current_ma` what the whole strip may draw.
    """

    def __init__(self, output, order, colors="GRB", brightness=255, current_ma=400):
        self.output = output
        self._order = order
        self._width = len(colors)
        self._red = colors.index("R")
        self._green = colors.index("G")
        self._blue = colors.index("B")
        self._data = bytearray(len(order) * self._width)
        self._sent = bytearray(len(order) * self._width)
        self._brightness = brightness
        self.full = brightness * 256  # of the strip when nothing limits it; a weak battery halves it
        self.level = self.full  # what the limiter allows at the moment
        self._most = max(0, current_ma - IDLE_MA * len(order)) * 255 // CHANNEL_MA  # all channels together
        self._then = 0
        self.fresh = True  # nobody knows what the strip shows: the next frame is sent whatever it is
        self._eased = EASE_MS  # ms since a frame last needed the limiter
        self.rising = False  # show the frame again though it has not changed: the limiter holds it down, say

    def show(self, frame, now):
        """Send the frame if the strip would change by it; returns whether it was sent."""
        passed = 0 if self.fresh else (now - self._then) & MASK
        self._then = now
        level = self._allowed(frame)
        if level < self.full:
            self._eased = 0
        else:
            self._eased = min(self._eased + passed, EASE_MS)
        if level > self.level and self._eased < EASE_MS:
            level = self.level
        elif level > self.level:
            rise = self.full * (passed if passed < RISE_MS else RISE_MS) // RISE_MS
            if level > self.level + rise:
                level = self.level + rise
        self.level = level
        self.rising = level < self.full
        self._fill(frame, level)
        if self._data == self._sent and not self.fresh:
            return False
        self.fresh = False
        data = self._data
        self._data = self._sent
        self._sent = data
        self.output.write(data)
        return True

    def dim(self, brightness):
        """Another brightness, 1..255, from the next frame on; a brighter one is reached within RISE_MS."""
        self.full = self.full // self._brightness * brightness
        self._brightness = brightness
        self.rising = True

    def current_ma(self):
        """What the strip draws with the bytes sent last, rounded up."""
        return IDLE_MA * len(self._order) + (sum(self._sent) * CHANNEL_MA + 254) // 255

    def _allowed(self, frame):
        """The highest level at which this frame keeps within the current."""
        full = self.full
        if sum(frame) * self.full // UNIT + len(frame) <= self._most:
            return full  # even if each channel were rounded up
        level = full
        while True:
            self._fill(frame, level)
            total = sum(self._data)
            if total <= self._most or level < 256:
                return level
            level = min(level - 256, level * self._most // total)
            if level < 1:
                level = 1

    def _fill(self, frame, level):
        data = self._data
        width = self._width
        red = self._red
        green = self._green
        blue = self._blue
        at = 0
        for hole in self._order:
            i = 3 * hole
            value = frame[i]
            data[at + red] = ((value * level + 32640) // 65280 or 1) if value else 0
            value = frame[i + 1]
            data[at + green] = ((value * level + 32640) // 65280 or 1) if value else 0
            value = frame[i + 2]
            data[at + blue] = ((value * level + 32640) // 65280 or 1) if value else 0
            at += width
