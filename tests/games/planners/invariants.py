"""Invariants that hold after every step of any game, checked independently of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from server.games.engine.events import Event
from server.games.engine.game import view_of
from server.games.engine.play import Play, Step
from server.games.planners.components import (
    BONUS_CARDS,
    BONUS_SUPPLY,
    CARDS,
    COLUMNS,
    DECK,
    DISTRICT_BONUSES,
    FOUNDATION_TOKENS,
)
from server.games.planners.events import (
    BonusDeclined,
    BonusDue,
    BonusLapsed,
    BonusTaken,
    ColumnTaken,
    ContractsReleased,
    ContractsReturned,
    GameEnded,
    MedalTaken,
    ProjectLaid,
    RowCompleted,
)
from server.games.planners.state import Laying, State
from tests.games.planners import GAME
from tests.games.planners.reference import Plan, half_points, places

_PROJECTS = frozenset(DECK)


class InvariantChecker:
    """A checker that follows one game without undo and fails for anything that does not add up."""

    def __init__(self) -> None:
        self._bonuses: Counter[str] = Counter()
        self._used: set[tuple[int, int]] = set()
        self._contracts: list[int] = []
        self._tokens = 0
        self._completed: dict[int, int] = {}
        self._medal: int | None = None
        self._ended_by: int | None = None
        self._sold_out_leaves_nothing = False
        self._cities: tuple[Any, ...] = ()

    def follow(self, play: Play, step: Step) -> None:
        """Apply a step to the counts and check the position after it."""
        state: State = play.state
        if not self._contracts:
            self._contracts = [0] * len(state.cities)
            self._tokens = FOUNDATION_TOKENS[len(state.cities)]
            self._sold_out_leaves_nothing = state.settings.sold_out_leaves_nothing
        for event in step:
            self._enter(event)
        self._check_box(state)
        if self._cities == state.cities and play.decision is not None:
            return  # Checking the cities is expensive, and most steps only change the columns.
        view = view_of(GAME, state, None)
        for seat, city in enumerate(state.cities):
            if city not in self._cities[seat : seat + 1]:
                self._check_city(view["seats"][seat])
        self._cities = state.cities
        self._check_awards(view)
        if play.decision is None:
            self._check_end(state, view)

    def _enter(self, event: Event) -> None:
        match event:
            case ProjectLaid(_, card, _, token):
                assert token is CARDS[card].foundation
                assert self._ended_by is None
                self._tokens -= token
            case ColumnTaken(seat, _, cards):
                assert self._contracts[seat] < len(cards), "a column was taken that is too short"
                self._contracts[seat] += 1
            case ContractsReturned():
                self._contracts = [contracts - 1 for contracts in self._contracts]
            case ContractsReleased(seat, count):
                self._contracts[seat] -= count
                self._bonuses["release"] -= 1
            case BonusDue(seat, row):
                assert (seat, row) not in self._used, "a district gave a second bonus"
            case BonusTaken(seat, row, bonus):
                is_sold_out = self._bonuses[DISTRICT_BONUSES[row]] == BONUS_SUPPLY
                assert not (is_sold_out and (self._sold_out_leaves_nothing or bonus != "tracks"))
                self._used.add((seat, row))
                self._bonuses[bonus] += 1
            case BonusLapsed(seat, row) | BonusDeclined(seat, row):
                self._used.add((seat, row))
            case RowCompleted(seat, row):
                assert row not in self._completed, "a district was completed twice"
                self._completed[row] = seat
            case MedalTaken(seat):
                assert seat != self._medal
                self._medal = seat
            case GameEnded(_, seat):
                self._ended_by = seat

    def _check_box(self, state: State) -> None:
        drawn = [state.stage.card] if isinstance(state.stage, Laying) else []
        built = [card for city in state.cities for card in city.cards if card in _PROJECTS]
        everywhere = chain(state.deck, *state.columns, drawn, state.hand, built, state.discarded)
        assert sorted(everywhere) == list(DECK), "a card was lost or doubled"
        assert list(state.contracts) == self._contracts
        assert min(state.contracts) == 0, "everybody has a contract, or somebody owes one"
        assert state.tokens == self._tokens
        assert (state.tokens == 0) == (self._ended_by is not None and all(not city.is_full for city in state.cities))
        assert sum(city.towers.bit_count() for city in state.cities) < state.settings.tokens

    def _check_city(self, seat: Mapping[str, Any]) -> None:
        plan = Plan(seat)
        for (row, column), card in plan.cards.items():
            assert card.row in (None, row), "a card lies in a district that is not its own"
            assert column == 0 or (row, column - 1) in plan.cards, "a card does not lie in the leftmost space"
        assert places(seat["cars"]) == plan.connected
        assert places(seat["towers"]) == plan.towers()
        assert seat["totals"] == [plan.total(row) for row in range(5)]
        assert seat["values"] == [plan.value(divmod(space, COLUMNS)) for space in range(25)]
        compasses = Counter(row for (row, _), card in plan.cards.items() if card.compass)
        assert seat["compasses"] == [compasses[row] for row in range(5)]
        for space, around, needed in seat["sites"]:
            assert around < needed, "a skyscraper that can be built is not"
            assert plan.cards[divmod(space, COLUMNS)].foundation

    def _check_awards(self, view: Mapping[str, Any]) -> None:
        seats = view["seats"]
        cards = Counter(card for seat in seats for card in seat["cards"])
        lying = {bonus: cards[card] for bonus, card in BONUS_CARDS.items()}
        lying["value"] = sum(len(seat["extra_value"]) for seat in seats)
        lying["tracks"] = sum(len(seat["extra_tracks"]) for seat in seats)
        lying["points"] = sum(seat["point_tokens"] for seat in seats)
        lying["release"] = sum(seat["release"] for seat in seats)
        assert lying == {bonus: self._bonuses[bonus] for bonus in lying}
        assert all(0 <= left <= 3 for left in view["bonuses"].values())
        assert view["completed"] == [self._completed.get(row) for row in range(5)]
        for row in range(5):
            full = [seat for seat, seen in enumerate(seats) if 0 not in seen["cards"][row * 5 : row * 5 + 5]]
            assert (view["completed"][row] in full) == bool(full), "a completed district has no holder"
        towers = [len(seat["towers"]) for seat in seats]
        assert view["medal"] == self._medal
        assert (self._medal is None) == (max(towers) == 0)
        assert self._medal is None or towers[self._medal] == max(towers)

    def _check_end(self, state: State, view: Mapping[str, Any]) -> None:
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert self._ended_by is not None
        assert list(outcome.scores) == half_points(
            view, self._ended_by, rows_below_by_total=state.settings.rows_below_by_total
        )
        assert list(outcome.scores) == [seat["points"] for seat in view["seats"]]
        advantages = {2: 25, 3: 37, 4: 25}[len(state.cities)]
        assert sum(seat["parts"]["advantages"] for seat in view["seats"]) == advantages
        towers = sum(len(seat["towers"]) for seat in view["seats"])
        medal, tokens = int(self._medal is not None), self._bonuses["points"]
        assert sum(outcome.scores) == advantages + 2 * (len(self._completed) + towers + medal) + 3 * tokens
