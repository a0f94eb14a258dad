"""The server with a minute for each answer of Redis: on a busy machine a worker would decide about limits by itself."""

from __future__ import annotations

import sys

from server.cli import main
from server.store import redis_limits

if __name__ == "__main__":
    redis_limits.REPLY_SECONDS = 60.0  # type: ignore[misc]
    sys.exit(main())
