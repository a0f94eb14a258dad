"""Automatic pipelining: one connection to Redis for a whole process.

Commands issued while a reply is pending share the next write. They take effect in the order of the calls, and a Redis
with `appendfsync always` syncs its file once for all of them. A cancelled caller does not disturb the others.

In a Redis Cluster there is one connection to each master; a command goes to the master of its key's slot. Behind
Sentinels there is one connection to the master that they name. Nothing is retried here: callers repeat a failed command
if that is safe. After any failure the slot map is loaded again, or the Sentinels are asked again.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from .api import Argument, ErrorFactory, Pipeline, Script, reason, redis_from_url, redis_version
from .cluster import ClusterPipeline
from .connection import open_connection
from .sentinel import SentinelPipeline
from .single import RedisPipeline

__all__ = [
    "CLUSTER",
    "SENTINEL",
    "Argument",
    "Pipeline",
    "Script",
    "open_connection",
    "pipeline_from_url",
    "reason",
    "redis_version",
]

CLUSTER = "+cluster"
"""The suffix of a URL's scheme for a node of a Redis Cluster, as in `redis+cluster://host:7000`."""

SENTINEL = "+sentinel"
"""The suffix of a URL's scheme for Redis Sentinels, as in `redis+sentinel://host:26379,host2:26379/name`."""


def pipeline_from_url(url: str, make_error: ErrorFactory, replicas: int = 0) -> Pipeline:
    """Return the pipeline to the Redis, the cluster, or the master behind the Sentinels at this URL.

    It connects on first use. So many `replicas` of a master must confirm each write before it counts as done.
    """
    scheme = urlsplit(url).scheme
    if scheme.endswith(CLUSTER):
        return ClusterPipeline(url.replace(CLUSTER, "", 1), make_error, replicas)
    if scheme.endswith(SENTINEL):
        return SentinelPipeline(url.replace(SENTINEL, "", 1), make_error, replicas)
    return RedisPipeline(redis_from_url(url), make_error, replicas)
