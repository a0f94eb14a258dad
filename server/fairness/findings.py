"""What a verifier found, as keys with values, and the sentences for them.

The script for Node has the same sentences; the page has its own, in every language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

VERIFIED: Final = "verified"
WRONG: Final = "wrong"
NOT_VERIFIABLE: Final = "not_verifiable"


class Finding(NamedTuple):
    """The result of one check. `ok` is None for a note, which is neither right nor wrong."""

    check: str
    ok: bool | None
    key: str
    values: Mapping[str, Any] = {}

    @property
    def sentence(self) -> str:
        return SENTENCES[self.key].format(**{name: _shown(name, value) for name, value in self.values.items()})


class Wrong(Exception):
    """Something contradicts what must be so; it ends the check that raises it."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def result_of(findings: Sequence[Finding]) -> str:
    """Return `verified`, `wrong` or `not_verifiable`."""
    if any(finding.ok is False for finding in findings):
        return WRONG
    return NOT_VERIFIABLE if any(finding.key in UNVERIFIABLE for finding in findings) else VERIFIED


UNVERIFIABLE: Final = frozenset(("not_verifiable", "rules_other_version"))
"""The notes with which nothing counts as verified."""

SENTENCES: Final = {
    "not_verifiable": "This game cannot be verified: {why_not}.",
    "form_unreadable": "The file is damaged, or no transcript: {part} cannot be read.",
    "chain_ok": "The public record has {lines} lines, and its fingerprint is {fingerprint}.",
    "chain_line_unreadable": "Line {line} of the public record cannot be read.",
    "chain_line_misplaced": "Line {line} of the public record is missing or out of place.",
    "chain_head_differs": "The public record was changed: its head is not the one that follows from its lines.",
    "seeds_ok": "The shuffle was fixed by the server and the devices of seats {seats}, before anybody could know it.",
    "seeds_server_alone": "No device of a player contributed to the shuffle, so the server alone has chosen it.",
    "seeds_order": "In line {line}, the seeds were not exchanged in the order that keeps them secret.",
    "seeds_missing": "The public record does not say how the shuffle was fixed.",
    "seeds_commitment_server": "The server's seed of exchange {game} is not the one that it had committed to.",
    "seeds_commitment_seat": "The seed of seat {seat} is not the one that it had committed to.",
    "seeds_not_opened": "Seat {seat} had committed to a seed, which was left out.",
    "seeds_voided": "Exchange {game} was not ended as it must be: it names other seats than those that were late.",
    "seeds_setup": "The game was begun with other settings than the transcript says.",
    "seeds_game": "The transcript is about another exchange of seeds than the one before the game.",
    "seeds_game_seed": "The seed of the game does not follow from the seeds of the server and the seats.",
    "seeds_digest": "The seed of the game is not the one whose fingerprint was shown at the start.",
    "seeds_void_note": "Exchanges of seeds that some seats did not finish: {games}.",
    "answers_ok": "All {answers} sealed answers are the ones that were sealed.",
    "answers_none": "The game has no sealed answers.",
    "answer_commitment": "The answer of seat {seat} to decision {decision} is not the one that was sealed.",
    "answer_salt": "The salt of seat {seat} in decision {decision} does not follow from the seed of the game.",
    "answer_attempts": "The answers of seat {seat} to decision {decision} are not complete.",
    "answer_unknown": "Line {line} has a sealed answer of seat {seat} to decision {decision} that is not opened.",
    "answer_late": "In line {line}, an answer to decision {decision} was sealed after that decision was over.",
    "answer_unpublished": "The answer of seat {seat} to decision {decision} was not recorded when it was sealed.",
    "answer_opening": "Line {line} opens another answer of seat {seat} to decision {decision} than the transcript.",
    "answer_reopened": "Line {line} opens decision {decision} again or out of order.",
    "answer_not_opened": "The sealed answers to decision {decision} were not opened when it was over.",
    "answer_of_bot": "The answer of the bot on seat {seat} to decision {decision} has a salt of somebody's choice.",
    "answer_move": "The answer of seat {seat} to decision {decision} is not the move that was played.",
    "answers_closed_note": "Sealed answers that were replaced or not opened, and stay closed: {answers}.",
    "seal_order": "In line {line}, the answers to decision {decision} were asked for, or given up, out of order.",
    "seal_changed": "In line {line}, seat {seat} seals an answer to decision {decision} after all had answered.",
    "seal_commitment": "When all had answered decision {decision}, the commitment of seat {seat} was not recorded.",
    "seal_late": "Seat {seat} is said not to have opened its answer to decision {decision}, which does not fit.",
    "seal_unasked": "The answer of seat {seat} to decision {decision} was opened before all had answered.",
    "seal_not_opened": "The answer of seat {seat} to decision {decision} was never opened, and no other was played.",
    "draws_ok": "All {draws} shuffles and draws follow from the seed of the game.",
    "draw_differs": "The draw {label} does not follow from the seed of the game.",
    "rules_ok": "The course of the game and its result follow from its {moves} moves by the rules.",
    "rules_other_version": "This program has other rules ({known}) than this game ({rules}), so it cannot verify it.",
    "rules_begin": "The game cannot begin like this by the rules.",
    "rules_move": "Move {move}, of seat {seat} in decision {decision}, is not possible by the rules.",
    "rules_line": "Line {line} of the public record does not follow from the moves by the rules.",
    "rules_unshown": "The public record ends before the moves do.",
    "rules_forced": "Seat {seat} had no choice in decision {decision}, and its answer is another one.",
    "rules_fallback": "Seat {seat} did not open its answer to decision {decision}, and no fallback was played for it.",
    "rules_draws": "The transcript has other shuffles and draws than the game.",
    "rules_unfinished": "The moves end before the game does.",
    "rules_outcome": "The result is not the one that follows from the moves by the rules.",
    "rules_not_replayed": "The rules were not replayed here; the command `sanfrancisco verify` does that.",
    "head_ok": "The fingerprint that was noted is that of line {line}.",
    "head_missing": "The fingerprint that was noted is not in this record: whoever noted it was shown another game.",
    "head_lost": "The fingerprint that was noted is not in this record, whose storage has lost entries.",
    "own_seed_ok": "The random bytes of this device are part of the shuffle.",
    "own_seed_missing": "The random bytes of this device are not part of the shuffle.",
    "own_answers_ok": "The {answers} answers that this device has sealed are in the record, unaltered.",
    "own_answer_differs": "The answer that this device sealed in decision {decision} is not in the record.",
    "own_opening_differs": "This device opened its answer to decision {decision}, and the record says otherwise.",
    "history_differs_note": "The page of seat {seat} says that it was shown another record at line {at}.",
    "went_back_note": "The storage of the server has lost the last entries of the game, {count} times.",
    "abandoned_note": "The game was abandoned, so it has no result.",
}

WHY_NOT: Final = {
    "old": "it was played before games could be verified, or its record does not come from its beginning",
    "continued": "it continues another game from one of its steps",
    "not_begun": "the table was closed before the game began",
    "other_rules": "its rules have changed since",
}


def _shown(name: str, value: Any) -> str:
    """Return a value in a sentence. Seats count from 1 for people."""
    if name == "why_not":
        return WHY_NOT.get(value, str(value))
    if isinstance(value, list):
        return ", ".join(_shown("seat", part) for part in value)
    return str(value + 1) if name == "seat" and isinstance(value, int) else str(value)
