"""Fixtures: a directory of tables, and the loop that it sets its timers in."""

import pytest

from server.lobby.directory import TableDirectory
from tests.lobby.fakes import FakeLoop


@pytest.fixture
def loop() -> FakeLoop:
    return FakeLoop()


@pytest.fixture
def directory(loop: FakeLoop) -> TableDirectory:
    return TableDirectory(loop)
