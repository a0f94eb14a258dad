"""The scripts of the store in Redis. Each stands behind what it shares with others, and all behind the prelude."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from server.redis_pipeline import Script

TimeSource = Callable[[], str]
"""Gives the time to send along; empty for the time of Redis itself."""


def script(*files: str) -> Script:
    """Give the script that these files make together."""
    folder = Path(__file__).parent
    return Script("\n".join((folder / f"{file}.lua").read_text("utf-8") for file in ("prelude", *files)))
