"""The two encodings of the wire, and the values that survive both."""

from __future__ import annotations

import json

import msgpack

# The largest integer that a JavaScript number holds exactly.
MAX_SIZE = 2**53 - 1


def through_json(value: object) -> object:
    """Return the value after a round trip through JSON."""
    return json.loads(json.dumps(value, allow_nan=False))


def through_msgpack(value: object) -> object:
    """Return the value after a round trip through msgpack."""
    return msgpack.unpackb(encoded(value))


def encoded(value: object) -> bytes:
    """Return the value as bytes, in which the order of keys counts too."""
    return msgpack.packb(value)


WIRES = (through_json, through_msgpack)


def not_plain(value: object, path: str = "it") -> str | None:
    """Return the place of the first part of a value that is not JSON, or None."""
    if value is None or type(value) in (bool, str):
        return None
    if type(value) is int:
        return None if abs(value) <= MAX_SIZE else f"{path} is {value}, more than a browser can count to"
    if type(value) is list:
        return next(filter(None, (not_plain(part, f"{path}[{i}]") for i, part in enumerate(value))), None)
    if type(value) is dict:
        odd_key = next((key for key in value if type(key) is not str), None)
        if odd_key is not None:
            return f"{path} has the key {odd_key!r}, which is no text"
        return next(filter(None, (not_plain(part, f"{path}.{key}") for key, part in value.items())), None)
    return f"{path} is the {type(value).__name__} {value!r}"


def assert_travels(value: object, what: str) -> None:
    """Assert that a value is JSON and survives both encodings unchanged."""
    complaint = not_plain(value)
    assert complaint is None, f"{what} is not plain: {complaint}"
    for wire in WIRES:
        assert wire(value) == value, f"{what} does not survive the way {wire.__name__}: {value!r}"
