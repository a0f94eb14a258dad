"""The values that every layer knows: who acts, and what a request is answered with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class User:
    """A person, or a program, with an identity."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A "no" to one request: a code for programs and a sentence for people. Nothing has changed."""

    code: str
    sentence: str
