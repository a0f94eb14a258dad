"""The decoder has two ways: the fast one admits nothing that the strict one refuses or reads otherwise.

The length of the random tests is set by FUZZED; `python -m tests.fuzz decoders` compares both ways for hours.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import codec
from protocol.codec import MAX_DEPTH, MAX_LENGTH, MAX_MESSAGE_BYTES, Encoding, Undecodable, decode, encode
from tests.protocol.document import messages
from tests.protocol.test_fuzz import MAKERS

FUZZED = int(os.environ.get("FUZZED", "2400"))

NUMBERS = st.integers(-(2**63) - 2, 2**64) | st.sampled_from([-(2**63), 2**63 - 1, 2**63, 0, -1, 127, 128, 255, 256])
TEXTS = st.text(max_size=8) | st.sampled_from(["", "\x00", "\x1f", "\x7f", "\u2028", "é", "\U0001f600", '"', "\\", "/"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | st.floats(),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(TEXTS, parts, max_size=4),
    max_leaves=12,
)


def outcome(data: bytes | str, encoding: Encoding, *, strictly: bool) -> object:
    """Return what a message is decoded to, or the sentence of the refusal."""
    try:
        found = codec._decode_strictly(data, encoding) if strictly else decode(data, encoding)
    except Undecodable as reason:
        return str(reason)
    # Python takes True for 1; their spelling tells them apart.
    return json.dumps(found, ensure_ascii=True)


def assert_alike(data: bytes | str, encoding: Encoding) -> None:
    if len(data) <= MAX_MESSAGE_BYTES:
        assert outcome(data, encoding, strictly=False) == outcome(data, encoding, strictly=True), data


def written(value: Any, encoding: Encoding, spaced: bool) -> bytes | None:
    """Return a value as some other library may write it; None if it cannot."""
    try:
        if encoding is Encoding.MSGPACK:
            packed: bytes = msgpack.packb(value, use_single_float=spaced)
            return packed
        return json.dumps(value, ensure_ascii=spaced, separators=None if spaced else (",", ":")).encode()
    except (OverflowError, UnicodeError):
        return None


@pytest.mark.parametrize("encoding", Encoding)
@given(value=st.dictionaries(TEXTS, VALUES, max_size=5), spaced=st.booleans())
@settings(max_examples=FUZZED // 40, deadline=None)
def test_both_ways_read_a_value_alike(encoding: Encoding, value: dict[str, Any], spaced: bool) -> None:
    data = written(value, encoding, spaced)
    if data is not None:
        assert_alike(data, encoding)


@pytest.mark.parametrize("encoding", Encoding)
def test_both_ways_read_broken_messages_alike(encoding: Encoding) -> None:
    makers, weights = zip(*MAKERS, strict=True)
    rng = random.Random(f"plain/{encoding}")
    for make in rng.choices(makers, weights, k=FUZZED):
        assert_alike(make(rng, encoding), encoding)


@pytest.mark.parametrize("encoding", Encoding)
def test_requests_of_our_own_clients_take_the_fast_way(encoding: Encoding) -> None:
    for _, message in messages("request"):
        assert codec._decode_plain(encode(message, encoding), encoding) == message


def nested(levels: int) -> dict[str, Any]:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return {"a": value} if isinstance(value, list) else value


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize(
    "value",
    [
        *(nested(levels) for levels in range(1, MAX_DEPTH + 3)),
        {"a": [None] * MAX_LENGTH},
        {"a": [None] * (MAX_LENGTH + 1)},
        {"a": {str(number): number for number in range(MAX_LENGTH + 1)}},
        {str(number): number for number in range(MAX_LENGTH)},
        {str(number): number for number in range(MAX_LENGTH + 1)},
        {"a": 2**63 - 1, "b": -(2**63)},
        {"a": 2**63},
        {"a": 1.0},
        {},
        {"": {}},
        [],
        1,
        None,
    ],
)
def test_the_limits_are_the_same(encoding: Encoding, value: Any) -> None:
    assert_alike(encode(value, encoding), encoding)


@pytest.mark.parametrize(
    "data, encoding",
    [
        (b'{"a":1,"a":2}', Encoding.JSON),
        (b'{"a":1,"a":1}', Encoding.JSON),
        (b'{"b":{"a":1,"\\u0061":1}}', Encoding.JSON),
        (b'{"a":1} ', Encoding.JSON),
        (b'{"a":-0}', Encoding.JSON),
        (b'{"a":1e2}', Encoding.JSON),
        (b'{"a":"\\ud800"}', Encoding.JSON),
        (b'{"a":"\xed\xa0\x80"}', Encoding.JSON),
        (b'\xef\xbb\xbf{"a":1}', Encoding.JSON),
        (b"\x82\xa1a\x01\xa1a\x02", Encoding.MSGPACK),
        (b"\x81\xa1b\x82\xa1a\x01\xd9\x01a\x02", Encoding.MSGPACK),
        (b"\x81\xa1a\xcc\x01", Encoding.MSGPACK),
        (b"\x81\xa1a\xcb\x40\x00\x00\x00\x00\x00\x00\x00", Encoding.MSGPACK),
        (b"\x81\xa1a\xc4\x01a", Encoding.MSGPACK),
        (b"\x81\xa1a\xd6\xff\x00\x00\x00\x00", Encoding.MSGPACK),
        (b"\x81\x01\x01", Encoding.MSGPACK),
        (b"\x81\xa1a\xa1\xff", Encoding.MSGPACK),
        (b"\x81\xa1a\x01\x01", Encoding.MSGPACK),
    ],
)
def test_what_msgspec_tolerates_is_left_to_the_strict_way(data: bytes, encoding: Encoding) -> None:
    assert codec._decode_plain(data, encoding) is None
    assert_alike(data, encoding)
