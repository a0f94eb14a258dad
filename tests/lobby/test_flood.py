"""The attack that once emptied the lobby: fifty guests open tables, and a victim's table must still be found."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from protocol.messages import DEFAULT_LIST_ROWS, CreateTable, QuickMatch, TableSettings
from server.lobby.attendance import Attendance
from server.lobby.directory import TableDirectory
from server.lobby.lobby import Lobby
from server.lobby.queries import ListQuery, PageQuery, TableFilter
from server.model import Done, Reply, User
from server.store.memory import MemoryStore
from server.tables.registry import Clocks, TableRegistry
from tests.lobby.fakes import FakeSubscriber, user
from tests.replies import result_of
from tests.tables.table_server import PatientBots, now_milliseconds, pass_time, wall
from tests.tables.virtual_time import in_virtual_time

ATTACKERS = [user(f"Mallory{number}") for number in range(51)]
TRIES = 10


class Server:
    """A lobby with real tables, a real directory and its attendance, in virtual time."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.directory = TableDirectory(loop)
        clocks = Clocks(now_milliseconds, lambda: round(wall() * 1000))
        self.registry = TableRegistry(MemoryStore(loop.time, wall), self.directory, PatientBots(), clocks)
        self.lobby = Lobby(self.directory, self.registry, b"secret")
        self.attendance = Attendance(self.directory, self.registry.post, loop, wall_clock=wall)
        self.attendance.start()
        self.here: dict[User, FakeSubscriber] = {}
        self._ids = count()

    def come(self, *users: User) -> None:
        for each in users:
            self.here[each] = FakeSubscriber(each)
            self.directory.connected(self.here[each])

    def go(self, *users: User) -> None:
        for each in users:
            self.directory.disconnected(self.here.pop(each))

    async def ask(self, user: User, request: CreateTable | QuickMatch) -> Reply:
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.lobby.ask(user, request, answer.set_result)
        return await answer

    async def create(self, user: User, **settings: Any) -> str | None:
        """Open a table; return its id, or None if it was refused."""
        chosen = TableSettings(game="investors", seats=4, **settings)
        answer = await self.ask(user, CreateTable(type="create_table", id=f"r{next(self._ids)}", settings=chosen))
        return str(answer.result["table"]) if isinstance(answer, Done) else None

    async def quick_match(self, user: User) -> str:
        answer = await self.ask(user, QuickMatch(type="quick_match", id=f"r{next(self._ids)}", game="investors"))
        return str(result_of(answer)["table"])

    def listed(self, *, limit: int = DEFAULT_LIST_ROWS, search: str = "") -> tuple[list[str], int]:
        """Return the first page of the open tables, and how many there are."""
        reader = FakeSubscriber(user("Reader"))
        self.directory.subscribe(reader, ListQuery(PageQuery(TableFilter("open", search=search), limit, None), None))
        self.directory.unsubscribe(reader)
        return reader.page(), reader.places["open"]["total"]


@asynccontextmanager
async def server() -> AsyncIterator[Server]:
    served = Server()
    yield served
    served.attendance.close()
    served.directory.close()
    await served.registry.close()


async def flood(here: Server, **settings: Any) -> list[str]:
    """Let every attacker try to open ten tables; return those that exist."""
    here.come(*ATTACKERS)
    opened = [await here.create(each, **settings) for _ in range(TRIES) for each in ATTACKERS]
    await pass_time(1)
    return [table for table in opened if table is not None]


@in_virtual_time
async def test_the_table_of_a_victim_stays_on_the_first_page_and_quick_match_finds_it() -> None:
    async with server() as here:
        victim, newcomer = user("Vera"), user("Nora")
        here.come(victim, newcomer)
        table = await here.create(victim, name="Vera's evening")
        await pass_time(1)
        opened = await flood(here, begin="full")
        assert len(opened) == 3 * len(ATTACKERS)
        page, total = here.listed()
        assert total == len(opened) + 1
        assert page[0] == table
        assert here.listed(search="vera's")[0] == [table]
        assert await here.quick_match(newcomer) == table


@in_virtual_time
async def test_a_table_that_is_opened_after_the_flood_comes_before_all_but_one_of_each_attacker() -> None:
    async with server() as here:
        victim, newcomer = user("Vera"), user("Nora")
        await flood(here, begin="full")
        here.come(victim, newcomer)
        table = await here.create(victim)
        await pass_time(1)
        page, total = here.listed(limit=100)
        assert total == 3 * len(ATTACKERS) + 1
        assert page.index(table) <= len(ATTACKERS)
        assert await here.quick_match(newcomer) == table


@in_virtual_time
async def test_the_tables_of_attackers_who_hang_up_are_gone_within_minutes() -> None:
    async with server() as here:
        victim, newcomer = user("Vera"), user("Nora")
        opened = await flood(here)
        here.go(*ATTACKERS)
        here.come(victim, newcomer)
        table = await here.create(victim)
        assert await here.quick_match(newcomer) == table
        await pass_time(60)
        assert here.listed() == ([table], 1)
        await pass_time(540)
        assert here.directory.counts() == {"open": 1, "running": 0}
        rows = await here.registry._context.store.tables("over")
        assert {row.table for row in rows} == set(opened)
