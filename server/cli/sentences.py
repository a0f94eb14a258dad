"""Parts of the sentences that commands print."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, as in "1 table" and "2,000 tables". The last word of the noun gets the plural."""
    plural = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"
