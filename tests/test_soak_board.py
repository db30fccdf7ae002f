"""A short soak of the board on both interpreters, and that a soak notices what goes wrong."""

import re
import shutil

import pytest

from tools.soak_board import month, run, visitors

BLINK = 100  # ms


@pytest.fixture
def board():
    """A month that has just begun."""
    board = month.Month("3x6", 1)
    yield board
    board.machine.close()


def test_a_short_soak(capfd):
    words = ["--days", "0.015", "--micropython", "0.25", "--seed", "3"]
    assert run.main(words) == 0
    shown = capfd.readouterr()
    assert "100 %" in shown.err
    assert re.search(r"[1-9] silences that led to attract", shown.out)
    assert re.search(r"[1-9] lights read in play", shown.out)
    assert re.search(r"[1-9]\d* visitors: player", shown.out)
    assert "held: " in shown.out or "no micropython" in shown.err


@pytest.mark.skipif(not shutil.which("micropython"), reason="no wheel of MicroPython for this machine")
def test_the_long_board_on_micropython():
    told, wrong = run.on_micropython("2x12", 2, 600, lambda seconds: None)
    assert not wrong, told
    assert re.fullmatch(r" *[1-9]\d* games", told[1])


def test_three_hours_with_nobody_there(board):
    board.wait(3 * month.HOUR)
    assert board.state == "attract"
    assert board.machine.powered


def test_cuts_inside_the_flash_lose_no_counter(board):
    board.state = "attract"
    for where in ("write", "write", "erase"):
        board.hurry()
        board.machine.stop_in = where
        for _ in range(3000):
            hole = visitors.a_hole(board, board.dice, 0)
            if not all(board.run(ms) for ms in visitors.tap(board, board.dice, hole)) or not board.run(500):
                break
            if where == "erase" and len(board.machine.nvm.data) > 400:
                break
    assert board.report["power cuts in a write"] == 2
    assert board.report["power-ups"] == 2
    assert board.counters["power_ups"] == 3


def test_a_game_that_does_not_go_on_is_noticed(board):
    board.begin()
    assert board.state == "play"
    assert board.run(600)
    for ms in visitors.tap(board, board.dice, board.legal()[0]):
        board.run(ms)
    board.machine.run(10)
    board.cut()
    assert board.report["games that went on"] == 1
    hear = board._hear
    board._hear = lambda: (hear(), setattr(board, "state", "attract"))
    with pytest.raises(month.Wrong, match="does not go on"):
        board.cut()


def test_a_counter_that_falls_is_noticed(board):
    board._recount()
    board.counters["taps"] += 1
    with pytest.raises(month.Wrong, match="taps fell from 1 to 0"):
        board._recount()


def test_too_many_flashes_are_noticed(board):
    board._flashes()
    frames = board.machine.frames
    for i in range(20):
        frames.append(
            (board.machine.t_us + 1000 * BLINK * i, bytes(54) if i % 2 else bytes((0, 146, 0)) + bytes(51))
        )
    with pytest.raises(month.Wrong, match="5 flashes a second of a hole"):
        board._flashes()


def test_lights_that_lie_are_noticed(board):
    board.begin()
    board.look()
    assert board.report["lights read in play"] == 1
    board.position["seeds"][4] += 1
    with pytest.raises(month.Wrong, match="the lights say seeds"):
        board.look()


def test_a_board_that_stays_where_it_is_is_noticed(board):
    board.begin()
    board._hear = lambda: setattr(board, "state", "play")
    with pytest.raises(month.Wrong, match="silence does not lead to attract: play"):
        board.silence()


def test_memory_that_grows_is_noticed(board):
    board.blocks = [90_000, 95_000] + [95_100] * 20
    board.grown()
    board.blocks = [90_000 + 400 * day for day in range(20)]
    with pytest.raises(month.Wrong, match="memory grows"):
        board.grown()


def test_an_error_of_the_program_is_told_with_a_way_to_play_it_again(monkeypatch, capsys):
    def broken(self, days):
        raise month.Wrong("it fell off the table")

    monkeypatch.setattr(month.Month, "month", broken)
    told, wrong = run.on_cpython("3x6", 1, 1, None)
    assert "it fell off the table" in wrong
    assert any("writes of the flash" in line for line in told)
    monkeypatch.setattr(run, "run", lambda jobs: dict.fromkeys(jobs, (told, wrong)))
    assert run.main(["--seed", "7", "--micropython", "0"]) == 1
    assert "To play it again: python3 -m tools.soak_board --seed 7" in capsys.readouterr().out


@pytest.mark.skipif(not shutil.which("micropython"), reason="no wheel of MicroPython for this machine")
def test_too_small_a_heap_is_noticed(monkeypatch):
    monkeypatch.setattr(run, "HEAP", "128k")
    told, wrong = run.on_micropython("3x6", 1, 60, lambda seconds: None)
    assert wrong
    assert not told[-1].startswith("held")


@pytest.mark.parametrize("words", [["--days", "-1"], ["--micropython", "25"], ["--board", "4x4"]])
def test_bad_arguments_get_a_clear_error(words, capsys):
    with pytest.raises(SystemExit):
        run.main(words)
    assert words[0] in capsys.readouterr().err


@pytest.mark.parametrize(("who", "share"), visitors.KINDS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_visitor_takes_his_hands_away(who, share):
    class Hands:
        n = 18
        rows = [list(range(6)), list(range(6, 12)), list(range(12, 18))]
        under = ()

        def __init__(self):
            self.held = set()

        def down(self, pad, strength=1.0):
            assert 0 < strength <= 1
            self.held.add(pad)

        def up(self, pad):
            self.held.discard(pad)

        def cloth(self, pads):
            assert set(pads) <= set(range(18))
            self.under = tuple(pads)

        def lit(self):
            return [3, 9]

        legal = lit

    assert sum(share for _, share in visitors.KINDS) == 100
    for seed in range(30):
        hands = Hands()
        waits = list(who(hands, visitors.Dice(seed)))
        assert waits
        assert min(waits) >= 0
        assert not hands.held
        assert not hands.under
