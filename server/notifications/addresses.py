"""Addresses that people give, and which of them the server may connect to.

A URL from a person must not make the server a way into the network around it (server-side request forgery). So only
public addresses are connected to, and an operator can add networks of their own. Refused are all blocks that IANA
lists for a special purpose, and IPv6 blocks that contain an IPv4 address: translated ones (NAT64) could lead to a
private one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from server.notifications.outcomes import Undeliverable

PORTS: Final = (443, 8443)
"""Ports of public addresses that are connected to."""

MAX_URL: Final = 1_000
"""Characters of a URL."""

Network = str
"""A network as an operator writes it, like 10.1.0.0/16."""

_REFUSED: Final = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # behind carrier-grade NAT; metadata services too
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # the platform of Azure, public in form only
            "169.254.0.0/16",  # link-local; metadata services
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
            "2001::/23",  # protocol assignments, Teredo
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4: contains an IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
_PUBLIC_IPV6: Final = IPv6Network("2000::/3")
"""All public unicast addresses. Loopback, link-local, mapped, NAT64, unique local and multicast ones are outside."""


class Target(NamedTuple):
    """Where a URL leads."""

    is_https: bool
    host: str
    port: int
    path: str
    """The path with the query."""

    @property
    def authority(self) -> str:
        """Return the value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_https else 80) else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{'https' if self.is_https else 'http'}://{self.authority}"


class AddressRules:
    """Which addresses may be connected to. `networks` are those that the operator has added."""

    def __init__(self, networks: Sequence[Network] = ()) -> None:
        self._networks = tuple(map(ip_network, networks))

    def check(self, target: Target, addresses: Sequence[str]) -> None:
        """Raise `Undeliverable` unless a target may be connected to at all addresses that its name has.

        In networks of the operator plain HTTP and all ports are allowed too.
        """
        if not addresses:
            raise Undeliverable("unresolved")
        if all(self._is_added(address) for address in addresses):
            return
        if not target.is_https or target.port not in PORTS or not all(map(self._is_allowed, addresses)):
            raise Undeliverable("forbidden_address")

    def _is_allowed(self, address: str) -> bool:
        return self._is_added(address) or is_public(address)

    def _is_added(self, address: str) -> bool:
        found = _parsed(address)
        return found is not None and any(
            found.version == network.version and found in network for network in self._networks
        )


def is_public(address: str) -> bool:
    """Return whether an address belongs to a host of the public internet."""
    found = _parsed(address)
    if found is None or any(found.version == network.version and found in network for network in _REFUSED):
        return False
    return isinstance(found, IPv4Address) or found in _PUBLIC_IPV6


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Return an address; the IPv4 address for one that is mapped into IPv6; None for one with a scope."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return None
        if found.ipv4_mapped is not None:
            return found.ipv4_mapped
    return found


def target_of(url: str) -> Target:
    """Return where a URL leads; raise `Undeliverable` if it is malformed."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise Undeliverable("bad_url") from None
    if (
        len(url) > MAX_URL
        # Spaces, line ends and other alphabets: browsers write these encoded.
        or re.fullmatch(r"[!-~]+", url) is None
        or parts.scheme not in ("https", "http")
        or not host
        or re.fullmatch(r"[A-Za-z0-9._:-]{1,253}", host) is None
        or "@" in parts.netloc
        or "\\" in url
    ):
        raise Undeliverable("bad_url")
    is_https = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(is_https, host, (443 if is_https else 80) if port is None else port, path)
