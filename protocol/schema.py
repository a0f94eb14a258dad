"""The JSON Schema of all messages, for clients in other languages. `python -m protocol.schema` writes the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from protocol.messages import PROTOCOL_VERSION, REPLIES, REQUESTS

SCHEMA_FILE: Final = Path(__file__).with_name("schema.json")


def schema() -> dict[str, Any]:
    """Return the schema of any message; its definitions `request` and `reply` are the two directions."""
    directions, shared = TypeAdapter.json_schemas(
        [("request", "validation", REQUESTS), ("reply", "validation", REPLIES)]
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"San Francisco Tables, version {PROTOCOL_VERSION} of the protocol",
        "anyOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/reply"}],
        "$defs": {direction: found for (direction, _), found in directions.items()} | shared["$defs"],
    }


def schema_text() -> str:
    """Return the content of the schema file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), "utf-8")
