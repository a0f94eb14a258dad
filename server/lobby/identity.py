"""Users: guests, their names, and the session tokens by which their devices and programs are authenticated.

A session token is a bearer secret of one device or program. It has the form `user.secret`, so that the sessions of a
user share a key prefix in the store, which holds only the token's hash. A one-time code is a short secret that a second
device exchanges for a session.

A code is a selector, under which the store finds it, and a secret. Wrong secrets count against the code, which is void
after a few of them, so guessing does not pay however many addresses take part, and there is no limit for all that a
flood of guesses could use up. SECURITY.md has the arithmetic.

Users are cached until they change here. In a cluster, `forget` must be called when another worker has changed a user.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import secrets
import time
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final
from weakref import WeakValueDictionary

from server.lobby.names import made_up_name
from server.model import Refused, User
from server.store.api import KeyValueStore, StorageFailed
from server.tables.names import refused_name
from server.text import BadText, clean_name

DAY: Final = 86_400
SESSION_SECONDS: Final = 400 * DAY
"""The lifetime of a session after its last use. Browsers keep no cookie for longer than this."""

CODE_SECONDS: Final = 5 * 60
CODE_LENGTH: Final = 10
SELECTOR_LENGTH: Final = 4
"""Characters at the front of a code that find it: 810,000 selectors, so that a guess hardly ever finds a code."""

MAX_WRONG_SECRETS: Final = 5
"""Wrong secrets with the right selector that make a code void. The rest of a code is one of 729 million secrets."""

CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No character that looks like another one: no 0 and O, no 1, I and L, no U beside V."""

MAX_SESSIONS: Final = 50
"""Sessions of one user; a new one beyond that ends the least recently used one."""

MAX_CACHED: Final = 20_000
"""Users in the cache; the least recently used one is evicted."""

_MAX_SELECTORS_TRIED: Final = 20

_TOKEN: Final = re.compile(r"([a-z2-7]{16})\.[A-Za-z0-9_-]{43}")
_CODE: Final = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")


@dataclass(slots=True)
class _CachedUser:
    """A user, and the stored time of last use of each session that was seen here."""

    user: User
    used: dict[str, int] = field(default_factory=dict)


class Identity:
    """All users. `clock` returns the seconds since 1970.

    `on_change` is called with the id of a user who has changed here, so that other workers can forget the user.
    """

    def __init__(
        self,
        key_values: KeyValueStore,
        clock: Callable[[], float] = time.time,
        on_change: Callable[[str], None] = lambda user_id: None,
    ) -> None:
        self._key_values = key_values
        self._clock = clock
        self._on_change = on_change
        self._cache: OrderedDict[str, _CachedUser] = OrderedDict()
        self._generation = 0
        """Counts the calls of `forget`, so that a read which overlaps one is repeated."""

        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def guest(self) -> tuple[User, str]:
        """Create a user with a session, and return both."""
        user_id = b32encode(secrets.token_bytes(10)).decode().lower()
        user = User(user_id, made_up_name(), created=int(self._clock()), has_played=False)
        return user, await self._new_session(user)

    def is_cached(self, token: str) -> bool:
        """Return whether `user_of` finds the user of this token without the store."""
        form = _TOKEN.fullmatch(token)
        cached = None if form is None else self._cache.get(form[1])
        used = None if cached is None else cached.used.get(_session_key(token))
        return used is not None and self._clock() - used < DAY

    async def user_of(self, token: str) -> User | None:
        """Return the user of a session token, and store the time of its use once a day."""
        form = _TOKEN.fullmatch(token)
        if form is None:
            return None
        user_id, session = form[1], _session_key(token)
        cached = self._cache.get(user_id)
        if cached is not None and session in cached.used:
            self._cache.move_to_end(user_id)
        else:
            cached = await self._read(user_id, session)
            if cached is None:
                return None
        if self._clock() - cached.used[session] >= DAY:
            # A failure to store the time must not sign the user out.
            with suppress(StorageFailed):
                if not await self._note_use(user_id, session):
                    return None
        return cached.user

    async def rename(self, user: User, name: str) -> User | Refused:
        """Rename a user, and return the user with the new name or the refusal."""
        try:
            cleaned = clean_name(name)
        except BadText as reason:
            return Refused("bad_name", str(reason))
        refusal = refused_name(cleaned)
        if refusal is not None:
            return refusal
        async with self._lock(user.id):
            try:
                renamed = replace(await self._read_user(user.id) or user, name=cleaned)
                await self._write_user(renamed)
            finally:
                self._changed(user.id)
        return renamed

    async def note_played(self, user: User) -> None:
        """Store that a user has made a decision in a game."""
        async with self._lock(user.id):
            stored = await self._read_user(user.id)
            if stored is None or stored.has_played:
                return
            try:
                await self._write_user(replace(stored, has_played=True))
            finally:
                self._changed(user.id)

    async def make_code(self, user: User) -> str:
        """Return a one-time code that signs one more device in as this user; it invalidates an earlier one."""
        expires_at = self._clock() + CODE_SECONDS
        async with self._lock(user.id):
            earlier = await self._key_values.get("code_of", user.id)
            if earlier is not None:
                await self._key_values.delete("code", earlier.decode().partition(" ")[0])
            for _ in range(_MAX_SELECTORS_TRIED):
                code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
                selector, code_hash = code[:SELECTOR_LENGTH], _hash(code)
                stored = {"user": user.id, "hash": code_hash, "wrong": 0, "expires_at": expires_at}
                if await self._key_values.put_if_absent("code", selector, _dumps(stored), expires_at):
                    await self._key_values.put("code_of", user.id, f"{selector} {code_hash}".encode(), expires_at)
                    return code
        raise StorageFailed("There is no free selector for a code.")

    async def redeem(self, code: str) -> tuple[User, str] | None:
        """Return the user of a code with a new session token; None if the code is not valid."""
        typed = re.sub(r"[\s-]", "", code).upper()
        if not _CODE.fullmatch(typed):
            return None
        selector, code_hash = typed[:SELECTOR_LENGTH], _hash(typed)
        # Only a read at first, since nearly every guess ends here; then one of several attempts gets the code.
        if await self._key_values.get("code", selector) is None:
            return None
        taken = await self._key_values.take("code", selector)
        if taken is None:
            return None
        stored = _loads(taken)
        if not hmac.compare_digest(stored["hash"], code_hash):
            await self._count_wrong_secret(selector, stored)
            return None
        user_id = stored["user"]
        async with self._lock(user_id):
            # The user may have made a newer code since, or ended all sessions.
            if await self._key_values.get("code_of", user_id) != f"{selector} {code_hash}".encode():
                return None
            await self._key_values.delete("code_of", user_id)
            user = await self._read_user(user_id)
            return None if user is None else (user, await self._new_session(user))

    async def _count_wrong_secret(self, selector: str, stored: dict[str, Any]) -> None:
        """Put a code back with one more wrong secret, unless that makes it void."""
        counted = {**stored, "wrong": stored["wrong"] + 1}
        if counted["wrong"] < MAX_WRONG_SECRETS:
            await self._key_values.put_if_absent("code", selector, _dumps(counted), stored["expires_at"])

    async def make_token(self, user: User) -> str:
        """Return a session token for a program that acts as this user."""
        async with self._lock(user.id):
            return await self._new_session(user)

    async def forget_others(self, user: User, keep_token: str) -> None:
        """End all sessions of the user but this one, and invalidate the user's code."""
        kept = _session_key(keep_token)
        async with self._lock(user.id):
            try:
                await self._key_values.delete("code_of", user.id)
                for session, _ in await self._sessions(user.id):
                    if session != kept:
                        await self._key_values.delete("session", session)
            finally:
                self._changed(user.id)

    def _changed(self, user_id: str) -> None:
        self.forget(user_id)
        self._on_change(user_id)

    def forget(self, user_id: str) -> None:
        """Remove a user from the cache."""
        self._cache.pop(user_id, None)
        self._generation += 1

    async def _read(self, user_id: str, session: str) -> _CachedUser | None:
        """Read a session and its user, and cache both; read again if a user was forgotten meanwhile."""
        while True:
            generation = self._generation
            found = await self._key_values.get("session", session)
            if found is None:
                return None
            cached = self._cache.get(user_id)
            user = await self._read_user(user_id) if cached is None else cached.user
            if user is None:
                return None
            if generation == self._generation:
                break
        cached = self._cache.setdefault(user_id, _CachedUser(user))
        cached.used[session] = _loads(found)["used"]
        self._cache.move_to_end(user_id)
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return cached

    async def _note_use(self, user_id: str, session: str) -> bool:
        """Store that a session is in use; return False if it has ended meanwhile."""
        async with self._lock(user_id):
            user = await self._read_user(user_id)
            if user is None or await self._key_values.get("session", session) is None:
                return False
            await self._write_user(user)
            used = await self._write_session(session)
        if (cached := self._cache.get(user_id)) is not None and session in cached.used:
            cached.used[session] = used
        return True

    async def _new_session(self, user: User) -> str:
        sessions = await self._sessions(user.id)
        for session, _ in sorted(sessions, key=lambda found: found[1], reverse=True)[MAX_SESSIONS - 1 :]:
            await self._key_values.delete("session", session)
            self.forget(user.id)
        # The user first, since no session may outlive its user. The name may have changed since the caller read it.
        await self._write_user(await self._read_user(user.id) or user)
        token = f"{user.id}.{secrets.token_urlsafe(32)}"
        await self._write_session(_session_key(token))
        return token

    async def _sessions(self, user_id: str) -> list[tuple[str, int]]:
        """Return all sessions of a user, each with its stored time of last use."""
        found = await self._key_values.find("session", f"{user_id}.")
        return [(session, _loads(value)["used"]) for session, value in found]

    async def _write_session(self, session: str) -> int:
        used = int(self._clock())
        await self._key_values.put("session", session, _dumps({"used": used}), used + SESSION_SECONDS)
        return used

    async def _write_user(self, user: User) -> None:
        stored = {"name": user.name, "created": user.created, "played": user.has_played}
        await self._key_values.put("user", user.id, _dumps(stored), self._clock() + SESSION_SECONDS)

    async def _read_user(self, user_id: str) -> User | None:
        found = await self._key_values.get("user", user_id)
        if found is None:
            return None
        stored = _loads(found)
        # Users of earlier versions have neither, and count as old.
        created, has_played = stored.get("created", 0), stored.get("played", True)
        return User(user_id, stored["name"], created=created, has_played=has_played)

    def _lock(self, user_id: str) -> asyncio.Lock:
        """Return the lock for reading and then writing a user."""
        return self._locks.setdefault(user_id, asyncio.Lock())


def _session_key(token: str) -> str:
    """Return the key of a session in the store: its user, and the hash of the token."""
    return f"{token.partition('.')[0]}.{_hash(token)}"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _dumps(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def _loads(value: bytes) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(value)
    return loaded
