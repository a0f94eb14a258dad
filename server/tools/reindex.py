"""Build the index of finished games again: by the server that uses a file, or here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from server.control import Handler, Message, NoServer, Refusal, Send, control_path, requested
from server.history.projection import IndexBusy, Projection
from server.history.rebuilding import Rebuilt, rebuild
from server.store.api import StorageFailed, StoreInUse, StoreUnusable, TableStore
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from server.store.sqlite import SqliteStore
from server.tools.tables import NotDone

OnProgress = Callable[[int, int], None]
PROGRESS_SECONDS: Final = 0.1
MAX_NAMED: Final = 20
"""Unreadable tables that a server names to the command; a reply is one short line."""

REINDEX: Final = "reindex"
"""The value of `do` in the request of a command to a server."""

_BUSY: Final = "Other processes keep changing the index; please try again."


def reindex_handler(store: TableStore, projection: Projection) -> Handler:
    """Return the handler of the server that builds its index again for a command, beside its other work."""

    async def handle(request: Message, send: Send) -> None:
        next_at = 0.0

        def on_progress(done: int, total: int) -> None:
            nonlocal next_at
            if time.monotonic() >= next_at:
                next_at = time.monotonic() + PROGRESS_SECONDS
                send({"progress": [done, total]})

        try:
            rebuilt = asdict(await rebuild(store, projection, on_progress))
        except StorageFailed as error:
            raise Refusal(str(error)) from None
        except IndexBusy:
            raise Refusal(_BUSY) from None
        send({"done": {**rebuilt, "unreadable": rebuilt["unreadable"][:MAX_NAMED]}})

    return handle


def reindex_file(database: Path, on_progress: OnProgress) -> Rebuilt:
    """Build the index of a database file again: by the server that uses it, or here if none does."""
    try:
        try:
            return asyncio.run(_reindexed(database, on_progress))
        except StoreInUse as in_use:
            return _reindexed_by_server(database.absolute(), on_progress, in_use)
    except (StorageFailed, StoreUnusable, Refusal) as reason:
        raise NotDone(str(reason)) from None
    except IndexBusy:
        raise NotDone(_BUSY) from None


def reindex_redis(url: str, on_progress: OnProgress) -> Rebuilt:
    """Build the index in a Redis again, whose workers may run."""
    try:
        return asyncio.run(_reindexed(url, on_progress))
    except (StorageFailed, StoreUnusable) as reason:
        raise NotDone(str(reason)) from None
    except IndexBusy:
        raise NotDone(_BUSY) from None


async def _reindexed(place: Path | str, on_progress: OnProgress) -> Rebuilt:
    store: TableStore
    if isinstance(place, str):
        await check_redis(place)
        store = RedisStore.at(place)
    else:
        store = await SqliteStore.open(place)
    try:
        return await rebuild(store, Projection(store), on_progress)
    finally:
        await store.close()


def _reindexed_by_server(database: Path, on_progress: OnProgress, in_use: StoreInUse) -> Rebuilt:
    done: dict[str, Any] | None = None
    try:
        with requested(control_path(database), {"do": REINDEX}) as replies:
            for reply in replies:
                match reply:
                    case {"progress": [int(number), int(total)]}:
                        on_progress(number, total)
                    case {"done": dict(fields)}:
                        done = fields
                        break
    except NoServer as reason:
        raise NotDone(f"{in_use} {reason}") from None
    if done is None:
        raise NotDone("The server has ended before the index was complete; it goes on at its next start.")
    return Rebuilt(**done)
