"""A gateway that tests share, with limits so high that only the test itself has an effect."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.gateway.gateway_server import GatewayServer, running


@pytest.fixture(scope="module")
def server() -> Iterator[GatewayServer]:
    with running() as server:
        yield server


@pytest.fixture
async def browser(server: GatewayServer) -> AsyncIterator[httpx.AsyncClient]:
    """Yield an HTTP client that sends the Origin of a page of the server."""
    async with httpx.AsyncClient(base_url=server.http, headers={"Origin": server.http}, trust_env=False) as client:
        yield client
