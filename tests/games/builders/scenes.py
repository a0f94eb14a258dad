"""Positions set by hand, and turns taken in them. Seats go by their letters: orange, k for black, blue, white."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from server.games.builders.city import city_of, plots_of
from server.games.builders.commands import Confirm, PlacePawn
from server.games.builders.components import (
    ACTION_CARDS,
    BUILDINGS_PER_SEAT,
    EDITION,
    GRIDS,
    PARK,
    PERMITS,
    PERMITS_SHOWN,
    SYMBOLS,
)
from server.games.builders.scoring import goal_points
from server.games.builders.state import Placing, Rewarding, State
from server.games.builders.text import SEAT_LETTERS, permit_text, plot_text
from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.game import Outcome
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin
from server.games.engine.prompts import Command
from server.model import Refused
from tests.games.builders import GAME
from tests.games.builders.drawing import city_drawn

DICE = Dice(bytes(32))
CORNER = EDITION.last_column, EDITION.last_row
"""The field of the development board from which no step is possible."""
_PERMIT_OF = {permit_text(permit): permit for permit in range(len(PERMITS))}


def permit(name: str) -> int:
    """Return a permit by its text, such as R3:LP; the two wild ones are **:LP and **:TH."""
    return _PERMIT_OF[name]


class Scene:
    """A position and the play from there. It begins when all seats are about to enter an area.

    `card` names the action card that they enter, None the year board. Turns go in the order o, k, b, w.
    """

    def __init__(
        self, drawing: str = "", *, seats: int = 3, year: int = 1907, card: str | None = "A1", **options: object
    ) -> None:
        agreed = read_options(GAME.options, {"first_seat": "0", "plot_sides": "A", **options})
        play, _ = begin(GAME, seats, agreed, DICE, asks_forced=True)
        state: State = play.state
        if drawing:
            drawn = city_drawn(drawing, seats)
            city = city_of(drawn.cards, GRIDS[seats][0], state.city.strict_wild, state.city.across_cards)
            supply = [BUILDINGS_PER_SEAT - plots.bit_count() for plots in drawn.buildings]
            state = replace(state, city=city, buildings=tuple(drawn.buildings), ruins=drawn.ruins, supply=tuple(supply))
        area = 0 if card is None else 1 + ACTION_CARDS.index(card)
        # Pawns stand where they lead to the order o, k, b, w: the later, the further left.
        before = len(ACTION_CARDS) if card is None else area - 1
        is_first = (year, area) == (1906, 0)
        pawns = tuple(None if is_first else (before, seats - 1 - seat) for seat in range(seats))
        stage = Rewarding() if year == 1912 else Placing()
        self._set(
            replace(state, action_cards=ACTION_CARDS, year=year, area=area, pawns=pawns, stage=stage, permit_discard=())
        )
        self.events: list[Event] = []

    # -- setting ----------------------------------------------------------------------------------------------

    def money(self, **by_seat: int) -> Scene:
        return self._each("money", by_seat)

    def rubble(self, **by_seat: int) -> Scene:
        return self._each("rubble", by_seat)

    def front(self, **by_seat: int) -> Scene:
        """Put so many buildings before seats, the others of the eight into their supplies."""
        self._each("front", by_seat)
        state = self.state
        supply = [BUILDINGS_PER_SEAT - state.built(seat) - state.front[seat] for seat in range(state.seats)]
        return self._set(replace(state, supply=tuple(supply)))

    def marker(self, **by_seat: tuple[int, int]) -> Scene:
        self._each("columns", {letter: column for letter, (column, _) in by_seat.items()})
        return self._each("rows", {letter: row for letter, (_, row) in by_seat.items()})

    def permits(self, **by_seat: str) -> Scene:
        """Deal seats permits by their texts, such as "R3:LP G1:LT"; they leave the display and the pile."""
        self._each("permits", {letter: tuple(map(permit, names.split())) for letter, names in by_seat.items()})
        held = {one for own in self.state.permits for one in own}
        return self._stock([one for one in range(len(PERMITS)) if one not in held])

    def shown_permits(self, names: str) -> Scene:
        """Lay just these permits on the display."""
        shown = tuple(map(permit, names.split()))
        pile = [one for one in (*self.state.permits_shown, *self.state.permit_pile) if one not in shown]
        return self._set(replace(self.state, permits_shown=shown, permit_pile=tuple(pile)))

    def _stock(self, cards: list[int]) -> Scene:
        random.Random(0).shuffle(cards)
        shown, pile = tuple(cards[:PERMITS_SHOWN]), tuple(cards[PERMITS_SHOWN:])
        return self._set(replace(self.state, permits_shown=shown, permit_pile=pile))

    def goals(self, *, common: str = "", shown: str | None = None, pile: str | None = None, **by_seat: str) -> Scene:
        """Set goals by their names: common ones, those that lie open, the pile from its bottom, open ones of seats."""
        state = self.state
        shown_goals = state.goals_shown if shown is None else tuple(shown.split())
        pile_goals = state.goal_pile if pile is None else tuple(pile.split())
        common_goals = tuple(common.split()) or state.common_goals
        self._set(replace(state, common_goals=common_goals, goals_shown=shown_goals, goal_pile=pile_goals))
        return self._each("open_goals", {letter: tuple(names.split()) for letter, names in by_seat.items()})

    def hidden_goals(self, **by_seat: str) -> Scene:
        return self._each("hidden_goals", {letter: tuple(names.split()) for letter, names in by_seat.items()})

    def cards(self, **by_seat: dict[str, int]) -> Scene:
        """Deal seats development cards by symbol; their parks are worth 2 each."""
        counts = {letter: tuple(own.get(symbol, 0) for symbol in SYMBOLS) for letter, own in by_seat.items()}
        self._each("cards", counts)
        return self._each("parks", {letter: (2,) * own.get(PARK, 0) for letter, own in by_seat.items()})

    def stacks(self, **left: int) -> Scene:
        """Leave so many development cards of some symbols."""
        stacks = tuple(left.get(symbol, self.state.left_of(symbol)) for symbol in SYMBOLS)
        return self._set(replace(self.state, stacks=stacks))

    def put(self, **fields: Any) -> Scene:
        """Set anything else of the state."""
        return self._set(replace(self.state, **fields))

    def _each(self, field: str, by_seat: dict[str, Any]) -> Scene:
        entries = list(getattr(self.state, field))
        for letter, entry in by_seat.items():
            entries[SEAT_LETTERS.index(letter)] = entry
        return self._set(replace(self.state, **{field: tuple(entries)}))

    def _set(self, state: State) -> Scene:
        self.play = Play(GAME, state, GAME.decision(state), 1, {}, (), asks_forced=True)
        return self

    # -- acting -----------------------------------------------------------------------------------------------

    def at(self, letter: str, action: str | int) -> Scene:
        """Place a pawn on the space of an action of the card, or on an income space by its number from the left."""
        return self.do(letter, PlacePawn(action if isinstance(action, int) else self._space(action)))

    def _space(self, action: str) -> int:
        spaces = self.state.spaces
        return [space.action for space in spaces].index(action)

    def do(self, letter: str, *commands: Command) -> Scene:
        """Let a seat answer, command after command."""
        for command in commands:
            answered = self.play.answer(SEAT_LETTERS.index(letter), self.play.number, command, DICE)
            assert not isinstance(answered, Refused), answered
            self.play, step = answered
            self.events += step
        return self

    def done(self, letter: str, action: str | int, *commands: Command) -> Scene:
        """Let a seat take a whole turn: place its pawn, answer, confirm."""
        return self.at(letter, action).do(letter, *commands, Confirm())

    def undo(self, letter: str) -> Scene:
        undone = self.play.undo(SEAT_LETTERS.index(letter), self.play.number)
        assert not isinstance(undone, Refused), undone
        self.play, step = undone
        self.events += step
        return self

    # -- asking -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        state: State = self.play.state
        return state

    @property
    def awaited(self) -> str:
        return "".join(SEAT_LETTERS[seat] for seat in self.play.awaited)

    @property
    def kind(self) -> str:
        assert self.play.decision is not None
        return self.play.decision.kind

    @property
    def offered(self) -> set[str]:
        """Return the names of the commands that are open now."""
        return {choice.command.name for choice in self._choices}

    @property
    def _choices(self) -> Iterable[Any]:
        assert self.play.decision is not None
        (prompt,) = self.play.decision.prompts.values()
        return prompt.choices

    def values(self, command: str) -> list[Any]:
        """Return the values that the only field of a command may take now."""
        (choice,) = [choice for choice in self._choices if choice.command.name == command]
        ((_, space),) = choice.spaces.items()
        return list(space.values)

    def may(self, command: Command) -> bool:
        """Return whether the seat in turn may answer this."""
        assert self.play.decision is not None
        (prompt,) = self.play.decision.prompts.values()
        return prompt.admit(command) is None

    def may_undo(self, letter: str) -> bool:
        return not isinstance(self.play.undo(SEAT_LETTERS.index(letter), self.play.number), Refused)

    def plots(self) -> set[str]:
        """Return colour and number of the plots that can be built on now."""
        return {plot_text(self.state.city, plot) for plot in self.values("choose_plot")}

    def plot(self, name: str) -> int:
        """Return the first plot of a colour and number, such as R3."""
        return next(at for at in range(len(self.state.city.plots)) if plot_text(self.state.city, at) == name)

    def built(self, letter: str) -> set[str]:
        plots = plots_of(self.state.buildings[SEAT_LETTERS.index(letter)])
        return {plot_text(self.state.city, plot) for plot in plots}

    def of(self, letter: str, field: str) -> Any:
        """Return a seat's entry of a field of the state."""
        return getattr(self.state, field)[SEAT_LETTERS.index(letter)]

    def marker_of(self, letter: str) -> tuple[int, int]:
        return self.of(letter, "columns"), self.of(letter, "rows")

    def worth(self, goal: str) -> tuple[int, ...]:
        """Return what a goal is worth to each seat now."""
        return tuple(goal_points(self.state, goal, seat) for seat in range(self.state.seats))

    def new_events(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def outcome(self) -> Outcome:
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        return outcome
