"""PROTOCOL.md as a program reads it: its examples, its tables, and its sequences.

To run the sequences on a live server: `sequences` gives the steps, `filled` what is sent, `meet` judges what comes.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parent.parent.parent / "protocol" / "PROTOCOL.md"

Values = dict[str, Any]
"""What each placeholder stands for."""


@cache
def text() -> str:
    return DOCUMENT.read_text("utf-8")


def examples(tag: str) -> list[tuple[str, str]]:
    """Give the name and the content of every JSON block that carries the tag, in order."""
    return re.findall(rf"<!-- {tag}: (.+?) -->\n```json\n(.*?)```", text(), re.DOTALL)


def messages(tag: str) -> list[tuple[str, dict[str, Any]]]:
    """Give all examples of requests or of replies, each with the type that it is meant to have."""
    return [(name, json.loads(block)) for name, block in examples(tag)]


def sequences() -> dict[str, list[list[Any]]]:
    """Give the steps of every sequence, by its name."""
    return {name: [json.loads(line) for line in block.splitlines()] for name, block in examples("sequence")}


def table(heading: str) -> list[list[str]]:
    """Give the rows, without the head, of the table whose head begins with this."""
    head = re.search(rf"^\| {re.escape(heading)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text(), re.MULTILINE)
    assert head is not None, f"there is no table {heading}"
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in head[1].splitlines()]


def placeholders() -> Values:
    """Give the value that stands for each placeholder where there is no server."""
    return {name: json.loads(value) for name, value in table("Placeholder")}


def is_placeholder(shown: Any) -> bool:
    return isinstance(shown, str) and shown.startswith("$")


def filled(shown: Any, values: Values) -> Any:
    """Give what is shown with the values in place of all placeholders."""
    if is_placeholder(shown):
        return values[shown]
    if isinstance(shown, dict):
        return {key: filled(part, values) for key, part in shown.items()}
    if isinstance(shown, list):
        return [filled(part, values) for part in shown]
    return shown


def meet(shown: Any, came: Any, values: Values) -> Values | None:
    """Give the values after something came that fits what is shown; None if it does not fit.

    An object may hold more than is shown. A placeholder without a value takes the one that came.
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
