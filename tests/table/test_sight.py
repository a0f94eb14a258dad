"""What leads from one sight of an audience to the next is right, however much of it audiences share."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocol.patch import patched
from server.games.game import Viewer
from server.games.play import OwnPlay
from server.table.sight import Changes, Sight

NUMBERS = st.integers(2, 5)
VALUES = NUMBERS | st.lists(NUMBERS, max_size=4) | st.dictionaries(st.sampled_from("pqr"), NUMBERS)
PARTS = st.dictionaries(st.sampled_from("abcdefgh"), VALUES, max_size=8)
PLAYS = st.fixed_dictionaries({"game": PARTS, "decision": PARTS, "outcome": st.none() | NUMBERS})
ROOMS = st.fixed_dictionaries({"table": PARTS, "talk": st.lists(NUMBERS, max_size=3), "play": PLAYS})
OWN_PARTS = st.dictionaries(st.sampled_from("abxy"), VALUES, max_size=2)
OWN = st.builds(OwnPlay, OWN_PARTS, OWN_PARTS)


@st.composite
def told(draw: st.DrawFn) -> list[tuple[Sight, Sight]]:
    """Give what three audiences of one room have before them, before a record and after it."""
    before, after = draw(ROOMS), draw(ROOMS)
    for key in draw(st.sets(st.sampled_from(list(before)))):
        # What has not changed is often the same object.
        after[key] = before[key]
    return [_two_sights(draw, viewer, before, after) for viewer in (0, 1, 2)]


def _two_sights(draw: st.DrawFn, viewer: Viewer, before: dict[str, Any], after: dict[str, Any]) -> tuple[Sight, Sight]:
    own = draw(OWN)
    return Sight(viewer, before, own), Sight(viewer, after, own if draw(st.booleans()) else draw(OWN))


@given(told())
def test_patches_of_audiences_that_share_a_room_give_each_its_own_view(sights: list[tuple[Sight, Sight]]) -> None:
    changes = Changes()
    patches = [changes.patch(before, after) for before, after in sights]
    for (before, after), patch in zip(sights, patches, strict=True):
        assert patched(before.whole(), patch) == after.whole()


def test_what_a_seat_knows_better_is_not_changed_by_what_all_know() -> None:
    large, own = {"large": [7] * 80}, OwnPlay({"hand": [1]}, {})
    before = {"play": {"game": {"hand": None, **large}, "decision": None, "outcome": None}}
    after = {"play": {"game": {"hand": 3, **large}, "decision": None, "outcome": None}}
    sights = Sight(0, before, own), Sight(0, after, own)
    assert Changes().patch(*sights) == []
    assert Changes().patch(*(sight._replace(own=OwnPlay({}, {})) for sight in sights)) == [
        ["set", ["play", "game", "hand"], 3]
    ]


def test_a_game_that_begins_and_one_that_ends_are_shown_whole() -> None:
    own = OwnPlay({"hand": [1]}, {"prompt": {"kind": "one"}})
    waiting = {"table": {"phase": "open"}, "play": None}
    begun = {"table": {"phase": "running"}, "play": {"game": {"round": 1}, "decision": {"number": 1}, "outcome": None}}
    over = {"table": {"phase": "over"}, "play": {"game": {"round": 9}, "decision": None, "outcome": {"scores": [1]}}}
    sights = [Sight(0, waiting, OwnPlay({}, {})), Sight(0, begun, own), Sight(0, over, OwnPlay({"hand": []}, {}))]
    for before, after in pairwise(sights):
        assert patched(before.whole(), Changes().patch(before, after)) == after.whole()
