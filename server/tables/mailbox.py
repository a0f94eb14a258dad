"""The messages to a table, read one at a time in the order they came: no two people ever act on it at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from server.tables.messages import Message

MAX_MAILBOX = 256
"""Messages that wait for one table; more are refused as busy."""


class Mailbox:
    """The messages that wait for one table. One task serves it."""

    __slots__ = ("_is_reading", "_letters", "_sleep", "is_open")

    def __init__(self) -> None:
        self.is_open = True
        self._letters: deque[Message] = deque()
        self._is_reading = False
        self._sleep: asyncio.Future[None] | None = None
        """What the task waits for while there are no messages."""

    @property
    def is_idle(self) -> bool:
        """Tell whether no message waits and none is being read."""
        return not (self._letters or self._is_reading)

    def post(self, message: Message) -> bool:
        """Put a message in; False if it is full or closed."""
        if len(self._letters) >= MAX_MAILBOX or not self.is_open:
            return False
        self._letters.append(message)
        self._rouse()
        return True

    def close(self) -> None:
        """Take no more messages; what is in it will still be read."""
        self.is_open = False
        self._rouse()

    async def serve(self, read: Callable[[Message], Awaitable[None]]) -> None:
        """Read messages until the mailbox is closed and empty."""
        loop = asyncio.get_running_loop()
        while self._letters or self.is_open:
            if self._letters:
                self._is_reading = True
                await read(self._letters.popleft())
                self._is_reading = False
            else:
                self._sleep = loop.create_future()
                await self._sleep

    def _rouse(self) -> None:
        if self._sleep is not None and not self._sleep.done():
            self._sleep.set_result(None)
