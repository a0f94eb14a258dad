"""Dealing again what a seat cannot know: the cheques of others and of the bank, and the order of the decks (RULES 6).

Everybody begins with the same cheques, and most payments are open. So the cheques are not dealt at random but follow
the course of the game as the seat saw it: only the payments that were hidden from it are drawn again, among the cheques
that the payer can have had and did not show later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.game import Seat
from server.games.investors.components import ACTION_DECK, CHEQUES, SUBSIDIES
from server.games.investors.events import (
    AuctionWon,
    BankShuffled,
    BidPassed,
    BidRaised,
    CardsRedealt,
    ChequeDrawn,
    OfferPaid,
    OptionBidsRevealed,
    OptionPaid,
    OptionWon,
    SubsidyPaid,
    TileSetAside,
)
from server.games.investors.state import State

MAX_ATTEMPTS: Final = 40
"""Attempts to draw payments that agree with all that was seen later; then the cheques are dealt at random."""

_BANK: Final = -1
_TABLE: Final = -2
"""The place of open bids, and of cheques that are drawn and not paid out yet."""


def redealt(state: State, seat: Seat, past: Sequence[Event], dice: Dice) -> CardsRedealt:
    """Return the event that deals the cheques which the seat cannot see, and shuffles the decks and the bag.

    The cards are sorted before they are shuffled, so that nothing depends on where they really were.
    """
    hands, bank = _following(state, seat, past, dice) or _at_random(state, seat, dice)
    bottom = _known_bottom(state, past)
    return CardsRedealt(
        hands=hands,
        bank=dice.shuffled("redeal/bank", sorted(bank)),
        bag=bottom + dice.shuffled("redeal/bag", sorted(state.bag[len(bottom) :])),
        tender_deck=dice.shuffled("redeal/tender", sorted(state.tender_deck)),
        action_deck=_action_deck(state, dice),
    )


def _action_deck(state: State, dice: Dice) -> tuple[str, ...]:
    """Return the action deck in another order, and with other cards of the box where nobody knows which are in it."""
    deck = sorted(state.action_deck)
    if state.settings.subsidies is not None:  # RULES 10.6
        played = (*state.years, *(() if state.action is None else (state.action,)))
        unseen = sorted((Counter(card.name for card in ACTION_DECK) - Counter(played)).elements())
        subsidies = dice.shuffled("redeal/subsidies", [card for card in unseen if card in SUBSIDIES])
        others = dice.shuffled("redeal/other_actions", [card for card in unseen if card not in SUBSIDIES])
        count = sum(card in SUBSIDIES for card in deck)
        deck = sorted(subsidies[:count] + others[: len(deck) - count])
    return dice.shuffled("redeal/action", deck)


_Deal = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""The hands, and the bank."""


def _at_random(state: State, seat: Seat, dice: Dice) -> _Deal:
    others = [hand for other, hand in enumerate(state.hands) if other != seat]
    unseen = dice.shuffled("redeal/cheques", sorted((*state.bank, *chain(*others))))
    hands = []
    for other, hand in enumerate(state.hands):
        count = 0 if other == seat else len(hand)
        hands.append(hand if other == seat else tuple(sorted(unseen[:count])))
        unseen = unseen[count:]
    return tuple(hands), unseen


def _known_bottom(state: State, past: Sequence[Event]) -> tuple[str, ...]:
    """Return the tiles at the bottom of the bag that everybody has seen there (RULES 2.4)."""
    seen = tuple(event.tile for event in reversed(past) if isinstance(event, TileSetAside))
    # The last one lies lowest, and tiles are drawn from the top.
    return seen[: len(state.bag)]


# -- the course of the money ----------------------------------------------------------------------------------


class _Transfer(NamedTuple):
    """A cheque that changed its place; None if the seat could not see which one."""

    giver: int
    taker: int
    cheque: int | None


def _transfers(past: Sequence[Event], seat: Seat) -> Iterator[_Transfer]:
    """Yield what a seat saw of each cheque that changed its place. Nothing that it did not see is used."""
    bids: dict[Seat, tuple[int, ...]] = {}
    drawn: dict[Seat, tuple[int, ...]] = {}
    busted: set[Seat] = set()
    for event in past:
        match event:
            case BidRaised():
                bids[event.seat] = bids.get(event.seat, ()) + event.cheques
                yield from _moved(event.seat, _TABLE, event.cheques)
            case BidPassed():
                yield from _moved(_TABLE, event.seat, bids.pop(event.seat, ()))
            case AuctionWon():
                bids.clear()
                yield from _moved(_TABLE, _BANK, event.cheques)
            case OptionBidsRevealed():
                for bidder, bid in enumerate(event.bids):
                    # They were in the hand, and go back to it before the winner pays.
                    yield from _moved(bidder, _TABLE, bid or ())
                    yield from _moved(_TABLE, bidder, bid or ())
            case OptionPaid():
                yield _Transfer(event.seat, _BANK, event.cheque if event.seat == seat else None)
            case OptionWon():
                yield from _moved(event.seat, _BANK, event.cheques)
            case OfferPaid():
                for partner, paid, blind in zip(event.partners, event.cheques, event.drawn, strict=True):
                    is_seen = seat in (event.investor, partner)
                    for cheque in (*paid, *blind):
                        yield _Transfer(event.investor, partner, cheque if is_seen else None)
            case BankShuffled():
                drawn.clear()
                busted.clear()
            case ChequeDrawn():
                drawn[event.seat] = (*drawn.get(event.seat, ()), event.cheque)
                if event.bust:
                    busted.add(event.seat)
                yield _Transfer(_BANK, _TABLE, event.cheque)
            case SubsidyPaid():
                for taker, kept in enumerate(event.kept):
                    yield from _moved(_TABLE, taker, kept)
                for taker in sorted(busted):
                    yield from _moved(_TABLE, _BANK, drawn[taker])
                drawn.clear()
                busted.clear()


def _moved(giver: int, taker: int, cheques: tuple[int, ...]) -> Iterator[_Transfer]:
    return (_Transfer(giver, taker, cheque) for cheque in cheques)


def _following(state: State, seat: Seat, past: Sequence[Event], dice: Dice) -> _Deal | None:
    """Return hands and bank that agree with all that the seat saw; None if none are found."""
    if any(isinstance(event, CardsRedealt) for event in past):
        # The cheques were dealt again before, and nobody saw how.
        return None
    transfers = list(_transfers(past, seat))
    needs = _needs(transfers)
    for attempt in range(MAX_ATTEMPTS):
        places = _attempted(state.settings.seats, transfers, needs, attempt, dice)
        if places is not None:
            hands = tuple(tuple(sorted(places[other].elements())) for other in range(state.settings.seats))
            sizes = [len(hand) for hand in hands] == [len(hand) for hand in state.hands]
            return (hands, tuple(places[_BANK].elements())) if sizes and hands[seat] == state.hands[seat] else None
    return None


_Need = tuple[Counter[int], Counter[int]]


def _needs(transfers: Sequence[_Transfer]) -> dict[int, _Need]:
    """Return, for each hidden transfer, the cheques that its giver and its taker must have for what was seen later."""
    need: dict[int, Counter[int]] = {}
    found: dict[int, _Need] = {}
    for index in range(len(transfers) - 1, -1, -1):
        giver, taker, cheque = transfers[index]
        of_giver, of_taker = need.setdefault(giver, Counter()), need.setdefault(taker, Counter())
        if cheque is None:
            found[index] = of_giver.copy(), of_taker.copy()
        else:
            of_taker[cheque] = max(0, of_taker[cheque] - 1)
            of_giver[cheque] += 1
    return found


def _attempted(
    seats: int, transfers: Sequence[_Transfer], needs: dict[int, _Need], attempt: int, dice: Dice
) -> dict[int, Counter[int]] | None:
    """Return the cheques at each place after all transfers, the hidden ones drawn; None if one is not possible."""
    places = {place: Counter(CHEQUES) for place in range(seats)} | {_BANK: Counter(), _TABLE: Counter()}
    for index, (giver, taker, seen) in enumerate(transfers):
        cheque = seen
        if cheque is None:
            of_giver, of_taker = needs[index]
            spare = sorted((places[giver] - of_giver).elements())
            wanted = [one for one in spare if places[taker][one] < of_taker[one]]
            # Later attempts draw what is wanted elsewhere, which is sooner possible and less random.
            prefers = wanted and (attempt >= MAX_ATTEMPTS // 2 or dice.below(f"redeal/{attempt}/{index}/coin", 2))
            choice = wanted if prefers else spare
            if not choice:
                return None
            cheque = choice[dice.below(f"redeal/{attempt}/{index}", len(choice))]
        if not places[giver][cheque]:
            return None
        places[giver][cheque] -= 1
        places[taker][cheque] += 1
    return places
