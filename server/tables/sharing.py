"""The keys of shared games: everybody who has the key of a finished private game may see it.

They are key-value pairs beside the logs, so that every worker knows them, and so that a key can be revoked.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final

from server.store.api import KeyValueStore

SHARED_GAME: Final = "shared_game"
"""The kind of the key-value pairs: the key is the id of the table, the value the key of the shared game."""


async def is_shared_with(key_values: KeyValueStore, table: str, key: str) -> bool:
    """Return whether a key opens a shared game."""
    return is_same_key(await key_values.get(SHARED_GAME, table), key)


def is_same_key(stored: bytes | None, key: str | None) -> bool:
    """Return whether a key is the stored one; how long that takes does not tell how much of it is right."""
    return stored is not None and key is not None and hmac.compare_digest(stored, key.encode())


async def shared_key(key_values: KeyValueStore, table: str, entropy: Callable[[], bytes]) -> str:
    """Return the key of a shared game, which is made if there is none."""
    made = entropy().hex()[:32]
    # Another worker may share or unshare the game at the same time: what is stored counts.
    await key_values.put_if_absent(SHARED_GAME, table, made.encode())
    stored = await key_values.get(SHARED_GAME, table)
    return made if stored is None else stored.decode()
