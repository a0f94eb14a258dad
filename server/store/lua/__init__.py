"""The Lua scripts of the store in Redis, each joined from the prelude, shared functions and the script itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from server.redis_pipeline import Script

TimeSource = Callable[[], str]
"""Returns the time argument of a script; empty to use the clock of Redis."""


def script(*files: str, is_read_only: bool = False) -> Script:
    """Return the script made of the prelude and these files."""
    folder = Path(__file__).parent
    text = "\n".join((folder / f"{file}.lua").read_text("utf-8") for file in ("prelude", *files))
    return Script(text, is_read_only=is_read_only)
