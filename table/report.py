"""The counters as CSV, for the staff's console and for tools/stats.py. Loaded when they are asked for."""

import engine
from table.memory import NAMES, ONE, mark


def report(memory, write):
    """Lines for `write(text)`: `counter,value` first, an empty one last."""
    memory.settle()
    write("counter,value\n")
    for i in range(len(NAMES)):
        write("%s,%d\n" % (NAMES[i], memory.counters[i]))
    known = {mark(ONE): ONE}
    for name in engine.names():
        known[mark(name)] = name
    for name, begun, finished in memory.kinds:
        name = known.get(name, "unknown")
        write("begun %s,%d\n" % (name, begun))
        write("finished %s,%d\n" % (name, finished))
    count = len(memory.errors)
    for i in range(count):
        text, seconds = memory.errors[count - 1 - i]
        write('error %d,"%s after %d s"\n' % (i + 1, text, seconds))
    write("\n")
