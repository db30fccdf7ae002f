"""Runs instead of everything else after a brown-out or a crash: start again, but not for ever.

The number of times is kept in the memory that outlives a reset but not a power cut, so that nothing is
written to flash; code.py sets it back once the board has run for a minute.
"""

import alarm
import microcontroller

TIMES = 5  # in a row; then the board stays in safe mode, where its drive can be reached
MARK = 0x47

count = alarm.sleep_memory[1] if alarm.sleep_memory[0] == MARK else 0
if count < TIMES:
    alarm.sleep_memory[0] = MARK
    alarm.sleep_memory[1] = count + 1
    microcontroller.reset()
