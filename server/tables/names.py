"""Names at a table: nobody is shown under a name that looks like somebody else's, and some names are nobody's.

Names of users are not unique, so the table decides what it shows: the one who came later gets a number, "Foggy Pelican
(2)". The name that is shown is part of the log entries, and so the same for everybody and for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from server.model import Refused
from server.tables.chat_lines import Line
from server.tables.state import TableState
from server.text.lookalikes import look_alike, marked, reserved_name
from server.text.offensive import is_offensive

ROLES: Final = (
    "Server",
    "System",
    "Host",
    "Gastgeber",
    "Moderator",
    "Mod",
    "Operator",
    "Admin",
    "Administrator",
    "Support",
    "Staff",
    "Bot",
    "You",
    "Du",
    "Former player",
    "San Francisco Tables",
)
"""Names that people would take for the server, for those who run it, or for themselves.

Names of bots are not among them: they are names of people too, and a table tells bots and people apart."""

_FILLERS: Final = ("The", "Der", "Die", "Das", "Team", "Official", "Offiziell", "Your", "Dein")
"""Words that do not make another name of a reserved one."""


def refused_name(name: str) -> Refused | None:
    """Return the refusal of a name that nobody can take: it looks like a reserved one, or insults others."""
    if is_offensive(name):
        return Refused("bad_name", "That name would insult others. Please choose another name.", "offensive")
    other = reserved_name(name, ROLES, _FILLERS)
    if other is None:
        return None
    sentence = f"That name looks like “{other}”, which is reserved. Please choose another name."
    return Refused("bad_name", sentence, "reserved", {"name": other})


def shown_name(state: TableState, user: str, name: str, kept_lines: Iterable[Line], *, is_seated: bool) -> str:
    """Return the name under which the table shows a user, with a number if it looks like that of somebody else there.

    `kept_lines` are those beside the log. While the game runs players do not know of the lines of spectators, so those
    have no influence on the names of seats.
    """
    lines = [line for room in state.talk.values() for line in room] + list(kept_lines)
    known = [line for line in lines if line.room == "all" or (line.room == "spectators" and not is_seated)]
    others = [chair.name for chair in state.chairs if chair.name is not None and chair.user != user]
    others += [line.name for line in known if line.user != user]
    others += ROLES
    for line in reversed(known):
        if line.user == user and _is_from(name, line.name) and not any(look_alike(line.name, each) for each in others):
            # Somebody who got a number keeps it, also when the other one has gone.
            return line.name
    return marked(name, others)


def host_name(name: str, bots: Iterable[str]) -> str:
    """Return the name under which a new table shows its host, who sits there with these bots."""
    return marked(name, (*ROLES, *bots))


def _is_from(name: str, shown: str) -> bool:
    return shown == name or re.fullmatch(re.escape(name) + r" \(\d+\)", shown) is not None
