"""The game of Planners as a value: its options, its stages and the functions of its rules."""

from __future__ import annotations

from typing import Final

from server.games.engine.game import Game, StageRules
from server.games.engine.options import Flag, Option, Pick, check_first_seat, first_seat_option
from server.games.planners import bonuses, drawing, finalizing, redealing, scoring, setup, text, turns, view
from server.games.planners.commands import PlannersCommand
from server.games.planners.components import SEATS
from server.games.planners.events import PlannersEvent
from server.games.planners.reducers import REDUCERS
from server.games.planners.state import Choosing, Laying, Placing, Turning

STAGES: Final = {
    Turning: StageRules(turns.turn_decision, turns.turn_resolved),
    Laying: StageRules(turns.lay_decision, turns.lay_resolved),
    Placing: StageRules(finalizing.place_decision, finalizing.place_resolved),
    Choosing: StageRules(bonuses.bonus_decision, bonuses.bonus_resolved),
}

OPTIONS: tuple[Option, ...] = (
    first_seat_option("Who begins.", SEATS),
    Flag("allow_decline_bonus", "A player may also take no bonus at all."),
    Flag(
        "resolve_bonus_on_final_card",
        "A card that fills a city still gives its bonus token before the game ends.",
        True,
    ),
    Pick(
        "sold_out_bonus",
        "What a player gets whose district has no bonus left: a tracks token, or nothing.",
        ("tracks", "nothing"),
        "tracks",
    ),
    Flag(
        "rows_below_by_total",
        "Rows with equal totals are compared by the total of the row below before its cards.",
    ),
)


PLANNERS: Final = Game(
    name="planners",
    rules_version=3,
    earlier_set_ups={2: setup.box_set_up},
    seats=SEATS,
    options=OPTIONS,
    check_options=check_first_seat,
    events=PlannersEvent.members(),
    commands=PlannersCommand.members(),
    set_up=setup.box_set_up,
    reducers=REDUCERS,
    stages=STAGES,
    public_view=view.public_view,
    progress=view.progress,
    is_early=view.is_early,
    points_shown=view.points_shown,
    city=drawing.city,
    outcome=scoring.outcome,
    redeal=redealing.redealt,
    formatters=text.FORMATTERS,
    draw=text.draw,
)
"""Rules of "San Francisco" by Reiner Knizia."""
