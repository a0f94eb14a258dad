"""Proofs that a client has seen a log entry: a message authentication code over the time of the entry.

When the storage was restored from an older copy, the owner of a table may not know that entries are lost, but clients
do: on resuming, each presents the proof of the last entry that it was shown. Only the server knows the table's secret,
which the first log entry holds, so a valid proof without its entry proves that the log was rolled back.

A proof depends on the time alone. So it tells its holder nothing about hidden entries, and it stays valid when a later
version shows or counts entries in another way.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from hmac import compare_digest

_TIME_BYTES = 6
_MAC_BYTES = 9
"""Both together are 20 characters of base64, as `protocol.messages.Stamp` requires."""


def proof_of(secret: str | None, at_milliseconds: int) -> str | None:
    """Return the proof of an entry of this time; None for an old table without a secret."""
    if secret is None:
        return None
    time = at_milliseconds.to_bytes(_TIME_BYTES, "big")
    return urlsafe_b64encode(time + _mac(secret, time)).decode()


def time_of_proof(secret: str | None, proof: str) -> int | None:
    """Return the time of a proof's entry; None if the proof is not valid for this table."""
    if secret is None:
        return None
    decoded = urlsafe_b64decode(proof)
    time, mac = decoded[:_TIME_BYTES], decoded[_TIME_BYTES:]
    return int.from_bytes(time, "big") if compare_digest(mac, _mac(secret, time)) else None


def _mac(secret: str, time: bytes) -> bytes:
    return blake2b(time, key=secret.encode(), digest_size=_MAC_BYTES).digest()
