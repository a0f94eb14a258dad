"""Requests about finished games are answered a few at a time, and refused when too many wait."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protocol.messages import GetGame, GetProfile, ListGames
from server.history import service
from server.history.service import HistoryService
from server.history.slots import Crowded, Slots
from server.model import Done, Reply, User
from tests.replies import code_of

ANN = User("ann", "Ann")
LIST = ListGames(type="list_games", id="1")
PROFILE = GetProfile(type="get_profile", id="2", handle="ann")
GAME = GetGame(type="get_game", id="3", table="table1")


class SlowAnswers:
    """Answers that wait until `gate` is set."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.running = 0

    async def answer(self, user: User, request: Any) -> Reply:
        self.running += 1
        if not isinstance(request, GetGame):
            await self.gate.wait()
        self.running -= 1
        return Done()


async def test_a_few_lists_and_profiles_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "SEARCHES_AT_ONCE", 2)
    monkeypatch.setattr(service, "MAX_WAITING", 3)
    answers: Any = SlowAnswers()
    history = HistoryService(answers, answers, answers, answers)
    asked = [asyncio.ensure_future(history.answer(ANN, request)) for request in (LIST, PROFILE, LIST, PROFILE, LIST)]
    await asyncio.sleep(0)
    assert answers.running == 2
    assert code_of(await history.answer(ANN, LIST)) == "busy"
    assert isinstance(await history.answer(ANN, GAME), Done), "one game is read at once"
    asked[-1].cancel()
    await asyncio.wait(asked[-1:])
    asked[-1] = asyncio.ensure_future(history.answer(ANN, LIST))
    await asyncio.sleep(0)
    answers.gate.set()
    assert await asyncio.gather(*asked) == [Done()] * 5


async def test_a_slot_is_free_again_after_an_exception() -> None:
    slots = Slots(1, 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            async with slots.slot():
                raise ZeroDivisionError
    async with slots.slot():
        with pytest.raises(Crowded):
            async with slots.slot():
                pass
