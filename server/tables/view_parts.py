"""Views for each viewer, and the patches between them.

Most of a view is the same for all viewers. That part is built and compared once; a viewer costs more only where its
private part has changed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from protocol.patch import Patch, Path, entries_changed
from server.games.engine.game import Viewer
from server.games.engine.play import NOTHING_OWN, OwnPlay, joined


class ViewParts(NamedTuple):
    """The view of one viewer in parts, which are shared and must not be changed."""

    viewer: Viewer
    room: dict[str, Any]
    """Everything but the game, as all viewers in the same room see it."""

    play: dict[str, Any] | None
    """The public part of the game."""

    own: OwnPlay
    orders: dict[str, Any] | None = None
    """The standing orders of the viewer; None where it can give none."""

    def whole(self) -> dict[str, Any]:
        """Return the whole view."""
        play = self.play and joined(self.play, self.own)
        return self.room | {"mine": self.viewer, "orders": self.orders, "play": play}


class PatchCache:
    """The patches of one log entry. Viewers with the same patch get the same object."""

    def __init__(self) -> None:
        self._room_patches: dict[tuple[int, int], Patch] = {}
        self._patches: list[Patch] = []
        """The patches of viewers so far, so that equal ones become the same object."""

        self._play_patches: dict[tuple[int, int], _PlayPatch] = {}
        self._compared: list[ViewParts] = []
        """Keeps the compared views alive, since the keys of the caches are object ids."""

    def patch(self, before: ViewParts, after: ViewParts) -> Patch:
        """Return the patch from one view of a viewer to its next."""
        patch = self._patch_of_table(before, after)
        return patch if before.orders == after.orders else [*patch, ["set", ["orders"], after.orders]]

    def _patch_of_table(self, before: ViewParts, after: ViewParts) -> Patch:
        """Return the patch of everything but the orders."""
        room = [] if before.room is after.room else self._room_patch(before, after)
        if before.play is None or after.play is None:
            whole = after.whole()["play"]
            return room if before.play is after.play else [*room, ["set", ["play"], whole]]
        key = id(before.play), id(after.play)
        play = self._play_patches.get(key)
        if play is None:
            self._compared += (before, after)
            play = self._play_patches[key] = _compare_play(before.play, after.play)
        patch = play.to_all if before.own is after.own is NOTHING_OWN else play.patch(before, after)
        if room:
            patch = [*room, *patch]
        return patch if patch is play.to_all else self._shared(patch)

    def _room_patch(self, before: ViewParts, after: ViewParts) -> Patch:
        key = id(before.room), id(after.room)
        patch = self._room_patches.get(key)
        if patch is None:
            self._compared += (before, after)
            patch = self._room_patches[key] = entries_changed(before.room, after.room, [])
        return patch

    def _shared(self, patch: Patch) -> Patch:
        for other in self._patches:
            if other == patch:
                return other
        self._patches.append(patch)
        return patch


class _PlayPatch(NamedTuple):
    """The patch of the public part of a game, by its sections."""

    game: Patch
    decision: Patch
    outcome: Patch
    to_all: Patch
    """The whole patch for viewers without a private part."""

    touched: frozenset[str]
    """The keys of the game section that change."""

    decision_entries: Patch
    """The patch of the decision, entry by entry, for viewers that keep a prompt."""

    def patch(self, before: ViewParts, after: ViewParts) -> Patch:
        """Return the patch for a viewer that has, or had, a private part."""
        assert before.play is not None
        assert after.play is not None
        game, decision, outcome, to_all, touched, decision_entries = self
        (own_before, _), (own_after, own_decision) = before.own, after.own
        is_same = before.own is after.own
        if (not is_same and own_before != own_after) or not touched.isdisjoint(own_after):
            game = _game_patch(game, own_before, own_after, before.play["game"], after.play["game"])
        if is_same and "prompt" in own_decision and own_decision.keys().isdisjoint(_keys(decision_entries)):
            decision = decision_entries
        elif before.own.decision or own_decision:
            decision = _decision_patch(
                _with(before.play["decision"], before.own), _with(after.play["decision"], after.own)
            )
        if game is self.game and decision is self.decision:
            return to_all
        return [*game, *decision, *outcome]


_GAME: Final[Path] = ["play", "game"]
_DECISION: Final[Path] = ["play", "decision"]


def _compare_play(before: dict[str, Any], after: dict[str, Any]) -> _PlayPatch:
    game = entries_changed(before["game"], after["game"], _GAME)
    decision = _decision_patch(before["decision"], after["decision"])
    outcome = [] if before["outcome"] == after["outcome"] else [["set", ["play", "outcome"], after["outcome"]]]
    entries = entries_changed(before["decision"] or {}, after["decision"] or {}, _DECISION)
    return _PlayPatch(game, decision, outcome, [*game, *decision, *outcome], frozenset(_keys(game)), entries)


def _keys(patch: Patch) -> list[Any]:
    """Return the keys that a patch of a section of the game changes."""
    return [change[1][2] for change in patch]


def _game_patch(
    to_all: Patch, own_before: dict[str, Any], own_after: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> Patch:
    """Return the patch of the game section for a seat whose private part replaces some of its keys."""
    own = dict.fromkeys((*own_before, *own_after))
    patch = [change for change in to_all if change[1][2] not in own]
    old = {key: part[key] for part in (before, own_before) for key in own if key in part}
    new = {key: part[key] for part in (after, own_after) for key in own if key in part}
    return patch + entries_changed(old, new, _GAME)


def _with(decision: dict[str, Any] | None, own: OwnPlay) -> dict[str, Any] | None:
    return decision | own.decision if decision is not None and own.decision else decision


def _decision_patch(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Patch:
    if before == after:
        return []
    if before is None or after is None or before.get("prompt") != after.get("prompt") or "prompt" not in after:
        # Nearly everything has changed, or the decision is small.
        return [["set", _DECISION, after]]
    return entries_changed(before, after, _DECISION)
