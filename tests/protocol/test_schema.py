"""The JSON Schema for clients agrees with the models."""

from __future__ import annotations

from protocol.schema import SCHEMA_FILE, schema, schema_text


def test_the_schema_file_is_current() -> None:
    assert SCHEMA_FILE.read_text("utf-8") == schema_text(), "Run `python -m protocol.schema` and commit schema.json."


def test_the_schema_knows_every_message_of_both_directions() -> None:
    definitions = schema()["$defs"]
    for way, name in (("request", "Decide"), ("request", "PlayAgain"), ("reply", "RefusedMessage"), ("reply", "View")):
        assert {"$ref": f"#/$defs/{name}"} in definitions[way]["oneOf"]
    assert definitions["Decide"]["properties"]["type"] == {"const": "decide", "title": "Type", "type": "string"}
    assert definitions["Decide"]["description"].startswith("Answer the open decision")
