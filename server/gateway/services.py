"""The services behind the gateway, as the gateway knows them, and what takes their place where one is missing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Protocol

from protocol.messages import (
    AnalyseGame,
    ChangeSettings,
    CreateTable,
    HistoryRequest,
    Invite,
    LessonRequest,
    ListTables,
    NotificationRequest,
    PeopleRequest,
    QuickMatch,
)
from server.model import Done, Refused, Reply, User
from server.tables.api import OnReply, Subscriber, Tables
from server.tables.results import refused


class Identity(Protocol):
    """Users and their sessions."""

    async def guest(self, device: str = "") -> tuple[User, str]: ...

    async def user_of(self, token: str) -> User | None: ...

    def is_cached(self, token: str) -> bool:
        """Return whether `user_of` finds the user of this token without the store."""
        ...

    async def note_played(self, user: User) -> None: ...

    async def rename(self, user: User, name: str) -> User | Refused: ...

    async def set_language(self, user: User, language: str) -> User | Refused: ...

    async def make_code(self, user: User) -> str: ...

    async def redeem(self, code: str, device: str = "") -> tuple[User, str] | None: ...

    async def make_token(self, user: User) -> str: ...

    async def forget_others(self, user: User, keep_token: str) -> None: ...


class Lobby(Protocol):
    """The lists of tables, and the requests that open a table or may make one public."""

    def ask(
        self,
        user: User,
        request: CreateTable | QuickMatch | ChangeSettings,
        on_reply: OnReply,
        avoided: Collection[str] = (),
    ) -> None: ...

    def subscribe(self, subscriber: Subscriber, request: ListTables) -> None: ...

    def unsubscribe(self, subscriber: Subscriber) -> None: ...

    def connected(self, subscriber: Subscriber) -> None: ...

    def disconnected(self, subscriber: Subscriber) -> None: ...

    def renamed(self, user: User) -> None: ...

    def set_visible(self, subscriber: Subscriber, is_visible: bool) -> None:
        """Set whether the page of a connection can be seen."""
        ...


class People(Protocol):
    """Accounts, and who follows, blocks and invites whom; see `server.people`."""

    async def answer(
        self, subscriber: Subscriber, token: str, origin: str, request: PeopleRequest | Invite
    ) -> Reply: ...

    def connected(self, subscriber: Subscriber) -> None: ...

    def refresh(self, subscriber: Subscriber) -> None:
        """Send a connection its invitations and people again, after one of these messages was dropped."""
        ...

    def disconnected(self, subscriber: Subscriber) -> None: ...

    async def blocked_by(self, user: User) -> Collection[str]:
        """Return the ids of the people whom a user blocks."""
        ...

    async def begin_sign_in(self, origin: str) -> dict[str, Any] | Refused:
        """Return the options for `navigator.credentials.get`."""
        ...

    async def sign_in_with_passkey(
        self, origin: str, credential: dict[str, Any], device: str
    ) -> tuple[User, str] | None: ...

    async def sign_in_with_code(self, handle: str, code: str, device: str) -> tuple[User, str] | None: ...

    async def end_session(self, token: str) -> None:
        """End the session of a token, and close its connections in every process."""
        ...

    async def download(self, user: User, token: str) -> dict[str, Any]:
        """Return everything that is stored about a user."""
        ...


class GameHistory(Protocol):
    """Finished games; see `server.history`."""

    async def answer(self, user: User, request: HistoryRequest) -> Reply: ...


class Lessons(Protocol):
    """Lessons; see `server.lessons`."""

    async def answer(self, user: User, request: LessonRequest) -> Reply: ...


class Coach(Protocol):
    """Analyses of finished games; see `server.coach`."""

    async def answer(self, user: User, request: AnalyseGame, may_start: Callable[[], Refused | None]) -> Reply:
        """Return how far an analysis is. `may_start` counts one that is started, or returns why it may not be."""
        ...

    def waiting(self) -> int:
        """Return how many analyses wait."""
        ...

    def running(self) -> int:
        """Return how many analyses run."""
        ...


class BigTable(Protocol):
    """The most interesting running tables; see `server.lobby.big_table`."""

    async def answer(self, user: User) -> Reply: ...


class Notifications(Protocol):
    """Messages to people who are away; see `server.notifications`."""

    async def answer(self, user: User, token: str, origin: str, request: NotificationRequest) -> Reply: ...

    async def unsubscribe_page(self, token: str, *, acts: bool) -> tuple[int, str, str]:
        """Return status, HTML and content security policy of the page behind a link in a mail.

        With `acts`, the messages are switched off.
        """
        ...


class GameFiles(Protocol):
    """The logs of finished games as files; see `server.history`."""

    async def download(self, user: User, table: str, key: str | None) -> str | Refused: ...

    async def transcript(self, user: User, table: str, key: str | None) -> str | Refused: ...

    async def import_log(self, user: User, text: bytes) -> Reply: ...


class PeerWorkers(Protocol):
    """The other processes that form this server."""

    def renamed(self, user: User) -> None: ...

    def signed_out(self, user: User, kept_token: str) -> None: ...

    def session_ended(self, user_id: str, token_hash: str | None) -> None: ...


class NoPeerWorkers:
    """The peers of a process that runs alone: notifications go nowhere."""

    def renamed(self, user: User) -> None:
        pass

    def signed_out(self, user: User, kept_token: str) -> None:
        pass

    def session_ended(self, user_id: str, token_hash: str | None) -> None:
        pass


NO_PEERS: Final[PeerWorkers] = NoPeerWorkers()


class NoPeople:
    """For a gateway without accounts: every request is unknown."""

    async def answer(self, subscriber: Subscriber, token: str, origin: str, request: PeopleRequest | Invite) -> Reply:
        return refused("unknown_request")

    def connected(self, subscriber: Subscriber) -> None:
        pass

    def refresh(self, subscriber: Subscriber) -> None:
        pass

    def disconnected(self, subscriber: Subscriber) -> None:
        pass

    async def blocked_by(self, user: User) -> Collection[str]:
        return ()

    async def begin_sign_in(self, origin: str) -> dict[str, Any] | Refused:
        return refused("bad_passkey")

    async def sign_in_with_passkey(
        self, origin: str, credential: dict[str, Any], device: str
    ) -> tuple[User, str] | None:
        return None

    async def sign_in_with_code(self, handle: str, code: str, device: str) -> tuple[User, str] | None:
        return None

    async def end_session(self, token: str) -> None:
        pass

    async def download(self, user: User, token: str) -> dict[str, Any]:
        return {"account": {"user": {"id": user.id, "name": user.name}}}


class NoHistory:
    """For a gateway without an index of finished games: every request is unknown."""

    async def answer(self, user: User, request: HistoryRequest) -> Reply:
        return refused("unknown_request")


class NoLessons:
    """For a gateway without lessons: every request is unknown."""

    async def answer(self, user: User, request: LessonRequest) -> Reply:
        return refused("unknown_request")


class NoCoach:
    """For a gateway without analyses: every request is unknown."""

    async def answer(self, user: User, request: AnalyseGame, may_start: Callable[[], Refused | None]) -> Reply:
        return refused("unknown_request")

    def waiting(self) -> int:
        return 0

    def running(self) -> int:
        return 0


class NoBigTable:
    """For a gateway without a big table: there is none."""

    async def answer(self, user: User) -> Reply:
        return Done({"tables": []})


class NoNotifications:
    """For a gateway without notifications: every request is unknown."""

    async def answer(self, user: User, token: str, origin: str, request: NotificationRequest) -> Reply:
        return refused("unknown_request")

    async def unsubscribe_page(self, token: str, *, acts: bool) -> tuple[int, str, str]:
        return 404, "", "default-src 'none'"


class NoFiles:
    """For a gateway without files of games: there is no game."""

    async def download(self, user: User, table: str, key: str | None) -> str | Refused:
        return refused("no_such_table")

    async def transcript(self, user: User, table: str, key: str | None) -> str | Refused:
        return refused("no_such_table")

    async def import_log(self, user: User, text: bytes) -> Reply:
        return refused("unknown_request")


NO_PEOPLE: Final[People] = NoPeople()
NO_HISTORY: Final[GameHistory] = NoHistory()
NO_LESSONS: Final[Lessons] = NoLessons()
NO_FILES: Final[GameFiles] = NoFiles()
NO_COACH: Final[Coach] = NoCoach()
NO_BIG_TABLE: Final[BigTable] = NoBigTable()
NO_NOTIFICATIONS: Final[Notifications] = NoNotifications()


@dataclass(frozen=True, slots=True)
class Services:
    """The services behind the gateway."""

    identity: Identity
    lobby: Lobby
    tables: Tables
    games: list[dict[str, Any]]
    """Every game with its seats and options, for the `welcome` message."""

    peers: PeerWorkers = NO_PEERS
    people: People = NO_PEOPLE
    history: GameHistory = NO_HISTORY
    files: GameFiles = NO_FILES
    lessons: Lessons = NO_LESSONS
    coach: Coach = NO_COACH
    big_table: BigTable = NO_BIG_TABLE
    notifications: Notifications = NO_NOTIFICATIONS
