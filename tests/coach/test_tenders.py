"""Auctions by influence: what would have won, and the sums of a seat. RULES 4.1, 4.2 and 7.4 of Investors."""

from __future__ import annotations

import pytest

from server.coach.reasons import reason_of
from server.coach.tenders import ABSTAINED, LOST, TIED, WON, Tender, _enough, _outcome, bidding_summary, tenders_of
from server.games.investors.commands import Abstain, PlayInfluence
from server.games.investors.events import InfluenceRevealed
from server.games.investors.tenders import highest_alone
from tests.coach.games import decision_at, played_game


@pytest.mark.parametrize(
    "cards, rights, lowest",
    [
        # RULES 4.2: the highest card that nobody else plays wins; equal cards drop out.
        ((5, 3), 1, (4, 6)),
        ((5, 5), 1, (6, 6)),
        ((0, 0, 0), 1, (1, 1, 1)),
        ((7, 7, 2), 1, (8, 8, 0)),
        ((7, 5, 2), 2, (3, 3, 6)),
        ((4, 3, 6, 5), 3, (4, 7, 6, 5)),
        # RULES 7.4: at an action card one may abstain.
        ((None, 3), 1, (4, 0)),
        # Nothing beats a 9.
        ((9, 4), 1, (5, None)),
    ],
)
def test_what_would_have_been_enough(
    cards: tuple[int | None, ...], rights: int, lowest: tuple[int | None, ...]
) -> None:
    assert tuple(_enough(cards, rights, seat) for seat in range(len(cards))) == lowest


def test_a_card_that_is_not_alone_is_tied() -> None:
    cards = (5, 5, 3, None, 2)
    winners = highest_alone(cards)[:1]
    assert [_outcome(cards, winners, seat) for seat in range(5)] == [TIED, TIED, WON, ABSTAINED, LOST]


def tender(bids: tuple[int | None, ...], worth: tuple[int, ...], rights: int = 1, step: int = 8) -> Tender:
    winners = highest_alone(bids)[:rights]
    seats = range(len(bids))
    return Tender(
        step,
        {"round": 1},
        "bank",
        None,
        rights,
        bids,
        tuple(30 for _ in seats),
        tuple(_outcome(bids, winners, seat) for seat in seats),
        tuple(_enough(bids, rights, seat) for seat in seats),
        worth,
    )


def test_the_summary_adds_up_bids_and_what_was_too_many() -> None:
    tenders = [tender((6, 3), (5, 4)), tender((0, 4), (2, 9)), tender((2, 2), (9, 9)), tender((1, 0), (3, 3))]
    assert bidding_summary(tenders, 0) == {"bids": 3, "bids_won": 2, "too_many": 2, "overpaid_in": 1}
    assert bidding_summary(tenders, 1) == {"bids": 3, "bids_won": 1, "too_many": 3, "overpaid_in": 0}


def test_the_tenders_of_a_game_follow_from_its_log() -> None:
    game = played_game("investors", 3, 1)
    tenders = tenders_of(game)
    revealed = [event for moment in game.moments for event in moment.events if isinstance(event, InfluenceRevealed)]
    assert [found.bids for found in tenders] == [event.cards for event in revealed]
    assert tenders
    for found, event in zip(tenders, revealed, strict=True):
        assert {seat for seat, outcome in enumerate(found.outcome) if outcome == WON} == set(event.winners)
        assert (found.target is None) == (found.action is not None)
        for seat, card in enumerate(found.bids):
            assert card is None or card <= found.held[seat]
            assert found.worth[seat] <= found.held[seat]
    assert tenders_of(played_game("planners", 2, 1)) == []


def test_reasons_are_given_where_the_revealed_cards_show_them() -> None:
    game = played_game("investors", 3, 1)
    first = next(one for one in game.decisions if one.question.kind == "influence_tender" and one.seat == 0)
    decided = first._replace(command=PlayInfluence(7))

    def reason(better: int | None, bids: tuple[int | None, ...], worth: int) -> tuple[str, object] | None:
        command = Abstain() if better is None else PlayInfluence(better)
        card = bids[0]
        assert card is not None
        found = reason_of(decided._replace(command=PlayInfluence(card)), command, tender(bids, (worth, 5, 5)))
        return None if found is None else (found.key.rpartition(".")[2], dict(found.values))

    assert reason(5, (7, 4, 2), 8) == ("enough", {"card": 7, "enough": 5, "spare": 2})
    assert reason(4, (7, 4, 2), 8) is None, "a 4 would not have won"
    assert reason(5, (7, 4, 2), 6) == ("overpaid", {"price": 7, "worth": 6})
    assert reason(8, (7, 7, 2), 8) == ("tied", {"card": 7, "other_seat": 1, "better": 8})
    assert reason(8, (5, 7, 2), 8) == ("short", {"card": 5, "enough": 8, "worth": 8})
    assert reason(8, (5, 7, 2), 6) is None, "it was not worth that much"
    assert reason(None, (7, 4, 2), 5) == ("overpaid", {"price": 7, "worth": 5})
    assert reason_of(decided, PlayInfluence(5), None) is None
    other = next(one for one in game.decisions if one.question.kind != "influence_tender")
    assert reason_of(decision_at(game, other.step, other.seat), PlayInfluence(5), tender((7, 4), (5, 5))) is None
