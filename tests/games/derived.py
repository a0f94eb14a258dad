"""Games derived from another game by changing one part of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from server.games.engine.events import Seat
from server.games.engine.game import Answers, Decision, Game, StageRules
from server.games.engine.prompts import Prompt
from server.games.engine.step_builder import StepBuilder

Resolve = Callable[[StepBuilder[Any], Answers], None]


def with_decisions(game: Game[Any], change: Callable[[Any, Decision], Decision]) -> Game[Any]:
    """Return the game with a changed decision in every state."""

    def changed(rules: StageRules) -> StageRules:
        return rules._replace(decide=lambda state: change(state, rules.decide(state)))

    return replace(game, stages={stage: changed(rules) for stage, rules in game.stages.items()})


def with_prompts(game: Game[Any], kind: str, change: Callable[[Any, Seat, Prompt], Prompt]) -> Game[Any]:
    """Return the game with changed prompts in decisions of one kind."""

    def changed(state: Any, decision: Decision) -> Decision:
        if decision.kind != kind:
            return decision
        prompts = {seat: change(state, seat, prompt) for seat, prompt in decision.prompts.items()}
        return decision._replace(prompts=prompts)

    return with_decisions(game, changed)


def with_resolve(game: Game[Any], change: Callable[[StepBuilder[Any], Answers, Resolve], None]) -> Game[Any]:
    """Return the game with a changed resolving of answers; the change is given the original one."""

    def changed(rules: StageRules) -> StageRules:
        return rules._replace(resolve=lambda step, answers: change(step, answers, rules.resolve))

    return replace(game, stages={stage: changed(rules) for stage, rules in game.stages.items()})


def with_outcome(game: Game[Any], **changes: Callable[[Any], Any]) -> Game[Any]:
    """Return the game with changed fields of its outcome, each made from the original outcome."""

    def changed(state: Any) -> Any:
        outcome = game.outcome(state)
        return outcome and replace(outcome, **{name: change(outcome) for name, change in changes.items()})

    return replace(game, outcome=changed)


def with_view(game: Game[Any], change: Callable[[Any, dict[str, Any]], dict[str, Any]]) -> Game[Any]:
    """Return the game with a changed public view."""
    return replace(game, public_view=lambda state: change(state, game.public_view(state)))


def with_shown(game: Game[Any], **shown: Callable[[Any], Any]) -> Game[Any]:
    """Return the game with a public view that shows something more of the state."""
    return with_view(game, lambda state, view: view | {name: show(state) for name, show in shown.items()})
