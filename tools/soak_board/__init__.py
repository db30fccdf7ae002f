"""A month of visitors at the board, in virtual time: `make soak`, `python3 -m tools.soak_board`.

visitors.py  what people do to a board, on either interpreter
month.py     the days: code.py on CPython and the virtual Pico, and what must hold
pico.py      one day on a real MicroPython in a small heap, with what code.py needs of CircuitPython
"""
