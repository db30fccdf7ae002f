"""Fill the listings and the table of sizes in docs/adding-a-game.md from the files themselves.

python3 -m tools.listings
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "adding-a-game.md"
GAMES = "engine/games"
COMMON = ("engine/core.py", "engine/state.py", "engine/trace.py", "engine/selus.py", "engine/race.py")


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def lines_of_code(text):
    """Lines that are neither blank, nor a remark, nor part of a text in three quotes."""
    count = 0
    inside = False
    for line in text.splitlines():
        line = line.strip()
        quotes = line.count('"""')
        if inside or quotes:
            inside = inside != (quotes == 1)
        elif line and not line.startswith("#"):
            count += 1
    return count


def sizes():
    """The table: each game's file, then what they share."""
    games = sorted(str(p.relative_to(ROOT).as_posix()) for p in (ROOT / GAMES).glob("[!_]*.py"))
    rows = ["| file | lines | of them code |", "| --- | ---: | ---: |"]
    for path in (*games, *COMMON):
        text = text_of(path)
        rows.append(f"| `{path}` | {len(text.splitlines())} | {lines_of_code(text)} |")
    return "\n".join(rows) + "\n"


def filled(page):
    """The page with what stands between `<!-- file: PATH -->` or `<!-- sizes -->` and `<!-- end -->` written anew."""
    parts = page.split("<!-- ")
    for i in range(1, len(parts)):
        mark, _, _ = parts[i].partition(" -->")
        if mark.startswith("file: "):
            parts[i] = f"{mark} -->\n\n```python\n{text_of(mark[6:])}```\n\n"
        elif mark == "sizes":
            parts[i] = f"{mark} -->\n\n{sizes()}\n"
    return "<!-- ".join(parts)


def main():
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
