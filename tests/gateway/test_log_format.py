"""Log lines are JSON and contain no secrets."""

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
    log = logging.getLogger("tests.log_format")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    yield stream
    log.removeHandler(handler)


def only(out: io.StringIO) -> dict[str, Any]:
    [line] = out.getvalue().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_has_a_constant_event_and_fields(out: io.StringIO) -> None:
    logging.getLogger("tests.log_format").info("connection closed", extra={"code": 1000, "list": ["a"]})
    line = only(out)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "event": "connection closed",
        "from": "tests.log_format",
        "code": 1000,
        "list": "['a']",
    }


def test_a_record_with_line_breaks_stays_one_line(out: io.StringIO) -> None:
    logging.getLogger("tests.log_format").info("x\nsecret", extra={"other": "\u2028\r\n"})
    assert only(out)["event"] == "x"
    assert "secret" not in out.getvalue()


def test_an_exception_is_logged_by_type_and_place_only(out: io.StringIO) -> None:
    try:
        try:
            raise KeyError("secret one")
        except KeyError as error:
            raise ValueError("secret two") from error
    except ValueError:
        logging.getLogger("tests.log_format").exception("request failed")
    line = only(out)
    assert line["error"] == "ValueError from KeyError"
    assert "test_an_exception" in line["places"][-1]
    assert "secret" not in out.getvalue()


def test_libraries_do_not_log_requested_urls(monkeypatch: pytest.MonkeyPatch) -> None:
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
