"""The game of Investors behind the interface of all games: which stage asks what, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer
from server.games.engine.options import (
    Cards,
    Flag,
    Limit,
    Option,
    OptionValue,
    Pick,
    check_first_seat,
    first_seat_option,
)
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json
from server.games.investors import (
    actions,
    bargaining,
    investing,
    option_tender,
    reducers,
    rounds,
    scoring,
    setup,
    subsidies,
    tenders,
    text,
    view,
)
from server.games.investors.commands import COMMANDS
from server.games.investors.components import ACTION_SUPPLY, INFLUENCE_AT_START, SEATS, TENDER_DECKS, YEARS
from server.games.investors.events import EVENTS
from server.games.investors.state import (
    Acting,
    Bargaining,
    ChequeBidding,
    Claiming,
    Considering,
    Drawing,
    InfluenceBidding,
    Investing,
    Laying,
    OptionBidding,
    OptionChoosing,
    Stage,
    State,
)
from server.games.investors.step_builder import StepBuilder

Decide = Callable[[State], Decision]
Resolve = Callable[[StepBuilder, Mapping[Seat, Command]], None]

_STAGES: dict[type[Stage], tuple[Decide, Resolve]] = {
    Laying: (setup.lay_decision, setup.lay_resolved),
    Considering: (rounds.consider_decision, rounds.consider_resolved),
    InfluenceBidding: (tenders.influence_decision, tenders.influence_resolved),
    ChequeBidding: (tenders.cheque_decision, tenders.cheque_resolved),
    OptionChoosing: (option_tender.choose_decision, option_tender.choose_resolved),
    Bargaining: (bargaining.bargain_decision, bargaining.bargain_resolved),
    OptionBidding: (option_tender.bid_decision, option_tender.bid_resolved),
    Investing: (investing.invest_decision, investing.invest_resolved),
    Acting: (actions.act_decision, actions.act_resolved),
    Claiming: (subsidies.claim_decision, subsidies.claim_resolved),
    Drawing: (subsidies.draw_decision, subsidies.draw_resolved),
}

DECIDE: dict[type[Stage], Decide] = {stage: decide for stage, (decide, _) in _STAGES.items()}
RESOLVE: dict[type[Stage], Resolve] = {stage: resolve for stage, (_, resolve) in _STAGES.items()}

OPTIONS: tuple[Option, ...] = (
    first_seat_option("Who is the first start player.", SEATS),
    Pick("layout", "The city is shuffled, or laid tile by tile by the players.", ("random", "players"), "random"),
    Pick("tender_deck", "Which reconstruction of the 36 tender cards is used.", tuple(TENDER_DECKS), "default"),
    Cards(
        "action_cards",
        "The twelve action cards that will be played; with none chosen, twelve of all eighteen by chance.",
        YEARS,
        ACTION_SUPPLY,
    ),
    Limit(
        "bargaining_offers",
        "How many offers each player may make to others on the same option before cheques decide.",
        least=0,
        most=3,
        default=0,
    ),
    Flag(
        "kind_tender_may_use_edge", "A tender for a kind of district also opens its streets at the city's edge.", True
    ),
    Flag("move_axis_only", "A stick can only be shifted along its own line, not sideways."),
    Limit(
        "influence_cap",
        "The most influence a player can have.",
        least=INFLUENCE_AT_START,
        most=99,
        default=None,
        none=True,
    ),
)


class Investors:
    """Rules of "San Francisco" by Wetter and Löpmann."""

    name = "investors"
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
