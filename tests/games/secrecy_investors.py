"""The secrets of Investors, specified independently of its views."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from server.games.engine.events import Event, Viewer
from server.games.engine.play import Play
from server.games.investors import events
from server.games.investors.components import ACTION_DECK
from server.games.investors.state import State
from tests.games.secrecy import dealt, rearranged, with_secrets

OPEN = (
    events.TileDrawn,
    events.TileSetAside,
    events.TileLaid,
    events.TileExchanged,
    events.TenderDrawn,
    events.TenderVoided,
    events.TenderRejected,
    events.TenderOpened,
    events.InfluenceRevealed,
    events.BidRaised,
    events.BidPassed,
    events.AuctionWon,
    events.OptionsRevealed,
    events.BargainingOpened,
    events.OfferMade,
    events.OfferPassed,
    events.OfferAccepted,
    events.OfferDeclined,
    events.BargainingFailed,
    events.OptionBidsRevealed,
    events.OptionWon,
    events.OptionLapsed,
    events.TenderClosed,
    events.StickPlaced,
    events.RightWaived,
    events.RightLapsed,
    events.DistrictRebuilt,
    events.ActionDrawn,
    events.ActionWon,
    events.StickMoved,
    events.SticksSwapped,
    events.StickReplaced,
    events.SubsidyClaimed,
    events.ChequeDrawn,
    events.DrawingStopped,
    events.SubsidyPaid,
    events.ActionLaid,
    events.RoundEnded,
    events.GameEnded,
)
"""Events of which everybody may know everything."""


class InvestorsSecrets:
    """Hidden are the hands of others, what the bank holds, and the order of bank, decks and bag.

    Where chance chose the action cards, hidden is also which of those that were not played are in the deck.
    """

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        state: State = play.state
        piles = [*(() if seat == viewer else hand for seat, hand in enumerate(state.hands)), state.bank]
        hidden = rearranged([cheque for pile in piles for cheque in pile], rng)
        *others, bank = dealt(hidden, [len(pile) for pile in piles])
        hands = [tuple(sorted(pile)) for pile in others]
        if viewer is not None:
            hands[viewer] = state.hands[viewer]
        secrets = {
            "hands": hands,
            "bank": bank,
            "tender_deck": tuple(rearranged(state.tender_deck, rng)),
            "action_deck": self._action_deck(state, rng),
            "bag": tuple(rearranged(state.bag, rng)),
        }
        # Steps that can be taken back only move sticks, so the same secrets fit the earlier states.
        return with_secrets(play, lambda state: replace(state, **secrets), viewer, rng)

    def _action_deck(self, state: State, rng: random.Random) -> tuple[str, ...]:
        deck = list(state.action_deck)
        if state.settings.subsidies is not None:
            unplayed = Counter(card.name for card in ACTION_DECK)
            unplayed.subtract((*state.years, *filter(None, [state.action])))
            kinds: dict[bool, list[str]] = {True: [], False: []}
            for card in unplayed.elements():
                kinds["subsidy" in card].append(card)
            deck = [card for in_deck in deck for card in [kinds["subsidy" in in_deck].pop(rng.randrange(2) - 1)]]
        return tuple(rearranged(deck, rng))

    def learned(self, event: Event, viewer: Viewer) -> object:
        match event:
            case events.GameBegun():
                return replace(event, tender_deck=(), action_deck=(), bag=())
            case events.TenderShuffled(deck, left_out):
                return ("tenders shuffled", sorted(deck), left_out)
            case events.BankShuffled(bank):
                return ("bank shuffled", len(bank))
            case events.OptionPaid(seat, option, cheque):
                return ("option paid", seat, option, cheque if seat == viewer else "some cheque")
            case events.OfferPaid():
                return self._deal_learned(event, viewer)
        assert isinstance(event, OPEN), f"say what {event.name} tells"
        return event

    def _deal_learned(self, event: events.OfferPaid, viewer: Viewer) -> object:
        """Return what a deal tells: the cheques to the two seats between which they pass, their number to everybody."""
        goods = [
            (cheques, drawn) if viewer in (event.investor, partner) else (len(cheques), len(drawn))
            for partner, cheques, drawn in zip(event.partners, event.cheques, event.drawn, strict=True)
        ]
        return ("offer paid", event.option, event.investor, event.partners, goods, event.avoid)
