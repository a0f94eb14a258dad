"""What the gateway counts, and how `/metrics` shows it.

Counting is plain addition, since it happens on every request; only when somebody asks do the numbers become metrics.
No label holds anything that a client chose: no name, no table, no text.
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


class Counts:
    """Everything that is only ever added to."""

    __slots__ = ("closed", "dropped", "handshakes_refused", "limited", "opened", "refused", "requests")

    def __init__(self) -> None:
        self.opened = 0
        self.dropped = 0
        """Frames that a slow reader did not get."""

        self.closed: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.limited: Counter[str] = Counter()
        self.handshakes_refused: Counter[str] = Counter()

    def count_closed(self, code: int) -> None:
        self.closed[str(int(code)) if code in _CLOSE_CODES else "other"] += 1


class CountsCollector(Collector):
    """Shows counts, and numbers that go up and down, as metrics."""

    def __init__(self, counts: Counts, gauges: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        self._counts = counts
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        counts = self._counts
        for name, (help_text, read) in self._gauges.items():
            yield GaugeMetricFamily(PREFIX + name, help_text, value=read())
        yield CounterMetricFamily(PREFIX + "connections_opened", "Websockets that were opened.", value=counts.opened)
        yield CounterMetricFamily(PREFIX + "frames_dropped", "Frames too many for slow readers.", value=counts.dropped)
        yield _by(counts.closed, "connections_closed", "Websockets that ended, by close code.", "code")
        yield _by(counts.requests, "requests", "Requests, by kind.", "type")
        yield _by(counts.refused, "refusals", "Requests that were refused, by code.", "code")
        yield _by(counts.limited, "limited", "Requests beyond a limit, by limit.", "limit")
        yield _by(counts.handshakes_refused, "handshakes_refused", "Connections not let in, by reason.", "reason")


def _by(counter: Counter[str], name: str, help_text: str, label: str) -> CounterMetricFamily:
    family = CounterMetricFamily(PREFIX + name, help_text, labels=[label])
    for value, count in sorted(counter.items()):
        family.add_metric([value], count)
    return family


class Metrics:
    """The page `/metrics`, with a registry of its own, and the delay of the event loop."""

    def __init__(self, counts: Counts, gauges: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(CountsCollector(counts, gauges))
        self._lag = Histogram(
            PREFIX + "loop_lag_seconds",
            "How late the event loop is.",
            buckets=_LAG_BUCKETS,
            registry=self._registry,
        )

    def page(self) -> bytes:
        """Give all metrics as text."""
        return generate_latest(self._registry)

    async def watch_loop(self) -> None:
        """Measure how late the event loop is, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_INTERVAL
            await asyncio.sleep(_LAG_INTERVAL)
            self._lag.observe(max(0.0, loop.time() - due))
