"""The game of Planners behind the interface of all games: which stage asks what, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer
from server.games.engine.options import Flag, Option, OptionValue, check_first_seat, first_seat_option
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json
from server.games.planners import bonuses, finalizing, reducers, scoring, setup, text, turns, view
from server.games.planners.commands import COMMANDS
from server.games.planners.components import SEATS
from server.games.planners.events import EVENTS
from server.games.planners.state import Choosing, Laying, Placing, Stage, State, Turning
from server.games.planners.step_builder import StepBuilder

Decide = Callable[[State], Decision]
Resolve = Callable[[StepBuilder, Command], None]

_STAGES: dict[type[Stage], tuple[Decide, Resolve]] = {
    Turning: (turns.turn_decision, turns.turn_resolved),
    Laying: (turns.lay_decision, turns.lay_resolved),
    Placing: (finalizing.place_decision, finalizing.place_resolved),
    Choosing: (bonuses.bonus_decision, bonuses.bonus_resolved),
}

DECIDE: dict[type[Stage], Decide] = {stage: decide for stage, (decide, _) in _STAGES.items()}
RESOLVE: dict[type[Stage], Resolve] = {stage: resolve for stage, (_, resolve) in _STAGES.items()}

OPTIONS: tuple[Option, ...] = (
    first_seat_option("Who begins.", SEATS),
    Flag("allow_decline_bonus", "A player may also take no bonus at all."),
    Flag(
        "resolve_bonus_on_final_card",
        "A card that fills a city still gives its bonus token before the game ends.",
        True,
    ),
)


class Planners:
    """Rules of "San Francisco" by Reiner Knizia."""

    name = "planners"
    rules_version = 1
    seats = SEATS
    options = OPTIONS
    events = EVENTS
    commands = COMMANDS

    def check_options(self, seats: int, options: Mapping[str, OptionValue]) -> str | None:
        return check_first_seat(seats, options)

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[State, list[Event]]:
        event = setup.box_set_up(seats, options, dice)
        return reducers.begun(event), [event]

    def apply(self, state: State | None, event: Event) -> State:
        return reducers.apply(state, event)

    def decision(self, state: State) -> Decision | None:
        decide = DECIDE.get(type(state.stage))
        return None if decide is None else decide(state)

    def resolve(self, state: State, answers: Mapping[Seat, Command], dice: Dice) -> tuple[State, list[Event]]:
        step = StepBuilder(state.copy(), dice)
        RESOLVE[type(state.stage)](step, answers[state.turn])
        return step.state, step.events

    def public_view(self, state: State) -> dict[str, Json]:
        return view.public_view(state)

    def own_view(self, state: State, seat: Seat) -> dict[str, Json]:
        return {}

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return view.shown(event)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def describe(self, event: Event) -> str:
        return text.describe(event)

    def draw(self, state: State) -> str:
        return text.draw(state)
