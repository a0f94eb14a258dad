"""The counters of the gateway, and the page `/metrics` of the operator's port.

Counting is plain addition, since it happens on every request; the numbers become metrics only when the page is read. No
label holds anything that a client chose: no name, no table, no text.

A reader of the page may be a player, for example where a club publishes its charts. Two rules keep sealed answers
secret. Requests within a game are sampled: each adds `SAMPLE` to one counter with a probability of one in `SAMPLE`. So
the counter is right on average, and a single answer, or its change, hardly ever moves it, however cleverly somebody
adds requests of their own. And the page is made anew at most every `PAGE_SECONDS`.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from protocol.codes import Close

disable_created_metrics()  # type: ignore[no-untyped-call]

PREFIX = "sanfrancisco_"
_LAG_INTERVAL = 0.25
_LAG_BUCKETS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_CLOSE_CODES = frozenset({1000, 1001, 1002, 1005, 1006, *Close})

SAMPLE: Final = 64
"""A sampled request counts as so many, with a probability of one in so many."""

PAGE_SECONDS: Final = 15.0
"""The page is made anew at most this often."""

SAMPLED_LABEL: Final = "game"

_EXACT_REQUESTS: Final = frozenset({
    "set_name", "set_language", "set_visible", "make_code", "make_token", "forget_devices", "ping", "list_tables",
    "unlist_tables", "create_table", "quick_match", "change_settings", "take_seat", "leave_seat", "add_bot",
    "fill_with_bots", "change_bot", "remove_bot", "kick", "ready", "start",
})  # fmt: skip
"""Types of requests that cannot be part of a running game. All others, also new ones, are sampled."""

_EXACT_REFUSALS: Final = frozenset({
    "malformed", "unknown_request", "too_fast", "busy", "id_reused", "bad_name", "no_such_table", "table_unavailable",
    "storage_failed", "not_host", "already_seated", "seat_taken", "no_free_seat", "no_such_seat", "not_a_bot",
    "not_a_person", "no_such_strength", "no_bots", "no_spectators", "not_everybody_ready", "bad_settings",
    "too_many_tables",
})  # fmt: skip
"""Refusals that are not about an answer in a running game. All others, also new ones, are sampled."""


Gauges = Mapping[str, tuple[str, Callable[[], float]]]
"""The help text of each gauge, and a function that returns its value."""


class Counters:
    """The counters of the gateway; they only ever grow."""

    __slots__ = (
        "_random",
        "closed",
        "dropped",
        "handshakes_refused",
        "http_closed",
        "limited",
        "limits_unavailable",
        "notifications",
        "opened",
        "refused",
        "requests",
    )

    def __init__(self, rng: random.Random | None = None) -> None:
        # From the system: nobody can compute which requests will be sampled.
        self._random = (rng or random.SystemRandom()).random
        self.opened = 0
        self.dropped = 0
        """Frames that were dropped because their reader was too slow; sampled."""

        self.limits_unavailable = 0
        """Shared limits that this worker decided alone, since Redis did not answer."""

        self.closed: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.limited: Counter[str] = Counter()
        self.handshakes_refused: Counter[str] = Counter()
        self.notifications: Counter[tuple[str, str]] = Counter()
        """Messages to people who are away, by kind of contact and outcome; those that were sent are sampled."""

        self.http_closed: Counter[str] = Counter()
        """HTTP connections that were refused or dropped for what they sent, or for how many there were."""

    def count_request(self, kind: str) -> None:
        """Count a request; sample it unless its type is known to have nothing to do with a running game."""
        if kind in _EXACT_REQUESTS:
            self.requests[kind] += 1
        else:
            self.requests[SAMPLED_LABEL] += self._sampled()

    def count_refused(self, code: str) -> None:
        """Count a refusal; sample it unless its code is known to have nothing to do with a running game."""
        if code in _EXACT_REFUSALS:
            self.refused[code] += 1
        else:
            self.refused[SAMPLED_LABEL] += self._sampled()

    def count_dropped(self) -> None:
        """Count a frame that was dropped. It may be the update about a sealed answer, so it is sampled."""
        self.dropped += self._sampled()

    def count_notification(self, kind: str, outcome: str) -> None:
        """Count a message to somebody who is away. One that was sent may show that a sealed answer is missing."""
        self.notifications[kind, outcome] += self._sampled() if outcome == "sent" else 1

    def _sampled(self) -> int:
        return SAMPLE if self._random() * SAMPLE < 1 else 0

    def count_limits_unavailable(self) -> None:
        self.limits_unavailable += 1

    def count_closed(self, code: int) -> None:
        """Count a closed connection. The peer chooses its code, so only known codes become labels."""
        self.closed[str(int(code)) if code in _CLOSE_CODES else "other"] += 1


class GatewayCollector(Collector):
    """A Prometheus collector of counters and gauges."""

    def __init__(self, counters: Counters, gauges: Gauges) -> None:
        self._counters = counters
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        counters = self._counters
        for name, (help_text, read) in self._gauges.items():
            yield GaugeMetricFamily(PREFIX + name, help_text, value=read())
        yield CounterMetricFamily(PREFIX + "connections_opened", "Opened websockets.", value=counters.opened)
        yield CounterMetricFamily(
            PREFIX + "frames_dropped", "Frames dropped for slow readers; sampled.", value=counters.dropped
        )
        yield _labelled(counters.closed, "connections_closed", "Closed websockets, by close code.", "code")
        yield _labelled(counters.requests, "requests", "Requests, by type; those within games are sampled.", "type")
        yield _labelled(
            counters.refused, "refusals", "Refused requests, by code; those within games are sampled.", "code"
        )
        yield _labelled(counters.limited, "limited", "Requests beyond a limit, by limit.", "limit")
        yield CounterMetricFamily(
            PREFIX + "limits_unavailable",
            "Shared limits decided by one worker alone.",
            value=counters.limits_unavailable,
        )
        notifications = CounterMetricFamily(
            PREFIX + "notifications",
            "Messages to people who are away, by contact and outcome; sent ones are sampled.",
            labels=["contact", "outcome"],
        )
        for labels, count in sorted(counters.notifications.items()):
            if count:
                notifications.add_metric(labels, count)
        yield notifications
        yield _labelled(counters.handshakes_refused, "handshakes_refused", "Refused handshakes, by reason.", "reason")
        yield _labelled(
            counters.http_closed, "http_closed", "HTTP connections refused or dropped, by reason.", "reason"
        )


def _labelled(counter: Counter[str], name: str, help_text: str, label: str) -> CounterMetricFamily:
    family = CounterMetricFamily(PREFIX + name, help_text, labels=[label])
    for value, count in sorted(counter.items()):
        # A label that appears with the value 0 would show that something happened.
        if count:
            family.add_metric([value], count)
    return family


class Metrics:
    """The page `/metrics`, with a registry of its own, and the lag of the event loop."""

    def __init__(
        self,
        counters: Counters,
        gauges: Gauges,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._page = b""
        self._made_at = float("-inf")
        self._registry = CollectorRegistry()
        self._registry.register(GatewayCollector(counters, gauges))
        self._lag = Histogram(
            PREFIX + "loop_lag_seconds",
            "Lag of the event loop.",
            buckets=_LAG_BUCKETS,
            registry=self._registry,
        )

    def page(self) -> bytes:
        """Return all metrics in the Prometheus text format, as they were up to `PAGE_SECONDS` ago."""
        if self._clock() - self._made_at >= PAGE_SECONDS:
            self._made_at = self._clock()
            self._page = generate_latest(self._registry)
        return self._page

    async def measure_lag(self) -> None:
        """Measure the lag of the event loop until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_INTERVAL
            await asyncio.sleep(_LAG_INTERVAL)
            self._lag.observe(max(0.0, loop.time() - due))
