"""Checks whether a Redis is fit to store tables, and how durable its writes are."""

from __future__ import annotations

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from server.redis_pipeline import CLUSTER, pipeline_from_url, reason, redis_version

from .api import StoreUnusable

MIN_VERSION = (6, 2)

DURABILITIES = ("off", "no", "unverified", "everysec", "always")
"""From the weakest to the strongest."""


class StoreEvicts(StoreUnusable):
    """Redis deletes data when its memory is full."""


async def check_redis(url: str, replicas: int = 0) -> str:
    """Return the durability of acknowledged appends when Redis is killed; of a cluster, that of its weakest master.

    `always`: they are on its disk. `everysec`: the last second may be lost. `no`: the operating system decides. `off`:
    all are lost. `unverified`: Redis does not show its configuration. Raise StoreUnusable, with a sentence for the
    operator, if Redis would lose or refuse appends while it runs, or if a master has fewer connected replicas.
    """
    pipeline = pipeline_from_url(url, StoreUnusable)
    try:
        found = [await _check(client, replicas, is_cluster=CLUSTER in url) for client in await pipeline.clients()]
    finally:
        await pipeline.close()
    return min(found, key=DURABILITIES.index)


async def _check(client: Redis, replicas: int, *, is_cluster: bool) -> str:
    try:
        info = await client.info()
    except (RedisError, OSError, TimeoutError) as error:
        raise StoreUnusable(f"Redis cannot be reached: {reason(error)}.") from error
    if redis_version(info) < MIN_VERSION:
        minimum = ".".join(map(str, MIN_VERSION))
        raise StoreUnusable(f"Redis {info['redis_version']} is too old; {minimum} or newer is needed.")
    if info["role"] != "master":
        raise StoreUnusable("This Redis is a replica and cannot be written to. Use the address of its master.")
    if info["cluster_enabled"] and not is_cluster:
        raise StoreUnusable("This Redis is a node of a cluster. Write its address as redis+cluster://host:port.")
    if info["connected_slaves"] < replicas:
        raise StoreUnusable(
            f"A master has {info['connected_slaves']} connected replicas, and --redis-replicas requires {replicas}."
        )
    config = await _config(client)
    if config is None:
        return "unverified"
    policy = config.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        raise StoreEvicts(
            f"This Redis deletes data when its memory is full (maxmemory-policy {policy}). "
            "Set maxmemory-policy to noeviction."
        )
    return config["appendfsync"] if config["appendonly"] == "yes" else "off"


async def _config(client: Redis) -> dict[str, str] | None:
    """Return the configuration that matters here, or None if Redis refuses CONFIG GET, as managed services often do."""
    found: dict[str, str] = {}
    try:
        for name in ("appendonly", "appendfsync", "maxmemory-policy"):
            found |= {_text(key): _text(value) for key, value in (await client.config_get(name)).items()}
    except ResponseError:
        return None
    return found


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
