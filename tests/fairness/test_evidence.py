"""What a device has kept during the game is compared with the transcript: heads, random bytes, sealed answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from protocol.commitments import base64url, chain_next, chain_start
from server.fairness.verify import fingerprint, verify
from tests.fairness.both import found_by_node, wrong_keys
from tests.fairness.device_frauds import kept
from tests.fairness.frauds import DEVICES, OTHER_SEED, Record, honest, honest_transcript
from tests.fairness.played_tables import PlayedTable

Transcript = dict[str, Any]


def heads_of(transcript: Transcript) -> list[bytes]:
    heads = [chain_start(transcript["table"])]
    for line in transcript["lines"]:
        heads.append(chain_next(heads[-1], line.encode()))
    return heads


def evidence_of(transcript: Transcript) -> dict[str, Any]:
    """Return what the page of a seat has kept of a game: everything."""
    opened = Record(transcript).event("seed_opened", -1)
    names = ("decision", "seat", "attempt", "answer", "salt")
    own = [each for each in transcript["openings"] if each["seat"] == opened["seat"] and not each["by_server"]]
    return {
        "heads": [{"line": line, "head": base64url(head)} for line, head in enumerate(heads_of(transcript))],
        "seeds": [{name: opened[name] for name in ("game", "seat", "seed")}],
        "answers": [{name: each[name] for name in names} for each in own],
    }


def test_the_evidence_of_an_honest_game_is_found(tmp_path: Path) -> None:
    transcript = honest_transcript()
    evidence = evidence_of(transcript)
    assert len(evidence["answers"]) > 3
    [findings] = found_by_node([transcript], tmp_path, [evidence])
    assert wrong_keys(findings) == []
    assert {"own_seed_ok", "own_answers_ok", "head_ok"} <= {finding.key for finding in findings}


def test_evidence_that_the_transcript_does_not_have_is_found(tmp_path: Path) -> None:
    transcript = honest_transcript()
    good = evidence_of(transcript)
    answer, seed, head = good["answers"][0], good["seeds"][0], good["heads"][50]
    forged: list[tuple[str, dict[str, Any]]] = [
        ("own_seed_missing", {"seeds": [{**seed, "seed": OTHER_SEED.hex()}]}),
        ("own_seed_missing", {"seeds": [{**seed, "seat": (seed["seat"] + 1) % 4}]}),
        ("own_answer_differs", {"answers": [{**answer, "answer": '{"do":"nothing"}'}]}),
        ("own_answer_differs", {"answers": [{**answer, "salt": OTHER_SEED[:16].hex()}]}),
        ("own_answer_differs", {"answers": [*good["answers"], {**answer, "attempt": 9}]}),
        ("head_missing", {"heads": [{**head, "head": good["heads"][51]["head"]}]}),
        ("head_missing", {"heads": [{**head, "line": 100_000}]}),
        ("head_missing", {"heads": [{"line": None, "head": "AAAA"}]}),
    ]
    found = found_by_node([transcript] * len(forged), tmp_path, [{**good, **each} for _, each in forged])
    assert [wrong_keys(findings) for findings in found] == [[key] for key, _ in forged]


def test_an_opening_that_the_record_denies_is_found(tmp_path: Path) -> None:
    """The server asked a device before all had answered, with other commitments; or it says that nothing was opened."""
    transcript = honest_transcript(DEVICES)
    record = Record(transcript)
    opened = kept(transcript, record)
    seals = record.event("openings_asked", decision=opened["decision"])["seals"]
    answer = {name: opened[name] for name in ("decision", "seat", "attempt", "answer", "salt")}
    early = [{**seals[0], "commitment": "A" * 43}, *seals[1:]]
    assert {*seals[0]} == {"seat", "attempt", "commitment"}
    evidence = [{"answers": [{**answer, "asked": asked}]} for asked in (seals, early, seals[1:])]
    found = found_by_node([transcript] * 3, tmp_path, evidence)
    assert [wrong_keys(each) for each in found] == [[], ["own_opening_differs"], ["own_opening_differs"]]
    opened |= {"salt": None, "answer": None}
    [denied] = found_by_node([transcript], tmp_path, evidence[:1])
    assert "own_opening_differs" in wrong_keys(denied)


def test_a_noted_head_may_be_a_fingerprint_and_may_name_its_line() -> None:
    transcript = honest_transcript()
    head = heads_of(transcript)[57]
    compact = fingerprint(head).replace(" ", "")
    for noted in (base64url(head), f"57.{base64url(head)}", fingerprint(head), compact.upper(), f"57.{compact}"):
        finding = verify(transcript, [noted])[-1]
        assert (finding.key, finding.values) == ("head_ok", {"line": 57}), noted
    for noted in (f"56.{base64url(head)}", "", "57.", base64url(head)[:-1], compact[:-1]):
        assert verify(transcript, [noted])[-1].key == "head_missing", noted


def test_two_forks_of_a_game_have_no_head_in_common_after_they_part(tmp_path: Path) -> None:
    """The server shows one game to a person and publishes another, with the same seeds and another move."""
    table = honest("investors")
    fork = PlayedTable(35, "investors", seats=4, show_decided=True)
    fork.begin(people=3, contributors=3, is_late=True)
    fork.rng.seed(1)
    fork.play()
    assert fork.chain.shown()["head"] != table.chain.shown()["head"]
    transcript = honest_transcript()
    noted = fork.chain.shown()
    [findings] = found_by_node([transcript], tmp_path, [{"heads": [noted]}])
    assert wrong_keys(findings) == ["head_missing"]
    assert wrong_keys(verify(transcript, [f"{noted['line']}.{noted['head']}"])) == ["head_missing"]


def test_after_a_rollback_a_lost_head_is_a_note(tmp_path: Path) -> None:
    transcript = honest_transcript()
    record = Record(transcript)
    record.lines.insert(60, {"events": [{"event": "went_back", "records": 3}]})
    record.rebuild()
    read = json.loads(json.dumps(transcript))
    findings = verify(read, ["AAAA"])
    assert wrong_keys(findings) == []
    assert {"head_lost", "went_back_note"} <= {finding.key for finding in findings}
    [by_node] = found_by_node([read], tmp_path, [{"heads": [{"line": None, "head": "AAAA"}]}])
    assert {"head_lost", "went_back_note"} <= {finding.key for finding in by_node}


def test_a_seat_that_was_shown_another_record_is_a_note(tmp_path: Path) -> None:
    """A client can say so without reason, and must not be able to spoil the verification of any game that it lost."""
    transcript = honest_transcript()
    record = Record(transcript)
    record.lines.insert(60, {"events": [{"event": "history_differs", "seat": 1, "line": 12, "head": "AAAA"}]})
    record.rebuild()
    read = json.loads(json.dumps(transcript))
    [by_node] = found_by_node([read], tmp_path)
    for findings in (verify(read), by_node):
        [finding] = [finding for finding in findings if finding.key == "history_differs_note"]
        assert (finding.ok, finding.values) == (None, {"seat": 1, "at": 12})
        assert wrong_keys(findings) == []
