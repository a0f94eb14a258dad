"""Dealing again what a seat cannot know: goals face down in front of others, and the order of piles (RULES 10.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from server.games.builders.events import CardsRedealt
from server.games.builders.state import State
from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.game import Seat


def redealt(state: State, seat: Seat, past: Sequence[Event], dice: Dice) -> CardsRedealt:
    """Return the event that deals the goals which the seat cannot see, and shuffles both piles.

    The cards are sorted before they are shuffled, so that nothing depends on where they really were.
    """
    others = [goals for other, goals in enumerate(state.hidden_goals) if other != seat]
    unseen = dice.shuffled("redeal/goals", sorted((*state.goal_pile, *chain(*others))))
    hidden = []
    for other, goals in enumerate(state.hidden_goals):
        count = 0 if other == seat else len(goals)
        hidden.append(goals if other == seat else unseen[:count])
        unseen = unseen[count:]
    return CardsRedealt(dice.shuffled("redeal/permits", sorted(state.permit_pile)), unseen, tuple(hidden))
