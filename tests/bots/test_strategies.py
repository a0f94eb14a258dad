"""The contract of all strategies: legal answers, the same for the same seed, from the knowledge of the seat alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from server.bots.question import read_question
from server.bots.registry import RANDOM, STRATEGIES, STRENGTHS, UnknownStrength, strategy_of, strengths_of
from server.bots.strategy import BotChoice, Question
from server.games.engine.game import Game
from server.games.engine.serialization import to_json
from server.games.registry import GAMES
from tests.bots.positions import PLAYERS, Position, positions, some_positions
from tests.games.players import batches
from tests.games.test_secrecy import SECRETS
from tests.games.wire import encoded

NAMES = [f"{game.name}-{strength}" for game, strength in PLAYERS]
every_player = pytest.mark.parametrize("game, strength", PLAYERS, ids=NAMES)

DECISIONS = {"easy": 5_000, "normal": 5_000, "hard": 20, "expert": 4}
"""The number of decisions by strength; a short run makes a share of those of quick strategies."""

PAIRS = {"easy": 150, "normal": 100, "hard": 8, "expert": 4}
"""The number of tests by strength: stronger strategies take longer."""


def answer(strength: str, question: Question, seed: object, seconds: float = math.inf) -> BotChoice:
    return strategy_of(question.game, strength).choose(question, random.Random(str(seed)), seconds)


@every_player
def test_answers_are_legal_whatever_has_happened_before(game: Game[Any], strength: str) -> None:
    asked = (
        islice(positions(game, "legal"), len(batches(DECISIONS[strength])))
        if strength not in ("hard", "expert")
        else some_positions(game, "legal", DECISIONS[strength])
    )
    for number, position in enumerate(asked):
        question = position.question
        refusal = question.prompt.admit(answer(strength, question, number).command)
        assert refusal is None, f"{question.kind}: {refusal}"


@every_player
def test_the_same_seed_gives_the_same_answer(game: Game[Any], strength: str) -> None:
    for number, position in enumerate(some_positions(game, "again", PAIRS[strength] // 2)):
        assert answer(strength, position.question, number) == answer(strength, position.question, number)


@every_player
def test_an_answer_does_not_depend_on_what_the_seat_cannot_know(game: Game[Any], strength: str) -> None:
    """Two plays that differ only in secrets of others put the same question, and get the same answer."""

    def choose(position: Position, number: int) -> BotChoice:
        return answer(strength, position.question, number)

    assert not told_apart(game, choose, PAIRS[strength])


def test_an_answer_that_depends_on_hands_of_others_is_found() -> None:
    def cheat(position: Position, number: int) -> BotChoice:
        hands = position.play.state.hands
        return BotChoice(position.question.prompt.sample(random.Random(repr(hands))))

    assert told_apart(GAMES["investors"], cheat, 50)


def told_apart(game: Game[Any], choose: Callable[[Position, int], BotChoice], pairs: int) -> bool:
    """Return whether an answer differs between any two plays that differ only in what its seat cannot know."""
    rng = random.Random(game.name)
    different = 0
    for number, position in enumerate(some_positions(game, "secrets", pairs)):
        twin = position._replace(play=SECRETS[game.name].scrambled(position.play, position.seat, rng))
        different += twin.play.state != position.play.state
        if choose(position, number) != choose(twin, number):
            return True
    assert different > pairs // 4, "the plays must differ in secrets for this to say anything"
    return False


@every_player
def test_a_question_means_the_same_on_the_other_side_of_a_wire(game: Game[Any], strength: str) -> None:
    for number, position in enumerate(some_positions(game, "wire", PAIRS[strength] // 4)):
        travelled = read_question(position.question_json())
        assert answer(strength, travelled, number) == answer(strength, position.question, number)


@every_player
def test_a_strategy_that_has_no_time_answers_all_the_same(game: Game[Any], strength: str) -> None:
    for number, position in enumerate(some_positions(game, "hurry", 40)):
        question = position.question
        assert question.prompt.admit(answer(strength, question, number, seconds=0.0).command) is None


@every_player
def test_nothing_in_a_question_is_changed_by_an_answer(game: Game[Any], strength: str) -> None:
    for number, position in enumerate(some_positions(game, "same", PAIRS[strength] // 4)):
        question = position.question
        before = encoded(question.view), encoded(question.prompt.to_json())
        answer(strength, question, number)
        assert (encoded(question.view), encoded(question.prompt.to_json())) == before


@every_player
def test_a_reason_can_be_sent(game: Game[Any], strength: str) -> None:
    """It is a key with values that any encoding can carry."""
    for number, position in enumerate(some_positions(game, "why", PAIRS[strength] // 4)):
        reason = answer(strength, position.question, number).reason
        if reason is not None:
            assert isinstance(reason.key, str)
            encoded(dict(reason.values))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_offered_in_its_own_strengths_and_else_by_chance(game: str) -> None:
    in_order = tuple(strength for strength in STRENGTHS if strength in STRATEGIES.get(game, ()))
    assert strengths_of(game) == (in_order or (RANDOM,))
    assert set(STRATEGIES.get(game, ())) <= set(STRENGTHS)
    for strength in (*strengths_of(game), RANDOM):
        strategy_of(game, strength)


def test_strengths_that_a_game_does_not_have_are_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownStrength, match="investors has no bot of strength 'divine'; there are easy, "):
        strategy_of("investors", "divine")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_prompts_are_read_back_as_they_were(game: Game[Any]) -> None:
    rng = random.Random(1)
    for position in islice(positions(game, "prompts"), 3_000):
        prompt = position.question.prompt
        read = read_question(position.question_json()).prompt
        assert read.to_json() == prompt.to_json()
        assert prompt.admit(read.sample(rng)) is None
        assert to_json(read.fallback) == to_json(prompt.fallback)
