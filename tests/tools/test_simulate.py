"""Random games: legal to the end, and the same for the same seed everywhere."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.engine.play import begin, replay
from server.games.registry import GAMES
from server.tools.simulate import PythonRng, ResultTable, random_game, round_of
from tests.games.toys import AUCTION, MOSAIC, TOYS

ALL = {**GAMES, **TOYS}


@pytest.mark.parametrize("name", ALL)
def test_a_game_is_played_to_its_end_and_its_steps_lead_there(name: str) -> None:
    game = ALL[name]
    for seats in game.seats:
        played = random_game(game, seats, read_options(game.options, {}), seed=5)
        assert played.play.decision is None
        assert played.outcome == game.outcome(replay(game, played.steps).state)
        assert len(played.outcome.scores) == seats
        assert played.decisions == len(played.steps) - 1 > 0


@pytest.mark.parametrize("name", ALL)
def test_a_game_follows_from_its_seed_and_its_number_alone(name: str) -> None:
    game = ALL[name]
    options = read_options(game.options, {})
    games = {
        (seed, number): random_game(game, game.seats[-1], options, seed, number)
        for seed in (1, 11)
        for number in (1, 11)
    }
    for (seed, number), played in games.items():
        assert random_game(game, game.seats[-1], options, seed, number).steps == played.steps
    assert len({played.seed for played in games.values()}) == 4


def test_forced_seats_are_asked_if_that_is_wanted() -> None:
    game = GAMES["investors"]
    options = read_options(game.options, {})
    asked, not_asked = (random_game(game, 4, options, seed=1, asks_forced=asks).decisions for asks in (True, False))
    assert asked > 1.3 * not_asked


def test_the_published_seed_is_the_one_that_the_dice_followed() -> None:
    game = GAMES["investors"]
    options = read_options(game.options, {})
    played = random_game(game, 3, options, seed=2)
    _, step = begin(game, 3, options, Dice(played.seed))
    assert step == played.steps[0]


def test_the_result_as_an_object_names_all_that_is_asked_of_it() -> None:
    played = random_game(AUCTION, 3, read_options(AUCTION.options, {}), seed=1, number=7)
    json_value = played.to_json()
    assert json_value["number"] == 7
    assert json_value["seed"] == played.seed.hex()
    assert json_value["reason"] == "deck_empty"
    assert json_value["scores"] == list(played.outcome.scores)
    assert json_value["rounds"] == played.play.state.round
    assert json_value["decisions"] == played.decisions
    assert {"places", "winners", "tie_break", "breakdown"} <= json_value.keys()


def test_a_game_without_rounds_has_none() -> None:
    played = random_game(MOSAIC, 2, read_options(MOSAIC.options, {}), seed=1)
    assert round_of(played.play) is None
    assert played.to_json()["rounds"] is None
    assert ResultTable(2).line(played).split()[-2] == "-"


def test_a_line_of_the_table_says_who_won_with_what_and_why() -> None:
    played = random_game(AUCTION, 3, read_options(AUCTION.options, {}), seed=1)
    table = ResultTable(3)
    assert table.header.split() == ["game", "winner", "scores", "reason", "tie-break", "rounds", "decisions"]
    number, *winners_and_scores, reason, tie_break, rounds, decisions = table.line(played).split()
    assert winners_and_scores == [*map(str, played.outcome.winners), *map(str, played.outcome.scores)]
    assert (number, reason, tie_break) == ("1", "deck_empty", "-")
    assert (rounds, decisions) == (str(round_of(played.play)), str(played.decisions))


def test_a_generator_returns_every_number_below_the_bound_about_as_often() -> None:
    rng = PythonRng(b"some seed")
    counts = Counter(rng.randrange(7) for _ in range(7_000))
    assert sorted(counts) == list(range(7))
    assert all(850 < count < 1_150 for count in counts.values())


def test_a_generator_returns_the_numbers_that_its_seed_fixes() -> None:
    expected = random.Random(int.from_bytes(b"abc", "big"))
    rng = PythonRng(b"abc")
    assert [rng.randrange(100) for _ in range(5)] == [int(expected.random() * 100) for _ in range(5)]
