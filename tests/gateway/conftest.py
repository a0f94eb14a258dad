"""A world that tests can share: limits far away, so that only what a test does itself is seen."""

from collections.abc import Iterator

import pytest

from tests.gateway.gateway_server import GatewayServer, running


@pytest.fixture(scope="module")
def server() -> Iterator[GatewayServer]:
    with running() as server:
        yield server
