"""Strategies play each other: each in every seat, and the same games for the same seed."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace

import pytest

from server.cli import main
from server.games.engine.game import ranked
from server.games.engine.options import read_options
from server.games.registry import GAMES
from server.tools.arena import Match, Result, Standing, play_game, play_match, standings

MATCH = Match("investors", read_options(GAMES["investors"].options, {}), ("easy", "random", "random"), seed=3)


def without_times(result: Result) -> Result:
    return replace(result, seconds=tuple(array("d", bytes(8 * len(times))) for times in result.seconds))


def result(seated: str, wins: tuple[float, ...], points: tuple[float, ...], times: tuple[float, ...]) -> Result:
    places = ranked(wins)
    return Result(tuple(seated.split()), wins, points, places, tuple(array("d", [time] * 2) for time in times))


def test_every_entrant_plays_a_deal_in_every_seat_before_the_next_deal() -> None:
    assert [MATCH.seated(number).index("easy") for number in range(6)] == [0, 2, 1, 0, 2, 1]


def test_the_same_seed_plays_the_same_games_in_one_process_or_in_several() -> None:
    alone = [without_times(played) for played in play_match(MATCH, games=4, jobs=1)]
    assert [without_times(played) for played in play_match(MATCH, games=4, jobs=2)] == alone
    assert without_times(play_game(MATCH._replace(seed=4), 0)) != alone[0]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_can_be_played_by_the_random_strategy(game: str) -> None:
    seats = GAMES[game].seats[-1]
    match = Match(game, read_options(GAMES[game].options, {}), ("random",) * seats, seed=1)
    played = play_game(match, 0)
    assert sum(played.wins) == pytest.approx(1.0)
    assert all(len(times) > 0 for times in played.seconds)


def test_a_shared_first_place_is_a_shared_win() -> None:
    match = MATCH._replace(entrants=("easy", "random"))
    results = [
        result("easy random", (1.0, 0.0), (10, 4), (0.001, 0.002)),
        result("random easy", (0.5, 0.5), (8, 8), (0.002, 0.003)),
    ]
    easy, chance = standings(match, results)
    assert (easy.strength, easy.seats, easy.wins, easy.won.value) == ("easy", 1, 1.5, 0.75)
    assert (chance.wins, chance.won.value) == (0.5, 0.25)
    assert (easy.points.value, chance.points.value) == (9.0, 6.0)
    assert (easy.decisions, easy.median_seconds, easy.p99_seconds) == (4, 0.003, 0.003)


def test_several_seats_of_one_strength_are_counted_together_and_given_as_one_seat() -> None:
    results = [result("easy random random", (0.0, 1.0, 0.0), (3, 6, 2), (0, 0, 0))] * 4
    easy, chance = standings(MATCH, results)
    assert (chance.seats, chance.wins, chance.won.value, chance.points.value) == (2, 4.0, 0.5, 4.0)
    assert easy.won.value == 0.0


def test_confidence_intervals() -> None:
    """Of 100 games 70 won: by Wilson's formula between 60.4 % and 78.1 %."""
    won = result("easy random random", (1.0, 0.0, 0.0), (1, 0, 0), (0, 0, 0))
    lost = result("easy random random", (0.0, 1.0, 0.0), (0, 1, 0), (0, 0, 0))
    easy = standings(MATCH, [won] * 70 + [lost] * 30)[0]
    assert (round(easy.won.low, 3), round(easy.won.high, 3)) == (0.604, 0.781)
    assert (round(easy.points.low, 3), round(easy.points.high, 3)) == (0.61, 0.79)
    never: Standing = standings(MATCH, [lost] * 20)[0]
    assert never.won.low == 0.0
    assert 0.1 < never.won.high < 0.2


def test_the_command_prints_a_table_or_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "investors", "--seats", "easy,random,random", "--games", "3", "--seed", "3", "--jobs", "1"]
    assert main(arguments) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert header.split()[:2] == ["strength", "seats"]
    assert [line.split()[:2] for line in lines] == [["easy", "1"], ["random", "2"]]
    assert main([*arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["game"], printed["games"], printed["seed"]) == ("investors", 3, 3)
    assert [standing["strength"] for standing in printed["standings"]] == ["easy", "random"]
    assert sum(standing["wins"] for standing in printed["standings"]) == pytest.approx(3.0, abs=0.01)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["checkers", "--seats", "easy,easy"], "There is no game 'checkers'"),
        (["investors", "--seats", "easy,easy"], "Investors is for 3 to 5 players, not for 2."),
        (["investors", "--seats", "easy,easy,divine"], "investors has no bot of strength 'divine'"),
        (["investors", "--seats", "easy,easy,"], "investors has no bot of strength ''"),
        (["investors", "--seats", "easy,easy,easy", "--option", "colour=red"], "There is no option 'colour'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.out == ""
