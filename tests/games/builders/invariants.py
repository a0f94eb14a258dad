"""Invariants that hold after every step of any game, checked independently of the rules.

Money and buildings are counted from the events alone and compared with the state. Whether a building was allowed is
judged from colours, numbers and symbols, without the sets of plots that the rules use.
"""

from __future__ import annotations

from server.games.builders import events
from server.games.builders.components import (
    OTHER_GOALS,
    PARK_VALUES,
    PERMITS,
    PLOT_CARDS,
    SEATS,
    STACKS,
    START_GOALS,
    SYMBOLS,
)
from server.games.builders.state import Composing, Placing, State
from server.games.engine.events import Event
from server.games.engine.play import Play, Step

BUILD_COST = {1906: 0, 1907: 1, 1908: 1, 1909: 2, 1910: 2, 1911: 3, 1912: 3}
DEVELOPMENT_CARDS = {**STACKS, "park": len(PARK_VALUES)}
ALL_GOALS = sorted((*START_GOALS, *OTHER_GOALS))
ALL_PERMITS = list(range(len(PERMITS)))


class InvariantChecker:
    """The counts of one game. A build is checked against the state before its step, if each decision is a step."""

    def __init__(self, *, checks_builds: bool = True) -> None:
        self._checks_builds = checks_builds
        self.money = [0] * SEATS[-1]
        self.rubble_in_play = -1
        self._needless = False
        """A permit was used that the building did not need; it must bring a card."""

        self.before: State | None = None

    def follow(self, play: Play, step: Step) -> None:
        """Apply a step to the counts and compare them with the state."""
        state: State = play.state
        if self.rubble_in_play < 0:
            self.rubble_in_play = state.ruins.bit_count()
            assert self.rubble_in_play == 4 * state.seats
        for event in step:
            self._book(event)
        assert tuple(self.money[: state.seats]) == state.money
        assert all(0 <= money <= 15 for money in state.money)
        self._check_cards(state)
        self._check_buildings(state)
        self._check_places(state)
        self.before = state

    def _book(self, event: Event) -> None:
        match event:
            case events.MoneyGained(seat, amount):
                assert amount >= 0
                self.money[seat] += amount
            case events.MoneyPaid(seat, amount):
                assert amount > 0
                self.money[seat] -= amount
            case events.ActionChosen(seat, _, fee):
                self.money[seat] -= fee
            case events.Built(seat, plot, permits) if self._checks_builds:
                self._check_build(seat, plot, permits)
            case events.CardTaken():
                self._needless = False
            case events.TurnEnded():
                assert not self._needless, "a permit that was not needed brought no card"
            case events.CardDeclined():
                assert not self._needless, "a card was declined for which a permit was added"
        assert min(self.money) >= 0, f"{event} cannot be paid"

    def _check_build(self, seat: int, plot: int, permits: tuple[int, ...]) -> None:
        before = self.before
        assert before is not None
        stage = before.stage
        assert isinstance(stage, Composing)
        assert stage.permits == permits
        assert len(set(permits)) == len(permits) <= 2
        assert set(permits) <= set(before.permits[seat])
        assert not any(plots >> plot & 1 for plots in before.buildings), "the plot is taken"
        card, position = divmod(plot, 6)
        target = PLOT_CARDS[before.city.cards[card]].plots[position]
        strict = before.city.strict_wild
        ways = [opens(some, target, subsidised=stage.subsidised, strict=strict) for some in zip(permits)]
        assert opens(permits, target, subsidised=stage.subsidised, strict=strict), f"{permits} does not open {target}"
        self._needless = len(permits) == 2 and any(ways) and before.rules > 2
        price = BUILD_COST[before.year] + (3 if before.ruins >> plot & 1 else 0)
        corner = 1 if before.ruins >> plot & 1 and (before.columns[seat], before.rows[seat]) == (5, 4) else 0
        assert self.money[seat] == before.money[seat] - price + corner

    def _check_cards(self, state: State) -> None:
        permits = [*state.permits_shown, *state.permit_pile, *state.permit_discard]
        goals = [*state.common_goals, *state.goals_shown, *state.goal_pile]
        for seat in range(state.seats):
            assert len(state.permits[seat]) <= 5
            permits += state.permits[seat]
            goals += (*state.open_goals[seat], *state.hidden_goals[seat])
        assert sorted(permits) == ALL_PERMITS, "permits got lost or doubled"
        assert sorted(goals) == ALL_GOALS, "goals got lost or doubled"
        assert len(state.permits_shown) <= 3
        assert len(state.goals_shown) <= 3
        for at, symbol in enumerate(SYMBOLS):
            assert state.stacks[at] + sum(own[at] for own in state.cards) == DEVELOPMENT_CARDS[symbol]
        taken = sorted(value for own in state.parks for value in own)
        assert taken == sorted(state.park_values[: len(taken)])
        assert [len(own) for own in state.parks] == [own[-1] for own in state.cards]

    def _check_buildings(self, state: State) -> None:
        built = 0
        for seat, plots in enumerate(state.buildings):
            assert not built & plots, "two seats built on one plot"
            built |= plots
            assert plots.bit_count() + state.front[seat] + state.supply[seat] == 8
            assert min(state.front[seat], state.supply[seat]) >= 0
        assert not built & state.ruins, "a building stands on rubble"
        assert state.ruins.bit_count() + sum(state.rubble) == self.rubble_in_play
        assert (state.best_builder is not None) == any(plots.bit_count() == 8 for plots in state.buildings)

    def _check_places(self, state: State) -> None:
        pawns = [pawn for pawn in state.pawns if pawn is not None]
        assert len(set(pawns)) == len(pawns), "two pawns stand on one space"
        assert sorted(state.order) == list(range(state.seats))
        assert all(0 <= column <= state.edition.last_column for column in state.columns)
        assert all(0 <= row <= state.edition.last_row for row in state.rows)
        if isinstance(state.stage, Placing) and (state.acted == 0 or state.area == 0):
            assert len(state.permits_shown) == 3
            assert len(state.goals_shown) == 3 or not state.goal_pile


def opens(permits: tuple[int, ...], target: tuple[str, int], *, subsidised: bool, strict: bool) -> bool:
    """Return by the words of the rulebook whether one permit or two allow a building on a plot."""
    matches = []
    for permit in permits:
        card = PERMITS[permit]
        if card.colour is None:
            matches.append(1 if strict else 2)
        else:
            matches.append((card.colour == target[0]) + (card.number == target[1]))
    if subsidised:
        return any(matches)
    return 2 in matches or (len(matches) == 2 and all(matches))
