"""Standing orders of Investors: which card, which cheques, which tenders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from server.games.engine.orders import Situation
from server.games.engine.prompts import Choice, Command, OneOf, Prompt, SomeOf
from server.games.investors.commands import (
    Abstain,
    AcceptTender,
    BidCheques,
    ChooseOption,
    PassBid,
    PayCheque,
    PlayInfluence,
    RaiseBid,
    RejectTender,
)
from server.games.investors.orders import ORDERS, payable

OFFICES = {"action": None, "tender": "office/influence/1"}
ACTION = {"action": "subsidy", "tender": "office/influence/1"}


def answer(name: str, kind: str, choices: tuple[Choice, ...], view: Mapping[str, Any], **values: Any) -> Command | None:
    order = ORDERS.kind_named(name)
    assert order is not None
    prompt = Prompt(choices, fallback=choices[0].command())
    return order.answer(order.read(values), Situation(1, kind, prompt, view))


def influence(highest: int, view: Mapping[str, Any] = OFFICES, **values: Any) -> Command | None:
    play = Choice(PlayInfluence, {"card": OneOf(tuple(range(highest + 1)))})
    choices = (Choice(Abstain), play) if view["action"] is not None else (Choice(Abstain), play)[1:]
    order = ORDERS.kind_named("influence")
    assert order is not None
    prompt = Prompt(choices, fallback=PlayInfluence(0))
    return order.answer(order.read(values), Situation(1, "influence_tender", prompt, view))


def test_up_to_seven_plays_the_seven() -> None:
    assert influence(9, limit=7) == PlayInfluence(7)
    assert influence(7, limit=7) == PlayInfluence(7)


@pytest.mark.parametrize("lacking, played", [("best", PlayInfluence(4)), ("zero", PlayInfluence(0)), ("ask", None)])
def test_without_the_seven_the_order_says_what_happens(lacking: str, played: Command | None) -> None:
    assert influence(4, limit=7, lacking=lacking) == played


def test_for_an_action_card_zero_is_staying_out() -> None:
    assert influence(4, ACTION, target="action", limit=7, lacking="zero") == Abstain()


@pytest.mark.parametrize(
    "target, view, concerns",
    [
        ("any", OFFICES, True),
        ("office", OFFICES, True),
        ("factory", OFFICES, False),
        ("action", OFFICES, False),
        ("any", ACTION, False),
        ("action", ACTION, True),
    ],
)
def test_an_order_concerns_the_tenders_that_it_names(target: str, view: Mapping[str, Any], concerns: bool) -> None:
    assert (influence(9, view, target=target, limit=3) is not None) == concerns


def raising(hand: tuple[int, ...], above: int, own: int = 0, **values: Any) -> Command | None:
    """Raise with a hand of which more than `above` is needed, beside what lies in the open bid."""
    view = {"action": None, "tender": "office/cheques/1", "stage": {"bids": [[], [own]]}}
    choices = (Choice(PassBid), Choice(RaiseBid, {"cheques": SomeOf(hand, 1, above=above)}))
    return answer("raise", "cheque_tender", choices, view, **values)


def test_a_raise_is_as_small_as_the_cheques_allow() -> None:
    assert raising((10, 20, 50, 100), 30, limit=80) == RaiseBid((50,))
    assert raising((10, 20, 20, 100), 30, limit=80) == RaiseBid((20, 20))


def test_what_lies_in_the_bid_counts_for_the_limit() -> None:
    assert raising((50,), 30, own=30, limit=80) == RaiseBid((50,))
    assert raising((50,), 30, own=40, limit=80) == PassBid()


def test_of_several_ways_large_or_small_cheques_come_first() -> None:
    hand = (10, 10, 20, 20, 40)
    assert raising(hand, 30, limit=80, pay="large") == RaiseBid((40,))
    assert raising(hand, 30, limit=80, pay="small") == RaiseBid((10, 10, 20))


def test_beyond_the_limit_it_passes_or_asks() -> None:
    assert raising((100,), 30, limit=80, beyond="pass") == PassBid()
    assert raising((100,), 30, limit=80, beyond="ask") is None


def test_who_can_only_pass_passes() -> None:
    view = {"action": None, "tender": "office/cheques/1", "stage": {"bids": [[], []]}}
    assert answer("raise", "cheque_tender", (Choice(PassBid),), view, limit=80) == PassBid()
    assert answer("pass", "cheque_tender", (Choice(PassBid),), view) == PassBid()
    assert answer("pass", "cheque_tender", (Choice(PassBid),), view, target="villa") is None


@pytest.mark.parametrize(
    "values, answered",
    [
        ({"do": "accept"}, AcceptTender()),
        ({"do": "accept", "target": "office"}, AcceptTender()),
        ({"do": "reject"}, RejectTender()),
        ({"do": "accept", "target": "villa"}, None),
        ({"do": "accept", "target": "options"}, None),
    ],
)
def test_tenders_are_accepted_or_rejected_by_what_they_are_for(values: Any, answered: Command | None) -> None:
    choices = (Choice(AcceptTender), Choice(RejectTender))
    assert answer("consider", "consider_tender", choices, OFFICES, **values) == answered


def test_an_option_tile_is_chosen_if_it_is_open() -> None:
    def tile(*options: str) -> Command | None:
        prompt = Prompt((Choice(ChooseOption, {"option": OneOf(options)}),), fallback=ChooseOption(options[0]))
        order = ORDERS.kind_named("option")
        assert order is not None
        return order.answer(order.read({"option": "market_leisure"}), Situation(1, "option_tender", prompt, {}))

    assert tile("factory_office", "market_leisure") == ChooseOption("market_leisure")
    assert tile("factory_office") is None


def test_for_a_shared_option_it_bids_what_the_limit_allows_with_five_cheques_at_most() -> None:
    def bid(hand: tuple[int, ...], **values: Any) -> Command | None:
        prompt = Prompt((Choice(BidCheques, {"cheques": SomeOf(hand, 0, 5)}),), fallback=BidCheques(()))
        order = ORDERS.kind_named("option_bid")
        assert order is not None
        return order.answer(order.read(values), Situation(1, "option_bids", prompt, {}))

    assert bid((10, 30, 50, 60), limit=100) == BidCheques((60, 30, 10))
    assert bid((10,) * 12, limit=80) == BidCheques((10,) * 5)
    assert bid((90,), limit=80) == BidCheques(())


def test_alone_on_an_option_it_pays_the_smallest_cheque() -> None:
    def pay(limit: int) -> Command | None:
        prompt = Prompt((Choice(PayCheque, {"cheque": OneOf((30, 20, 50))}),), fallback=PayCheque(30))
        order = ORDERS.kind_named("option_bid")
        assert order is not None
        return order.answer(order.read({"limit": limit}), Situation(1, "option_bids", prompt, {}))

    assert pay(20) == PayCheque(20)
    assert pay(10) is None


def test_every_sum_has_one_way_to_pay_it() -> None:
    ways = payable((10, 10, 20), 30, 3, is_small_first=False)
    assert ways == {0: (), 10: (10,), 20: (20,), 30: (20, 10)}
    assert payable((10, 10, 20), 30, 3, is_small_first=True)[20] == (10, 10)
    assert payable((10, 10, 20), 40, 2, is_small_first=True) == {0: (), 10: (10,), 20: (10, 10), 30: (10, 20)}
