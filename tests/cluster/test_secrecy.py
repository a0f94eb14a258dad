"""Secrecy between processes: the envelopes to a worker hold nothing that its users may not know."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from server.games.registry import GAMES
from tests.accelerated.marks import plain_only
from tests.cluster.cluster_server import ClusterServer
from tests.games.secrecy import Leak
from tests.games.test_secrecy import SECRETS
from tests.scenarios.injected_leaks import INJECTED_LEAKS
from tests.scenarios.secrecy import search
from tests.tables.table_server import toys

PAIRS = int(os.environ.get("SERVER_SECRECY_PAIRS", "10"))


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


@pytest.mark.parametrize("game", ["auction", "mosaic", *GAMES])
def test_nothing_between_processes_depends_on_secrets(game: str) -> None:
    statistics = search(GAMES[game], SECRETS[game], f"fleet {game}", PAIRS, ClusterServer)
    assert statistics.pairs > PAIRS * 0.7
    assert statistics.frames > 100 * PAIRS


@plain_only
@pytest.mark.parametrize("leak", list(INJECTED_LEAKS)[:3])
def test_a_leak_that_is_planted_is_found_here_too(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    INJECTED_LEAKS[leak](monkeypatch)
    with pytest.raises(Leak):
        search(GAMES["auction"], SECRETS["auction"], "planted", 300, ClusterServer)
