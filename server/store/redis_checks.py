"""Whether a Redis can be trusted with tables, and how far."""

from __future__ import annotations

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from server.redis_pipeline import CLUSTER, pipeline_from_url

from .api import StoreUnusable

MIN_VERSION = (6, 2)

WORDS = ("off", "no", "unverified", "everysec", "always")
"""From the weakest to the strongest."""


async def check_redis(url: str) -> str:
    """Give what becomes of acknowledged moves when the Redis is killed: a word for operators, shown as its durability.

    `always`: they are on its disk. `everysec`: the last second may be lost. `no`: as the system pleases. `off`: all is
    lost. `unverified`: it does not say. Of a cluster, what is true of its weakest master. Raises `StoreUnusable`, with
    a sentence, for a Redis that would lose or refuse them while it runs.
    """
    pipeline = pipeline_from_url(url, StoreUnusable)
    try:
        found = [await _check(client, is_cluster=CLUSTER in url) for client in await pipeline.clients()]
    finally:
        await pipeline.close()
    return min(found, key=WORDS.index)


async def _check(client: Redis, *, is_cluster: bool) -> str:
    try:
        info = await client.info()
    except (RedisError, OSError, TimeoutError) as error:
        why = str(error).rstrip(".") or type(error).__name__
        raise StoreUnusable(f"Redis cannot be reached: {why}.") from error
    version = str(info["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < MIN_VERSION:
        raise StoreUnusable(f"Redis {version} is too old: {MIN_VERSION[0]}.{MIN_VERSION[1]} or newer is needed.")
    if info["role"] != "master":
        raise StoreUnusable("This Redis is a replica: it cannot be written to. Give the address of its master.")
    if info["cluster_enabled"] and not is_cluster:
        raise StoreUnusable("This Redis is a node of a cluster. Write its address as redis+cluster://host:port.")
    settings = await _settings(client)
    if settings is None:
        return "unverified"
    policy = settings.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        raise StoreUnusable(
            f"This Redis throws data away when its memory is full (maxmemory-policy {policy}). "
            "Set maxmemory-policy to noeviction."
        )
    return settings["appendfsync"] if settings["appendonly"] == "yes" else "off"


async def _settings(client: Redis) -> dict[str, str] | None:
    """Give what the Redis is told to do, or None where it does not say: managed ones often do not."""
    found: dict[str, str] = {}
    try:
        for name in ("appendonly", "appendfsync", "maxmemory-policy"):
            found |= {_text(key): _text(value) for key, value in (await client.config_get(name)).items()}
    except ResponseError:
        return None
    return found


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
