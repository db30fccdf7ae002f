"""The pictures in docs/rules/pictures and the words beside them are what the engine plays now."""

import os
import re
import xml.etree.ElementTree as ET

import pytest
from conftest import ROOT

import engine
from tools import turnpictures

RULES = os.path.join(ROOT, "docs", "rules")
PAGES = [f for f in sorted(os.listdir(RULES)) if f.endswith(".md")]


def read(*path):
    with open(os.path.join(RULES, *path), encoding="utf-8") as file:
        return file.read()


@pytest.mark.parametrize("name", turnpictures.TURNS)
def test_committed_pictures_are_fresh(name):
    """`python3 -m tools.turnpictures` draws them anew."""
    assert read("pictures", name + ".svg") == turnpictures.picture(name)


@pytest.mark.parametrize("page", PAGES)
def test_committed_words_are_fresh(page):
    assert read(page) == turnpictures.page_with_words(read(page))


def test_every_picture_is_drawn_shown_and_told():
    files = {f[:-4] for f in os.listdir(os.path.join(RULES, "pictures"))}
    shown = {name for page in PAGES for name in re.findall(r"\]\(pictures/([\w-]+)\.svg\)", read(page))}
    told = {name for page in PAGES for name in re.findall(r"<!-- turn: ([\w-]+) -->", read(page))}
    assert files == shown == told == set(turnpictures.TURNS)
    assert {*engine.names(), "README"} == {page[:-3] for page in PAGES}


@pytest.mark.parametrize("name", turnpictures.TURNS)
def test_a_picture_is_the_turn_that_the_engine_plays(name):
    """Each step follows from the one before: what was lifted is gone, what fell has come; the last is the position."""
    _, kind, lead, shown, _ = turnpictures.TURNS[name]
    game = engine.make(kind)
    for hole in lead + shown:
        game.play(hole)
    _, _, _, steps = turnpictures.told(name)
    assert steps[-1].seeds == list(game.seeds)
    assert steps[-1].claims == [game.claim(h) for h in range(game.n)]
    for i, step in enumerate(steps[1:], 1):
        if step.first:
            assert step.seeds == steps[i - 1].seeds
            continue
        seeds = steps[i - 1].seeds[:]
        for hole, count in [*step.lifted.items(), *step.taken.items()]:
            seeds[hole] -= count
        for hole in step.path[1:]:
            seeds[hole] += 1
        assert seeds == step.seeds
        assert sum(step.lifted.values()) == len(step.path[1:])


@pytest.mark.parametrize("name", turnpictures.TURNS)
def test_a_picture_is_whole_and_says_what_it_shows(name):
    root = ET.fromstring(turnpictures.picture(name))
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(space + "title").text == turnpictures.TURNS[name][0]
    assert root.find(space + "desc").text.startswith("0. Before the turn")
    names = {element.get("id") for element in root.iter() if element.get("id")}
    assert {use.get("href")[1:] for use in root.iter(space + "use")} <= names


def test_links_between_the_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)]+)\)", read(page)):
            path, _, heading = target.partition("#")
            path = path or page
            assert os.path.exists(os.path.join(RULES, path)), (page, target)
            if heading:
                heads = re.findall(r"^#+ (.+)$", read(path), re.MULTILINE)
                assert heading in [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in heads], (
                    page,
                    target,
                )
