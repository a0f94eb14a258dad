from __future__ import annotations

import pytest

from tests.bench import connections, workload


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits: no test checks a speed."""
    for module in (connections, workload):
        monkeypatch.setattr(module, "SETTLE_SECONDS", 0.05)
    monkeypatch.setattr(connections, "PLAY_SECONDS", 0.1)
