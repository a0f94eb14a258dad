"""The keys of the server for notifications: made at the first start, and the same for all workers from then on."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from typing import Self

from server.notifications.web_push import base64url, bytes_of
from server.store.api import KeyValueStore

KEYS = "notification_keys"
"""Kind of the keys; there is one value, `keys`."""

_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_SEPARATOR = "~"


@dataclass(frozen=True, slots=True)
class Keys:
    """The private key that browsers know this server by, and the one that signs links."""

    vapid: bytes
    links: bytes

    @classmethod
    async def open(cls, key_values: KeyValueStore) -> Self:
        """Return the keys, which are made if there are none yet."""
        number = secrets.randbelow(_P256_ORDER - 1) + 1
        made = {"vapid": base64url(number.to_bytes(32, "big")), "links": base64url(secrets.token_bytes(32))}
        await key_values.put_if_absent(KEYS, "keys", json.dumps(made).encode())
        stored = await key_values.get(KEYS, "keys")
        assert stored is not None
        kept = json.loads(stored)
        return cls(bytes_of(kept["vapid"]), bytes_of(kept["links"]))

    def unsubscribe_token(self, recipient: str, contact: str) -> str:
        """Return the part of a link that lets whoever has it switch a contact off, and nothing else."""
        return _SEPARATOR.join((recipient, contact, self._mac(recipient, contact)))

    def unsubscribed(self, token: str) -> tuple[str, str] | None:
        """Return recipient and contact of such a token; None if it is forged."""
        parts = token.split(_SEPARATOR)
        if len(parts) != 3 or not token.isascii():
            return None
        recipient, contact, mac = parts
        return (recipient, contact) if hmac.compare_digest(mac, self._mac(recipient, contact)) else None

    def _mac(self, recipient: str, contact: str) -> str:
        text = f"unsubscribe{_SEPARATOR}{recipient}{_SEPARATOR}{contact}"
        return base64url(hmac.new(self.links, text.encode(), hashlib.sha256).digest())
