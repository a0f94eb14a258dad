"""What an audience has before it, and what leads from there to what it has before it next.

Most of what audiences see is the same for all. It is made and compared once; an audience costs something of its own
only where what it alone knows has changed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from protocol.patch import Patch, Path, entries_changed
from server.games.engine.game import Viewer
from server.games.engine.play import NOTHING_OWN, OwnPlay, joined


class ViewParts(NamedTuple):
    """What an audience may know of a table at one moment. Nothing in it may be changed."""

    viewer: Viewer
    room: dict[str, Any]
    """What all in its room may know of everything but the game."""

    play: dict[str, Any] | None
    """What everybody may know of the game."""

    own: OwnPlay

    def whole(self) -> dict[str, Any]:
        """Give the view that these are together."""
        return self.room | {"mine": self.viewer, "play": self.play and joined(self.play, self.own)}


class PatchCache:
    """The patches that one record leads to. ViewerGroups that are to be told the same get the same object."""

    def __init__(self) -> None:
        self._of_rooms: dict[tuple[int, int], Patch] = {}
        self._of_plays: dict[tuple[int, int], _OfPlay] = {}
        self._compared: list[ViewParts] = []
        """What was compared, since what is known of it holds only for as long as it is kept."""

    def patch(self, before: ViewParts, after: ViewParts) -> Patch:
        """Give what makes one sight of an audience the next."""
        room = [] if before.room is after.room else self._of_room(before, after)
        if before.play is None or after.play is None:
            whole = after.whole()["play"]
            return room if before.play is after.play else [*room, ["set", ["play"], whole]]
        key = id(before.play), id(after.play)
        play = self._of_plays.get(key)
        if play is None:
            self._compared += (before, after)
            play = self._of_plays[key] = _play_compared(before.play, after.play)
        patch = play.to_all if before.own is after.own is NOTHING_OWN else play.patch(before, after)
        return [*room, *patch] if room else patch

    def _of_room(self, before: ViewParts, after: ViewParts) -> Patch:
        key = id(before.room), id(after.room)
        patch = self._of_rooms.get(key)
        if patch is None:
            self._compared += (before, after)
            patch = self._of_rooms[key] = entries_changed(before.room, after.room, [])
        return patch


class _OfPlay(NamedTuple):
    """What changes of a game for everybody."""

    game: Patch
    decision: Patch
    outcome: Patch
    to_all: Patch
    """All of it together."""

    touched: frozenset[str]
    """The entries of the game that change."""

    def patch(self, before: ViewParts, after: ViewParts) -> Patch:
        """Give what changes of it for an audience that knows, or knew, more than all."""
        assert before.play is not None
        assert after.play is not None
        game, decision, outcome, to_all, touched = self
        known, knows = before.own.game, after.own.game
        if known != knows or not touched.isdisjoint(knows):
            game = _game_changed(game, known, knows, before.play["game"], after.play["game"])
        if before.own.decision or after.own.decision:
            decision = _decision_changed(
                _with(before.play["decision"], before.own), _with(after.play["decision"], after.own)
            )
        if game is self.game and decision is self.decision:
            return to_all
        return [*game, *decision, *outcome]


_GAME: Final[Path] = ["play", "game"]
_DECISION: Final[Path] = ["play", "decision"]


def _play_compared(before: dict[str, Any], after: dict[str, Any]) -> _OfPlay:
    game = entries_changed(before["game"], after["game"], _GAME)
    decision = _decision_changed(before["decision"], after["decision"])
    outcome = [] if before["outcome"] == after["outcome"] else [["set", ["play", "outcome"], after["outcome"]]]
    return _OfPlay(game, decision, outcome, [*game, *decision, *outcome], frozenset(change[1][2] for change in game))


def _game_changed(
    to_all: Patch, known: dict[str, Any], knows: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> Patch:
    """Give what changes of the game for a seat that knows some entries better than all others do."""
    own = dict.fromkeys((*known, *knows))
    patch = [change for change in to_all if change[1][2] not in own]
    was = {key: part[key] for part in (before, known) for key in own if key in part}
    now = {key: part[key] for part in (after, knows) for key in own if key in part}
    return patch + entries_changed(was, now, _GAME)


def _with(decision: dict[str, Any] | None, own: OwnPlay) -> dict[str, Any] | None:
    return decision | own.decision if decision is not None and own.decision else decision


def _decision_changed(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Patch:
    if before == after:
        return []
    if before is None or after is None or before.get("prompt") != after.get("prompt") or "prompt" not in after:
        # Nearly everything is new, or there is little of it.
        return [["set", _DECISION, after]]
    return entries_changed(before, after, _DECISION)
