"""Every request about finished games that names no table, by who asks and what the person chose whom it is about."""

from __future__ import annotations

import time
from pathlib import Path
from typing import get_args

import pytest

from protocol import messages
from server.history.parts import HistoryParts
from server.lobby.directory import TableDirectory
from server.model import Refused, User
from server.people.directory import PeopleDirectory
from tests.history.rated_games import fill, finished, register
from tests.replies import result_of
from tests.tables.table_server import TableServer

USERS = {"self": "ann", "friend": "bea", "follower": "cai", "member": "dev", "guest": "guest", "blocked": "eve"}
LINES = [
    line.split()
    for line in (Path(__file__).parent / "authority.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
CASES = [
    (request, privacy, role, expected)
    for request, privacy, *row in LINES[1:]
    for role, expected in zip(USERS, row, strict=True)
]
FIELDS = {
    "get_profile": {"handle": "ann"},
    "list_games": {"people": ["ann"]},
    "get_rankings": {"game": "planners"},
}


def test_the_table_has_every_request_that_names_no_table() -> None:
    kinds = [kind for kind in messages.HistoryRequest.__subclasses__() if "table" not in kind.model_fields]
    requests = {get_args(kind.model_fields["type"].annotation)[0] for kind in kinds}
    assert LINES[0] == ["request", "privacy", *USERS]
    assert {(request, privacy) for request, privacy, *_ in LINES[1:]} == {
        (request, privacy) for request in requests for privacy in ("public", "friends", "nobody")
    }


@pytest.mark.parametrize("request_type, privacy, role, expected", CASES)
async def test_a_person_is_shown_as_the_table_says(request_type: str, privacy: str, role: str, expected: str) -> None:
    server = TableServer()
    key_values = server.store.key_values
    people = PeopleDirectory(key_values)
    for user in set(USERS.values()) - {"guest"}:
        await register(key_values, user, privacy=privacy if user == "ann" else "public")
    await people.relations.follow("ann", "bea")
    await people.relations.follow("cai", "ann")
    await people.relations.block("ann", "eve")
    # Enough games for a place in the rankings.
    now = round(time.time() * 1000)
    games = [finished({"ann": 1, "fay": 2}, table=f"game{number}", ended=now - 60_000 + number) for number in range(10)]
    await fill(server.store.games, games)
    history = HistoryParts(server.store, server.registry.turns)
    ids = lambda user, request_id: f"next{user.id}"  # noqa: E731
    service = history.service(people, TableDirectory(), server.registry, ids, server.bots.strengths)
    request = messages.REQUESTS.validate_python({"type": request_type, "id": "x", **FIELDS[request_type]})
    asking = USERS[role]
    user = User(asking, asking.capitalize(), handle=None if asking == "guest" else asking)
    reply = await service.answer(user, request)
    if isinstance(reply, Refused):
        assert reply.code == expected
        return
    assert ("yes" if '"ann"' in str(result_of(reply)).replace("'", '"') else "nothing") == expected
    await server.registry.close()
