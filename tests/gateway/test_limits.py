"""Concurrency limits, throttles by name, and the keys and sentences of limits."""

import pytest

from server.gateway.limits import (
    DAY,
    SHARED,
    ConcurrencyLimit,
    Limits,
    Throttles,
    address_key,
    is_established,
    refused_for,
)
from server.gateway.metrics import Counters, Metrics
from server.model import User
from server.rate_limit import LocalLimiter, LocalLimits, Rate


def test_a_concurrency_limit_counts_what_each_key_holds() -> None:
    limit = ConcurrencyLimit(2)
    assert limit.acquire("ann")
    assert limit.acquire("ann")
    assert not limit.acquire("ann")
    assert limit.acquire("bob")
    limit.release("ann")
    assert limit.acquire("ann")
    for key in ("ann", "ann", "bob"):
        limit.release(key)
    assert len(limit) == 0


def test_every_rate_has_its_throttle() -> None:
    limits = Limits()
    throttles = Throttles(limits, lambda: 0.0)
    rates = {name: value for name in Limits.__slots__ if isinstance(value := getattr(limits, name), Rate)}
    assert {name: throttle.rate for name, throttle in vars(throttles).items()} == rates


class RecordingSource(LocalLimits):
    """A source that records the names of its limiters."""

    def __init__(self) -> None:
        super().__init__(lambda: 0.0)
        self.names: list[str] = []

    def limiter(self, name: str, rate: Rate) -> LocalLimiter:
        self.names.append(name)
        return super().limiter(name, rate)


def test_the_limits_that_are_named_as_shared_come_from_the_source() -> None:
    source = RecordingSource()
    Throttles(Limits(), lambda: 0.0, source)
    assert sorted(source.names) == sorted(SHARED)


@pytest.mark.parametrize(
    "user, expected",
    [
        (User("ann", "Ann"), True),
        (User("ann", "Ann", created=1_000_000, has_played=True), True),
        (User("ann", "Ann", created=1_000_000, has_played=False), False),
        (User("ann", "Ann", created=1_000_001, has_played=True), False),
        (User("ann", "Ann", created=2_000_000, has_played=True), False),
    ],
)
def test_a_user_is_established_who_has_played_and_is_older_than_a_day(user: User, expected: bool) -> None:
    assert is_established(user, 1_000_000 + DAY) == expected


@pytest.mark.parametrize(
    "host, key",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::"),
        ("unix", "unix"),
        ("x" * 1_000, "x" * 64),
    ],
)
def test_an_ipv6_address_is_counted_by_its_network(host: str, key: str) -> None:
    assert address_key(host) == key


@pytest.mark.parametrize(
    "seconds, words", [(0.2, "1 second."), (1.1, "2 seconds."), (119.0, "119 seconds."), (359.9, "6 minutes.")]
)
def test_the_sentence_says_how_long_to_wait(seconds: float, words: str) -> None:
    assert refused_for(seconds).sentence.endswith(f"Please wait {words}")


def test_limits_that_a_worker_decides_alone_are_on_the_page_of_metrics() -> None:
    counters = Counters()
    assert b"sanfrancisco_limits_unavailable_total 0.0" in Metrics(counters, {}).page()
    counters.count_limits_unavailable()
    assert b"sanfrancisco_limits_unavailable_total 1.0" in Metrics(counters, {}).page()
