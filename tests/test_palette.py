"""Nobody mistakes one light for another: CAM02-UCS distances of the palette as it is sent at default brightness.

LED drive levels are linear light, full drive of all three is white.
"""

import pytest
from colorspacious import cspace_convert

from table import cues
from table.show import TALLY
from tools.pictures import sent as nearest

VISION = {None: 21, "protanomaly": 14, "deuteranomaly": 14, "tritanomaly": 12}


def rounded_down(colour):
    """The other way to scale to the default brightness, in case somebody's strip does it so."""
    return [max(1, c * cues.BRIGHTNESS // 255) if c else 0 for c in colour]


def triple(palette, i):
    return tuple(palette[3 * i : 3 * i + 3])


def lights(sent):
    """name: all the colours that it is sent as."""
    found = {}
    for i in range(7):
        colour = triple(cues.COLOURS, i)
        levels = range(cues.BREATH_MIN, 257)
        found[cues.NAMES[i]] = sorted(
            {tuple(sent([(c * level + 255) >> 8 for c in colour])) for level in levels}
        )
    for name, colour in (
        ("South", triple(cues.OWNERS, 0)),
        ("North", triple(cues.OWNERS, 1)),
        ("fault", tuple(cues.FAULT)),
        ("dark", (0, 0, 0)),
    ):
        found[name] = [tuple(sent(colour))]
    return found


def seen(colours, vision):
    rgb = cspace_convert([[c / 255 for c in colour] for colour in colours], "sRGB1-linear", "sRGB1")
    if vision:
        rgb = cspace_convert(rgb, {"name": "sRGB1+CVD", "cvd_type": vision, "severity": 100}, "sRGB1")
    return cspace_convert(rgb, "sRGB1", "CAM02-UCS")


@pytest.mark.parametrize("sent", [nearest, rounded_down])
@pytest.mark.parametrize(("vision", "least"), VISION.items())
def test_distances(vision, least, sent):
    found = {name: seen(colours, vision) for name, colours in lights(sent).items()}
    names = list(found)
    for i, a in enumerate(names):
        for b in names[:i]:
            far = ((found[a][:, None] - found[b][None]) ** 2).sum(axis=2).min() ** 0.5
            assert far >= least, (a, b, far)


DIM = {None: 20, "protanomaly": 14, "deuteranomaly": 12, "tritanomaly": 11}


def dim(colour, level=256):
    """As *attract* sends it."""
    return nearest([(c * level >> 8) * cues.BREATH_MIN + 255 >> 8 for c in colour])


@pytest.mark.parametrize(("vision", "least"), DIM.items())
def test_distances_in_attract(vision, least):
    """All of it dimmed, owners as well; and the lights that count a lesson's seeds are no seeds."""
    colours = [triple(cues.COLOURS, i) for i in range(7)]
    colours += [triple(cues.OWNERS, 0), triple(cues.OWNERS, 1), cues.FAULT, (0, 0, 0)]
    places = seen([dim(colour) for colour in colours] + [dim(cues.BRIGHT, TALLY)], vision)
    far = ((places[:, None] - places[None]) ** 2).sum(axis=2) ** 0.5
    for i in range(len(places)):
        for j in range(i):
            assert far[i, j] >= (least if i < len(colours) else 7), (i, j, far[i, j])


def test_more_seeds_are_lighter():
    """The order that a child learns: each colour is lighter than the one before, for every eye."""
    for vision in VISION:
        light = seen([nearest(triple(cues.COLOURS, i)) for i in range(7)], vision)[:, 0]
        steps = [light[i + 1] - light[i] for i in range(6)]
        assert min(steps) > 0, (vision, steps)


def test_worst_frame_keeps_within_the_current():
    """20 mA a channel, 1 mA a LED, 24 of them: 400 mA, with glints and blinks too."""
    for colour in [
        *(triple(cues.COLOURS, i) for i in range(7)),
        triple(cues.OWNERS, 0),
        triple(cues.OWNERS, 1),
    ]:
        assert 24 + 24 * sum(nearest(colour)) * 20 / 255 <= 400, colour
    assert 24 + 24 * sum(nearest(cues.WHITE)) * 20 / 255 <= 400
    assert 24 + 24 * sum(nearest(cues.FAULT)) * 20 / 255 <= 400
