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

    # Who is equal to whom does not depend on these. Only the gateway needs them, and only from the session; users of
    # earlier versions have neither, and count as old friends.
    created: int = field(default=0, compare=False, kw_only=True)
    """When the user was created, in seconds since 1970; 0 if that is unknown."""

    handle: str | None = field(default=None, compare=False, kw_only=True)
    """The unique name of the user's account; None for guests."""

    has_played: bool = field(default=True, compare=False, kw_only=True)
    """Whether the user has ever made a decision in a game."""

    language: str | None = field(default=None, compare=False, kw_only=True)
    """The language that the user has chosen for pages; None if they have not chosen one."""


@dataclass(frozen=True, slots=True)
class Done:
    """A "yes" to one request. The request has taken effect; `result` is what its sender learns from it."""

    result: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refused:
    """A "no" to one request: a code for programs and a sentence for people. The request has changed nothing.

    A client that speaks another language has its own sentence for each code and variant, into which it puts the values.
    """

    code: str
    sentence: str
    variant: str = ""
    """Which of several sentences of the code it is; empty for the default one."""

    values: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    """What varies in the sentence, by name; `count` is the number that decides between singular and plural."""


Reply = Done | Refused
"""The one reply to a request. It does not name the request, since its sender knows which one it sent."""
