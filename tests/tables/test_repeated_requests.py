"""A repeated request is recognised: in the other encoding, with another order of its fields, and after an upgrade."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import Encoding, decode, encode, read_request
from protocol.messages import Decide, RefusedMessage
from server.games.engine.play import Answered
from server.games.engine.serialization import to_json
from server.model import User
from server.store.sqlite import SqliteStore
from server.tables.entries import open_entry, read_entry
from server.tables.messages import RequestReceived, Responder
from tests.gateway.process import ROOT

GOLDEN = ROOT / "tests" / "golden" / "protocol-1" / "tables.sqlite3"
"""The database of version 0.1.0."""


def hash_of(message: dict[str, Any], encoding: Encoding = Encoding.MSGPACK) -> bytes:
    """Return the hash under which the store keeps the reply to a request."""
    request = read_request(decode(encode(message, encoding), encoding))
    assert not isinstance(request, RefusedMessage)
    return RequestReceived(User("ann", "Ann"), request, Responder(lambda reply: None)).idempotency[1]  # type: ignore[arg-type]


async def test_moves_of_an_earlier_version_are_recognised(tmp_path: Path) -> None:
    shutil.copy(GOLDEN, tmp_path / "tables.db")
    store = await SqliteStore.open(tmp_path / "tables.db")
    recognised, answered = 0, 0
    for name in await store.names():
        copy = await store.copy(name)
        assert copy is not None
        hashes = {request_hash for request_hash, _ in copy.answers.values()}
        table = open_entry(copy.entries[0].payload)
        for entry in copy.entries[1:]:
            number = 0 if table.play is None else table.play.number
            events = read_entry(entry.payload, table.settings.game)
            for event in events:
                if isinstance(event, Answered) and table.chairs[event.seat].user is not None:
                    answered += 1
                    recognised += any(
                        hash_of(decision(key, name, number, event)) in hashes
                        for key in copy.answers
                        if key.startswith(f"{table.chairs[event.seat].user}/")
                    )
            table.apply(events)
    await store.close()
    assert answered > 100
    # Some were changed by a bot that stood in, or by a forced answer, which no request has caused.
    assert recognised > 0.9 * answered


def decision(key: str, table: str, number: int, event: Answered) -> dict[str, Any]:
    """Return the request that sealed an answer."""
    request_id = key.partition("/")[2]
    return {"type": "decide", "id": request_id, "table": table, "decision": number, "command": to_json(event.command)}


MOVE = {"type": "decide", "id": "a-1", "table": "abcd", "decision": 7, "command": {"do": "pay", "cheques": [3, 5]}}


def test_the_hash_of_a_move_is_that_of_earlier_versions() -> None:
    assert hash_of(MOVE).hex() == "d6d40b7c8b8ac18d18882ef09dfbcd735153ccfa03e6d76652c70fd9f634a0ba"


@pytest.mark.parametrize("encoding", Encoding)
def test_encoding_and_order_of_fields_do_not_matter(encoding: Encoding) -> None:
    assert hash_of(dict(reversed(MOVE.items())), encoding) == hash_of(MOVE)
    assert hash_of({**MOVE, "decision": 8}, encoding) != hash_of(MOVE)


@given(
    st.dictionaries(
        st.text(max_size=6),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=6),
            lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=3), parts, max_size=3),
            max_leaves=6,
        ),
        max_size=4,
    )
)
@settings(max_examples=60, deadline=None)
def test_any_move_is_hashed_as_the_contract_writes_it(command: dict[str, Any]) -> None:
    message = {**MOVE, "command": command}
    later = {"commitment", "salt", "seen"}
    assert hash_of(message) == sha256(Decide.model_validate(message).model_dump_json(exclude=later).encode()).digest()


@pytest.mark.parametrize("field", ["commitment", "salt", "seen"])
def test_a_move_with_a_later_field_has_another_hash(field: str) -> None:
    value = {"commitment": "A" * 43, "salt": "0" * 32, "seen": "1." + "A" * 43}[field]
    message = {**MOVE, field: value}
    assert hash_of(message) != hash_of(MOVE)
    without = {"commitment", "salt", "seen"} - {field}
    assert hash_of(message) == sha256(Decide.model_validate(message).model_dump_json(exclude=without).encode()).digest()
