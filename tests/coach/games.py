"""Games of bots for the coach, with all their decisions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from server.bots.registry import STRATEGIES
from server.bots.strategy import Question, question_from_play
from server.bots.win_probability import share_of_win
from server.coach.decisions import Decided, DecisionReader, PlayedGame, own_answers
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Event, Seat
from server.games.engine.options import read_options
from server.games.engine.play import Answered, Play, begin
from server.games.engine.prompts import Command, Prompt
from server.games.registry import GAMES
from tests.games.players import seed_bytes
from tests.games.playing import accepted

_DEALS = 12

Choose = Callable[[Question, random.Random], Command]


def usual(game: str, strength: str = "normal") -> Choose:
    """Return how a bot chooses."""
    strategy = STRATEGIES[game][strength]
    return lambda question, rng: strategy.choose(question, rng, math.inf).command


def played_game(
    game: str, seats: int, seed: int, choose: Mapping[Seat, Choose] | None = None, **agreed: Any
) -> PlayedGame:
    """Return a whole game; the seats that are not in `choose` play as `normal`."""
    rules = GAMES[game]
    options, dice = read_options(rules.options, agreed), Dice(seed_bytes(seed))
    play, step = begin(rules, seats, options, dice)
    reader = DecisionReader(seats, options)
    reader.add(play, of_game(step), {})
    given: dict[Seat, Command] = {}
    while play.decision is not None:
        seat, before = play.awaited[0], play
        answers_of = (choose or {}).get(seat) or usual(game)
        rng = random.Random(f"{seed}/{play.number}/{seat}")
        given[seat] = answers_of(question_from_play(play, seat, options), rng)
        play, step = accepted(play.answer(seat, play.number, given[seat], dice))
        if play.number != before.number:
            reader.add(play, of_game(step), own_answers(given))
            given = {}
    found = reader.game()
    assert found is not None
    return found


def of_game(step: Any) -> list[Event]:
    return [event for event in step if not isinstance(event, Answered)]


def decision_at(game: PlayedGame, step: int, seat: Seat) -> Decided:
    """Return the decision of a seat that led to a step."""
    return next(one for one in game.decisions if (one.step, one.seat) == (step, seat))


def play_before(game: PlayedGame, step: int) -> Play:
    """Return the play in which the decision that led to a step was open."""
    return [moment.play for moment in game.moments if moment.step < step][-1]


class Decisive(NamedTuple):
    """A decision that ends a game, with answers that win in most deals of what is hidden, and one that loses."""

    game: PlayedGame
    decided: Decided
    winning: tuple[Command, ...]
    losing: Command


@cache
def decisive_decision(game: str, seats: int) -> Decisive:
    """Return a decisive decision near the end of a random game; bots have no part in it."""
    for seed in range(100):
        found = _decisive(random_game(game, seats, seed), random.Random(seed))
        if found is not None:
            return found
    raise AssertionError("no random game ends with a decision between winning and losing")


def random_game(game: str, seats: int, seed: int) -> PlayedGame:
    """Return a whole game of random answers."""
    return played_game(
        game, seats, seed, dict.fromkeys(range(seats), lambda question, rng: question.prompt.sample(rng))
    )


def _decisive(game: PlayedGame, rng: random.Random) -> Decisive | None:
    for decided in reversed(game.decisions[-6:]):
        before = play_before(game, decided.step)
        if before.decision is None or len(before.decision.prompts) > 1:
            continue
        answers = _answers(before.decision.prompts[decided.seat], rng)
        shares = [_share(before, decided.seat, answer, rng) for answer in answers]
        winning = tuple(answer for answer, share in zip(answers, shares, strict=True) if share == 1)
        losing = [answer for answer, share in zip(answers, shares, strict=True) if share == 0]
        if winning and losing and None not in shares:
            known = _known(game, decided, (*losing, *winning), rng)
            sure = tuple(answer for answer, share in known.items() if share >= 0.8)
            lost = [answer for answer, share in known.items() if share <= 0.1]
            if sure and lost:
                planted = decided._replace(command=lost[0])
                ending = game._replace(moments=game.moments[-2:], decisions=(planted,))
                return Decisive(ending, planted, sure, lost[0])
    return None


def _known(
    game: PlayedGame, decided: Decided, answers: tuple[Command, ...], rng: random.Random
) -> dict[Command, float]:
    """Return the shares of the win of these answers, as far as the seat can know them: over deals of what is hidden."""
    play = play_before(game, decided.step)
    past = [event for moment in game.moments if moment.step < decided.step for event in moment.events]
    assert game.game.redeal is not None
    shares: dict[Command, list[float]] = {answer: [] for answer in answers}
    for deal in range(_DEALS):
        event = game.game.redeal(play.state, decided.seat, past, Dice(seed_bytes(deal)))
        state = game.game.apply(play.state, event)
        other = play._replace(state=state, decision=game.game.decision(state))
        for answer in answers:
            share = _share(other, decided.seat, answer, rng)
            shares[answer] += [] if share is None else [share]
    return {answer: sum(found) / _DEALS for answer, found in shares.items() if len(found) == _DEALS}


def _answers(prompt: Prompt, rng: random.Random) -> list[Command]:
    return list(dict.fromkeys([prompt.fallback, *(prompt.sample(rng) for _ in range(30))]))


def _share(play: Play, seat: Seat, command: Command, rng: random.Random) -> float | None:
    """Return the best share of the win after an answer; None if others still decide something after it."""
    play, _ = accepted(play.answer(seat, play.number, command, Dice(bytes(SEED_BYTES))))
    if play.decision is None:
        outcome = play.game.outcome(play.state)
        assert outcome is not None
        return share_of_win(outcome, seat)
    (other, *_) = play.awaited
    prompt = play.decision.prompts[other]
    if prompt.has_one_answer:
        return _share(play, seat, prompt.fallback, rng) if other == seat else None
    shares = [_share(play, seat, answer, rng) if other == seat else None for answer in _answers(prompt, rng)[:12]]
    return None if None in shares else max(share for share in shares if share is not None)
