"""The counters of the gateway, and the page `/metrics`.

Counting is plain addition, since it happens on every request; the numbers become metrics only when the page is read. No
label holds anything that a client chose: no name, no table, no text.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from protocol.codes import Close

PREFIX = "sanfrancisco_"
_LAG_INTERVAL = 0.25
_LAG_BUCKETS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_CLOSE_CODES = frozenset({1000, 1001, 1002, 1005, 1006, *Close})


class Counters:
    """The counters of the gateway; they only ever grow."""

    __slots__ = (
        "closed",
        "dropped",
        "handshakes_refused",
        "limited",
        "limits_unavailable",
        "opened",
        "refused",
        "requests",
    )

    def __init__(self) -> None:
        self.opened = 0
        self.dropped = 0
        """Frames that were dropped because their reader was too slow."""

        self.limits_unavailable = 0
        """Shared limits that this worker decided alone, since Redis did not answer."""

        self.closed: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.limited: Counter[str] = Counter()
        self.handshakes_refused: Counter[str] = Counter()

    def count_limits_unavailable(self) -> None:
        self.limits_unavailable += 1

    def count_closed(self, code: int) -> None:
        """Count a closed connection. The peer chooses its code, so only known codes become labels."""
        self.closed[str(int(code)) if code in _CLOSE_CODES else "other"] += 1


class GatewayCollector(Collector):
    """A Prometheus collector of counters and gauges."""

    def __init__(self, counters: Counters, gauges: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        self._counters = counters
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        counters = self._counters
        for name, (help_text, read) in self._gauges.items():
            yield GaugeMetricFamily(PREFIX + name, help_text, value=read())
        yield CounterMetricFamily(PREFIX + "connections_opened", "Opened websockets.", value=counters.opened)
        yield CounterMetricFamily(PREFIX + "frames_dropped", "Frames dropped for slow readers.", value=counters.dropped)
        yield _labelled(counters.closed, "connections_closed", "Closed websockets, by close code.", "code")
        yield _labelled(counters.requests, "requests", "Requests, by type.", "type")
        yield _labelled(counters.refused, "refusals", "Refused requests, by code.", "code")
        yield _labelled(counters.limited, "limited", "Requests beyond a limit, by limit.", "limit")
        yield CounterMetricFamily(
            PREFIX + "limits_unavailable",
            "Shared limits decided by one worker alone.",
            value=counters.limits_unavailable,
        )
        yield _labelled(counters.handshakes_refused, "handshakes_refused", "Refused handshakes, by reason.", "reason")


def _labelled(counter: Counter[str], name: str, help_text: str, label: str) -> CounterMetricFamily:
    family = CounterMetricFamily(PREFIX + name, help_text, labels=[label])
    for value, count in sorted(counter.items()):
        family.add_metric([value], count)
    return family


class Metrics:
    """The page `/metrics`, with a registry of its own, and the lag of the event loop."""

    def __init__(self, counters: Counters, gauges: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(GatewayCollector(counters, gauges))
        self._lag = Histogram(
            PREFIX + "loop_lag_seconds",
            "Lag of the event loop.",
            buckets=_LAG_BUCKETS,
            registry=self._registry,
        )

    def page(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self._registry)

    async def measure_lag(self) -> None:
        """Measure the lag of the event loop until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_INTERVAL
            await asyncio.sleep(_LAG_INTERVAL)
            self._lag.observe(max(0.0, loop.time() - due))
