"""The value of resources, and the cheques to pay a sum with."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

from server.bots.investors.resources import (
    STEP,
    ResourceWeights,
    affordable,
    influence_worth,
    money_worth,
    payments,
    raising_cheques,
    smallest_sum_above,
)
from server.games.investors.components import CHEQUES

WEIGHTS = ResourceWeights()


def test_every_sum_is_paid_with_the_fewest_cheques() -> None:
    hand = (10, 10, 20, 30, 50, 90)
    least: dict[int, int] = {}
    for count in range(len(hand) + 1):
        for way in combinations(hand, count):
            least.setdefault(sum(way), count)
    ways = payments(hand, len(hand))
    assert {total: len(way) for total, way in ways.items()} == least
    assert all(sum(way) == total for total, way in ways.items())


def test_the_least_sum_above_an_amount_is_found() -> None:
    for hand in ((10, 10, 20, 30, 50, 90), (40,), (20, 20, 70, 100), CHEQUES):
        sums = {sum(way) for count in range(len(hand) + 1) for way in combinations(hand, count)}
        for amount in range(0, sum(hand), STEP):
            cheques = smallest_sum_above(hand, amount)
            assert sum(cheques) == min(total for total in sums if total > amount)
            assert not Counter(cheques) - Counter(hand)
    assert smallest_sum_above(CHEQUES, 90) == (100,)


def test_no_more_cheques_are_given_than_allowed() -> None:
    ways = payments(CHEQUES, 5)
    assert max(map(len, ways.values())) == 5
    assert max(ways) == 100 + 90 + 80 + 70 + 60


def test_a_raise_stays_within_its_bounds_and_nears_the_target_with_few_cheques() -> None:
    hand = (10, 10, 20, 20, 30, 40, 50)
    assert raising_cheques(hand, 0, 200, 90, 5.0) == (50, 40)
    assert raising_cheques(hand, 0, 200, 90, 50.0) == (50,)
    assert raising_cheques(hand, 50, 70, 200, 20.0) == (40, 30)
    assert raising_cheques((100,), 50, 70, 60, 20.0) is None
    assert raising_cheques(hand, 180, 300, 0, 20.0) is None


def test_more_cheques_than_usual_raise_a_bid_where_fewer_are_not_enough() -> None:
    assert raising_cheques((10, 10, 20, 20, 30, 40, 50), 140, 200, 150, 20.0) == (50, 40, 30, 20, 10)


def test_the_first_of_a_resource_is_worth_more_than_the_last() -> None:
    for years in (12, 4, 1):
        worth = [influence_worth(influence, years, WEIGHTS) for influence in range(30)]
        steps = [later - now for now, later in pairwise(worth)]
        assert steps == sorted(steps, reverse=True)
        assert steps[-1] > 0


def test_nothing_is_worth_anything_when_the_game_is_over() -> None:
    assert influence_worth(30, 0, WEIGHTS) == money_worth(580, 0, WEIGHTS) == 0


def test_the_price_of_a_gain_is_the_most_that_is_not_too_much() -> None:
    for years in (12, 5, 1):
        for value in (0.0, 0.2, 1.0, 3.0):
            most = affordable(value, 400, years, WEIGHTS)
            lost = money_worth(400, years, WEIGHTS) - money_worth(400 - most, years, WEIGHTS)
            assert lost <= value
            if most < 400:
                beyond = money_worth(400, years, WEIGHTS) - money_worth(400 - most - STEP, years, WEIGHTS)
                assert beyond > value


def test_near_the_end_money_is_spent_more_freely() -> None:
    assert affordable(1.0, 300, 1, WEIGHTS) > affordable(1.0, 300, 12, WEIGHTS)
