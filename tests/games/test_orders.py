"""Standing orders of every game: what they answer is what a seat could answer, from what it may know."""

from __future__ import annotations

import random
from typing import Any

import pytest

from server.games.engine.game import Game, view_of
from server.games.engine.options import BadOption, Limit, Pick
from server.games.engine.orders import PREPARED, OrderKind, Situation
from server.games.engine.play import Play
from server.games.engine.prompts import Command
from server.games.registry import GAMES
from tests.games.ordering import kinds_of, random_values
from tests.games.playing import play_out, sampled_options
from tests.games.toys import TOYS

ALL = {**GAMES, **TOYS}
MAY_BE_REFUSED = {"turn", "year", "stone", PREPARED}
"""Kinds of orders that name a choice which somebody else may take away."""


def situation_of(play: Play, seat: int) -> Situation:
    assert play.decision is not None
    view = view_of(play.game, play.state, seat)
    return Situation(seat, play.decision.kind, play.decision.prompts[seat], view)


def positions(game: Game[Any], seed: str) -> list[Play]:
    rng = random.Random(seed)
    seats = rng.choice(game.seats)
    return play_out(game, seats, sampled_options(game, seats, rng), rng).plays[:-1]


@pytest.mark.parametrize("name", ALL)
def test_an_order_answers_what_the_prompt_admits_or_leaves_it_to_the_person(name: str) -> None:
    game, rng = ALL[name], random.Random(name)
    answered: set[str] = set()
    for number in range(6):
        for play in positions(game, f"{name}/{number}"):
            assert play.decision is not None
            for seat, prompt in play.decision.prompts.items():
                for kind in kinds_of(game):
                    values = random_values(kind, play, rng)
                    if values is None:
                        continue
                    command = kind.answer(kind.read(values), situation_of(play, seat))
                    if command is None:
                        continue
                    assert isinstance(command, Command)
                    assert prompt.admit(command) is None or kind.name in MAY_BE_REFUSED, (kind.name, values, command)
                    answered.add(kind.name)
    # Bargaining is an option of few tables.
    assert {kind.name for kind in kinds_of(game)} - answered <= {"offers"}


@pytest.mark.parametrize("name", ALL)
def test_a_sealed_kind_is_declared_as_one(name: str) -> None:
    """At tables whose sealed answers stay on devices such orders are refused, so none may be forgotten."""
    game, rng = ALL[name], random.Random(name)
    for play in positions(game, f"{name}/sealed"):
        assert play.decision is not None
        for seat in play.decision.prompts if play.decision.sealed else ():
            for kind in kinds_of(game):
                values = None if kind.is_sealed else random_values(kind, play, rng)
                if values is not None:
                    assert kind.answer(kind.read(values), situation_of(play, seat)) is None, kind.name


@pytest.mark.parametrize("name", ALL)
def test_values_outside_of_their_fields_are_refused(name: str) -> None:
    for kind in kinds_of(ALL[name]):
        for field in kind.fields:
            bad: list[Any] = [[], {}, "?" * 1_000, 1.5, True]
            if isinstance(field, Limit):
                bad += [field.minimum - 1, field.maximum + 1, 10**30, *([] if field.none else [None])]
            if isinstance(field, Pick):
                bad += [None, 0, [field.values[0]]]
            for value in bad:
                with pytest.raises(BadOption):
                    kind.read({field.name: value})
        with pytest.raises(BadOption):
            kind.read({"nothing": 1})


def kind_of(game: str, name: str) -> OrderKind:
    return next(kind for kind in kinds_of(ALL[game]) if kind.name == name)


def test_a_prepared_command_must_be_one_of_the_game() -> None:
    kind = kind_of("investors", PREPARED)
    read = kind.read({"about": "invest", "command": {"do": "place_stick", "street": 12}})
    assert read == {"about": "invest", "command": {"do": "place_stick", "street": 12}}
    for command in (
        {"do": "bid", "card": 3},
        {"do": "place_stick", "street": "12"},
        {"do": "waive", "more": 1},
        "waive",
    ):
        with pytest.raises(BadOption):
            kind.read({"about": "invest", "command": command})
    with pytest.raises(BadOption):
        kind.read({"about": "invest"})
    with pytest.raises(BadOption):
        kind.read({"about": "influence_tender", "command": {"do": "play_influence", "card": 9}})
    long = {"do": "bid_cheques", "cheques": [10] * 2_000}
    with pytest.raises(BadOption, match="longer"):
        kind.read({"about": "invest", "command": long})
