"""Throttles, tallies and the keys they count by."""

import pytest

from server.gateway.limits import (
    FREE,
    ConcurrencyLimit,
    Limits,
    Rate,
    Throttle,
    Throttles,
    address_key,
    waiting_sentence,
)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def allowed(throttle: Throttle, key: str, tries: int) -> int:
    return sum(throttle.take(key) == FREE for _ in range(tries))


def test_a_burst_is_allowed_and_no_more(clock: Clock) -> None:
    throttle = Throttle(Rate(60, 20, burst=20), clock)
    assert allowed(throttle, "ann", 100) == 20


def test_the_average_holds_however_long_one_goes_on(clock: Clock) -> None:
    throttle = Throttle(Rate(60, 20, burst=20), clock)
    taken = 0
    for _ in range(2_000):
        taken += allowed(throttle, "ann", 5)
        clock.now += 0.1
    assert 20 + 600 - 2 <= taken <= 20 + 600


def test_the_waiting_time_is_enough_and_not_longer_than_needed(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 0.6, burst=2), clock)
    assert allowed(throttle, "ann", 2) == 2
    wait = throttle.take("ann")
    assert wait == pytest.approx(0.6)
    clock.now += wait - 0.01
    assert throttle.take("ann") != FREE
    clock.now += 0.01
    assert throttle.take("ann") == FREE


def test_being_refused_costs_nothing(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 10, burst=1), clock)
    throttle.take("ann")
    assert len({throttle.take("ann") for _ in range(50)}) == 1


def test_one_key_does_not_pay_for_another(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 10, burst=1), clock)
    assert throttle.take("ann") == FREE
    assert throttle.take("bob") == FREE


def test_memory_is_bounded_and_those_who_have_paid_are_forgotten_first(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 10, burst=2), clock, most_keys=100)
    for number in range(60):
        throttle.take(f"early {number}")
    clock.now += 11
    for number in range(40):
        throttle.take(f"late {number}")
        throttle.take(f"late {number}")
    throttle.take("newcomer")
    assert len(throttle) == 41
    assert throttle.take("late 0") != FREE


def test_memory_is_bounded_even_if_nobody_has_paid(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 3_600, burst=1), clock, most_keys=100)
    for number in range(10_000):
        assert throttle.take(f"address {number}") == FREE
        assert len(throttle) <= 100


@pytest.mark.parametrize("count, seconds, burst", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, -1, 1)])
def test_a_rate_that_allows_nothing_is_a_mistake(count: int, seconds: float, burst: int) -> None:
    with pytest.raises(ValueError, match="rate"):
        Rate(count, seconds, burst)


def test_a_tally_gives_back_and_forgets() -> None:
    tally = ConcurrencyLimit(2)
    assert tally.take("ann")
    assert tally.take("ann")
    assert not tally.take("ann")
    assert tally.take("bob")
    tally.give_back("ann")
    assert tally.take("ann")
    for key in ("ann", "ann", "bob"):
        tally.give_back(key)
    assert len(tally) == 0


def test_every_rate_has_its_throttle(clock: Clock) -> None:
    limits = Limits()
    throttles = Throttles(limits, clock)
    rates = {name: value for name in Limits.__slots__ if isinstance(value := getattr(limits, name), Rate)}
    assert {name: throttle.rate for name, throttle in vars(throttles).items()} == rates


@pytest.mark.parametrize(
    "host, key",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::"),
        ("unix", "unix"),
    ],
)
def test_an_address_is_counted_by_its_network(host: str, key: str) -> None:
    assert address_key(host) == key


@pytest.mark.parametrize(
    "seconds, words", [(0.2, "1 second."), (1.1, "2 seconds."), (119.0, "119 seconds."), (359.9, "6 minutes.")]
)
def test_the_sentence_says_how_long_to_wait(seconds: float, words: str) -> None:
    assert waiting_sentence(seconds).endswith(f"Please wait {words}")
