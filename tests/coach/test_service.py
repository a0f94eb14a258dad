"""Requests for analyses: who may ask, how far it is, what is kept, and what is refused."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from protocol.messages import AnalyseGame
from server.coach import queue as queue_module
from server.coach.kept import ANALYSIS
from server.coach.service import Coach
from server.history.finished import FinishedGames
from server.model import Done, Refused, Reply
from tests.history.finished_games import with_finished_game
from tests.replies import code_of
from tests.tables.table_server import TableServer, person

WORKER = (sys.executable, "-m", "tests.coach.stub_worker")
TOO_MANY = Refused("too_many_analyses", "Wait.")


class Asked:
    """A coach and the table of a finished game; `started` counts the analyses that users started."""

    def __init__(self, server: TableServer, table: str, *way: str) -> None:
        self.server, self.table, self.started = server, table, 0
        self.refusal: Refused | None = None
        games = FinishedGames(server.store, server.registry.turns)
        self.coach = Coach(server.store, games, 1, (*WORKER, *way))

    async def ask(self, name: str = "ann", table: str | None = None, key: str | None = None) -> Reply:
        request = AnalyseGame(type="analyse_game", id="a1", table=table or self.table, key=key)
        return await self.coach.answer(person(name), request, self._may_start)

    async def state(self, name: str = "ann") -> dict[str, Any]:
        reply = await self.ask(name)
        assert isinstance(reply, Done), reply
        return dict(reply.result["analysis"])

    async def until(self, *states: str, name: str = "ann") -> dict[str, Any]:
        while (analysis := await self.state(name))["state"] not in states:  # noqa: ASYNC110 - as a page asks
            await asyncio.sleep(0.02)
        return analysis

    def _may_start(self) -> Refused | None:
        self.started += 1
        return self.refusal


@asynccontextmanager
async def asked(*way: str, game: str = "planners", **settings: Any) -> AsyncIterator[Asked]:
    server, table = await with_finished_game(game, **settings)
    found = Asked(server, table, *way)
    try:
        yield found
    finally:
        await found.coach.close()
        await server.registry.close()


async def copied(server: TableServer, table: str, name: str) -> str:
    """Return the id of another table with the log of a finished one."""
    rows = await server.store.rows([table])
    entries = await server.store.read(table)
    await server.store.create(name, "over", rows[0].summary, [entry.payload for entry in entries])
    return name


async def test_an_analysis_waits_runs_and_is_done(tmp_path: Path) -> None:
    file = tmp_path / "go"
    async with asked("waits", str(file)) as found:
        first = await found.state()
        assert (first["state"], first["of"], first["findings"]) == ("waiting", 0, None)
        while (running := await found.state())["done"] == 0:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        assert running == {"state": "running", "done": 3, "of": 7, "ahead": 0, "findings": None}
        file.touch()
        done = await found.until("done")
        assert done["findings"]["log_bytes"] > 10_000, "the process got the whole log"
        assert done["done"] == done["of"]


async def test_an_analysis_that_is_done_is_kept_for_every_process_and_start() -> None:
    async with asked("finds") as found:
        done = await found.until("done")
        other = Asked(found.server, found.table, "dies")
        assert await other.state("ben") == done
        assert (found.started, other.started) == (1, 0)
        (kept,) = await found.server.store.key_values.page(ANALYSIS)
        assert kept.key.startswith(found.table)
        assert kept.expires_at is not None


async def test_the_same_game_is_analysed_once_for_all_who_ask(tmp_path: Path) -> None:
    file = tmp_path / "go"
    async with asked("waits", str(file), private=False) as found:
        await asyncio.gather(*(found.ask(name) for name in ("ann", "ben", "sue")))
        assert found.started == 1
        assert found.coach.running() + found.coach.waiting() == 1
        file.touch()
        await found.until("done", name="sue")


async def test_a_process_that_dies_fails_the_analysis_and_the_next_request_tries_again() -> None:
    async with asked("dies") as found:
        failed = await found.until("failed")
        assert failed["findings"] is None
        assert (await found.state("ben"))["state"] == "failed", "somebody else is told, too"
        assert found.started == 1
        assert (await found.state())["state"] == "waiting"
        assert found.started == 2
        await found.until("failed")
        assert found.coach.queue.failures == 2


async def test_a_damaged_log_fails_its_own_analysis_alone() -> None:
    async with asked("finds") as found:
        other = await copied(found.server, found.table, "other1")
        damaged = found.table

        async def entries_of(table: str) -> list[bytes]:
            if table == damaged:
                raise ValueError("damaged")
            return [b""]

        found.coach.queue._entries_of = entries_of
        await found.until("failed")
        found.table = other
        await found.until("done")


async def test_a_process_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(queue_module, "MAX_SECONDS", 0.0)
    async with asked("waits", str(tmp_path / "never")) as found:
        await found.until("failed")


async def test_a_game_without_a_decision_is_not_analysable() -> None:
    async with asked("is_unfit") as found:
        while isinstance(reply := await found.ask(), Done):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        assert code_of(reply) == "not_analysable"
        assert code_of(await found.ask("ben")) == "not_analysable"
        assert found.started == 1, "it is not tried again"


async def test_those_who_wait_are_told_how_many_are_ahead(tmp_path: Path) -> None:
    file = tmp_path / "go"
    async with asked("waits", str(file)) as found:
        others = [await copied(found.server, found.table, f"other{number}") for number in (1, 2)]
        await found.until("running")
        aheads = []
        for other in others:
            reply = await found.ask(table=other)
            assert isinstance(reply, Done)
            aheads.append(reply.result["analysis"]["ahead"])
        assert aheads == [1, 2]
        file.touch()
        found.table = others[-1]
        await found.until("done")
        assert found.coach.queue.finished == 3


async def test_a_queue_of_more_than_an_hour_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(queue_module, "EXPECTED_SECONDS", queue_module.MAX_QUEUE_SECONDS / 2)
    file = tmp_path / "go"
    async with asked("waits", str(file)) as found:
        others = [await copied(found.server, found.table, f"other{number}") for number in range(3)]
        await found.until("running")
        for other in others[:2]:
            assert isinstance(await found.ask(table=other), Done)
        assert code_of(await found.ask(table=others[2])) == "analysis_queue_full"
        assert found.started == 3, "what is refused does not count"
        assert isinstance(await found.ask(table=others[1]), Done), "it waits already"
        file.touch()


async def test_a_user_who_starts_too_many_is_refused_but_may_ask_how_far_one_is(tmp_path: Path) -> None:
    async with asked("waits", str(tmp_path / "never")) as found:
        other = await copied(found.server, found.table, "other1")
        await found.state()
        found.refusal = TOO_MANY
        assert isinstance(await found.ask(), Done)
        assert code_of(await found.ask(table=other)) == "too_many_analyses"
        assert found.coach.waiting() + found.coach.running() == 1


async def test_a_private_game_is_for_those_who_sat_there_and_with_its_key() -> None:
    async with asked("finds", private=True) as found:
        assert code_of(await found.ask("sue")) == "no_such_table"
        assert isinstance(await found.ask("ben"), Done)
        key = (await found.server.do("ann", "share_game", found.table))["key"]
        assert isinstance(await found.ask("sue", key=key), Done)
        assert code_of(await found.ask("sue", key="0" * 32)) == "no_such_table"
        await found.until("done")
        assert code_of(await found.ask("sue")) == "no_such_table", "also when it is done"


async def test_a_game_that_is_not_over_is_refused() -> None:
    server = TableServer()
    table = await server.create("ann", game="planners", seats=2, private=False)
    found = Asked(server, table, "finds")
    assert code_of(await found.ask("sue")) == "wrong_phase"
    assert code_of(await found.ask("sue", table="nosuch1")) == "no_such_table"
    assert found.started == 0
    await server.registry.close()


async def test_what_waits_is_forgotten_when_the_server_ends(tmp_path: Path) -> None:
    async with asked("waits", str(tmp_path / "never")) as found:
        await found.until("running")
        await found.coach.close()
        assert (found.coach.running(), found.coach.waiting()) == (0, 0)
        again = Asked(found.server, found.table, "finds")
        await again.until("done")
        assert again.started == 1
