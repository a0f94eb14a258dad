"""Who watches a table: the people among its spectators who want to be seen, and how well they predict winners.

A connection says in its `watch` whether its user wants to be seen; nothing of that is stored. Who blocks somebody, or
is blocked, is left out for the other one, so every reader gets a list of their own. It is put together in a task, since
relations and scores may have to be read from the store, which no player waits for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from protocol.messages import GetWatching
from server.games.engine.events import Seat
from server.model import Done, Reply, User
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.messages import RequestReceived
from server.tables.predictions import Predictions
from server.tables.reads import TableReads
from server.tables.subscribers import Subscribers

MAX_LOOKED_UP: Final = 100
"""People for whom one reply is put together."""

MAX_NAMED: Final = 30
"""People whom one reply names; the others are counted."""


class Watching:
    """Answers `get_watching` at one table."""

    def __init__(self, table: str, context: TableContext, predictions: Predictions) -> None:
        self._context = context
        self._predictions = predictions
        self._reads = TableReads(table, context.read_slots)

    def answer(self, message: RequestReceived, request: GetWatching, core: TableCore, subscribers: Subscribers) -> None:
        """Reply as soon as the reply is known."""
        user, table = message.user, core.state
        is_subscribed = subscribers.has(user.id)
        refusal = core.may_enter(user, request.key, is_subscribed=is_subscribed) or core.may_watch(user)
        if refusal is not None:
            message.respond(refusal)
            return
        is_player = table.seat_of(user.id) is not None
        named = [
            (each, core.shown_name(each, is_seated=False)) for each in subscribers.named_spectators()[:MAX_LOOKED_UP]
        ]
        # Players learn nothing of predictions before the end.
        shows_predictions = not is_player or table.phase == "over"
        read = partial(self._reply, user, named, subscribers.count_spectators(), shows_predictions)
        self._reads.start(read, message.respond, is_player=is_player)

    async def _reply(
        self, user: User, named: Sequence[tuple[User, str]], spectators: int, shows_predictions: bool
    ) -> Reply:
        people = self._context.people
        hidden = await people.hidden_from(user.id)
        shown = [(each, name) for each, name in named if each.id not in hidden and not people.is_former(each.id)]
        scores = await self._predictions.scores.of(each.id for each, _ in [*shown, (user, user.name)])
        rows: list[dict[str, Any]] = [
            {
                "user": each.id,
                "name": name,
                "handle": each.handle,
                "winner": self._winner(each, shows_predictions),
                "score": scores[each.id].shown() if shows_predictions and each.handle is not None else None,
            }
            for each, name in shown
        ]
        rows.sort(key=_best_first)
        has_account = user.handle is not None
        return Done(
            {
                "people": rows[:MAX_NAMED],
                "others": max(0, spectators - min(len(rows), MAX_NAMED)),
                "score": scores[user.id].shown() if has_account else None,
            }
        )

    def _winner(self, user: User, shows_predictions: bool) -> Seat | None:
        return self._predictions.of(user.id) if shows_predictions else None

    async def close(self) -> None:
        """Wait until all requests have their replies."""
        await self._reads.finish()


def _best_first(row: dict[str, Any]) -> tuple[int, int, str, str]:
    """Return the sort key of the scoreboard: who was right most often, in the fewest games."""
    score = row["score"] or {"right": 0, "games": 0}
    return -score["right"], score["games"], row["name"].casefold(), row["user"]
