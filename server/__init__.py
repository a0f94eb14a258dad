"""The server of San Francisco Tables: rules, tables, storage, connections, and the app that joins them.

Every package below is a layer that may import only some of the others; ARCHITECTURE.md has the table, and
tests/test_layers.py checks it.
"""

from typing import Final

from server.acceleration import Build, use_build

# Before any module is imported of which there could be an accelerated version.
BUILD: Final[Build] = use_build()


def version() -> str:
    """Return the version of the installed package, or "unknown" for a checkout that is not installed."""
    from importlib import metadata

    try:
        return metadata.version("sanfrancisco-tables")
    except metadata.PackageNotFoundError:
        return "unknown"
