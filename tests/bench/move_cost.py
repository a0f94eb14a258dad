"""The CPU of a move in memory, without sockets, of this tree against another: `python -m tests.bench.move_cost TREE`.

Every change on the path of a move is measured with it before it is kept. The trees take turns, since a shared machine
is easily off by a factor of two; the figure that counts is the ratio within a round.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.bench.measurement import Report, Spread, on_one_core, turns

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
GAMES = ("marks", "investors")
SPECTATORS = (0, 16)
TABLES = 20
MOVES = 1_000
"""Moves of all tables together in a round: too few for a game to end."""


class Player:
    """A process that plays moves with the code of one tree."""

    def __init__(self, tree: Path, game: str, *numbers: int) -> None:
        command = [sys.executable, "-P", str(HERE / "move_cost_worker.py"), game, *map(str, numbers)]
        environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self) -> float:
        """Return the microseconds of CPU for a move."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        played, seconds = json.loads(self._process.stdout.readline())
        return float(1e6 * seconds / played)

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def measure(old: Path, games: tuple[str, ...], spectators: tuple[int, ...], rounds: int, moves: int) -> Report:
    report = Report("CPU of a move in memory", rows=[["", "old", "new", "old by new"]])
    with on_one_core() as pinning:
        for game in games:
            for count in spectators:
                with ExitStack() as stack:
                    trees = {"old": old, "new": ROOT}
                    players = {
                        name: stack.enter_context(Player(tree, game, count, TABLES, moves))
                        for name, tree in trees.items()
                    }
                    spent: dict[str, list[float]] = {name: [] for name in players}
                    for _, name in turns(players, rounds):
                        spent[name].append(players[name].play())
                _add(report, f"{game}, {count} spectators", spent)
    report.notes.append(pinning)
    return report


def _add(report: Report, name: str, spent: dict[str, list[float]]) -> None:
    ratio = Spread.of([old / new for old, new in zip(spent["old"], spent["new"], strict=True)])
    old, new = (Spread.of(spent[tree]).median for tree in ("old", "new"))
    shown = f"{ratio.median:.3f} ({ratio.least:.3f} to {ratio.most:.3f})"
    report.rows.append([name, f"{old:.1f} µs", f"{new:.1f} µs", shown])
    report.figures[name] = {"old": old, "new": new, "ratio": ratio.to_json()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.move_cost", description=__doc__.partition("\n")[0])
    parser.add_argument("old", metavar="TREE", type=Path, help="the folder of another version, such as a git worktree")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--spectators", nargs="+", type=int, default=SPECTATORS)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--moves", type=int, default=MOVES, help="moves of each tree in a round")
    arguments = parser.parse_args()
    spectators = tuple(arguments.spectators)
    print(
        measure(arguments.old.resolve(), tuple(arguments.games), spectators, arguments.rounds, arguments.moves).text()
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
