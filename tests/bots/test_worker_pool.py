"""The pool of worker processes: whatever a strategy does, the caller gets a result, and so does the next one."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from server.bots import worker_pool as module
from server.bots.worker_pool import COMMAND, NoAnswer, WorkerPool
from server.games.registry import GAMES
from tests.bots.positions import positions

MISBEHAVING = (sys.executable, "-m", "tests.bots.misbehaving_worker")
ROOT = Path(__file__).parent.parent.parent
DEADLINE = 60.0
"""A deadline in seconds that is never reached, however busy the machine is."""

POSITION = next(positions(GAMES["investors"], "workers"))


def question(**view: Any) -> dict[str, Any]:
    return {**POSITION.question_json(), "view": view or POSITION.question.view}


def request(strength: str, **view: Any) -> dict[str, Any]:
    return {"strength": strength, "seconds": 1.0, "seed": 1, "question": question(**view)}


@asynccontextmanager
async def open_pool(max_processes: int, *command: str) -> AsyncIterator[WorkerPool]:
    workers = WorkerPool(max_processes, command or MISBEHAVING)
    try:
        yield workers
    finally:
        await workers.close()


async def process_of(workers: WorkerPool) -> int:
    answer = await workers.ask(request("chats"), DEADLINE, is_long=False)
    process: int = answer["reason"]["values"]["id"]
    return process


async def test_a_real_strategy_answers_in_another_process() -> None:
    async with open_pool(1, *COMMAND) as workers:
        answer = await workers.ask(request("easy"), DEADLINE, is_long=False)
    assert not hasattr(POSITION.question.prompt.read(answer["command"]), "code")


async def test_the_style_reaches_the_strategy() -> None:
    async with open_pool(1) as workers:
        for style in ("spoiler", None):
            asked = request("chats")
            asked["question"]["style"] = style
            answer = await workers.ask(asked, DEADLINE, is_long=False)
            assert answer["reason"]["values"]["style"] == style


async def test_what_a_strategy_prints_is_not_taken_for_an_answer() -> None:
    async with open_pool(1) as workers:
        assert await process_of(workers) == await process_of(workers)


async def test_a_strategy_that_raises_costs_one_answer_and_reports_the_error() -> None:
    async with open_pool(1) as workers:
        before = await process_of(workers)
        with pytest.raises(NoAnswer, match="no idea"):
            await workers.ask(request("raises"), DEADLINE, is_long=False)
        assert await process_of(workers) == before


async def test_an_illegal_answer_is_no_answer() -> None:
    async with open_pool(1) as workers:
        with pytest.raises(NoAnswer, match="possible now"):
            await workers.ask(request("cheats"), DEADLINE, is_long=False)


@pytest.mark.parametrize("way, deadline", [("hangs", 0.2), ("dies", DEADLINE)])
async def test_a_process_that_gives_no_answer_is_replaced(way: str, deadline: float) -> None:
    async with open_pool(1) as workers:
        before = await process_of(workers)
        with pytest.raises(NoAnswer):
            await workers.ask(request(way), deadline, is_long=False)
        assert await process_of(workers) != before


async def test_a_process_that_cannot_be_started_costs_answers_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESTART_DELAY_SECONDS", 0.0)
    for command in (("/no/such/program",), (sys.executable, "-c", "raise SystemExit")):
        async with open_pool(1, *command) as workers:
            for _ in range(2):
                with pytest.raises(NoAnswer):
                    await workers.ask(request("chats"), DEADLINE, is_long=False)


async def test_long_requests_leave_a_process_to_the_short_ones(tmp_path: Path) -> None:
    file = tmp_path / "go"
    async with open_pool(2) as workers:
        long = [
            asyncio.ensure_future(workers.ask(request("waits", file=str(file)), DEADLINE, is_long=True))
            for _ in range(3)
        ]
        for _ in range(3):
            await workers.ask(request("chats"), DEADLINE, is_long=False)
        assert not any(answer.done() for answer in long)
        await asyncio.to_thread(file.touch)
        await asyncio.gather(*long)


async def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 3)
    workers = WorkerPool(1, MISBEHAVING)
    waiting = [asyncio.ensure_future(workers.ask(request("chats"), DEADLINE, is_long=False)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(NoAnswer, match="too many"):
        await workers.ask(request("chats"), DEADLINE, is_long=False)
    await workers.close()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(answer) for answer in answers] == [NoAnswer] * 3


def test_a_process_ends_at_the_end_of_its_input() -> None:
    done = subprocess.run(MISBEHAVING, input=b"", cwd=ROOT, capture_output=True, timeout=DEADLINE, check=False)
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_process_that_hangs_ends_itself_at_its_deadline() -> None:
    line = json.dumps({**request("hangs"), "deadline": 0.2}).encode() + b"\n"
    done = subprocess.run(MISBEHAVING, input=line, cwd=ROOT, capture_output=True, timeout=DEADLINE, check=False)
    assert done.returncode == -signal.SIGALRM
