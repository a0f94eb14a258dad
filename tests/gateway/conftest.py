"""A world that tests can share: limits far away, so that only what a test does itself is seen."""

from collections.abc import Iterator

import pytest

from tests.gateway.world import World, running


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with running() as world:
        yield world
