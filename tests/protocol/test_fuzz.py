"""Fuzzing: for any input the decoder returns a request or a refusal, or raises `Undecodable`."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from protocol.codec import MAX_MESSAGE_BYTES, Encoding, Undecodable, decode, encode, read_request
from protocol.codes import REFUSALS
from protocol.messages import RefusedMessage
from tests.protocol.document import messages

ROUNDS = 5
MESSAGES_PER_ROUND = 11_000  # in each encoding

VALID = [message for _, message in messages("request")]
ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 0.5, 1e308, float("nan"), float("inf"),
    "", "decide", "none", "é" * 9, "\x00", "\u202e", "\ud800", "9" * 40, "x" * 300, "x" * 17_000, [], {}, [[]],
    [None] * 300, {"kind": "bank"}, {"": ""}, {"type": "decide"}, {str(n): n for n in range(300)}, b"bytes",
    msgpack.ExtType(7, b"x"),
]  # fmt: skip
ODD_KEYS: list[Any] = ["", "type", "id", "settings", "__proto__", "é", "x" * 70, 0, None, True, b"id"]
PIECES = [
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\\u", b"\\ud800", b"\\u0000", b"NaN", b"-", b"1e9", b"null",
    b"true", b"9" * 25, b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b"\x7f", b"\x80", b"\x8f",
    b"\x9f", b"\xbf", b"\xc1", b"\xc4\x01", b"\xc7\x01\x05", b"\xca", b"\xcb", b"\xcf" + b"\xff" * 8, b"\xd4\x05",
    b"\xd9\x05", b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xde\xff\xff", b"\xdf\xff\xff\xff\xff",
]  # fmt: skip

Make = Callable[[random.Random, Encoding], "bytes | str"]


# -- messages that make no sense ------------------------------------------------------------------------------


def with_odd_part(value: Any, rng: random.Random) -> Any:
    """Return the value with one of its parts replaced, renamed, added or removed."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        changed = {**value}
        match rng.randrange(5):
            case 0:
                del changed[key]
            case 1:
                changed[rng.choice(ODD_KEYS)] = changed.pop(key)
            case 2:
                changed[rng.choice(ODD_KEYS)] = rng.choice(ODD_VALUES)
            case _:
                changed[key] = with_odd_part(changed[key], rng)
        return changed
    return rng.choice(ODD_VALUES)


def wrong_value(rng: random.Random, encoding: Encoding) -> bytes | str:
    message = rng.choice(VALID)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        message = with_odd_part(message, rng)
    if encoding is Encoding.MSGPACK:
        return msgpack.packb(message, unicode_errors="surrogatepass")
    return json.dumps(message, default=str, skipkeys=True, ensure_ascii=rng.random() < 0.5)


def broken_bytes(rng: random.Random, encoding: Encoding) -> bytes:
    data = bytearray(encode(rng.choice(VALID), encoding))
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                data[at:at] = rng.choice(PIECES)
            case 2:
                del data[at : at + rng.randrange(1, 9)]
            case _:
                data[at : at + 1] = rng.choice(PIECES)
    return bytes(data)


def cut_or_doubled(rng: random.Random, encoding: Encoding) -> bytes:
    data = encode(rng.choice(VALID), encoding)
    start, end = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    return rng.choice((data[:end], data[start:], data + data, data[:end] + data[start:], data + data[:1]))


def random_bytes(rng: random.Random, _: Encoding) -> bytes:
    return rng.randbytes(rng.randrange(60))


def random_pieces(rng: random.Random, _: Encoding) -> bytes:
    return b"".join(rng.choices(PIECES, k=rng.randrange(30)))


def deep(rng: random.Random, encoding: Encoding) -> bytes:
    levels = rng.choice((5, 11, 12, 13, 14, 40, 600, 1_100, 3_000))
    inner = encode(rng.choice(VALID), encoding)
    if encoding is Encoding.MSGPACK:
        return rng.choice((b"\x81\xa1a", b"\x91")) * levels + inner
    opening, closing = rng.choice(((b'{"a":', b"}"), (b"[", b"]")))
    return b'{"command":' + opening * levels + inner + closing * levels + b"}"


def doubled_key(rng: random.Random, encoding: Encoding) -> bytes:
    message = rng.choice(VALID)
    key = encode(rng.choice(list(message)), encoding)
    value = encode(rng.choice(("a", 1, None)), encoding)
    data = encode(message, encoding)
    if encoding is Encoding.MSGPACK:
        return bytes([data[0] + 1]) + data[1:] + key + value
    return data[:-1] + b"," + key + b":" + value + b"}"


MAKERS: list[tuple[Make, int]] = [
    (wrong_value, 30),
    (broken_bytes, 40),
    (cut_or_doubled, 10),
    (random_bytes, 5),
    (random_pieces, 8),
    (deep, 2),
    (doubled_key, 5),
]


# -- what becomes of them -------------------------------------------------------------------------------------


def outcome(data: bytes | str, encoding: Encoding) -> str:
    """Return the request or refusal for a message, after checking that it can be encoded again."""
    try:
        json_value = decode(data, encoding)
    except Undecodable as reason:
        sentence = str(reason)
        assert sentence.endswith("."), sentence
        assert len(sentence) < 120, sentence
        return "undecodable"
    assert len(data) <= MAX_MESSAGE_BYTES
    request = read_request(json_value)
    if isinstance(request, RefusedMessage):
        assert request.code in REFUSALS
        assert len(request.sentence) < 200
        encode(request.model_dump(), encoding)
        return request.code
    # What was admitted can be written down and read again, whatever it is.
    assert decode(encode(json_value, Encoding.MSGPACK), Encoding.MSGPACK) == json_value
    return "request"


@pytest.mark.parametrize("fuzz_round", range(ROUNDS))
def test_the_decoder_raises_nothing_else(fuzz_round: int) -> None:
    makers, weights = zip(*MAKERS, strict=True)
    found: Counter[str] = Counter()
    for encoding in Encoding:
        rng = random.Random(f"{encoding}/{fuzz_round}")
        for make in rng.choices(makers, weights, k=MESSAGES_PER_ROUND):
            data = make(rng, encoding)
            try:
                found[outcome(data, encoding)] += 1
            except Exception as error:
                error.add_note(f"{encoding} {data!r}")
                raise
    # All four ways out are well trodden, or the messages are not what they should be.
    assert min(found[way] for way in ("request", "malformed", "unknown_request", "undecodable")) > 100, found


@pytest.mark.parametrize(
    "encoding, opening",
    [
        (Encoding.JSON, b'{"":['),
        (Encoding.MSGPACK, b"\xdc\x01\x00"),  # a list that claims 256 entries
        (Encoding.MSGPACK, b"\xdc\x3f\xff"),  # one that claims as many as there are bytes
        (Encoding.MSGPACK, b"\xde\x3f\xff\xa0"),
    ],
)
def test_a_small_message_cannot_claim_much_memory(encoding: Encoding, opening: bytes) -> None:
    tracemalloc.start()
    try:
        assert outcome((opening * MAX_MESSAGE_BYTES)[:MAX_MESSAGE_BYTES], encoding) == "undecodable"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * 1024 * 1024
