"""Players for tests, with just enough strategy to reach every end, and games played by them."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from server.games.builders.commands import (
    Build,
    BuildSubsidised,
    ChoosePermit,
    ChoosePlot,
    DeclineCard,
    PlacePawn,
    TakeCard,
    TakeDollar,
    TakeIncome,
    TakeMaterial,
    TakeMoney,
    TakePermit,
)
from server.games.builders.components import SHARED_SYMBOLS, SYMBOLS
from server.games.builders.state import Composing, State
from server.games.engine.game import Seat
from server.games.engine.play import Play
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from tests.games.builders import GAME
from tests.games.players import Absent, played_by


class Eager:
    """A player that builds when it can, if possible with two permits of a common symbol, and else prepares to build."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        state: State = play.state
        offered = {choice.command: choice for choice in prompt.choices}
        for command in (Build, BuildSubsidised):
            if command in offered:
                return command()
        if TakeCard in offered:
            own = dict(zip(SYMBOLS, state.cards[seat], strict=True))
            return TakeCard(min(_values(offered[TakeCard]), key=lambda symbol: own[symbol]))
        if ChoosePermit in offered or ChoosePlot in offered:
            return self._compose(state, offered, rng)
        if PlacePawn in offered:
            return self._place(state, seat, _values(offered[PlacePawn]), rng)
        if TakeMaterial in offered and not state.front[seat]:
            return TakeMaterial()
        if TakePermit in offered and len(state.permits[seat]) < 4:
            permits = _values(offered[TakePermit])
            return TakePermit(max(permits, key=lambda permit: (_kinship(state, seat, permit), rng.random())))
        if state.money[seat] > 10 or not rng.randrange(3):
            return prompt.sample(rng)
        return next((kind() for kind in (TakeIncome, TakeMoney, TakeDollar) if kind in offered), prompt.fallback)

    def _place(self, state: State, seat: Seat, free: list[int], rng: random.Random) -> Command:
        if state.area == 0:
            return PlacePawn(free[0])
        wishes = ["income", "goal", "clean_up", "develop"]
        if len(state.permits[seat]) < 4:
            wishes.insert(0, "permit")
        if not state.front[seat]:
            wishes.insert(0, "material")
        elif state.permits[seat]:
            wishes = ["build", "build_subsidised", *wishes]
        spaces = {state.spaces[space].action: space for space in free}
        return PlacePawn(next((spaces[wish] for wish in wishes if wish in spaces), rng.choice(free)))

    def _compose(self, state: State, offered: dict[type[Command], Choice], rng: random.Random) -> Command:
        stage = state.stage
        assert isinstance(stage, Composing)
        if stage.permits and ChoosePermit in offered:
            seconds = _values(offered[ChoosePermit])
            fitting = [one for one in seconds if SHARED_SYMBOLS[stage.permits[0]][one]]
            if fitting:
                return ChoosePermit(rng.choice(fitting))
        choice = offered.get(ChoosePlot) or offered[ChoosePermit]
        return choice.command(rng.choice(_values(choice)))


def _values(choice: Choice) -> list[Any]:
    (space,) = choice.spaces.values()
    assert isinstance(space, OneOf)
    return list(space.values)


def _kinship(state: State, seat: Seat, permit: int) -> int:
    """Return the number of a seat's permits have the colour or the number of another one."""
    return sum(bool(state.city.either[permit] & state.city.either[held]) for held in state.permits[seat])


class Lone:
    """A player for one eager seat; the others are absent, so that nobody is in its way."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        return (Eager() if seat == 0 else Absent()).answer(play, seat, prompt, rng)


class Moody:
    """A player that is eager or uniform at random; sometimes it declines a development card."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        if rng.randrange(4) == 0:
            return prompt.sample(rng)
        command = Eager().answer(play, seat, prompt, rng)
        may_decline = prompt.admit(DeclineCard()) is None
        return DeclineCard() if may_decline and rng.randrange(5) == 0 else command


played = partial(played_by, GAME)
