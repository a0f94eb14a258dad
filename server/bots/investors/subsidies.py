"""Subsidies: what to claim, which sticks to give up for it, and when to stop drawing (RULES 9)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import influence_worth, money_worth
from server.bots.strategy import Chosen, Reason
from server.games.game import Seat
from server.games.investors.city import FREE
from server.games.investors.commands import ClaimSubsidy, DrawCheque, StopDrawing
from server.games.investors.components import (
    CHEQUES,
    REMOVAL_CHEQUES_MOST,
    REMOVAL_INFLUENCE,
    SUBSIDY_CHEQUES_MOST,
    SUBSIDY_INFLUENCE,
)
from server.games.investors.state import Drawing, State
from server.games.prompt import Prompt


def claim(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
    """Take what is worth more; for sticks that do nothing any more, take all there is."""
    if "sticks" not in prompt.choices[0].spaces:
        mode, _ = _better(prospects, seat, SUBSIDY_INFLUENCE, SUBSIDY_CHEQUES_MOST)
        return Chosen(ClaimSubsidy(mode), Reason(f"inv.hint.claim_{mode}"))
    removed: list[int] = []
    lost = 0.0
    best = ("influence", 0.0, 0)
    costs = sorted(
        (-prospects.standing_after(((street, FREE),), seat), street) for street in prospects.state.sticks_of(seat)
    )
    for cost, street in costs:
        removed.append(street)
        lost += max(cost, 0.0)
        count = len(removed)
        mode, gain = _better(prospects, seat, count * REMOVAL_INFLUENCE, count * REMOVAL_CHEQUES_MOST)
        if gain - lost > best[1]:
            best = (mode, gain - lost, count)
    mode, _, count = best
    key = f"inv.hint.remove_{mode}" if count else "inv.hint.remove_none"
    return Chosen(ClaimSubsidy(mode, tuple(removed[:count])), Reason(key, {"count": count}))


def _better(prospects: Prospects, seat: Seat, influence: int, cheques_most: int) -> tuple[str, float]:
    state, years, thrift = prospects.state, prospects.years - 1, prospects.manner.thrift
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
    per_seat = 48 * len(state.bank) / (claimed + 1)
    return int(min(0.62 * cheques_most, per_seat)) // 10 * 10


def draw(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
    """Draw while that can be expected to bring more than it risks."""
    stage = prospects.state.stage
    assert isinstance(stage, Drawing)
    held = sum(stage.drawn[seat])
    room = prospects.state.subsidies[seat] - held
    unseen = _unseen(prospects.state, seat)
    fitting = [cheque for cheque in unseen if cheque <= room]
    expected = sum(fitting) / len(unseen) - held * (1 - len(fitting) / len(unseen)) if unseen else 0.0
    risk = round(100 * (1 - len(fitting) / len(unseen))) if unseen else 0
    if expected > 0:
        return Chosen(DrawCheque(), Reason("inv.hint.draw", {"risk": risk}))
    return Chosen(StopDrawing(), Reason("inv.hint.stop", {"risk": risk}))


def _unseen(state: State, seat: Seat) -> Sequence[int]:
    """Give all cheques that are neither in the own hand nor drawn: the bank is made of some of them."""
    pool = list(CHEQUES) * state.settings.seats
    assert isinstance(state.stage, Drawing)
    for cheque in (*state.hands[seat], *(cheque for drawn in state.stage.drawn for cheque in drawn)):
        pool.remove(cheque)
    return pool
