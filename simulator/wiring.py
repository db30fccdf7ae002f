"""How the virtual board is put together, as its builder would: holes, LEDs, pads. No game is known here.

Holes have ring numbers: 0 is South's leftmost, and on they go along South's row. A board's rows are
written as seen from South's chair, the far row first.

The LEDs are one strip laid in a serpentine: the first at hole 0, along South's row, back along the next,
and so on. The pads lie in ring order on the Pico's pins (machine.PINS). A settings.toml that says
otherwise shows here what it would show on the real board: the wrong holes.
"""

ROWS = {
    "3x6": (
        (14, 13, 12, 11, 10, 9),
        (15, 16, 17, 8, 7, 6),
        (0, 1, 2, 3, 4, 5),
    ),
    "2x12": (
        (23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12),
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    ),
}


def leds(board):
    """The hole under each pixel of the strip.

    >>> leds("3x6")[:9]
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    >>> leds("3x6")[9:]
    [17, 16, 15, 14, 13, 12, 11, 10, 9]
    """
    order = []
    for index, row in enumerate(reversed(ROWS[board])):
        order += reversed(row) if index % 2 else row
    return order


def holes(board):
    """How many holes the board has."""
    return sum(map(len, ROWS[board]))
