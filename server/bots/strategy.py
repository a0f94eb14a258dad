"""The interface of strategies: a question with all that a seat may know, and the choice that answers it.

A strategy knows what the client of a person in its seat knows, and keeps nothing between two questions. It does a
fixed amount of work that depends only on the question and the random source, so the same question with the same seed
gets the same answer; the time limit is a safety net for a machine that is too slow for this work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from server.games.engine.game import Seat, view_of
from server.games.engine.options import OptionValue
from server.games.engine.play import Play
from server.games.engine.prompts import Command, Prompt
from server.games.engine.serialization import Json


class Style(StrEnum):
    """A way to play, at any strength."""

    CAUTIOUS = "cautious"
    """Prefers what is certain: keeps a reserve, and avoids risks even where they pay on average."""

    GREEDY = "greedy"
    """Counts its own points above all, and takes risks for them."""

    SPOILER = "spoiler"
    """Also values what the leading opponents lose."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a seat owes, with all that the seat may know. Nothing in it may be changed."""

    game: str
    options: Mapping[str, OptionValue]
    """The options of the game, with a value for every option."""

    seat: Seat
    view: Mapping[str, Any]
    """The game's own view for the seat."""

    kind: str
    prompt: Prompt
    style: Style | None = None
    """The style of the bot; None plays for the best result alone."""


class Reason(NamedTuple):
    """The reason for a choice: the key of a sentence in the catalogues of the web client, and the values to fill in.

    The values must not hold more than the seat knows.
    """

    key: str
    values: Mapping[str, Json] = MappingProxyType({})


class BotChoice(NamedTuple):
    """A command that the prompt admits, and the reason for it."""

    command: Command
    reason: Reason | None = None


class Strategy(Protocol):
    """A way to play one game, or any game."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        """Return a choice, after `seconds` the best one found so far; `rng` is the only source of randomness."""
        ...


def question_from_play(
    play: Play, seat: Seat, options: Mapping[str, OptionValue], style: Style | None = None
) -> Question:
    """Return the question that a play puts to a seat that owes its open decision."""
    assert play.decision is not None, "a game that is over has no open decision"
    view = view_of(play.game, play.state, seat)
    return Question(play.game.name, options, seat, view, play.decision.kind, play.decision.prompts[seat], style)


class Judgement(NamedTuple):
    """The results of trials of several answers to one question.

    Trial n of every answer starts from the same sampled position with the same luck, so answers are compared in pairs.
    """

    answers: tuple[Command, ...]
    chances: tuple[tuple[tuple[float, ...], ...], ...]
    """The probability of winning by answer, trial and seat; those of all seats add up to 1."""


class Judge(Protocol):
    """Judges answers to the questions of one game, for the analysis of finished games.

    It may use only what the question says: never what the seat could not know.
    """

    def alternatives(self, question: Question, played: Command, rng: Random) -> tuple[Command, ...]:
        """Return the played answer, which is the first, and its sensible alternatives."""
        ...

    def judge(
        self, question: Question, answers: Sequence[Command], rng: Random, trials: int, *, to_end: bool = False
    ) -> Judgement:
        """Return the results of trials of these answers.

        A trial is played on for a few rounds and then rated, or `to_end`, where the result is that of the game: this
        takes longer and varies more, but is not distorted by the rating.
        """
        ...

    def chances(self, question: Question, rng: Random, trials: int) -> tuple[tuple[float, ...], ...]:
        """Return the results of trials to the end of the game by trial and seat.

        Only the view in the question is used. So the seat need not owe the open decision, and the prompt may be that of
        another seat.
        """
        ...
