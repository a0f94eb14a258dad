"""The ratings of bots: fitted to places, with `normal` at 1500."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from server.bots.registry import STRATEGIES
from server.history import ratings
from server.tools import bot_ratings, rating_fit
from server.tools.arena import Match, Result
from server.tools.bot_ratings import line_ups, main, matches
from server.tools.rating_fit import BETA, MEAN, Contest, contest, fit


def drawn(means: dict[str, float], strengths: list[str], rng: Random) -> Contest:
    """Return a game that was drawn from the Plackett–Luce model."""
    scale = BETA * math.sqrt(len(strengths))
    # The order of exponential variables with these rates is that of the model.
    times = [rng.expovariate(math.exp((means[strength] - MEAN) / scale)) for strength in strengths]
    return contest([1 + sum(other < time for other in times) for time in times], strengths)


def test_the_fit_finds_the_ratings_by_which_games_were_drawn() -> None:
    means = {"easy": 17.0, "normal": 25.0, "hard": 30.0}
    rng = Random(1)
    line_up = [["easy", "normal"], ["easy", "normal", "normal", "hard"], ["hard", "normal", "easy"]]
    fitted = fit([drawn(means, rng.choice(line_up), rng) for _ in range(3000)], "normal")
    assert fitted.keys() == {"easy", "hard"}
    for strength, (mu, sigma) in fitted.items():
        assert sigma < 0.4
        assert mu == pytest.approx(means[strength], abs=3 * sigma)


def test_a_strength_that_has_lost_every_game_has_a_finite_rating() -> None:
    fitted = fit([((1, "normal"), (2, "easy"))] * 1000, "normal")
    assert -25 < fitted["easy"].mu < 10


def test_ties_are_no_difference() -> None:
    fitted = fit([((1, "hard"), (1, "normal"))] * 50, "normal")
    assert fitted["hard"].mu == pytest.approx(MEAN)


def test_more_games_make_a_rating_more_certain() -> None:
    games: list[Contest] = [((1, "hard"), (2, "normal")), ((1, "normal"), (2, "hard"))]
    few, many = (fit(games * number, "normal")["hard"] for number in (5, 500))
    assert many.sigma < few.sigma < rating_fit.DEVIATION


def test_the_fit_has_the_constants_of_ratings() -> None:
    assert (ratings.NEW.mu, ratings.NEW.sigma) == (rating_fit.MEAN, rating_fit.DEVIATION)
    assert ratings._MODEL.beta == BETA


def test_every_strength_plays_with_every_number_of_seats() -> None:
    for game, strategies in STRATEGIES.items():
        planned = list(matches(game, seed=0, games=10, hard_games=4))
        assert {strength for match, _ in planned for strength in match.entrants} == set(strategies)
        assert all(number % len(match.entrants) == 0 for match, number in planned), "whole rotations"
    assert line_ups(3, ("easy", "normal")) == [("easy", "normal", "easy")]


def test_another_strength_is_measured_against_the_one_below_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strategies = {"planners": dict.fromkeys(("novice", "easy", "normal", "hard", "expert"))}
    monkeypatch.setattr(bot_ratings, "STRATEGIES", strategies)
    monkeypatch.setattr(bot_ratings, "play_match", fake_match)
    assert line_ups(3, tuple(strategies["planners"])) == [
        ("novice", "normal", "novice"),
        ("easy", "normal", "easy"),
        ("hard", "normal", "normal"),
        ("expert", "hard", "hard"),
    ]
    main(["--games", "40", "--hard-games", "40"])
    (measurement,) = json.loads(capsys.readouterr().out)
    measured = measurement["ratings"]["planners"]
    assert list(measured) == list(strategies["planners"])
    assert sorted(measured, key=lambda strength: measured[strength]["mu"]) == list(measured)


def fake_match(match: Match, games: int, jobs: int) -> Iterator[Result]:
    """Yield games in which the stronger ones usually win."""
    rng = Random(f"{match.game} {match.entrants}")
    order = ["expert", "hard", "normal", "easy", "novice"]
    for number in range(games):
        seated = match.seated(number)
        keys = [order.index(strength) + rng.random() * 1.5 for strength in seated]
        places = tuple(1 + sum(other < key for other in keys) for key in keys)
        nothing = tuple(0.0 for _ in seated)
        yield Result(seated, nothing, nothing, places, tuple(array("d") for _ in seated))


def test_measurements_are_added_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bot_ratings, "play_match", fake_match)
    file = tmp_path / "ratings.json"
    main(["--games", "20", "--hard-games", "10", "--add", str(file)])
    main(["--games", "40", "--hard-games", "10", "--add", str(file), "--since", "2027-01-01"])
    first, second = json.loads(file.read_text())
    assert json.loads(capsys.readouterr().out.split("\n]\n")[1] + "\n]") == [first, second]
    assert (first["since"], second["since"]) == (0, 1_798_761_600_000)
    assert second["command"] == "python -m server.tools.bot_ratings --games 40 --hard-games 10 --seed 0"
    for game in STRATEGIES:
        measured = first["ratings"][game]
        assert list(measured) == list(STRATEGIES[game])
        assert measured["easy"]["mu"] < measured["normal"]["mu"] == 25.0 < measured["hard"]["mu"]
        assert measured["hard"]["games"] < measured["easy"]["games"] < measured["normal"]["games"]
    with pytest.raises(SystemExit):
        main(["--games", "20", "--add", str(file), "--since", "2026-12-31"])
    assert "later than that of the last measurement" in capsys.readouterr().err
    assert len(json.loads(file.read_text())) == 2
