"""A log in the chip's own flash (`microcontroller.nvm`) that a power cut at any instant leaves readable.

Flash is erased as a whole, to ones; programming makes zeros of some, in erased bytes without erasing. So records of
8 bytes are appended to erased bytes only, and one that was programmed in part is known by that. What they mean
is the caller's business, but for errors, which must come down to flash even when nothing else works.

A record: kind, argument, sequence, three bytes, the low byte of the CRC-32 of these six, and the number of zero bits in
those seven. Programmed in part, the seven have fewer zeros than they should, and the number is larger: it cannot fit.
Before the records may stand a *block*, written together with the erasure: "G", version, length, data, CRC-32, and the
number of zero bits in all of that.
"""

from binascii import crc32

SIZE = 8  # bytes of a record
ERASED = b"\xff" * SIZE
MAGIC = b"G\x01"
HEAD = 4  # the magic, and the length of head and data
TAIL = 6  # CRC and zeros

# The kinds that belong here; the low four bits of a record's first byte are its kind.
TEXT = 1  # four letters of an error
ERROR = 2  # that was it; after how many seconds, four bytes
LONGEST = 40  # letters

ONES = bytes((0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4))


def zeros(data, count):
    """The zero bits in the first bytes of `data`."""
    bits = 8 * count
    for i in range(count):
        bits -= ONES[data[i] & 15] + ONES[data[i] >> 4]
    return bits


class Journal:
    """`nvm` is `microcontroller.nvm`, or a bytearray. Nothing can be appended before all has been read."""

    def __init__(self, nvm):
        self._nvm = nvm
        self._size = len(nvm) // SIZE * SIZE
        self._at = self._size  # where the next record goes
        self._flash = None  # all of it, while it is read
        self._sequence = 0
        self._record = bytearray(SIZE)
        self._head = memoryview(self._record)[:6]

    @property
    def free(self):
        """How many records still fit."""
        return (self._size - self._at) // SIZE

    # ---- writing

    def append(self, kind, a, b, c, d):
        """Write a record; False if there is no room for it."""
        if self._at >= self._size:
            return False
        record = self._record
        record[0] = kind
        record[1] = a
        record[2] = self._sequence
        record[3] = b
        record[4] = c
        record[5] = d
        record[6] = crc32(self._head) & 255
        record[7] = zeros(record, 7)
        at = self._at
        self._at = at + SIZE
        self._sequence = (self._sequence + 1) & 255
        self._nvm[at : at + SIZE] = record
        return True

    def error(self, text, seconds):
        """Note an error, `seconds` after the start of the program."""
        data = text.encode()[:LONGEST]
        data += b"\0" * (-len(data) % 4)
        if self.free > len(data) // 4:
            for i in range(0, len(data), 4):
                self.append(TEXT, data[i], data[i + 1], data[i + 2], data[i + 3])
            self.append(ERROR, seconds & 255, seconds >> 8 & 255, seconds >> 16 & 255, seconds >> 24 & 255)

    def compact(self, data):
        """Erase everything and write the block `data` (bytes), in one write: 50 ms, and a cut in it loses all.
        False, and nothing done, where memory is lacking."""
        length = HEAD + len(data)
        block = MAGIC + bytes((length & 255, length >> 8)) + data
        crc = crc32(block)
        block += bytes([crc >> shift & 255 for shift in (0, 8, 16, 24)])
        count = zeros(block, len(block))
        block += bytes((count & 255, count >> 8))
        try:
            whole = bytearray(ERASED * (self._size // SIZE))
        except MemoryError:
            return False
        whole[: len(block)] = block
        self._nvm[0 : self._size] = whole
        self._at = (len(block) + SIZE - 1) // SIZE * SIZE
        self._sequence = 0
        return True

    # ---- reading

    def read(self):
        """Read it all, once, after power-up; returns the block's data, or None. `records` must follow."""
        self._flash = self._nvm[0 : self._size]
        data, self._at = self._block(self._flash)
        return data

    def records(self, take):
        """`take(record, whole)` gets the records one by one, 8 bytes that are valid during the call; `whole` is
        False where records before it have been lost."""
        flash = self._flash
        self._flash = None
        record = self._record
        sequence = 0
        for at in range(self._at, self._size, SIZE):
            record[:] = flash[at : at + SIZE]
            if record == ERASED:
                continue
            self._at = at + SIZE
            if record[7] == zeros(record, 7) and record[6] == crc32(self._head) & 255:
                take(record, record[2] == sequence)
                sequence = (record[2] + 1) & 255
        self._sequence = sequence

    def _block(self, flash):
        """(the data of the block, where the records begin)"""
        length = flash[2] | flash[3] << 8
        if bytes(flash[:2]) != MAGIC or not HEAD <= length <= self._size - TAIL:
            return None, 0
        end = length + TAIL
        crc = crc32(flash[:length])
        right = [crc >> shift & 255 for shift in (0, 8, 16, 24)]
        if list(flash[length : length + 4]) != right:
            return None, 0
        if zeros(flash, length + 4) != flash[end - 2] | flash[end - 1] << 8:
            return None, 0
        return flash[HEAD:length], (end + SIZE - 1) // SIZE * SIZE
