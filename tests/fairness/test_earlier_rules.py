"""Games of earlier versions of the rules are verified by the rules that they were played by."""

from __future__ import annotations

import pytest

from server.fairness.findings import result_of
from server.fairness.transcript import transcript_of
from server.fairness.verify import verify
from server.games.registry import GAMES
from tests.fairness.played_tables import PlayedTable, played

EARLIER = [(name, version) for name, game in GAMES.items() for version in game.earlier_set_ups]
each_earlier = pytest.mark.parametrize("name, version", EARLIER)


def begin_as_of(monkeypatch: pytest.MonkeyPatch, name: str, version: int) -> None:
    """Let a server have these rules for now."""
    earlier = GAMES[name].as_of(version)
    assert earlier is not None
    monkeypatch.setitem(GAMES, name, earlier)


def is_verified(table: PlayedTable, version: int) -> bool:
    transcript = transcript_of(table.export())
    assert transcript["rules"] == version
    return result_of(verify(transcript)) == "verified"


@each_earlier
@pytest.mark.parametrize("number", range(3))
def test_a_game_of_earlier_rules_is_verified(
    name: str, version: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_as_of(monkeypatch, name, version)
    table = played(number, name)
    monkeypatch.undo()
    assert is_verified(table, version)


@each_earlier
def test_a_table_that_waited_for_new_rules_keeps_its_own(
    name: str, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_as_of(monkeypatch, name, version)
    table = PlayedTable(1, name)
    monkeypatch.undo()
    table.begin(people=2, contributors=2)
    table.play()
    assert is_verified(table, version)


def test_a_version_that_nobody_remembers_is_no_version() -> None:
    for game in GAMES.values():
        assert game.as_of(game.rules_version) is game
        assert game.as_of(0) is None
        assert all(game.as_of(version) is game.as_of(version) for version in game.earlier_set_ups)
