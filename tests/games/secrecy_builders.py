"""The secrets of Builders, specified independently of its views."""

from __future__ import annotations

import random
from dataclasses import replace

from server.games.builders import events
from server.games.builders.state import State
from server.games.engine.events import Event, Viewer
from server.games.engine.play import Play
from tests.games.secrecy import dealt, rearranged, with_secrets

OPEN = (
    events.PawnPlaced,
    events.ActionChosen,
    events.BonusChosen,
    events.BonusLapsed,
    events.MoneyGained,
    events.MoneyPaid,
    events.MaterialTaken,
    events.PermitTaken,
    events.GoalTaken,
    events.RubbleCleared,
    events.MarkerMoved,
    events.MarkerCapped,
    events.PermitChosen,
    events.Built,
    events.BestBuilderTaken,
    events.CardOffered,
    events.CardTaken,
    events.CardDeclined,
    events.TurnEnded,
    events.PermitsRefilled,
    events.GoalsRefilled,
    events.AreaClosed,
    events.YearBegun,
    events.GoalsRevealed,
    events.GameEnded,
)
"""Events of which everybody may know everything."""


class BuildersSecrets:
    """Hidden are the goals that others hold face down, and the order of both piles."""

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        state: State = play.state
        piles = [*(() if seat == viewer else held for seat, held in enumerate(state.hidden_goals)), state.goal_pile]
        *hands, goal_pile = dealt(rearranged([goal for pile in piles for goal in pile], rng), [*map(len, piles)])
        if viewer is not None:
            hands[viewer] = state.hidden_goals[viewer]
        secrets = {
            "hidden_goals": tuple(hands),
            "goal_pile": goal_pile,
            "permit_pile": tuple(rearranged(state.permit_pile, rng)),
        }
        # A seat that drew a card cannot take that back, so the same secrets fit the earlier states.
        return with_secrets(play, lambda state: replace(state, **secrets), viewer, rng)

    def learned(self, event: Event, viewer: Viewer) -> object:
        match event:
            case events.GameBegun():
                own = () if viewer is None else event.dealt_goals[viewer : viewer + 1]
                return replace(event, permit_pile=(), goal_pile=(), dealt_goals=own)
            case events.GoalDrawn(seat, goal):
                return ("goal drawn", seat, goal if seat == viewer else "some goal")
            case events.PermitsReshuffled(pile):
                return ("permits reshuffled", sorted(pile))
        assert isinstance(event, OPEN), f"say what {event.name} tells"
        return event
