"""The encodings of fairness: commitments, seeds and the public chain, as `docs/fairness.md` describes them.

They are part of the contract between the server and every client: a page commits to its random bytes and its sealed
answers, and anybody can verify a finished game. Everything here is a pure function. The vectors in
`fairness-vectors.json` hold them fast; they change together or not at all.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

SEED_BYTES: Final = 32
SALT_BYTES: Final = 16


_CANONICAL: Final = msgspec.json.Encoder(order="sorted")


class Contribution(NamedTuple):
    """What a seat contributes to the seed of a game: nothing, if it is a bot's or took no part in the exchange."""

    identity: str = ""
    seed: bytes = b""


def encode_parts(*parts: str | bytes) -> bytes:
    """Return the parts, each prefixed with its length, so that no two lists of parts have the same encoding."""
    encoded = b""
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        encoded += len(data).to_bytes(4, "big") + data
    return encoded


def digest(label: str, *parts: str | bytes) -> bytes:
    """Return the SHA-256 of the parts under a label that names their purpose."""
    return hashlib.sha256(encode_parts(label, *parts)).digest()


def canonical_json(value: Any) -> str:
    """Return a JSON value as the text that is hashed: sorted keys, no spaces, no needless escapes."""
    encoded: bytes = _CANONICAL.encode(value)
    return encoded.decode()


def base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def server_commitment(table: str, game: int, seed: bytes) -> str:
    """Return the commitment of the server to its seed, in hexadecimal."""
    return digest("pf1/server-seed", table, str(game), seed).hex()


def seed_commitment(table: str, game: int, seat: int, identity: str, seed: bytes) -> str:
    """Return the commitment of a seat to its seed, in hexadecimal."""
    return digest("pf1/client-seed", table, str(game), str(seat), identity, seed).hex()


def game_seed(
    server_seed: bytes, table: str, game: int, rules: str, deck: Sequence[str], seats: Sequence[Contribution]
) -> bytes:
    """Return the seed from which all chance of a game follows: that of the server, keyed with those of the seats."""
    contributions = [encode_parts(str(seat), each.identity, each.seed) for seat, each in enumerate(seats)]
    context = digest("pf1/context", table, str(game), rules, encode_parts(*deck), *contributions)
    return hmac.digest(server_seed, encode_parts("pf1/game-seed", context), "sha256")


def answer_commitment(table: str, game: int, decision: int, seat: int, attempt: int, answer: str, salt: bytes) -> str:
    """Return the commitment to a sealed answer, which is canonical JSON, in base64url."""
    parts = (table, str(game), str(decision), str(seat), str(attempt), answer, salt)
    return base64url(digest("pf1/answer", *parts))


def server_salt(seed: bytes, decision: int, seat: int, attempt: int) -> bytes:
    """Return the salt of a sealed answer that the server made, which follows from the seed of the game."""
    message = encode_parts("pf1/salt", str(decision), str(seat), str(attempt))
    return hmac.digest(seed, message, "sha256")[:SALT_BYTES]


def chain_start(table: str) -> bytes:
    """Return the head of the public chain of a table before its first line."""
    return digest("pf1/chain", table)


_LINE: Final = encode_parts("pf1/line") + SEED_BYTES.to_bytes(4, "big")
"""The encoding of a line up to the head, which has as many bytes as a seed."""


def chain_next(head: bytes, line: bytes) -> bytes:
    """Return the head of the public chain after a line."""
    return hashlib.sha256(_LINE + head + len(line).to_bytes(4, "big") + line).digest()
