"""The game of Investors as a value: its options, its stages and the functions of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from server.games.engine.game import Game, StageRules
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
from server.games.investors import (
    actions,
    bargaining,
    drawing,
    investing,
    option_tender,
    redealing,
    rounds,
    scoring,
    setup,
    subsidies,
    tenders,
    text,
    view,
)
from server.games.investors.commands import InvestorsCommand
from server.games.investors.components import ACTION_SUPPLY, INFLUENCE_AT_START, SEATS, SUBSIDIES, TENDER_DECKS, YEARS
from server.games.investors.events import InvestorsEvent
from server.games.investors.reducers import REDUCERS
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
)

STAGES: Final = {
    Laying: StageRules(setup.lay_decision, setup.lay_resolved),
    Considering: StageRules(rounds.consider_decision, rounds.consider_resolved),
    InfluenceBidding: StageRules(tenders.influence_decision, tenders.influence_resolved),
    ChequeBidding: StageRules(tenders.cheque_decision, tenders.cheque_resolved),
    OptionChoosing: StageRules(option_tender.choose_decision, option_tender.choose_resolved),
    Bargaining: StageRules(bargaining.bargain_decision, bargaining.bargain_resolved),
    OptionBidding: StageRules(option_tender.bid_decision, option_tender.bid_resolved),
    Investing: StageRules(investing.invest_decision, investing.invest_resolved),
    Acting: StageRules(actions.act_decision, actions.act_resolved),
    Claiming: StageRules(subsidies.claim_decision, subsidies.claim_resolved),
    Drawing: StageRules(subsidies.draw_decision, subsidies.draw_resolved),
}

OPTIONS: tuple[Option, ...] = (
    first_seat_option("Who is the first start player.", SEATS),
    Pick("layout", "The city is shuffled, or laid tile by tile by the players.", ("random", "players"), "random"),
    Pick("tender_deck", "Which set of the 36 tender cards is in the deck.", tuple(TENDER_DECKS), "default"),
    Cards(
        "action_cards",
        "The twelve action cards that will be played; with none chosen, twelve of all eighteen by chance.",
        YEARS,
        ACTION_SUPPLY,
    ),
    Limit(
        "subsidies",
        "How many of the twelve action cards are subsidies, and the rest by chance; three or four are advised.",
        minimum=0,
        maximum=len(SUBSIDIES),
        default=None,
        none=True,
        unless="action_cards",
    ),
    Limit(
        "bargaining_offers",
        "How many offers each player may make to others on the same option before cheques decide.",
        minimum=0,
        maximum=3,
        default=0,
    ),
    Flag(
        "kind_tender_may_use_edge", "A tender for a kind of district also opens its streets at the city's edge.", True
    ),
    Flag("move_axis_only", "A stick can only be shifted along its own line, not sideways."),
    Limit(
        "influence_cap",
        "The most influence a player can have.",
        minimum=INFLUENCE_AT_START,
        maximum=99,
        default=None,
        none=True,
    ),
)


def check_options(seats: int, options: Mapping[str, OptionValue]) -> str | None:
    """Return a sentence if the values contradict each other or the number of seats."""
    if options["action_cards"] and options["subsidies"] is not None:
        return "Option subsidies: all action cards are chosen by action_cards."
    return check_first_seat(seats, options)


INVESTORS: Final = Game(
    name="investors",
    rules_version=3,
    seals_answers=True,
    seats=SEATS,
    options=OPTIONS,
    check_options=check_options,
    events=InvestorsEvent.members(),
    commands=InvestorsCommand.members(),
    set_up=setup.box_set_up,
    after_set_up=setup.open_game,
    reducers=REDUCERS,
    stages=STAGES,
    public_view=view.public_view,
    own_view=view.own_view,
    progress=view.progress,
    is_early=view.is_early,
    points_shown=view.points_shown,
    city=drawing.city,
    outcome=scoring.outcome,
    redeal=redealing.redealt,
    formatters=text.FORMATTERS,
    draw=text.draw,
)
"""Rules of "San Francisco" by Wetter and Löpmann."""
