"""Users in envelopes: id and name, and the handle of those who have an account.

Workers of the version before know id and name alone, so nothing else is sent of guests.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.model import User


def user_fields(user: User) -> list[str]:
    """Return a user as an envelope holds them."""
    return [user.id, user.name] if user.handle is None else [user.id, user.name, user.handle]


def user_of(fields: Sequence[str]) -> User:
    """Return the user of an envelope."""
    user_id, name, *handle = fields
    return User(user_id, name, handle=handle[0] if handle else None)
