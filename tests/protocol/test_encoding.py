"""The bytes on the wire and in logs are those of the msgpack and json libraries, which earlier versions used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import Encoding, encode, pack
from protocol.patch import difference
from server.games.engine.game_log import plays, read_log
from server.games.engine.play import play_view
from server.games.engine.serialization import to_json
from server.games.registry import GAMES
from tests.fuzz.targets import GOLDEN
from tests.protocol.document import messages
from tests.protocol.views import KEYS

to_json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def assert_same_bytes(value: Any) -> None:
    assert encode(value, Encoding.MSGPACK) == pack(value) == msgpack.packb(value)
    assert encode(value, Encoding.JSON) == to_json_text(value).encode()


def told(game: str) -> Iterator[Any]:
    """Yield what viewers are told of recorded games: views, patches and events; and what is logged."""
    for path in sorted((GOLDEN / game).glob("*.log"))[:3]:
        log = read_log(path.read_text("ascii"))
        before: dict[int | None, Any] = {}
        for number, (play, step) in enumerate(zip(plays(log), log.steps, strict=True)):
            yield [1_700_000_000_000 + number, [to_json(event) for event in step]]
            for viewer in (None, 0, 1):
                view = play_view(play, viewer)
                if number % 20 == 0:
                    yield view
                yield [difference(before.get(viewer), view), [event.shown_to(viewer) for event in step]]
                before[viewer] = view


@pytest.mark.parametrize("game", GAMES)
def test_recorded_games_are_encoded_as_before(game: str) -> None:
    for value in told(game):
        assert_same_bytes(value)


def test_all_messages_of_the_protocol_are_encoded_as_before() -> None:
    for kind in ("request", "reply"):
        for _, message in messages(kind):
            assert_same_bytes(message)


# JSON writes other fractions with an exponent, which the two libraries spell differently. No message has fractions.
FRACTIONS = st.floats(0.001, 1e9) | st.floats(-1e9, -0.001) | st.sampled_from([0.0, -0.0, 1.0, 0.1, 2.5])
ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.integers(-300, 70_000)
    | st.text(max_size=40)
    | st.text(min_size=250, max_size=260)
    | FRACTIONS
)
VALUES = st.recursive(
    ATOMS,
    lambda parts: (
        st.lists(parts, max_size=20) | st.tuples(parts, parts) | st.dictionaries(KEYS | st.text(), parts, max_size=20)
    ),
    max_leaves=40,
)


@given(VALUES)
@settings(max_examples=80, deadline=None)
def test_any_values_are_encoded_as_before(value: Any) -> None:
    assert_same_bytes(value)


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1])
def test_numbers_beyond_64_bits_are_not_packed(number: int) -> None:
    with pytest.raises(OverflowError):
        pack([number])
