"""Findings of both verifiers: the one in Python, and the one in JavaScript, which runs in Node here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from server.fairness.findings import Finding
from tests.web.node import run_node

Evidence = Mapping[str, Any]

NO_EVIDENCE: Evidence = {}


def found_by_node(
    transcripts: Sequence[Mapping[str, Any]], folder: Path, evidence: Sequence[Evidence] | None = None
) -> list[list[Finding]]:
    """Return the findings of JavaScript in each of the transcripts."""
    file = folder / "transcripts"
    own = evidence or [NO_EVIDENCE] * len(transcripts)
    pairs = zip(transcripts, own, strict=True)
    file.write_text("".join(json.dumps({"transcript": each, "own": kept}) + "\n" for each, kept in pairs))
    output = run_node("node", "../tests/fairness/findings.mjs", str(file))
    return [[Finding(**finding) for finding in json.loads(line)] for line in output.splitlines()]


def comparable(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that both verifiers must have alike: all but those about the rules."""
    return [finding for finding in findings if finding.check != "rules"]


def wrong_keys(findings: Sequence[Finding]) -> list[str]:
    """Return the keys of what is wrong."""
    return [finding.key for finding in findings if finding.ok is False]
