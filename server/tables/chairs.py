"""The seats of a table, each with its user or bot, its seal and its standing orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from server.tables.events import StandingOrder


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and its user or bot. `stand_in` is the strength of a bot that plays for the user, and has no style."""

    user: str | None = None
    name: str | None = None
    bot: str | None = None
    ready: bool = False
    stand_in: str | None = None
    resigned: bool = False
    style: str | None = None
    """The style of the bot."""

    @property
    def is_free(self) -> bool:
        return self.user is None and self.bot is None

    @property
    def player(self) -> str | None:
        """Return the strength of the bot that decides for this seat, or None if a person does."""
        return self.bot or self.stand_in


class Seal(NamedTuple):
    """The commitment of a seat to its last answer to the open decision."""

    attempt: int
    commitment: str
    salt: str | None
    """None as long as the device of the seat keeps the answer."""

    by_server: bool


class SeatOrders(NamedTuple):
    """The standing orders of a seat, also those for a round or year that is over."""

    revision: int
    """The number of their changes."""

    given: tuple[StandingOrder, ...]
    seed: str | None = None
    """Random bytes of the client that gave them, for the salts of sealed answers."""


NO_ORDERS: Final = SeatOrders(0, ())
