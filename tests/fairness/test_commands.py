"""The commands `transcript` and `verify`, and the script for Node: what they print, and their exit codes."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.fairness.findings import SENTENCES, UNVERIFIABLE, WHY_NOT
from server.fairness.transcript import transcript_of, transcript_text
from server.store.sqlite import SqliteStore
from server.tables.table_export import write_table_export
from server.tools.tables import import_table
from tests.fairness.frauds import FRAUDS, committed, honest, honest_transcript
from tests.fairness.played_tables import PlayedTable, played
from tests.web.node import ROOT, WEB

SCRIPT = WEB / "verify-transcript.mjs"


def run_script(*arguments: str) -> tuple[int, str]:
    """Run the script for Node, and return its exit code and output."""
    found = subprocess.run([ROOT / ".make" / "node"], capture_output=True, text=True, check=True)
    command = [str(Path(found.stdout.strip()) / "node"), str(SCRIPT), *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert run.stderr == ""
    return run.returncode, run.stdout


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    file = tmp_path / "honest.json"
    file.write_text(transcript_text(honest_transcript()))
    return file


def stored(table: PlayedTable, database: Path) -> None:
    """Store the log of a table in a new database."""

    async def store() -> None:
        opened = await SqliteStore.open(database)
        await import_table(opened, table.export())
        await opened.close()

    asyncio.run(store())


def test_verify_says_what_it_checked(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(transcript)]) == 0
    said = capsys.readouterr().out
    for words in ("public record", "fixed by the server and the devices of seats 1, 2, 3", "sealed", "draws", "rules"):
        assert words in said
    assert said.endswith(f"Verified: {transcript}\n")


def test_the_script_says_the_same_and_that_it_does_not_replay_the_rules(
    transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["verify", str(transcript)])
    by_python = capsys.readouterr().out.splitlines()
    code, said = run_script(str(transcript))
    assert code == 0
    *by_node, not_replayed, result = said.splitlines()
    assert by_node == [line for line in by_python[:-1] if "by the rules" not in line]
    assert not_replayed == f"note   {SENTENCES['rules_not_replayed']}"
    assert result == f"Verified, up to the rules: {transcript}"


@pytest.mark.parametrize("name", ["a_swapped_card", "a_removed_line", "a_changed_bid", "another_server_seed"])
def test_a_fraud_ends_both_with_1(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fraud.json"
    file.write_text(json.dumps(committed(next(fraud for fraud in FRAUDS if fraud.name == name))))
    assert main(["verify", str(file)]) == 1
    wrong = [line for line in capsys.readouterr().out.splitlines() if line.startswith("WRONG") and "rules" not in line]
    code, said = run_script(str(file))
    assert code == 1
    assert said.endswith(f"\nNOT VERIFIED: {file}\n")
    assert wrong
    assert {line for line in said.splitlines() if line.startswith("WRONG")} >= {
        line for line in wrong if "does not follow from the moves" not in line and "other shuffles" not in line
    }


def test_a_noted_head_is_looked_for(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain = honest("investors").chain
    noted = "{line}.{head}".format_map(chain.shown())
    assert main(["verify", str(transcript), "--head", noted]) == 0
    assert main(["verify", str(transcript), "--head", noted, "--head", "1234 5678 9abc def0"]) == 1
    assert "whoever noted it was shown another game" in capsys.readouterr().out
    assert run_script(str(transcript), "--head", noted)[0] == 0
    assert run_script(str(transcript), "--head", "1234 5678 9abc def0")[0] == 1


def test_a_log_is_verified_as_its_transcript_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.log"
    file.write_text(write_table_export(honest("investors").export()))
    assert main(["verify", str(file)]) == 0
    assert "by the rules" in capsys.readouterr().out


def test_a_transcript_is_written_from_a_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, database, file = played(1), tmp_path / "tables.db", tmp_path / "game.json"
    stored(table, database)
    assert main(["transcript", table.id, "--database", str(database), "-o", str(file)]) == 0
    assert json.loads(file.read_text()) == transcript_of(table.export())
    assert main(["transcript", table.id, "--database", str(database)]) == 0
    assert capsys.readouterr().out == file.read_text()
    assert main(["verify", str(file)]) == 0
    assert main(["transcript", table.id, "--database", str(database), "-o", str(file)]) == 2
    assert main(["transcript", "nowhere", "--database", str(database)]) == 2


def test_a_running_game_has_no_transcript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = PlayedTable(1)
    table.begin(people=2, contributors=2)
    stored(table, tmp_path / "tables.db")
    assert main(["transcript", table.id, "--database", str(tmp_path / "tables.db")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "is not over" in captured.err
    file = tmp_path / "running.log"
    file.write_text(write_table_export(table.export()))
    assert main(["verify", str(file)]) == 2


def test_other_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    for text, code in (("{", 2), ('{"log":7}', 1), ("{}", 1), ('{"log":"sanfrancisco-table/1"}\n', 2)):
        file.write_text(text)
        assert main(["verify", str(file)]) == code, text
    assert main(["verify", str(file), "--database", "x.db"]) == 2
    assert main(["verify", "--database", str(tmp_path / "x.db"), "--head", "AAAA"]) == 2
    assert run_script(str(tmp_path / "missing"))[0] == 2
    assert run_script()[0] == 2


def test_the_script_has_the_same_sentences() -> None:
    source = SCRIPT.read_text()
    found = {name: json.loads(text) for name, text in re.findall(r'^  (\w+): ("(?:[^"\\]|\\.)*"),$', source, re.M)}
    expected: dict[str, Any] = {
        key: sentence
        for key, sentence in SENTENCES.items()
        if not key.startswith("rules_") or key == "rules_not_replayed"
    }
    assert found == {**expected, **WHY_NOT}
    assert SENTENCES.keys() >= UNVERIFIABLE


def test_the_findings_have_no_key_without_a_sentence() -> None:
    files = [*(ROOT / "server" / "fairness").glob("*.py"), *(WEB / "src" / "fairness").glob("*.js")]
    source = "".join(file.read_text() for file in files if file.name != "findings.py")
    kinds = r'(?:Wrong\(|Finding\("\w+", \w+, |(?:right|note)\("\w+", )'
    used = set(re.findall(kinds + r'"(\w+)"', source)) | {"head_missing"}
    assert used == SENTENCES.keys()


def test_verifying_a_game_is_fast() -> None:
    """Count CPU time without starting Python. The bound is generous: a loaded machine has slower cores too."""
    code = (
        "import json, sys, time; from server.fairness.verify import verify; value = json.load(open(sys.argv[1]));"
        "began = time.process_time(); verify(value); print(time.process_time() - began)"
    )
    longest = max((played(number) for number in (0, 3, 6, 9)), key=lambda table: len(table.entries))
    run = subprocess.run(
        [sys.executable, "-c", code, "/dev/stdin"],
        input=transcript_text(transcript_of(longest.export())),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert float(run.stdout) < 0.1
