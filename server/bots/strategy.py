"""What a program that plays is asked, and what it answers: the seam between all strategies and all that uses them.

A strategy knows what the client of a person in its seat knows, and keeps nothing between two questions. It does a
fixed amount of work that depends on the question and the given chance alone, so the same question with the same seed
gets the same answer; the seconds are only the net below it, for a machine that is too slow for this work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from server.games.engine.game import Seat, view_of
from server.games.engine.options import OptionValue
from server.games.engine.play import Play
from server.games.engine.prompts import Command, Prompt
from server.games.engine.serialization import Json


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a seat owes, with all that the seat may know. Nothing in it may be changed."""

    game: str
    options: Mapping[str, OptionValue]
    """What was agreed before the game, a value for every option."""

    seat: Seat
    view: Mapping[str, Any]
    """The game's own view for the seat."""

    kind: str
    prompt: Prompt


class Reason(NamedTuple):
    """Why something was chosen: the key of a sentence in the catalogues of the page, and what goes into it.

    The sentence must not need more than the seat knows.
    """

    key: str
    values: Mapping[str, Json] = MappingProxyType({})


class BotChoice(NamedTuple):
    """An answer that the prompt admits, and why."""

    command: Command
    reason: Reason | None = None


class Strategy(Protocol):
    """A way to play one game, or any game."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        """Give an answer. Past the seconds, give the best that is found so far; all chance comes from `rng`."""
        ...


def question_in(play: Play, seat: Seat, options: Mapping[str, OptionValue]) -> Question:
    """Give what a play asks a seat that owes its open decision."""
    assert play.decision is not None, "a game that is over asks nothing"
    view = view_of(play.game, play.state, seat)
    return Question(play.game.name, options, seat, view, play.decision.kind, play.decision.prompts[seat])
