"""An owner of one table for tests: it remembers the end of the log, and appends one entry after the other."""

from server.store.api import GENESIS, Appended, AppendResult, Claimed, Created, NewEntry, Position, TableStore


class TableOwner:
    """An owner of a table. Use `create` for a new table, `claim` for an existing one."""

    def __init__(self, store: TableStore, table: str, claimed: Claimed) -> None:
        self.store = store
        self.table = table
        self.fence = claimed.fence
        self.end = Position(claimed.seq, claimed.head)

    @classmethod
    async def create(cls, store: TableStore, table: str, *payloads: bytes) -> "TableOwner":
        """Create a table with entries of these payloads, and own it."""
        assert isinstance(await store.create(table, "running", b"about", payloads), Created)
        return await cls.claim(store, table)

    @classmethod
    async def claim(cls, store: TableStore, table: str) -> "TableOwner":
        """Own an existing table."""
        claimed = await store.claim(table, "worker", 3600)
        assert isinstance(claimed, Claimed)
        return cls(store, table, claimed)

    async def append(self, key: str, payload: bytes | None = None) -> AppendResult:
        """Append an entry under an idempotency key, and remember the new end if that worked."""
        answer = b"answer to " + key.encode()
        entry = NewEntry(key.encode() if payload is None else payload, key, b"request", answer)
        result = await self.store.append(self.table, self.fence, self.end, entry)
        if isinstance(result, Appended):
            self.end = Position(result.seq, result.head)
        return result

    async def append_all(self, *keys: str) -> None:
        """Append one entry for each idempotency key; each must work."""
        for key in keys:
            assert isinstance(await self.append(key), Appended)


async def payloads(store: TableStore, table: str) -> list[str]:
    """Return all payloads of a table, as text."""
    return [entry.payload.decode() for entry in await store.read(table)]


async def verify(store: TableStore, table: str) -> Position:
    """Read the whole log of a table and return its end; raise LogDamaged if it does not match the hash chain."""
    end = Position(0, GENESIS)
    while entries := await store.read(table, end.seq):
        end = Position(entries[-1].seq, entries[-1].head)
    return end
