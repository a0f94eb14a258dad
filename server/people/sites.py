"""The site that a browser shows, as passkeys are bound to it: its origin, and the relying party id within it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Site:
    """The origin of a request, such as `https://play.example`, which the gateway has checked."""

    origin: str

    @property
    def relying_party(self) -> str | None:
        """Return the host's name; None if the address has a number instead, for which browsers make no passkeys."""
        host = urlsplit(self.origin).hostname
        if not host:
            return None
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return host
        return None
