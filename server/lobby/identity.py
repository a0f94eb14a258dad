"""Users: guests, their names, and the session tokens by which their devices and programs are authenticated.

A session token is a bearer secret of one device or program. It has the form `user.secret`, so that the sessions of a
user share a key prefix in the store, which holds only the token's hash. A one-time code is a short secret that a second
device exchanges for a session (`one_time_codes.py`).

Users are cached until they change here. In a cluster, `forget` must be called when another worker has changed a user.

A user who has kept their name has an account (`server.people`), which names the handle; such users do not expire.
Several workers may change a user at the same time, so every change is a compare-and-swap.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
import time
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

from server.lobby.names import made_up_name
from server.lobby.one_time_codes import OneTimeCodes
from server.model import Refused, User
from server.store.api import KeyValueStore, StorageFailed
from server.tables.names import refused_name
from server.tables.results import refused
from server.text import BadText, clean_name

DAY: Final = 86_400
SESSION_SECONDS: Final = 400 * DAY
"""The lifetime of a session after its last use. Browsers keep no cookie for longer than this."""

MAX_SESSIONS: Final = 50
"""Sessions of one user; a new one beyond that ends the least recently used one."""

MAX_CACHED: Final = 20_000
"""Users in the cache; the least recently used one is evicted."""

PROGRAM: Final = "Program"
"""The device of a session whose token a user has made for a program."""

_MAX_ATTEMPTS: Final = 20
"""Attempts to change a user whom other workers change at the same time."""

_DEVICE_ID_LENGTH: Final = 16

_TOKEN: Final = re.compile(r"([a-z2-7]{16})\.[A-Za-z0-9_-]{43}")


@dataclass(slots=True)
class _CachedUser:
    """A user, and the stored time of last use of each session that was seen here."""

    user: User
    used: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Device:
    """A session as its user sees it. The id is the beginning of the token's hash, and signs nobody in."""

    id: str
    name: str
    """The browser and the system, such as "Firefox on Windows"; empty if an earlier version began the session."""

    created: int | None
    """When the session began, in seconds since 1970; None if that is unknown."""

    used: int
    """When the session was last used, to the day."""

    is_current: bool


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
        self._codes = OneTimeCodes(key_values, clock)
        self._generation = 0
        """Counts the calls of `forget`, so that a read which overlaps one is repeated."""

        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def guest(self, device: str = "") -> tuple[User, str]:
        """Create a user with a session, and return both. `device` is what the user's list of devices says."""
        user_id = b32encode(secrets.token_bytes(10)).decode().lower()
        stored = {"name": made_up_name(), "created": int(self._clock()), "played": False}
        await self._key_values.put("user", user_id, _dumps(stored), self._clock() + SESSION_SECONDS)
        return _user(user_id, stored, None), await self._new_session(user_id, device)

    async def begin_session(self, user_id: str, device: str) -> tuple[User, str] | None:
        """Return a user with a new session token; None if there is no such user."""
        async with self._lock(user_id):
            return await self._begin_session(user_id, device)

    async def _begin_session(self, user_id: str, device: str) -> tuple[User, str] | None:
        # The user first, since no session may outlive its user.
        user = await self._update(user_id)
        return None if user is None else (user, await self._new_session(user_id, device))

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
            return Refused("bad_name", str(reason), reason.variant, reason.values)
        refusal = refused_name(cleaned)
        if refusal is not None:
            return refusal
        return await self._change(user.id, name=cleaned) or refused("storage_failed")

    async def set_language(self, user: User, language: str) -> User | Refused:
        """Store the language in which a user reads pages; return the user with it or the refusal."""
        return await self._change(user.id, language=language) or refused("storage_failed")

    async def read_user(self, user_id: str) -> User | None:
        """Return a user as stored; None if there is no such user."""
        found, account = await self._read_both(user_id)
        if found is None and account is None:
            return None
        return _user(user_id, _of_account(account) if found is None else _loads(found), account)

    async def note_played(self, user: User) -> None:
        """Store that a user has made a decision in a game."""
        await self._change(user.id, played=True)

    async def refresh(self, user_id: str) -> User | None:
        """Return a user whose account has changed, after all workers have been told so."""
        return await self._change(user_id)

    async def make_code(self, user: User) -> str:
        """Return a one-time code that signs one more device in as this user; it invalidates an earlier one."""
        async with self._lock(user.id):
            return await self._codes.make(user.id)

    async def redeem(self, code: str, device: str = "") -> tuple[User, str] | None:
        """Return the user of a code with a new session token; None if the code is not valid."""
        taken = await self._codes.take(code)
        if taken is None:
            return None
        user_id, proof = taken
        async with self._lock(user_id):
            return await self._begin_session(user_id, device) if await self._codes.confirm(user_id, proof) else None

    async def make_token(self, user: User) -> str:
        """Return a session token for a program that acts as this user."""
        begun = await self.begin_session(user.id, PROGRAM)
        if begun is None:
            raise StorageFailed("The user is gone.")
        return begun[1]

    async def forget_others(self, user: User, keep_token: str) -> None:
        """End all sessions of the user but this one, and invalidate the user's code."""
        kept = _session_key(keep_token)
        await self._end_sessions(user.id, lambda session: session != kept)

    async def devices(self, user_id: str, token: str = "") -> list[Device]:
        """Return the sessions of a user, the last used first; `token` is that of the current one."""
        current = _session_key(token)
        found = [
            Device(_device_id(key), stored.get("device", ""), stored.get("created"), stored["used"], key == current)
            for key, stored in await self._sessions(user_id)
        ]
        return sorted(found, key=lambda device: (device.is_current, device.used, device.created or 0), reverse=True)

    async def end_device(self, user_id: str, device_id: str) -> str | None:
        """End a session, and return the hash of its token; None if there is no such session."""
        for session, _ in await self._sessions(user_id):
            if _device_id(session) == device_id:
                await self._end(user_id, session)
                return session.partition(".")[2]
        return None

    async def end(self, token: str) -> str | None:
        """End the session of a token, and return the hash of the token; None if there is no such session."""
        form = _TOKEN.fullmatch(token)
        if form is None or not await self._end(form[1], _session_key(token)):
            return None
        return hash_token(token)

    async def delete(self, user_id: str) -> None:
        """Delete a user with all sessions and codes. The account must be gone already, or it would bring them back."""
        async with self._lock(user_id):
            await self._key_values.delete("user", user_id)
        await self._end_sessions(user_id, lambda session: True)

    async def _end(self, user_id: str, session: str) -> bool:
        async with self._lock(user_id):
            try:
                return await self._key_values.delete("session", session)
            finally:
                self._changed(user_id)

    async def _end_sessions(self, user_id: str, is_meant: Callable[[str], bool]) -> None:
        """End some sessions of a user, and invalidate the user's code."""
        async with self._lock(user_id):
            try:
                await self._codes.invalidate(user_id)
                for session, _ in await self._sessions(user_id):
                    if is_meant(session):
                        await self._key_values.delete("session", session)
            finally:
                self._changed(user_id)

    def _changed(self, user_id: str) -> None:
        self.forget(user_id)
        self._on_change(user_id)

    def forget(self, user_id: str) -> None:
        """Remove a user from the cache."""
        self._cache.pop(user_id, None)
        self._generation += 1

    def forget_all(self) -> None:
        """Empty the cache: another worker may have changed users without this one knowing."""
        self._cache.clear()
        self._generation += 1

    async def _read(self, user_id: str, session: str) -> _CachedUser | None:
        """Read a session and its user, and cache both; read again if a user was forgotten meanwhile."""
        while True:
            generation = self._generation
            found = await self._key_values.get("session", session)
            if found is None:
                return None
            cached = self._cache.get(user_id)
            user = await self.read_user(user_id) if cached is None else cached.user
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
            found = await self._key_values.get("session", session)
            if found is None or await self._update(user_id) is None:
                return False
            used = int(self._clock())
            stored = _dumps({**_loads(found), "used": used})
            if not await self._key_values.replace("session", session, found, stored, used + SESSION_SECONDS):
                # Another worker has noted the same use, or ended the session, which the next reading shows.
                self.forget(user_id)
                return await self._key_values.get("session", session) is not None
        if (cached := self._cache.get(user_id)) is not None and session in cached.used:
            cached.used[session] = used
        return True

    async def _new_session(self, user_id: str, device: str) -> str:
        """Return the token of a new session; the user must be in the store."""
        sessions = sorted(await self._sessions(user_id), key=lambda found: _used(found[1]), reverse=True)
        for session, _ in sessions[MAX_SESSIONS - 1 :]:
            await self._key_values.delete("session", session)
            self._changed(user_id)
        token = f"{user_id}.{secrets.token_urlsafe(32)}"
        now = int(self._clock())
        stored = {"used": now, "created": now, "device": device}
        await self._key_values.put("session", _session_key(token), _dumps(stored), now + SESSION_SECONDS)
        return token

    async def _sessions(self, user_id: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the keys of all sessions of a user, with what is stored of each."""
        found = await self._key_values.find("session", f"{user_id}.")
        return [(session, _loads(value)) for session, value in found]

    async def _change(self, user_id: str, **changes: Any) -> User | None:
        """Change what is stored of a user, and tell all workers; return None if there is no such user."""
        async with self._lock(user_id):
            try:
                return await self._update(user_id, **changes)
            finally:
                self._changed(user_id)

    async def _update(self, user_id: str, **changes: Any) -> User | None:
        """Store a user with these changes until the lifetime of a guest has passed, or for ever with an account.

        Changes that change nothing are not stored.
        """
        for _ in range(_MAX_ATTEMPTS):
            found, account = await self._read_both(user_id)
            if found is None and account is None:
                return None
            expires_at = None if account is not None else self._clock() + SESSION_SECONDS
            before = _of_account(account) if found is None else _loads(found)
            stored = {**before, **changes}
            if changes and stored == before:
                return _user(user_id, stored, account)
            if found is None:
                is_stored = await self._key_values.put_if_absent("user", user_id, _dumps(stored), expires_at)
            else:
                is_stored = await self._key_values.replace("user", user_id, found, _dumps(stored), expires_at)
            if is_stored:
                return _user(user_id, stored, account)
        raise StorageFailed("The user keeps changing.")

    async def _read_both(self, user_id: str) -> tuple[bytes | None, dict[str, Any] | None]:
        """Return what is stored of a user, and the user's account."""
        found, account = await asyncio.gather(
            self._key_values.get("user", user_id), self._key_values.get("account", user_id)
        )
        return found, None if account is None else _loads(account)

    def _lock(self, user_id: str) -> asyncio.Lock:
        """Return the lock for reading and then writing a user."""
        return self._locks.setdefault(user_id, asyncio.Lock())


def _user(user_id: str, stored: dict[str, Any], account: dict[str, Any] | None) -> User:
    # Users of earlier versions have neither, and count as old.
    created, has_played = stored.get("created", 0), stored.get("played", True)
    handle = None if account is None else account["handle"]
    language = stored.get("language")
    return User(user_id, stored["name"], created=created, has_played=has_played, handle=handle, language=language)


def _of_account(account: dict[str, Any] | None) -> dict[str, Any]:
    """Return what to store of a user with an account whose name has expired, as that of a guest."""
    assert account is not None
    return {"name": account["handle"], "created": account.get("since", 0), "played": True}


def _used(stored: dict[str, Any]) -> int:
    used: int = stored["used"]
    return used


def _device_id(session: str) -> str:
    return session.partition(".")[2][:_DEVICE_ID_LENGTH]


def _session_key(token: str) -> str:
    """Return the key of a session in the store: its user, and the hash of the token."""
    return f"{token.partition('.')[0]}.{hash_token(token)}"


def hash_token(token: str) -> str:
    """Return the hash by which a session token is known in the store and to other workers."""
    return hashlib.sha256(token.encode()).hexdigest()


def _dumps(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def _loads(value: bytes) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(value)
    return loaded
