"""Every game keeps the contract, and the contract suite finds broken games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.games.engine.game import Game
from server.games.registry import GAMES
from server.tables.events import TABLE_EVENTS
from tests.games.broken import BROKEN, FALSELY_DECLARED
from tests.games.contract import (
    check_declarations,
    check_fallbacks,
    check_game,
    check_outcome,
    check_visibility,
    play_out_with_bias,
)
from tests.games.playing import sampled_options
from tests.games.toys import TOYS

GAMES_PER_CASE = int(os.environ.get("CONTRACT_GAMES", "3"))
"""The number of games per game and number of seats; raise it for a long run."""

ALL_GAMES = {**GAMES, **TOYS}
CASES = [pytest.param(game, seats, id=f"{game.name}-{seats}") for game in ALL_GAMES.values() for seats in game.seats]


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=lambda game: game.name)
def test_a_game_declares_what_can_be_told_and_read(game: Game[Any]) -> None:
    check_declarations(game)


def test_every_event_of_a_table_declares_who_may_see_it() -> None:
    check_visibility(TABLE_EVENTS)


@pytest.mark.parametrize("game, seats", CASES)
def test_a_game_keeps_the_contract_with_its_default_options(game: Game[Any], seats: int) -> None:
    options = {option.name: option.default for option in game.options}
    assert game.check_options(seats, options) is None
    check_game(game, seats, options, f"{game.name}/{seats}")


@pytest.mark.parametrize("game, seats", CASES)
def test_a_game_keeps_the_contract_with_any_options(game: Game[Any], seats: int) -> None:
    for number in range(GAMES_PER_CASE - 1):
        seed = f"{game.name}/{seats}/{number}"
        check_game(game, seats, sampled_options(game, seats, random.Random(seed)), seed)


@pytest.mark.parametrize("game, seats", CASES)
def test_the_outcomes_of_many_games_are_consistent(game: Game[Any], seats: int) -> None:
    # Playing is cheap compared with the checks above, and rare scores need many games.
    for number in range(5 * GAMES_PER_CASE):
        seed = f"{game.name}/{seats}/outcome/{number}"
        options = sampled_options(game, seats, random.Random(seed))
        check_outcome(play_out_with_bias(game, seats, options, seed))


@pytest.mark.parametrize("game, seats", CASES)
def test_a_game_ends_when_everybody_is_absent(game: Game[Any], seats: int) -> None:
    for number in range(GAMES_PER_CASE):
        seed = f"{game.name}/{seats}/absent/{number}"
        check_fallbacks(game, seats, sampled_options(game, seats, random.Random(seed)), seed)


def fingerprint_with(hash_seed: int, game: str) -> str:
    """Return the fingerprint of a game in a process with this hash seed; `game` is an expression."""
    script = f"""
from server.games.registry import GAMES
from tests.games.broken import UNSORTED
from tests.games.contract import fingerprint
from tests.games.toys import TOYS
game = {game}
print(fingerprint(game, game.seats[-1], "hash seeds"))
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        text=True,
    )
    return ran.stdout


@pytest.mark.parametrize("game", [*(f"GAMES[{name!r}]" for name in GAMES), *(f"TOYS[{name!r}]" for name in TOYS)])
def test_a_game_does_not_depend_on_how_python_hashes(game: str) -> None:
    assert fingerprint_with(1, game) == fingerprint_with(2, game)


# -- the suite notices broken games ---------------------------------------------------------------------------


def check_ten_games(game: Game[Any]) -> None:
    for number in range(10):
        seats = game.seats[number % len(game.seats)]
        check_game(game, seats, sampled_options(game, seats, random.Random(number)), str(number))


@pytest.mark.parametrize("game, complaint", BROKEN.values(), ids=BROKEN)
def test_a_broken_promise_is_noticed(game: Game[Any], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_ten_games(game)


@pytest.mark.parametrize("game, complaint", FALSELY_DECLARED.values(), ids=FALSELY_DECLARED)
def test_a_false_declaration_is_noticed(game: Game[Any], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_declarations(game)


def test_an_event_that_declares_nothing_is_shown_to_nobody() -> None:
    game, _ = FALSELY_DECLARED["an event without visibility"]
    undeclared = game.events[-1]()
    assert [undeclared.shown_to(viewer) for viewer in (None, 0, 1)] == [None, None, None]


def test_a_game_that_depends_on_how_python_hashes_is_noticed() -> None:
    assert len({fingerprint_with(hash_seed, "UNSORTED") for hash_seed in range(1, 5)}) > 1
