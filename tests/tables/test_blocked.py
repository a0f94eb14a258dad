"""Nobody takes a seat at a table where somebody blocks them, or writes there without one."""

from __future__ import annotations

from collections.abc import Collection

from server.tables.people import NoAccounts
from tests.tables.table_server import TableServer
from tests.tables.virtual_time import in_virtual_time


class Blocks(NoAccounts):
    """Ann blocks Ben."""

    async def may_join(self, user_id: str, seated: Collection[str]) -> bool:
        return not (user_id == "ben" and "ann" in seated)


@in_virtual_time
async def test_who_is_blocked_by_somebody_at_the_table_gets_no_seat() -> None:
    server = TableServer(people=Blocks())
    table = await server.create("cat", seats=4)
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    await server.do("ben", "leave_seat", table)
    await server.do("ann", "take_seat", table)
    before = await server.log(table)
    assert await server.refusal("ben", "take_seat", table) == "no_free_seat"
    assert await server.log(table) == before
    assert await server.do("dan", "take_seat", table) == {"seat": 2}
    await server.registry.close()


@in_virtual_time
async def test_a_repeated_request_gets_its_first_reply_after_a_block() -> None:
    blocks = Blocks()
    server = TableServer(people=blocks)
    table = await server.create("cat", seats=4)
    assert await server.do("ben", "take_seat", table, id="sit") == {"seat": 1}
    await server.do("ann", "take_seat", table)
    assert await server.do("ben", "take_seat", table, id="sit") == {"seat": 1}
    await server.registry.close()


@in_virtual_time
async def test_a_private_table_does_not_show_itself_by_a_block() -> None:
    server = TableServer(people=Blocks())
    table = await server.create("ann", private=True)
    assert await server.refusal("ben", "take_seat", table) == "no_such_table"
    assert await server.refusal("ben", "take_seat", table, key="wrong") == "no_such_table"
    await server.registry.close()


@in_virtual_time
async def test_who_is_blocked_cannot_write_to_people_at_a_table() -> None:
    server = TableServer(people=Blocks())
    table = await server.create("cat", seats=4)
    for name in ("ben", "dan"):
        await server.watch(name, table)
    await server.do("ben", "say", table, text="Hello")
    await server.do("ann", "take_seat", table)
    assert await server.refusal("ben", "say", table, text="You again") == "muted"
    await server.do("dan", "say", table, text="Hello")
    await server.registry.close()
