"""The update numbers of each viewer, and the recent log entries for clients that resume.

A viewer is a seat, or all spectators. Each has its own update numbers, counted from the log alone: an entry that a
viewer may not know of uses up no number, so nobody can count the secrets of others, and a number means the same before
and after a restart.

Most entries are known to all viewers. So only the positions of hidden entries are kept, in order, and binary search
converts between a viewer's update numbers and positions in the log.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from protocol.codec import ResumePoint
from server.games.engine.events import Event, Viewer
from server.tables.delay import Milestones
from server.tables.events import LogRolledBack
from server.tables.proofs import proof_of, time_of_proof
from server.tables.public_chain import PublicChain
from server.tables.state import TableState
from server.tables.views import entry_shown, who_may_know

RECENT_KEPT = 64
"""Entries kept in memory for each viewer, for clients that were disconnected; later ones read pages of the log.

They are counted per viewer: otherwise a client could count hidden entries by what is still in memory.
"""

MAX_HIDDEN_READ = 16
"""Consecutive hidden entries that are read along with a page; more of them are skipped, which costs another read."""

_NOTHING_HIDDEN: array[int] = array("I")


class LogPage(NamedTuple):
    """The entries of a page: ranges of positions in the log, in order, and the hidden positions in them.

    How many entries a page has depends only on what its viewer may know. So nobody can count hidden entries with it.
    """

    number: int
    """The first update number in the page."""

    ranges: list[tuple[int, int]]
    hidden: frozenset[int]


class History:
    """Belongs to a table's state; gets every log entry, in order, after it was applied to the state."""

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.chain = PublicChain(table)
        self.decision_opened_at: int | None = None
        """The time of the entry that opened the current decision."""

        self._decision = 0
        self._hidden: dict[Viewer, array[int]] = {}
        """By viewer: the positions of the entries that it may not know of. The first entry has position 1."""

        self._recent: dict[Viewer, deque[Sequence[Event]]] = {None: deque(maxlen=RECENT_KEPT)}
        """By viewer: the last entries that it may know of."""

        self.times = array("q")
        """The time of each entry."""

        self.milestones = Milestones()
        self._proof_at = -1
        self._proof: str | None = None
        self._rolled_back_at = 0
        self._before_rollback: int | None = None
        """The position before the log was last found to be rolled back; None if it never was."""

    def add(self, events: Sequence[Event], at: int) -> tuple[Viewer, ...]:
        """Add an entry of this time, and return the viewers that may know of it."""
        if LogRolledBack in map(type, events):
            self._rolled_back_at = at
            self._before_rollback = len(self.times)
        self.times.append(at)
        self.chain.add(events)
        play = self.table.play
        if play is not None and play.number != self._decision:
            self._decision, self.decision_opened_at = play.number, at
            self.milestones.add_step(len(self.times), events)
        if self.table.phase == "over" and self.milestones.over_at is None:
            self.milestones.over_at = len(self.times)
        # The number of seats may change before the game starts, while nothing is hidden from anybody.
        viewers = (None, *range(len(self.table.chairs)))
        knowing = who_may_know(self.table, events, viewers)
        if len(self._recent) != len(viewers):
            public = self._recent[None]
            self._recent = {viewer: self._recent.get(viewer, public.copy()) for viewer in viewers}
        for viewer in knowing:
            self._recent[viewer].append(events)
        if len(knowing) < len(viewers):
            for viewer in viewers:
                if viewer not in knowing:
                    self._hidden.setdefault(viewer, array("I")).append(len(self.times))
        return knowing

    @property
    def last_time(self) -> int:
        """Return the time of the last entry."""
        return self.times[-1]

    def number(self, viewer: Viewer) -> int:
        """Return the number of the last update of a viewer."""
        return len(self.times) - len(self._hidden.get(viewer, ()))

    def number_at(self, viewer: Viewer, position: int) -> int:
        """Return the number of a viewer's last update up to a position in the log."""
        return position - bisect_right(self._hidden.get(viewer, _NOTHING_HIDDEN), position)

    def decision_at(self, position: int) -> int | None:
        """Return the number of the decision that was open at a position in the log; None before the game."""
        play, later = self.table.play, self.milestones.steps_after(position)
        return None if play is None or not self.milestones.steps_at(position) else play.number - later

    def position(self, viewer: Viewer, number: int) -> int:
        """Return the position in the log of a viewer's update; 0 for the number 0."""
        hidden = self._hidden.get(viewer, _NOTHING_HIDDEN)
        # Before the hidden entry of this index there are as many visible ones as positions, less the hidden ones.
        return number + bisect_left(range(len(hidden)), number, key=lambda index: hidden[index] - 1 - index)

    def page(self, viewer: Viewer, before: int | None, limit: int) -> LogPage | None:
        """Return the page of a viewer's last updates with numbers below `before`; None if there are none."""
        last_number = self.number(viewer) if before is None else min(before - 1, self.number(viewer))
        if last_number == 0:
            return None
        number = max(1, last_number - limit + 1)
        first, last = self.position(viewer, number), self.position(viewer, last_number)
        hidden = self._hidden.get(viewer, _NOTHING_HIDDEN)
        in_between = hidden[bisect_left(hidden, first) : bisect_right(hidden, last)]
        return LogPage(number, _ranges(first, last, in_between), frozenset(in_between))

    def resume_point(self, viewer: Viewer) -> ResumePoint:
        """Return the point from which a client with all updates of a viewer can resume."""
        number = self.number(viewer)
        shown_at = self.times[self.position(viewer, number) - 1] if number else 0
        return ResumePoint(number, self.proof(shown_at))

    def proof(self, at: int) -> str | None:
        """Return the proof of an entry of this time."""
        if at != self._proof_at:
            # The last entry is the same for most viewers, and so is its proof.
            self._proof_at, self._proof = at, proof_of(self.table.secret, at)
        return self._proof

    def proves_rollback(self, proof: str | None) -> int | None:
        """Return the time of a lost entry if a proof shows that the log was rolled back since the last known rollback.

        Times never decrease within a log, so an entry that was lost before the last known rollback is not later.
        """
        time = self._lost_time(proof)
        return time if time is not None and time > self._rolled_back_at else None

    def resume_number(self, viewer: Viewer, resume_point: ResumePoint) -> int | None:
        """Return the last update number that a client can resume from, or None.

        A client that has seen lost entries resumes before the rollback, so that it is told of it.
        """
        if self._lost_time(resume_point.proof) is not None:
            return None if self._before_rollback is None else self.number_at(viewer, self._before_rollback)
        return resume_point.number if resume_point.number <= self.number(viewer) else None

    def missed(self, viewer: Viewer, resume_point: ResumePoint) -> list[dict[str, Any]] | None:
        """Return the events after a client's resume point; None if it is not valid, or too old to be in memory.

        So resuming never reads the log, and its cost is bounded however long the log is.
        """
        number, recent = self.resume_number(viewer, resume_point), self._recent[viewer]
        if number is None or self.number(viewer) - number > len(recent):
            return None
        first = len(recent) - (self.number(viewer) - number)
        return [event for events in islice(recent, first, None) for event in entry_shown(self.table, events, viewer)]

    def has_shown(self, proof: str | None) -> bool:
        """Return whether a proof is that of an entry of the log."""
        time = None if proof is None else time_of_proof(self.table.secret, proof)
        return time is not None and time in self.times

    def _lost_time(self, proof: str | None) -> int | None:
        """Return the time of a valid proof if the log has no entry of that time."""
        time = None if proof is None else time_of_proof(self.table.secret, proof)
        return None if time in self.times else time


def _ranges(first: int, last: int, hidden: array[int]) -> list[tuple[int, int]]:
    """Return the range between two visible positions without the long stretches of hidden ones."""
    ranges: list[tuple[int, int]] = []
    start, stretch = first, 0
    for index, position in enumerate(hidden):
        stretch = stretch + 1 if index and position == hidden[index - 1] + 1 else 1
        is_last_of_stretch = index + 1 == len(hidden) or hidden[index + 1] != position + 1
        if is_last_of_stretch and stretch > MAX_HIDDEN_READ:
            ranges.append((start, position - stretch))
            start = position + 1
    return [*ranges, (start, last)]
