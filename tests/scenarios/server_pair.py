"""Two servers that differ in secrets alone: an observer must get the same frames from both, at the same times."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgpack

from protocol.codec import Encoding
from protocol.messages import TableSettings
from server.games.engine.events import Event, Viewer
from server.games.engine.play import Answered, Undone
from server.model import User
from server.tables import events
from tests.games.secrecy import Leak, Secrets, first_difference
from tests.scenarios.server_under_test import TABLE, RecordedConnection, RecordingTransport, ServerUnderTest, person

SETTLED_SECONDS = 1.6
"""The time after which all updates have been sent."""

Connections = tuple[RecordedConnection, RecordedConnection]
"""The connections of one user to both servers."""

STRANGER = User("stranger", "Stranger")
OTHER_SPECTATOR = User("user-other", "Other spectator")
"""A spectator; in a cluster, one at the process that owns the table."""


@dataclass
class SearchStatistics:
    """The amount of comparison, so that a search that compares nothing is noticed."""

    pairs: int = 0
    steps: int = 0
    frames: int = 0
    did: Counter[str] = field(default_factory=Counter)


# -- what may be disclosed -----------------------------------------------------------------------------------------


def disclosed(server: ServerUnderTest, secrets: Secrets, new_events: list[Event], viewer: Viewer) -> list[object]:
    """Return all that a log entry may disclose to an observer; independent of the server's own views."""
    return [
        fact
        for event in new_events
        if (fact := _event_disclosed(event, new_events, secrets, viewer, server.settings)) is not None
    ]


def _event_disclosed(
    event: Event, new_events: list[Event], secrets: Secrets, viewer: Viewer, settings: TableSettings
) -> object:
    is_changed = any(isinstance(other, events.AnswerChanged) for other in new_events)
    is_resolved = any(not isinstance(other, (Answered, *events.TABLE_EVENTS)) for other in new_events)
    is_opened = any(isinstance(other, events.SealOpened) for other in new_events)
    all_have_answered = is_resolved or any(isinstance(other, events.OpeningsAsked) for other in new_events)
    match event:
        case events.AnswerChanged() | events.CommandGiven() | events.SealOpened() | events.CommentaryKeyMade():
            return None
        case events.AnswerKept(seat):
            return (event.name, seat) if seat == viewer else None
        case events.OpeningsAsked(decision, seals):
            return (event.name, decision, [(seal.seat, seal.attempt) for seal in seals])
        case events.ServerSeedDrawn():
            return (event.name, event.game, event.commitment)
        case events.AnswersOpened(decision, openings):
            # What an opening may tell beyond this, the events of the game have told.
            return (event.name, decision, [(opening.seat, opening.attempt) for opening in openings])
        case events.AnswerSealed(seat):
            return (event.name, seat) if settings.show_decided and not is_changed else None
        case Answered(seat, command) if seat == viewer:
            return (event.name, seat, command)
        case Answered(seat, _):
            return (event.name, seat) if is_opened or (settings.show_decided and not is_changed) else None
        case events.TimeRanOut(seat, None) if seat != viewer and not all_have_answered:
            return event if settings.show_decided and not is_changed else None
        case events.GameStarted():
            return (event.name, event.digest)
        case events.TableOpened():
            return (event.name, event.host)
        case events.Said(_, _, room, _):
            own = "spectators" if viewer is None else "players"
            return event if room in ("all", own) else None
        case events.NextOpened():
            return None if viewer is None else event
    if isinstance(event, (Undone, *events.TABLE_EVENTS)):
        return event
    return secrets.learned(event, viewer)


# -- two servers ----------------------------------------------------------------------------------------------


class ServerPair:
    """Two servers and the connections of one observer to each."""

    def __init__(
        self, left: ServerUnderTest, right: ServerUnderTest, viewer: Viewer, secrets: Secrets, rng: random.Random
    ) -> None:
        self.servers = (left, right)
        self.viewer = viewer
        self.secrets = secrets
        self.rng = rng
        self._observing: list[Connections] = []
        self._compared = 0
        self._between = left.between, right.between
        self.seat_people()

    def seat_people(self) -> None:
        """Connect all seats, to decide; they do not watch the table."""
        self._seats = [
            [server.connect(person(seat)) for seat in range(server.settings.seats)] for server in self.servers
        ]
        own = self.own()
        if own is not None:
            self._observing.append(own)
        self._others = [server.connect(OTHER_SPECTATOR) for server in self.servers]
        self.other_spectator("watch", {}, {})

    def other_spectator(self, kind: str, *fields: dict[str, Any] | None) -> None:
        """Send a request of another spectator to each server, or nothing where the fields are None."""
        for server, line, given in zip(self.servers, self._others, fields, strict=True):
            request_id = server.next_id()
            if given is not None:
                line.send(kind, id=request_id, table=TABLE, **given)

    def connect(self, user: User, encoding: Encoding = Encoding.MSGPACK) -> Connections:
        """Return another connection of the observer, or a stranger, to each server."""
        left, right = (server.connect(user, encoding) for server in self.servers)
        self._observing.append((left, right))
        return left, right

    def both(self, lines: Connections, kind: str, **fields: Any) -> None:
        """Send the same over both connections."""
        for server, line in zip(self.servers, lines, strict=True):
            line.send(kind, id=server.next_id(), **fields)

    def seat(self, seat: int, *messages: dict[str, Any] | None) -> None:
        """Send a message of a seat to each server, or nothing where it is None; request ids stay equal."""
        for server, lines, message in zip(self.servers, self._seats, messages, strict=True):
            request_id = server.next_id()
            if message is not None:
                lines[seat].send(message["type"], **{**message, "id": request_id, "table": TABLE})

    def own(self) -> Connections | None:
        """Return the connections over which the observer decides, or None for a spectator."""
        return None if self.viewer is None else (self._seats[0][self.viewer], self._seats[1][self.viewer])

    async def settle(self) -> bool:
        """Wait for all updates and return whether both servers may disclose the same to the observer.

        Raise `Leak` if they may, but their frames differ.
        """
        await asyncio.sleep(SETTLED_SECONDS)
        left, right = [await self._disclosed(server) for server in self.servers]
        if left != right:
            return False
        for number, (ours, theirs) in enumerate(self._observing):
            self._compare(f"connection {number}", ours.transport, theirs.transport)
        pages = [server.metrics.page() for server in self.servers]
        if pages[0] != pages[1]:
            lines = [page.decode().splitlines() for page in pages]
            raise Leak(f"The metrics differ: {sorted(set(lines[0]) ^ set(lines[1]))}")
        if self._between[0] is not None and self._between[1] is not None:
            self._compare("the way between processes", *self._between)
        return True

    async def _disclosed(self, server: ServerUnderTest) -> list[object]:
        entries = await server.new_entries()
        facts = [fact for new_events in entries for fact in disclosed(server, self.secrets, new_events, self.viewer)]
        if server.state.is_opening:
            # Who has kept an answer, and has not opened it, but not what it is.
            facts.append(server.play.awaited)
        # When the game is over, the seed is disclosed to all.
        return [*facts, server.state.seed] if server.state.phase == "over" else facts

    def _compare(self, where: str, left: RecordingTransport, right: RecordingTransport) -> None:
        ours, theirs = left.frames, right.frames
        for place, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if one != other:
                raise Leak(f"{self._observer} gets another frame {place} on {where}: {_words(one, other)}")
        if len(ours) != len(theirs):
            raise Leak(f"{self._observer} gets {len(ours)} or {len(theirs)} frames on {where}")
        if left.closed != right.closed:
            raise Leak(f"{self._observer} is closed with {left.closed} or {right.closed}")
        self._compared += len(ours)

    @property
    def _observer(self) -> str:
        return "A spectator" if self.viewer is None else f"Seat {self.viewer}"

    @property
    def compared(self) -> int:
        """Return the number of comparisons of frames."""
        return self._compared


def _words(one: tuple[float, bytes], other: tuple[float, bytes]) -> str:
    if one[1] == other[1]:
        return f"at {one[0]} or {other[0]}"
    try:
        shown = [msgpack.unpackb(frame[{126: 4, 127: 10}.get(frame[1], 2) :]) for _, frame in (one, other)]
        return first_difference(*shown)
    except (ValueError, StopIteration):
        return f"{one[1][:2000]!r} or {other[1][:2000]!r}"
