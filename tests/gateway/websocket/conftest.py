"""The fixture that most tests of connections use."""

import pytest

from tests.gateway.websocket.scene import Scene


@pytest.fixture
async def scene() -> Scene:
    return Scene()
