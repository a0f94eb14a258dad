"""Tables move at a human pace, and the most that a core carries is found. No test checks a speed."""

from __future__ import annotations

import asyncio
import random
from typing import Any, cast

import msgpack
import pytest

from tests.bench import human, human_limit, human_pace
from tests.bench.contestants import COLYSEUS, CONTESTANTS, RAW
from tests.bench.dialects.ours import OurMover
from tests.bench.human_limit import Try, largest
from tests.bench.human_pace import Entrant
from tests.bench.load import LoadTable
from tests.bench.measurement import Report

RAW_SERVER = next(contestant for contestant in CONTESTANTS if contestant.name == RAW)
"""It starts at once, and stands for all servers here."""


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(human_pace, "PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(human_pace, "SETTLE_SECONDS", 0.05)
    monkeypatch.setattr(human_limit, "WARM_UP_SECONDS", 0.1)
    monkeypatch.setattr(human, "WARM_UP_SECONDS", 0.1)


def test_pauses_are_uneven_around_the_mean() -> None:
    pause = human_pace.uneven(5.0, random.Random(1))
    pauses = [pause() for _ in range(1_000)]
    assert 2.5 <= min(pauses) < 2.6
    assert 7.4 < max(pauses) <= 7.5
    assert 4.8 < sum(pauses) / len(pauses) < 5.2


class _SilentMover(OurMover):
    """A player whose requests are counted and go nowhere."""

    def __init__(self, table: LoadTable) -> None:
        super().__init__(table, 0)
        self.pinged = asyncio.Event()
        self.pings = 0

    def send(self, payload: bytes) -> None:
        assert msgpack.unpackb(payload)["type"] == "ping"
        self.pings += 1
        self.pinged.set()


async def test_connections_at_rest_send_pings_as_pages_do_until_the_rest_is_over() -> None:
    table = LoadTable()
    mover = _SilentMover(table)
    table.movers = [mover]
    entrant = Entrant(server=cast("Any", None), dialect=cast("Any", None), tables=[table])
    with human_pace.page_pings([entrant], None):
        await asyncio.sleep(0.01)
    assert mover.pings == 0
    with human_pace.page_pings([entrant], (0.0, 0.001)):
        for _ in range(3):
            await mover.pinged.wait()
            mover.pinged.clear()
    sent = mover.pings
    await asyncio.sleep(0.01)
    assert mover.pings == sent


@pytest.mark.parametrize("first, limit", [(1_000, 1_000), (400, 2_000), (900, 100)])
async def test_the_largest_size_is_found_from_either_side(first: int, limit: int) -> None:
    tried: list[int] = []

    async def is_carried(size: int) -> bool:
        tried.append(size)
        return size <= limit

    found = await largest(is_carried, first, sizes=20)
    assert found in tried
    assert limit * (1 - human_limit.CLOSENESS) - 1 <= found <= limit


async def test_only_so_many_sizes_are_tried() -> None:
    tried: list[int] = []

    async def is_carried(size: int) -> bool:
        tried.append(size)
        return True

    assert await largest(is_carried, 100, sizes=3) == 196
    assert tried == [100, 140, 196]


def refused(tables: int, share: float, load_share: float) -> Try:
    return Try(tables, tables, False, share, load_share, 1.0, 1.0, 80.0)


@pytest.mark.parametrize(
    "tries, why",
    [
        ([], "more were not tried"),
        ([refused(20, 0.8, 0.5)], "the server takes 80% of its core, p99 is 80 ms, at 20"),
        ([refused(40, 0.8, 0.5), refused(20, 0.6, 0.95)], "the load generator is at its limit"),
        ([refused(20, 0.0, 0.0)], "moves failed"),
    ],
)
def test_it_is_said_why_there_are_not_more_tables(tries: list[Try], why: str) -> None:
    assert human_limit._why(10, tries) == why


async def test_few_tables_stay_open_in_all_rounds() -> None:
    report = Report("Human", rows=[human._HEAD])
    await human.few_tables(report, {RAW: RAW_SERVER}, set(), tables=2, rounds=2, seconds=0.3, rest_seconds=0.05)
    figures = report.figures[human.FEW]["contestants"][RAW]
    assert figures["numbers"] == [0, 1]
    assert all(spent > 0 for spent in figures["microseconds_per_move"])
    assert human.compared(report, RAW, RAW) == "CPU per move, raw uvloop by raw uvloop: 1.000 (rounds: 1.000, 1.000)"


async def test_more_and_more_tables_are_opened_at_a_server() -> None:
    report = Report("Human", rows=[human._HEAD])
    scale = human.Scale(few=0, rounds=0, resting=2, many=3, most_open=4, sizes=1, seconds=0.3, rest_seconds=0.05)
    await human.many_tables(report, {COLYSEUS: RAW_SERVER}, set(), scale)
    resting, many = (report.figures[part]["contestants"][COLYSEUS] for part in (human.RESTING, human.MANY))
    assert len(resting["rest_share"]) == 1
    assert many["numbers"] == [0, 1]
    (limit,) = report.figures[human.LIMIT].values()
    assert limit["tries"][0]["open_tables"] == 4


async def test_tables_that_may_not_be_open_are_made_up_for_by_the_pace() -> None:
    async with human_pace.entered(RAW_SERVER, set()) as entrant:
        limit = await human_limit.find_limit(entrant, guess=6, most_open=3, seconds=0.5, sizes=1)
        assert len(entrant.tables) == 3
    assert {(one.tables, one.open_tables) for one in limit.tries} == {(6, 3)}


@pytest.mark.parametrize("share, tries", [(0.5, 2), (0.9, 1)])
async def test_only_a_size_whose_waits_alone_are_too_long_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, share: float, tries: int
) -> None:
    async def too_slow(entrant: Entrant, tables: int, seconds: float) -> Try:
        return refused(tables, share, 0.1)

    monkeypatch.setattr(human_limit, "_try", too_slow)
    async with human_pace.entered(RAW_SERVER, set()) as entrant:
        limit = await human_limit.find_limit(entrant, guess=1, most_open=1, seconds=0.1, sizes=1)
    assert len(limit.tries) == tries
    assert limit.best is None
