"""A line of the log is JSON, and keeps secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from server.gateway.log_format import JsonLines, start_logging


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    log = logging.getLogger("tests.log_lines")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    yield stream
    log.removeHandler(handler)


def only(out: io.StringIO) -> dict[str, Any]:
    [line] = out.getvalue().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_says_what_happened_and_the_rest_in_fields(out: io.StringIO) -> None:
    logging.getLogger("tests.log_lines").info("connection closed", extra={"code": 1000, "list": ["a"]})
    line = only(out)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "event": "connection closed",
        "from": "tests.log_lines",
        "code": 1000,
        "list": "['a']",
    }


def test_a_line_stays_one_line(out: io.StringIO) -> None:
    logging.getLogger("tests.log_lines").info("x\nsecret", extra={"other": "\u2028\r\n"})
    assert only(out)["event"] == "x"
    assert "secret" not in out.getvalue()


def test_of_an_error_only_the_kind_and_the_places_are_written(out: io.StringIO) -> None:
    try:
        try:
            raise KeyError("secret one")
        except KeyError as error:
            raise ValueError("secret two") from error
    except ValueError:
        logging.getLogger("tests.log_lines").exception("request failed")
    line = only(out)
    assert line["error"] == "ValueError from KeyError"
    assert "test_of_an_error" in line["places"][-1]
    assert "secret" not in out.getvalue()


def test_the_libraries_do_not_write_what_strangers_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", list(root.handlers))
    level = root.level
    stream = io.StringIO()
    try:
        start_logging("debug", stream)
        logging.getLogger("uvicorn.error").warning("GET /?secret")
        logging.getLogger("uvicorn.access").info("GET /?secret")
        logging.getLogger("server.gateway").debug("fine")
    finally:
        root.setLevel(level)
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["fine"]
