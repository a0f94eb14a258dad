"""Dealing again what a seat cannot know: the order of the deck (RULES 9)."""

from __future__ import annotations

from collections.abc import Sequence

from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.game import Seat
from server.games.planners.events import CardsRedealt
from server.games.planners.state import State


def redealt(state: State, seat: Seat, past: Sequence[Event], dice: Dice) -> CardsRedealt:
    """Return the event that shuffles the deck. Every seat knows which cards are in it."""
    return CardsRedealt(dice.shuffled("redeal/deck", sorted(state.deck)))
