"""Looking back event by event: the views between the events of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from protocol.patch import patched
from server.games.engine.events import Event
from server.games.engine.game import Game
from server.games.engine.play import Answered, Undone
from server.games.registry import game_named
from server.tables import look_back
from server.tables.answer_secrecy import is_step
from server.tables.events import TABLE_EVENTS
from tests.history.finished_games import with_finished_game
from tests.history.test_play_on import played
from tests.tables.table_server import TableServer
from tests.tables.test_looking_back import finished
from tests.tables.virtual_time import in_virtual_time

EYES = (0, "spectators", "all")


async def steps_of(server: TableServer, table: str) -> list[list[Event]]:
    """Return the events of each step in the log of a table."""
    return [events for events in await server.entries(table) if is_step(events)]


def states(game: Game[Any], before: Any, step: Sequence[Event]) -> Iterator[Any]:
    """Yield the state after each event of a step, folded in the plainest way."""
    for event in step:
        if not isinstance(event, (*TABLE_EVENTS, Answered)):
            before = game.apply(before, event)
        yield before


def between(seen: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the view and the open hands after each event of a step."""
    whole = {"view": seen["view"], "open": seen["open"]}
    assert len(seen["between"]) == len(seen["events"])
    return [patched(whole, patch) for patch in seen["between"]]


def around(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without the game, and without what the end of the game changes."""
    table = {name: value for name, value in view["table"].items() if name not in ("phase", "seed")}
    return {**view, "table": table, "play": None}


@pytest.mark.parametrize("maximum", [look_back.MAX_CHECKPOINTS, 5])
@pytest.mark.parametrize("name", ["investors", "planners", "builders"])
@in_virtual_time
async def test_each_event_of_a_step_has_the_view_after_it(
    name: str, maximum: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_back, "MAX_CHECKPOINTS", maximum)
    server, table = await with_finished_game(name)
    await server.watch("ann", table)
    game, before, past, different = game_named(name), None, list[Any](), 0
    for number, step in enumerate(await steps_of(server, table)):
        if any(isinstance(event, Undone) for event in step):
            before = past.pop()
            continue
        past.append(before)
        after = list(states(game, before, step))
        before = after[-1]
        if number % 5 and number > 2:
            continue
        seen = await server.do("pat", "look_back", table, step=number, eyes="spectators", between=True)
        shown = [state for state, event in zip(after, step, strict=True) if event.shown_to(None) is not None]
        first = next(state for state in after if state is not None)
        expected = [game.public_view(first if state is None else state) for state in shown]
        views = [part["view"] for part in between(seen)]
        assert [view["play"]["game"] for view in views] == expected, number
        for view, state in zip(views, shown, strict=True):
            is_last = state is after[-1]
            assert is_last or (view["play"]["decision"], view["table"]["phase"]) == (None, "running")
            different += not is_last and view["play"]["game"] != seen["view"]["play"]["game"]
        assert views[-1] == seen["view"]
    assert different > 10
    await server.registry.close()


@pytest.mark.parametrize("eyes", EYES)
@in_virtual_time
async def test_only_the_game_differs_between_events(eyes: Any) -> None:
    server, table, _ = await finished("investors")
    last = (await server.do("pat", "get_timeline", table))["last"]
    for step in {0, 1, last // 2, last}:
        seen = await server.do("pat", "look_back", table, step=step, eyes=eyes, between=True)
        parts = between(seen)
        assert parts[-1] == {"view": seen["view"], "open": seen["open"]}
        for view in (part["view"] for part in parts):
            assert around(view) == around(seen["view"])
            is_over = view["play"]["outcome"] is not None
            assert (view["table"]["phase"], view["table"]["seed"] is None) == (
                "over" if is_over else "running",
                not is_over,
            )
        without = await server.do("pat", "look_back", table, step=step, eyes=eyes)
        assert without == seen | {"between": None}
    await server.registry.close()


@in_virtual_time
async def test_all_eyes_see_the_sealed_answers_until_they_are_revealed() -> None:
    server, table, _ = await finished(options={"rounds": 6})
    last, counted = (await server.do("pat", "get_timeline", table))["last"], 0
    for step in range(1, last + 1):
        before = await server.do("pat", "look_back", table, step=step - 1, eyes="all")
        if not before["view"]["play"]["decision"]["sealed"]:
            continue
        seen = await server.do("pat", "look_back", table, step=step, eyes="all", between=True)
        names = [event["event"] for event in seen["events"]]
        revealed = names.index("bids_revealed")
        assert names[:revealed] == ["answered"] * (revealed - 1) + ["answer_sealed"]
        assert revealed > 3
        parts = between(seen)
        for part in parts[:revealed]:
            assert part["open"] == before["open"]
            assert part["view"]["play"]["game"] == before["view"]["play"]["game"]
        if parts[revealed]["view"]["play"]["decision"] is None:
            assert [hand["answer"] for hand in parts[revealed]["open"]] == [None] * 3
        counted += 1
    assert counted > 2
    await server.registry.close()


@in_virtual_time
async def test_a_step_that_was_taken_back_has_nothing_in_between() -> None:
    server, table, _ = await finished("mosaic")
    rows = (await server.do("pat", "get_timeline", table))["steps"]
    undone = [row["step"] for row in rows if row["kind"] == "undo"]
    assert undone
    for step in undone:
        seen = await server.do("pat", "look_back", table, step=step, eyes="all", between=True)
        assert seen["between"] == [[] for _ in seen["events"]]
    await server.registry.close()


@pytest.mark.parametrize("hidden", ["as_it_was", "redealt"])
@in_virtual_time
async def test_a_game_that_goes_on_from_another_begins_with_its_first_position(hidden: str) -> None:
    replays = await played("investors")
    server = replays.server
    opened = await replays.go_on("pat", step=6, seat=1, hidden=hidden)
    for name in ("quinn", "rob"):
        await server.do(name, "take_seat", opened["table"], key=opened["key"])
    for name in ("pat", "quinn", "rob"):
        await server.do(name, "vote", opened["table"], on="abandon", agree=True)
    seen = await server.do("pat", "look_back", opened["table"], step=0, eyes="all", between=True)
    assert "game_started" in [event["event"] for event in seen["events"]]
    assert seen["between"] == [[] for _ in seen["events"]]
    await server.registry.close()
