"""tools/stats.py: the counters of a board, over a serial port that the test plays."""

import os
import threading
import types

import pytest

from tools import stats

SAID = """\
gebeta ready board=3x6 games=lame_uweedet free=81200
{"state":"attract"}
> counters
counter,value
power_ups,213
errors,2
taps,48211
{"pad":3,"out_of_order":1}
wrong_taps,6120
turns,31877
seconds_played,1203311
begun gabata_aksum,980
finished gabata_aksum,611
begun lame_uweedet,3
error 1,"ValueError table/play.py 123 after 3600 s"
error 2,"watchdog after 77123 s"

{"state":"choose"}
"""
FOUND = [
    ("power_ups", 213),
    ("errors", 2),
    ("taps", 48211),
    ("wrong_taps", 6120),
    ("turns", 31877),
    ("seconds_played", 1203311),
    ("begun gabata_aksum", 980),
    ("finished gabata_aksum", 611),
    ("begun lame_uweedet", 3),
    ("error 1", "ValueError table/play.py 123 after 3600 s"),
    ("error 2", "watchdog after 77123 s"),
]


@pytest.fixture
def board():
    """board(text): the port of one that answers `counters` with this."""
    ends = []
    threads = []

    def make(text):
        ours, theirs = os.openpty()
        ends.extend((ours, theirs))
        heard = bytearray()

        def answer():
            while not heard.endswith(b"counters\n"):
                heard.extend(os.read(ours, 64))
            os.write(ours, text.replace("\n", "\r\n").encode())

        threads.append(threading.Thread(target=answer, daemon=True))
        threads[-1].start()
        return os.ttyname(theirs)

    yield make
    for thread in threads:
        thread.join(5)
    for end in ends:
        os.close(end)


def test_games_for_one_stand_below_the_games_that_they_are_of():
    found = [*FOUND[:7], ("begun one_player", 50), ("finished one_player", 40), *FOUND[7:9]]
    assert list(stats.kinds(found).items()) == [
        ("gabata_aksum", (980, 611)),
        ("lame_uweedet", (3, 0)),
        ("one_player", (50, 40)),
    ]
    lines = list(stats.table(found))
    assert [line.split("  ")[0] for line in lines if "980" in line or "50 " in line] == [
        "Gabata Aksum",
        "of these for one",
    ]


def test_the_counters_are_found_among_all_that_a_board_says(board):
    assert stats.counters(stats.lines_of_board(board(SAID))) == FOUND


def test_the_table_is_for_people(board, capsys):
    assert stats.main(["--port", board(SAID)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["power-ups", "213"]
    assert any(line.split() == ["Gabata", "Aksum", "980", "611"] for line in lines)
    assert any(line.split() == ["Lame", "Uweedet", "3", "0"] for line in lines)
    assert lines[-2].strip() == "ValueError table/play.py 123 after 3600 s"


def test_csv_is_read_again(board, capsys, tmp_path):
    assert stats.main(["--port", board(SAID), "--csv"]) == 0
    text = capsys.readouterr().out
    saved = tmp_path / "saved.csv"
    saved.write_text("counter,value\ntaps,1\n\n" + text)
    assert stats.main(["--from", str(saved), "--csv"]) == 0
    assert capsys.readouterr().out == text
    assert stats.counters(text.splitlines(), saved=True) == FOUND


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("hello\n", "did not answer within"),
        ("counter,value\ntaps,5\n", "stopped in the middle of them"),
        ("counter,value\ntaps,5\n(2 lines lost)\n\n", "ask again"),
        ("counter,value\n\n", "there are no counters in it"),
        ("counter,value\npower_ups,5\ntaps,5\n\nsoft reboot\n", "end in the middle"),
    ],
)
def test_what_goes_wrong_is_said(board, monkeypatch, capsys, said, wrong):
    monkeypatch.setattr(stats, "FIRST_S", 0.3)
    monkeypatch.setattr(stats, "NEXT_S", 0.2)
    assert stats.main(["--port", board(said)]) == 1
    assert wrong in capsys.readouterr().err


def test_a_port_that_is_none_is_said(capsys, tmp_path):
    assert stats.main(["--port", str(tmp_path / "tty")]) == 1
    assert "Has another program the console open?" in capsys.readouterr().err


def port(device, vid):
    return types.SimpleNamespace(device=device, vid=vid, description="a board")


def test_the_only_board_on_usb_is_found():
    modem = port("/dev/ttyS0", None)
    pico = port("/dev/ttyACM0", 0x239A)
    assert stats.find_port([modem, pico]) == "/dev/ttyACM0"
    with pytest.raises(stats.Failed, match=r"no board found on USB.*this computer: /dev/ttyS0\)"):
        stats.find_port([modem])
    with pytest.raises(stats.Failed, match=r"say which:\n  --port /dev/ttyACM0 .*\n  --port /dev/ttyACM1 "):
        stats.find_port([pico, port("/dev/ttyACM1", 0x2E8A)])


@pytest.mark.parametrize("found", [FOUND, [("power_ups", 1)]])
def test_a_chart_shows_games_and_touches(found, tmp_path):
    pytest.importorskip("matplotlib")
    stats.chart(found, tmp_path / "chart.svg")
    stats.chart(found, tmp_path / "chart.png")
    text = (tmp_path / "chart.svg").read_text()
    words = ["Touches", "taps in vain", "begun", "finished"]
    for word in [*words, *(["Gabata Aksum", "980", "611", "6,120", "334.3 hours"] if found is FOUND else [])]:
        assert f"<!-- {word}" in text
    with pytest.raises(stats.Failed, match=r"chart\.fish"):
        stats.chart(found, tmp_path / "chart.fish")
