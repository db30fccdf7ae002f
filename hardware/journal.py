"""A log in the chip's own flash (`microcontroller.nvm`) that a power cut at any instant leaves readable.

Flash is erased as a whole, to ones; programming makes zeros of some, in erased bytes without erasing. So records of
8 bytes are appended to erased bytes only, and one that was programmed in part is known by that. What they mean
is the caller's business, but for errors, which must come down to flash even when nothing else works.

A record: kind, argument, sequence, three bytes, the low byte of the CRC-32 of these six, and the number of zero bits in
those seven. Programmed in part, the seven have fewer zeros than they should, and the number is larger: it cannot fit.
"""

from binascii import crc32

SIZE = 8  # bytes of a record

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
    """`nvm` is `microcontroller.nvm`, or a bytearray. Nothing can be appended before all has been read.

    Reading and compacting are in journal_whole.py, which the board lets go of in between.
    """

    def __init__(self, nvm):
        self.nvm = nvm
        self.size = len(nvm) // SIZE * SIZE
        self.at = self.size  # where the next record goes
        self.sequence = 0
        self.record = bytearray(SIZE)
        self._head = memoryview(self.record)[:6]

    @property
    def free(self):
        """How many records still fit."""
        return (self.size - self.at) // SIZE

    def check(self):
        """The CRC of `record`, as it is to be."""
        return crc32(self._head) & 255

    def append(self, kind, a, b, c, d):
        """Write a record; False if there is no room for it."""
        if self.at >= self.size:
            return False
        record = self.record
        record[0] = kind
        record[1] = a
        record[2] = self.sequence
        record[3] = b
        record[4] = c
        record[5] = d
        record[6] = self.check()
        record[7] = zeros(record, 7)
        at = self.at
        self.at = at + SIZE
        self.sequence = (self.sequence + 1) & 255
        self.nvm[at : at + SIZE] = record
        return True

    def error(self, text, seconds):
        """Note an error, `seconds` after the start of the program. The less room there is, the less of its text: the
        errors after it are to find room, too, since it matters how many come in a row."""
        data = text.encode()[: min(LONGEST, self.free - 1)]
        data += b"\0" * (-len(data) % 4)
        if self.free > len(data) // 4:
            for i in range(0, len(data), 4):
                self.append(TEXT, data[i], data[i + 1], data[i + 2], data[i + 3])
            self.append(ERROR, seconds & 255, seconds >> 8 & 255, seconds >> 16 & 255, seconds >> 24 & 255)

    def read(self, take):
        """Read it all, once, after power-up. `take(record, whole)` is called for the block, if there is one, with its
        data and True; then for each record, 8 bytes that are valid during the call: `whole` is False where records
        before it have been lost."""
        from hardware.journal_whole import read

        read(self, take)

    def compact(self, data):
        """Erase everything and write the block `data` (bytes), in one write: 50 ms, and a cut in it loses all.
        False, and nothing done, where memory is lacking."""
        from hardware.journal_whole import compact

        return compact(self, data)
