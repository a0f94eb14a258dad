"""What proves that somebody has seen a record of a table: the moment when it was written, under the table's seal.

Storage that went back to an older copy may meet an owner who has seen nothing of what is lost. People have: whoever
comes back shows the proof of the last record that they were shown. Nobody can make one without the table's secret,
which is in the log from its first record on, so a true proof without its record proves that there was one.

A proof tells nothing that its holder does not know, since it hangs on the moment alone: not on what the record said,
nor on how many others there were. Nor does it hang on how records are shown, which may be another way tomorrow.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from hmac import compare_digest

_MOMENT_BYTES = 6
_SEAL_BYTES = 9
"""Together they are twenty characters of base64, as `protocol.messages.Stamp` says."""


def proof_of(secret: str | None, at_milliseconds: int) -> str | None:
    """Give the proof of a record that was written then; None at a table that was opened without a secret."""
    if secret is None:
        return None
    moment = at_milliseconds.to_bytes(_MOMENT_BYTES, "big")
    return urlsafe_b64encode(moment + _seal(secret, moment)).decode()


def time_of_proof(secret: str | None, proof: str) -> int | None:
    """Give when the record of a proof was written; None if the proof is not of this table."""
    if secret is None:
        return None
    decoded = urlsafe_b64decode(proof)
    moment, seal = decoded[:_MOMENT_BYTES], decoded[_MOMENT_BYTES:]
    return int.from_bytes(moment, "big") if compare_digest(seal, _seal(secret, moment)) else None


def _seal(secret: str, moment: bytes) -> bytes:
    return blake2b(moment, key=secret.encode(), digest_size=_SEAL_BYTES).digest()
