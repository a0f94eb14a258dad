"""Addresses of peers: this machine itself, and trusted proxies."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself, by address or as `localhost`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class TrustedProxies:
    """The peers whose X-Forwarded-* headers are trusted: addresses, networks, or `*`, as uvicorn reads the setting."""

    def __init__(self, proxies: Sequence[str]) -> None:
        self._is_everybody = "*" in proxies
        self._networks: list[_Network] = []
        self._names: set[str] = set()
        for proxy in proxies:
            try:
                self._networks.append(ipaddress.ip_network(proxy))
            except ValueError:
                self._names.add(proxy)

    def __contains__(self, host: str) -> bool:
        if self._is_everybody or host in self._names:
            return True
        if not self._networks:
            return False
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)
