"""The finished games of one user, for the download of everything that is stored about them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from server.history.ratings import PersonRating
from server.history.record import all_unpacked
from server.store.games_api import MAX_PAGE, GameIndex, GameQuery

_MAX_RATINGS: Final = 20_000
"""The last ratings of a user in one game that are read; earlier games have none in the download."""


async def games_of_user(games: GameIndex, user_id: str) -> AsyncIterator[dict[str, Any]]:
    """Yield the games that a user has played, the latest first, with the user's own result and rating after it."""
    ratings: dict[str, dict[str, PersonRating]] = {}
    after = None
    while True:
        page = await games.page(GameQuery(people=(user_id,)), after, MAX_PAGE)
        for record in all_unpacked(page.games):
            own = next(seat for seat in record.seats if seat.user == user_id)
            if record.rated and record.game not in ratings:
                ratings[record.game] = await _ratings(games, user_id, record.game)
            rating = ratings.get(record.game, {}).get(record.table)
            yield {
                "table": record.table,
                "game": record.game,
                "title": record.title,
                "started": record.started,
                "ended": record.ended,
                "end": record.end,
                "private": record.private,
                "rated": record.rated,
                "name": own.name,
                "place": own.place,
                "points": own.points,
                "resigned": own.resigned,
                "rating": None if rating is None else rating.shown()._asdict(),
            }
        if page.next is None:
            return
        after = page.next


async def _ratings(games: GameIndex, user_id: str, game: str) -> dict[str, PersonRating]:
    """Return the ratings of a user in one game, by table."""
    history = await games.rating_history(user_id, game, _MAX_RATINGS)
    return {each.key.table: PersonRating.unpack(each.value) for each in history}
