"""Ratings: what counts, and what comes of it (docs/ratings.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bots.registry import STRATEGIES
from server.history import bot_ratings, ratings
from server.history.bot_ratings import BotRating
from server.history.ratings import NEW, PersonRating, counts, rate
from tests.history.rated_games import abandoned, finished, record, seat

BETA = 25 / 6
TAU = 25 / 300

BOTS = {("planners", "easy"): BotRating(15.0, 0.5), ("planners", "normal"): BotRating(25.0, 0.0)}


@pytest.fixture(autouse=True)
def fixed_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give bots ratings that no measurement changes."""
    monkeypatch.setattr(bot_ratings, "_measurements", lambda: [(0, BOTS)])


def rating(mu: float, sigma: float, games: int = 10) -> PersonRating:
    return PersonRating(mu, sigma, games)


def by_the_formula(places: list[int], before: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return means and deviations after a game, as docs/ratings.md has the formula (Weng and Lin 2011, algorithm 4)."""
    variances = [sigma**2 + TAU**2 for _, sigma in before]
    c = math.sqrt(sum(variance + BETA**2 for variance in variances))
    strengths = [math.exp(mu / c) for mu, _ in before]
    after = []
    for i, (mu, _) in enumerate(before):
        omega = delta = 0.0
        for q, place in enumerate(places):
            if place <= places[i]:
                share = strengths[i] / sum(strengths[s] for s, other in enumerate(places) if other >= place)
                ties = places.count(place)
                omega += ((q == i) - share) / ties
                delta += share * (1 - share) / ties
        gamma = math.sqrt(variances[i]) / c
        kept = max(1 - variances[i] / c**2 * gamma * delta, 0.0001)
        after.append((mu + variances[i] / c * omega, math.sqrt(variances[i] * kept)))
    return after


# -- numbers --------------------------------------------------------------------------------------------------


def test_golden_numbers() -> None:
    """Check numbers that must never change: the ratings of all servers have been computed in this way."""
    before = {"ann": rating(31.25, 2.5), "bea": rating(22.0, 4.0), "cai": rating(27.5, 1.5)}
    after = rate(finished({"ann": 2, "bea": 1, "cai": 3, "dev": 4}), before)
    assert {user: (each.mu, each.sigma, each.change) for user, each in after.items()} == GOLDEN


GOLDEN = {
    "ann": (31.359879, 2.49696, 4),
    "bea": (23.038626, 3.992184, 42),
    "cai": (27.477564, 1.501511, -1),
    "dev": (19.964356, 7.598019, -201),
}


def test_a_season_of_golden_numbers() -> None:
    rng, last = Random(20), dict[str, PersonRating]()
    for number in range(300):
        names = rng.sample(["ann", "bea", "cai", "dev", "eve"], rng.choice((2, 3, 4)))
        places = [rng.randint(1, len(names)) for _ in names]
        last |= rate(finished(dict(zip(names, places, strict=True)), table=f"t{number}"), last)
    assert {user: (each.mu, each.sigma) for user, each in sorted(last.items())} == SEASON


SEASON = {
    "ann": (24.355648, 2.122695),
    "bea": (24.949298, 2.176723),
    "cai": (24.655816, 2.189267),
    "dev": (26.346588, 2.193974),
    "eve": (25.097443, 2.156945),
}


@given(st.lists(st.tuples(st.integers(1, 4), st.floats(10, 40), st.floats(0.5, 8.3)), min_size=2, max_size=5))
def test_ratings_follow_the_formula_in_the_document(seats: list[tuple[int, float, float]]) -> None:
    users = [f"u{number}" for number in range(len(seats))]
    before = {user: rating(mu, sigma) for user, (_, mu, sigma) in zip(users, seats, strict=True)}
    places = {user: place for user, (place, _, _) in zip(users, seats, strict=True)}
    after = rate(finished(places), before)
    expected = by_the_formula(list(places.values()), [(mu, sigma) for _, mu, sigma in seats])
    for user, (mu, sigma) in zip(users, expected, strict=True):
        assert (after[user].mu, after[user].sigma) == (pytest.approx(mu, abs=1e-6), pytest.approx(sigma, abs=1e-6))


def test_a_rating_is_shown_in_whole_numbers_and_is_provisional_under_ten_games() -> None:
    assert NEW.shown() == (1500, 667, 0, True)
    assert PersonRating(31.26, 2.5, 9).shown() == (1750, 200, 9, True)
    assert PersonRating(31.26, 2.5, 10).shown() == (1750, 200, 10, False)


def test_the_changes_of_all_games_add_up_to_the_rating() -> None:
    rng, now, total = Random(4), NEW, 0
    for _ in range(50):
        now = rate(finished({"ann": rng.choice((1, 2)), "bea": rng.choice((1, 2))}), {"ann": now})["ann"]
        total += now.change
    assert now.rating == 1500 + total
    assert now.games == 50


def test_ratings_are_packed_and_unpacked_without_loss() -> None:
    for each in (NEW, *rate(finished({"ann": 1, "bea": 2}), {}).values()):
        assert PersonRating.unpack(each.pack()) == each


# -- places ---------------------------------------------------------------------------------------------------


def test_who_sat_where_does_not_matter() -> None:
    before = {"ann": rating(31.25, 2.5), "bea": rating(22.0, 4.0), "cai": rating(27.5, 1.5)}
    places = {"ann": 1, "bea": 2, "cai": 2, "dev": 4, "EASY": 4}
    results = {
        tuple(sorted(rate(finished({name: places[name] for name in order}), before).items()))
        for order in permutations(places)
    }
    assert len(results) == 1


def test_not_even_the_last_bits_depend_on_who_sat_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "_DECIMALS", 17)
    rng = Random(3)
    for _ in range(30):
        before = {user: rating(rng.uniform(10, 40), rng.uniform(1, 8)) for user in ("ann", "bea", "cai", "dev")}
        games = [finished(dict.fromkeys(order, 1)) for order in permutations(before)]
        assert len({tuple(sorted(rate(game, before).items())) for game in games}) == 1


def test_equal_people_who_tie_keep_their_ratings_and_become_more_certain() -> None:
    after = rate(finished({"ann": 1, "bea": 1, "cai": 1}), {})
    assert {each.mu for each in after.values()} == {NEW.mu}
    assert all(each.sigma < NEW.sigma and each.change == 0 for each in after.values())


def test_who_ties_with_a_stronger_person_wins_points() -> None:
    after = rate(finished({"ann": 1, "bea": 1}), {"ann": rating(30, 3), "bea": rating(25, 3)})
    assert after["ann"].change < 0 < after["bea"].change


def test_a_win_among_more_people_counts_more_and_against_a_weaker_one_less() -> None:
    two, four = (rate(finished({"ann": 1, **dict.fromkeys(others, 2)}), {}) for others in ("b", "bcd"))
    assert four["ann"].mu > two["ann"].mu
    weak = rate(finished({"ann": 1, "bea": 2}), {"ann": rating(25, 3), "bea": rating(15, 3)})
    strong = rate(finished({"ann": 1, "bea": 2}), {"ann": rating(25, 3), "bea": rating(35, 3)})
    assert 0 < weak["ann"].change < strong["ann"].change


skills = st.tuples(st.floats(0, 60), st.floats(0.5, 8.4))


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(1, 5), skills), min_size=2, max_size=5))
def test_who_wins_alone_never_drops_and_who_is_last_alone_never_rises(
    seats: list[tuple[int, tuple[float, float]]],
) -> None:
    users = [f"u{number}" for number in range(len(seats))]
    before = {user: rating(*skill) for user, (_, skill) in zip(users, seats, strict=True)}
    places = {user: place for user, (place, _) in zip(users, seats, strict=True)}
    after = rate(finished(places), before)
    first = [user for user in users if places[user] == min(places.values())]
    last = [user for user in users if places[user] == max(places.values())]
    if len(first) == 1:
        assert after[first[0]].change >= 0
        assert after[first[0]].mu >= round(before[first[0]].mu, 6)
    if len(last) == 1:
        assert after[last[0]].change <= 0
    assert all(each.sigma > 0 and math.isfinite(each.mu) for each in after.values())


# -- bots -----------------------------------------------------------------------------------------------------


def test_bots_count_as_opponents_and_are_not_rated() -> None:
    alone = rate(finished({"ann": 1, "bea": 3}), {})
    after = rate(finished({"ann": 1, "NORMAL": 2, "bea": 3}), {})
    assert after.keys() == {"ann", "bea"}
    assert after["ann"].mu > alone["ann"].mu
    easy = rate(finished({"ann": 1, "EASY": 2, "bea": 3}), {})
    assert easy["ann"].mu < after["ann"].mu, "a win over a weaker bot counts less"


def test_a_bot_that_was_not_measured_does_not_take_part() -> None:
    assert rate(finished({"ann": 1, "RANDOM": 2, "bea": 3}), {}) == rate(finished({"ann": 1, "bea": 2}), {})


def test_a_later_measurement_leaves_the_ratings_of_earlier_games(monkeypatch: pytest.MonkeyPatch) -> None:
    later = {("planners", "normal"): BotRating(30.0, 1.0)}
    game = finished({"ann": 1, "NORMAL": 2, "bea": 3})
    before = rate(game, {})
    monkeypatch.setattr(bot_ratings, "_measurements", lambda: [(0, BOTS), (game.ended + 1, later)])
    assert rate(game, {}) == before
    assert rate(replace(game, ended=game.ended + 1), {}) != before


def test_a_person_whose_seat_a_bot_held_at_the_end_has_the_result_of_the_seat() -> None:
    played = rate(finished({"ann": 1, "bea": 2}), {})
    for left in ({"stood_in": True}, {"resigned": True, "stood_in": True}):
        assert rate(record(seat("ann", 1), seat("bea", 2, **left)), {}) == played
        assert rate(record(seat("ann", 1, **left), seat("bea", 2)), {}) == played


# -- what counts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        finished({"ann": 1, "bea": 2}, rated=False),
        finished({"ann": 1, "bea": 2}, origin="table1:30"),
        finished({"ann": 1, "NORMAL": 2}),
        finished({"NORMAL": 1, "EASY": 2}),
        abandoned(seat("ann"), seat("bea")),
        abandoned(seat("ann", resigned=True), seat("bea", stood_in=True)),
        abandoned(seat("ann", resigned=True), seat(None, bot="easy")),
    ],
    ids=["unrated", "continued", "one person", "nobody", "agreed", "all left", "left bots"],
)
def test_what_does_not_count_changes_nothing(game: object) -> None:
    assert rate(game, {}) == {}  # type: ignore[arg-type]
    assert not counts(game)  # type: ignore[arg-type]


def test_who_leaves_an_abandoned_game_loses_to_those_who_stayed_and_these_tie() -> None:
    game = abandoned(seat("ann"), seat("bea", resigned=True), seat("cai"), seat("dev", stood_in=True))
    assert counts(game)
    after = rate(game, {})
    assert after == rate(finished({"ann": 1, "bea": 3, "cai": 1, "dev": 3}), {})
    assert after["ann"] == after["cai"]
    assert after["bea"].change == after["dev"].change < 0 < after["ann"].change


def test_bots_do_not_count_in_an_abandoned_game() -> None:
    people = (seat("ann"), seat("bea", resigned=True))
    assert rate(abandoned(*people, seat(None, bot="normal")), {}) == rate(abandoned(*people), {})


# -- the data of the bots -------------------------------------------------------------------------------------


def test_every_bot_that_people_can_choose_has_a_measured_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for game, strategies in STRATEGIES.items():
        # Those of the last measurement: an earlier one may lack a strength that came later.
        found = {strength: bot_ratings.bot_rating(game, strength, 2**62) for strength in _measured(game, strategies)}
        assert found["normal"] == BotRating(25.0, 0.0), "the anchor: 1500"
        measured = [rating for rating in found.values() if rating is not None]
        assert len(measured) == len(found)
        assert measured == sorted(measured), "the weakest first"
        assert all(0 < rating.sigma < 5 for rating in measured if rating != found["normal"])


def test_measurements_are_in_the_order_of_the_days_from_which_they_are_in_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    since = [begin for begin, _ in bot_ratings._measurements()]
    assert since[0] == 0
    assert since == sorted(set(since))


def test_the_document_has_the_ratings_of_the_last_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    text = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text("utf-8")
    measured = bot_ratings._measurements()[-1][1]
    for game, strategies in STRATEGIES.items():
        rated = _measured(game, strategies)
        assert f"| Game | {' | '.join(rated)} |" in text
        cells = [game.capitalize(), *(_cell(measured[game, strength]) for strength in rated)]
        assert f"| {' | '.join(cells)} |" in text


def _measured(game: str, strategies: Iterable[str]) -> list[str]:
    """Return the strengths of a game but an expert that was not measured yet."""
    measured = bot_ratings._measurements()[-1][1]
    return [strength for strength in strategies if strength != "expert" or (game, strength) in measured]


def test_an_expert_counts_as_hard_until_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    hard, expert = BotRating(30.0, 1.0), BotRating(35.0, 1.0)
    first = {("investors", "hard"): hard}
    monkeypatch.setattr(
        bot_ratings, "_measurements", lambda: [(0, first), (9, {**first, ("investors", "expert"): expert})]
    )
    assert [bot_ratings.bot_rating("investors", "expert", ended) for ended in (1, 8, 9)] == [hard, hard, expert]
    assert bot_ratings.bot_rating("investors", "divine", 9) is None


def _cell(bot: BotRating) -> str:
    shown = PersonRating(bot.mu, bot.sigma).shown()
    return f"{shown.rating} ± {shown.uncertainty}" if shown.uncertainty else str(shown.rating)
