"""The verification of a transcript: chain, seeds, sealed answers, draws, and the rules.

`web/src/fairness/verify.js` makes the same checks with the same keys, except for the rules. Nothing in the file is
taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from protocol.commitments import base64url, canonical_json, chain_next, chain_start
from server.fairness.answers import check_answers
from server.fairness.findings import Finding, Wrong
from server.fairness.form import Line, Transcript, items, number, read_line, read_transcript, text, why_not_of
from server.fairness.rules import check_rules
from server.fairness.seeds import check_seeds
from server.games.engine.dice import Dice

_Check = Callable[[Transcript, Sequence[Line]], list[Finding]]

FINGERPRINT_CHARACTERS: Final = 16


def verify(value: Any, heads: Sequence[str] = ()) -> list[Finding]:
    """Return what is found in a transcript. `heads` are heads of the chain, or fingerprints, that somebody noted."""
    try:
        why_not = why_not_of(value)
        if why_not is not None:
            return [Finding("form", None, "not_verifiable", {"why_not": why_not})]
        transcript = read_transcript(value)
    except Wrong as wrong:
        return [_wrong("form", wrong)]
    try:
        lines = [read_line(line, place) for place, line in enumerate(transcript.lines, 1)]
    except Wrong as wrong:
        return [_wrong("chain", wrong)]
    chained = _heads(transcript)
    findings: list[Finding] = []
    checks: tuple[tuple[str, _Check], ...] = (
        ("chain", lambda transcript, lines: _check_chain(transcript, chained)),
        ("seeds", check_seeds),
        ("answers", check_answers),
        ("draws", _check_draws),
        ("rules", check_rules),
    )
    for name, check in checks:
        try:
            findings += check(transcript, lines)
        except Wrong as wrong:
            findings.append(_wrong(name, wrong))
    findings += _notes(lines)
    findings += [_check_head(head, chained, lines) for head in heads]
    return findings


def _wrong(check: str, wrong: Wrong) -> Finding:
    return Finding(check, False, wrong.key, wrong.values)


def fingerprint(head: bytes) -> str:
    """Return the fingerprint of a head of the chain, for people to read to each other."""
    shown = head.hex()[:FINGERPRINT_CHARACTERS]
    return " ".join(shown[place : place + 4] for place in range(0, len(shown), 4))


def _heads(transcript: Transcript) -> list[bytes]:
    """Return the heads of the chain before its first line, and after each."""
    heads = [chain_start(transcript.table)]
    for line in transcript.lines:
        heads.append(chain_next(heads[-1], line.encode()))
    return heads


def _check_chain(transcript: Transcript, chained: Sequence[bytes]) -> list[Finding]:
    if base64url(chained[-1]) != transcript.head:
        raise Wrong("chain_head_differs")
    values = {"lines": len(transcript.lines), "fingerprint": fingerprint(chained[-1])}
    return [Finding("chain", True, "chain_ok", values)]


def _check_draws(transcript: Transcript, lines: Sequence[Line]) -> list[Finding]:
    try:
        dice = Dice(transcript.game_seed)
    except ValueError:
        raise Wrong("form_unreadable", part="game_seed") from None
    for draw in transcript.draws:
        label = text(draw, "label")
        if "items" in draw:
            order: Any = dice.shuffled(label, items(draw, "items"))
            is_same = canonical_json(list(order)) == canonical_json(draw.get("order"))
        else:
            bound = number(draw, "below")
            is_same = 0 < bound <= 1 << 32 and number(draw, "value") == dice.below(label, bound)
        if not is_same:
            raise Wrong("draw_differs", label=label)
    return [Finding("draws", True, "draws_ok", {"draws": len(transcript.draws)})]


def _notes(lines: Sequence[Line]) -> list[Finding]:
    """Return what readers should know, though it is neither right nor wrong."""
    notes: list[Finding] = []
    lost = 0
    for line in lines:
        for event in line.events:
            if event["event"] == "history_differs" and isinstance(event.get("seat"), int):
                # A client can say so without reason, so this alone is no proof.
                values = {"seat": event["seat"], "at": event.get("line")}
                notes.append(Finding("chain", None, "history_differs_note", values))
            lost += event["event"] == "went_back"
    return [*notes, Finding("chain", None, "went_back_note", {"count": lost})] if lost else notes


def _check_head(noted: str, chained: Sequence[bytes], lines: Sequence[Line]) -> Finding:
    """Return whether the chain has a head that was noted, as `57.HEAD`, as a head, or as its fingerprint."""
    place, dot, head = noted.rpartition(".")
    compact = re.sub(r"[\s-]", "", head).lower()
    for line, known in enumerate(chained):
        is_same = head == base64url(known) or compact == known.hex()[:FINGERPRINT_CHARACTERS]
        if is_same and (not dot or place == str(line)):
            return Finding("heads", True, "head_ok", {"line": line})
    if any(event["event"] == "went_back" for line_ in lines for event in line_.events):
        return Finding("heads", None, "head_lost")
    return Finding("heads", False, "head_missing")
