"""An owner of one table for tests: it remembers where it is, and appends one event after the other."""

from server.store.api import Appended, AppendResult, Claimed, Created, TableStore


class Player:
    """Made by `sit` on a new table."""

    def __init__(self, store: TableStore, table: str, claimed: Claimed) -> None:
        self.store = store
        self.table = table
        self.fence = claimed.fence
        self.seq = claimed.seq
        self.head = claimed.head

    @classmethod
    async def sit(cls, store: TableStore, table: str) -> "Player":
        """Create a table and own it."""
        assert isinstance(await store.create(table, "running", b"about"), Created)
        return await cls.take(store, table)

    @classmethod
    async def take(cls, store: TableStore, table: str) -> "Player":
        """Own a table that is there."""
        claimed = await store.claim(table, "worker", 3600)
        assert isinstance(claimed, Claimed)
        return cls(store, table, claimed)

    async def ask(self, command_id: str, *payloads: bytes) -> AppendResult:
        """Append at the place this player knows of, and go on from there if it worked."""
        events = payloads or (command_id.encode(),)
        answer = b"answer to " + command_id.encode()
        result = await self.store.append(
            self.table, self.fence, self.seq, self.head, command_id, b"request", answer, events
        )
        if isinstance(result, Appended):
            self.seq, self.head = result.seq, result.head
        return result

    async def play(self, *command_ids: str) -> None:
        """Append one event for each command; each must work."""
        for command_id in command_ids:
            assert isinstance(await self.ask(command_id), Appended)


async def payloads(store: TableStore, table: str) -> list[str]:
    """All events of a table, as text."""
    return [event.payload.decode() for event in await store.read(table)]
