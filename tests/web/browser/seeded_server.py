"""The server with the same random bytes for its tables in every run, so that tests meet the same games."""

from __future__ import annotations

import hashlib
import itertools
import secrets
import sys
from types import SimpleNamespace

from server.cli import main
from server.tables import registry

_counter = itertools.count()


def token_bytes(size: int) -> bytes:
    """Return the next bytes of a fixed sequence."""
    return hashlib.shake_256(str(next(_counter)).encode()).digest(size)


if __name__ == "__main__":
    registry.secrets = SimpleNamespace(token_bytes=token_bytes, token_hex=secrets.token_hex)  # type: ignore[assignment]
    sys.exit(main())
