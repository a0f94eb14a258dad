"""A worker of the coach without a coach: `finds`, `dies`, `is_unfit`, or `waits` until a file exists and then finds."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main(way: str, *files: str) -> int:
    size = len(sys.stdin.buffer.read())
    tell({"done": 3, "of": 7})
    if way == "dies":
        return 3
    if way == "is_unfit":
        tell({"not_analysable": True})
        return 0
    for file in files:
        while not Path(file).exists():
            time.sleep(0.01)
    tell({"findings": {"log_bytes": size}})
    return 0


def tell(line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
