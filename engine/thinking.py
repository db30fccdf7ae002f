"""The command `think` of the line protocol: what the opponent would choose. A file apart, for a small heap."""

from engine import is_whole
from engine.search import Search

ALLOWED = "think [level=1|2|3] [work=W] [seed=S]"


def answer(write, game, words):
    """Write the opponent's choice in `game` as a line of JSON; ValueError for words that `think` does not take."""
    if game.race:
        raise ValueError("think: not during a race; drop until both players are done")
    if game.over:
        raise ValueError("think: the round is over; %s" % ("new" if game.match_over else "next"))
    said = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in ("level", "work", "seed") or name in said:
            raise ValueError("%s: %s, each at most once" % (word[:40], ALLOWED))
        if not is_whole(value, 8):
            raise ValueError("%s: a whole number of up to eight digits is right" % word[:40])
        said[name] = int(value)
    if said.get("work", 1) < 1:
        raise ValueError("work=0: at least 1 is right")
    level = said.get("level", 3)
    if not 1 <= level <= 3:
        raise ValueError("level=%d: 1, 2 or 3 is right" % level)
    search = Search(game)
    search.begin(game, level, said.get("seed", 0), said.get("work", 0))
    while search.think(1000):
        pass
    found = (search.hole, search.value, search.depth, search.nodes)
    write('{"hole":%d,"value":%d,"depth":%d,"nodes":%d}\n' % found)
