"""Players without much of a plan, and games played by them to the end."""

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
    """Builds whenever it can, with two permits of a common symbol if possible, and otherwise gets ready to build."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        state: State = play.state
        offered = {choice.command: choice for choice in prompt.choices}
        for wanted in (Build, BuildSubsidised):
            if wanted in offered:
                return wanted()
        if TakeCard in offered:
            own = dict(zip(SYMBOLS, state.cards[seat], strict=True))
            return TakeCard(min(_values(offered[TakeCard]), key=lambda symbol: own[symbol]))
        if ChoosePermit in offered or ChoosePlot in offered:
            return self._compose(state, offered, luck)
        if PlacePawn in offered:
            return self._place(state, seat, _values(offered[PlacePawn]), luck)
        if TakeMaterial in offered and not state.front[seat]:
            return TakeMaterial()
        if TakePermit in offered and len(state.permits[seat]) < 4:
            permits = _values(offered[TakePermit])
            return TakePermit(max(permits, key=lambda permit: (_kinship(state, seat, permit), luck.random())))
        if state.money[seat] > 10 or not luck.randrange(3):
            return prompt.sample(luck)
        return next((kind() for kind in (TakeIncome, TakeMoney, TakeDollar) if kind in offered), prompt.fallback)

    def _place(self, state: State, seat: Seat, free: list[int], luck: random.Random) -> Command:
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
        return PlacePawn(next((spaces[wish] for wish in wishes if wish in spaces), luck.choice(free)))

    def _compose(self, state: State, offered: dict[type[Command], Choice], luck: random.Random) -> Command:
        stage = state.stage
        assert isinstance(stage, Composing)
        if stage.permits and ChoosePermit in offered:
            seconds = _values(offered[ChoosePermit])
            fitting = [one for one in seconds if SHARED_SYMBOLS[stage.permits[0]][one]]
            if fitting:
                return ChoosePermit(luck.choice(fitting))
        choice = offered.get(ChoosePlot) or offered[ChoosePermit]
        return choice.command(luck.choice(_values(choice)))


def _values(choice: Choice) -> list[Any]:
    (space,) = choice.spaces.values()
    assert isinstance(space, OneOf)
    return list(space.values)


def _kinship(state: State, seat: Seat, permit: int) -> int:
    """Give how many of a seat's permits have the colour or the number of another one."""
    return sum(bool(state.city.either[permit] & state.city.either[held]) for held in state.permits[seat])


class Lone:
    """The first seat is eager and the others are not there, so that nobody is in its way."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        return (Eager() if seat == 0 else Absent()).answer(play, seat, prompt, luck)


class Moody:
    """Eager or not, as chance has it; now and then it does not want the card that it could have."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        if luck.randrange(4) == 0:
            return prompt.sample(luck)
        command = Eager().answer(play, seat, prompt, luck)
        return DeclineCard() if isinstance(command, TakeCard) and luck.randrange(5) == 0 else command


played = partial(played_by, GAME)
