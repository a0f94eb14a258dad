from __future__ import annotations

import pytest

from tests.bench import coming, playing


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for the dust to settle: how fast anything is, no test asks."""
    for module in (coming, playing):
        monkeypatch.setattr(module, "SETTLE_SECONDS", 0.05)
    monkeypatch.setattr(coming, "PLAY_SECONDS", 0.1)
