"""Patches applied in order produce each view, in Python and in JavaScript, and are small."""

from __future__ import annotations

import copy
import json
import os
import shutil
import statistics
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings

from protocol.codec import Encoding, encode
from protocol.patch import Unpatchable, difference, patched
from server.games.registry import GAMES
from tests.protocol.views import histories, random_game, shown_steps, viewer_history

ROOT = Path(__file__).parent.parent.parent
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def exactly(view: Any) -> str:
    """Return a text that differs wherever a client could see a difference, apart from the order of keys."""
    return json.dumps(view, sort_keys=True)


def assert_patches_lead(views: list[Any]) -> None:
    have = views[0]
    for before, after in pairwise(views):
        looked_like = exactly([before, after, have])
        patch = difference(before, after)
        had, have = have, patched(have, patch)
        assert exactly(have) == exactly(after), f"{patch} does not lead there"
        assert exactly([before, after, had]) == looked_like, "a view that was handed out has changed"


@given(histories())
@settings(max_examples=200)
def test_patches_in_order_produce_each_view(views: list[Any]) -> None:
    assert_patches_lead(views)
    assert difference(views[-1], copy.deepcopy(views[-1])) == []


@given(histories())
@settings(max_examples=50)
def test_a_patch_is_hardly_larger_than_the_view_and_fits_both_encodings(views: list[Any]) -> None:
    patch = difference(views[0], views[1])
    assert len(msgpack.packb(patch)) <= len(msgpack.packb([["set", [], views[1]]])) + 40
    assert msgpack.unpackb(encode(patch, Encoding.MSGPACK)) == patch
    assert json.loads(encode(patch, Encoding.JSON)) == patch


@pytest.mark.parametrize("name, seats", TABLES)
def test_patches_produce_every_view_of_a_real_game(name: str, seats: int) -> None:
    record = random_game(GAMES[name], seats, "patches")
    for viewer in record.viewers:
        assert_patches_lead(viewer_history(record, viewer))


# -- JavaScript -----------------------------------------------------------------------------------------------

MISFITS: list[tuple[Any, list[Any]]] = [
    ({}, [["set", ["a", "b"], 1]]),
    ({}, [["drop", ["a"]]]),
    ({"a": 2}, [["set", ["a", "b"], 1]]),
    ({"a": 2}, [["drop", ["a", "b"]]]),
    ({"a": 2}, [["splice", ["a"], 0, 0, [1]]]),
    ({"a": None}, [["set", ["a", "b"], 1]]),
    ({"a": "text"}, [["set", ["a", 0], 1]]),
    ({"a": {}}, [["splice", ["a"], 0, 0, []]]),
    ({"a": {}}, [["set", ["a", 0], 1]]),
    ({"a": [1, 2]}, [["set", ["a", 2], 1]]),
    ({"a": [1, 2]}, [["set", ["a", -1], 1]]),
    ({"a": [1, 2]}, [["set", ["a", "0"], 1]]),
    ({"a": [1, 2]}, [["set", ["a", "length"], 0]]),
    ({"a": [1, 2]}, [["drop", ["a", 0]]]),
    ({"a": [1, 2]}, [["splice", ["a"], 1, 2, []]]),
    ({"a": [1, 2]}, [["splice", ["a"], -1, 1, []]]),
    ({"a": [1, 2]}, [["splice", ["a"], 1, -1, []]]),
    ({"a": 2}, [["drop", []]]),
    ({"a": 2}, [["paint", ["a"], 1]]),
    ({"a": {}}, [["set", ["a", "constructor", "name"], 1]]),
    ({"a": {}}, [["drop", ["a", "constructor"]]]),
]


def in_javascript(tmp_path: Path, cases: list[list[Any]]) -> None:
    """Apply all patches with web/src/patch.js and compare each view."""
    node = shutil.which("node")
    assert node is not None, "Node 20 is needed to test the web client; `node` was not found."
    given_cases = [
        [{"view": after, "patch": difference(before, after)} for before, after in pairwise([None, *views])]
        for views in cases
    ]
    written = tmp_path / "cases.json"
    written.write_text(json.dumps({"cases": given_cases, "misfits": MISFITS}), "utf-8")
    run = subprocess.run(
        [node, "tests/web/patch.test.mjs"],
        cwd=ROOT,
        env={**os.environ, "PATCH_CASES": str(written)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_javascript_applies_the_same_patches(tmp_path: Path) -> None:
    made_up: list[list[Any]] = []

    @given(histories())
    @settings(max_examples=100)
    def gather(views: list[Any]) -> None:
        made_up.append(views)

    gather()
    real = []
    for name, seats in TABLES:
        record = random_game(GAMES[name], seats, "patches")
        real += [viewer_history(record, viewer) for viewer in record.viewers]
    in_javascript(tmp_path, made_up + real)


@pytest.mark.parametrize("view, patch", MISFITS)
def test_a_patch_for_another_view_is_refused(view: Any, patch: list[Any]) -> None:
    with pytest.raises(Unpatchable):
        patched(view, patch)


# -- size -----------------------------------------------------------------------------------------------------

BIG = dict.fromkeys("abcdef", 2**40)


@pytest.mark.parametrize(
    "old, new, patch",
    [
        ([1, 2, 3], [1, 2, 3, 4], [["splice", [], 3, 0, [4]]]),
        ([1, 2, 3, 4, 5], [1, 2, 4, 5], [["splice", [], 2, 1, []]]),
        ([5] * 20, [5] * 8 + [9] + [5] * 11, [["set", [8], 9]]),
        ([*"abcdefghijk"], [*"cdefghijkl"], [["splice", [], 0, 2, []], ["splice", [], 9, 0, ["l"]]]),
        ({"a": 1, "b": [2] * 9}, {"b": [2] * 9}, [["drop", ["a"]]]),
        ({"a": 1, "b": 2, "c": 3}, {"a": 4, "b": 5, "c": 6}, [["set", [], {"a": 4, "b": 5, "c": 6}]]),
        ({"a": {"b": [1, 2]}, "c": "text" * 9}, {"a": {"b": [1, 3]}, "c": "text" * 9}, [["set", ["a", "b", 1], 3]]),
        ([2], {"a": 2}, [["set", [], {"a": 2}]]),
        ([1, 5, 7] * 5, [True, 6, 7] + [1, 5, 7] * 4, [["splice", [], 0, 2, [True, 6]]]),
        (BIG, BIG | {"b": 2, "d": 3}, [["set", ["b"], 2], ["set", ["d"], 3]]),
    ],
)  # fmt: skip
def test_a_patch_contains_only_changes(old: Any, new: Any, patch: list[Any]) -> None:
    assert difference(old, new) == patch


def test_unchanged_parts_are_shared() -> None:
    view = {"kept": {"deep": [1]}, "changed": [1, {"kept": 2}]}
    after = patched(view, [["set", ["changed", 0], 5]])
    assert after == {"kept": {"deep": [1]}, "changed": [5, {"kept": 2}]}
    assert after["kept"] is view["kept"]
    assert after["changed"][1] is view["changed"][1]


def test_updates_of_investors_are_small() -> None:
    game = GAMES["investors"]
    updates, views = [], []
    for seats in game.seats:
        record = random_game(game, seats, "patches")
        for viewer in record.viewers:
            history = viewer_history(record, viewer)
            views += [len(msgpack.packb(view)) for view in history]
            for before, after, events in zip(history, history[1:], shown_steps(record, viewer), strict=False):
                update = {"type": "update", "table": "k3xq7m2p", "number": 400, "events": events}
                updates.append(len(msgpack.packb({**update, "patch": difference(before, after)})))
    assert statistics.median(updates) <= 400
    assert max(views) <= 8 * 1024
