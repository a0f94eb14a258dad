"""Viewers that see the same share one update; without subscribers no view, patch or event is built."""

from __future__ import annotations

import random
from typing import Any

import pytest

from protocol.codec import Frame
from server.games.registry import GAMES
from server.model import Done, User
from server.tables.views import public_view, public_view_after, table_view
from tests.tables.table_server import Screen, TableServer, person
from tests.tables.virtual_time import in_virtual_time

BANK = {"kind": "bank", "seconds": 600, "increment": 5}
MOVES = 25


class FrameScreen(Screen):
    """A screen that keeps the last update and its bytes."""

    def __init__(self, user: User) -> None:
        super().__init__(user)
        self.update: dict[str, Any] = {}
        self.framed = b""

    def send(self, frame: Frame) -> bool:
        if frame.message["type"] == "update":
            self.update, self.framed = frame.message, frame.framed(self.encoding)
        return super().send(frame)


async def move(server: TableServer, table: str, rng: random.Random) -> None:
    """Send a random answer of a seat that has to decide."""
    state = server.state(table)
    name = state.chairs[state.play.awaited[0]].user
    assert isinstance(await server.play_on(table, name, rng), Done)


async def watched_table(server: TableServer, game: str) -> tuple[str, list[FrameScreen]]:
    names = ["ann", "ben", "cid"]
    table = await server.begin(*names, game=game, clock=BANK)
    screens = [FrameScreen(person(name)) for name in [*names, "pat", "sue"]]
    for screen in screens:
        await server.watch(screen.user.name, table, screen)
    return table, screens


def viewer_of(server: TableServer, table: str, screen: Screen) -> int | None:
    seat: int | None = server.state(table).seat_of(screen.user.id)
    return seat


@pytest.mark.parametrize("game", ["investors", "planners", "builders", "auction"])
@in_virtual_time
async def test_equal_updates_are_encoded_once(game: str) -> None:
    assert game in GAMES
    server, rng, shared = TableServer(), random.Random(5), 0
    table, screens = await watched_table(server, game)
    for _ in range(MOVES):
        if server.state(table).play.decision is None:
            break
        await move(server, table, rng)
        for place, screen in enumerate(screens):
            for other in screens[:place]:
                if screen.update == other.update:
                    assert screen.framed is other.framed
                    shared += viewer_of(server, table, screen) != viewer_of(server, table, other)
    assert shared, "viewers are told the same at times"


@pytest.mark.parametrize("game", ["investors", "planners", "builders", "auction"])
@in_virtual_time
async def test_patches_lead_to_the_view_of_the_table(game: str) -> None:
    server, rng = TableServer(), random.Random(6)
    table, screens = await watched_table(server, game)
    for _ in range(MOVES):
        if server.state(table).play.decision is None:
            break
        await move(server, table, rng)
        for screen in screens:
            assert screen.view == table_view(server.state(table), viewer_of(server, table, screen))


@in_virtual_time
async def test_the_clocks_of_a_move_leave_the_rest_of_the_table_as_it_was() -> None:
    server, rng = TableServer(), random.Random(7)
    table, _ = await watched_table(server, "investors")
    state = server.state(table)
    before = public_view(state)
    for _ in range(MOVES):
        await move(server, table, rng)
        after = public_view_after(before, state, (await server.entries(table))[-1])
        assert after == public_view(state)
        for name, room in after.rooms.items():
            assert all(room[part] is before.rooms[name][part] for part in room if part != "clock")
        before = after


@in_virtual_time
async def test_no_view_is_made_while_nobody_is_subscribed() -> None:
    server, rng = TableServer(), random.Random(8)
    table, screens = await watched_table(server, "investors")
    for screen in screens:
        server.registry.unsubscribe(table, screen)
    await move(server, table, rng)
    subscribers = server.loaded(table).subscribers
    assert subscribers._public_view is None
    assert not subscribers._views
    back = await server.watch("ann", table)
    assert back.view == table_view(server.state(table), 0)
    await move(server, table, rng)
    assert back.view == table_view(server.state(table), 0)
