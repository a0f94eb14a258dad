"""How a table asks a program to decide for a seat. The programs themselves are in `server/bots`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from server.games.prompt import Command, Prompt


class Bots(Protocol):
    """Programs that decide for seats, each from what its seat sees."""

    def think(self, strength: str, view: dict[str, Any], prompt: Prompt, decided: Callable[[Command], None]) -> None:
        """Find an answer to the prompt and hand it to `decided`, later and on the same loop."""
        ...
