"""Logs of tables that go on from other games, as files."""

from __future__ import annotations

from typing import Any

import pytest

from server.games.engine.game_log import DamagedLog, replay_log
from server.model import User
from server.tables.imported_log import read_imported
from server.tables.table_export import game_of, read_table_export
from tests.history.test_game_files import OPENING, changed, files_of
from tests.history.test_play_on import Replays, played
from tests.tables.virtual_time import in_virtual_time


async def continued(hidden: str) -> tuple[Replays, str, str]:
    """Return a table that went on from a game of Planners until it was abandoned, and its log as a file."""
    replays = await played("planners")
    opened = await replays.go_on("pat", step=9, seat=1, hidden=hidden)
    table = opened["table"]
    for name in ("quinn", "rob"):
        await replays.server.do(name, "take_seat", table, key=opened["key"])
    for name in ("pat", "quinn", "rob"):
        await replays.server.do(name, "vote", table, on="abandon", agree=True)
    text = await files_of(replays.server).download(User("pat", "Pat"), table, None)
    assert isinstance(text, str), text
    return replays, table, text


@pytest.mark.parametrize("hidden", ["as_it_was", "redealt"])
@in_virtual_time
async def test_the_game_in_the_log_of_a_table_that_goes_on_begins_with_the_other_game(hidden: str) -> None:
    replays, table, text = await continued(hidden)
    play = replay_log(game_of(read_table_export(text)))
    await replays.server.watch("pat", table)
    assert play.state == replays.server.state(table).play.state
    await replays.server.registry.close()


@pytest.mark.parametrize(
    "event, fields",
    [
        ("continued_from", {"table": "x" * 1000}),
        ("continued_from", {"seat": -1}),
        ("continued_from", {"step": 10**9}),
        ("continued_from", {"hidden": "x" * 1000}),
        ("continued_from", {"steps": "bm90aGluZw=="}),
        ("seat_taken", {"seat": -1}),
        ("seat_ready", {"seat": 40}),
    ],
)
@in_virtual_time
async def test_a_forged_origin_is_refused(event: str, fields: dict[str, Any]) -> None:
    replays, _, text = await continued("redealt")
    read_imported(text, OPENING)
    with pytest.raises(DamagedLog, match=r"^Line \d+ is damaged: .*\.$"):
        read_imported(changed(text, event, **fields), OPENING)
    await replays.server.registry.close()
