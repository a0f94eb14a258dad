"""The measurement beside hostile spectators runs; its figures depend on the machine, so they are not tested."""

from __future__ import annotations

import subprocess
import sys

from tests.gateway.process import ROOT


def test_the_decisions_of_players_are_measured_alone_and_under_attack() -> None:
    arguments = ["--seconds=0.5", "--spectators=2", "--lines=2", "--only=everything"]
    module = [sys.executable, "-m", "tests.faults.hostile_spectators"]
    output = subprocess.run([*module, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert output.returncode == 0, output.stderr
    heading, *rows = output.stdout.splitlines()
    assert heading.split()[:2] == ["attack", "decisions"]
    assert [(row.split()[0], int(row.split()[1]) > 0) for row in rows] == [("none", True), ("everything", True)]
