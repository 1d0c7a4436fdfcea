"""One bar on a terminal, none elsewhere."""

import io
import sys

from sfumato.display.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar("outer", 10.0) as outer, progress_bar("inner", 10.0) as inner:
        inner(0.5)
        outer(0.5)
    return stream.getvalue()


def test_work_inside_shown_work_draws_no_second_bar(monkeypatch):
    text = drawn(monkeypatch, Terminal())
    assert "outer" in text
    assert "inner" not in text


def test_a_bar_that_is_done_makes_room_for_the_next(monkeypatch):
    assert "outer" in drawn(monkeypatch, Terminal())
    assert "outer" in drawn(monkeypatch, Terminal())


def test_nothing_is_drawn_off_a_terminal(monkeypatch):
    assert drawn(monkeypatch, io.StringIO()) == ""
