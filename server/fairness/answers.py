"""The check of sealed answers: each is the one that was committed to, and each was published as it must be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from protocol.commitments import SALT_BYTES, answer_commitment, canonical_json, server_salt
from server.fairness.device_seals import Answers, check_device_seals
from server.fairness.findings import Finding, Wrong
from server.fairness.form import Line, Opening, Transcript, items, mapping, number, text
from server.fairness.replay import Move


def check_answers(transcript: Transcript, lines: Sequence[Line]) -> list[Finding]:
    """Return the findings about sealed answers; raise `Wrong`."""
    answers = _by_seat(transcript.openings)
    for opening in transcript.openings:
        _check_opening(transcript, opening)
    setup = next((line.setup for line in lines if isinstance(line.setup, dict)), {})
    _check_bots(transcript.openings, setup.get("bots"))
    asked = check_device_seals(answers, lines, is_allowed=setup.get("sealed_on_devices") is True)
    _check_published(
        answers, lines, shows_sealed=setup.get("show_decided") is True, is_over=transcript.outcome is not None
    )
    _check_moves(transcript, answers, asked)
    if not transcript.openings:
        return [Finding("answers", True, "answers_none")]
    closed = sum(opening.answer is None for opening in transcript.openings)
    notes = [Finding("answers", None, "answers_closed_note", {"answers": closed})] if closed else []
    return [Finding("answers", True, "answers_ok", {"answers": len(transcript.openings) - closed}), *notes]


def _by_seat(openings: Sequence[Opening]) -> Answers:
    answers: dict[tuple[int, int], list[Opening]] = defaultdict(list)
    for opening in openings:
        given = answers[opening.decision, opening.seat]
        if opening.attempt != len(given):
            raise Wrong("answer_attempts", decision=opening.decision, seat=opening.seat)
        given.append(opening)
    return answers


def _check_opening(transcript: Transcript, opening: Opening) -> None:
    decision, seat, attempt, commitment, salt, answer, by_server = opening
    if salt is None or answer is None:
        return
    if by_server and salt != server_salt(transcript.game_seed, decision, seat, attempt):
        raise Wrong("answer_salt", decision=decision, seat=seat)
    made = answer_commitment(transcript.table, transcript.game, decision, seat, attempt, answer, salt)
    if commitment != made or len(salt) != SALT_BYTES:
        raise Wrong("answer_commitment", decision=decision, seat=seat)


def _check_bots(openings: Sequence[Opening], bots: Any) -> None:
    seats = {seat for seat, bot in enumerate(bots) if bot is not None} if isinstance(bots, list) else set()
    for opening in openings:
        if opening.seat in seats and not opening.by_server:
            raise Wrong("answer_of_bot", decision=opening.decision, seat=opening.seat)


def _check_published(answers: Answers, lines: Sequence[Line], *, shows_sealed: bool, is_over: bool) -> None:
    """Check that every commitment of the transcript was published in time, and nothing else was."""
    published: set[tuple[int, int]] = set()
    closed = 0
    opened: set[int] = set()
    for line in lines:
        for event in line.events:
            if event["event"] == "answer_sealed":
                decision, seat = number(event, "decision"), number(event, "seat")
                if decision <= closed:
                    raise Wrong("answer_late", line=line.number, decision=decision)
                given = answers.get((decision, seat), ())
                # Only the first answer of a seat is shown before the decision is over.
                if (decision, seat) in published or not given or given[0].commitment != text(event, "commitment"):
                    raise Wrong("answer_unknown", line=line.number, decision=decision, seat=seat)
                published.add((decision, seat))
            elif event["event"] == "answers_opened":
                decision = number(event, "decision")
                if decision <= closed:
                    raise Wrong("answer_reopened", line=line.number, decision=decision)
                closed = decision
                opened.add(decision)
                _check_opened(answers, decision, items(event, "openings"), line.number)
    last = max((decision for decision, _ in answers), default=0)
    for decision, seat in answers:
        if shows_sealed and (decision, seat) not in published:
            raise Wrong("answer_unpublished", decision=decision, seat=seat)
        # A game that is abandoned leaves its last decision open.
        if decision not in opened and (is_over or decision != last):
            raise Wrong("answer_not_opened", decision=decision)


def _check_opened(answers: Answers, decision: int, shown: Sequence[Any], line: int) -> None:
    """Check that the openings in a line are the last answers of all seats to a decision."""
    expected = {seat: given[-1] for (number_, seat), given in answers.items() if number_ == decision}
    seats: list[int] = []
    for each in shown:
        seat = number(mapping(each, "openings"), "seat")
        seats.append(seat)
        opening = expected.get(seat)
        if opening is None or not _is_same(opening, each):
            raise Wrong("answer_opening", line=line, decision=decision, seat=seat)
    if sorted(seats) != sorted(expected):
        raise Wrong("answer_opening", line=line, decision=decision, seat=_missing(seats, expected))


def _is_same(opening: Opening, shown: Mapping[str, Any]) -> bool:
    given = {"attempt": opening.attempt, "commitment": opening.commitment}
    hidden = {
        "salt": None if opening.salt is None else opening.salt.hex(),
        "answer": opening.answer,
        "by_server": opening.by_server,
    }
    if any(name in shown for name in hidden):
        given |= hidden
    # As texts: 1 and True are equal, and another transcript.
    return canonical_json({name: shown.get(name) for name in given}) == canonical_json(given)


def _missing(seats: Sequence[int], expected: Mapping[int, Opening]) -> int:
    return min((seat for seat in expected if seat not in seats), default=seats[-1] if seats else 0)


def _check_moves(transcript: Transcript, answers: Answers, asked: Collection[int]) -> None:
    """Check that the sealed answers are the moves. A seat that had no choice has an answer more than moves.

    An answer that a device kept is a move without a command, and another one when it is opened.
    """
    moves: dict[tuple[int, int], list[Move]] = defaultdict(list)
    sealed = {decision for decision, _ in answers}
    for move in transcript.moves:
        if move.decision in sealed:
            moves[move.decision, move.seat].append(move)
    for place in sorted({*answers, *moves}):
        decision, seat = place
        openings = answers.get(place, ())
        given = [opening.answer for opening in openings if opening.answer is not None]
        played = [move.command for move in moves.get(place, ()) if not move.is_sealed]
        forced = len(given) - len(played)
        is_forced = forced == 1 and openings[0].by_server
        opened = sum(move.is_sealed for move in moves.get(place, ())) - (len(openings) - len(given))
        if given[forced:] != played or not (forced == 0 or is_forced) or opened not in (0, 1):
            raise Wrong("answer_move", decision=decision, seat=seat)
        if opened and decision not in asked:
            raise Wrong("seal_unasked", decision=decision, seat=seat)
