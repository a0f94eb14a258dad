"""The market caches its results by city, and computes them anew where a city has changed."""

from __future__ import annotations

from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.market import Market
from server.bots.planners.normal import BEAM_WIDTH
from server.games.planners.state import State
from tests.games.planners.scenes import Scene

COLUMNS = ("green:3 green:3", "green:2t yellow:3", "blue:3")


def gains(market: Market) -> list[float]:
    """Return the gain of each seat from each column."""
    state = market.state
    return [market.gain(seat, cards) for seat in range(state.settings.seats) for cards in state.columns if cards]


def after_yellow_took_the_first_column(scene: Scene) -> State:
    return scene.take(1).place("green:3").place("green:3").confirm().state


def test_a_market_some_turns_later_sees_the_cities_of_then() -> None:
    scene = Scene(seats=3, columns=COLUMNS)
    market = Market(Evaluation(scene.state, Weights()), BEAM_WIDTH)
    before = gains(market)
    later = after_yellow_took_the_first_column(scene)
    assert gains(market.at(later)) == gains(Market(market.evaluation.at(later), BEAM_WIDTH))
    assert market.at(later).gain(0, later.columns[1]) != before[1], "yellow has cards in green now"
    assert gains(market) == before


def test_results_for_a_city_are_cached_for_its_next_occurrence() -> None:
    scene = Scene(seats=3, columns=COLUMNS)
    market = Market(Evaluation(scene.state, Weights()), BEAM_WIDTH)
    later = after_yellow_took_the_first_column(scene)
    cards = later.columns[1]
    again = after_yellow_took_the_first_column(Scene(seats=3, columns=COLUMNS))
    assert market.at(again).plan(0, cards) is market.at(later).plan(0, cards)
