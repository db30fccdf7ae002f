"""The serial console over USB, which nobody has to read: nothing here ever waits.

`print` would: once a host has opened the console and stopped reading, it stands still until the host goes on.
Here lines wait in a buffer made once, and as much is sent as the host takes. What finds no room is lost by
whole lines, until the host has taken all that waits; then one note says how many.
"""

PIECE = 60  # characters written at once: in UTF-8 they fit the smallest buffer


class Console:
    """`stream` is `usb_cdc.console` (None where there is none), `size` the bytes that may wait (256 at least).

    `connected`: whether a host has opened the console, as of the last `tick`.
    """

    def __init__(self, stream, size):
        self.stream = stream
        self.connected = False
        self._buffer = bytearray(size)
        self._view = memoryview(self._buffer)
        self._start = 0  # what waits begins here
        self._line = 0  # ... and is whole lines up to here,
        self._end = 0  # ... and then the beginning of one
        self._long = False  # that line is longer than the buffer: its beginning has gone out
        self._skipping = False  # the rest of a line that is lost
        self._lost = 0  # lines, since it was last said
        if stream:
            stream.timeout = 0
            stream.write_timeout = 0

    def tick(self):
        """Send what the host takes. To be called in each pass of the loop."""
        stream = self.stream
        connected = stream is not None and stream.connected
        if connected != self.connected:
            self.connected = connected
            self._start = self._line = self._end = self._lost = 0
            self._long = False
            if connected and stream.out_waiting:
                # What another host has left unread is not for this one; of a last packet only the end may come.
                stream.reset_output_buffer()
                self._append(b"\n", True)
        if self._start < self._end:
            self._send()

    @property
    def idle(self):
        """Whether the host has taken all that was written."""
        return not self._end

    def write(self, text):
        """A line, or a piece of one: it ends with the piece that ends in a line feed."""
        while len(text) > PIECE:
            self._piece(text[:PIECE], False)
            text = text[PIECE:]
        if text:
            self._piece(text, text[-1] == "\n")

    def _piece(self, text, whole):
        if not self.connected or self._skipping:
            self._skipping = not whole
            return
        fits = True
        if self._lost and self._line == self._end and not self._long:
            self._send()
            fits = not self._end
            if fits:
                self._append(("(%d lines lost)\n" % self._lost).encode(), True)
                self._lost = 0
        data = text.encode()
        if fits and self._room(len(data)):
            self._append(data, whole)
            return
        # The line that is being written is lost; what has gone out of it ends here.
        self._end = self._line
        if self._long:
            self._append(b"\n", True)
        self._lost += 1
        self._skipping = not whole

    def _append(self, data, whole):
        end = self._end + len(data)
        self._buffer[self._end : end] = data
        self._end = end
        if whole:
            self._line = end
            self._long = False

    def _room(self, count):
        """Whether so many bytes fit, once the host has taken what it takes."""
        free = len(self._buffer) - count
        if self._end > free:
            self._send()
            if self._end > free and self._start == self._line:
                long = self._long
                self._long = True
                self._send()
                self._long = long or self._start > 0 or not self._end  # some of it has gone out
            # What waits goes to the beginning of the buffer.
            start = self._start
            count = self._end - start
            self._view[:count] = self._view[start : self._end]
            self._start = 0
            self._line -= start
            self._end = count
        return self._end <= free

    def _send(self):
        upto = self._end if self._long else self._line
        start = self._start
        if start < upto:
            self._start = start = start + self.stream.write(self._view[start:upto])
            if self._line < start:
                self._line = start
            if start == self._end:
                self._start = self._line = self._end = 0
