"""The stores on which the tests of finished games run."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.store.backends import BACKENDS, Backend


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    made = BACKENDS[request.param]()
    await made.start()
    yield made
    await made.stop()
