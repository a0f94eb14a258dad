"""The game of Builders behind the interface of all games: which stage asks what, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.games.builders import building, reducers, scoring, setup, text, turns, view
from server.games.builders.commands import COMMANDS
from server.games.builders.components import SEATS
from server.games.builders.events import EVENTS
from server.games.builders.state import Acting, Composing, Confirming, Gaining, Placing, Rewarding, Stage, State
from server.games.builders.step_builder import StepBuilder
from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer
from server.games.engine.options import Flag, Option, OptionValue, Pick, check_first_seat, first_seat_option
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json

Decide = Callable[[State], Decision]
Resolve = Callable[[StepBuilder, Mapping[Seat, Command]], None]

_STAGES: dict[type[Stage], tuple[Decide, Resolve]] = {
    Placing: (turns.place_decision, turns.place_resolved),
    Acting: (turns.act_decision, turns.act_resolved),
    Rewarding: (turns.bonus_decision, turns.bonus_resolved),
    Composing: (building.compose_decision, building.compose_resolved),
    Gaining: (building.gain_decision, building.gain_resolved),
    Confirming: (turns.confirm_decision, turns.confirm_resolved),
}

DECIDE: dict[type[Stage], Decide] = {stage: decide for stage, (decide, _) in _STAGES.items()}
RESOLVE: dict[type[Stage], Resolve] = {stage: resolve for stage, (_, resolve) in _STAGES.items()}

OPTIONS: tuple[Option, ...] = (
    first_seat_option("Who begins in 1906.", SEATS),
    Pick(
        "plot_sides",
        "Which side of the plot cards lies up; it decides where rubble lies.",
        ("random", "A", "B"),
        "random",
    ),
    Pick(
        "park_order",
        "Parks are taken from the least valuable up, or from the most valuable down.",
        ("rising", "falling"),
        "rising",
    ),
    Flag("strict_wild", "A wild permit counts as any colour or any number, not as both: alone it opens no plot."),
    Flag("adjacent_across_cards", "Plots on both sides of a street between two cards are neighbours."),
)


class Builders:
    """Rules of "1906 San Francisco" by Perepau Llistosella."""

    name = "builders"
    rules_version = 1
    seats = SEATS
    options = OPTIONS
    events = EVENTS
    commands = COMMANDS

    def check_options(self, seats: int, options: Mapping[str, OptionValue]) -> str | None:
        return check_first_seat(seats, options)

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[State, list[Event]]:
        step = setup.begin_game(seats, options, dice)
        return step.state, step.events

    def apply(self, state: State | None, event: Event) -> State:
        return reducers.apply(state, event)

    def decision(self, state: State) -> Decision | None:
        decide = DECIDE.get(type(state.stage))
        return None if decide is None else decide(state)

    def resolve(self, state: State, answers: Mapping[Seat, Command], dice: Dice) -> tuple[State, list[Event]]:
        step = StepBuilder(state.copy(), dice)
        RESOLVE[type(state.stage)](step, answers)
        return step.state, step.events

    def public_view(self, state: State) -> dict[str, Json]:
        return view.public_view(state)

    def own_view(self, state: State, seat: Seat) -> dict[str, Json]:
        return view.own_view(state, seat)

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return view.shown(event, viewer)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def describe(self, event: Event) -> str:
        return text.describe(event)

    def draw(self, state: State) -> str:
        return text.draw(state)
