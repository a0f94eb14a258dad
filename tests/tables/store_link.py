"""The link between a process and its store, which a test can cut, as if the process had died."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

from server.store.api import KeyValueStore, StorageFailed, TableStore


class StoreLink:
    """Passes all calls on to a store. Without `renews_leases`, calls of `renew` fail."""

    def __init__(self, store: TableStore) -> None:
        self._store = store
        self._is_cut = False
        self.renews_leases = True

    @property
    def key_values(self) -> KeyValueStore:
        return cast("KeyValueStore", _KeyValuesLink(self))

    @property
    def as_store(self) -> TableStore:
        return cast("TableStore", self)

    def cut(self) -> None:
        """Let every call fail from now on, without an effect on the store."""
        self._is_cut = True

    async def call(self, method: Callable[..., Awaitable[Any]], *args: Any, **kwargs: Any) -> Any:
        """Call a method of the store, unless the link is cut."""
        if self._is_cut:
            raise StorageFailed("the link is cut")
        return await method(*args, **kwargs)

    async def renew(self, fences: dict[str, str], seconds: float) -> frozenset[str]:
        if not self.renews_leases:
            raise StorageFailed("the link renews no lease")
        lost: frozenset[str] = await self.call(self._store.renew, fences, seconds)
        return lost

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if not callable(method):
            return method

        return partial(self.call, method)


class _KeyValuesLink:
    """Passes all calls on to the key-value pairs of a linked store."""

    def __init__(self, link: StoreLink) -> None:
        self._link = link

    def __getattr__(self, name: str) -> Any:
        return partial(self._link.call, getattr(self._link._store.key_values, name))
