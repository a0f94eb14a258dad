"""Databases, exported tables and clients of version 0.1.0 keep working (`tests/golden/protocol-1`)."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from server.cli import main
from server.tables.history import RECENT_KEPT
from tests.gateway.process import ROOT, server_process

GOLDEN = ROOT / "tests" / "golden" / "protocol-1"
PATIENCE = 60.0
RATES = ("request", "chat", "creation", "match", "hint", "handshake", "session", "frame", "new-creation", "new-chat")

Message = dict[str, Any]


def load(name: str) -> Any:
    return json.loads(gzip.decompress((GOLDEN / name).read_bytes()))


TABLES: dict[str, Any] = load("tables.json.gz")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Yield the websocket address of a server on a copy of the old database."""
    shutil.copy(GOLDEN / "tables.sqlite3", tmp_path / "tables.db")
    rates = [f"--{name}-rate=100000/1/100000" for name in RATES]
    with server_process(tmp_path, "--bot-least-seconds=0", "--bot-most-seconds=0", *rates) as server:
        yield server.http.replace("http", "ws", 1) + "/socket"


class Recorder:
    """A JSON client of protocol version 1 that keeps every message it receives."""

    def __init__(self, socket: ClientConnection) -> None:
        self.received: list[Message] = []
        self._socket = socket
        self._has_news = asyncio.Condition()
        self._requests = 0

    async def receive_for_ever(self) -> None:
        async for data in self._socket:
            async with self._has_news:
                self.received.append(json.loads(data))
                self._has_news.notify_all()

    async def send(self, message: Message) -> None:
        await self._socket.send(json.dumps(message))

    async def wait_for(self, predicate: Callable[[Message], bool], start: int = 0) -> Message:
        """Return the first message from the given position on that the predicate accepts."""

        def found() -> Message | None:
            return next(filter(predicate, self.received[start:]), None)

        async with asyncio.timeout(PATIENCE), self._has_news:
            await self._has_news.wait_for(lambda: found() is not None)
        message = found()
        assert message is not None
        return message

    async def wait_for_count(self, count: int) -> None:
        """Wait until so many messages, presence and own tables aside, have been received."""
        async with asyncio.timeout(PATIENCE), self._has_news:
            await self._has_news.wait_for(lambda: len(in_order(self.received)) >= count)

    async def wait_for_own_tables(self, lists: list[Message]) -> None:
        """Wait until these lists of the user's own tables have been received, one after the other.

        Later versions send a list again when one of its new fields has changed. To an old client that is the same list
        twice; any other list is an error.
        """

        def are_there() -> bool:
            came, place = own_tables(self.received), 0
            for message in came:
                if differences(lists[place], message):
                    place += 1
                    assert not differences(lists[place], message)
            return bool(came) and place == len(lists) - 1

        async with asyncio.timeout(PATIENCE), self._has_news:
            await self._has_news.wait_for(are_there)

    async def request(self, kind: str, **fields: Any) -> Message:
        """Send a request and return its reply."""
        self._requests += 1
        name = f"compatibility-{self._requests}"
        await self.send({"type": kind, "id": name, **fields})
        return await self.wait_for(lambda message: message.get("id") == name)


@asynccontextmanager
async def recorder(url: str, user: str) -> AsyncIterator[Recorder]:
    headers = {"Authorization": f"Bearer {TABLES['users'][user]['token']}"}
    async with connect(
        url, subprotocols=["sanfrancisco.1.json"], additional_headers=headers, max_size=None, proxy=None
    ) as socket:
        client = Recorder(socket)
        receiving = asyncio.create_task(client.receive_for_ever())
        try:
            yield client
        finally:
            receiving.cancel()
            with suppress(asyncio.CancelledError):
                await receiving


def in_order(messages: list[Message]) -> list[Message]:
    """Return the messages whose order and number are fixed."""
    return [message for message in messages if message["type"] not in ("presence", "your_tables")]


def with_lines_beside_the_log(messages: list[Message]) -> list[Message]:
    """Return recorded messages with the lines of spectators as they come now: without a number, beside the log."""
    now: list[Message] = []
    left_out = 0
    for message in messages:
        spoken = [event for event in message.get("events", ()) if event.get("room") == "spectators"]
        if spoken:
            left_out += 1
            lines = [{"name": line["display_name"]} | {key: line[key] for key in ("user", "text")} for line in spoken]
            now.append({"type": "chat", "table": message["table"], "lines": lines})
        elif message["type"] == "update":
            now.append(message | {"number": message["number"] - left_out})
        else:
            now.append(message)
    return now


def own_tables(messages: list[Message]) -> list[Message]:
    return [message for message in messages if message["type"] == "your_tables"]


def without_times(value: Any) -> Any:
    """Return a message without the fields that depend on when it was sent."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in ("stamp", "elapsed", "clock")}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def differences(old: Any, new: Any, place: str = "") -> list[str]:
    """Return where a new value lacks something of the old one or differs from it.

    Version 1 of the protocol may get new fields in objects, games may get new options, and the sentence that explains
    an option may get other words; everything else must be as it was.
    """
    if re.search(r"\.games\[\d+\]\.options$", place) and isinstance(old, list) and isinstance(new, list):
        known = {option["name"] for option in old}
        new = [option for option in new if option["name"] in known]
    if isinstance(old, dict) and isinstance(new, dict):
        missing = [f"{place}.{key} is missing" for key in old.keys() - new.keys()]
        shared = (old.keys() & new.keys()) - {"help"}
        return missing + [found for key in shared for found in differences(old[key], new[key], f"{place}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        parts = enumerate(zip(old, new, strict=True))
        return [found for number, (left, right) in parts for found in differences(left, right, f"{place}[{number}]")]
    return [] if type(old) is type(new) and old == new else [f"{place} was {old!r} and is {new!r}"]


def test_only_new_fields_of_objects_are_no_difference() -> None:
    old = {"a": [{"b": 1}, 2], "c": None}
    assert differences(old, {"a": [{"b": 1, "new": 3}, 2], "c": None, "also": {}}) == []
    assert differences(old, {"a": [{"b": 1}, 2]}) == [".c is missing"]
    assert differences({"help": "a"}, {}) == [".help is missing"]
    one, two = {"games": [{"options": [{"name": "a"}]}]}, {"games": [{"options": [{"name": "b"}, {"name": "a"}]}]}
    assert differences(one, two) == []
    assert differences(two, one) != []
    assert differences(one, {"games": [{"options": [{"name": "a"}, {"name": "a"}]}]}) != []
    assert differences(old, {"a": [{"b": 2}, 2], "c": None}) == [".a[0].b was 1 and is 2"]
    assert differences(old, {"a": [{"b": True}, 2], "c": None}) == [".a[0].b was 1 and is True"]
    assert differences(old, {"a": [{"b": 1}, 2, 3], "c": None}) == [".a was [{'b': 1}, 2] and is [{'b': 1}, 2, 3]"]


async def test_every_viewer_of_an_old_table_sees_what_the_old_server_showed(url: str) -> None:
    for name, table in TABLES["tables"].items():
        for viewer, shown in table["shown"].items():
            async with recorder(url, shown["as"]) as client:
                await client.request("watch", table=table["id"], key=table["key"], have=0)
                view = await client.wait_for(lambda message: message["type"] == "view")
                seen = {key: view[key] for key in ("number", "stamp", "view")}
                # Of a long log, today's server sends no missed events; the next test reads all pages of the log.
                assert (view["missed"] is None) == (view["number"] > RECENT_KEPT)
                if view["missed"] is not None:
                    seen["events"] = view["missed"]
                assert not differences({key: shown[key] for key in seen}, seen), (name, viewer)
                for earlier in shown.get("looked_back") or []:
                    reply = await client.request("look_back", table=table["id"], step=earlier["step"])
                    assert not differences(earlier, reply["result"]), (name, viewer, earlier["step"])


async def test_the_log_of_an_old_table_is_what_the_old_server_showed(url: str) -> None:
    for name, table in TABLES["tables"].items():
        for viewer, shown in table["shown"].items():
            async with recorder(url, shown["as"]) as client:
                entries: list[Message] = []
                page: Message = {"more": True}
                while page["more"]:
                    before = {"before": entries[0]["number"]} if entries else {}
                    reply = await client.request("read_log", table=table["id"], key=table["key"], limit=60, **before)
                    page = reply["result"]
                    entries = page["entries"] + entries
                assert [entry["number"] for entry in entries] == list(range(1, shown["number"] + 1)), (name, viewer)
                events = [event for entry in entries for event in entry["events"]]
                assert not differences(shown["events"], events), (name, viewer)


@pytest.mark.parametrize("game", ["planners", "builders"])
async def test_the_requests_of_an_old_session_lead_to_the_same_messages(url: str, game: str) -> None:
    session = load(f"{game}_replay.json.gz")
    users = list(dict.fromkeys(line["who"] for line in session))
    expected = {
        user: [line["received"] for line in session if line["who"] == user and "received" in line] for user in users
    }
    counts = dict.fromkeys(users, 0)
    async with recorder(url, users[0]) as first, recorder(url, users[1]) as second, recorder(url, users[2]) as third:
        clients = dict(zip(users, (first, second, third), strict=True))
        for line in session:
            user = line["who"]
            if "sent" in line:
                await clients[user].send(line["sent"])
            elif in_order([line["received"]]):
                counts[user] += 1
                await clients[user].wait_for_count(counts[user])
        for user, client in clients.items():
            received = in_order(client.received)[: counts[user]]
            recorded = with_lines_beside_the_log(in_order(expected[user]))
            assert not differences(without_times(recorded), without_times(received))
            await client.wait_for_own_tables(own_tables(expected[user]))


def shape(reply: Message) -> Message:
    """Return type, code and keys of a reply."""
    result = reply.get("result")
    keys = dict.fromkeys(result) if isinstance(result, dict) else None
    return dict.fromkeys(reply) | {"type": reply["type"], "code": reply.get("code"), "result": keys}


class OldSession:
    """The recorded session of a client, sent again to a server where bots and shuffles take another course."""

    def __init__(self, client: Recorder, observer: Recorder, session: list[Message]) -> None:
        self._client = client
        self._observer = observer
        self._rng = random.Random(3)
        self.sent = [line["sent"] for line in session if "sent" in line]
        self.replies = {
            line["received"]["id"]: line["received"] for line in session if line.get("received", {}).get("id")
        }
        created = next(message["id"] for message in self.sent if message["type"] == "create_table")
        self._table = self.replies[created]["result"]["table"]

    async def repeat(self, message: Message) -> None:
        """Send a request again, with a decision that is open now, and check the reply."""
        old = self.replies[message["id"]]
        fitting, expected = await self._fitted(message, old)
        await self._client.send(fitting)
        new = await self._client.wait_for(lambda received: received.get("id") == message["id"])
        assert new["type"] in expected, (fitting, old, new)
        if new["type"] == old["type"] and not (message["type"] == "look_ahead" and new["type"] == "refused"):
            assert not differences(shape(old), shape(new)), (fitting, old, new)

    async def _fitted(self, message: Message, old: Message) -> tuple[Message, tuple[str, ...]]:
        """Return the request as it fits the game now, and the types that its reply may have."""
        kind, fitting = message["type"], dict(message)
        if kind == "watch":
            fitting.pop("stamp", None)
        if message.get("table") != self._table:
            return fitting, (old["type"],)
        if kind == "look_ahead" or (old["type"] == "done" and kind in ("decide", "undo", "hint")):
            decision = await self._own_decision()
            fitting["decision"] = decision["number"]
            if "command" in message:
                fitting["command"] = self._any_command(decision["prompt"])
            is_open = kind == "look_ahead" or (kind == "undo" and not decision["undoable"])
            return fitting, ("done", "refused") if is_open else ("done",)
        if kind == "decide" and old["code"] in ("not_offered", "malformed_command"):
            fitting["decision"] = (await self._own_decision())["number"]
        elif kind == "decide" and old["code"] == "paused":
            fitting["decision"] = (await self._view())["play"]["decision"]["number"]
        return fitting, (old["type"],)

    async def _view(self) -> Message:
        start = len(self._observer.received)
        await self._observer.request("watch", table=self._table)
        view: Message = (await self._observer.wait_for(lambda message: message["type"] == "view", start))["view"]
        return view

    async def _own_decision(self) -> Message:
        """Wait until the client's seat owes a decision, and return it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                view = await self._view()
                decision: Message | None = view["play"] and view["play"]["decision"]
                if decision and view["mine"] in decision["awaited"]:
                    return decision
                await asyncio.sleep(0.01)

    def _any_command(self, prompt: Message) -> Message:
        known = {"one_of", "some_of", "pairs"}
        choices = [
            choice
            for choice in prompt["choices"]
            if all(name == "do" or known & set(space) for name, space in choice.items())
        ]
        choice = self._rng.choice(choices)
        return {name: space if name == "do" else self._any_value(space) for name, space in choice.items()}

    def _any_value(self, space: Message) -> Any:
        if "one_of" in space:
            return self._rng.choice(space["one_of"])
        if "some_of" in space:
            return self._rng.sample(space["some_of"], self._rng.randint(space["least"], space["most"]))
        key, values = self._rng.choice(space["pairs"])
        return [key, self._rng.choice(values)]


async def test_replies_and_refusals_to_an_old_client_keep_types_codes_and_keys(url: str) -> None:
    lines = load("client.json.gz")
    async with recorder(url, "ann") as client, recorder(url, "ann") as observer:
        session = OldSession(client, observer, lines)
        for message in session.sent:
            await session.repeat(message)
        keys = {line["received"]["type"]: sorted(line["received"]) for line in lines if "received" in line}
        for kind, expected in keys.items():
            message = await client.wait_for(lambda received, kind=kind: received["type"] == kind)  # type: ignore[misc]
            assert set(message) >= set(expected)


@pytest.mark.parametrize("name", TABLES["tables"])
def test_an_old_export_is_imported_and_exported_again_byte_for_byte(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export, database = GOLDEN / "exports" / f"{name}.log", tmp_path / "imported.sqlite3"
    assert main(["import", str(export), "--database", str(database)]) == 0
    capsys.readouterr()
    assert main(["export", TABLES["tables"][name]["id"], "--database", str(database)]) == 0
    assert capsys.readouterr().out == export.read_text("utf-8")
