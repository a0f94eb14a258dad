"""What an audience has before it, and what leads from there to what it has before it next.

Most of what audiences see is the same for all in a room. It is made and compared once; an audience of its own mind
costs something only where what it alone knows has changed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from protocol.patch import Known, Patch, difference
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
    """The patches that one record leads to."""

    def __init__(self) -> None:
        self._known: Known = {}
        self._compared: list[Sight] = []
        """What was compared, since what is known of it holds only for as long as it is kept."""

    def patch(self, before: Sight, after: Sight) -> Patch:
        """Give what makes one sight of an audience the next."""
        self._compared += (before, after)
        patch = difference(before.room, after.room, self._known)
        if [] in (change[1] for change in patch):
            return [["set", [], after.whole()]]
        if _PLAY in (change[1] for change in patch):
            play = ["set", _PLAY, after.whole()["play"]]
            return [play if change[1] == _PLAY else change for change in patch]
        for part in _PARTS:
            if getattr(before.own, part) or getattr(after.own, part):
                patch = _with_own(patch, part, before, after)
        return patch


_PLAY: Final = ["play"]
_PARTS: Final = ("game", "decision")


def _with_own(patch: Patch, part: str, before: Sight, after: Sight) -> Patch:
    """Give the patch of what a room knows, changed and added to where an audience knows more of a part of the play."""
    place = [*_PLAY, part]
    public_before, public = before.room["play"][part], after.room["play"][part]
    own_before, own = getattr(before.own, part), getattr(after.own, part)
    if any(change[1] == place for change in patch):
        whole = ["set", place, public | own if own else public]
        return [whole if change[1] == place else change for change in patch]
    keys = dict.fromkeys((*own_before, *own))
    patch = [change for change in patch if change[1][:2] != place or change[1][2] not in keys]
    for key in keys:
        value = own_before.get(key, public_before.get(key, _MISSING))
        new = own.get(key, public.get(key, _MISSING))
        if new is _MISSING:
            patch.append(["drop", [*place, key]])
        else:
            patch += difference(value, new, at=[*place, key])
    return patch


_MISSING: Final = object()
