"""The check of the rules: the game is played again from its seed and its moves, and compared with what was shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from protocol.commitments import canonical_json
from server.fairness.findings import Finding, Wrong
from server.fairness.form import Line, Transcript
from server.fairness.replay import Illegal, Move, RulesReplay
from server.games.engine.events import Event
from server.games.engine.game import Game
from server.games.engine.play import Answered, Play, Step
from server.games.engine.serialization import to_json
from server.games.registry import UnknownGame, game_named
from server.tables.events import TABLE_EVENTS

_AROUND: Final = frozenset(event.name for event in TABLE_EVENTS)


class _Stepped(NamedTuple):
    """A step of the replayed game: what spectators must have seen of it."""

    closed: int | None
    """The sealed decision that it closed, if it closed one."""

    decision: int
    """The decision that is open after it."""

    shown: list[str]
    """The events of the game, each as canonical JSON."""


def check_rules(transcript: Transcript, lines: Sequence[Line]) -> list[Finding]:
    """Return the findings about the rules; raise `Wrong`."""
    setup = next((line.setup for line in lines if isinstance(line.setup, dict)), None)
    try:
        newest = game_named(transcript.title)
    except UnknownGame:
        raise Wrong("rules_begin") from None
    game = newest.as_of(transcript.rules)
    if game is None:
        values = {"known": newest.rules_version, "rules": transcript.rules}
        return [Finding("rules", None, "rules_other_version", values)]
    if setup is None:
        raise Wrong("rules_begin")
    replay, steps = _replayed(transcript, game, setup, _late_seats(lines))
    _check_lines(lines, steps)
    if canonical_json(replay.dice.draws) != canonical_json(list(transcript.draws)):
        raise Wrong("rules_draws")
    outcome = game.outcome(replay.play.state)
    is_abandoned = any(event["event"] == "abandoned" for line in lines for event in line.events)
    if (outcome is None) != is_abandoned:
        raise Wrong("rules_unfinished")
    if canonical_json(None if outcome is None else outcome.to_json()) != canonical_json(transcript.outcome):
        raise Wrong("rules_outcome")
    notes = [Finding("rules", None, "abandoned_note")] if is_abandoned else []
    return [Finding("rules", True, "rules_ok", {"moves": len(transcript.moves)}), *notes]


def _late_seats(lines: Sequence[Line]) -> dict[Any, list[Any]]:
    """Return the seats by decision whose devices did not open their answers."""
    late: dict[Any, list[Any]] = {}
    for line in lines:
        for event in line.events:
            decision, seats = event.get("decision"), event.get("seats")
            if event["event"] == "seals_not_opened" and isinstance(decision, int) and isinstance(seats, list):
                late[decision] = [seat for seat in seats if isinstance(seat, int)]
    return late


def _replayed(
    transcript: Transcript, game: Game[Any], setup: Mapping[str, Any], late: Mapping[Any, Sequence[Any]]
) -> tuple[RulesReplay, list[_Stepped]]:
    bots, options = setup.get("bots"), setup.get("options")
    if not isinstance(bots, list) or not isinstance(options, dict):
        raise Wrong("rules_begin")
    try:
        replay = RulesReplay(game, len(bots), options, transcript.game_seed)
    except (Illegal, ValueError):
        raise Wrong("rules_begin") from None
    steps = [_Stepped(None, replay.play.number, _shown(replay.first_step))]
    forced = _Forced(transcript)
    forced.check(replay.play)
    for place, move in enumerate(transcript.moves, 1):
        try:
            before, step = replay.add(move)
        except Illegal:
            raise Wrong("rules_move", move=place, decision=move.decision, seat=move.seat) from None
        if replay.play.number == before.number:
            continue
        is_sealed = before.decision is not None and before.decision.sealed
        _check_fallbacks(before, move, late.get(before.number, ()))
        steps.append(_Stepped(before.number if is_sealed else None, replay.play.number, _shown(step)))
        forced.check(replay.play)
    return replay, steps


def _check_fallbacks(before: Play, last: Move, late: Sequence[Any]) -> None:
    """Check that the fallbacks were played for seats that were late; `last` is the move that closed the decision."""
    assert before.decision is not None
    for seat in late:
        prompt, command = before.decision.prompts.get(seat), before.answers.get(seat)
        answer = last.command if seat == last.seat else command and canonical_json(to_json(command))
        if prompt is None or answer != canonical_json(to_json(prompt.fallback)):
            raise Wrong("rules_fallback", decision=before.number, seat=seat)


class _Forced:
    """The openings of seats for which the rules answered, since they had no choice."""

    def __init__(self, transcript: Transcript) -> None:
        self._first = {(each.decision, each.seat): each for each in transcript.openings if each.attempt == 0}

    def check(self, play: Play) -> None:
        if play.decision is None or not play.decision.sealed:
            return
        for seat, command in play.answers.items():
            opening = self._first.get((play.number, seat))
            if opening is None or not opening.by_server or opening.answer != canonical_json(to_json(command)):
                raise Wrong("rules_forced", decision=play.number, seat=seat)


def _shown(step: Step) -> list[str]:
    return [canonical_json(shown) for event in step if (shown := _public(event)) is not None]


def _public(event: Event) -> dict[str, Any] | None:
    return None if isinstance(event, Answered) else event.shown_to(None)


def _check_lines(lines: Sequence[Line], steps: Sequence[_Stepped]) -> None:
    """Check that the lines show exactly these steps, each in one line, with the answers that it opened."""
    left: Iterator[_Stepped] = (step for step in steps if step.shown or step.closed is not None)
    decision = 0
    for line in lines:
        shown = [canonical_json(event) for event in line.events if event["event"] not in _AROUND]
        opened = [event.get("decision") for event in line.events if event["event"] == "answers_opened"]
        sealed = [event.get("decision") for event in line.events if event["event"] == "answer_sealed"]
        asked = [
            event.get("decision") for event in line.events if event["event"] in ("openings_asked", "seals_not_opened")
        ]
        possible, is_asked = {decision}, all(number == decision for number in asked)
        if shown or opened:
            step = next(left, None)
            if step is None or step.shown != shown or ([] if step.closed is None else [step.closed]) != opened:
                raise Wrong("rules_line", line=line.number)
            decision = step.decision
            possible.add(decision)
        has_begun = any(event["event"] == "game_started" for event in line.events)
        is_due = all(type(number) is int and number in possible for number in sealed)
        if has_begun != (line.setup is not None) or not is_due or not is_asked:
            raise Wrong("rules_line", line=line.number)
    if next(left, None) is not None:
        raise Wrong("rules_unshown")
