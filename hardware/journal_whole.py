"""What takes all of the journal (journal.py) at once: reading it after power-up, and making room. Let go of afterwards.

Before the records may stand a *block*, written together with the erasure: "G", version, length of all up to here and
the data, the data, CRC-32, and the number of zero bits in all of that.
"""

from binascii import crc32

from hardware.journal import SIZE, zeros

ERASED = b"\xff" * SIZE
MAGIC = b"G\x01"
HEAD = 4  # the magic and the length
TAIL = 6  # CRC and zeros


def written(value, size):
    """A number of so many bytes, the lowest first."""
    return bytes([value >> (8 * i) & 255 for i in range(size)])


def read(journal, take):
    """See `Journal.read`."""
    flash = journal.nvm[0 : journal.size]
    journal.at = 0
    length = flash[2] | flash[3] << 8
    if flash[:2] == MAGIC and HEAD <= length <= journal.size - TAIL:
        end = length + TAIL
        if flash[length:end] == tail(flash[:length]):
            journal.at = (end + SIZE - 1) // SIZE * SIZE
            take(flash[HEAD:length], True)
    record = journal.record
    sequence = 0
    for at in range(journal.at, journal.size, SIZE):
        record[:] = flash[at : at + SIZE]
        if record == ERASED:
            continue
        journal.at = at + SIZE
        if record[7] == zeros(record, 7) and record[6] == journal.check():
            take(record, record[2] == sequence)
            sequence = (record[2] + 1) & 255
    journal.sequence = sequence


def tail(block):
    """What must follow upon it."""
    crc = written(crc32(block), 4)
    return crc + written(zeros(block, len(block)) + zeros(crc, 4), 2)


def compact(journal, data):
    """See `Journal.compact`."""
    block = MAGIC + written(HEAD + len(data), 2) + data
    block += tail(block)
    try:
        whole = bytearray(ERASED * (journal.size // SIZE))
    except MemoryError:
        return False
    whole[: len(block)] = block
    journal.nvm[0 : journal.size] = whole
    journal.at = (len(block) + SIZE - 1) // SIZE * SIZE
    journal.sequence = 0
    return True
