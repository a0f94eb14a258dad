"""Requests about finished games, as connections send them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from protocol.messages import GetGame, GetProfile, GetRankings, HistoryRequest, ListGames, PlayOn
from server.history.play_on import PlayingOn
from server.history.profiles import Profiles
from server.history.queries import GameQueries
from server.history.rankings import Rankings
from server.history.slots import Crowded, Slots
from server.model import Reply, User
from server.tables.results import refused

SEARCHES_AT_ONCE: Final = 4
"""Lists and profiles that this process reads at the same time: with a file, decisions wait for the same thread."""

MAX_WAITING: Final = 200
"""Requests that may wait for that; one more is refused as `busy`."""


class HistoryService:
    """Answers the requests of `protocol/history_requests.py` that are not to a table."""

    def __init__(self, queries: GameQueries, profiles: Profiles, rankings: Rankings, playing_on: PlayingOn) -> None:
        self._queries = queries
        self._profiles = profiles
        self._rankings = rankings
        self._playing_on = playing_on
        self._searches = Slots(SEARCHES_AT_ONCE, MAX_WAITING)

    async def answer(self, user: User, request: HistoryRequest) -> Reply:
        """Return the reply to a request of a user."""
        match request:
            case ListGames() | GetProfile():
                return await self._search(user, request)
            case GetGame():
                return await self._queries.answer(user, request)
            case GetRankings():
                return await self._rankings.answer(user, request)
            case PlayOn():
                return await self._playing_on.answer(user, request)
        return refused("unknown_request")

    async def public_ratings(self, game: str, users: Collection[str]) -> Sequence[int] | None:
        """Return the ratings of those of these users who have one; None if one of them hides their profile."""
        return await self._rankings.public_ratings(game, users)

    async def _search(self, user: User, request: ListGames | GetProfile) -> Reply:
        try:
            async with self._searches.slot():
                if isinstance(request, ListGames):
                    return await self._queries.answer(user, request)
                return await self._profiles.answer(user, request)
        except Crowded:
            return refused("busy")
