"""The game of Builders as a value: its options, its stages and the functions of its rules."""

from __future__ import annotations

from functools import partial
from typing import Final

from server.games.builders import building, drawing, redealing, scoring, setup, text, turns, view
from server.games.builders.commands import BuildersCommand
from server.games.builders.components import PLOT_CARDS, RULES_VERSION, SEATS
from server.games.builders.events import BuildersEvent
from server.games.builders.reducers import REDUCERS
from server.games.builders.state import Acting, Composing, Confirming, Gaining, Placing, Rewarding
from server.games.engine.game import Game, StageRules
from server.games.engine.options import Flag, Option, Pick, check_first_seat, first_seat_option

STAGES: Final = {
    Placing: StageRules(turns.place_decision, turns.place_resolved),
    Acting: StageRules(turns.act_decision, turns.act_resolved),
    Rewarding: StageRules(turns.bonus_decision, turns.bonus_resolved),
    Composing: StageRules(building.compose_decision, building.compose_resolved),
    Gaining: StageRules(building.gain_decision, building.gain_resolved),
    Confirming: StageRules(turns.confirm_decision, turns.confirm_resolved),
}

OPTIONS: tuple[Option, ...] = (
    first_seat_option("Who begins in 1906.", SEATS),
    Pick(
        "plot_sides",
        "Which side of the plot cards lies up; it decides where rubble lies.",
        ("random", "A", "B"),
        "random",
        tuple(PLOT_CARDS),
    ),
    Pick(
        "park_order",
        "Parks are taken from the least valuable up, or from the most valuable down.",
        ("rising", "falling"),
        "rising",
    ),
    Flag("strict_wild", "A wild permit counts as any colour or any number, not as both: alone it opens no plot."),
    Flag("adjacent_across_cards", "Plots on both sides of a street between two cards are neighbours."),
    Flag("majorities_rank_all", "A player who has none of what a majority counts is ranked too, behind all others."),
)


BUILDERS: Final = Game(
    name="builders",
    rules_version=RULES_VERSION,
    earlier_set_ups={rules: partial(setup.box_set_up, rules=rules) for rules in (2, 3)},
    seats=SEATS,
    options=OPTIONS,
    check_options=check_first_seat,
    events=BuildersEvent.members(),
    commands=BuildersCommand.members(),
    set_up=setup.box_set_up,
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
"""Rules of "1906 San Francisco" by Perepau Llistosella."""
