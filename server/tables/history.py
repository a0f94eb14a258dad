"""The records of a table as each audience counts them, and the latest ones at hand.

An audience is all connections with the same eyes: those of one seat, or all spectators. Each has its own frame
numbers, counted from the log alone: a record that an audience may not know of does not use up a number, so nobody can
count the secrets of others, and a number means the same before and after a restart.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from typing import Any

from protocol.codec import ResumePoint
from server.games.engine.game import Event, Viewer
from server.tables.events import LogRolledBack
from server.tables.proofs import proof_of, time_of_proof
from server.tables.state import TableState
from server.tables.views import entry_shown, who_may_know

RECENT_KEPT = 64
"""Records kept at hand for connections that were away for a moment; for older ones the log is read."""


class History:
    """Belongs to a table's state and is told of every record, in order, after the state has changed by it."""

    def __init__(self, table: TableState, kept: int | None = RECENT_KEPT) -> None:
        self.table = table
        self._kept = kept
        self._numbers: dict[Viewer, int] = dict.fromkeys((None, *range(len(table.chairs))), 0)
        self._recent: deque[tuple[tuple[Viewer, ...], Sequence[Event]]] = deque()
        self._before_recent = dict(self._numbers)
        """The numbers before the oldest record at hand."""
        self._shown_at = dict.fromkeys(self._numbers, 0)
        """When the last record was written that an audience may know of."""
        self._moments = array("q")
        """When each record was written."""
        self._proof_at = -1
        self._proof: str | None = None
        self._rolled_back_at = 0
        self._before_loss: dict[Viewer, int] = {}
        """The numbers before the storage was last found to have lost something; empty if it never was."""

    def add(self, events: Sequence[Event], at: int) -> tuple[Viewer, ...]:
        """Number a record that was written at this moment; gives the audiences that may know of it."""
        self._moments.append(at)
        if LogRolledBack in map(type, events):
            self._rolled_back_at = at
            self._before_loss = dict(self._numbers)
        groups = who_may_know(self.table, events, self._numbers)
        for viewer in groups:
            self._numbers[viewer] += 1
            self._shown_at[viewer] = at
        self._recent.append((groups, events))
        if self._kept is not None and len(self._recent) > self._kept:
            for viewer in self._recent.popleft()[0]:
                self._before_recent[viewer] += 1
        return groups

    def number(self, viewer: Viewer) -> int:
        """Give the number of the last frame of an audience."""
        return self._numbers[viewer]

    def resume_point(self, viewer: Viewer) -> ResumePoint:
        """Give how far an audience has been shown the table."""
        return ResumePoint(self._numbers[viewer], self.proof(self._shown_at[viewer]))

    def proof(self, at: int) -> str | None:
        """Give the proof of a record that was written at this moment."""
        if at != self._proof_at:
            # Most audiences have been shown the same record last, and share its proof.
            self._proof_at, self._proof = at, proof_of(self.table.secret, at)
        return self._proof

    def proves_rollback(self, proof: str | None) -> bool:
        """Tell whether a proof proves that the log has lost a record, which nobody has been told of yet."""
        moment = self._lost_moment(proof)
        return moment is not None and moment > self._rolled_back_at

    def resume_number(self, viewer: Viewer, resume_point: ResumePoint) -> int | None:
        """Give up to which number somebody knows what an audience was told; None if that cannot be said.

        Whoever has seen what is lost has yet to be told that it is.
        """
        if self._lost_moment(resume_point.proof) is not None:
            return self._before_loss.get(viewer)
        return resume_point.number if resume_point.number <= self._numbers[viewer] else None

    def is_complete_after(self, viewer: Viewer, have: int) -> bool:
        """Tell whether all that an audience was told after this number is at hand."""
        return have >= self._before_recent[viewer]

    def events_after(self, viewer: Viewer, have: int) -> list[dict[str, Any]]:
        """Give the events that an audience was told of after this number; only where they are at hand."""
        number = self._before_recent[viewer]
        missed: list[dict[str, Any]] = []
        for groups, events in self._recent:
            if viewer in groups:
                number += 1
                if number > have:
                    missed += entry_shown(self.table, events, viewer)
        return missed

    def _lost_moment(self, proof: str | None) -> int | None:
        """Give when the record of a true proof was written, if the log has no such record."""
        moment = None if proof is None else time_of_proof(self.table.secret, proof)
        return None if moment in self._moments else moment
