"""Subsidies: what to claim, which sticks to give up for it, and when to stop drawing (RULES 9)."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Final

from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import STEP, USUAL_CHEQUE, influence_worth, money_worth, unseen_cheques
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

_USUAL_PART: Final = 0.62
"""The part of a limit that is drawn on average before one stops or loses all."""


def claim(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Take what is worth more; for sticks that do nothing any more, take all there is."""
    if "sticks" not in prompt.choices[0].spaces:
        mode, _ = _better(prospects, seat, SUBSIDY_INFLUENCE, MAX_SUBSIDY_CHEQUES)
        return claimed(mode)
    order = least_missed_first(prospects, seat)
    lost, most, best = 0.0, 0.0, removed("influence", ())
    for count, street in enumerate(order, 1):
        lost += max(_missed(prospects, seat, street), 0.0)
        mode, gain = _better(prospects, seat, count * REMOVAL_INFLUENCE, count * MAX_REMOVAL_CHEQUES)
        if gain - lost > most:
            most, best = gain - lost, removed(mode, tuple(order[:count]))
    return best


def claimed(mode: str) -> BotChoice:
    """Give the claim of a subsidy."""
    return BotChoice(ClaimSubsidy(mode), Reason(f"inv.hint.claim_{mode}"))


def removed(mode: str, sticks: tuple[int, ...]) -> BotChoice:
    """Give the claim of a removal subsidy."""
    reason = Reason(f"inv.hint.remove_{mode}", {"count": len(sticks)}) if sticks else Reason("inv.hint.remove_none")
    return BotChoice(ClaimSubsidy(mode, sticks), reason)


def least_missed_first(prospects: Prospects, seat: Seat) -> list[int]:
    """Give the streets of a seat's sticks, those first that would be missed least."""
    return sorted(prospects.state.sticks_of(seat), key=lambda street: _missed(prospects, seat, street))


def _missed(prospects: Prospects, seat: Seat, street: int) -> float:
    return -prospects.standing_after(((street, FREE),), seat)


def _better(prospects: Prospects, seat: Seat, influence: int, cheques_most: int) -> tuple[str, float]:
    state, years, thrift = prospects.state, prospects.years - 1, prospects.weights.thrift
    cap = state.settings.influence_cap
    held, money = state.influence[seat], sum(state.hands[seat])
    gained = influence if cap is None else max(0, min(influence, cap - held))
    by_influence = influence_worth(held + gained, years, thrift) - influence_worth(held, years, thrift)
    likely = _likely_draw(state, cheques_most)
    by_cheques = money_worth(money + likely, years, thrift) - money_worth(money, years, thrift)
    return ("cheques", by_cheques) if by_cheques > by_influence else ("influence", by_influence)


def _likely_draw(state: State, cheques_most: int) -> int:
    """Give what can be expected of drawing up to a limit, from a bank of which only the size is known."""
    claimed = sum(1 for most in state.subsidies if most)
    per_seat = USUAL_CHEQUE * len(state.bank) / (claimed + 1)
    return int(min(_USUAL_PART * cheques_most, per_seat)) // STEP * STEP


def draw(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Draw while that can be expected to bring more than it risks."""
    held, fitting, unseen = _draw_odds(prospects, seat)
    expected = sum(fitting) - held * (len(unseen) - len(fitting))
    return drawn(prospects, seat) if expected > 0 else stopped(prospects, seat)


def drawn(prospects: Prospects, seat: Seat) -> BotChoice:
    """Give the drawing of one more cheque."""
    return BotChoice(DrawCheque(), Reason("inv.hint.draw", {"risk": _risk(prospects, seat)}))


def stopped(prospects: Prospects, seat: Seat) -> BotChoice:
    """Give the end of drawing."""
    return BotChoice(StopDrawing(), Reason("inv.hint.stop", {"risk": _risk(prospects, seat)}))


def _risk(prospects: Prospects, seat: Seat) -> int:
    """Give in how many of a hundred cases the next cheque is too much."""
    _, fitting, unseen = _draw_odds(prospects, seat)
    return round(100 * (1 - len(fitting) / max(1, len(unseen))))


def _draw_odds(prospects: Prospects, seat: Seat) -> tuple[int, list[int], list[int]]:
    """Give what the seat has drawn, and of all cheques that may come those that fit, and all."""
    stage = prospects.state.stage
    assert isinstance(stage, Drawing)
    held = sum(stage.drawn[seat])
    seen = chain(prospects.state.hands[seat], *stage.drawn)
    unseen = unseen_cheques(prospects.seats, seen)
    room = prospects.state.subsidies[seat] - held
    return held, [cheque for cheque in unseen if cheque <= room], unseen
