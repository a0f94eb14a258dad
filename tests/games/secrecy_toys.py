"""The secrets of the toy games, specified independently of their views."""

from __future__ import annotations

import random
from dataclasses import replace

from server.games.engine.events import Event, Viewer
from server.games.engine.play import Play
from tests.games.secrecy import dealt, rearranged, with_secrets
from tests.games.toy_auction import (
    AuctionClosed,
    AuctionState,
    BidsRevealed,
    Buried,
    CardDrawn,
    Dealt,
    Peeked,
    PrizeTaken,
    PrizeTurned,
    Reshuffled,
)


class AuctionSecrets:
    """Hidden are the hands and buried cards of others, and the deck, except its top to a viewer that has peeked."""

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        state: AuctionState = play.state
        known_top = int(state.knows_top(viewer))
        piles = [
            *(() if seat == viewer else hand for seat, hand in enumerate(state.hands)),
            *(() if seat == viewer else pile for seat, pile in enumerate(state.buried)),
            state.deck[known_top:],
        ]
        hidden = rearranged([card for pile in piles for card in pile], rng)
        *others, deck = dealt(hidden, [len(pile) for pile in piles])
        seats = len(state.hands)
        hands = [tuple(sorted(pile)) for pile in others[:seats]]
        buried = others[seats:]
        if viewer is not None:
            hands[viewer], buried[viewer] = state.hands[viewer], state.buried[viewer]
        secrets = {"hands": tuple(hands), "buried": tuple(buried), "deck": state.deck[:known_top] + deck}
        return with_secrets(play, lambda state: replace(state, **secrets), viewer, rng)

    def learned(self, event: Event, viewer: Viewer) -> object:
        match event:
            case Dealt(hands, deck):
                return ("dealt", len(hands), len(hands[0]), len(deck), None if viewer is None else hands[viewer])
            case PrizeTurned() | BidsRevealed() | PrizeTaken() | AuctionClosed():
                return event
            case Peeked(seat, card):
                return ("peeked", card) if seat == viewer else None
            case Buried(seat, card) | CardDrawn(seat, card):
                return (event.name, seat, card if seat == viewer else "some card")
            case Reshuffled(deck):
                return ("reshuffled", len(deck))
        raise AssertionError(f"say what {event.name} tells")


class MosaicSecrets:
    """Nothing is hidden."""

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        return play

    def learned(self, event: Event, viewer: Viewer) -> object:
        return event
