"""A software authenticator: makes passkeys and signs challenges, as a browser with a security key does."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, ATTESTED = 0x01, 0x04, 0x08, 0x40


@dataclass
class SoftwarePasskey:
    """One discoverable credential."""

    relying_party: str
    user_id: bytes
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    sign_count: int = 0

    def authenticator_data(self, flags: int, attested: bytes = b"") -> bytes:
        digest = hashlib.sha256(self.relying_party.encode()).digest()
        return digest + bytes([flags]) + self.sign_count.to_bytes(4, "big") + attested

    def attested(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        return bytes(16) + len(self.id).to_bytes(2, "big") + self.id + encode_cbor(cose)


class Authenticator:
    """All passkeys of one device, which a page at `origin` can use."""

    def __init__(self, origin: str, *, counts: bool = True) -> None:
        self.origin = origin
        self.counts = counts
        self.passkeys: list[SoftwarePasskey] = []

    def create(self, options: dict[str, Any], credential_id: bytes | None = None) -> dict[str, Any]:
        """Return what `navigator.credentials.create(...)` returns, as `toJSON()` writes it."""
        passkey = SoftwarePasskey(options["rp"]["id"], base64url_to_bytes(options["user"]["id"]))
        passkey.id = credential_id or passkey.id
        self.passkeys.append(passkey)
        data = passkey.authenticator_data(USER_PRESENT | USER_VERIFIED | ATTESTED, passkey.attested())
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return {
            **_named(passkey),
            "response": {
                "clientDataJSON": bytes_to_base64url(self._client_data("webauthn.create", options["challenge"])),
                "attestationObject": bytes_to_base64url(attestation),
                "transports": ["internal", "carrier pigeon"],
            },
        }

    def get(self, options: dict[str, Any], passkey: SoftwarePasskey | None = None) -> dict[str, Any]:
        """Return what `navigator.credentials.get(...)` returns, as `toJSON()` writes it."""
        passkey = passkey or self.passkeys[-1]
        passkey.sign_count += self.counts
        client_data = self._client_data("webauthn.get", options["challenge"])
        data = passkey.authenticator_data(USER_PRESENT | USER_VERIFIED)
        signed = data + hashlib.sha256(client_data).digest()
        return {
            **_named(passkey),
            "response": {
                "clientDataJSON": bytes_to_base64url(client_data),
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(passkey.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
                "userHandle": bytes_to_base64url(passkey.user_id),
            },
        }

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()


def _named(passkey: SoftwarePasskey) -> dict[str, Any]:
    name = bytes_to_base64url(passkey.id)
    return {"id": name, "rawId": name, "type": "public-key", "clientExtensionResults": {}}
