"""Invariants that hold after every step of any game, checked independently of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from server.games.engine.events import Event
from server.games.engine.play import Play, Step
from server.games.investors import city
from server.games.investors.commands import PlaceStick
from server.games.investors.components import (
    CHEQUES,
    INFLUENCE_AT_START,
    PRESTIGE,
    STICKS_PER_SEAT,
    YEARS,
)
from server.games.investors.events import DistrictRebuilt, GameBegun, InfluenceRevealed, SubsidyClaimed
from server.games.investors.state import ChequeBidding, Drawing, State
from tests.games.investors import GAME


class InvariantChecker:
    """A checker that follows one game and fails for anything that does not add up."""

    def __init__(self) -> None:
        self._influence: list[int] = []
        self._prestige: list[int] = []
        self._cheques: list[int] = []
        self._owners: dict[int, int] = {}
        self._sticks: list[int] = []
        self._state: State | None = None

    def follow(self, play: Play, step: Step) -> None:
        """Apply a step to the counts and check the position after it."""
        for event in step:
            self._enter(event)
        state = play.state
        # A sealed answer changes nothing yet.
        if None in state.layout or state is self._state:
            return
        self._state = state
        if state.sticks != self._sticks:
            self._check_sticks(state)
        assert _cheques_anywhere(state) == self._cheques
        assert state.influence == self._influence
        assert min(state.influence) >= 0
        assert state.prestige == self._prestige
        assert {district: owner for district, owner in enumerate(state.rebuilt) if owner >= 0} == self._owners
        assert len(state.years) <= YEARS
        self._check_rights(play)
        if play.decision is None:
            self._check_outcome(state)

    def _enter(self, event: Event) -> None:
        match event:
            case GameBegun(seats):
                self._influence = [INFLUENCE_AT_START] * seats
                self._prestige = [0] * seats
                self._cheques = sorted(CHEQUES * seats)
            case InfluenceRevealed(cards, winners):
                for seat in winners:
                    self._influence[seat] -= cards[seat] or 0
            case SubsidyClaimed():
                self._influence[event.seat] += event.influence
            case DistrictRebuilt(district, seat, prestige, bonus):
                assert district not in self._owners, "a district was rebuilt twice"
                self._owners[district] = seat
                self._prestige[seat] += prestige + bonus

    def _check_sticks(self, state: State) -> None:
        counted = Counter(state.sticks)
        assert [counted[seat] + supply for seat, supply in enumerate(state.supply)] == [STICKS_PER_SEAT] * len(
            state.supply
        )
        assert min(state.supply) >= 0
        assert not self._sticks or _whites(state.sticks) == _whites(self._sticks), "a white stick moved"
        self._sticks = state.sticks
        assert all(
            city.holder(state.layout, state.sticks, district) is None
            for district, owner in enumerate(state.rebuilt)
            if owner < 0
        ), "somebody has a majority in a ruined district"

    def _check_rights(self, play: Play) -> None:
        if play.decision is not None and play.decision.kind == "invest":
            (prompt,) = play.decision.prompts.values()
            (place,) = [choice for choice in prompt.choices if choice.command is PlaceStick]
            assert all(space.values for space in place.spaces.values()), "a right without a street was offered"

    def _check_outcome(self, state: State) -> None:
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.scores == tuple(self._prestige)
        earned: list[Counter[str]] = [Counter() for _ in self._prestige]
        for district, owner in self._owners.items():
            kind = str(state.layout[district])
            earned[owner][kind] += PRESTIGE[kind]
        for seat, parts in enumerate(outcome.breakdown):
            assert sum(parts.values()) == outcome.scores[seat]
            assert {kind: points for kind, points in parts.items() if kind != "bonus"} == earned[seat]


def _whites(sticks: list[int]) -> list[int]:
    return [street for street, owner in enumerate(sticks) if owner == city.WHITE]


def _cheques_anywhere(state: State) -> list[int]:
    """Return all cheques of the game: in hands and in the bank, in open bids and drawn ones on the table."""
    laid: tuple[tuple[int, ...], ...] = ()
    if isinstance(state.stage, ChequeBidding):
        laid = state.stage.bids
    elif isinstance(state.stage, Drawing):
        laid = state.stage.drawn
    return sorted(chain(state.bank, *state.hands, *laid))
