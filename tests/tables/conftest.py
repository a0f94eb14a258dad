"""Settings that the tests of tables share."""

from collections.abc import Iterator

import pytest

from tests.tables.table_server import toys


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield
