"""Every request about accounts and people, by what its user is: the table in `authority.txt` is complete and right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protocol import messages
from server.model import Refused
from tests.people.authenticator import Authenticator
from tests.people.workers import ORIGIN, Device, Worker

ROLES = ("guest", "reserving", "member")
LINES = [
    line.split()
    for line in (Path(__file__).parent / "authority.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
CASES = [(request, role, expected) for request, *row in LINES[1:] for role, expected in zip(ROLES, row, strict=True)]


async def person(worker: Worker, role: str) -> Device:
    device = await worker.guest()
    if role != "guest":
        await worker.do(device, "keep_name", handle="ada")
    if role == "member":
        await worker.do(device, "make_recovery_codes")
        options = (await worker.do(device, "begin_passkey"))["options"]
        await worker.do(device, "add_passkey", credential=Authenticator(ORIGIN).create(options), name="Key")
    return device


async def fields_of(worker: Worker, device: Device, request: str) -> dict[str, Any]:
    """Return the fields of a request that is refused to nobody for another reason than what they are."""
    grace, _ = await worker.member("grace")
    table = {"table": "table1", "game": "planners", "phase": "open", "seats": []}
    worker.seats.tables[device.user.id] = [table]
    account = (await worker.do(device, "get_account"))["account"]
    match request:
        case "keep_name":
            return {"handle": "lovelace"}
        case "add_passkey":
            return {"credential": {"id": "AAEC"}, "name": ""}
        case "remove_passkey":
            return {"passkey": account["passkeys"][0]["id"] if account["passkeys"] else "none"}
        case "sign_out":
            return {"device": account["devices"][0]["id"]}
        case "set_profile":
            return {"motto": "", "languages": [], "privacy": "public"}
        case "set_rhythm":
            return {"rhythm": {"zone": "Europe/Rome", "start": 480, "end": 1320, "days": [0, 1]}}
        case "delete_account":
            return {"confirm": account["handle"] or device.user.name}
        case "follow" | "block":
            return {"user": grace.user.id, request: True}
        case "dismiss_invitation":
            return {"table": "table1"}
        case "invite":
            return {"table": "table1", "handle": "grace"}
    return {}


@pytest.mark.parametrize("request_type, role, expected", CASES)
async def test_a_request_is_allowed_or_refused_as_the_table_says(
    worker: Worker, request_type: str, role: str, expected: str
) -> None:
    device = await person(worker, role)
    fields = await fields_of(worker, device, request_type)
    reply = await worker.request(device, request_type, **fields)
    assert (reply.code if isinstance(reply, Refused) else "yes") == expected


def test_the_table_has_every_request_about_accounts_and_people() -> None:
    described = {messages.Invite, *messages.PeopleRequest.__subclasses__(), *messages.AccountRequest.__subclasses__()}
    described.remove(messages.AccountRequest)
    assert LINES[0] == ["request", *ROLES]
    assert {line[0] for line in LINES[1:]} == {each.model_fields["type"].annotation.__args__[0] for each in described}
