"""An analysis finds planted blunders and blames nothing else; it uses only what each seat could know."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protocol.codec import Encoding, encode
from server.bots.judges import JUDGES
from server.bots.question import read_question
from server.bots.strategy import Judgement, question_from_play
from server.coach import analysis
from server.coach.analysis import MAX_ROWS, Effort, NotAnalysable, analyse, judged_decisions
from server.coach.decisions import Decided, PlayedGame
from server.games.engine.dice import Dice
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.games.investors.commands import PlaceStick, Waive
from server.games.planners.commands import Draw, Finalize
from tests.coach.games import decisive_decision, play_before, played_game, random_game
from tests.games.players import seed_bytes

SEATS = {"investors": 3, "planners": 2, "builders": 2}
LITTLE = Effort(screening=3, shortlist=2, shortlisting=4, confirmed=1, confirming=12, chances=6)
SOME = Effort(screening=8, shortlist=3, shortlisting=10, confirmed=2, confirming=30, chances=6)


@cache
def game_of(name: str) -> PlayedGame:
    return played_game(name, SEATS[name], 5)


def shortened(game: PlayedGame, decisions: int) -> PlayedGame:
    """Return a game with its last decisions and its last moments alone."""
    return game._replace(moments=game.moments[-3:], decisions=game.decisions[-decisions:])


# -- planted blunders -------------------------------------------------------------------------------------------------


def test_a_planted_blunder_is_found_in_builders() -> None:
    """Check a decision of which the rules say, in any deal of what is hidden, that one answer wins and one loses."""
    decisive = decisive_decision("builders", 2)
    seat = decisive.decided.seat
    found = analyse(decisive.game, SOME)
    assert found["seats"][seat]["decisions"] == {"judged": 1, "good": 0, "close": 0, "poor": 1}
    (point,) = found["seats"][seat]["points"]
    assert point["step"] == decisive.decided.step
    assert point["better"] in [to_json(command) for command in decisive.winning]
    assert point["better_chance"][0] - point["chance"][0] == point["cost"][0] >= 700
    assert [one["summary"]["skill"] for one in found["seats"]][seat] == -point["cost"][0]
    assert found["seats"][1 - seat]["summary"]["others"] == point["cost"][0], "what one seat lost, the other one won"
    for number, one in enumerate(found["seats"]):
        summary, chances = one["summary"], found["chances"]
        change = chances[-1]["seats"][number][0] - chances[0]["seats"][number][0]
        assert summary["skill"] + summary["others"] + summary["luck"] == change
    for winning in decisive.winning[:3]:
        (judged,) = judged_decisions(JUDGES["builders"], [decisive.decided._replace(command=winning)], SOME)
        assert judged.quality == "good"


@pytest.mark.parametrize(
    "game, winning, losing",
    [
        # The last column: B gives the cards for the win, C does not, and drawing ends the game.
        ("planners", Finalize(1), (Finalize(2), Draw())),
        # The last stick settles a district.
        ("investors", PlaceStick(43), (Waive(),)),
    ],
)
def test_a_planted_blunder_is_found_at_the_end(game: str, winning: Command, losing: Sequence[Command]) -> None:
    question = read_question(json.loads(Path(__file__).with_name(f"{game}_end.json").read_text("utf-8")))
    for command in (winning, *losing):
        (judged,) = judged_decisions(JUDGES[game], [Decided(7, {}, question, command)], SOME)
        assert judged.quality == ("good" if command == winning else "poor")
        if command != winning:
            assert judged.better == winning
            assert judged.cost is not None
            assert judged.cost.low > 0.5


# -- no blame ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEATS)
def test_a_perfect_player_is_not_blamed(name: str) -> None:
    """Check decisions of a player who gives the best answer by trials that are not those of the analysis."""
    judge, rng = JUDGES[name], random.Random(4)
    sound = []
    for decided in rng.sample(game_of(name).decisions[-20:], 4):
        answers = judge.alternatives(decided.question, decided.command, rng)
        found = judge.judge(decided.question, answers, rng, 24, to_end=True).chances
        seat = decided.seat
        best = max(range(len(answers)), key=lambda number: sum(trial[seat] for trial in found[number]))
        sound.append(decided._replace(command=answers[best]))
    assert all(judged.quality != "poor" for judged in judged_decisions(judge, sound, SOME))


def test_what_looks_like_a_mistake_in_few_trials_is_not_blamed_for_them() -> None:
    """Check that answers that differ by luck alone are not blamed, though screening suspects some of them."""
    lucky = _Lucky()
    decided = game_of("planners").decisions[0]
    decisions = [decided._replace(step=step) for step in range(200)]
    effort = Effort(screening=4, shortlist=200, shortlisting=4, confirmed=200, confirming=20)
    judged = judged_decisions(lucky, decisions, effort)
    assert lucky.confirmed > 5, "some are suspected twice"
    assert [one.quality for one in judged].count("poor") == 0


class _Lucky:
    """A judge whose answers are equally good."""

    def __init__(self) -> None:
        self.confirmed = 0

    def alternatives(self, question: Any, played: Any, rng: random.Random) -> tuple[Any, ...]:
        return played, Finalize(1), Finalize(2)

    def judge(self, question: Any, answers: Any, rng: random.Random, trials: int, *, to_end: bool = False) -> Any:
        self.confirmed += trials == 20
        shares = [[rng.random() for _ in range(trials)] for _ in answers]
        return Judgement(tuple(answers), tuple(tuple((x, 1 - x) for x in one) for one in shares))

    def chances(self, question: Any, rng: random.Random, trials: int) -> Any:
        raise AssertionError


# -- secrecy ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEATS)
def test_the_analysis_of_a_seat_does_not_change_with_what_it_could_not_know(name: str) -> None:
    """Deal again all that the seat could not know, before each of its decisions: nothing may change for it."""
    game = game_of(name)
    chosen = [decided for decided in game.decisions if decided.seat == 1][-12:]
    redealt, differing = [], 0
    for decided in chosen:
        play = play_before(game, decided.step)
        past = [event for moment in game.moments if moment.step < decided.step for event in moment.events]
        assert game.game.redeal is not None
        event = game.game.redeal(play.state, decided.seat, past, Dice(seed_bytes(decided.step)))
        state = game.game.apply(play.state, event)
        differing += any(
            play.game.own_view(state, other) != play.game.own_view(play.state, other) for other in range(game.seats)
        )
        question = question_from_play(
            play._replace(state=state, decision=game.game.decision(state)), decided.seat, game.options
        )
        redealt.append(decided._replace(question=question))
    if name != "planners":
        assert differing > 0, "others have other cards"
    judge = JUDGES[name]
    assert judged_decisions(judge, redealt, LITTLE) == [
        one._replace(decided=other) for one, other in zip(judged_decisions(judge, chosen, LITTLE), redealt, strict=True)
    ]


def test_the_analysis_of_a_seat_does_not_change_with_the_decisions_of_others() -> None:
    game = shortened(game_of("builders"), 16)
    own = [decided for decided in game.decisions if decided.seat == 0]
    assert 0 < len(own) < len(game.decisions)
    both, alone = (analyse(one, LITTLE)["seats"][0] for one in (game, game._replace(decisions=tuple(own))))
    assert both["points"] == alone["points"]
    assert both["decisions"] == alone["decisions"]
    assert both["summary"]["skill"] == alone["summary"]["skill"]


# -- findings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEATS)
def test_findings_are_the_same_each_time_and_fit_in_a_message(name: str) -> None:
    game = shortened(game_of(name), 12)
    progress: list[tuple[int, int]] = []
    found = analyse(game, LITTLE, lambda done, of: progress.append((done, of)))
    assert analyse(game, LITTLE) == found
    encode({"type": "done", "id": "1", "result": {"analysis": {"findings": found}}}, Encoding.JSON)
    assert progress[0][0] == 0
    assert progress[-1][0] == progress[-1][1]
    assert progress == sorted(progress)
    assert sum(seat["decisions"]["judged"] for seat in found["seats"]) == 12
    for seat in found["seats"]:
        assert sum(seat["decisions"][quality] for quality in ("good", "close", "poor")) == seat["decisions"]["judged"]
        assert (seat["summary"]["bids"] is None) == (name != "investors")


def test_there_is_a_row_of_chances_for_each_round_and_the_last_one_is_the_result() -> None:
    game = game_of("investors")
    found = analyse(game._replace(decisions=game.decisions[-1:]), LITTLE)["chances"]
    rounds = [row["stage"]["round"] for row in found]
    assert rounds[:-1] == list(range(1, rounds[-2] + 1))
    outcome = game.game.outcome(game.moments[-1].play.state)
    assert outcome is not None
    assert [row[0] for row in found[-1]["seats"]] == [1000 * (place == 1) for place in outcome.places]
    assert found[-1]["step"] == game.moments[-1].step
    for row in found:
        assert abs(sum(value for value, _, _ in row["seats"]) - 1000) <= 2
        assert all(0 <= low <= value <= high <= 1000 for value, low, high in row["seats"])


def test_rows_of_a_long_game_are_bounded() -> None:
    game = random_game("planners", 3, 1)
    moments = [moment for moment in game.moments for _ in range(3)]
    assert 2 <= len(analysis._row_moments(game._replace(moments=tuple(moments)))) <= MAX_ROWS
    first = game._replace(moments=game.moments[:1])
    assert analysis._row_moments(first) == list(game.moments[:1])


def test_an_abandoned_game_ends_with_chances_and_not_with_a_result() -> None:
    game = game_of("planners")
    begun = game._replace(moments=game.moments[:3], decisions=game.decisions[:2])
    found = analyse(begun, LITTLE)
    assert 0 < found["chances"][-1]["seats"][0][0] < 1000


def test_a_game_without_decisions_cannot_be_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotAnalysable):
        analyse(game_of("planners")._replace(decisions=()))
    toy = replace(game_of("planners").game, name="toy")
    with pytest.raises(NotAnalysable):
        analyse(game_of("planners")._replace(game=toy))
