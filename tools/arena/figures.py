"""What the arena's games come to: scores with their intervals, goals and whether they were reached, tables, bars."""

import math

Z = 1.959964  # 95 %

# (first, second): the least and the most of 100 that the first is to score; a draw is half.
GOALS = {
    ("level3", "random"): (99, 100),
    ("level3", "greedy"): (92, 100),
    ("level3", "ab3"): (65, 100),
    ("level3", "mcts10x"): (50, 100),
    ("level2", "level1"): (80, 100),
    ("level1", "random"): (60, 75),
}

BAR = 40


def wilson(score, games):
    """(low, high): the 95 % interval of a share, `score` out of `games`. Draws, as halves, make it a little wide."""
    if not games:
        return 0.0, 1.0
    share = score / games
    under = 1 + Z * Z / games
    middle = share + Z * Z / (2 * games)
    width = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return max(0.0, (middle - width) / under), min(1.0, (middle + width) / under)


def summary(kind, options, names, found):
    """What the games of one row come to, as a dict: percentages from 0 to 100, means for the rest."""
    games = len(found)
    wins = sum(one["margin"] > 0 for one in found)
    draws = sum(one["margin"] == 0 for one in found)
    score = wins + draws / 2
    low, high = wilson(score, games)
    nodes = []
    for side in range(2):
        choices = sum(one["choices"][side] for one in found)
        nodes.append(round(sum(one["nodes"][side] for one in found) / choices, 1) if choices else 0)
    row = {
        "game": kind,
        "options": options,
        "first": names[0],
        "second": names[1],
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": games - wins - draws,
        "score": round(100 * score / games, 2),
        "low": round(100 * low, 2),
        "high": round(100 * high, 2),
        "margin": round(sum(one["margin"] for one in found) / games, 2),
        "moves": round(sum(one["moves"] for one in found) / games, 1),
        "nodes": nodes,
        "illegal": sum(one["illegal"] for one in found),
    }
    if names in GOALS:
        row["goal"] = list(GOALS[names])
        row["reached"] = reached(row)
    return row


def reached(row):
    """Whether the score lies within the goal; as played, not counting chance."""
    low, high = row["goal"]
    return low <= row["score"] <= high


def goal(row):
    """The goal in words."""
    low, high = row["goal"]
    return "%d %%" % low if high == 100 else "%d-%d %%" % (low, high)


def verdict(row):
    """ "yes" or "no", and whether so many games settle it."""
    low, high = row["goal"]
    word = "yes" if row["reached"] else "no"
    settled = (
        low <= row["low"] and row["high"] <= high
        if row["reached"]
        else row["high"] < low or row["low"] > high
    )
    return word if settled else word + " (within chance)"


def bar(row):
    """Won, drawn and lost as one bar of BAR letters, with a mark where the goal stands."""
    won = round(BAR * row["wins"] / row["games"])
    either = round(BAR * (row["wins"] + row["draws"]) / row["games"])
    letters = ["#"] * won + ["-"] * (either - won) + ["."] * (BAR - either)
    for place in row.get("goal", ()):
        if place < 100:
            letters[min(BAR - 1, BAR * place // 100)] = "|"
    return "".join(letters)


def title(row):
    """The game, with those of its options that the arena does not take for granted."""
    words = ["%s=%s" % item for item in sorted(row["options"].items()) if item != ("rounds", "1")]
    return " ".join([row["game"], *words])


def lines(rows):
    """The table for people, pair by pair."""
    last = None
    for row in rows:
        names = (row["first"], row["second"])
        if names != last:
            if last:
                yield ""
            yield "%s against %s%s" % (*names, ", goal %s" % goal(row) if "goal" in row else "")
            yield "  %-16s%6s%6s%6s%8s%15s%8s%7s%19s  %s" % (
                "game",
                "won",
                "drawn",
                "lost",
                "score",
                "95 %",
                "margin",
                "moves",
                "nodes a choice",
                "won #  drawn -  lost .%s" % ("  goal |" if "goal" in row else ""),
            )
            last = names
        text = "  %-16s%6d%6d%6d%6.1f %%%15s%+8.1f%7.0f%19s  %s" % (
            title(row),
            row["wins"],
            row["draws"],
            row["losses"],
            row["score"],
            "%.1f - %.1f" % (row["low"], row["high"]),
            row["margin"],
            row["moves"],
            " : ".join(f"{nodes:,.0f}" for nodes in row["nodes"]),
            bar(row),
        )
        if "goal" in row:
            text += "  " + verdict(row)
        if row["illegal"]:
            text += "  (%d illegal answers, a random hole played for each)" % row["illegal"]
        yield text
