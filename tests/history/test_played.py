"""The finished games of one user, as the download of what is stored has them."""

from __future__ import annotations

from server.history.played import games_of_user
from tests.history.rated_games import ENDED, fill, finished
from tests.store.backends import Backend


async def test_the_download_has_the_own_result_and_rating_of_each_game(backend: Backend) -> None:
    games = backend.store.games
    ratings = await fill(
        games,
        [
            finished({"ann": 1, "bea": 2}, table="t1"),
            finished({"ann": 2, "cai": 1}, table="t2", ended=ENDED + 1, rated=False),
            finished({"ann": 1, "bea": 2}, table="t3", ended=ENDED + 2),
            finished({"bea": 1, "cai": 2}, table="t4", ended=ENDED + 3),
        ],
    )
    played = [game async for game in games_of_user(games, "ann")]
    assert [(game["table"], game["place"], game["rated"]) for game in played] == [
        ("t3", 1, True),
        ("t2", 2, False),
        ("t1", 1, True),
    ]
    latest = ratings["planners", "ann"].shown()
    assert played[0]["rating"] == latest._asdict()
    assert played[1]["rating"] is None
    assert played[2]["rating"]["games"] == 1
