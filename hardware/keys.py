"""What is typed at the console, line by line, and answers of any length. A module apart: a board at whose console
nobody listens need not carry it."""

LONGEST = 40  # characters of a line
AT_ONCE = 64  # keys that are read in one pass: a host that sends without end, as `cat` of a file does, must not stop it
MOST = 60  # pieces of answers that may wait when another one is begun


class Keys:
    """`console` is a `Console`. Nothing waits here, nor is anything allocated while nobody types."""

    def __init__(self, console):
        self._console = console
        self._byte = bytearray(1)
        self._text = ""
        self._last = 0  # the key before

    def key(self):
        """The next key, as a byte, or -1."""
        console = self._console
        if console.connected and console.stream.in_waiting and console.stream.readinto(self._byte):
            return self._byte[0]
        return -1

    def line(self):
        """A line without its end, or None. It is written back when it is whole: sooner would tear the lines of
        the log."""
        if not self._console.connected:
            self._text = ""  # another host begins anew
        for _ in range(AT_ONCE):
            key = self.key()
            if key < 0:
                break
            last = self._last
            self._last = key
            if key == 13 or (key == 10 and last != 13):
                text = self._text
                self._text = ""
                self._console.write("> %s\n" % text)
                return text
            if key in (8, 127):
                self._text = self._text[:-1]
            elif 32 <= key < 127 and len(self._text) < LONGEST:
                self._text += chr(key)
        return None


class Answers:
    """Answers that may be longer than the console's buffer: a line goes out when the host has taken the one before."""

    def __init__(self, console):
        self._console = console
        self._pieces = []  # of lines, that have yet to be said

    def say(self, tell):
        """`tell(write)` writes lines, or pieces of them; kept until they are said. False, and nothing told, while a
        host that does not read leaves too many waiting."""
        few = len(self._pieces) <= MOST
        if few:
            tell(self._pieces.append)
        return few

    def tick(self):
        console = self._console
        while self._pieces and console.idle:
            piece = ""
            while self._pieces and piece[-1:] != "\n":
                piece = self._pieces.pop(0)
                console.write(piece)
            console.tick()
