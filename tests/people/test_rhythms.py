"""The hours that are kept with people: who may have which, where they are told, and that they can be deleted."""

from __future__ import annotations

from typing import Any

import pytest

from server.people.directory import PeopleDirectory
from server.people.rhythms import RHYTHM
from server.tables.rhythm import Rhythm
from tests.people.workers import Worker

WEEK = [0, 1, 2, 3, 4, 5, 6]
HOURS = {"zone": "Asia/Kolkata", "start": 480, "end": 1320, "days": WEEK}
DAYS = {"clock": {"kind": "decision", "seconds": 86_400}, "absence_seconds": None}


async def test_hours_are_kept_with_guests_too_and_shown_in_the_account(worker: Worker) -> None:
    ada = await worker.guest()
    assert (await worker.do(ada, "get_account"))["account"]["rhythm"] is None
    await worker.do(ada, "set_rhythm", rhythm={**HOURS, "days": [6, 0, 1, 2, 3, 4, 5]})
    assert (await worker.do(ada, "get_account"))["account"]["rhythm"] == HOURS
    directory = PeopleDirectory(worker.key_values)
    assert await directory.rhythms([ada.user.id, "nobody"]) == {
        ada.user.id: Rhythm("Asia/Kolkata", 480, 1320, (0, 1, 2, 3, 4, 5, 6)),
        "nobody": None,
    }
    await worker.do(ada, "set_rhythm", rhythm=None)
    assert (await worker.do(ada, "get_account"))["account"]["rhythm"] is None


@pytest.mark.parametrize(
    "changes",
    [
        {"zone": "Atlantis/Capital"},
        {"zone": "../../etc/passwd"},
        {"zone": ""},
        {"start": 480, "end": 599},
        {"end": 1319, "days": [0]},
    ],
    ids=["unknown zone", "path", "no zone", "a minute too short each day", "a minute too short on one day"],
)
async def test_hours_with_which_games_would_not_go_on_are_refused(worker: Worker, changes: dict[str, Any]) -> None:
    ada = await worker.guest()
    await worker.do(ada, "set_rhythm", rhythm=HOURS)
    assert await worker.refused(ada, "set_rhythm", rhythm=HOURS | changes) == "bad_rhythm"
    assert (await worker.do(ada, "get_account"))["account"]["rhythm"] == HOURS


async def test_fourteen_hours_a_week_are_enough(worker: Worker) -> None:
    ada = await worker.guest()
    await worker.do(ada, "set_rhythm", rhythm={**HOURS, "start": 480, "end": 600})
    await worker.do(ada, "set_rhythm", rhythm={**HOURS, "start": 1_200, "end": 600, "days": [5]})


async def test_tables_by_the_day_are_asked_to_take_over_other_hours(worker: Worker) -> None:
    ada = await worker.guest()
    base = {"game": "planners", "phase": "running", "seats": []}
    worker.seats.tables[ada.user.id] = [
        {**base, "table": "slow", "settings": DAYS},
        {**base, "table": "live", "settings": {"clock": {"kind": "none"}, "absence_seconds": None}},
    ]
    await worker.do(ada, "set_rhythm", rhythm=HOURS)
    assert worker.seats.requests == [(ada.user.id, "adopt_rhythm", "slow")]


async def test_hours_are_deleted_with_the_person(worker: Worker) -> None:
    ada = await worker.guest()
    await worker.do(ada, "set_rhythm", rhythm=HOURS)
    assert (await worker.service.download(ada.user, ada.token))["account"]["rhythm"] == HOURS
    await worker.do(ada, "delete_account", confirm=ada.user.name)
    assert await worker.key_values.find(RHYTHM) == []
