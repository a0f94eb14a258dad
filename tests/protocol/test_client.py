"""The client in Python: what it does by itself when a table is busy."""

from __future__ import annotations

from typing import Any

import pytest

from protocol import client
from protocol.client import Client, RequestRefused


class Refusing(Client):
    """A client without a connection, whose requests are refused so many times with a code."""

    def __init__(self, code: str, times: int) -> None:
        super().__init__("ws://nowhere", "token", max_backoff_seconds=0.001)
        self.code = code
        self.times = times
        self.sent: list[str] = []

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        self.sent.append(kind)
        if len(self.sent) <= self.times:
            raise RequestRefused(self.code, "Not now.")
        table = self.tables[fields["table"]]
        table.apply({"type": "view", "view": {}, "number": 7, "stamp": None})
        return {}


async def test_a_busy_table_is_watched_as_soon_as_it_has_room() -> None:
    refusing = Refusing("busy", times=4)
    assert (await refusing.watch("table1")).number == 7
    assert refusing.sent == ["watch"] * 5


@pytest.mark.parametrize("code, requests", [("no_such_table", 1), ("busy", 1 + client.WATCH_RETRIES)])
async def test_a_client_does_not_try_for_ever(code: str, requests: int) -> None:
    refusing = Refusing(code, times=1_000)
    with pytest.raises(RequestRefused):
        await refusing.watch("table1")
    assert len(refusing.sent) == requests
