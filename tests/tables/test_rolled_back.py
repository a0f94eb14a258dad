"""Rolled-back storage: owner or client notices it, everybody is told, and the game waits until all agree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy

import pytest

from server.model import Done
from server.tables.events import TableOpened
from server.tables.history import RECENT_KEPT
from server.tables.proofs import proof_of, time_of_proof
from tests.replies import code_of
from tests.tables.rollback import come_back, put_back, tables_of
from tests.tables.table_server import Screen, TableServer, pass_time, toys
from tests.tables.virtual_time import in_virtual_time

LOG_ROLLED_BACK = {"event": "went_back", "records": 1}


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def bid_both(server: TableServer, table: str) -> None:
    """Let Ann and Ben seal their bids, one after the other, which reveals them."""
    for name in ("ann", "ben"):
        await pass_time(1)
        assert isinstance(await server.bid(name, table, -1), Done)


async def a_loss_without_witness(*names: str) -> tuple[TableServer, str, list[Screen]]:
    """Return a table whose revealed bids the storage has lost, owned by a new process."""
    server = TableServer()
    table = await server.begin("ann", "ben")
    screens = [await server.watch(name, table) for name in names]
    copy = deepcopy(tables_of(server))
    await bid_both(server, table)
    await put_back(server, copy)
    return server, table, screens


async def waver(server: TableServer, table: str, times: int) -> None:
    """Let Ann vote for a pause and withdraw the vote, to make public entries without an effect."""
    for number in range(times):
        await pass_time(1)
        await server.do("ann", "vote", table, on="pause", agree=number % 2 == 0)


async def losses(server: TableServer, table: str) -> int:
    return (await server.log(table)).count("went_back")


@in_virtual_time
async def test_an_owner_notices_the_rollback_and_the_game_waits_until_all_agree() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    screens = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    copy = deepcopy(tables_of(server))
    await bid_both(server, table)
    assert server.state(table).play.number == 2, "the bids were revealed"
    server.store._tables = copy  # type: ignore[attr-defined]
    # The next request is refused, so that nobody can bid again after everybody has seen the bids.
    name = ("ann", "ben")[server.state(table).play.awaited[0]]
    assert code_of(await server.play_on(table, name, random.Random(1))) == "paused"
    assert (await server.log(table))[-1] == "went_back"
    for screen in screens:
        assert screen.view is not None
        assert screen.view["table"]["paused"]
        assert screen.view["table"]["went_back"]
        assert screen.events[-1] == {"event": "went_back", "records": 2}
    assert await server.refusal("ann", "decide", table, decision=1, command={"do": "sit"}) == "paused"
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="resume", agree=True)
    assert isinstance(await server.bid("ann", table, None), Done)
    await server.registry.close()


@in_virtual_time
@pytest.mark.parametrize("witness", ["ann", "pat"])
async def test_a_new_owner_learns_of_the_rollback_from_a_client_that_resumes(witness: str) -> None:
    server, table, [seen] = await a_loss_without_witness(witness)
    bystander = await server.watch("ben", table)
    assert bystander.view is not None
    assert not bystander.view["table"]["paused"], "so far nobody can know"
    back = await come_back(server, seen, table)
    assert (await server.log(table))[-1] == "went_back"
    assert bystander.events == back.missed == [LOG_ROLLED_BACK]
    assert back.view is not None
    assert back.view["table"]["went_back"]
    assert await server.refusal("ben", "decide", table, decision=1, command={"do": "sit"}) == "paused"
    await server.registry.close()


@in_virtual_time
async def test_going_on_after_a_rollback_can_be_declined_and_the_game_stays_paused() -> None:
    server, table, [ann] = await a_loss_without_witness("ann")
    await come_back(server, ann, table)
    await server.do("ann", "vote", table, on="resume", agree=True)
    await server.do("ben", "vote", table, on="resume", agree=False)
    assert server.state(table).paused
    assert server.state(table).votes == {}
    await server.do("ben", "vote", table, on="resume", agree=True)
    assert server.state(table).paused, "Ann must agree anew"
    await server.do("ann", "vote", table, on="resume", agree=True)
    assert not server.state(table).paused
    await server.registry.close()


@in_virtual_time
async def test_a_rollback_is_recorded_once_and_every_client_that_saw_lost_entries_is_told() -> None:
    server, table, [ann, ben, pat] = await a_loss_without_witness("ann", "ben", "pat")
    await come_back(server, ann, table)
    assert (await come_back(server, ben, table)).missed == [LOG_ROLLED_BACK]
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="resume", agree=True)
    assert [event["event"] for event in (await come_back(server, pat, table)).missed or ()] == [
        "went_back",
        "voted",
        "voted",
        "resumed",
    ]
    assert await losses(server, table) == 1
    await server.registry.close()


@in_virtual_time
async def test_a_rollback_is_noticed_even_if_the_game_went_on_differently() -> None:
    server, table, [pat] = await a_loss_without_witness("pat")
    await server.watch("ann", table)
    await bid_both(server, table)
    await waver(server, table, 4)
    back = await come_back(server, pat, table)
    assert back.number > pat.number, "as far as the numbers tell, nothing is wrong"
    assert await losses(server, table) == 1
    assert back.missed == [LOG_ROLLED_BACK]
    await server.registry.close()


@in_virtual_time
async def test_a_resume_point_without_a_valid_proof_proves_no_rollback() -> None:
    server, table, _ = await a_loss_without_witness()
    server.registry._context.entropy()
    other = await server.begin("ann", "ben", table="table2")
    await pass_time(1)
    elsewhere = await server.watch("ann", other)
    state = server.state(other)
    assert state.secret != (await server.entries(table))[0][0].secret
    later = proof_of("another secret", 1_700_000_999_000)
    for stamp in (elsewhere.stamp, later, "A" * 20, None):
        screen = await server.watch("ann", table, have=99, stamp=stamp)
        assert screen.missed is None
    assert await losses(server, table) == 0
    await server.registry.close()


@in_virtual_time
async def test_a_proof_of_an_entry_in_the_log_changes_nothing_however_old_it_is() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table)
    old = (pat.number, pat.stamp)
    await waver(server, table, RECENT_KEPT + 10)
    await server.restart()
    back = await server.watch("pat", table, have=old[0], stamp=old[1])
    assert back.missed is None
    assert await losses(server, table) == 0
    await server.registry.close()


@in_virtual_time
async def test_a_table_from_before_there_were_proofs_is_played_without() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    server.state(table).secret = None
    screen = await server.watch("ann", table)
    await bid_both(server, table)
    assert screen.stamp is None
    assert (await server.watch("ann", table, have=screen.number)).missed == []
    opened = TableOpened("table1", 1, "{}", "ann", "key", 0)
    assert opened.secret is None
    await server.registry.close()


def test_a_proof_is_valid_for_its_own_table_only() -> None:
    stamp = proof_of("secret", 1_700_000_000_123)
    assert stamp is not None
    assert time_of_proof("secret", stamp) == 1_700_000_000_123
    assert time_of_proof("other", stamp) is None
    assert time_of_proof(None, stamp) is None
    changed = "B" if stamp[3] != "B" else "C"
    assert time_of_proof("secret", stamp[:3] + changed + stamp[4:]) is None
