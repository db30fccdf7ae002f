"""Start-up: what it takes to play, and not to invite, is loaded a piece a pass. Let go of when all is there.

The board's lights are on and it answers long before: a Pico takes 2 s for the rest.
"""

from table.states import DIM_STRIP, equip

MODULES = (
    "engine.state",
    "engine.core",
    "engine.replay",
    "table.scenes",
    "table.motion",
    "table.playing",
    "table.history",
    "table.play",
)


class Loading:
    """`remember()` makes a `Memory` (table/memory.py), or is None; `speaker` as the table has it."""

    def __init__(self, remember, speaker):
        self._remember = remember
        self._speaker = speaker
        self._memory = None  # until its journal is read
        self._recall = None  # the journal, read, while its game waits to be put up
        self._loaded = 0  # of MODULES

    def step(self, table):
        """Load the next piece; False once all is there."""
        if self._remember:
            self._memory = self._remember()
            self._remember = None
        elif self._memory:
            self._read(table)
        elif self._loaded < len(MODULES):
            __import__(MODULES[self._loaded])
            self._loaded += 1
        elif not table.play:
            if table.settings.log:
                __import__("engine.protocol")
            self._play(table)
        elif self._recall:
            recall = self._recall
            self._recall = None
            recall.put_up(table)
            table.recalling = False
        elif not table.game:
            table.make(0)
            equip(table)
        else:
            return False
        return True

    def _read(self, table):
        """Read the journal. Before that the table must not know of it: it would seem to be full."""
        from table.recall import Recall

        recall = Recall(self._memory)
        recall.read()
        table.memory = self._memory
        self._memory = None
        if table.memory.brightness:
            table.brightness = table.memory.brightness
            table.wishes |= DIM_STRIP
        table.offered = table.memory.games & (1 << len(table.games)) - 1
        table.recalling = recall.resumes
        if table.recalling:
            self._recall = recall

    def _play(self, table):
        from engine.trace import Trace
        from table.play import Play

        table.trace = Trace(table.n)
        table.lights.load()
        if self._speaker:
            from table.sounds import Sounds

            table.sounds = Sounds(self._speaker, table.lights.moves)
        table.play = Play(table)
