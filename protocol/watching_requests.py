"""Requests of people who watch: predictions, who else watches, and the table that the home page shows."""

from __future__ import annotations

from typing import Literal

from protocol.base import Request, SeatNumber, TableKey, TableRequest


class Predict(TableRequest):
    """Predict the winner of a running game, as a spectator; until `open` is false, another one replaces it."""

    type: Literal["predict"]
    winner: SeatNumber
    """The seat that will win, in the opinion of the user."""


class GetWatching(TableRequest):
    """Get those who watch a table and want to be seen, and how often they predicted a winner.

    Users who may watch the table may ask; `key` is needed as for `watch`.
    """

    type: Literal["get_watching"]
    key: TableKey | None = None


class GetBigTable(Request):
    """Get the most interesting running tables that everybody may watch, as the home page shows them."""

    type: Literal["get_big_table"]
