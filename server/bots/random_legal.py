"""A bot that plays any legal command, after a moment that does not depend on what it sees."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from server.games.prompt import Command, Prompt


class RandomBots:
    """Answers every prompt by chance."""

    def __init__(self, chooser: Random, least_seconds: float, most_seconds: float) -> None:
        self._chooser = chooser
        self._least_seconds = least_seconds
        self._most_seconds = most_seconds

    def think(self, strength: str, view: dict[str, Any], prompt: Prompt, decided: Callable[[Command], None]) -> None:
        """Answer after a pause between the two bounds."""
        pause = self._chooser.uniform(self._least_seconds, self._most_seconds)
        asyncio.get_running_loop().call_later(pause, lambda: decided(prompt.sample(self._chooser)))
