"""A first opponent: it builds when it can, pays no fees, and takes a good space as gladly as the best.

It asks neither who goes first next nor what others want. Whoever does can beat it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.builders.evaluation import WEIGHTS, Evaluation
from server.bots.builders.knowledge import known_state
from server.bots.builders.plans import Plan, plans
from server.bots.builders.reasons import explained
from server.bots.strategy import BotChoice, Question
from server.games.builders.actions import ACTION_OF
from server.games.builders.commands import Build, BuildSubsidised, PlacePawn
from server.games.builders.components import YEAR_BOARD
from server.games.builders.state import State

_BUILDS: Final = {Build, BuildSubsidised}
_WEIGHTS: Final = WEIGHTS._replace(first_next=0.0, denial=0.0)
_CARELESSNESS: Final = 2.0
"""By how many points a space may seem better or worse than it is."""


class Easy:
    """Answers by a rough judgement of what it sees."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        evaluation = Evaluation(known_state(question), question.seat, _WEIGHTS)
        thought_of = [plan for plan in plans(evaluation) if not _pays_fee(evaluation.state, plan)]
        return explained(evaluation, _some_good_one(thought_of, rng))


def _pays_fee(state: State, plan: Plan) -> bool:
    """Tell whether a plan is to act elsewhere than where the pawn stands."""
    if state.area == YEAR_BOARD or state.in_last_year:
        return False
    first, *rest = plan.commands
    pawn = state.pawns[state.turn]
    space, acts = (first.space, rest[0]) if isinstance(first, PlacePawn) else (pawn[1] if pawn else 0, first)
    action = ACTION_OF.get(type(acts))
    return action is not None and action != state.spaces[space].action


def _some_good_one(thought_of: list[Plan], rng: Random) -> Plan:
    building = next((plan for plan in thought_of if _BUILDS & set(map(type, plan.commands))), None)
    if building is not None or not isinstance(thought_of[0].commands[0], PlacePawn):
        return building or thought_of[0]
    return max(thought_of, key=lambda plan: plan.worth + rng.gauss(0, _CARELESSNESS))
