"""Patches between views: each viewer's patch leads to its next view, however much the viewers share."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocol.patch import patched
from server.games.engine.play import NOTHING_OWN, OwnPlay
from server.tables.view_parts import PatchCache, ViewParts

NUMBERS = st.integers(2, 5)
VALUES = NUMBERS | st.lists(NUMBERS, max_size=4) | st.dictionaries(st.sampled_from("pqr"), NUMBERS)
PARTS = st.dictionaries(st.sampled_from("abcdefgh"), VALUES, max_size=8)
PLAYS = st.fixed_dictionaries({"game": PARTS, "decision": PARTS, "outcome": st.none() | NUMBERS})
ROOMS = st.fixed_dictionaries({"table": PARTS, "talk": st.lists(NUMBERS, max_size=3)})
OWN_PARTS = st.dictionaries(st.sampled_from(["a", "b", "x", "prompt"]), VALUES, max_size=2)
OWN = st.just(NOTHING_OWN) | st.builds(OwnPlay, OWN_PARTS, OWN_PARTS)


@st.composite
def told(draw: st.DrawFn) -> list[tuple[ViewParts, ViewParts]]:
    """Draw the views of the viewers of two rooms, before and after a log entry."""
    play, later_play = draw(PLAYS), draw(PLAYS)
    views = []
    for viewers in ((0, 1, 2), (None,)):
        room = draw(ROOMS)
        # An unchanged part is often the same object.
        later_room = room if draw(st.booleans()) else draw(ROOMS)
        for viewer in viewers:
            own = draw(OWN)
            later_own = own if draw(st.booleans()) else draw(OWN)
            views.append((ViewParts(viewer, room, play, own), ViewParts(viewer, later_room, later_play, later_own)))
    return views


@given(told())
def test_patches_of_viewers_that_share_most_lead_to_their_own_views(views: list[tuple[ViewParts, ViewParts]]) -> None:
    changes = PatchCache()
    patches = [changes.patch(before, after) for before, after in views]
    for (before, after), patch in zip(views, patches, strict=True):
        assert patched(before.whole(), patch) == after.whole()


def test_a_private_part_is_not_changed_by_the_public_part() -> None:
    own = OwnPlay({"hand": [1]}, {})
    plays: list[dict[str, Any]] = [{"game": {"hand": hand}, "decision": None, "outcome": None} for hand in (None, 3)]
    views = [ViewParts(0, {}, play, own) for play in plays]
    assert PatchCache().patch(*views) == []
    assert PatchCache().patch(*(view_parts._replace(own=NOTHING_OWN) for view_parts in views)) == [
        ["set", ["play", "game", "hand"], 3]
    ]


def test_viewers_without_a_private_part_share_the_same_patch_in_every_room() -> None:
    before, after = ({"game": {"round": n}, "decision": {"number": n}, "outcome": None} for n in (1, 2))
    own, changes = OwnPlay({"hand": [1]}, {}), PatchCache()
    rooms: list[dict[str, Any]] = [{"talk": []}, {"talk": ["hello"]}]
    patches = [
        changes.patch(ViewParts(viewer, room, before, known), ViewParts(viewer, room, after, known))
        for viewer, room, known in ((None, rooms[0], NOTHING_OWN), (0, rooms[1], NOTHING_OWN), (1, rooms[1], own))
    ]
    assert patches[0] is patches[1] is patches[2]


def test_a_game_that_starts_or_ends_is_set_as_a_whole() -> None:
    own = OwnPlay({"hand": [1]}, {"prompt": {"kind": "one"}})
    begun = {"game": {"round": 1}, "decision": {"number": 1}, "outcome": None}
    over = {"game": {"round": 9}, "decision": None, "outcome": {"scores": [1]}}
    views = [
        ViewParts(0, {"table": {"phase": "open"}}, None, NOTHING_OWN),
        ViewParts(0, {"table": {"phase": "running"}}, begun, own),
        ViewParts(0, {"table": {"phase": "over"}}, over, OwnPlay({"hand": []}, {})),
    ]
    for before, after in pairwise(views):
        assert patched(before.whole(), PatchCache().patch(before, after)) == after.whole()
