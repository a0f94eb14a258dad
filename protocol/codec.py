"""The two encodings of messages: frames that are encoded once for all connections, and decoding of client data.

Received data is untrusted until it has passed `decode` and `read_request`. The first admits only JSON values of bounded
size and depth, the same in both encodings; the second admits only the requests of `protocol.messages`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Annotated, Any, Final, NamedTuple, NoReturn

import msgpack
import msgspec
from msgspec import Meta
from pydantic import TypeAdapter, ValidationError

from protocol.messages import PROTOCOL_VERSION, REQUESTS, AnyRequest, RefusedMessage, RequestId

MAX_MESSAGE_BYTES: Final = 16 * 1024
"""Maximum bytes of a message from a client."""

MAX_DEPTH: Final = 12
"""Maximum nesting of lists and objects in a message from a client; the message itself counts as 1."""

MAX_LENGTH: Final = 256
"""Maximum entries of a list or an object from a client."""


class Encoding(Enum):
    """An encoding of messages: msgpack in binary frames, or JSON in text frames."""

    MSGPACK = "msgpack"
    JSON = "json"


# -- subprotocols ---------------------------------------------------------------------------------------------

_FAMILY: Final = "sanfrancisco."

SUBPROTOCOLS: Final = {f"{_FAMILY}{PROTOCOL_VERSION}.{encoding.value}": encoding for encoding in Encoding}
"""The names that a websocket handshake can negotiate, with their encodings."""


def choose_subprotocol(offered: Iterable[str]) -> tuple[str, Encoding] | None:
    """Return the first offered name that is supported, with its encoding; None if there is none."""
    for name in offered:
        encoding = SUBPROTOCOLS.get(name)
        if encoding is not None:
            return name, encoding
    return None


def unsupported_version(offered: Iterable[str]) -> str | None:
    """Return the first offered name of this protocol in an unsupported version; None if there is none.

    A browser sees a close code only after a handshake that negotiated a name that it offered. So accept this name, and
    close with `Close.UPGRADE` at once.
    """
    return next((name for name in offered if name.startswith(_FAMILY) and name not in SUBPROTOCOLS), None)


# -- out ------------------------------------------------------------------------------------------------------

_SHORT: Final = struct.Struct("!BB").pack
_LONG: Final = struct.Struct("!BBH").pack
_TEXT: Final = 0x81
_BINARY: Final = 0x82
_MSGPACK: Final = Encoding.MSGPACK
"""A member of an enumeration takes longer to look up than a global, and each delivery does so."""


pack: Final = msgspec.msgpack.Encoder().encode
"""Return a value in msgpack, with the same bytes as `msgpack.packb`. Only for the thread of the event loop."""

to_json_bytes: Final = msgspec.json.Encoder().encode
"""Return a value in JSON without spaces, in UTF-8. Messages hold no fractions. Only for the event loop's thread."""


def encode(message: Any, encoding: Encoding) -> bytes:
    """Return the message as the payload of one websocket frame."""
    return pack(message) if encoding is _MSGPACK else to_json_bytes(message)


def framed(payload: bytes, encoding: Encoding) -> bytes:
    """Return the payload as a websocket frame from the server, which has no mask and so is the same for all clients."""
    opcode = _BINARY if encoding is _MSGPACK else _TEXT
    size = len(payload)
    if size < 126:
        return _SHORT(opcode, size) + payload
    if size < 1 << 16:
        return _LONG(opcode, 126, size) + payload
    return struct.pack("!BBQ", opcode, 127, size) + payload


class ResumePoint(NamedTuple):
    """The point up to which a client has seen a table: the number and the proof (`stamp`) of its last update."""

    number: int
    proof: str | None


class Frame:
    """A message to many connections, encoded at most once for each encoding.

    `can_wait` marks frames to spectators, which frames to players may overtake.
    """

    __slots__ = ("_binary", "_message", "_packed", "_text", "can_wait")

    def __init__(self, message: dict[str, Any] | None, packed: bytes | None = None, *, can_wait: bool = False) -> None:
        self._message = message
        self._packed = packed
        self.can_wait = can_wait
        self._binary: bytes | None = None
        self._text: bytes | None = None

    def urgent(self) -> Frame:
        """Return a frame of the same message that cannot wait; what is encoded already is shared."""
        frame = Frame(self._message, self._packed)
        frame._binary, frame._text = self._binary, self._text
        return frame

    @classmethod
    def of_packed(cls, packed: bytes, *, can_wait: bool) -> Frame:
        """Return the frame of a message that another process has packed; it is unpacked only if needed."""
        return cls(None, packed, can_wait=can_wait)

    @property
    def message(self) -> dict[str, Any]:
        if self._message is None:
            assert self._packed is not None
            self._message = msgspec.msgpack.decode(self._packed, type=dict[str, Any])
        return self._message

    @property
    def resume_point(self) -> ResumePoint | None:
        """Return the point that a client can resume from after this frame; None if the frame has no number."""
        number = self.message.get("number")
        return None if number is None else ResumePoint(number, self.message["stamp"])

    @property
    def packed(self) -> bytes:
        """Return the message in msgpack."""
        if self._packed is None:
            self._packed = encode(self._message, Encoding.MSGPACK)
        return self._packed

    def framed(self, encoding: Encoding) -> bytes:
        """Return the complete websocket frame."""
        if encoding is _MSGPACK:
            if self._binary is None:
                self._binary = framed(self.packed, encoding)
            return self._binary
        if self._text is None:
            self._text = framed(encode(self.message, encoding), encoding)
        return self._text


# -- in -------------------------------------------------------------------------------------------------------


class Undecodable(ValueError):
    """The data is not a message; the text is a sentence with the reason."""


def decode(data: bytes | str, encoding: Encoding) -> dict[str, Any]:
    """Return the object that a client sent, made of JSON values only; raise `Undecodable` for anything else.

    Msgpack comes as bytes, JSON as text or as bytes.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise Undecodable(f"A message may have {MAX_MESSAGE_BYTES} bytes at most.")
    return _decode_plain(data, encoding) or _decode_strictly(data, encoding)


def _decode_plain(data: bytes | str, encoding: Encoding) -> dict[str, Any] | None:
    """Return the object in a message that is encoded as `encode` would encode it, and nested to a modest depth.

    Nearly all messages are, and this is much faster than `_decode_strictly`, which finds the reason why another one is
    refused. A key that occurs twice, or anything else that the decoder tolerates, would be encoded differently.
    """
    decode_limited, encode_again = _PLAIN_MSGPACK if encoding is _MSGPACK else _PLAIN_JSON
    try:
        message = decode_limited(data)
    except (ValueError, TypeError):
        return None
    return message if encode_again(message) == data else None


def _decode_strictly(data: bytes | str, encoding: Encoding) -> dict[str, Any]:
    message = _from_json(data) if encoding is Encoding.JSON else _from_msgpack(data)
    if type(message) is not dict:
        raise Undecodable("A message is an object.")
    _check(message, MAX_DEPTH)
    return message


def _from_json(data: bytes | str) -> Any:
    try:
        text = data if isinstance(data, str) else data.decode()
        if len(text.encode()) > MAX_MESSAGE_BYTES:
            raise Undecodable(f"A message may have {MAX_MESSAGE_BYTES} bytes at most.")
        message = _JSON.decode(text)
        if "\\u" in text:
            # An escape can name a lone surrogate, which UTF-8 cannot encode.
            json.dumps(message, ensure_ascii=False).encode()
    except UnicodeError:
        raise Undecodable("The text is not valid Unicode.") from None
    except RecursionError:
        raise Undecodable(_TOO_DEEP) from None
    except json.JSONDecodeError as reason:
        raise Undecodable(f"This is not JSON: {reason.msg} at character {reason.pos}.") from None
    return message


def _from_msgpack(data: bytes | str) -> Any:
    if isinstance(data, str):
        raise Undecodable("Msgpack travels in binary frames.")
    try:
        # Msgpack allocates a list by its claimed length, so bound the claims.
        return msgpack.unpackb(
            data,
            object_pairs_hook=_object,
            max_array_len=MAX_LENGTH,
            max_map_len=MAX_LENGTH,
            max_bin_len=0,
            max_ext_len=0,
        )
    except Undecodable:
        raise
    except UnicodeError:
        raise Undecodable("A text is not valid UTF-8.") from None
    except msgpack.ExtraData:
        raise Undecodable("Something follows after the message.") from None
    except (ValueError, TypeError):
        raise Undecodable("This is not msgpack, or it holds more than plain values.") from None


def _object(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Undecodable("A key occurs twice in one object.")
    return found


def _whole_number(digits: str) -> int:
    # Python raises an error for thousands of digits.
    if len(digits) > 20:
        raise Undecodable(_TOO_LARGE)
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise Undecodable(f"{text[:20]} is not a whole number.")


_TOO_DEEP: Final = f"A message may be {MAX_DEPTH} deep at most."
_TOO_LARGE: Final = "A number needs more than 64 bits."
_MIN, _MAX = -(2**63), 2**63 - 1

_JSON: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole_number, parse_float=_no_number, parse_constant=_no_number
)


def _check_keys(value: dict[Any, Any]) -> None:
    for key in value:
        if type(key) is not str:
            raise Undecodable("The keys of an object are texts.")


def _check(value: Any, levels: int) -> None:
    """Raise `Undecodable` unless a list or object holds JSON values only, nested to at most this many levels."""
    if levels == 0:
        raise Undecodable(_TOO_DEEP)
    if len(value) > MAX_LENGTH:
        raise Undecodable(f"A list or an object may have {MAX_LENGTH} entries at most.")
    if type(value) is dict:
        _check_keys(value)
        value = value.values()
    for part in value:
        kind = type(part)
        if kind is str or kind is bool or part is None:
            continue
        if kind is int:
            if not _MIN <= part <= _MAX:
                raise Undecodable(_TOO_LARGE)
        elif kind is dict or kind is list:
            _check(part, levels - 1)
        else:
            raise Undecodable("A message holds texts, whole numbers, true, false, null, lists and objects only.")


_PLAIN_DEPTH: Final = 6
"""The nesting of messages that `_decode_plain` admits; the number of the decoder's types doubles with each level."""


def _plain_object(levels: int) -> Any:
    """Return the type of objects of JSON values within the limits, nested to at most this many levels."""
    atoms: Any = None | bool | str | Annotated[int, Meta(ge=_MIN, le=_MAX)]
    part: Any = atoms
    for _ in range(levels - 1):
        part = atoms | _at_most(list[part]) | _at_most(dict[str, part])
    return _at_most(dict[str, part])


def _at_most(kind: Any) -> Any:
    return Annotated[kind, Meta(max_length=MAX_LENGTH)]


_Plain = tuple[Callable[..., Any], Callable[[Any], bytes]]
_PLAIN_MSGPACK: Final[_Plain] = msgspec.msgpack.Decoder(_plain_object(_PLAIN_DEPTH)).decode, pack
_PLAIN_JSON: Final[_Plain] = msgspec.json.Decoder(_plain_object(_PLAIN_DEPTH)).decode, to_json_bytes


# -- requests -------------------------------------------------------------------------------------------------


def read_request(message: dict[str, Any]) -> AnyRequest | RefusedMessage:
    """Return the request in a decoded message, or the refusal that answers it."""
    try:
        return _validate(message)
    except ValidationError as invalid:
        errors = [dict(error) for error in invalid.errors(include_url=False, include_input=False)]
    code, sentence = _refusal(errors, message)
    return RefusedMessage(type="refused", id=_usable_id(message), code=code, sentence=sentence)


def _usable_id(message: dict[str, Any]) -> str | None:
    """Return the id of a message; None if it has no valid one."""
    try:
        return _IDS.validate_python(message.get("id"))
    except ValidationError:
        return None


def _refusal(errors: list[dict[str, Any]], message: dict[str, Any]) -> tuple[str, str]:
    """Return the code and the sentence for the first validation error."""
    first = errors[0]
    if not first["loc"]:
        kind = message.get("type")
        if isinstance(kind, str):
            return "unknown_request", f"The server knows no request {_quoted(kind)}."
        return "malformed", 'The field "type" must be a text that says what is asked for.'
    field = _field(first, message)
    if len(errors) > 1 and _field(errors[1], message) == field:
        # Every member of the union reports its own error.
        return "malformed", f"The field {field} has an invalid value."
    what = _WHAT_IS_WRONG.get(first["type"], "cannot be understood")
    return "malformed", f"The field {field} {what.format(**first.get('ctx', {}))}."


def _field(error: dict[str, Any], value: Any) -> str:
    """Return the dotted name of the field that a validation error is about.

    The location of an error also names the member of a union that was tried, which is not a field.
    """
    names: list[str] = []
    for part in error["loc"]:
        if isinstance(part, int) or (isinstance(value, dict) and part in value):
            value = value[part]
            names.append(str(part))
    if error["type"] == "missing":
        names.append(error["loc"][-1])
    return _quoted(".".join(names))


def _quoted(text: str) -> str:
    return f'"{text[:_MAX_QUOTE_LENGTH]}…"' if len(text) > _MAX_QUOTE_LENGTH else f'"{text}"'


_MAX_QUOTE_LENGTH: Final = 60
_IDS: Final[TypeAdapter[str]] = TypeAdapter(RequestId)
_validate: Final[Callable[[dict[str, Any]], AnyRequest]] = REQUESTS.validator.validate_python

_WHAT_IS_WRONG: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be a text",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "string_too_long": "may have {max_length} characters at most",
    "int_type": "must be a whole number",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "too_long": "may have {max_length} entries at most",
    "literal_error": "must be {expected}",
    "union_tag_invalid": "must say with {discriminator} which of {expected_tags} is meant",
    "union_tag_not_found": "must say with {discriminator} which kind is meant",
}
