"""No game shows a viewer what depends on a secret, and the search finds planted leaks."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from server.games.engine.dice import Dice
from server.games.engine.events import EVERYBODY, Event
from server.games.engine.game import Game
from server.games.registry import GAMES
from tests.games.leaks import (
    LEAKY_AUCTIONS,
    LEAKY_WINDOWS,
    SECRET_EVENTS_OF_AUCTION,
    Leaks,
    leaky_builders,
    leaky_investors,
    leaky_planners,
)
from tests.games.secrecy import WINDOW, Leak, Secrets, SplicedDice, Window, dealt, first_difference, rearranged, search
from tests.games.secrecy_builders import BuildersSecrets
from tests.games.secrecy_investors import InvestorsSecrets
from tests.games.secrecy_planners import PlannersSecrets
from tests.games.secrecy_toys import AuctionSecrets, MosaicSecrets
from tests.games.toys import AUCTION, TOYS

PAIRS = int(os.environ.get("SECRECY_PAIRS", "750"))
"""The number of pairs of plays compared for each game; raise it for a long run."""

TO_FIND_A_LEAK = max(PAIRS, 1_500)
"""The number of pairs in which a planted leak must be found."""

SECRETS: dict[str, Secrets] = {
    "investors": InvestorsSecrets(),
    "planners": PlannersSecrets(),
    "builders": BuildersSecrets(),
    "auction": AuctionSecrets(),
    "mosaic": MosaicSecrets(),
}
"""The secrets of each game; a new game needs a line here."""


def test_every_game_says_what_is_secret_in_it() -> None:
    assert SECRETS.keys() == GAMES.keys() | TOYS.keys()


@pytest.mark.parametrize("game", [*GAMES.values(), *TOYS.values()], ids=lambda game: game.name)
def test_no_viewer_can_tell_apart_what_differs_only_in_secrets(game: Game[Any]) -> None:
    tally = search(game, SECRETS[game.name], game.name, PAIRS)
    assert tally.pairs == PAIRS
    assert tally.steps > 2 * PAIRS, "the pairs part too soon for anything to be seen"


# -- planted leaks --------------------------------------------------------------------------------------------


def assert_found(game: Game[Any], window: Window = WINDOW) -> None:
    with pytest.raises(Leak):
        search(game, SECRETS[game.name], "planted", TO_FIND_A_LEAK, window)


@pytest.mark.parametrize("leak", LEAKY_WINDOWS)
def test_a_leak_that_is_planted_in_what_all_games_share_is_found(leak: str) -> None:
    assert_found(AUCTION, LEAKY_WINDOWS[leak])


@pytest.mark.parametrize("leak", LEAKY_AUCTIONS)
def test_a_leak_that_is_planted_in_a_toy_is_found(leak: str) -> None:
    assert_found(LEAKY_AUCTIONS[leak])


def assert_found_when_visible(event: type[Event], game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an event visible to everybody as it is in the log, and find the leak."""
    monkeypatch.setattr(event, "visible_to", EVERYBODY)
    assert_found(game)


@pytest.mark.parametrize("event", SECRET_EVENTS_OF_AUCTION, ids=lambda event: event.name)
def test_an_event_of_a_toy_that_is_visible_to_everybody_by_mistake_is_found(
    event: type[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_found_when_visible(event, AUCTION, monkeypatch)


LEAKS: dict[str, Leaks] = {
    "investors": leaky_investors(GAMES["investors"]),
    "builders": leaky_builders(GAMES["builders"]),
    "planners": leaky_planners(GAMES["planners"]),
}


@pytest.mark.parametrize("name, leak", [(name, leak) for name, leaks in LEAKS.items() for leak in leaks])
def test_a_leak_that_is_planted_in_a_game_is_found(name: str, leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = LEAKS[name][leak]
    if isinstance(planted, Game):
        assert_found(planted)
    else:
        assert_found_when_visible(planted, GAMES[name], monkeypatch)


# -- the tools of the search ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "left, right, difference",
    [
        ({"a": [1, 2]}, {"a": [1, 3]}, ".a[1] is 2, or 3"),
        ({"a": [1]}, {"a": [1, 3]}, ".a is [1], or [1, 3]"),
        ({"a": True}, {"a": 1}, ".a is True, or 1"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, " is {'a': 1, 'b': 2}, or {'b': 2, 'a': 1}"),
        (None, {"a": 1}, " is None, or {'a': 1}"),
    ],
)
def test_a_leak_is_reported_with_its_place(left: object, right: object, difference: str) -> None:
    assert first_difference(left, right) == difference


def test_spliced_dice_follow_either_seed_and_both_are_used() -> None:
    one, other = Dice(bytes(32)), Dice(bytes(range(32)))
    spliced = SplicedDice(bytes(range(32)), one, "salt")
    draws = [(spliced.below(str(label), 10**6), str(label)) for label in range(20)]
    from_one = [drawn == one.below(label, 10**6) for drawn, label in draws]
    from_other = [drawn == other.below(label, 10**6) for drawn, label in draws]
    assert [not is_from_one for is_from_one in from_one] == from_other
    assert 0 < sum(from_one) < 20


def test_a_rearranged_pile_has_the_same_cards() -> None:
    orders = {tuple(rearranged((3, 1, 2), random.Random(seed))) for seed in range(100)}
    assert {tuple(sorted(order)) for order in orders} == {(1, 2, 3)}
    assert len(orders) == 6


def test_piles_are_dealt_in_their_sizes() -> None:
    assert dealt("abcde", (2, 0, 3)) == [("a", "b"), (), ("c", "d", "e")]
