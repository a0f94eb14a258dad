"""Easy: builds when it can, pays no fees, and misjudges spaces at random.

It ignores the turn order and the wishes of others; a player who minds them can beat it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.builders.evaluation import WEIGHTS, Evaluation
from server.bots.builders.knowledge import known_state
from server.bots.builders.plans import Plan, plans
from server.bots.builders.reasons import with_reason
from server.bots.builders.styles import styled
from server.bots.strategy import BotChoice, Question
from server.games.builders.actions import ACTION_OF
from server.games.builders.commands import Build, BuildSubsidised, PlacePawn
from server.games.builders.components import YEAR_BOARD
from server.games.builders.state import State

_BUILDS: Final = {Build, BuildSubsidised}
_WEIGHTS: Final = WEIGHTS._replace(turn_order=0.0, denial=0.0)
_NOISE: Final = 2.0
"""The standard deviation, in points, of its misjudgement of a space."""


class Easy:
    """A strategy that answers quickly and plausibly."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        weights = styled(_WEIGHTS, question.style)
        evaluation = Evaluation(known_state(question), question.seat, weights)
        candidates = [plan for plan in plans(evaluation) if not _pays_fee(evaluation.state, plan)]
        return with_reason(evaluation, _noisy_best(candidates, rng))


def _pays_fee(state: State, plan: Plan) -> bool:
    """Return whether a plan uses another space than the one where the pawn stands."""
    if state.area == YEAR_BOARD or state.in_last_year:
        return False
    first, *rest = plan.commands
    pawn = state.pawns[state.turn]
    space, acts = (first.space, rest[0]) if isinstance(first, PlacePawn) else (pawn[1] if pawn else 0, first)
    action = ACTION_OF.get(type(acts))
    return action is not None and action != state.spaces[space].action


def _noisy_best(candidates: list[Plan], rng: Random) -> Plan:
    building = next((plan for plan in candidates if _BUILDS & set(map(type, plan.commands))), None)
    if building is not None or not isinstance(candidates[0].commands[0], PlacePawn):
        return building or candidates[0]
    return max(candidates, key=lambda plan: plan.worth + rng.gauss(0, _NOISE))
