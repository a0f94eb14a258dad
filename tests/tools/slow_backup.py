"""`python -m tests.tools.slow_backup backup FILE …`: the command with a backup that never comes to its end.

It says so with a file `slow` beside FILE.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from server.cli import main
from server.store import backup


def never_done(_: object, part: Path, give_way: Callable[[], None], __: object) -> None:
    part.with_name("slow").touch()
    while True:
        time.sleep(0.01)
        give_way()


if __name__ == "__main__":
    backup.copy_pages = never_done  # type: ignore[assignment]
    sys.exit(main(sys.argv[1:]))
