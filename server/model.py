"""Values that every layer knows: users, and the replies to their requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class User:
    """A person, or a program, with an identity."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Done:
    """A "yes" to one request. The request has taken effect; `result` is what its sender learns from it."""

    result: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refused:
    """A "no" to one request: a code for programs and a sentence for people. The request has changed nothing."""

    code: str
    sentence: str


Reply = Done | Refused
"""The one reply to a request. It does not name the request, since its sender knows which one it sent."""
