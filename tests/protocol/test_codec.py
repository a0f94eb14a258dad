"""Decoding and encoding: accepted messages, and the reasons for all others."""

from __future__ import annotations

import json
import struct
from typing import Any

import msgpack
import pytest

from protocol.codec import (
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_MESSAGE_BYTES,
    Encoding,
    Frame,
    Undecodable,
    choose_subprotocol,
    decode,
    encode,
    framed,
    read_request,
    unsupported_version,
)
from protocol.codes import REFUSALS
from protocol.messages import Decide, RefusedMessage, Watch

DECIDE = {"type": "decide", "id": "d1", "table": "k3xq7m2p", "decision": 3, "command": {"do": "waive"}}
NEW_TABLE = {"type": "create_table", "id": "c1", "settings": {"game": "investors", "seats": 3}}
CLOCK = "\"settings.clock\" must say with 'kind'"


def nested(levels: int) -> dict[str, Any]:
    message: Any = {"innermost": 2}
    for level in range(levels - 1):
        message = {"a": message} if level % 2 else [message]
    return message if isinstance(message, dict) else {"a": message[0]}


# -- both encodings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize(
    "message",
    [
        {},
        {"": None, "a": True, "b": False, "c": "", "d": "é€😀\u2028"},
        {"least": -(2**63), "most": 2**63 - 1},
        {"list": [[], {}, [[1, "a", None]]]},
        {"long": [0] * MAX_LENGTH, "wide": {str(n): n for n in range(MAX_LENGTH)}},
        nested(MAX_DEPTH),
    ],
)
def test_json_values_are_decoded_as_they_were_encoded(message: dict[str, Any], encoding: Encoding) -> None:
    assert json.dumps(decode(encode(message, encoding), encoding)) == json.dumps(message)


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize(
    "message, reason",
    [
        ([], "is an object"),
        ("text", "is an object"),
        (None, "is an object"),
        (3, "is an object"),
        (nested(MAX_DEPTH + 1), "deep"),
        ({"a": [0] * (MAX_LENGTH + 1)}, "entries|not msgpack"),
        ({str(n): n for n in range(MAX_LENGTH + 1)}, "entries|not msgpack"),
        ({"a": 2**63}, "64 bits"),
        ({"a": [-(2**63) - 1]}, "64 bits"),
        ({"a": 0.5}, "whole number"),
        ({"a": 1.0}, "whole number"),
        ({"a": "x" * MAX_MESSAGE_BYTES}, "16384 bytes"),
    ],
)
def test_other_values_and_too_large_ones_are_undecodable(message: object, reason: str, encoding: Encoding) -> None:
    try:
        data = encode(message, encoding)
    except OverflowError:
        return  # msgpack has no such number at all
    with pytest.raises(Undecodable, match=reason):
        decode(data, encoding)


# -- JSON -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, reason",
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("{} {}", "not JSON"),
        ("{'a': 1}", "not JSON"),
        ('{"a": 1,}', "not JSON"),
        ('{"a": "\n"}', "not JSON"),
        ("\ufeff{}", "not JSON"),
        ('{"a": 1, "b": 2, "a": 3}', "twice"),
        ('{"b": {"a": 1, "\\u0061": 3}}', "twice"),
        ('{"a": NaN}', "NaN is not a whole number"),
        ('{"a": -Infinity}', "-Infinity is not a whole number"),
        ('{"a": 1e3}', "1e3 is not a whole number"),
        ('{"a": ' + "9" * 10_000 + "}", "64 bits"),
        ('{"a": "\\ud800"}', "Unicode"),
        ('{"a": "\\udc00\\ud800"}', "Unicode"),
        ('{"\\ud800": 1}', "Unicode"),
        ('{"a": "\ud800"}', "Unicode"),
        (b'{"a": "\xff"}', "Unicode"),
        (b'{"a": "\xed\xa0\x80"}', "Unicode"),
        ("[" * 16_000, "deep"),
        ('{"a":' * 3_000, "deep"),
        ('{"a": "' + "é" * 9_000 + '"}', "16384 bytes"),
    ],
)
def test_bad_json_is_undecodable(data: str | bytes, reason: str) -> None:
    with pytest.raises(Undecodable, match=reason):
        decode(data, Encoding.JSON)


def test_an_escaped_surrogate_pair_is_one_character() -> None:
    assert decode('{"a": "\\ud83d\\ude00"}', Encoding.JSON) == {"a": "😀"}


# -- msgpack --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "not msgpack"),
        (b"\xc1", "not msgpack"),
        (b"\x81\xa1a", "not msgpack"),
        (b"\x80\x80", "follows"),
        (b"\x82\xa1a\x01\xa1a\x02", "twice"),
        (b"\x81\x01\x02", "more than plain"),
        (b"\x81\xc4\x01a\x02", "more than plain"),
        (b"\x81\xc4\x00\x02", "keys"),
        (b"\x81\xc0\x02", "more than plain"),
        (b"\x81\x90\x02", "more than plain"),
        (b"\x81\xa1a\xc4\x00", "texts, whole numbers"),
        (b"\x81\xa1a\xc4\x01b", "more than plain"),
        (b"\x81\xa1a" + msgpack.packb(msgpack.ExtType(5, b"abc")), "more than plain"),
        (b"\x81\xa1a" + msgpack.packb(msgpack.ExtType(5, b"")), "texts, whole numbers"),
        (b"\x81\xa1a" + msgpack.packb(msgpack.Timestamp(1, 0)), "more than plain"),
        (b"\x81\xa1a\xa1\xff", "UTF-8"),
        (b"\x81\xa1a\xa3\xed\xa0\x80", "UTF-8"),
        (b"\x81\xa1a\xcf" + b"\xff" * 8, "64 bits"),
        (b"\x81\xa1a\xca" + struct.pack("!f", float("nan")), "texts, whole numbers"),
        (b"\xdf\xff\xff\xff\xff", "not msgpack"),
        (b"\xdc\x01\x00" * 5_000, "not msgpack"),
        (b"\x91" * 16_000, "not msgpack"),
    ],
)
def test_bad_msgpack_is_undecodable(data: bytes, reason: str) -> None:
    with pytest.raises(Undecodable, match=reason):
        decode(data, Encoding.MSGPACK)


def test_text_is_not_msgpack() -> None:
    with pytest.raises(Undecodable, match="binary"):
        decode("\x80", Encoding.MSGPACK)


# -- requests -------------------------------------------------------------------------------------------------


def refusal(json_value: dict[str, Any]) -> RefusedMessage:
    answer = read_request(json_value)
    assert isinstance(answer, RefusedMessage), answer
    return answer


def test_a_request_is_read_with_its_defaults() -> None:
    assert read_request(DECIDE) == Decide.model_construct(**DECIDE)
    assert read_request({"type": "watch", "id": "w", "table": "abcd"}) == Watch(type="watch", id="w", table="abcd")


ON_WHAT = "\"on\" must be 'pause', 'resume', 'abandon' or 'commentary'"


@pytest.mark.parametrize(
    "json_value, wrong",
    [
        ({}, '"type" must be a text that says what is asked for'),
        ({"type": 3}, '"type" must be a text that says what is asked for'),
        ({"type": []}, '"type" must be a text that says what is asked for'),
        ({"type": "start", "table": "abcd"}, '"id" is missing'),
        ({**DECIDE, "id": 3}, '"id" must be a text'),
        ({**DECIDE, "table": "K3"}, '"table" must match the pattern ^[a-z0-9]{4,32}$'),
        ({**DECIDE, "table": "abcd\n"}, '"table" must match the pattern ^[a-z0-9]{4,32}$'),
        ({**DECIDE, "decision": "3"}, '"decision" must be a whole number'),
        ({**DECIDE, "decision": True}, '"decision" must be a whole number'),
        ({**DECIDE, "decision": 0}, '"decision" must be 1 or more'),
        ({**DECIDE, "command": [1]}, '"command" must be an object'),
        ({**DECIDE, "seat": 2}, '"seat" is not known here'),
        ({**DECIDE, "type": "start"}, '"decision" is not known here'),
        ({"type": "say", "id": "a", "table": "abcd", "text": "x" * 2001}, '"text" may have 2000 characters at most'),
        ({"type": "ready", "id": "a", "table": "abcd", "ready": 1}, '"ready" must be true or false'),
        ({"type": "vote", "id": "a", "table": "abcd", "on": ""}, ON_WHAT),
        ({**NEW_TABLE, "settings": []}, '"settings" must be an object'),
        ({**NEW_TABLE, "settings": {"seats": 3}}, '"settings.game" is missing'),
        ({**NEW_TABLE, "settings": {"game": "a", "seats": 16}}, '"settings.seats" must be 15 or less'),
    ],
)  # fmt: skip
def test_a_malformed_request_is_refused_with_a_reason(json_value: dict[str, Any], wrong: str) -> None:
    answer = refusal(json_value)
    assert answer.code == "malformed"
    assert answer.sentence == f"The field {wrong}."


@pytest.mark.parametrize(
    "settings, wrong",
    [
        ({"clock": {"kind": "bank", "seconds": 60}}, '"settings.clock.increment" is missing'),
        ({"clock": {"kind": "bank", "seconds": 1, "increment": 1}}, '"settings.clock.seconds" must be 10 or more'),
        ({"clock": {"kind": ""}}, f"{CLOCK} which of 'none', 'decision', 'bank' is meant"),
        ({"clock": {}}, f"{CLOCK} which kind is meant"),
        ({"options": {"layout": {}}}, '"settings.options.layout" has an invalid value'),
        ({"options": {"cards": ["a", 3]}}, '"settings.options.cards" has an invalid value'),
        ({"options": {str(n): 1 for n in range(41)}}, '"settings.options" may have 40 entries at most'),
        ({"x" * 99: 1}, f'"settings.{"x" * 51}…" is not known here'),
    ],
)  # fmt: skip
def test_a_nested_field_is_named_by_its_path(settings: dict[str, Any], wrong: str) -> None:
    answer = refusal({**NEW_TABLE, "settings": {"game": "investors", "seats": 3, **settings}})
    assert answer.sentence == f"The field {wrong}."


def test_an_unknown_request_is_refused_with_its_own_code() -> None:
    answer = refusal({"type": "paint", "id": "p1"})
    assert (answer.id, answer.code, answer.sentence) == (
        "p1",
        "unknown_request",
        'The server knows no request "paint".',
    )
    assert answer.code in REFUSALS


@pytest.mark.parametrize("request_id, usable", [("ok-1", "ok-1"), ("", None), ("a b", None), (5, None), (None, None)])
def test_a_refusal_quotes_a_valid_id(request_id: object, usable: str | None) -> None:
    assert refusal({"type": "start", "id": request_id}).id == usable


# -- subprotocols ---------------------------------------------------------------------------------------------


def test_the_first_supported_subprotocol_is_chosen() -> None:
    json_first = ["sanfrancisco.7.json", "sanfrancisco.1.json", "sanfrancisco.1.msgpack"]
    assert choose_subprotocol(json_first) == ("sanfrancisco.1.json", Encoding.JSON)
    assert choose_subprotocol(["chat", "sanfrancisco.1.msgpack"]) == ("sanfrancisco.1.msgpack", Encoding.MSGPACK)
    assert choose_subprotocol(["sanfrancisco.2.msgpack", "SANFRANCISCO.1.JSON"]) is None
    assert choose_subprotocol([]) is None


def test_an_unsupported_version_is_recognised() -> None:
    assert unsupported_version(["chat", "sanfrancisco.2.msgpack"]) == "sanfrancisco.2.msgpack"
    assert unsupported_version(["sanfrancisco.1.json", "chat"]) is None


# -- frames ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size, header", [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)])
@pytest.mark.parametrize("encoding, opcode", [(Encoding.JSON, 0x81), (Encoding.MSGPACK, 0x82)])
def test_a_frame_is_a_valid_websocket_frame(size: int, header: int, encoding: Encoding, opcode: int) -> None:
    frame = framed(b"x" * size, encoding)
    assert frame[0] == opcode
    assert len(frame) == header + size
    assert size == frame[1] or size == int.from_bytes(frame[2:header], "big")


def test_a_message_is_encoded_once_for_all_connections() -> None:
    frame = Frame({"type": "presence", "table": "abcd", "seats": [], "spectators": 0})
    assert frame.framed(Encoding.MSGPACK) is frame.framed(Encoding.MSGPACK)
    assert json.loads(frame.framed(Encoding.JSON)[2:]) == frame.message


@pytest.mark.parametrize("unfit", [object(), 2**70, "\ud800"])
def test_a_message_that_cannot_be_packed_does_not_affect_the_next(unfit: object) -> None:
    with pytest.raises((TypeError, OverflowError, UnicodeEncodeError)):
        encode({"secret": 1, "last": unfit}, Encoding.MSGPACK)
    assert encode({"open": 2}, Encoding.MSGPACK) == msgpack.packb({"open": 2})
