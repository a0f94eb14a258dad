"""Reasons for turning points, where they are certain: the revealed cards of an auction show them to everybody."""

from __future__ import annotations

from server.bots.strategy import Reason
from server.coach.decisions import Decided
from server.coach.tenders import LOST, TIED, WON, Tender, spare_of
from server.games.engine.prompts import Command
from server.games.investors.commands import PlayInfluence


def reason_of(decided: Decided, better: Command, tender: Tender | None) -> Reason | None:
    """Return why the better answer was better; None where that is not certain.

    `tender` is the auction by influence that was decided in the same step.
    """
    played, seat = decided.command, decided.seat
    if tender is None or not isinstance(played, PlayInfluence) or decided.question.kind != "influence_tender":
        return None
    card = better.card if isinstance(better, PlayInfluence) else 0
    enough, worth = tender.enough[seat], tender.worth[seat]
    match tender.outcome[seat]:
        case outcome if outcome == WON and card < played.card:
            if played.card > worth:
                return Reason("coach.reason.overpaid", {"price": played.card, "worth": worth})
            if enough is not None and spare_of(tender, seat) > 0 and card >= enough:
                spare = spare_of(tender, seat)
                return Reason("coach.reason.enough", {"card": played.card, "enough": enough, "spare": spare})
        case outcome if outcome == TIED and played.card > 0 and card != played.card:
            other = next(other for other, bid in enumerate(tender.bids) if bid == played.card and other != seat)
            return Reason("coach.reason.tied", {"card": played.card, "other_seat": other, "better": card})
        case outcome if outcome == LOST and enough is not None and played.card < enough <= min(card, worth):
            return Reason("coach.reason.short", {"card": played.card, "enough": enough, "worth": worth})
    return None
