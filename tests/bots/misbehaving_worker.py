"""A worker process whose strategies misbehave, each in its own way."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from random import Random

from server.bots.strategy import BotChoice, Question, Reason, Strategy
from server.bots.worker import work
from server.games.investors.commands import Waive


class Hangs:
    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        while True:
            pass


class Raises:
    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        raise RuntimeError("no idea")


class Dies:
    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class Cheats:
    """A strategy whose answers are illegal."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        return BotChoice(Waive())


class Chats:
    """A strategy that prints, and returns the id of its process and its style as its reason."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        print("thinking aloud", flush=True)  # noqa: T201
        return BotChoice(question.prompt.fallback, Reason("process", {"id": os.getpid(), "style": question.style}))


class Waits:
    """A strategy that answers as soon as the file that its view names exists."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        while not Path(question.view["file"]).exists():
            time.sleep(0.01)
        return BotChoice(question.prompt.fallback)


WAYS: dict[str, Strategy] = {
    "hangs": Hangs(),
    "raises": Raises(),
    "dies": Dies(),
    "cheats": Cheats(),
    "chats": Chats(),
    "waits": Waits(),
    # Names of real strengths, for tests with tables.
    "easy": Hangs(),
    "normal": Raises(),
    "hard": Dies(),
}


def find(game: str, strength: str) -> Strategy:
    return WAYS[strength]


if __name__ == "__main__":
    work(find)
