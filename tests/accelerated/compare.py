"""Plays the same games on the accelerated build and from the source, and compares what they produced.

python -m tests.accelerated.compare --games 2 --build .accelerated
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from server.acceleration import FOLDER, PLAIN, VARIABLE

ROOT = Path(__file__).parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, default=FOLDER, help="the folder of the accelerated build")
    parser.add_argument("--games", type=int, default=1, help="games of each setting")
    parser.add_argument("--settings", type=int, default=1000, help="settings of each game")
    args = parser.parse_args()
    command = [sys.executable, "-m", "tests.accelerated.games"]
    command += ["--games", str(args.games), "--settings", str(args.settings)]
    plain, accelerated = (
        subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, VARIABLE: build}, stdout=subprocess.PIPE, encoding="utf-8"
        )
        for build in (PLAIN, str(args.build.absolute()))
    )
    shown, _ = plain.communicate()
    lines, (other, _) = shown.splitlines(), accelerated.communicate()
    if plain.returncode or accelerated.returncode:
        return 1
    differing = [(ours, theirs) for ours, theirs in zip(lines, other.splitlines(), strict=True) if ours != theirs]
    for ours, theirs in differing:
        sys.stdout.write(f"plain:       {ours}\naccelerated: {theirs}\n")
    sys.stdout.write(f"{len(lines) - len(differing)} of {len(lines)} games are the same on both builds\n")
    return 1 if differing or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
