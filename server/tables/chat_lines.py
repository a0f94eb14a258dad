"""Lines of chat, and who may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from server.games.engine.events import Viewer
from server.tables.people import FORMER_NAME, NOBODY_KNOWN, SeatedPeople

ROOMS: Final = ("players", "spectators")
COMMENTARY: Final = "commentary"
"""The room of commentators, whose lines nobody else sees."""

TALK_KEPT: Final = 50
"""Lines of chat that a view holds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of chat."""

    user: str
    name: str
    room: str
    text: str
    at: int | None
    """The time, in milliseconds since 1970; None where it is not known."""

    def is_shown_to(self, viewer: Viewer) -> bool:
        """Return whether a viewer may see the line: while the game runs, players and spectators talk apart."""
        return self.room in ("all", room_of(viewer))

    def shown(self, people: SeatedPeople = NOBODY_KNOWN) -> dict[str, Any]:
        """Return the line as viewers see it."""
        name = FORMER_NAME if people.is_former(self.user) else self.name
        return {"user": self.user, "name": name, "room": self.room, "text": self.text, "at": self.at}


def room_of(viewer: Viewer) -> str:
    """Return the chat room of a viewer while the game runs."""
    return "spectators" if viewer is None else "players"
