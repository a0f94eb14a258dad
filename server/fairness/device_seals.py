"""The check of sealed answers that stayed on devices: all were fixed before any was opened, and none was dropped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from server.fairness.findings import Wrong
from server.fairness.form import Line, Opening, items, mapping, number, text

Answers = Mapping[tuple[int, int], Sequence[Opening]]
"""By decision and seat: all answers, in the order in which they were given."""


def check_device_seals(answers: Answers, lines: Sequence[Line], *, is_allowed: bool) -> Collection[int]:
    """Return the decisions of which devices were asked to open their answers; raise `Wrong`."""
    asked: dict[int, list[Any]] = {}
    late: dict[int, tuple[int, list[int]]] = {}
    closed: dict[int, int] = {}
    for line in lines:
        for event in line.events:
            kind = event["event"]
            if kind not in ("answer_sealed", "openings_asked", "seals_not_opened", "answers_opened"):
                continue
            decision = number(event, "decision")
            is_open = decision in asked and decision not in closed
            if kind == "answers_opened":
                closed.setdefault(decision, line.number)
            elif kind == "answer_sealed":
                if is_open:
                    raise Wrong("seal_changed", line=line.number, decision=decision, seat=number(event, "seat"))
            elif kind == "openings_asked":
                if not is_allowed or decision in asked or decision in closed:
                    raise Wrong("seal_order", line=line.number, decision=decision)
                asked[decision] = items(event, "seals")
            elif not is_open or decision in late:
                raise Wrong("seal_order", line=line.number, decision=decision)
            else:
                seats = [number({"seats": seat}, "seats") for seat in items(event, "seats")]
                late[decision] = line.number, seats
    for decision, (line_number, seats) in late.items():
        # The fallbacks close the decision at once.
        if closed.get(decision) != line_number:
            raise Wrong("seal_order", line=line_number, decision=decision)
        _check_late(answers, decision, seats)
    for decision, seals in asked.items():
        _check_asked(answers, decision, seals, late[decision][1] if decision in late else ())
    for (decision, seat), given in answers.items():
        # A game that is abandoned leaves its last decision open.
        is_dropped = given[-1].answer is None and decision in closed
        if is_dropped or (not is_allowed and any(opening.answer is None for opening in given)):
            raise Wrong("seal_not_opened", decision=decision, seat=seat)
    return asked


def _check_late(answers: Answers, decision: int, seats: Sequence[int]) -> None:
    """Check that the last answers of these seats stayed closed, and that the server answered for them."""
    for seat in seats:
        given = answers.get((decision, seat), ())
        if len(given) < 2 or given[-2].answer is not None or not given[-1].by_server:
            raise Wrong("seal_late", decision=decision, seat=seat)


def _check_asked(answers: Answers, decision: int, seals: Sequence[Any], late: Collection[int]) -> None:
    """Check that these are the last commitments of all seats, before the server answered for those that were late."""
    missing = {seat for number_, seat in answers if number_ == decision}
    for each in seals:
        seat = number(mapping(each, "seals"), "seat")
        given = answers.get((decision, seat), ())
        last = len(given) - 1 - (seat in late)
        is_last = number(each, "attempt") == last and text(each, "commitment") == given[last].commitment
        if seat not in missing or not is_last:
            raise Wrong("seal_commitment", decision=decision, seat=seat)
        missing.remove(seat)
    if missing:
        raise Wrong("seal_commitment", decision=decision, seat=min(missing))
