"""The golden logs of Investors. `python -m tests.games.investors.golden` makes those that are missing."""

from __future__ import annotations

from typing import Any, Final

from server.games.engine.game import view_of
from server.games.engine.play import Undone
from server.games.investors.events import OfferPaid, TileExchanged
from tests.games.golden import Golden, ends_by, happens, is_decided_by_tie_break, is_shared, recipe
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.investors.players import Patient, Thrifty
from tests.games.players import Absent, Game, Uniform


def has_a_full_deal(game: Game) -> bool:
    """Return whether there was a deal with a blind draw and a street to keep off."""
    return any(
        isinstance(event, OfferPaid) and any(event.drawn) and event.avoid for step in game.steps for event in step
    )


def has_a_deal_of_draws(game: Game) -> bool:
    """Return whether there was a deal without money, and the game was played to its last year."""
    deals = [event for step in game.steps for event in step if isinstance(event, OfferPaid)]
    return any(any(deal.drawn) and not any(deal.cheques) for deal in deals) and ends_by("years")(game)


RECIPES: Final = (
    recipe("years-3-seats", Thrifty(), 3, ends_by("years")),
    recipe("years-4-seats-alternative-deck", Thrifty(), 4, ends_by("years"), tender_deck="alternative"),
    recipe("stalled-4-seats-nobody-there", Absent(), 4, ends_by("stalled")),
    recipe("spent-3-seats", Uniform(), 3, ends_by("spent")),
    recipe("full-5-seats", Patient(), 5, ends_by("full")),
    recipe("shared-win", Uniform(), 3, is_shared),
    recipe("sticks-decide", Uniform(), 3, is_decided_by_tie_break),
    recipe("bargaining-deal", Thrifty(), 4, has_a_full_deal, bargaining_offers=1),
    recipe("draws-deal", Thrifty(), 4, has_a_deal_of_draws, bargaining_offers=2),
    recipe("chosen-action-deck", Thrifty(), 3, ends_by("years"), action_cards=TWELVE_CARDS),
    recipe("three-subsidies", Thrifty(), 3, ends_by("years"), subsidies=3),
    recipe("laid-by-players", Patient(), 5, happens(TileExchanged), layout="players"),
    recipe("stick-taken-back", Thrifty(), 3, happens(Undone), undo=True),
)


def whole(state: Any) -> list[Any]:
    """Return the whole state: the public view and all secrets."""
    known = [view_of(GAME, state, viewer) for viewer in (None, *range(len(state.hands)))]
    return [known, [list(pile) for pile in (state.bank, state.tender_deck, state.action_deck, state.bag)]]


GOLDEN: Final = Golden(GAME, whole, RECIPES)

if __name__ == "__main__":
    GOLDEN.make_missing()
