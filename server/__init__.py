"""The server of San Francisco Tables: rules, tables, storage, connections, and the app that joins them.

Every package below is a layer that may import only some of the others; ARCHITECTURE.md has the table, and
tests/test_layers.py checks it.
"""


def version() -> str:
    """Return the version of the installed package, or "unknown" for a checkout that is not installed."""
    from importlib import metadata

    try:
        return metadata.version("sanfrancisco-tables")
    except metadata.PackageNotFoundError:
        return "unknown"
