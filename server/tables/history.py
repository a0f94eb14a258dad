"""The update numbers of each viewer, and the recent log entries for clients that resume.

A viewer is a seat, or all spectators. Each has its own update numbers, counted from the log alone: an entry that a
viewer may not know of uses up no number, so nobody can count the secrets of others, and a number means the same before
and after a restart.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from typing import Any

from protocol.codec import ResumePoint
from server.games.engine.events import Event, Viewer
from server.tables.events import LogRolledBack
from server.tables.proofs import proof_of, time_of_proof
from server.tables.state import TableState
from server.tables.views import entry_shown, who_may_know

RECENT_KEPT = 64
"""Entries kept in memory for clients that were disconnected for a moment; for older ones the log is read."""


class History:
    """Belongs to a table's state; gets every log entry, in order, after it was applied to the state."""

    def __init__(self, table: TableState, kept: int | None = RECENT_KEPT) -> None:
        self.table = table
        self._kept = kept
        self._numbers: dict[Viewer, int] = dict.fromkeys(table.viewers, 0)
        self._recent: deque[tuple[tuple[Viewer, ...], Sequence[Event]]] = deque()
        self._before_recent = dict(self._numbers)
        """The numbers before the oldest entry in memory."""
        self._shown_at = dict.fromkeys(self._numbers, 0)
        """The time of the last entry that each viewer may know of."""
        self._times = array("q")
        """The time of each entry."""
        self._proof_at = -1
        self._proof: str | None = None
        self._rolled_back_at = 0
        self._before_rollback: dict[Viewer, int] = {}
        """The numbers before the log was last found to be rolled back; empty if it never was."""

    def add(self, events: Sequence[Event], at: int) -> tuple[Viewer, ...]:
        """Add an entry of this time, and return the viewers that may know of it."""
        self._times.append(at)
        if LogRolledBack in map(type, events):
            self._rolled_back_at = at
            self._before_rollback = dict(self._numbers)
        viewers = who_may_know(self.table, events, self._numbers)
        for viewer in viewers:
            self._numbers[viewer] += 1
            self._shown_at[viewer] = at
        self._recent.append((viewers, events))
        if self._kept is not None and len(self._recent) > self._kept:
            for viewer in self._recent.popleft()[0]:
                self._before_recent[viewer] += 1
        return viewers

    def number(self, viewer: Viewer) -> int:
        """Return the number of the last update of a viewer."""
        return self._numbers[viewer]

    def resume_point(self, viewer: Viewer) -> ResumePoint:
        """Return the point from which a client with all updates of a viewer can resume."""
        return ResumePoint(self._numbers[viewer], self.proof(self._shown_at[viewer]))

    def proof(self, at: int) -> str | None:
        """Return the proof of an entry of this time."""
        if at != self._proof_at:
            # The last entry is the same for most viewers, and so is its proof.
            self._proof_at, self._proof = at, proof_of(self.table.secret, at)
        return self._proof

    def proves_rollback(self, proof: str | None) -> bool:
        """Return whether a proof shows that the log was rolled back since the last known rollback."""
        time = self._lost_time(proof)
        return time is not None and time > self._rolled_back_at

    def resume_number(self, viewer: Viewer, resume_point: ResumePoint) -> int | None:
        """Return the last update number that a client can resume from, or None.

        A client that has seen lost entries resumes before the rollback, so that it is told of it.
        """
        if self._lost_time(resume_point.proof) is not None:
            return self._before_rollback.get(viewer)
        return resume_point.number if resume_point.number <= self._numbers[viewer] else None

    def is_complete_after(self, viewer: Viewer, number: int) -> bool:
        """Return whether all updates of a viewer after this number are in memory."""
        return number >= self._before_recent[viewer]

    def events_after(self, viewer: Viewer, after: int) -> list[dict[str, Any]]:
        """Return the visible events of a viewer after this number, which must be in memory."""
        number = self._before_recent[viewer]
        missed: list[dict[str, Any]] = []
        for viewers, events in self._recent:
            if viewer in viewers:
                number += 1
                if number > after:
                    missed += entry_shown(self.table, events, viewer)
        return missed

    def _lost_time(self, proof: str | None) -> int | None:
        """Return the time of a valid proof if the log has no entry of that time."""
        time = None if proof is None else time_of_proof(self.table.secret, proof)
        return None if time in self._times else time
