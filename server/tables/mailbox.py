"""The mailbox of an actor: messages are processed one at a time, those of players before those of everybody else.

There are two lanes. The first has the messages of people who sit at the table, of bots and of clocks; the second has
those of everybody else, and is served only while the first is empty, one message for each turn that the process grants
to work that can wait. The messages of one user are always processed in the order in which they arrived.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable

from server.rate_limit import FREE, Clock, Rate, RateLimiter
from server.tables.messages import Message, sender_of
from server.tables.turns import BackgroundTurns

MAX_MAILBOX = 256
"""Maximum length of the first lane; one more message is refused as `busy`."""

MAX_SPECTATORS_WAITING = 1_024
"""Maximum length of the second lane; one more message of a spectator is refused as `busy`, and none of a player."""


SPECTATORS_RATE = Rate(200, 1, burst=2_000)
"""Messages of all spectators of a table together. A crowd may come back at once; one message more is refused as `busy`,
and not as `too_fast`, since no single one of them is."""


class Mailbox:
    """Two bounded queues that one task serves."""

    __slots__ = (
        "_first",
        "_has_turn",
        "_is_processing",
        "_limit",
        "_requested_turn",
        "_second",
        "_turns",
        "_waiting_of",
        "_wake_up",
        "is_open",
    )

    def __init__(self, turns: BackgroundTurns, clock: Clock) -> None:
        self.is_open = True
        self._turns = turns
        self._limit = RateLimiter(SPECTATORS_RATE, clock)
        self._first: deque[Message] = deque()
        self._second: deque[Message] = deque()
        self._waiting_of: Counter[str] = Counter()
        """By user: the number of messages in the second lane."""

        self._is_processing = False
        self._requested_turn = False
        self._has_turn = False
        self._wake_up: asyncio.Future[None] | None = None
        """Resolved to wake the task, which waits for it while there is nothing that it may process."""

    @property
    def is_idle(self) -> bool:
        """Return whether no message waits and none is being processed."""
        return not (self._first or self._second or self._is_processing)

    def post(self, message: Message, *, is_first: bool) -> bool:
        """Append a message to its lane; return False if that is full or beyond its rate, or the mailbox is closed."""
        lane, maximum = (self._first, MAX_MAILBOX) if is_first else (self._second, MAX_SPECTATORS_WAITING)
        if len(lane) >= maximum or not self.is_open or (not is_first and self._limit.take() != FREE):
            return False
        sender = sender_of(message)
        if is_first and sender in self._waiting_of:
            # The user has sat down; what the user sent before stays before this message.
            self.promote(lambda other: other == sender)
        elif not is_first and sender is not None:
            self._waiting_of[sender] += 1
        lane.append(message)
        self._wake()
        return True

    def promote(self, is_player: Callable[[str], bool]) -> None:
        """Move the messages of users who are players now from the second lane to the first, in their order."""
        promoted = {user for user in self._waiting_of if is_player(user)}
        if not promoted:
            return
        for user in promoted:
            del self._waiting_of[user]
        self._first.extend(message for message in self._second if sender_of(message) in promoted)
        self._second = deque(message for message in self._second if sender_of(message) not in promoted)

    def close(self) -> None:
        """Accept no more messages; those in the queues will still be processed."""
        self.is_open = False
        self._wake()

    async def serve(self, process: Callable[[Message], Awaitable[None]]) -> None:
        """Process messages until the mailbox is closed and empty."""
        loop = asyncio.get_running_loop()
        while self._first or self._second or self.is_open:
            message = self._next()
            if message is not None:
                self._is_processing = True
                await process(message)
                self._is_processing = False
                continue
            if self._second and not self._requested_turn:
                self._requested_turn = True
                self._turns.request(self._on_turn)
            self._wake_up = loop.create_future()
            await self._wake_up

    def _next(self) -> Message | None:
        """Take the next message that may be processed now, if there is one."""
        if self._first:
            return self._first.popleft()
        if not self._second or not self._has_turn:
            return None
        self._has_turn = False
        message = self._second.popleft()
        sender = sender_of(message)
        if sender is not None:
            self._waiting_of[sender] -= 1
            if not self._waiting_of[sender]:
                del self._waiting_of[sender]
        return message

    def _on_turn(self) -> None:
        self._requested_turn = False
        self._has_turn = True
        self._wake()

    def _wake(self) -> None:
        if self._wake_up is not None and not self._wake_up.done():
            self._wake_up.set_result(None)
