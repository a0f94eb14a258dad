"""What a handle may be, and which handles look alike.

A handle is the unique name of an account: 3 to 20 of a–z, 0–9, `_` and `-`, beginning with a letter. Handles are kept
in the store by a key that is the same for all handles that look alike, so that nobody can take one that is mistaken for
another. Typed capitals are lowered.
"""

from __future__ import annotations

import re
from typing import Final

from protocol.codes import REFUSALS
from server.model import Refused
from server.tables.names import refused_name
from server.text.lookalikes import lookalike_keys, reserved_name

_HANDLE: Final = re.compile(r"[a-z][a-z0-9_-]{2,19}")
_TYPED: Final = re.compile(r"[A-Za-z0-9_-]*")

RESERVED: Final = (
    "about",
    "account",
    "accounts",
    "admins",
    "anonymous",
    "anybody",
    "api",
    "everybody",
    "everyone",
    "games",
    "guest",
    "guests",
    "help",
    "home",
    "login",
    "logout",
    "moderation",
    "nobody",
    "null",
    "official",
    "privacy",
    "profile",
    "rankings",
    "replay",
    "root",
    "rules",
    "sanfrancisco",
    "security",
    "settings",
    "signin",
    "signout",
    "undefined",
    "unknown",
    "user",
    "watch",
    "webmaster",
    "www",
)
"""Handles that people would take for a part of the site, or for nobody in particular."""


def clean_handle(typed: str) -> str | Refused:
    """Return the handle that somebody has typed, in small letters, or why nobody can have it."""
    typed = typed.strip()
    handle = typed.lower()
    # Also as it was typed: some foreign letters have small forms that are plain ones.
    if not _TYPED.fullmatch(typed) or not _HANDLE.fullmatch(handle):
        return Refused("bad_handle", REFUSALS["bad_handle"])
    refusal = refused_name(handle)
    if refusal is not None:
        return Refused("bad_handle", refusal.sentence, refusal.variant, refusal.values)
    other = reserved_name(handle, RESERVED, ())
    if other is not None:
        sentence = f"That handle looks like “{other}”, which is reserved. Please choose another one."
        return Refused("bad_handle", sentence, "reserved", {"name": other})
    return handle


def handle_key(handle: str) -> str | None:
    """Return the key that a handle shares with those that look like it; None if it is no handle."""
    # A handle has one key only: it is in small letters already.
    return min(lookalike_keys(handle)) if _HANDLE.fullmatch(handle) else None
