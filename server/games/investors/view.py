"""The view of each viewer on a position, built up from nothing (RULES 6). Events declare it themselves.

Hidden are the hands of cheques, sealed answers, the order of the decks, the bag and the bank, and what the bank holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.games.engine.game import Seat
from server.games.engine.serialization import Json, to_json, value_to_json
from server.games.investors.components import YEARS
from server.games.investors.events import OfferMade
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
    Over,
    Passing,
    Stage,
    State,
)


def public_view(state: State) -> dict[str, Json]:
    """Return what everybody may know of the position."""
    return {
        "round": state.round,
        "start_seat": state.start_seat,
        "layout": list(state.layout),
        "bag": len(state.bag),
        "sticks": list(state.sticks),
        "rebuilt": list(state.rebuilt),
        "seats": [_seat_view(state, seat) for seat in range(state.settings.seats)],
        "hand": None,
        "bank": len(state.bank),
        "tender": state.tender,
        "tender_deck": len(state.tender_deck),
        "tender_discard": list(state.tender_discard),
        "action": state.action,
        "action_deck": len(state.action_deck),
        "years": list(state.years),
        "open_bonuses": list(state.open_bonuses),
        "options": None if state.options is None else list(state.options),
        "deals": [to_json(deal) for deal in state.deals],
        "subsidies": list(state.subsidies),
        "stage": _stage_view(state.stage),
    }


def progress(state: State) -> dict[str, int]:
    """Return how far the game is: the round."""
    return {"round": state.round}


def is_early(state: State) -> bool:
    """Return whether fewer than a third of the action cards have been played: every year has one."""
    return 3 * len(state.years) < YEARS


def points_shown(view: Mapping[str, Any]) -> list[int]:
    """Return the prestige of each seat."""
    return [seat["prestige"] for seat in view["seats"]]


def own_view(state: State, seat: Seat) -> dict[str, Json]:
    """Return what a seat alone may know of the position."""
    return {"hand": list(state.hands[seat])}


def _seat_view(state: State, seat: Seat) -> dict[str, Json]:
    return {
        "influence": state.influence[seat],
        "prestige": state.prestige[seat],
        "sticks": state.supply[seat],
        "cheques": len(state.hands[seat]),
    }


def _stage_view(stage: Stage) -> dict[str, Json]:
    match stage:
        case Passing():
            # Only seen by those who look back at a game event by event.
            return {"name": "passing"}
        case Laying(seat, tile):
            return {"name": "laying", "seat": seat, "tile": tile}
        case Considering():
            return {"name": "considering"}
        case InfluenceBidding(rights):
            return {"name": "influence_bidding", "rights": rights}
        case ChequeBidding(bids, passed, turn):
            return {"name": "cheque_bidding", "bids": value_to_json(bids), "passed": list(passed), "turn": turn}
        case OptionChoosing():
            return {"name": "option_choosing"}
        case OptionBidding():
            return {"name": "option_bidding"}
        case Bargaining(option, seats, spoken, offer, accepted):
            return {
                "name": "bargaining",
                "option": option,
                "seats": list(seats),
                "spoken": spoken,
                "offer": _offer_view(offer),
                "accepted": accepted,
            }
        case Investing(rights):
            return {"name": "investing", "rights": value_to_json(rights)}
        case Acting(seat, first):
            return {"name": "acting", "seat": seat, "first": first}
        case Claiming(seat):
            return {"name": "claiming", "seat": seat}
        case Drawing(drawn, drawing, busted, turn):
            return {
                "name": "drawing",
                "drawn": value_to_json(drawn),
                "drawing": list(drawing),
                "busted": list(busted),
                "turn": turn,
            }
        case Over(reason):
            return {"name": "over", "reason": reason}
    raise AssertionError(stage)


def _offer_view(offer: OfferMade | None) -> Json:
    if offer is None:
        return None
    return {
        "seat": offer.seat,
        "investor": offer.investor,
        "amounts": list(offer.amounts),
        "draws": list(offer.draws),
        "avoid": list(offer.avoid),
    }
