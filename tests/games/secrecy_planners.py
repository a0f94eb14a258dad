"""The secrets of Planners, specified independently of its views."""

from __future__ import annotations

import random
from dataclasses import replace

from server.games.engine.events import Event, Viewer
from server.games.engine.play import Play
from server.games.planners.events import GameBegun
from server.games.planners.state import State
from tests.games.secrecy import rearranged, with_secrets


class PlannersSecrets:
    """Hidden is the order of the deck; a card is open from the moment it is drawn."""

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        state: State = play.state
        deck = tuple(rearranged(state.deck, rng))
        # No step that can be taken back draws a card, so the same deck fits the earlier states.
        return with_secrets(play, lambda state: replace(state, deck=deck), viewer, rng)

    def learned(self, event: Event, viewer: Viewer) -> object:
        return replace(event, deck=()) if isinstance(event, GameBegun) else event
