"""Commands: the answers of seats."""

from __future__ import annotations

from typing import ClassVar

from server.games.engine.serialization import Serializable


class Command(Serializable):
    """An answer of a seat, named in the imperative. A field for which a choice has no space is None.

    Each game derives a family of its own: `class AuctionCommand(Command, family=True)`.
    """

    __slots__ = ()
    tag: ClassVar[str | None] = "do"
    revealed: ClassVar[bool] = False
    """Everybody learns the whole command when a sealed decision that it answers closes."""
