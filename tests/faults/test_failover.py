"""Masters of Redis that are killed during games: a promoted replica has every confirmed decision.

The number of kills comes from the environment variable FAILOVERS: one in the normal tests, more with `make chaos`.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.faults.failover import FailoverReport, play_while_masters_are_killed
from tests.faults.kills import check
from tests.scenarios.people import choose_by_number
from tests.store.redis_cluster import RedisCluster
from tests.store.redis_sentinels import RedisSentinels

FAILOVERS = int(os.environ.get("FAILOVERS", "1"))


def print_report(name: str, kills: int, report: FailoverReport) -> None:
    waits = " ".join(f"{seconds:.1f}" for seconds in sorted(report.seconds))
    print(  # noqa: T201 - output of the long run
        f"{name}: {kills} masters killed so far; in these games {report.reconnects} reconnects, "
        f"{report.accepted.total()} decisions accepted, seconds to the next decision: {waits}"
    )


async def test_games_go_on_when_sentinels_promote_a_replica(tmp_path_factory: pytest.TempPathFactory) -> None:
    sentinels = RedisSentinels()
    try:
        sentinels.start()
        kills = 0
        while kills < FAILOVERS:
            folder: Path = tmp_path_factory.mktemp("failover")
            sentinels.wait_for_replicas()
            report, played = await play_while_masters_are_killed(
                folder,
                sentinels.url,
                lambda rng: sentinels.kill_master(),
                sentinels.wait_for_replicas,
                FAILOVERS - kills,
            )
            kills += report.kills
            print_report("Sentinels", kills, report)
            for number, (state, steps) in enumerate(played):
                check(state, steps, report.accepted[state.id], choose_by_number(number))
            assert report.kills > 0
    finally:
        sentinels.remove()


async def test_games_go_on_when_a_cluster_promotes_a_replica(tmp_path_factory: pytest.TempPathFactory) -> None:
    cluster = RedisCluster(replicas=True)

    def kill_one(rng: random.Random) -> None:
        cluster.kill_master(rng.choice(cluster.masters))

    try:
        cluster.start()
        kills = 0
        while kills < FAILOVERS:
            folder: Path = tmp_path_factory.mktemp("failover")
            cluster.wait_for_replicas()
            report, played = await play_while_masters_are_killed(
                folder, cluster.url, kill_one, cluster.wait_for_replicas, FAILOVERS - kills
            )
            kills += report.kills
            print_report("Cluster", kills, report)
            for number, (state, steps) in enumerate(played):
                check(state, steps, report.accepted[state.id], choose_by_number(number))
            assert report.kills > 0
    finally:
        cluster.remove()
