"""Deleting a user: seats first, then a tombstone, then everything that is stored.

Bots take the seats while the user still exists, so that after a failure there the user can ask again. The tombstone
comes before the rest: from then on the user is a former player everywhere. If the store fails after it, the deletion is
tried again until it succeeds, and one that was interrupted goes on when a worker starts; every step can be repeated.
Logs of games stay as they are; views replace the name when they are shown.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Protocol

from protocol.messages import LeaveSeat, Resign
from server.lessons.progress import LESSON
from server.lobby.identity import Identity
from server.model import Refused, Reply, User
from server.notifications.recipients import Recipients, table_key, user_key
from server.people.accounts import Accounts
from server.people.directory import FORMER
from server.people.former import UNFINISHED
from server.people.invitations import INVITATION
from server.people.passkeys import Passkeys
from server.people.relations import BLOCK, BLOCKER, FOLLOW, FOLLOWER
from server.people.rhythms import RHYTHM
from server.store.api import KeyValueStore, StorageFailed
from server.tables.api import Tables
from server.tables.prediction_scores import PREDICTION_SCORE
from server.tables.predictions import delete_predictions

log = logging.getLogger(__name__)

LEAVE_TIMEOUT: Final = 15.0
"""Seconds for all tables to let the user go; requests to tables are retried for nine."""

RETRY_SECONDS: Final = 10.0
"""Delay before a deletion is tried again that failed because of the store."""

_HAS_LEFT: Final = frozenset({"wrong_phase", "not_seated", "no_such_table", "game_over", "table_unavailable"})
"""Refusals of tables where the user has no seat to give up."""


class TablesOfUsers(Protocol):
    """Where people sit; see `server.lobby.directory`."""

    def tables_of(self, user_id: str) -> list[dict[str, Any]]: ...


class Deletion:
    """Deletes users.

    `announce` is called with the id of a user as soon as the user is a former player, and when nothing else is left.
    `start` runs a task in the background.
    """

    def __init__(
        self,
        key_values: KeyValueStore,
        identity: Identity,
        accounts: Accounts,
        passkeys: Passkeys,
        seats: TablesOfUsers,
        tables: Tables,
        announce: Callable[[str], None],
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._key_values = key_values
        self._identity = identity
        self._accounts = accounts
        self._passkeys = passkeys
        self._seats = seats
        self._tables = tables
        self._announce = announce
        self._start = start

    async def delete(self, user: User) -> bool:
        """Delete a user; return False, with nothing deleted, if a table does not let the user go at the moment.

        Seats at other tables may have been given up by then.
        """
        if not await self._leave_tables(user):
            return False
        await self._key_values.put(FORMER, user.id, UNFINISHED)
        if not await self._finish(user.id):
            self.resume([user.id])
        # A device of the user may have sat down meanwhile.
        await self._leave_tables(user)
        return True

    def resume(self, user_ids: Sequence[str]) -> None:
        """Finish deletions that were interrupted, in the background."""
        for user_id in user_ids:
            self._start(self._finish_sooner_or_later(user_id))

    async def _finish_sooner_or_later(self, user_id: str) -> None:
        is_finished = await self._finish(user_id)
        while not is_finished:
            await asyncio.sleep(RETRY_SECONDS)
            is_finished = await self._finish(user_id)

    async def _finish(self, user_id: str) -> bool:
        """Delete what is stored of a user with a tombstone; return False if the store fails."""
        try:
            await self._delete_stored(user_id)
        except StorageFailed:
            log.warning("deletion not finished", extra={"user": user_id})
            return False
        return True

    async def _delete_stored(self, user_id: str) -> None:
        self._announce(user_id)
        # Passkeys before the account, which alone names them; and again, since one may have been added meanwhile. The
        # account before the user: as long as there is one, the user would come back.
        for step in (self._accounts.get, self._accounts.delete):
            account = await step(user_id)
            if account is not None:
                await self._passkeys.forget(account.passkeys)
        for kind, reverse in ((FOLLOW, FOLLOWER), (BLOCK, BLOCKER)):
            await self._delete_relations(user_id, kind, reverse)
            await self._delete_relations(user_id, reverse, kind)
        for key, _ in await self._key_values.find(INVITATION, f"{user_id}."):
            await self._key_values.delete(INVITATION, key)
        await self._key_values.delete(LESSON, user_id)
        recipients = Recipients(self._key_values)
        for key in (user_key(user_id), *map(table_key, await recipients.tables_of(user_id))):
            await recipients.delete(key)
        await self._key_values.delete(RHYTHM, user_id)
        await delete_predictions(self._key_values, user_id)
        await self._key_values.delete(PREDICTION_SCORE, user_id)
        await self._identity.delete(user_id)
        self._announce(user_id)
        await self._key_values.replace(FORMER, user_id, UNFINISHED, b"")
        log.info("user deleted", extra={"user": user_id})

    async def _delete_relations(self, user_id: str, kind: str, reverse: str) -> None:
        for key, _ in await self._key_values.find(kind, f"{user_id}."):
            other = key.partition(".")[2]
            await self._key_values.delete(reverse, f"{other}.{user_id}")
            await self._key_values.delete(kind, key)

    async def _leave_tables(self, user: User) -> bool:
        """Give up all seats of a user: a bot plays on in a running game. Return whether all tables agreed."""
        replies = [self._leave(user, summary) for summary in self._seats.tables_of(user.id)]
        try:
            async with asyncio.timeout(LEAVE_TIMEOUT):
                return all(await asyncio.gather(*replies))
        except TimeoutError:
            return False

    async def _leave(self, user: User, summary: dict[str, Any]) -> bool:
        table = summary["table"]
        # An open table may begin at the same moment, and then has to be asked again.
        for phase in (summary["phase"], "running" if summary["phase"] == "open" else "open"):
            request_id = f"delete.{secrets.token_hex(8)}"
            request = (
                LeaveSeat(type="leave_seat", id=request_id, table=table)
                if phase == "open"
                else Resign(type="resign", id=request_id, table=table)
            )
            reply = await self._reply(user, request)
            if not isinstance(reply, Refused):
                return True
            if reply.code not in _HAS_LEFT:
                return False
        return True

    async def _reply(self, user: User, request: LeaveSeat | Resign) -> Reply:
        replied: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def on_reply(reply: Reply) -> None:
            if not replied.done():
                replied.set_result(reply)

        self._tables.ask(user, request, on_reply)
        return await replied
