"""The services that all tables of a process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol.codec import ResumePoint
from server.model import User
from server.store.api import TableStore
from server.tables.api import Directory, OnReply, Subscriber
from server.tables.bots import Bots
from server.tables.delay import WallOffset
from server.tables.look_back import ReplayCache
from server.tables.messages import Message
from server.tables.people import NO_ACCOUNTS, TablePeople
from server.tables.reads import ReadSlots
from server.tables.state import TableState
from server.tables.turns import BackgroundTurns

OpenRematch = Callable[[TableState, User, str, str, str, OnReply], None]
"""Takes the finished table, the user, the request's id, the id and key of the next table, and the reply callback."""


@dataclass(slots=True)
class ClusterHooks:
    """Calls from the tables of a process to the router of its cluster and to the index of finished games.

    Both are constructed after the tables. A single process has no router, and leaves its hooks as they are.
    """

    route: Callable[[str, Message], None] | None = None
    """Sends a message to a table that any worker may own."""

    is_dead: Callable[[str], bool] = lambda worker: False
    """Returns whether a worker is known to be dead, so that its leases need not run out."""

    on_game_over: Callable[[str], None] = lambda table: None
    """Takes a table whose game is over, or whose log was rolled back, when that is durable. Never waits."""

    on_subscription_moved: Callable[[str, Subscriber, ResumePoint], None] = lambda table, subscriber, resume_point: None
    """Takes a subscriber of a table that another worker has taken over, and the point from which it resumes."""


@dataclass(frozen=True, slots=True)
class TableContext:
    """Storage, lists, bots, clocks and randomness."""

    store: TableStore
    directory: Directory
    bots: Bots
    worker: str
    is_alone: bool
    """There is no other worker, so a foreign lease belongs to an earlier owner in this process."""

    milliseconds: Callable[[], int]
    """A monotonic clock."""

    wall_milliseconds: Callable[[], int]
    wall_ahead: int
    """The wall clock less the monotonic clock at the start. Tables by the day ignore it when the wall clock is set."""

    wall_offset: WallOffset
    entropy: Callable[[], bytes]
    hooks: ClusterHooks
    open_rematch: OpenRematch
    """Seats a user at the table where the same people play again."""

    people: TablePeople = NO_ACCOUNTS
    turns: BackgroundTurns = field(default_factory=BackgroundTurns)
    read_slots: ReadSlots = field(default_factory=ReadSlots)
    replays: ReplayCache = field(default_factory=ReplayCache)
