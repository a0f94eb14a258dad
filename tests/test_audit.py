"""`make audit` with tools that pretend: it fails for vulnerabilities only, and never takes silence for safety."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SAFE = {"name": "starlette", "version": "1.0", "vulns": []}
VULNERABLE = {"name": "h11", "version": "0.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["0.2"]}]}
SKIPPED = {"name": "redis", "skip_reason": "Dependency not found on PyPI and could not be audited"}
NO_WEB: dict[str, Any] = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 9}}}
WEB = {
    "vulnerabilities": {
        "preact": {"severity": "high", "via": [{"url": "https://github.com/advisories/GHSA-1"}]},
        "signals": {"severity": "high", "via": ["preact"]},
    }
}
NO_NPM = "the advisories for web/package-lock.json cannot be reached: 405 Method Not Allowed."


def fake(folder: Path, name: str, report: object, *, to_file: bool) -> None:
    """Write a tool that ends with 1 and prints a report, or writes it to the file after `--output`."""
    content = repr("" if report is None else json.dumps(report))
    write = f"open(sys.argv[sys.argv.index('--output') + 1], 'w').write({content})"
    action = (
        "sys.stderr.write('There is no network.\\n')" if report is None else write if to_file else f"print({content})"
    )
    (folder / name).write_text(f"#!{sys.executable}\nimport sys\n{action}\nsys.exit(1)\n")
    (folder / name).chmod(0o755)


def audit(folder: Path, python: list[Any] | None, web: dict[str, Any] | None) -> tuple[int, list[str]]:
    fake(folder, "pip-audit", None if python is None else {"dependencies": python}, to_file=True)
    fake(folder, "npm", web, to_file=False)
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    command = [sys.executable, ROOT / ".make/audit"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.returncode, [line.removeprefix("audit: ") for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "python, web, code, sentences",
    [
        ([SAFE], NO_WEB, 0, ["no known vulnerability in 1 packages of requirements.lock.",
                             "no known vulnerability in 9 packages of web/package-lock.json."]),
        ([SAFE, VULNERABLE, SKIPPED], NO_WEB, 1, [
            "1 known vulnerability in 2 packages of requirements.lock; 1 more could not be looked up.",
            "no known vulnerability in 9 packages of web/package-lock.json.",
            "h11 0.1: PYSEC-1, fixed in 0.2."]),
        ([SAFE], WEB, 1, ["no known vulnerability in 1 packages of requirements.lock.",
                          "2 known vulnerabilities in 0 packages of web/package-lock.json.",
                          "preact (high): https://github.com/advisories/GHSA-1.", "signals (high): preact."]),
        ([SKIPPED], {"message": "405 Method Not Allowed", "error": {}}, 0, [
            "the advisories for requirements.lock cannot be reached: the package index has none for any of them.",
            NO_NPM]),
        (None, None, 0, ["the advisories for requirements.lock cannot be reached: There is no network.",
                         "the advisories for web/package-lock.json cannot be reached: There is no network."]),
    ],
)  # fmt: skip
def test_vulnerabilities_are_told_from_advisories_that_cannot_be_reached(
    tmp_path: Path, python: list[Any] | None, web: dict[str, Any] | None, code: int, sentences: list[str]
) -> None:
    assert audit(tmp_path, python, web) == (code, sentences)
