"""Fixtures: a database with golden tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.databases import TABLES
from tests.tools.golden_tables import golden_database


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("golden") / "tables.db"
    golden_database(path, TABLES)
    return path.read_bytes()


@pytest.fixture
def database(golden: bytes, tmp_path: Path) -> Path:
    (tmp_path / "server").mkdir()
    path = tmp_path / "server" / "tables.db"
    path.write_bytes(golden)
    return path
