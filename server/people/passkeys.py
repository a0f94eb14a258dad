"""Passkeys (WebAuthn): public keys of a user's devices, which sign in without a password.

A ceremony has two steps, with a challenge in between that the store keeps for five minutes, so that any worker can
finish what another began; the first request that takes the challenge uses it up. Everything that a browser sends is
untrusted: what cannot be read or verified is refused with one sentence, whatever the reason.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    CredentialDeviceType,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from server.model import Refused, User
from server.people.accounts import Account, Accounts, Passkey
from server.people.sites import Site
from server.store.api import KeyValueStore
from server.tables.results import refused
from server.text import BadText, clean_name

log = logging.getLogger(__name__)

CHALLENGE_SECONDS: Final = 5 * 60
MAX_PASSKEYS: Final = 20
"""Passkeys of one account; one more is refused."""

MAX_PASSKEY_NAME: Final = 40
SITE_NAME: Final = "San Francisco Tables"

MAX_CREDENTIAL_ID_BYTES: Final = 1_023
"""The longest id of a credential (WebAuthn, section 7.1)."""

_CHALLENGE: Final = "challenge"
CREDENTIAL: Final = "credential"
"""Kind of the passkeys: the user's id by the hash of the credential's id."""

_TRANSPORTS: Final = ("usb", "nfc", "ble", "smart-card", "internal", "cable", "hybrid")

NO_NAME: Final = Refused(
    "bad_passkey",
    "Passkeys need a name in the address of the site, such as localhost; this address has a number.",
    "address",
)


class Passkeys:
    """The passkeys of all accounts. `clock` returns the seconds since 1970."""

    def __init__(self, accounts: Accounts, key_values: KeyValueStore, clock: Callable[[], float]) -> None:
        self._accounts = accounts
        self._key_values = key_values
        self._clock = clock

    async def begin(self, user: User, site: Site) -> dict[str, Any] | Refused:
        """Return the options for `navigator.credentials.create`, as JSON; the user needs a handle first."""
        relying_party = site.relying_party
        if relying_party is None:
            return NO_NAME
        account = await self._accounts.get(user.id)
        named = account or await self._accounts.reservation(user.id)
        if named is None:
            return refused("no_account")
        passkeys = () if account is None else account.passkeys
        if len(passkeys) >= MAX_PASSKEYS:
            return _too_many()
        options = webauthn.generate_registration_options(
            rp_id=relying_party,
            rp_name=SITE_NAME,
            user_id=user.id.encode(),
            user_name=named.handle,
            user_display_name=user.name,
            challenge=await self._new_challenge("create", site, user.id),
            timeout=CHALLENGE_SECONDS * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(base64url_to_bytes(passkey.credential)) for passkey in passkeys
            ],
        )
        return _json(options)

    async def add(self, user: User, site: Site, credential: dict[str, Any], name: str) -> Passkey | Refused:
        """Add a passkey that the browser has created; the first one makes a reserved handle the user's own."""
        try:
            name = clean_name(name, MAX_PASSKEY_NAME) if name.strip() else "Passkey"
        except BadText as reason:
            return Refused("bad_name", str(reason), reason.variant, reason.values)
        challenge = await self._take_challenge(credential, "create", site, user.id)
        relying_party = site.relying_party
        if challenge is None or relying_party is None:
            # A client repeats a request whose reply it has not seen.
            return await self._added_before(user.id, credential) or refused("bad_passkey")
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=relying_party,
                expected_origin=site.origin,
            )
        except Exception as error:  # noqa: BLE001 - untrusted bytes, through several parsers
            log.info("passkey refused", extra={"reason": type(error).__name__})
            return refused("bad_passkey")
        if len(verified.credential_id) > MAX_CREDENTIAL_ID_BYTES:
            return refused("bad_passkey")
        passkey = Passkey(
            id=secrets.token_hex(6),
            credential=bytes_to_base64url(verified.credential_id),
            public_key=bytes_to_base64url(verified.credential_public_key),
            sign_count=verified.sign_count,
            name=name,
            created=int(self._clock()),
            is_synced=verified.credential_device_type == CredentialDeviceType.MULTI_DEVICE,
            transports=_transports(credential),
        )
        return await self._add(user.id, passkey)

    async def _added_before(self, user_id: str, credential: dict[str, Any]) -> Passkey | None:
        """Return the passkey of the user with the id of a credential, or None."""
        account = await self._accounts.get(user_id)
        passkeys = () if account is None else account.passkeys
        return next((passkey for passkey in passkeys if passkey.credential == credential.get("id")), None)

    async def _add(self, user_id: str, passkey: Passkey) -> Passkey | Refused:
        key = _credential_key(passkey.credential)
        if not await self._key_values.put_if_absent(CREDENTIAL, key, user_id.encode()):
            owner = await self._key_values.get(CREDENTIAL, key)
            if owner != user_id.encode():
                return refused("bad_passkey")

        def change(account: Account) -> Account | Refused:
            if any(each.credential == passkey.credential for each in account.passkeys):
                return refused("bad_passkey")
            if len(account.passkeys) >= MAX_PASSKEYS:
                return _too_many()
            return replace(account, passkeys=(*account.passkeys, passkey))

        kept = await self._accounts.keep(user_id, change)
        if isinstance(kept, Refused):
            account = await self._accounts.get(user_id)
            if account is None or all(each.credential != passkey.credential for each in account.passkeys):
                await self._key_values.delete(CREDENTIAL, key)
            return kept
        return passkey

    async def remove(self, user_id: str, passkey_id: str) -> Account | Refused:
        """Remove a passkey, unless it is the last way to sign in."""
        removed: list[Passkey] = []

        def change(account: Account) -> Account | Refused:
            removed[:] = [each for each in account.passkeys if each.id == passkey_id]
            rest = tuple(each for each in account.passkeys if each.id != passkey_id)
            if not removed:
                return refused("no_such_passkey")
            return replace(account, passkeys=rest) if rest or account.codes_left else refused("last_way_in")

        changed = await self._accounts.change(user_id, change)
        if isinstance(changed, Account):
            await self.forget(removed)
        return changed

    async def forget(self, passkeys: Iterable[Passkey]) -> None:
        """Delete the entries by which passkeys are found, so that nobody can sign in with them."""
        for passkey in passkeys:
            await self._key_values.delete(CREDENTIAL, _credential_key(passkey.credential))

    # -- signing in -------------------------------------------------------------------------------------------

    async def begin_sign_in(self, site: Site) -> dict[str, Any] | Refused:
        """Return the options for `navigator.credentials.get`, as JSON: the browser offers all passkeys of the site."""
        relying_party = site.relying_party
        if relying_party is None:
            return NO_NAME
        options = webauthn.generate_authentication_options(
            rp_id=relying_party,
            challenge=await self._new_challenge("get", site, None),
            timeout=CHALLENGE_SECONDS * 1000,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return _json(options)

    async def sign_in(self, site: Site, credential: dict[str, Any]) -> str | None:
        """Return the id of the user whose passkey has signed the challenge; None if it is not valid."""
        challenge = await self._take_challenge(credential, "get", site, None)
        if challenge is None or site.relying_party is None:
            return None
        try:
            credential_id = bytes_to_base64url(base64url_to_bytes(credential["id"]))
            user_handle = base64url_to_bytes(credential["response"]["userHandle"])
        except (KeyError, TypeError, ValueError):
            return None
        owner = await self._key_values.get(CREDENTIAL, _credential_key(credential_id))
        if owner is None or owner != user_handle:
            # The authenticator must name the user to whom the passkey belongs (WebAuthn, section 7.2).
            return None

        def change(account: Account) -> Account | Refused:
            return self._used(account, credential_id, credential, challenge, site)

        changed = await self._accounts.change(owner.decode(), change)
        return owner.decode() if isinstance(changed, Account) else None

    def _used(
        self, account: Account, credential_id: str, credential: dict[str, Any], challenge: bytes, site: Site
    ) -> Account | Refused:
        """Return the account after a use of a passkey, if its signature and its counter are right."""
        passkey = next((each for each in account.passkeys if each.credential == credential_id), None)
        if passkey is None:
            return refused("bad_passkey")
        try:
            verified = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.relying_party or "",
                expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(passkey.public_key),
                credential_current_sign_count=passkey.sign_count,
            )
        except Exception as error:  # noqa: BLE001 - untrusted bytes, through several parsers
            log.info("passkey refused", extra={"reason": type(error).__name__})
            return refused("bad_passkey")
        used = replace(passkey, sign_count=verified.new_sign_count, used=int(self._clock()))
        return replace(account, passkeys=tuple(used if each is passkey else each for each in account.passkeys))

    # -- challenges -------------------------------------------------------------------------------------------

    async def _new_challenge(self, purpose: str, site: Site, user_id: str | None) -> bytes:
        challenge = secrets.token_bytes(32)
        stored = json.dumps({"purpose": purpose, "origin": site.origin, "user": user_id}).encode()
        await self._key_values.put(_CHALLENGE, challenge.hex(), stored, self._clock() + CHALLENGE_SECONDS)
        return challenge

    async def _take_challenge(
        self, credential: dict[str, Any], purpose: str, site: Site, user_id: str | None
    ) -> bytes | None:
        """Return the challenge that the browser has signed, if it is ours and was not used before."""
        try:
            client_data = base64url_to_bytes(credential["response"]["clientDataJSON"])
            challenge = bytes(parse_client_data_json(client_data).challenge)
        except Exception:  # noqa: BLE001 - untrusted bytes
            return None
        stored = await self._key_values.take(_CHALLENGE, challenge.hex()[:128])
        expected = {"purpose": purpose, "origin": site.origin, "user": user_id}
        return challenge if stored is not None and json.loads(stored) == expected else None


def _too_many() -> Refused:
    sentence = f"An account can have at most {MAX_PASSKEYS} passkeys. Remove one first."
    return Refused("bad_passkey", sentence, "limit", {"count": MAX_PASSKEYS})


def _json(options: Any) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return value


def _transports(credential: dict[str, Any]) -> tuple[str, ...]:
    """Return how the browser can reach the authenticator, as far as the browser says so in known words."""
    given = credential["response"].get("transports")
    return tuple(each for each in _TRANSPORTS if isinstance(given, list) and each in given)


def _credential_key(credential: str) -> str:
    return hashlib.sha256(credential.encode()).hexdigest()
