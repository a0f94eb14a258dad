"""What is stored about a person, as they see it: the account on the page, and the download.

All times are in milliseconds since 1970, as everywhere on the wire. The download leaves out what would only help a
thief of the file (hashes of recovery codes and of session tokens), and who blocks the person.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from server.lessons.progress import LessonProgress
from server.lobby.identity import Device
from server.model import User
from server.notifications.recipients import Recipient, Recipients, user_key
from server.people.accounts import Account, Passkey, Reservation
from server.people.directory import PeopleDirectory
from server.people.invitations import Invitations
from server.people.relations import BLOCK, FOLLOW, FOLLOWER
from server.store.api import KeyValueStore
from server.tables.prediction_scores import stored_score
from server.tables.predictions import stored_predictions

MAX_GAMES: Final = 20_000
"""Games in one download; the latest ones are in it, and `more_games` says that there are others."""

_RELATIONS: Final = {"follows": FOLLOW, "followers": FOLLOWER, "blocks": BLOCK}
"""The kinds of relations by their names in the download. Who blocks the person is not theirs to know."""


def account_shown(
    user: User, account: Account | None, reservation: Reservation | None, devices: Sequence[Device]
) -> dict[str, Any]:
    """Return everything that is stored about a user apart from games and relations."""
    shown: dict[str, Any] = {
        "user": {
            "id": user.id,
            "name": user.name,
            "created": _milliseconds(user.created),
            "language": user.language,
        },
        "handle": None,
        "since": None,
        "reserved": None,
        "earlier": [],
        "motto": "",
        "languages": [],
        "privacy": None,
        "passkeys": [],
        "recovery": None,
        "devices": [_device_shown(device) for device in devices],
    }
    if reservation is not None:
        shown["reserved"] = {"handle": reservation.handle, "until": _milliseconds(reservation.until)}
    if account is not None:
        shown |= {
            "handle": account.handle,
            "since": _milliseconds(account.since),
            "earlier": [{"handle": each.handle, "until": _milliseconds(each.until)} for each in account.earlier],
            "motto": account.motto,
            "languages": list(account.languages),
            "privacy": account.privacy,
            "passkeys": [passkey_shown(passkey) for passkey in account.passkeys],
        }
        if account.recovery is not None:
            shown["recovery"] = {"left": account.codes_left, "made": _milliseconds(account.recovery.made)}
    return shown


def passkey_shown(passkey: Passkey) -> dict[str, Any]:
    """Return a passkey as its user sees it."""
    return {
        "id": passkey.id,
        "name": passkey.name,
        "created": _milliseconds(passkey.created),
        "used": _milliseconds(passkey.used),
        "synced": passkey.is_synced,
    }


class Downloads:
    """Puts together what is stored about a user."""

    def __init__(self, key_values: KeyValueStore, people: PeopleDirectory, invitations: Invitations) -> None:
        self._key_values = key_values
        self._people = people
        self._invitations = invitations

    async def download(
        self, user: User, account: Account | None, shown: dict[str, Any], games: AsyncIterator[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return everything that is stored about a user. `shown` is the account as the page shows it."""
        passkeys = () if account is None else account.passkeys
        stored: dict[str, Any] = {"account": shown | {"passkeys": [_passkey_stored(each) for each in passkeys]}}
        for name, kind in _RELATIONS.items():
            stored[name] = await self._relations(kind, user.id)
        stored["invitations"] = [each._asdict() for each in await self._invitations.of(user.id)]
        stored["lessons"] = await LessonProgress(self._key_values).stored(user.id)
        stored["notifications"] = await self._notifications(user.id)
        stored["predictions"] = await stored_predictions(self._key_values, user.id)
        stored["prediction_score"] = await stored_score(self._key_values, user.id)
        stored["games"], stored["more_games"] = [], False
        async for game in games:
            if len(stored["games"]) == MAX_GAMES:
                stored["more_games"] = True
                break
            stored["games"].append(game)
        return stored

    async def _notifications(self, user_id: str) -> dict[str, Any]:
        """Return where the user is told what, and the webhooks of tables that the user has added."""
        recipients = Recipients(self._key_values)
        own = await recipients.get(user_key(user_id))
        tables = await recipients.tables_of(user_id)
        return {
            "own": None if own is None else _recipient_stored(own),
            "tables": {table: _recipient_stored(recipient) for table, recipient in tables.items()},
        }

    async def _relations(self, kind: str, user_id: str) -> list[dict[str, Any]]:
        found = {
            key.partition(".")[2]: int(since) * 1000 for key, since in await self._key_values.find(kind, f"{user_id}.")
        }
        people = await self._people.of(found)
        return [
            {
                "user": other,
                "name": None if (person := people.get(other)) is None else person.name,
                "handle": None if person is None else person.handle,
                "since": since,
            }
            for other, since in found.items()
        ]


def _passkey_stored(passkey: Passkey) -> dict[str, Any]:
    """Return a passkey with all that is stored of it."""
    return {
        **passkey_shown(passkey),
        "credential": passkey.credential,
        "public_key": passkey.public_key,
        "sign_count": passkey.sign_count,
        "transports": list(passkey.transports),
    }


def _recipient_stored(recipient: Recipient) -> dict[str, Any]:
    """Return everything that is stored for a recipient, without the secrets that only help a thief of the file."""
    stored = asdict(recipient)
    for contact in stored["contacts"]:
        del contact["secret"], contact["code"]
    return stored


def _device_shown(device: Device) -> dict[str, Any]:
    return {
        "id": device.id,
        "name": device.name,
        "created": _milliseconds(device.created),
        "used": _milliseconds(device.used),
        "current": device.is_current,
    }


def _milliseconds(seconds: int | None) -> int | None:
    """Return a time in milliseconds; None if it is not known."""
    return seconds * 1000 if seconds else None
