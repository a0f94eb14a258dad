"""The command `analyse`: a log or a transcript as text and as JSON, and files that are neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.coach import analysis
from server.coach.analysis import analyse
from server.coach.decisions import PlayedGame
from server.coach.text import findings_text
from server.fairness.transcript import transcript_of, transcript_text
from server.games.engine.game_log import write_log
from server.games.engine.options import read_options
from server.games.registry import GAMES
from server.history.finished import FinishedGames
from server.history.game_files import GameFiles
from server.tables.table_export import read_table_export
from server.tools.simulate import random_game
from tests.history.finished_games import with_finished_game
from tests.tables.table_server import person
from tests.tables.virtual_time import in_virtual_time

QUICK = analysis.Effort(screening=2, shortlist=1, shortlisting=2, confirmed=1, confirming=3, chances=2)


def end_analysed(game: PlayedGame, on_progress: analysis.OnProgress) -> dict[str, Any]:
    """Return the analysis of the end of a game, which takes less time."""
    end = game._replace(moments=game.moments[-2:], decisions=game.decisions[-8:])
    return analyse(end, QUICK, on_progress)


async def exported(game: str) -> str:
    server, table = await with_finished_game(game)
    files = GameFiles(FinishedGames(server.store, server.registry.turns), lambda user, request: "x", lambda: b"")
    text = await files.download(person("ann"), table, None)
    assert isinstance(text, str)
    await server.registry.close()
    return text


@in_virtual_time
async def test_a_log_and_its_transcript_give_the_same_analysis(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(analysis, "analyse", end_analysed)
    log = await exported("planners")
    (tmp_path / "log").write_text(log, "utf-8")
    (tmp_path / "transcript").write_text(transcript_text(transcript_of(read_table_export(log))), "utf-8")
    found: list[Any] = []
    for file in ("log", "transcript"):
        assert main(["analyse", "--json", str(tmp_path / file)]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    text = findings_text(found[0])
    for seat, one in enumerate(found[0]["seats"]):
        assert f"Seat {seat}\n" in text
        assert f"{one['decisions']['judged']} decisions" in text


@pytest.mark.parametrize("content", ["", "hello\n", "{}\n", '{"moves":[]}\n', '{"log":"sanfrancisco-table/1"}\n'])
def test_other_files_are_refused_with_a_sentence(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text(content, "utf-8")
    assert main(["analyse", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith(".\n")
    assert "Traceback" not in told.err


def test_the_log_of_a_game_without_its_table_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = random_game(GAMES["planners"], 2, read_options(GAMES["planners"].options, {}), 1, 1)
    file = tmp_path / "log"
    file.write_text(write_log(GAMES["planners"], played.steps), "utf-8")
    assert main(["analyse", str(file)]) == 2
    assert "neither" in capsys.readouterr().err


def test_the_text_tells_turning_points_and_auctions() -> None:
    interval = [310, 250, 370]
    summary = {"bids": 14, "bids_won": 9, "too_many": 11, "overpaid_in": 4, "skill": -70, "others": 0, "luck": 5}
    point = {
        "step": 57,
        "stage": {"round": 9},
        "kind": "influence_tender",
        "played": {"do": "play_influence", "card": 7},
        "better": {"do": "play_influence", "card": 5},
        "chance": interval,
        "better_chance": [380, 310, 450],
        "cost": [70, 20, 120],
        "reason": {"key": "coach.reason.enough", "values": {"card": 7, "enough": 5, "spare": 2}},
    }
    tender = {
        "step": 12,
        "stage": {"round": 2},
        "target": "bank",
        "action": None,
        "rights": 1,
        "bids": [5, None],
        "held": [9, 3],
        "outcome": ["won", "abstained"],
        "enough": [0, 6],
        "worth": [6, 2],
    }
    seat = {"decisions": {"judged": 40, "good": 33, "close": 6, "poor": 1}, "points": [point], "summary": summary}
    row = {"step": 0, "stage": {"round": 1}, "seats": [interval]}
    findings = {"game": "investors", "trials": 300, "chances": [row], "seats": [seat], "tenders": [tender]}
    text = findings_text(findings)
    for sentence in (
        "Step 57 (round 9): play influence, card 7.",
        "Better: play influence, card 5.",
        "31.0 % (25.0 % to 37.0 %) instead of 38.0 % (31.0 % to 45.0 %).",
        "A 5 would have been enough; 2 influence were spent for nothing.",
        "14 bids of influence, 9 won, 11 influence too many; 4 cost more than the right was worth.",
        "Own mistakes -7.0 %, mistakes of others 0.0 %, luck 0.5 %.",
        "5 won (0, 6)",
    ):
        assert sentence in text, text
