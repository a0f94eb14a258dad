"""Which addresses the server connects to, and which URLs it understands."""

from __future__ import annotations

import pytest

from server.notifications.addresses import AddressRules, Target, is_public, target_of
from server.notifications.outcomes import Undeliverable


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::5"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",  # noqa: S104
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.0.1",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:10::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "2606:4700::1111%eth0",
        "fec0::1",
        "ff02::1",
        "not an address",
    ],
)
def test_special_addresses_are_refused(address: str) -> None:
    assert not is_public(address)


def test_a_mapped_address_counts_as_what_it_contains() -> None:
    assert is_public("::ffff:1.1.1.1")


HTTPS = Target(True, "hooks.example", 443, "/")
HTTP = Target(False, "hooks.example", 80, "/")


def test_all_addresses_of_a_name_must_be_public() -> None:
    AddressRules().check(HTTPS, ["1.1.1.1", "2606:4700::1111"])
    with pytest.raises(Undeliverable, match="forbidden_address"):
        AddressRules().check(HTTPS, ["1.1.1.1", "10.0.0.1"])


def test_a_name_without_addresses_cannot_be_reached() -> None:
    with pytest.raises(Undeliverable, match="unresolved"):
        AddressRules().check(HTTPS, [])


@pytest.mark.parametrize("target", [HTTP, HTTPS._replace(port=80), HTTPS._replace(port=22), HTTPS._replace(port=6379)])
def test_public_addresses_need_https_and_one_of_two_ports(target: Target) -> None:
    AddressRules().check(HTTPS._replace(port=8443), ["1.1.1.1"])
    with pytest.raises(Undeliverable, match="forbidden_address"):
        AddressRules().check(target, ["1.1.1.1"])


def test_networks_of_the_operator_are_allowed_with_http_and_all_ports() -> None:
    rules = AddressRules(["10.1.0.0/16", "fd00::/8"])
    for target in (HTTP, HTTPS, HTTP._replace(port=9000)):
        rules.check(target, ["10.1.2.3"])
        rules.check(target, ["fd00::1", "::ffff:10.1.0.1"])
        with pytest.raises(Undeliverable):
            rules.check(target, ["10.2.0.1"])
    with pytest.raises(Undeliverable):
        # Only one of the two addresses is in such a network, so the rules for public ones hold.
        rules.check(HTTP, ["10.1.2.3", "1.1.1.1"])


def test_a_url_is_taken_apart() -> None:
    assert target_of("https://hooks.example/a/b?c=d#e") == Target(True, "hooks.example", 443, "/a/b?c=d")
    assert target_of("https://hooks.example:8443") == Target(True, "hooks.example", 8443, "/")
    assert target_of("https://[2606:4700::1111]/x").authority == "[2606:4700::1111]"
    assert target_of("https://hooks.example:8443/").authority == "hooks.example:8443"
    assert target_of("http://hooks.example/").origin == "http://hooks.example"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example/",
        "https://",
        "https:///path",
        "https://user@hooks.example/",
        "https://user:password@hooks.example/",
        "https://hooks.example@10.0.0.1/",
        "https://hooks.example\\@10.0.0.1/",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nHost: x",
        "https://hooks.example:99999/",
        "https://hooks.example:x/",
        "https://hööks.example/",
        "https://[fe80::1%25eth0]/",
        f"https://hooks.example/{'a' * 1000}",
    ],
)
def test_a_malformed_url_is_refused(url: str) -> None:
    with pytest.raises(Undeliverable, match="bad_url"):
        target_of(url)
