"""What every table of a process shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol.codec import ResumePoint
from server.model import User
from server.store.api import TableStore
from server.tables.api import Directory, Reply, Subscriber
from server.tables.bots import Bots
from server.tables.state import TableState

PlayAgain = Callable[[TableState, User, str, str, str, Reply], None]
"""Takes the table that is over, the user, the id of the request, the next table with its key, and the reply."""


@dataclass(frozen=True, slots=True)
class TableContext:
    """Where tables are kept, whom they tell, and where they get time and chance from."""

    store: TableStore
    directory: Directory
    bots: Bots
    worker: str
    is_alone: bool
    """There is no other worker: who holds a table that we want is one of ours that has not let go yet."""

    milliseconds: Callable[[], int]
    """A clock that only goes forward."""

    wall_milliseconds: Callable[[], int]
    entropy: Callable[[], bytes]
    moved: Callable[[str, Subscriber, ResumePoint], None]
    """Told of each connection that followed a table here which another worker has taken, and what it was shown."""

    play_again: PlayAgain
    """Seats a user at the table where the same people play again."""
