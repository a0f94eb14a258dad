"""Coverage-guided fuzzing with atheris: `make fuzz` runs every target for a number of executions.

A target starts from its corpus in the repository. Inputs that reach new code are kept in a temporary folder, unless
`--keep` adds the smallest set of them to the corpus. An input that makes a target raise, or that takes longer than ten
seconds, ends the run; it is written to the folder .fuzz, and belongs into the corpus once the code is mended.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
FAILURES = HERE.parent.parent / ".fuzz"
TIMEOUT_SECONDS = 10
SHARES = {"codec": 0.25, "decoders": 0.1, "patch": 0.3, "prompts": 0.15, "logs": 0.15, "http": 0.05}
"""The part of all executions that each target gets; the slower ones get fewer."""


def fuzz_one(target: str, flags: list[str]) -> None:
    """Fuzz one target in this process, with flags of libFuzzer."""
    import atheris

    with atheris.instrument_imports(include=["protocol", "server", "h11", "json", "websockets", "uvicorn"]):
        from tests.fuzz.targets import TARGETS

    atheris.Setup([sys.argv[0], *flags], TARGETS[target])
    atheris.Fuzz()


def run(target: str, runs: int, seed: int, keep: bool) -> tuple[int, float]:
    """Fuzz a target in a process of its own; return its exit code and the seconds that it took."""
    corpus = CORPUS / target
    corpus.mkdir(parents=True, exist_ok=True)
    FAILURES.mkdir(exist_ok=True)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as found:
        command = [sys.executable, "-m", "tests.fuzz", "--one", target]
        limits = [f"-runs={runs}", f"-seed={seed}", f"-timeout={TIMEOUT_SECONDS}", "-rss_limit_mb=4096"]
        limits.append(f"-artifact_prefix={FAILURES}/{target}-")
        flags = [*limits, "-max_len=4096", "-print_final_stats=1", f"-dict={HERE / 'words.dict'}", found, str(corpus)]
        code = subprocess.run([*command, *flags], check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"}).returncode
        if keep and code == 0:
            with tempfile.TemporaryDirectory(prefix="fuzz-") as merged:
                subprocess.run([*command, "-merge=1", merged, found, str(corpus)], check=True)
                _keep(Path(merged), corpus)
    return code, time.monotonic() - start


def _keep(merged: Path, corpus: Path, most: int = 150) -> None:
    """Replace the corpus by the smallest files of a merged one."""
    for old in corpus.iterdir():
        old.unlink()
    for new in sorted(merged.iterdir(), key=lambda file: (file.stat().st_size, file.name))[:most]:
        (corpus / new.name).write_bytes(new.read_bytes())


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        fuzz_one(sys.argv[2], sys.argv[3:])
        return 0
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("targets", metavar="TARGET", nargs="*", default=list(SHARES), help=", ".join(SHARES))
    parser.add_argument("--runs", type=int, default=10_000_000, help="executions of all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep inputs that reach new code in the corpus")
    arguments = parser.parse_args()
    whole = sum(SHARES[target] for target in arguments.targets)
    failed = []
    for target in arguments.targets:
        runs = round(arguments.runs * SHARES[target] / whole)
        code, seconds = run(target, runs, arguments.seed, arguments.keep)
        print(f"{target}: {runs:,} executions in {seconds:.0f} s, seed {arguments.seed}, exit code {code}", flush=True)
        failed += [target] if code else []
    print(f"failed: {', '.join(failed)}" if failed else "no failure")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
