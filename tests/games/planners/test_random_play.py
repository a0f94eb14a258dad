"""Hundreds of random games, or thousands with ALL_GAMES: the invariants hold, and every event, command and card occurs.

Games are numbered; the number decides seats, options and seeds, so a failing test names the game to look at.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from server.games.planners.commands import Pass
from server.games.planners.components import BONUSES, COLUMNS, DECK, DISTRICTS, FOUNDATION_TOKENS
from server.games.planners.events import BonusTaken, CardPlaced, CardsRedealt, ContractsReleased, TowerBuilt, TurnPassed
from server.games.planners.scoring import standings
from tests.games.planners import GAME
from tests.games.planners.invariants import InvariantChecker
from tests.games.planners.players import Filler, Keen, played
from tests.games.players import Game, Player, Uniform, batches

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"allow_decline_bonus": True},
    {"resolve_bonus_on_final_card": False},
    {"first_seat": "1", "sold_out_bonus": "nothing", "rows_below_by_total": True},
)
GAMES_IN_A_BATCH = 48
BATCHES = [(player, batch) for player in (Uniform(), Keen(), Filler()) for batch in batches(14)]


def numbered(player: Player, number: int, **watching: Any) -> Game:
    """Play the game of a number; two seats, then three, then four, each with every set of options."""
    return played(player, seats=2 + number % 3, seed=number, **OPTIONS[number % len(OPTIONS)], **watching)


@pytest.mark.parametrize(
    "player, batch", BATCHES, ids=[f"{type(player).__name__}-{batch}" for player, batch in BATCHES]
)
def test_the_books_balance_after_every_step_of_a_random_game(player: Player, batch: int) -> None:
    for number in range(batch * GAMES_IN_A_BATCH, (batch + 1) * GAMES_IN_A_BATCH):
        numbered(player, number, watch=InvariantChecker().follow)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """Return a mix of games that is large enough for everything to occur."""
    mix: dict[Player, int] = {Uniform(): 240, Keen(): 200, Filler(): 60}
    return [numbered(player, number) for player, many in mix.items() for number in range(many)]


def events_of(games: list[Game]) -> list[Any]:
    return [event for game in games for step in game.steps for event in step]


def test_everything_that_can_happen_with_a_whole_deck_happens(games: list[Game]) -> None:
    # The deck never runs out before the end, so nobody ever has to pass; scenes show what would happen.
    assert {type(event) for event in events_of(games)} == set(GAME.events) - {TurnPassed, CardsRedealt}
    assert {type(command) for game in games for _, command in game.answers} == set(GAME.commands) - {Pass}
    assert {kind for game in games for kind, _ in game.answers} == {"turn", "lay", "place", "bonus", "confirm"}
    reasons = Counter(GAME.outcome(game.play.state).reason for game in games)
    assert set(reasons) == {"foundations", "full"}


def test_every_bonus_is_taken_for_every_district_that_gives_it(games: list[Game]) -> None:
    taken = {(event.row, event.bonus) for event in events_of(games) if isinstance(event, BonusTaken)}
    assert taken == {*enumerate(BONUSES[:5]), *((row, "tracks") for row in range(5))}


def test_every_card_is_placed_and_every_row_takes_every_bonus_card(games: list[Game]) -> None:
    events = events_of(games)
    assert {event.card for event in events if isinstance(event, CardPlaced)} == set(DECK)
    for bonus in ("universal", "depot"):
        spaces = [event.space for event in events if isinstance(event, BonusTaken) and event.bonus == bonus]
        assert {space // COLUMNS for space in spaces} == set(range(5))


def test_the_token_is_used_at_every_kind_of_decision_of_the_own_turn(games: list[Game]) -> None:
    used = {kind for game in games for kind, command in game.answers if command.name == "release"}
    assert used == {"turn", "lay", "place", "bonus", "confirm"}
    assert {event.count for event in events_of(games) if isinstance(event, ContractsReleased)} == {1, 2}


def test_skyscrapers_are_built_in_every_district_and_never_too_many(games: list[Game]) -> None:
    built = {event.space // COLUMNS for event in events_of(games) if isinstance(event, TowerBuilt)}
    assert built == set(range(5))
    for game in games:
        cities = game.play.state.cities
        assert sum(city.towers.bit_count() for city in cities) <= FOUNDATION_TOKENS[len(cities)] - 1


def test_every_tie_break_of_advantages_occurs(games: list[Game]) -> None:
    broken = set()
    for game in games:
        for category, ranking in enumerate(standings(game.play.state)):
            for tie in filter(None, (standing.tie for standing in ranking)):
                row = None if tie.at is None else tie.at // COLUMNS if tie.by == "space" else tie.at
                rows_below = None if row is None else (row - category) % len(DISTRICTS)
                broken.add((tie.by, rows_below if tie.by in ("space", "row") else tie.at))
    spaces = {("space", rows_below) for rows_below in range(5)}
    # Seats of equal totals that differ in any column differ in one before the last.
    columns = {("column", column) for column in range(4)}
    # One of the first two rows below nearly always has another total.
    rows = {("row", rows_below) for rows_below in (1, 2)}
    assert broken == spaces | columns | rows | {("turn", None)}


def test_ties_for_the_win_are_broken_by_cable_cars_and_else_shared(games: list[Game]) -> None:
    outcomes = [GAME.outcome(game.play.state) for game in games]
    level = [outcome for outcome in outcomes if outcome.scores.count(max(outcome.scores)) > 1]
    assert {len(outcome.winners) for outcome in level} == {1, 2}
    assert all(outcome.tie_break == "cable_cars" for outcome in level)
