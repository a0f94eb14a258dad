"""Requests for analyses at a connection: those that start one are limited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.messages import AnalyseGame
from server.gateway.limits import Limits
from server.gateway.services import NoCoach
from server.model import Done, Refused, Reply, User
from server.rate_limit import Rate
from tests.gateway.websocket.scene import Scene


class StartingCoach(NoCoach):
    """A coach for which every request starts an analysis."""

    async def answer(self, user: User, request: AnalyseGame, may_start: Callable[[], Refused | None]) -> Reply:
        return may_start() or Done({"analysis": request.table})


@pytest.mark.parametrize("limits", [Limits(analyses=Rate(1, 60, burst=2)), Limits(new_analyses=Rate(1, 60, burst=2))])
async def test_analyses_that_are_started_are_limited(limits: Limits) -> None:
    scene = Scene(limits=limits)
    scene.connections.services = replace(scene.connections.services, coach=StartingCoach())
    scene.connection.is_new = True
    for number in range(3):
        scene.request(type="analyse_game", id=f"a{number}", table="k3xq7m2p")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    replies = scene.sent()
    assert [reply["type"] for reply in replies] == ["done", "done", "refused"]
    assert (replies[2]["code"], replies[2]["variant"]) == ("too_many_analyses", "seconds")
    limit = "analyses" if limits.analyses.burst == 2 else "new_analyses"
    assert scene.connections.counters.limited == {limit: 1}
