"""People whose devices keep their sealed answers, at tables of the toy auction."""

from __future__ import annotations

from typing import Any

from protocol.commitments import answer_commitment, canonical_json
from server.model import Done, Reply
from tests.tables.table_server import TableServer

SALTS = {"ann": "5a" * 16, "ben": "6b" * 16, "cat": "7c" * 16}


async def begin(server: TableServer, *names: str, **settings: Any) -> str:
    """Return a table whose game has begun, and where sealed answers stay on devices."""
    return await server.begin(*names, **{"absence_seconds": None, "sealed_on_devices": True, **settings})


def bid_of(server: TableServer, table: str, name: str, place: int = 0) -> dict[str, Any]:
    """Return the bid of one of the cards of a seat."""
    state = server.state(table)
    return {"do": "bid", "card": state.play.state.hands[state.seat_of(name)][place]}


def seal_of(server: TableServer, table: str, name: str, place: int = 0, attempt: int | None = None) -> dict[str, Any]:
    """Return the fields of a request that seals a bid."""
    state = server.state(table)
    seat, number = state.seat_of(name), state.play.number
    if attempt is None:
        attempt = state.seals[seat].attempt + 1 if seat in state.seals else 0
    where = (table, state.exchange.game, number, seat, attempt)
    answer = canonical_json(bid_of(server, table, name, place))
    commitment = answer_commitment(*where, answer, bytes.fromhex(SALTS[name]))
    return {"decision": number, "attempt": attempt, "commitment": commitment}


def opening_of(server: TableServer, table: str, name: str, place: int = 0) -> dict[str, Any]:
    """Return the fields of a request that opens a sealed bid."""
    command = bid_of(server, table, name, place)
    return {"decision": server.state(table).play.number, "command": command, "salt": SALTS[name]}


async def seal(server: TableServer, table: str, name: str, place: int = 0) -> None:
    """Seal the bid of a card, which stays on the device."""
    await server.do(name, "seal", table, **seal_of(server, table, name, place))


async def unseal(server: TableServer, table: str, name: str, place: int = 0) -> Reply:
    """Open a sealed bid, and return the reply."""
    return await server.ask(name, "unseal", table, **opening_of(server, table, name, place))


async def seal_all(server: TableServer, table: str, *names: str) -> None:
    for name in names:
        await seal(server, table, name)


async def open_all(server: TableServer, table: str, *names: str) -> None:
    for name in names:
        assert isinstance(await unseal(server, table, name), Done)


async def events_of(server: TableServer, table: str, *kinds: type[Any]) -> list[Any]:
    return [event for entry in await server.entries(table) for event in entry if isinstance(event, kinds)]
