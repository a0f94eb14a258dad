"""Games shown as text: every step in words, the position in characters, the result as a table."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any, NoReturn

import pytest

from server.games.engine.game import Game
from server.games.engine.game_log import DamagedLog, GameLog, read_log, write_log
from server.games.engine.options import read_options
from server.games.engine.play import Answered, Step, Undone, replay
from server.games.registry import GAMES
from server.tools.show import NoSuchStep, game_text, step_text
from server.tools.simulate import random_game
from tests.games.engine.test_game_log import chained, spoil
from tests.games.playing import play_out, sampled_options
from tests.games.toy_auction import AuctionClosed, Bid, BidsRevealed, Dealt, PrizeTaken, PrizeTurned, Sit
from tests.games.toy_mosaic import RowLaid, StonePlaced, StoneTaken, TurnEnded
from tests.games.toys import AUCTION, MOSAIC, TOYS

ALL: dict[str, Game[Any]] = {**GAMES, **TOYS}


def log_of(game: Game[Any], seats: int, seed: int = 3) -> GameLog:
    played = random_game(game, seats, read_options(game.options, {}), seed)
    return GameLog(game, game.rules_version, tuple(played.steps))


def part_of(log: GameLog, steps: int) -> GameLog:
    return GameLog(log.game, log.rules, log.steps[:steps])


@pytest.mark.parametrize("name", ALL)
def test_every_event_of_a_game_is_told_and_the_last_position_drawn(name: str) -> None:
    game = ALL[name]
    log = log_of(game, game.seats[-1])
    text = game_text(log)
    position = 0
    for step in log.steps:
        for event in step:
            sentence = game.describe(event) if type(event) in game.events else "seals an answer"
            position = text.index(sentence, position) + len(sentence)
    assert game.draw(replay(game, log.steps).state) in text[position:]


@pytest.mark.parametrize("name", ALL)
def test_a_game_can_be_shown_at_any_length_and_at_any_step(name: str) -> None:
    game = ALL[name]
    log = log_of(game, game.seats[0])
    for steps in {1, 2, 3, len(log.steps) // 2, len(log.steps) - 1}:
        assert "not finished" in game_text(part_of(log, steps)).splitlines()[0]
        assert "\nAwaited: " in game_text(part_of(log, steps))
        assert step_text(log, steps).splitlines()[2:] == step_text(part_of(log, steps), steps).splitlines()[2:]
    assert "The result" in step_text(log, len(log.steps))


FINISHED = GameLog(
    MOSAIC,
    1,
    (
        [RowLaid(1, 2, ("brick",), ("brick", "slate", "slate"))],
        [StoneTaken(0, "brick")],
        [Undone(0)],
        [StoneTaken(0, "slate")],
        [StonePlaced(0, 1)],
        [TurnEnded(0, "brick")],
        [StoneTaken(0, "slate")],
        [StonePlaced(0, 0), TurnEnded(0, "brick")],
    ),
)


def test_a_finished_game_is_shown_like_this() -> None:
    expected = """
        Mosaic, rules 1, 8 steps, finished

            1  Row laid.
            2  Stone taken.
            3  Seat 0 takes the last step back.
            4  Stone taken.
            5  Stone placed.
            6  Turn ended.
            7  Stone taken.
            8  Stone placed.
               Turn ended.

        The position
        ------------

        s s

        The result
        ----------

        place    seat  score  stones  pairs
            1  seat 0      5       4      1

        Ended by: boards full. Tie-break: not needed.
    """
    assert game_text(FINISHED) == dedent(expected).lstrip()


def test_a_single_step_is_shown_like_this() -> None:
    expected = """
        Mosaic, rules 1, 8 steps, finished

            5  Stone placed.

        The position
        ------------

        . s

        Awaited: seat 0 (end).
    """
    assert step_text(FINISHED, 5) == dedent(expected).lstrip()


def test_sealed_answers_are_told_in_words() -> None:
    dealt = Dealt(hands=((1, 2), (3, 4)), deck=(5, 6, 7, 8), reshuffle=False, rounds=None)
    steps = ([dealt, PrizeTurned(5)], [Answered(0, Sit())], [Answered(0, Bid(2))])
    lines = game_text(GameLog(AUCTION, 1, steps)).splitlines()
    assert "    2  Seat 0 seals an answer: sit." in lines
    assert "    3  Seat 0 seals an answer: bid, card 2." in lines
    assert lines[-1] == "Awaited: seat 1 (bid)."


def test_a_game_names_its_players_and_its_cards_in_the_same_words_everywhere() -> None:
    golden = Path(__file__).parents[1] / "golden" / "investors"
    log = read_log((golden / "bargaining-deal.log").read_text("utf-8"))
    text = game_text(log)
    assert "Yellow seals an answer: choose option, option factory or office." in text
    assert re.search(r"^ +1 +(yellow|blue|red|green) ", text, re.MULTILINE)
    assert not re.search(r"[Ss]eat \d|[a-z]_[a-z]", text)
    assert re.search(r"^Awaited: (yellow|blue|red|green)", game_text(part_of(log, 3)), re.MULTILINE)


def test_the_table_of_results_goes_by_place_and_names_the_tie_break() -> None:
    dealt = Dealt(hands=((1,), (2,), (3,)), deck=(5, 6, 9, 4, 7, 8, 2), reshuffle=False, rounds=3)
    steps: list[Step] = [[dealt]]
    for seat, prize in ((1, 5), (2, 1), (2, 4)):
        steps.append([PrizeTurned(prize), BidsRevealed((None, None, None), seat), PrizeTaken(seat)])
    steps.append([AuctionClosed("rounds_over")])
    assert game_text(GameLog(AUCTION, 1, tuple(steps))).splitlines()[-6:] == [
        "place    seat  score  prizes",
        "    1  seat 1      5       5",
        "    2  seat 2      5       5",
        "    3  seat 0      0       0",
        "",
        "Ended by: rounds over. Tie-break: fewest prizes.",
    ]


def test_a_position_is_drawn_as_each_round_begins() -> None:
    log = log_of(AUCTION, 2)
    text = game_text(log)
    last_round = replay(AUCTION, log.steps).state.round
    drawn = [line for line in text.splitlines() if line.startswith("Round ")]
    assert drawn == [f"Round {number}" for number in range(1, last_round + 1)]


def test_a_step_that_is_not_in_the_log_is_refused_with_a_sentence() -> None:
    log = log_of(MOSAIC, 2)
    for number in (0, -1, len(log.steps) + 1):
        with pytest.raises(NoSuchStep, match=f"The log has steps 1 to {len(log.steps)}; there is no step {number}."):
            step_text(log, number)


def test_a_game_that_breaks_off_in_damage_is_not_shown_at_any_step() -> None:
    log = log_of(MOSAIC, 2)
    damaged = GameLog(MOSAIC, 1, (*log.steps[:3], log.steps[0]))
    with pytest.raises(DamagedLog, match="Line 5 is damaged"):
        game_text(damaged)
    with pytest.raises(DamagedLog, match="Line 5 is damaged"):
        step_text(damaged, 1)


def stumble(*_: object) -> NoReturn:
    raise ZeroDivisionError


@pytest.mark.parametrize("part", ["describe", "draw", "outcome", "public_view"])
def test_whatever_part_of_a_game_stumbles_over_its_log_the_log_is_damaged(part: str) -> None:
    parts_of = {"describe": {"formatters": {"seat": stumble, "hands": stumble}}}
    fragile = replace(AUCTION, **parts_of.get(part, {part: stumble}))
    log = log_of(AUCTION, 2)
    with pytest.raises(DamagedLog, match=r"Line \d+ is damaged: it contradicts the rules or the lines before it\."):
        game_text(GameLog(fragile, 1, log.steps))


def test_a_game_without_rounds_that_cannot_be_drawn_is_damaged_too() -> None:
    log = log_of(MOSAIC, 2)
    for text in (game_text, lambda log: step_text(log, 1)):
        with pytest.raises(DamagedLog):
            text(GameLog(replace(MOSAIC, draw=stumble), 1, log.steps))


@pytest.mark.parametrize("name", ALL)
def test_a_log_with_a_whole_chain_and_any_wrong_value_is_shown_or_refused(name: str) -> None:
    rng = random.Random(2)
    game = ALL[name]
    seats = game.seats[-1]
    steps = play_out(game, seats, sampled_options(game, seats, rng), rng).steps[:80]
    header, *entries = map(json.loads, write_log(game, steps).splitlines())
    shown = 0
    for _ in range(100):
        spoilt = json.loads(json.dumps([header, *entries]))
        for entry in spoilt:
            del entry["chain"]
        spoil(rng.choice(spoilt[1:])["events"], rng)
        try:
            shown += bool(game_text(read_log(chained(*spoilt), ALL)))
        except DamagedLog:
            continue
    assert shown > 0
