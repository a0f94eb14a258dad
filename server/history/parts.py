"""The parts of finished games, joined: the index and what keeps it, and the services on top of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from server.history.finished import FinishedGames
from server.history.game_files import GameFiles
from server.history.indexer import GameIndexer
from server.history.play_on import ContinuedTables, PlayingOn
from server.history.profiles import Profiles
from server.history.projection import Projection
from server.history.queries import GameQueries
from server.history.rankings import Rankings
from server.history.service import HistoryService
from server.lobby.directory import TableDirectory
from server.model import User
from server.people.directory import PeopleDirectory
from server.store.api import TableStore
from server.tables.turns import BackgroundTurns

TableIds = Callable[[User, str], str]
"""Returns the id of the table that a request of a user opens, always the same."""


class HistoryParts:
    """The index of a process. `is_responsible` returns whether this worker looks for games that nobody reported."""

    def __init__(
        self, store: TableStore, turns: BackgroundTurns, is_responsible: Callable[[], bool] = lambda: True
    ) -> None:
        self._store = store
        self.finished = FinishedGames(store, turns)
        self.indexer = GameIndexer(store, Projection(store, turns), is_responsible)

    def service(
        self,
        people: PeopleDirectory,
        directory: TableDirectory,
        tables: ContinuedTables,
        table_id: TableIds,
        strengths_of: Callable[[str], Sequence[str]],
    ) -> HistoryService:
        """Return the service for requests about finished games."""
        index = self._store.games
        queries, rankings = GameQueries(index, self._store.key_values, people), Rankings(index, people)
        profiles = Profiles(index, people, rankings, queries.rows, directory.is_connected, directory.tables_of)
        playing_on = PlayingOn(self.finished, tables, table_id, strengths_of)
        return HistoryService(queries, profiles, rankings, playing_on)

    def files(self, people: PeopleDirectory, table_id: TableIds) -> GameFiles:
        """Return the downloads and imports of logs."""
        return GameFiles(
            self.finished,
            table_id,
            lambda: secrets.token_bytes(32),
            people.is_former,
            on_imported=self.indexer.report,
        )
