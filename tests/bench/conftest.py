from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import builds, connections, workload


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits: no test checks a speed."""
    for module in (connections, workload):
        monkeypatch.setattr(module, "SETTLE_SECONDS", 0.05)
    monkeypatch.setattr(connections, "PLAY_SECONDS", 0.1)


@pytest.fixture(autouse=True)
def _no_earlier_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave the build of an earlier benchmark alone: to compile it again takes minutes."""
    monkeypatch.setattr(builds, "FOLDER", tmp_path)
