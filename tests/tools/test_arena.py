"""Strategies play each other: each in every seat, and the same games for the same seed."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from server.bots.registry import UnknownStyle
from server.bots.strategy import BotChoice, Question, Style
from server.cli import main
from server.games.engine.events import Event
from server.games.engine.game import ranked
from server.games.engine.options import read_options
from server.games.registry import GAMES
from server.tools import arena
from server.tools.arena import Entrant, Match, Result, play_game, play_match, read_entrant
from server.tools.arena_measures import Ratio, measures_of
from server.tools.arena_report import Standing, report

MATCH = Match("investors", read_options(GAMES["investors"].options, {}), ("easy", "random", "random"), seed=3)


ENDS = {
    "investors": {"years", "stalled", "full", "spent"},
    "planners": {"foundations", "full", "stuck"},
    "builders": {"eighth", "final_year"},
}


def without_times(result: Result) -> Result:
    return replace(result, seconds=tuple(array("d", bytes(8 * len(times))) for times in result.seconds))


def result(seated: str, wins: tuple[float, ...], points: tuple[float, ...], times: tuple[float, ...]) -> Result:
    places = ranked(wins)
    return Result(tuple(seated.split()), wins, points, places, tuple(array("d", [time] * 2) for time in times))


def standings(match: Match, results: list[Result]) -> tuple[Standing, ...]:
    return report(match, results).standings


def test_every_entrant_plays_a_deal_in_every_seat_before_the_next_deal() -> None:
    assert [MATCH.seated(number).index("easy") for number in range(6)] == [0, 2, 1, 0, 2, 1]
    assert [MATCH.deal(number) for number in range(6)] == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    "entrants, seatings",
    [
        (("easy",) * 4, 1),
        (("easy", "hard", "easy", "hard"), 2),
        (("easy", "hard", "hard", "hard"), 4),
        (("easy", "easy:greedy", "easy:spoiler"), 3),
    ],
)
def test_seatings_that_repeat_an_earlier_one_are_not_played(entrants: tuple[str, ...], seatings: int) -> None:
    match = MATCH._replace(entrants=entrants)
    assert match.seatings == seatings
    assert len({match.seated(number) for number in range(seatings)}) == seatings
    assert match.seated(seatings) == match.seated(0)
    assert [match.deal(number) for number in range(2 * seatings)] == [0] * seatings + [1] * seatings
    assert [match.whole_deals(games) for games in (1, seatings, seatings + 1)] == [seatings, seatings, 2 * seatings]


def test_four_equal_entrants_play_different_games() -> None:
    match = MATCH._replace(entrants=("easy",) * 4)
    first, second = (without_times(played) for played in play_match(match, games=2, jobs=1))
    assert first.points != second.points


def test_an_entrant_may_have_a_style() -> None:
    assert read_entrant("hard") == Entrant("hard", None)
    assert read_entrant("hard:cautious") == Entrant("hard", Style.CAUTIOUS)
    for text in ("hard:", "hard:loud", "random:greedy"):
        with pytest.raises(UnknownStyle):
            read_entrant(text)


def test_every_entrant_is_asked_in_its_own_style(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[tuple[int, Style | None]] = set()

    class Listening:
        def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
            asked.add((question.seat, question.style))
            return BotChoice(question.prompt.fallback)

    monkeypatch.setattr(arena, "strategy_of", lambda game, strength: Listening())
    match = Match("planners", read_options(GAMES["planners"].options, {}), ("normal:greedy", "normal"), seed=1)
    play_game(match, 1)
    assert asked == {(0, None), (1, Style.GREEDY)}


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
    assert played.end in ENDS[game]
    assert played.rounds > 1
    assert played.measures
    assert all(len(ratios) == seats for ratios in played.measures.values())


def test_what_investors_paid_is_counted_by_the_winner() -> None:
    events = [
        SimpleNamespace(name=name, **fields)
        for name, fields in [
            ("bid_raised", {"seat": 1}),
            ("bid_raised", {"seat": 0}),
            ("bid_raised", {"seat": 1}),
            ("auction_won", {"seat": 1, "cheques": (40, 60)}),
            *[("round_ended", {})] * 4,
            ("bid_raised", {"seat": 1}),
            ("auction_won", {"seat": 1, "cheques": (10, 10, 10)}),
            ("option_won", {"seat": 0, "cheques": (100,)}),
        ]
    ]
    measures = measures_of("investors", cast("list[Event]", events), 2)
    assert measures == {
        "bids per auction won": (Ratio(), Ratio(4, 2)),
        "cheques per payment": (Ratio(1, 1), Ratio(5, 2)),
        "price of an auction": (Ratio(), Ratio(130, 2)),
        "the same in rounds 1-4": (Ratio(), Ratio(100, 1)),
    }


def test_a_shared_first_place_is_a_shared_win() -> None:
    match = MATCH._replace(entrants=("easy", "random"))
    results = [
        result("easy random", (1.0, 0.0), (10, 4), (0.001, 0.002)),
        result("random easy", (0.5, 0.5), (8, 8), (0.002, 0.003)),
    ]
    easy, chance = standings(match, results)
    assert (easy.entrant, easy.seats, easy.wins, easy.won.value) == ("easy", 1, 1.5, 0.75)
    assert (chance.wins, chance.won.value) == (0.5, 0.25)
    assert (easy.points.value, chance.points.value) == (9.0, 6.0)
    assert (easy.decisions, easy.median_seconds, easy.p99_seconds) == (4, 0.003, 0.003)


def test_several_seats_of_one_strength_are_counted_together_and_given_as_one_seat() -> None:
    results = [result("easy random random", (0.0, 1.0, 0.0), (3, 6, 2), (0, 0, 0))] * 4
    easy, chance = standings(MATCH, results)
    assert (chance.seats, chance.wins, chance.won.value, chance.points.value) == (2, 4.0, 0.5, 4.0)
    assert easy.won.value == 0.0


WON = result("easy random random", (1.0, 0.0, 0.0), (1, 0, 0), (0, 0, 0))
LOST = result("easy random random", (0.0, 1.0, 0.0), (0, 1, 0), (0, 0, 0))


def test_confidence_intervals_are_those_of_independent_deals() -> None:
    """Check 100 deals, of which 70 were won in all three games: by Wilson's formula between 60.4 % and 78.1 %."""
    easy = standings(MATCH, [WON] * 210 + [LOST] * 90)[0]
    # Its number of trials is estimated from the spread of the deals, and so 99 rather than 100.
    assert (easy.won.low, easy.won.high) == (pytest.approx(0.604, abs=0.001), pytest.approx(0.781, abs=0.001))
    assert (round(easy.points.low, 3), round(easy.points.high, 3)) == (0.61, 0.79)
    never = standings(MATCH, [LOST] * 60)[0]
    assert never.won.low == 0.0
    assert 0.1 < never.won.high < 0.2, "20 deals say as much as 20 games, not as 60"


def test_games_of_a_deal_that_cancel_each_other_make_a_share_more_certain() -> None:
    alike = standings(MATCH, [WON] * 3 * 20 + [LOST] * 6 * 20)[0].won
    cancelling = standings(MATCH, [WON, LOST, LOST] * 60)[0].won
    assert alike.value == pytest.approx(cancelling.value) == pytest.approx(1 / 3)
    assert alike.low < cancelling.low < cancelling.value < cancelling.high < alike.high


def test_a_report_counts_games_deals_ends_and_measures() -> None:
    measured = [
        replace(WON, end="years", rounds=20, measures={"price": (Ratio(100, 2), Ratio(), Ratio(30, 1))}),
        replace(LOST, end="spent", rounds=12, measures={"price": (Ratio(20, 1), Ratio(), Ratio())}),
        replace(WON, end="years", rounds=10, measures={"price": (Ratio(), Ratio(), Ratio())}),
    ]
    reported = report(MATCH, measured * 4)
    assert (reported.games, reported.deals, reported.ends) == (12, 4, {"years": 8, "spent": 4})
    assert reported.rounds == (14, 14, 14), "the deals are alike"
    assert reported.decisions.value == 6
    easy, chance = reported.standings
    assert (easy.measures["price"].value, chance.measures["price"].value) == (40, 30)
    silent = replace(WON, end="full", measures={"price": (Ratio(), Ratio(), Ratio())})
    assert report(MATCH, [silent] * 3).standings[0].measures == {}


def test_the_command_prints_lines_or_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    entrants = "easy,easy:greedy,random"
    arguments = ["arena", "investors", "--seats", entrants, "--games", "2", "--seed", "3", "--jobs", "1"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    first, _, header, *lines = printed.splitlines()
    assert first == "3 games: 1 deal of 3 games, one for each seating."
    assert header.split()[:2] == ["strength", "seats"]
    assert [line.split()[:2] for line in lines[:3]] == [["easy", "1"], ["easy:greedy", "1"], ["random", "1"]]
    for name in ("bids per auction won", "cheques per payment", "ends:", "decisions per game:", "rounds per game:"):
        assert f"\n{name}" in printed
    assert main([*arguments, "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert (reported["game"], reported["games"], reported["deals"], reported["seed"]) == ("investors", 3, 1, 3)
    assert sum(reported["ends"].values()) == 3
    assert reported["decisions_per_game"] > reported["rounds_per_game"] > 1
    assert [standing["strength"] for standing in reported["standings"]] == entrants.split(",")
    assert sum(standing["wins"] for standing in reported["standings"]) == pytest.approx(3.0, abs=0.01)
    assert "bids per auction won" in reported["standings"][0]["measures"]


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["checkers", "--seats", "easy,easy"], "There is no game 'checkers'"),
        (["investors", "--seats", "easy,easy"], "Investors is for 3 to 5 players, not for 2."),
        (["investors", "--seats", "easy,easy,divine"], "investors has no bot of strength 'divine'"),
        (["investors", "--seats", "easy,easy,"], "investors has no bot of strength ''"),
        (["investors", "--seats", "easy,easy,easy:loud"], "There is no style 'loud'; there are cautious, greedy, "),
        (["investors", "--seats", "easy,easy,easy:"], "The style is missing in 'easy:'."),
        (["investors", "--seats", "easy,easy,random:greedy"], "A random bot has no style."),
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
