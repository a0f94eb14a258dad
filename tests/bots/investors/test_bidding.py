"""Bids by influence and by cheques. y decides; amounts of money are in thousands."""

from __future__ import annotations

import pytest

from server.bots.investors import STRATEGIES
from server.bots.strategy import Strategy
from server.games.investors.commands import Abstain, PassBid, PlayInfluence, RaiseBid
from server.games.investors.events import AuctionWon, BidRaised
from tests.bots.investors import NORMAL, answer, answers, choice_of
from tests.games.investors.scenes import Scene

every_strength = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
quick = pytest.mark.parametrize("strategy", [STRATEGIES["easy"], STRATEGIES["normal"]], ids=["easy", "normal"])

THE_BANK_IN_REACH = """
    +-y-+---+
    y B 1 F |
    +-y-+---+
"""

A_FACTORY_FOR_BLUE = """
    +-y-+-b-+
    y B 1 F b
    +-y-+---+
"""


def auction(bids: str, drawing: str = THE_BANK_IN_REACH, **position: object) -> Scene:
    """Put a street at a factory up for cheques, after some bids."""
    scene = Scene(drawing, tenders=("factory/cheques/1",), start="b", **position)
    scene.accept()
    scene.bids(bids)
    return scene


def cards(scene: Scene, strategy: Strategy) -> list[int]:
    return [command.card for command in answers(scene, "y", strategy) if isinstance(command, PlayInfluence)]


def raised(scene: Scene, seat: str = "y", strategy: Strategy = NORMAL) -> tuple[int, ...]:
    """Return the cheques that a seat adds to its bid."""
    command = answer(scene, seat, strategy)
    assert isinstance(command, RaiseBid)
    return command.cheques


@every_strength
def test_an_auction_between_equals_takes_few_bids(strategy: Strategy) -> None:
    """All want the factories alike, and have the same cheques."""
    scene = Scene(tenders=("factory/cheques/1",), start="y")
    scene.accept()
    while scene.kind == "cheque_tender":
        scene.do(scene.awaited, answer(scene, scene.awaited, strategy))
    assert 1 <= len(scene.new_events(BidRaised)) <= 5


def test_a_bid_jumps_towards_what_a_rival_can_pay() -> None:
    """Yellow gets the bank with one more stick, and blue a factory; the game is nearly over."""

    def first_bid(*cheques: int) -> int:
        return sum(raised(auction("b10 r- g-", drawing=A_FACTORY_FOR_BLUE, years=9, hands={"b": cheques})))

    assert first_bid(10, 10) < first_bid(10, 10, 20, 20, 30, 40)


def test_few_large_cheques_raise_a_bid_and_small_ones_are_kept() -> None:
    assert set(raised(auction("b60 r- g-", hands={"y": (10, 10, 20, 20, 30, 40, 90, 100)}))) <= {40, 90, 100}
    assert raised(auction("b30 r- g-", hands={"y": (10, 10, 20, 20, 30, 40, 50, 60)})) == (60, 50)


def test_a_right_that_nobody_else_wants_costs_the_smallest_cheque() -> None:
    assert raised(auction("b- r- g-")) == (10,)


@quick
def test_the_first_rights_cost_no_more_than_a_third_of_the_money(strategy: Strategy) -> None:
    """All have 580, and all want the factories alike."""
    scene = Scene(tenders=("factory/cheques/1",), start="y")
    scene.accept()
    while scene.kind == "cheque_tender":
        scene.do(scene.awaited, answer(scene, scene.awaited, strategy))
    (won,) = scene.new_events(AuctionWon)
    assert sum(won.cheques) < 195


@quick
def test_nobody_bids_more_than_it_is_worth(strategy: Strategy) -> None:
    """Nothing lies near any factory for y, and a whole game is still to come."""
    scene = Scene(tenders=("factory/cheques/1",), start="b")
    scene.accept()
    scene.bids("b100+90+80+70+60+50 r- g-")
    assert answer(scene, "y", strategy) == PassBid()


def test_more_is_bid_for_more() -> None:
    """The same auction, with the bank in reach and without."""

    def goes_up_to(drawing: str) -> int:
        bids = [(100,), (100, 90), (100, 90, 80), (100, 90, 80, 70), (100, 90, 80, 70, 60), (100, 90, 80, 70, 60, 50)]
        highest = 0
        for bid in bids:
            scene = Scene(drawing, tenders=("factory/cheques/1",), start="b", years=6)
            scene.accept()
            scene.bids(f"b{'+'.join(map(str, bid))} r- g-")
            if isinstance(answer(scene, "y"), RaiseBid):
                highest = sum(bid)
        return highest

    assert goes_up_to(THE_BANK_IN_REACH) > goes_up_to(THE_BANK_IN_REACH.replace("y", "-"))


@every_strength
def test_who_cannot_bid_more_passes(strategy: Strategy) -> None:
    scene = auction("b100 r- g-", hands={"y": (10, 20)})
    assert answer(scene, "y", strategy) == PassBid()


def test_a_pass_says_why() -> None:
    scene = auction("b100 r- g-", hands={"y": (10, 20)})
    reason = choice_of(scene, "y").reason
    assert reason is not None
    assert (reason.key, dict(reason.values)) == ("inv.hint.pass", {"bid": 100})


@quick
def test_influence_is_not_squandered_at_the_start(strategy: Strategy) -> None:
    """Nobody has a stick yet and a dozen such tenders will come: a part of the thirty is enough."""
    scene = Scene(tenders=("edge/influence/3",), start="y")
    scene.accept()
    assert max(cards(scene, strategy)) < 9


def test_influence_goes_to_what_is_worth_it() -> None:
    def played(drawing: str) -> float:
        scene = Scene(drawing, tenders=("factory/influence/2",), start="y")
        scene.accept()
        played = cards(scene, STRATEGIES["normal"])
        return sum(played) / len(played)

    assert played(THE_BANK_IN_REACH) > played("") + 1


def test_bids_are_not_always_the_same() -> None:
    """Equal cards drop out, so a fixed card would often be matched."""
    scene = Scene(tenders=("factory/influence/3",), start="y")
    scene.accept()
    assert len(set(cards(scene, STRATEGIES["normal"]))) > 2


@every_strength
def test_without_influence_nothing_is_played_that_one_does_not_have(strategy: Strategy) -> None:
    scene = Scene(tenders=("factory/influence/3",), start="y", influence={"y": 0})
    scene.accept()
    assert answer(scene, "y", strategy) == PlayInfluence(0)


def test_nobody_bids_for_an_action_card_of_no_use() -> None:
    """The only stick that could be taken over lies where nothing is left to win."""
    scene = Scene(
        """
        +---+---+
        | v b v |
        +---+---+
        """,
        owner="b",
        years=6,
    ).seeking("replace/influence")
    assert set(answers(scene, "y")) == {Abstain()}


def test_an_action_card_that_brings_a_majority_is_bid_for() -> None:
    scene = Scene(THE_BANK_IN_REACH, years=9).seeking("free/influence")
    played = cards(scene, STRATEGIES["normal"])
    assert len(played) == 20
    assert min(played) > 3
