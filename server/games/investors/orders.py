"""Standing orders: how a seat wants to bid, or to consider tenders, while nobody is there to do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from server.games.engine.orders import OrderKind, OrderRules, Situation, Values, any_of, prepared_kind, up_to
from server.games.engine.prompts import Command, OneOf, SomeOf
from server.games.investors.commands import (
    Abstain,
    AcceptTender,
    BidCheques,
    ChooseOption,
    DeclineOffer,
    InvestorsCommand,
    PassBid,
    PassOffer,
    PayCheque,
    PlayInfluence,
    RaiseBid,
    RejectTender,
)
from server.games.investors.components import EDGE, INFLUENCE_CARDS, OPTION_TILES, OPTIONS, ORDINARY_KINDS, TENDER_CARDS

MAX_LIMIT: Final = 2_000
"""In thousands of dollars; more than all cheques of a seat and of the bank together in any game."""

ANY, ACTION = "any", "action"
_TARGETS: Final = (ANY, *ORDINARY_KINDS, EDGE)
_TENDERS = any_of("target", "What the tender is for; any of them without action cards.", (*_TARGETS, ACTION))
_LIMIT = up_to("limit", "The most to bid in all, in thousands of dollars.", MAX_LIMIT, 50)
_PAY = any_of("pay", "Which cheques come first where several ways give the same sum.", ("large", "small"))


def _concerns(target: str, view: Mapping[str, Any]) -> bool:
    """Return whether the tender that is open is one of those that an order names."""
    if view["action"] is not None or target == ACTION:
        return view["action"] is not None and target == ACTION
    return target in (ANY, TENDER_CARDS[view["tender"]].target)


def _influence(values: Values, situation: Situation) -> Command | None:
    """Play the best card up to the limit; where the seat has none that high, do what the order says (RULES 4.1)."""
    offered = situation.offered(PlayInfluence)
    if situation.kind != "influence_tender" or offered is None or not _concerns(values["target"], situation.view):
        return None
    cards = offered["card"]
    assert isinstance(cards, OneOf)
    if values["limit"] in cards.values:
        return PlayInfluence(values["limit"])
    match values["lacking"]:
        case "best":
            return PlayInfluence(max(card for card in cards.values if isinstance(card, int)))
        case "zero":
            return PlayInfluence(0) if situation.offered(Abstain) is None else Abstain()
    return None


def _raise(values: Values, situation: Situation) -> Command | None:
    """Raise by as little as the own cheques allow, up to the limit in all; then pass (RULES 4.3)."""
    if situation.kind != "cheque_tender" or not _concerns(values["target"], situation.view):
        return None
    offered = situation.offered(RaiseBid)
    if offered is not None:
        space = offered["cheques"]
        assert isinstance(space, SomeOf)
        assert space.above is not None
        left = values["limit"] - sum(situation.view["stage"]["bids"][situation.seat])
        ways = payable(_numbers(space), left, len(space.values), is_small_first=values["pay"] == "small")
        enough = [total for total in ways if total > space.above]
        if enough:
            return RaiseBid(ways[min(enough)])
    return PassBid() if values["beyond"] == "pass" else None


def _pass(values: Values, situation: Situation) -> Command | None:
    if situation.kind != "cheque_tender" or not _concerns(values["target"], situation.view):
        return None
    return PassBid()


def _consider(values: Values, situation: Situation) -> Command | None:
    """Accept or reject the drawn card (RULES 3.1)."""
    if situation.kind != "consider_tender":
        return None
    if values["target"] not in (ANY, TENDER_CARDS[situation.view["tender"]].target):
        return None
    return AcceptTender() if values["do"] == "accept" else RejectTender()


def _option(values: Values, situation: Situation) -> Command | None:
    """Choose an option tile if it is open; else leave the choice to the person (RULES 4.5)."""
    offered = situation.offered(ChooseOption)
    if situation.kind != "option_tender" or offered is None:
        return None
    options = offered["option"]
    assert isinstance(options, OneOf)
    return ChooseOption(values["option"]) if values["option"] in options.values else None


def _option_bid(values: Values, situation: Situation) -> Command | None:
    """Bid as much as the limit allows where others chose the option too; alone, pay the smallest cheque."""
    if situation.kind != "option_bids":
        return None
    limit = values["limit"]
    alone, shared = situation.offered(PayCheque), situation.offered(BidCheques)
    if shared is not None:  # RULES 4.7
        space = shared["cheques"]
        assert isinstance(space, SomeOf)
        ways = payable(_numbers(space), limit, space.maximum, is_small_first=values["pay"] == "small")
        return BidCheques(ways[max(ways)])
    if alone is not None:  # RULES 4.6
        cheques = alone["cheque"]
        assert isinstance(cheques, OneOf)
        smallest = min(cheque for cheque in cheques.values if isinstance(cheque, int))
        return PayCheque(smallest) if smallest <= limit else None
    return None


def _offers(values: Values, situation: Situation) -> Command | None:
    """Deal with nobody (RULES 10.1, 10.2)."""
    match situation.kind:
        case "make_offer":
            return PassOffer()
        case "answer_offer":
            return DeclineOffer()
    return None


def payable(cheques: Sequence[int], maximum: int, most: int, *, is_small_first: bool) -> dict[int, tuple[int, ...]]:
    """Return a way to pay each sum up to a maximum that at most so many of these cheques make (subset sum).

    Of several ways it is the one with the fewest cheques, which are the largest; with `is_small_first`, the one with
    the most.
    """
    ways: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}
    for cheque in sorted(cheques, reverse=not is_small_first):
        for (count, total), used in list(ways.items()):
            if count < most and total + cheque <= maximum:
                ways.setdefault((count + 1, total + cheque), (*used, cheque))
    by_total: dict[int, tuple[int, ...]] = {}
    for (_, total), used in sorted(ways.items(), key=lambda way: way[0][0], reverse=is_small_first):
        by_total.setdefault(total, used)
    return by_total


def _numbers(space: SomeOf) -> list[int]:
    return [value for value in space.values if isinstance(value, int)]


_PREPARED: Final = (
    "consider_tender",
    "cheque_tender",
    "invest",
    "use_action",
    "claim_subsidy",
    "draw_cheques",
    "make_offer",
    "pay_offer",
)

ORDERS: Final = OrderRules(
    (
        OrderKind(
            "influence",
            (
                _TENDERS,
                up_to("limit", "The highest card to play.", INFLUENCE_CARDS[-1], 5),
                any_of("lacking", "What to do without a card that high.", ("best", "zero", "ask")),
            ),
            _influence,
            is_sealed=True,
        ),
        OrderKind(
            "raise",
            (_TENDERS, _LIMIT, _PAY, any_of("beyond", "What to do beyond the limit.", ("pass", "ask"))),
            _raise,
        ),
        OrderKind("pass", (_TENDERS,), _pass),
        OrderKind(
            "consider",
            (
                any_of("do", "Accept or reject the drawn tender card.", ("accept", "reject")),
                any_of("target", "What the tender is for.", (*_TARGETS, OPTIONS)),
            ),
            _consider,
        ),
        OrderKind("option", (any_of("option", "The option tile.", tuple(OPTION_TILES)),), _option, is_sealed=True),
        OrderKind("option_bid", (_LIMIT, _PAY), _option_bid, is_sealed=True),
        OrderKind("offers", (), _offers, is_sealed=True),
        prepared_kind(InvestorsCommand.members(), _PREPARED),
    ),
    period="round",
)
