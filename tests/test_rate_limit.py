"""Rate limits: bursts, averages, waiting times and bounded memory."""

import pytest

from server.rate_limit import FIRST_EVICTION, FREE, Rate, RateLimiter, Throttle


class Clock:
    """A clock that a test sets."""

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


def test_the_average_holds_in_the_long_run(clock: Clock) -> None:
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


def test_a_refused_request_does_not_extend_the_wait(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 10, burst=1), clock)
    throttle.take("ann")
    assert len({throttle.take("ann") for _ in range(50)}) == 1


def test_keys_are_limited_independently(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 10, burst=1), clock)
    assert throttle.take("ann") == FREE
    assert throttle.take("bob") == FREE


def test_keys_without_debt_are_evicted_first(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 10, burst=2), clock, max_keys=100)
    for number in range(60):
        throttle.take(f"early {number}")
    clock.now += 11
    for number in range(40):
        throttle.take(f"late {number}")
        throttle.take(f"late {number}")
    throttle.take("newcomer")
    assert len(throttle) == 41
    assert throttle.take("late 0") != FREE


def test_keys_that_have_paid_are_evicted_long_before_the_maximum(clock: Clock) -> None:
    throttle = Throttle(Rate(60, 20, burst=20), clock)
    for number in range(20_000):
        throttle.take(f"user {number}")
        clock.now += 1
        assert len(throttle) <= FIRST_EVICTION


def test_keys_in_debt_are_kept_up_to_the_maximum(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 3_600, burst=1), clock)
    keys = [f"address {number}" for number in range(5 * FIRST_EVICTION)]
    assert all(throttle.take(key) == FREE for key in keys)
    assert len(throttle) == len(keys)
    assert not any(throttle.take(key) == FREE for key in keys)


def test_memory_is_bounded_even_if_every_key_is_in_debt(clock: Clock) -> None:
    throttle = Throttle(Rate(1, 3_600, burst=1), clock, max_keys=100)
    for number in range(10_000):
        assert throttle.take(f"address {number}") == FREE
        assert len(throttle) <= 100


@pytest.mark.parametrize("count, seconds, burst", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, -1, 1)])
def test_a_rate_that_allows_nothing_is_an_error(count: int, seconds: float, burst: int) -> None:
    with pytest.raises(ValueError, match="rate"):
        Rate(count, seconds, burst)


def test_a_limiter_with_a_single_key_grants_the_same_as_a_throttle(clock: Clock) -> None:
    rate = Rate(5, 1, burst=3)
    limiter, throttle = RateLimiter(rate, clock), Throttle(rate, clock)
    for _ in range(200):
        assert limiter.take() == throttle.take("ann")
        clock.now += 0.09


def test_a_clock_that_is_set_back_costs_one_interval_at_most(clock: Clock) -> None:
    limiter = RateLimiter(Rate(1, 10, burst=3), clock)
    while limiter.take() == FREE:
        pass
    clock.now -= 3_600
    assert limiter.take() <= 10
    clock.now += 10
    assert limiter.take() == FREE
