"""Judges answers in Planners: shuffled decks, the turn finished and the game played on as `normal` plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final

from server.bots.planners import building, turns
from server.bots.planners.city_updates import with_card
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import determinized_state, known_state
from server.bots.planners.market import Market
from server.bots.planners.normal import BEAM_WIDTH
from server.bots.planners.rollout import rollout, win_probability
from server.bots.strategy import Judgement, Question
from server.games.engine.prompts import Command, OneOf, Prompt
from server.games.planners.commands import Confirm, Place
from server.games.planners.rules import PLANNERS
from server.games.planners.state import Choosing, Laying, Placing, State, Turning

_ROUNDS: Final = 1
"""Turns of each seat that are played on."""

_TO_END: Final = 1_000
"""More turns than any seat has in a game."""

_MAX_ALTERNATIVES: Final = 6
_MAX_BONUSES: Final = 12

_WEIGHTS: Final = Weights()
"""The weights by which all seats play on: those of `normal`."""

_EVALUATION_WEIGHTS: Final = Weights(contract=5.0)
"""The weights by which the last position is rated, as `hard` rates it."""


class PlannersJudge:
    """The judge of Planners. Answers are compared by the best turn that goes on from each of them."""

    def __init__(self, rounds: int = _ROUNDS) -> None:
        self._rounds = rounds

    def alternatives(self, question: Question, played: Command, rng: Random) -> tuple[Command, ...]:
        state = known_state(question)
        evaluation, prompt = Evaluation(state, _WEIGHTS), question.prompt
        if isinstance(state.stage, (Turning, Laying)):
            market = Market(evaluation, BEAM_WIDTH)
            rated = (turns.lay if isinstance(state.stage, Laying) else turns.turn)(market)
            found, limit = [one.choice.command for one in rated], _MAX_ALTERNATIVES
        elif isinstance(state.stage, Choosing):
            found, limit = [building.bonus(evaluation, prompt).command, *_all(prompt)], _MAX_BONUSES
        else:
            first = building.place(evaluation, BEAM_WIDTH).command
            found, limit = [first, *_placements(evaluation, prompt)], _MAX_ALTERNATIVES
        admitted = [command for command in found if prompt.admit(command) is None]
        return tuple(dict.fromkeys((played, *admitted)))[: 1 + limit]

    def judge(
        self, question: Question, answers: Sequence[Command], rng: Random, trials: int, *, to_end: bool = False
    ) -> Judgement:
        state = known_state(question)
        market = Market(Evaluation(state, _WEIGHTS), BEAM_WIDTH)
        rounds = _TO_END if to_end else self._rounds
        found = []
        for _ in range(trials):
            deal = determinized_state(state, rng)
            found.append([_chances(market, deal, answer, rounds) for answer in answers])
        return Judgement(tuple(answers), tuple(zip(*found, strict=True)))

    def chances(self, question: Question, rng: Random, trials: int) -> tuple[tuple[float, ...], ...]:
        state = known_state(question)
        market = Market(Evaluation(state, _WEIGHTS), BEAM_WIDTH)
        decision = PLANNERS.decision(state)
        assert decision is not None, "a game that is over has its result"
        command = _usual(market, decision.prompts[state.turn])
        return tuple(_chances(market, determinized_state(state, rng), command, _TO_END) for _ in range(trials))


def _chances(market: Market, deal: State, command: Command, rounds: int) -> tuple[float, ...]:
    """Return the chances of all seats after an answer and some more turns of each seat."""
    seats = deal.settings.seats
    later = rollout(market, deal, command, rounds * seats - 1)
    return tuple(win_probability(market, later, seat, _EVALUATION_WEIGHTS) for seat in range(seats))


def _usual(market: Market, prompt: Prompt) -> Command:
    """Return the answer of `normal` for the seat to move."""
    stage = market.state.stage
    if isinstance(stage, (Turning, Laying)):
        rated = (turns.lay if isinstance(stage, Laying) else turns.turn)(market)
        return rated[0].choice.command
    if isinstance(stage, Choosing):
        return building.bonus(market.evaluation, prompt).command
    command = building.place(market.evaluation, BEAM_WIDTH).command
    return command if prompt.admit(command) is None else Confirm()


def _placements(evaluation: Evaluation, prompt: Prompt) -> Iterator[Command]:
    """Yield the places for the cards in hand, the best first by the value of the city after each."""
    state = evaluation.state
    if not isinstance(state.stage, Placing):
        return
    seat, city = state.turn, state.cities[state.turn]
    pairs = [(card, row) for card in state.hand for row in city.rows_for(card)]
    pairs.sort(key=lambda pair: -evaluation.worth(seat, with_card(city, *pair)))
    yield from islice((command for command in map(Place, pairs) if prompt.admit(command) is None), _MAX_ALTERNATIVES)


def _all(prompt: Prompt) -> Iterator[Command]:
    """Yield the answers to a prompt whose choices have one value at most."""
    for command, spaces, _ in prompt.choices:
        if not spaces:
            yield command()
        for name, space in spaces.items():
            if len(spaces) == 1 and isinstance(space, OneOf):
                yield from (command(**{name: value}) for value in space.values)
