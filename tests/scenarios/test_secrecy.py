"""Two servers that differ only in secrets send the same bytes; injected leaks are found.

The environment variable SERVER_SECRECY_PAIRS raises the number of pairs, as `make faults` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from server.games.registry import GAMES
from server.tables.state import TableState
from tests.accelerated.marks import plain_only
from tests.games.secrecy import Leak
from tests.games.test_secrecy import SECRETS
from tests.games.toys import TOYS
from tests.scenarios.injected_leaks import INJECTED_LEAKS
from tests.scenarios.secrecy import search
from tests.tables.table_server import toys

PAIRS = int(os.environ.get("SERVER_SECRECY_PAIRS", "40"))
"""The number of pairs of servers that are compared for each game."""

TO_FIND_A_LEAK = max(PAIRS, 300)


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


@pytest.mark.parametrize("game", sorted({*GAMES, *TOYS}))
def test_no_observer_can_tell_servers_apart_that_differ_only_in_secrets(game: str) -> None:
    statistics = search(GAMES[game], SECRETS[game], game, PAIRS)
    print(f"{game}: {statistics}")  # noqa: T201 - shown by the long run
    assert statistics.pairs > PAIRS * 0.7
    assert statistics.steps > PAIRS, "the pairs part too soon for anything to be seen"
    assert statistics.frames > 100 * PAIRS


@pytest.mark.parametrize("game", ["auction", "investors"])
def test_no_observer_can_tell_answers_apart_that_stay_on_devices(game: str) -> None:
    statistics = search(GAMES[game], SECRETS[game], f"{game}/devices", PAIRS, sealed_on_devices=True)
    print(f"{game}: {statistics}")  # noqa: T201 - shown by the long run
    assert statistics.did["open"] > PAIRS / 20, "devices open too seldom for anything to be seen"


BY_THE_DAY: dict[str, Any] = {
    "clock": {"kind": "bank", "seconds": 432_000, "increment": 43_200},
    "absence_seconds": None,
    "holiday_days": 7,
}


def test_no_deadline_and_no_holiday_tells_who_has_answered() -> None:
    statistics = search(GAMES["auction"], SECRETS["auction"], "auction/days", PAIRS, **BY_THE_DAY)
    print(f"auction by the day: {statistics}")  # noqa: T201 - shown by the long run
    assert statistics.did["holiday"] > PAIRS / 4, "too few holidays for anything to be seen"
    assert statistics.did["early"] > 0


def _shown_until_answered(state: TableState) -> tuple[int, ...]:
    return state.thinkers()


@plain_only
def test_a_deadline_that_ends_with_the_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableState, "timed", _shown_until_answered)
    with pytest.raises(Leak):
        search(GAMES["auction"], SECRETS["auction"], "planted/days", TO_FIND_A_LEAK, show_decided=False, **BY_THE_DAY)


@plain_only
@pytest.mark.parametrize("leak", INJECTED_LEAKS)
def test_a_leak_that_is_injected_into_the_server_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    INJECTED_LEAKS[leak](monkeypatch)
    with pytest.raises(Leak):
        search(GAMES["auction"], SECRETS["auction"], "planted", TO_FIND_A_LEAK)
