"""Random games of all titles and options are verified by Python and by JavaScript, and both find the same.

`FAIR_GAMES` is the number of games, `make fair` plays a thousand.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from protocol.commitments import canonical_json
from server.fairness.findings import result_of
from server.fairness.transcript import transcript_of, transcript_text
from server.fairness.verify import verify
from server.tables.imported_log import Opening, read_imported
from server.tables.table_export import TableExport, write_table_export
from tests.fairness.both import comparable, found_by_node, wrong_keys
from tests.fairness.played_tables import PlayedTable, played

GAMES = int(os.environ.get("FAIR_GAMES", "12"))
BATCH = 12

OPENING = Opening("imported", "zoe", "k" * 32, "s" * 32)


def read(export: TableExport) -> dict[str, Any]:
    """Return the transcript of the game in an export, as it is read from a file."""
    transcript: dict[str, Any] = json.loads(transcript_text(transcript_of(export)))
    return transcript


def imported(export: TableExport) -> TableExport:
    """Return the log of the table that an import of this one makes."""
    return TableExport(OPENING.table, (), tuple(read_imported(write_table_export(export), OPENING).entries))


@pytest.mark.parametrize("first", range(0, GAMES, BATCH))
def test_random_games_are_verified_by_both(first: int, tmp_path: Path) -> None:
    tables = [played(number) for number in range(first, min(first + BATCH, GAMES))]
    transcripts = [read(table.export()) for table in tables]
    for table, transcript, by_node in zip(tables, transcripts, found_by_node(transcripts, tmp_path), strict=True):
        head = "{line}.{head}".format_map(table.chain.shown())
        findings = verify(transcript, [head])
        assert result_of(findings) == "verified", (table.id, [each.sentence for each in findings])
        by_python = [finding for finding in comparable(findings) if finding.check != "heads"]
        assert comparable(by_node) == by_python
        assert read(imported(table.export())) == transcript


def test_the_games_have_everything_that_verifiers_must_cope_with() -> None:
    """Look at the default number of games; otherwise the property would be about less than it seems."""
    found: Counter[str] = Counter()
    for number in range(12):
        table = played(number)
        transcript = read(table.export())
        found.update(finding.key for finding in verify(transcript))
        found[table.state.settings.game] += 1
        found["undo"] += any(move.get("undo") for move in transcript["moves"])
        found["changed answers"] += any(opening["attempt"] for opening in transcript["openings"])
        found["both salts"] += len({opening["by_server"] for opening in transcript["openings"]}) == 2
        found["hidden"] += not table.state.settings.show_decided
        found["opened by devices"] += any("openings_asked" in line for line in transcript["lines"])
        found["not opened"] += any("seals_not_opened" in line for line in transcript["lines"])
    assert wrong_keys(verify(transcript)) == []
    expected = (
        "seeds_ok",
        "seeds_server_alone",
        "seeds_void_note",
        "answers_ok",
        "abandoned_note",
        "undo",
        "not opened",
    )
    for name in (
        *expected,
        "answers_closed_note",
        "opened by devices",
        "changed answers",
        "both salts",
        "hidden",
        "investors",
        "planners",
        "builders",
    ):
        assert found[name] > 0, name


def test_an_import_of_an_import_is_verified() -> None:
    table = played(0)
    again = imported(imported(table.export()))
    assert read(again) == read(table.export())
    assert result_of(verify(read(again))) == "verified"


def test_an_imported_log_keeps_long_commands() -> None:
    longest = 0
    for number in range(12):
        transcript = read(played(number).export())
        longest = max(longest, *(len(move.get("command", "")) for move in transcript["moves"]))
    assert 100 < longest < 500


def test_a_transcript_is_the_same_from_the_file_and_from_the_log() -> None:
    table = played(1)
    assert canonical_json(read(table.export())) == canonical_json(transcript_of(table.export()))


def test_a_table_that_is_closed_before_the_start_is_not_verifiable() -> None:
    table = PlayedTable(3)
    table.abandon()
    table.done(table.core.deserted())
    transcript = read(table.export())
    assert (transcript["verifiable"], transcript["why_not"]) == (False, "not_begun")
    assert result_of(verify(transcript)) == "not_verifiable"
