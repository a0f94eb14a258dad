"""Names for the bots at a table, so that people can talk about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import sha256
from typing import Final

from server.text.lookalikes import look_alike

NAMES: Final = (
    "Alma",
    "Bruno",
    "Cosmo",
    "Dorrit",
    "Edda",
    "Felix",
    "Greta",
    "Hugo",
    "Ines",
    "Juniper",
    "Kaspar",
    "Lotte",
    "Marlow",
    "Nell",
    "Odette",
    "Pascal",
    "Quill",
    "Rosalind",
    "Silas",
    "Tamsin",
    "Ulla",
    "Vesper",
    "Wren",
    "Yorick",
)
"""More names than seats at any table."""


def bot_names(table: str, taken: Collection[str]) -> Iterator[str]:
    """Return an iterator over names that look like none of those that are taken; the first one depends on the table."""
    first = sha256(table.encode()).digest()[0]
    names = (NAMES[(first + step) % len(NAMES)] for step in range(len(NAMES)))
    return (name for name in names if not any(look_alike(name, other) for other in taken))
