"""A parser of PROTOCOL.md: its examples, its tables, and its sequences.

To run the sequences on a live server: `sequences` returns the steps, `filled` a message to send, and `meet` compares a
received message.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parent.parent.parent / "protocol" / "PROTOCOL.md"

Values = dict[str, Any]
"""The value of each placeholder."""


@cache
def text() -> str:
    return DOCUMENT.read_text("utf-8")


def examples(tag: str) -> list[tuple[str, str]]:
    """Return the name and the content of every JSON block with this tag, in order."""
    return re.findall(rf"<!-- {tag}: (.+?) -->\n```json\n(.*?)```", text(), re.DOTALL)


def messages(tag: str) -> list[tuple[str, dict[str, Any]]]:
    """Return all examples of requests or of replies, each with its expected type."""
    return [(name, json.loads(block)) for name, block in examples(tag)]


def sequences() -> dict[str, list[list[Any]]]:
    """Return the steps of every sequence by its name."""
    return {name: [json.loads(line) for line in block.splitlines()] for name, block in examples("sequence")}


def table(heading: str) -> list[list[str]]:
    """Return the rows, without the header, of the table whose header begins with this."""
    head = re.search(rf"^\| {re.escape(heading)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text(), re.MULTILINE)
    assert head is not None, f"there is no table {heading}"
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in head[1].splitlines()]


def placeholders() -> Values:
    """Return the value of each placeholder for tests without a server."""
    return {name: json.loads(value) for name, value in table("Placeholder")}


def is_placeholder(shown: Any) -> bool:
    return isinstance(shown, str) and shown.startswith("$")


def filled(shown: Any, values: Values) -> Any:
    """Return the example with the values in place of all placeholders."""
    if is_placeholder(shown):
        return values[shown]
    if isinstance(shown, dict):
        return {key: filled(part, values) for key, part in shown.items()}
    if isinstance(shown, list):
        return [filled(part, values) for part in shown]
    return shown


def meet(shown: Any, came: Any, values: Values) -> Values | None:
    """Return the values after a match of the example with what arrived; None if they do not match.

    An object may have more fields than the example. A placeholder without a value takes the one that arrived.
    """
    if is_placeholder(shown):
        return {**values, shown: came} if values.get(shown, came) == came else None
    if isinstance(shown, dict) and isinstance(came, dict) and shown.keys() <= came.keys():
        pairs = [(part, came[key]) for key, part in shown.items()]
    elif isinstance(shown, list) and isinstance(came, list) and len(shown) == len(came):
        pairs = list(zip(shown, came, strict=True))
    else:
        return values if type(shown) is type(came) and shown == came else None
    for part, arrived in pairs:
        met = meet(part, arrived, values)
        if met is None:
            return None
        values = met
    return values
