"""The golden logs of Investors. `python -m tests.games.investors.golden` makes those that are missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from server.games.investors.events import OfferPaid, TileExchanged
from server.games.play import Undone
from tests.games.golden import Golden, Recipe
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.investors.players import Absent, Game, Patient, Player, Thrifty, Uniform, played

Wanted = Callable[[Game], bool]


def ends_by(reason: str) -> Wanted:
    def wanted(game: Game) -> bool:
        outcome = GAME.outcome(game.play.state)
        return outcome is not None and outcome.reason == reason

    return wanted


def is_shared(game: Game) -> bool:
    outcome = GAME.outcome(game.play.state)
    return outcome is not None and len(outcome.winners) == 2 and max(outcome.scores) > 0


def is_decided_by_sticks(game: Game) -> bool:
    outcome = GAME.outcome(game.play.state)
    return outcome is not None and len(outcome.winners) == 1 and outcome.scores.count(max(outcome.scores)) > 1


def has_a_full_deal(game: Game) -> bool:
    """A deal with a blind draw and a street to keep off."""
    return any(
        isinstance(event, OfferPaid) and any(event.drawn) and event.avoid for step in game.steps for event in step
    )


def happens(kind: type) -> Wanted:
    return lambda game: any(isinstance(event, kind) for step in game.steps for event in step)


def recipe(name: str, player: Player, seats: int, wanted: Wanted, *, undo: bool = False, **options: object) -> Recipe:
    def of_seed(seed: int) -> Game:
        return played(player, seats=seats, seed=seed, undo=undo, **options)

    return Recipe(name, of_seed, wanted)


RECIPES: Final = (
    recipe("years-3-seats", Thrifty(), 3, ends_by("years")),
    recipe("years-4-seats-alternative-deck", Thrifty(), 4, ends_by("years"), tender_deck="alternative"),
    recipe("stalled-4-seats-nobody-there", Absent(), 4, ends_by("stalled")),
    recipe("stalled-3-seats", Uniform(), 3, ends_by("stalled")),
    recipe("full-5-seats", Patient(), 5, ends_by("full")),
    recipe("shared-win", Uniform(), 3, is_shared),
    recipe("sticks-decide", Uniform(), 3, is_decided_by_sticks),
    recipe("bargaining-deal", Thrifty(), 4, has_a_full_deal, bargaining_offers=1),
    recipe("chosen-action-deck", Thrifty(), 3, ends_by("years"), action_cards=TWELVE_CARDS),
    recipe("laid-by-players", Patient(), 5, happens(TileExchanged), layout="players"),
    recipe("stick-taken-back", Thrifty(), 3, happens(Undone), undo=True),
)


def whole(state: Any) -> list[Any]:
    """Give all that anybody may know of a state and all that nobody may know."""
    known = [GAME.view(state, viewer) for viewer in (None, *range(len(state.hands)))]
    return [known, [list(pile) for pile in (state.bank, state.tender_deck, state.action_deck, state.bag)]]


GOLDEN: Final = Golden(GAME, whole, RECIPES)

if __name__ == "__main__":
    GOLDEN.make_missing()
