"""Shorthands for assertions on replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.model import Done, Refused, Reply


def code_of(reply: Reply) -> str | None:
    """Return the code of a refusal, or None for a request that was accepted."""
    return reply.code if isinstance(reply, Refused) else None


def result_of(reply: Reply) -> Mapping[str, Any]:
    """Return the result of a request, which must have been accepted."""
    assert isinstance(reply, Done), reply
    return reply.result
