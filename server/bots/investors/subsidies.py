"""Subsidies: which one to claim, which sticks to give up for it, and when to stop drawing (RULES 9)."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Final

from server.bots.investors.evaluation import Evaluation
from server.bots.investors.resources import MEAN_CHEQUE, STEP, influence_worth, money_worth, unseen_cheques
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import Prompt
from server.games.investors.city import FREE
from server.games.investors.commands import ClaimSubsidy, DrawCheque, StopDrawing
from server.games.investors.components import (
    MAX_REMOVAL_CHEQUES,
    MAX_SUBSIDY_CHEQUES,
    REMOVAL_INFLUENCE,
    SUBSIDY_INFLUENCE,
)
from server.games.investors.state import Drawing, State

MODES: Final = ("influence", "cheques")

_MEAN_DRAWN_SHARE: Final = 0.62
"""The mean part of the limit that a seat keeps from drawing."""


def claim(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Claim the more valuable mode; for a removal subsidy, give up the sticks that cost less than they bring."""
    if "sticks" not in prompt.choices[0].spaces:
        mode, _ = _better_mode(evaluation, seat, SUBSIDY_INFLUENCE, MAX_SUBSIDY_CHEQUES)
        return claim_choice(mode)
    order = by_removal_loss(evaluation, seat)
    loss, best_gain, best = 0.0, 0.0, removal_choice("influence", ())
    for count, street in enumerate(order, 1):
        loss += max(_removal_loss(evaluation, seat, street), 0.0)
        mode, gain = _better_mode(evaluation, seat, count * REMOVAL_INFLUENCE, count * MAX_REMOVAL_CHEQUES)
        if gain - loss > best_gain:
            best_gain, best = gain - loss, removal_choice(mode, tuple(order[:count]))
    return best


def claim_choice(mode: str) -> BotChoice:
    """Return the claim of a subsidy."""
    return BotChoice(ClaimSubsidy(mode), Reason(f"inv.hint.claim_{mode}"))


def removal_choice(mode: str, sticks: tuple[int, ...]) -> BotChoice:
    """Return the claim of a removal subsidy."""
    reason = Reason(f"inv.hint.remove_{mode}", {"count": len(sticks)}) if sticks else Reason("inv.hint.remove_none")
    return BotChoice(ClaimSubsidy(mode, sticks), reason)


def by_removal_loss(evaluation: Evaluation, seat: Seat) -> list[int]:
    """Return the streets of a seat's sticks, the smallest loss from removal first."""
    return sorted(evaluation.state.sticks_of(seat), key=lambda street: _removal_loss(evaluation, seat, street))


def _removal_loss(evaluation: Evaluation, seat: Seat, street: int) -> float:
    return -evaluation.gain_after(((street, FREE),), seat)


def _better_mode(evaluation: Evaluation, seat: Seat, influence: int, max_cheques: int) -> tuple[str, float]:
    state, years, resources = evaluation.state, evaluation.years - 1, evaluation.weights.resources
    cap = state.settings.influence_cap
    held, money = state.influence[seat], sum(state.hands[seat])
    gained = influence if cap is None else max(0, min(influence, cap - held))
    by_influence = influence_worth(held + gained, years, resources) - influence_worth(held, years, resources)
    expected = _expected_draw(state, max_cheques)
    by_cheques = money_worth(money + expected, years, resources) - money_worth(money, years, resources)
    return ("cheques", by_cheques) if by_cheques > by_influence else ("influence", by_influence)


def _expected_draw(state: State, max_cheques: int) -> int:
    """Return the expected sum of drawing up to a limit, from a bank of which only the size is known."""
    drawing_seats = sum(1 for limit in state.subsidies if limit)
    per_seat = MEAN_CHEQUE * len(state.bank) / (drawing_seats + 1)
    return int(min(_MEAN_DRAWN_SHARE * max_cheques, per_seat)) // STEP * STEP


def draw(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Draw while the expected gain exceeds the expected loss."""
    held, fitting, unseen = _draw_odds(evaluation, seat)
    loss = held * (1 + evaluation.weights.risk_aversion)
    expected = sum(fitting) - loss * (len(unseen) - len(fitting))
    return draw_choice(evaluation, seat) if expected > 0 else stop_choice(evaluation, seat)


def draw_choice(evaluation: Evaluation, seat: Seat) -> BotChoice:
    """Return the choice to draw one more cheque."""
    return BotChoice(DrawCheque(), Reason("inv.hint.draw", {"risk": _risk(evaluation, seat)}))


def stop_choice(evaluation: Evaluation, seat: Seat) -> BotChoice:
    """Return the choice to stop drawing."""
    return BotChoice(StopDrawing(), Reason("inv.hint.stop", {"risk": _risk(evaluation, seat)}))


def _risk(evaluation: Evaluation, seat: Seat) -> int:
    """Return the probability in percent that the next cheque exceeds the limit."""
    _, fitting, unseen = _draw_odds(evaluation, seat)
    return round(100 * (1 - len(fitting) / max(1, len(unseen))))


def _draw_odds(evaluation: Evaluation, seat: Seat) -> tuple[int, list[int], list[int]]:
    """Return the sum drawn by the seat, the unseen cheques that stay within its limit, and all unseen cheques."""
    stage = evaluation.state.stage
    assert isinstance(stage, Drawing)
    held = sum(stage.drawn[seat])
    seen = chain(evaluation.state.hands[seat], *stage.drawn)
    unseen = unseen_cheques(evaluation.seats, seen)
    room = evaluation.state.subsidies[seat] - held
    return held, [cheque for cheque in unseen if cheque <= room], unseen
