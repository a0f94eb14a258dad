"""The sentences of the readable log."""

from __future__ import annotations

import pytest

from server.games.investors.events import OfferMade, SubsidyClaimed
from tests.games.investors import GAME

MARKET = "market_leisure"


@pytest.mark.parametrize(
    "offer, sentence",
    [
        (
            OfferMade(0, MARKET, 0, (30,), (0,), ()),
            "Yellow offers that yellow invests in market or leisure for 30,000.",
        ),
        (
            OfferMade(0, MARKET, 1, (30, 50), (1, 2), ()),
            "Yellow offers that blue invests in market or leisure for 80,000 and 3 blind draws.",
        ),
        (
            OfferMade(0, MARKET, 0, (0,), (1,), (0, 1)),
            (
                "Yellow offers that yellow invests in market or leisure for 1 blind draw, keeping off an edge street of"
                " row 1, column 1, an edge street of row 1, column 2."
            ),
        ),
    ],
)
def test_an_offer_names_money_draws_and_streets_to_keep_off(offer: OfferMade, sentence: str) -> None:
    assert GAME.describe(offer) == sentence


@pytest.mark.parametrize(
    "sticks, words",
    [((), ""), ((4,), " for 1 removed stick"), ((4, 5), " for 2 removed sticks")],
)
def test_removed_sticks_are_counted(sticks: tuple[int, ...], words: str) -> None:
    claim = SubsidyClaimed(1, "influence", sticks, influence=2 * len(sticks), cheques_most=0)
    assert GAME.describe(claim) == f"Blue takes {2 * len(sticks)} influence{words}."
