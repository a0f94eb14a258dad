"""Every event of every golden log has a whole sentence for every viewer in every language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server.games.engine.game_log import GameLog, read_log, replay_log
from server.games.engine.play import PLAY_EVENTS, play_view
from server.tables.events import TABLE_EVENTS
from tests.web.node import ROOT, WEB, bundled, run_node

GOLDEN = ROOT / "tests/golden"
GAMES = ("investors", "planners", "builders")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bundle the script that renders logs."""
    return bundled("golden-sentences.js", tmp_path_factory.mktemp("sentences"))


def viewers_of(log: GameLog) -> list[dict[str, Any]]:
    """Return what each seat and a spectator may know of a game: its last view, and its updates."""
    play = replay_log(log)
    seats = [{"name": name, "bot": None} for name in ("Ana", "Bo", "Cleo", "Dan", "Eve")]
    seats = seats[: len(play_view(play, None)["game"]["seats"])]
    return [
        {
            "view": {"mine": viewer, "seats": seats, "play": play_view(play, viewer), "table": {"game": log.game.name}},
            "entries": [
                {"number": number, "at": None, "events": [shown for event in step if (shown := event.shown_to(viewer))]}
                for number, step in enumerate(log.steps, 1)
            ],
        }
        for viewer in (None, *range(len(seats)))
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_every_golden_log_has_a_whole_sentence(game: str, script: Path, tmp_path: Path) -> None:
    logs = sorted(GOLDEN.glob(f"{game}/*.log"))
    games = [
        {"game": game, "name": path.stem, "viewers": viewers_of(read_log(path.read_text("utf-8")))} for path in logs
    ]
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"games": games, "show": False}), "utf-8")
    result = json.loads(run_node("node", str(script), str(file)))
    assert result["count"] > 10_000
    assert result["broken"] == []


def test_the_page_knows_which_updates_are_steps_of_a_game() -> None:
    source = (WEB / "src/table-log.js").read_text("utf-8")
    listed = source.partition("NO_STEPS = new Set([")[2].partition("]")[0]
    answered = next(event for event in PLAY_EVENTS if event.name == "answered")
    no_steps = {event.name for event in (*TABLE_EVENTS, answered)} - {"game_started"}
    assert set(json.loads(f"[{listed.strip().rstrip(',')}]")) == no_steps
