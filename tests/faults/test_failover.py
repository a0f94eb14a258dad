"""Masters of Redis that are killed during games: a promoted replica has every confirmed decision.

The number of kills comes from the environment variable FAILOVERS: one in the normal tests, more with `make chaos`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

from tests.faults.failover import FailoverReport, play_while_masters_are_killed
from tests.faults.kills import check
from tests.scenarios.people import choose_by_number
from tests.store.redis_cluster import RedisCluster
from tests.store.redis_sentinels import RedisSentinels

FAILOVERS = int(os.environ.get("FAILOVERS", "1"))


async def test_games_go_on_when_sentinels_promote_a_replica(tmp_path_factory: pytest.TempPathFactory) -> None:
    sentinels = RedisSentinels()
    await play(tmp_path_factory, sentinels, lambda rng: sentinels.kill_master())


async def test_games_go_on_when_a_cluster_promotes_a_replica(tmp_path_factory: pytest.TempPathFactory) -> None:
    cluster = RedisCluster(replicas=True)
    await play(tmp_path_factory, cluster, lambda rng: cluster.kill_master(rng.choice(cluster.masters)))


async def play(
    folders: pytest.TempPathFactory,
    redis: RedisSentinels | RedisCluster,
    kill_master: Callable[[random.Random], None],
) -> None:
    """Play games until so many masters were killed, and check every game."""
    try:
        redis.start()
        kills = 0
        while kills < FAILOVERS:
            redis.wait_for_replicas()
            report, played = await play_while_masters_are_killed(
                folders.mktemp("failover"), redis.url, kill_master, redis.wait_for_replicas, FAILOVERS - kills
            )
            kills += report.kills
            show(type(redis).__name__, kills, report)
            for number, (state, steps) in enumerate(played):
                check(state, steps, report.accepted[state.id], choose_by_number(number))
            assert report.kills > 0
    finally:
        redis.remove()


def show(name: str, kills: int, report: FailoverReport) -> None:
    waits = " ".join(f"{seconds:.1f}" for seconds in sorted(report.seconds))
    print(  # noqa: T201 - output of the long run
        f"{name}: {kills} masters killed so far; in these games {report.reconnects} reconnects, "
        f"{report.accepted.total()} decisions accepted, seconds to the next decision: {waits}"
    )
