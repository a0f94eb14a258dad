"""What an audience has before it, and what leads from there to what it has before it next.

Most of what audiences see is the same for all. It is made and compared once; an audience costs something of its own
only where what it alone knows has changed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from protocol.patch import Patch, Path, difference, entries_changed
from server.games.game import Viewer
from server.games.play import OwnPlay, joined


class Sight(NamedTuple):
    """What an audience may know of a table at one moment. Nothing in it may be changed."""

    viewer: Viewer
    room: dict[str, Any]
    """What all in its room may know."""

    own: OwnPlay

    def whole(self) -> dict[str, Any]:
        """Give the view that both together are."""
        play = self.room["play"]
        return self.room | {"mine": self.viewer, "play": None if play is None else joined(play, self.own)}


class Changes:
    """The patches that one record leads to. Audiences that are to be told the same get the same object."""

    def __init__(self) -> None:
        self._of_rooms: dict[tuple[int, int], _OfRoom] = {}
        self._of_plays: dict[tuple[int, int], _OfPlay] = {}
        self._compared: list[dict[str, Any]] = []
        """Rooms that were compared, since what is known of them holds only for as long as they are kept."""

    def patch(self, before: Sight, after: Sight) -> Patch:
        """Give what makes one sight of an audience the next."""
        rooms = before.room, after.room
        key = id(before.room), id(after.room)
        room = self._of_rooms.get(key)
        if room is None:
            self._compared += rooms
            room = self._of_rooms[key] = self._compare(*rooms)
        return room.to_all if before.own == after.own == _NOTHING else room.patch(before, after)

    def _compare(self, before: dict[str, Any], after: dict[str, Any]) -> _OfRoom:
        around = entries_changed(before, after, [], but="play")
        if before["play"] is None or after["play"] is None:
            begun = [] if before["play"] is after["play"] else [["set", ["play"], after["play"]]]
            return _OfRoom(around, None, [*around, *begun])
        key = id(before["play"]), id(after["play"])
        play = self._of_plays.get(key)
        if play is None:
            play = self._of_plays[key] = _play_compared(before["play"], after["play"])
        return _OfRoom(around, play, [*around, *play.to_all] if around else play.to_all)


class _OfPlay(NamedTuple):
    """What changes of a game for everybody."""

    game: Patch
    decision: Patch
    outcome: Patch
    to_all: Patch
    """All of it together."""

    touched: frozenset[str]
    """The entries of the game that change."""


class _OfRoom(NamedTuple):
    """What changes for everybody in a room."""

    around: Patch
    play: _OfPlay | None
    """None if there is no game, or was none before."""

    to_all: Patch

    def patch(self, before: Sight, after: Sight) -> Patch:
        """Give what changes for an audience that knows, or knew, more than its room."""
        whole = after.room["play"]
        if self.play is None:
            return self.to_all if whole is None else [*self.around, ["set", ["play"], joined(whole, after.own)]]
        game, decision, outcome, _, touched = self.play
        known, knows = before.own.game, after.own.game
        if known != knows or not touched.isdisjoint(knows):
            game = _game_changed(game, known, knows, before.room["play"]["game"], whole["game"])
        if before.own.decision or after.own.decision:
            decision = _decision_changed(_decision(before), _decision(after))
        if game is self.play.game and decision is self.play.decision:
            return self.to_all
        return [*self.around, *game, *decision, *outcome]


_NOTHING: Final = OwnPlay({}, {})
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


def _decision(sight: Sight) -> dict[str, Any] | None:
    decision: dict[str, Any] | None = sight.room["play"]["decision"]
    return decision | sight.own.decision if decision is not None and sight.own.decision else decision


def _decision_changed(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Patch:
    if before == after:
        return []
    if before is None or after is None or "prompt" not in before or "prompt" not in after:
        # Nearly everything is new, or there is little of it.
        return [["set", _DECISION, after]]
    return difference(before, after, _DECISION)
