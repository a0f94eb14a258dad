"""Requests about finished games: lists, profiles, rankings, replays, and playing on from a moment of one."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, StrictBool, StringConstraints

from protocol.base import GameName, Handle, Request, SeatNumber, Strength, TableId, TableKey, TableRequest, UserId

MAX_GAME_ROWS: Final = 100
"""Games on one page of a list."""

DEFAULT_GAME_ROWS: Final = 50

GameCursor = Annotated[str, StringConstraints(strict=True, pattern=r"^[0-9]{1,15}\.[a-z0-9]{4,32}$")]
RankCursor = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
Eyes = SeatNumber | Literal["spectators", "all"]
EARLIER_HIDDEN: Final = {"anew": "redealt", "same": "as_it_was"}
"""Words of earlier clients and logs for what `play_on` calls `hidden`."""

Hidden = Annotated[
    Literal["as_it_was", "redealt"],
    BeforeValidator(lambda word: EARLIER_HIDDEN.get(word, word) if isinstance(word, str) else word),
]
Step = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]


class HistoryRequest(Request):
    """A request about finished games."""


class ListGames(HistoryRequest):
    """Get a page of the finished games that fulfil all conditions and that the user may see, the latest first."""

    type: Literal["list_games"]
    people: Annotated[list[UserId], Field(max_length=5)] = []
    """Users who all played; those whose privacy hides their games from the user match nothing, unless the user is
    among them."""

    game: GameName | None = None
    seats: SeatNumber | None = None
    rated: StrictBool | None = None
    search: Annotated[str, StringConstraints(strict=True, max_length=80)] | None = None
    """Words, each the beginning of a word in the title or in the names of those who played, or a handle after an @."""

    after: GameCursor | None = None
    """The `next` of the page before; null: the first page."""

    limit: Annotated[int, Field(strict=True, ge=1, le=MAX_GAME_ROWS)] = DEFAULT_GAME_ROWS


class GetGame(HistoryRequest):
    """Get the record of one finished game: seats, places, points, and the changes of ratings."""

    type: Literal["get_game"]
    table: TableId
    key: TableKey | None = None
    """The key of a shared private game."""


class GetProfile(HistoryRequest):
    """Get the profile of a user: ratings and their history, results, and the people most played with."""

    type: Literal["get_profile"]
    handle: Handle


class GetRankings(HistoryRequest):
    """Get a page of the rankings of one game, and the user's own row."""

    type: Literal["get_rankings"]
    game: GameName
    period: Literal["week", "all"] = "all"
    """The points won in the last seven days, or the rating itself."""

    after: RankCursor | None = None
    """The `next` of the page before; null: the first page."""

    limit: Annotated[int, Field(strict=True, ge=1, le=MAX_GAME_ROWS)] = DEFAULT_GAME_ROWS


class LookBack(TableRequest):
    """Get the view after a step of the game.

    After the end, `eyes` chooses whose view it is. In a running game only spectators may look back, and only at what
    was public.
    """

    type: Literal["look_back"]
    step: Step
    eyes: Eyes | None = None
    """A seat, the spectators, or all open; null: as the viewer that the user is."""

    key: TableKey | None = None
    """The key of a private table, or of a shared private game."""

    between: StrictBool = False
    """Get the views between the events of the step as well, as `between`: patches from the view after the step."""


class GetTimeline(TableRequest):
    """Get the steps of a game, each with its round or year, who acted, and how many events it had.

    In a running game only spectators may, as with `look_back`.
    """

    type: Literal["get_timeline"]
    eyes: Eyes | None = None
    """As in `look_back`; it concerns the log alone."""

    log_from: Step | None = None
    """Get the events of up to 100 steps from this one on, as `log`, instead of the steps."""

    key: TableKey | None = None


class ShareGame(TableRequest):
    """Get the key by which everybody may see a finished private game, as somebody who sat there; or revoke it."""

    type: Literal["share_game"]
    share: StrictBool = True


class PlayOn(HistoryRequest):
    """Open a private table, unrated, that goes on from a step of a finished game."""

    type: Literal["play_on"]
    table: TableId
    step: Step
    seat: SeatNumber
    """The seat that the user takes."""

    hidden: Hidden = "redealt"
    """What the seat did not know is as it was, or dealt again."""

    bots: Strength | None = None
    """The strength of the bots on all other seats; null: these stay free for people with the link."""

    key: TableKey | None = None


class AnalyseGame(HistoryRequest):
    """Queue the analysis of a finished game, or get how far it is and, when it is done, what it found."""

    type: Literal["analyse_game"]
    table: TableId
    key: TableKey | None = None
    """The key of a shared private game."""
