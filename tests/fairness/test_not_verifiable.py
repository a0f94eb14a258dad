"""Games without commitments are not verifiable, and never verified, whatever their transcript claims."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.fairness.findings import WHY_NOT, result_of
from server.fairness.transcript import transcript_of
from server.fairness.verify import verify
from server.games.registry import game_named
from server.tables.table_export import read_table_export, replayed
from tests.fairness.both import comparable, found_by_node, wrong_keys
from tests.fairness.frauds import DEVICES, Record, honest_transcript
from tests.fairness.played_tables import played
from tests.tables.test_imported_log import continued
from tests.tables.virtual_time import in_virtual_time

GOLDEN = Path(__file__).parent.parent / "golden"
GAMES = sorted(GOLDEN.glob("*/*.log"))
MUTATIONS = int(os.environ.get("FAIR_GAMES", "12")) * 5
BATCH = 60
TABLES = sorted((GOLDEN / "protocol-1" / "exports").glob("*.log"))


def claimed(transcript: dict[str, Any]) -> dict[str, Any]:
    """Return a transcript that claims to be verifiable."""
    return {**transcript, "verifiable": True, "why_not": None}


def test_old_logs_of_games_are_not_verifiable(capsys: pytest.CaptureFixture[str]) -> None:
    assert GAMES
    for file in GAMES:
        assert main(["verify", str(file)]) == 3
        said = capsys.readouterr().out
        assert said.endswith(f"\nNot verifiable: {file}\n")
        assert "right" not in said


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.stem)
def test_old_logs_of_tables_are_not_verifiable(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    is_over = replayed(read_table_export(file.read_text())).phase == "over"
    assert main(["verify", str(file)]) == (3 if is_over else 2)
    assert ("Not verifiable: " in capsys.readouterr().out) is is_over


def test_a_claim_makes_nothing_verifiable(tmp_path: Path) -> None:
    transcripts = [claimed(transcript_of(read_table_export(file.read_text()))) for file in TABLES]
    for transcript, by_node in zip(transcripts, found_by_node(transcripts, tmp_path), strict=True):
        assert result_of(verify(transcript)) == "wrong"
        assert wrong_keys(by_node) == ["form_unreadable"]


@in_virtual_time
async def test_a_game_that_continues_another_one_is_not_verifiable() -> None:
    replays, _, text = await continued("same")
    transcript = transcript_of(read_table_export(text))
    assert (transcript["verifiable"], transcript["why_not"]) == (False, "continued")
    assert [finding.key for finding in verify(transcript)] == ["not_verifiable"]
    await replays.server.registry.close()


def test_a_game_of_other_rules_is_not_verifiable(monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(1)
    transcript = transcript_of(table.export())
    game = game_named(table.state.settings.game)
    changed = type(game)(**{name: getattr(game, name) for name in game.__slots__} | {"rules_version": 99})
    monkeypatch.setitem(__import__("server.games.registry", fromlist=["GAMES"]).GAMES, game.name, changed)
    findings = verify(transcript)
    assert result_of(findings) == "not_verifiable"
    assert "rules_other_version" in [finding.key for finding in findings]
    assert transcript_of(table.export())["why_not"] == "other_rules"


def test_every_reason_has_a_sentence() -> None:
    for why_not, sentence in WHY_NOT.items():
        [finding] = verify({"format": "sanfrancisco-transcript/1", "verifiable": False, "why_not": why_not})
        assert sentence in finding.sentence


@pytest.mark.parametrize("part", sorted(honest_transcript().keys() - {"why_not"}))
@pytest.mark.parametrize("value", [None, 0, -1, 1.5, "x", "\ud800", [], [None], {}, {"a": 1}, True], ids=repr)
def test_whatever_is_in_a_file_gives_findings(part: str, value: Any) -> None:
    transcript = {**honest_transcript(), part: value}
    if json.dumps(transcript) != json.dumps(honest_transcript()):
        assert result_of(verify(transcript)) in ("wrong", "not_verifiable")


def nodes_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or object within a value, with each of its places."""
    if isinstance(value, (dict, list)):
        for place in value if isinstance(value, dict) else range(len(value)):
            yield value, place
            yield from nodes_of(value[place])


def mutated(number: int) -> dict[str, Any]:
    """Return an honest transcript with something in it replaced, and with a chain that fits."""
    rng = random.Random(number)
    transcript = honest_transcript(DEVICES if number % 2 else "investors")
    record = Record(transcript)
    parts = [record.lines, transcript["openings"], transcript["moves"], transcript["draws"]]
    part = rng.choice(parts)
    if part is record.lines and rng.random() < 0.5:
        # The events of the exchange are few among the many of the game.
        part = record.lines[:12]
    value, place = rng.choice(list(nodes_of(part)))
    value[place] = rng.choice([None, -1, 0, 1, 7, True, "", "x", "00" * 32, [], [[]], {}, {"event": "answers_opened"}])
    for line in record.lines:
        if not isinstance(line, dict) or not isinstance(line.get("events"), list):
            return transcript
    record.rebuild()
    return transcript


@pytest.mark.parametrize("name", ["attempt", "by_server"])
def test_true_and_false_are_no_numbers(name: str, tmp_path: Path) -> None:
    transcript = honest_transcript()
    record = Record(transcript)
    shown = next(
        each
        for line in record.lines
        for event in line["events"]
        if event["event"] == "answers_opened"
        for each in event["openings"]
        if each[name] in (0, 1)
    )
    shown[name] = int(shown[name]) if isinstance(shown[name], bool) else bool(shown[name])
    record.rebuild()
    [by_node] = found_by_node([transcript], tmp_path)
    assert comparable(by_node) == comparable(verify(transcript))
    assert "answer_opening" in [finding.key for finding in by_node]


@pytest.mark.parametrize("first", range(0, MUTATIONS, BATCH))
def test_both_give_the_same_findings_whatever_is_replaced_in_a_transcript(first: int, tmp_path: Path) -> None:
    transcripts = [mutated(number) for number in range(first, min(first + BATCH, MUTATIONS))]
    for number, by_node in enumerate(found_by_node(transcripts, tmp_path), first):
        assert comparable(by_node) == comparable(verify(transcripts[number - first])), number


def test_javascript_gives_the_same_findings_for_whatever_is_in_a_file(tmp_path: Path) -> None:
    values: tuple[Any, ...] = (None, 0, -1, 1.5, "x", "\ud800", [], [None], [{}], {}, {"a": 1}, True)
    transcripts = [{**honest_transcript(), part: value} for part in honest_transcript() for value in values]
    transcripts += [{**honest_transcript(), "lines": [line]} for line in ('{"line":1,"events":[]}', "[]", '{"line":1}')]
    transcripts += [{**honest_transcript(), "draws": [{"label": "x", "items": []}]}]
    transcripts += [{**honest_transcript(), "draws": [{"label": "x", "below": 0, "value": 0}]}]
    for transcript, by_node in zip(transcripts, found_by_node(transcripts, tmp_path), strict=True):
        by_python = [finding for finding in verify(transcript) if finding.check != "rules"]
        assert [finding for finding in by_node if finding.check != "rules"] == by_python
