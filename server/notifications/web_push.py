"""Web Push: the encryption of a message for one browser (RFC 8291), and the proof of who sends it (VAPID, RFC 8292).

The push service of the browser's vendor passes the message on. It can neither read it nor tell how long it is.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.notifications.addresses import target_of
from server.notifications.outbound import Outbound, check_status
from server.notifications.outcomes import Undeliverable
from server.notifications.recipients import Contact
from server.notifications.texts import Message

RECORD_BYTES: Final = 4096
PADDED_BYTES: Final = 1024
"""Messages are padded to a multiple of this, so that their length says little."""

MAX_BODY: Final = 600
"""Characters of a body; systems show fewer."""

TTL_SECONDS: Final = 86_400
"""The time for which a push service keeps a message for a browser that is not connected."""

TOKEN_SECONDS: Final = 12 * 3_600
"""The lifetime of a proof; 24 hours are the most that services accept."""


def base64url(value: bytes) -> str:
    """Return bytes in base64url, without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """Return the bytes of a text in base64url; raise `ValueError` if it is malformed."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def private_key_of(number: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the private key of 32 bytes."""
    return ec.derive_private_key(int.from_bytes(number, "big"), ec.SECP256R1())


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public key of a private one, uncompressed."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def is_subscription(key: str, secret: str) -> bool:
    """Return whether these can be the keys of a push subscription."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(key))
        return len(bytes_of(secret)) == 16
    except (ValueError, InvalidSignature):
        return False


def encrypted(
    plain: bytes,
    key: bytes,
    secret: bytes,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    padded_bytes: int = PADDED_BYTES,
) -> bytes:
    """Return a message as only the browser with these keys can read it: one record of `aes128gcm`.

    The key pair and the salt are made for this message; tests pass those of the example in RFC 8291.
    """
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    ours = public_bytes(own)
    shared = own.exchange(ec.ECDH(), theirs)
    input_key = _derived(shared, secret, b"WebPush: info\0" + key + ours, 32)
    content_key = _derived(input_key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(input_key, salt, b"Content-Encoding: nonce\0", 12)
    # The delimiter of the last record, then zeros.
    padding = b"\x02" + bytes(-(len(plain) + 1) % padded_bytes)
    cipher = AESGCM(content_key).encrypt(nonce, plain + padding, None)
    return salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(ours)]) + ours + cipher


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def vapid(endpoint_origin: str, key: ec.EllipticCurvePrivateKey, subject: str, now: float) -> str:
    """Return the header Authorization for a push service. `subject` is how its operator reaches ours."""
    claims = {"aud": endpoint_origin, "exp": int(now) + TOKEN_SECONDS, "sub": subject}
    signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={base64url(public_bytes(key))}"


def _part(value: dict[str, Any]) -> str:
    return base64url(json.dumps(value, separators=(",", ":")).encode())


class PushSender:
    """Sends messages to browsers. `hosts` are the push services that are allowed, or none if all are."""

    def __init__(
        self, outbound: Outbound, key: ec.EllipticCurvePrivateKey, subject: str, hosts: tuple[str, ...] = ()
    ) -> None:
        self._outbound = outbound
        self._key = key
        self._subject = subject
        self._hosts = hosts

    @property
    def public_key(self) -> str:
        """Return the key that browsers subscribe with."""
        return base64url(public_bytes(self._key))

    def is_allowed(self, endpoint: str) -> bool:
        """Return whether messages may go to a push service. An allowed host includes the names below it."""
        host = target_of(endpoint).host.lower()
        return not self._hosts or any(host == name or host.endswith(f".{name}") for name in self._hosts)

    async def send(self, contact: Contact, message: Message, now: float) -> None:
        """Send a message; raise `Undeliverable` if it was not accepted."""
        if not self.is_allowed(contact.address):
            raise Undeliverable("forbidden_address")
        body = encrypted(_payload(message), bytes_of(contact.key), bytes_of(contact.secret))
        subject = self._subject or (contact.origin if contact.origin.startswith("https:") else "https://localhost")
        headers = [
            ("Authorization", vapid(target_of(contact.address).origin, self._key, subject, now)),
            ("Content-Encoding", "aes128gcm"),
            ("Content-Type", "application/octet-stream"),
            ("TTL", str(TTL_SECONDS)),
            ("Urgency", "normal"),
            # The service keeps only the last message of a topic for a browser that is not connected.
            ("Topic", base64url(hashlib.sha256(message.tag.encode()).digest()[:18])),
        ]
        check_status(await self._outbound.post(contact.address, headers, body))


def _payload(message: Message) -> bytes:
    body = "\n".join(message.lines)
    shown = {
        "title": message.title,
        "body": body if len(body) <= MAX_BODY else f"{body[: MAX_BODY - 1]}…",
        "path": message.path,
        "tag": message.tag,
        "language": message.language,
    }
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
