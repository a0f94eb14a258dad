"""The progress bar: one line on a terminal, nothing elsewhere."""

from __future__ import annotations

import io

import pytest

from server.tools import progress
from server.tools.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        """Return the line of the terminal after all carriage returns."""
        line = ""
        for text in self.getvalue().split("\r"):
            line = text + line[len(text) :]
        return line.rstrip()


@pytest.fixture(autouse=True)
def _without_minimum_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_MIN_INTERVAL_SECONDS", 0)


def test_a_terminal_shows_one_line_that_grows() -> None:
    terminal = Terminal()
    bar = Progress(terminal, 200, "games")
    bar.advance(1)
    assert terminal.shown == "[------------------------------] 1 of 200 games"
    bar.advance(100)
    assert terminal.shown == "[###############---------------] 100 of 200 games"
    bar.advance(200)
    assert terminal.shown == "[##############################] 200 of 200 games"
    assert "\n" not in terminal.getvalue()


def test_a_bar_that_is_cleared_leaves_an_empty_line_and_can_come_back() -> None:
    terminal = Terminal()
    bar = Progress(terminal, 2, "games")
    bar.advance(1)
    bar.clear()
    assert terminal.shown == ""
    assert terminal.getvalue().endswith("\r")
    bar.advance(2)
    assert terminal.shown.endswith("2 of 2 games")


def test_a_bar_is_not_drawn_more_often_than_the_minimum_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_MIN_INTERVAL_SECONDS", 3_600)
    terminal = Terminal()
    bar = Progress(terminal, 1_000, "games")
    for done in range(1_000):
        bar.advance(done)
    assert terminal.getvalue().count("\r") == 1


def test_without_a_terminal_nothing_is_written() -> None:
    stream = io.StringIO()
    bar = Progress(stream, 2, "games")
    bar.advance(1)
    bar.clear()
    assert stream.getvalue() == ""
