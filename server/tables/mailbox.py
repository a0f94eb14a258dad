"""The mailbox of an actor: messages are processed one at a time, in the order of arrival."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from server.tables.messages import Message

MAX_MAILBOX = 256
"""Maximum length of the queue; one more message is refused as `busy`."""


class Mailbox:
    """A bounded queue that one task serves."""

    __slots__ = ("_is_processing", "_queue", "_wake_up", "is_open")

    def __init__(self) -> None:
        self.is_open = True
        self._queue: deque[Message] = deque()
        self._is_processing = False
        self._wake_up: asyncio.Future[None] | None = None
        """Resolved to wake the task, which waits for it while the queue is empty."""

    @property
    def is_idle(self) -> bool:
        """Return whether no message waits and none is being processed."""
        return not (self._queue or self._is_processing)

    def post(self, message: Message) -> bool:
        """Append a message; return False if the mailbox is full or closed."""
        if len(self._queue) >= MAX_MAILBOX or not self.is_open:
            return False
        self._queue.append(message)
        self._wake()
        return True

    def close(self) -> None:
        """Accept no more messages; those in the queue will still be processed."""
        self.is_open = False
        self._wake()

    async def serve(self, process: Callable[[Message], Awaitable[None]]) -> None:
        """Process messages until the mailbox is closed and empty."""
        loop = asyncio.get_running_loop()
        while self._queue or self.is_open:
            if self._queue:
                self._is_processing = True
                await process(self._queue.popleft())
                self._is_processing = False
            else:
                self._wake_up = loop.create_future()
                await self._wake_up

    def _wake(self) -> None:
        if self._wake_up is not None and not self._wake_up.done():
            self._wake_up.set_result(None)
