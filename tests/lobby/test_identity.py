"""Guests, names, sessions, and codes for a second device."""

import asyncio
from collections import Counter
from itertools import product

import pytest

from server.lobby import identity as module
from server.lobby.identity import DAY, MAX_SESSIONS, SESSION_SECONDS, Identity
from server.lobby.names import LANDMARKS, QUALITIES
from server.lobby.one_time_codes import CODE_ALPHABET, CODE_SECONDS, MAX_WRONG_SECRETS, SELECTOR_LENGTH
from server.model import Refused, User
from server.store.api import StorageFailed
from server.store.memory import MemoryKeyValueStore
from server.tables.results import refused
from server.text import clean_name


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


class WatchedStore(MemoryKeyValueStore):
    """A key-value store that counts calls, yields to other tasks, and can fail or block."""

    def __init__(self, clock: Time) -> None:
        super().__init__(clock)
        self.asked: Counter[str] = Counter()
        self.writes_fail = False
        self.held: asyncio.Event | None = None

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        self.asked[f"put {kind}"] += 1
        await asyncio.sleep(0)
        if self.writes_fail:
            raise StorageFailed("The disk is full.")
        await super().put(kind, key, value, expires_at)

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        self.asked[f"put {kind}"] += 1
        await asyncio.sleep(0)
        if self.writes_fail:
            raise StorageFailed("The disk is full.")
        return await super().replace(kind, key, expected, value, expires_at)

    async def get(self, kind: str, key: str) -> bytes | None:
        self.asked[f"get {kind}"] += 1
        found = await super().get(kind, key)
        if self.held is not None and kind == "session":
            await self.held.wait()
        await asyncio.sleep(0)
        return found

    async def delete(self, kind: str, key: str) -> bool:
        await asyncio.sleep(0)
        return await super().delete(kind, key)

    def contents(self) -> str:
        """Return everything that a thief of the file would see."""
        return repr(self._values)


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def key_values(clock: Time) -> WatchedStore:
    return WatchedStore(clock)


@pytest.fixture
def identity(key_values: WatchedStore, clock: Time) -> Identity:
    return Identity(key_values, clock)


def test_every_made_up_name_is_a_good_name() -> None:
    for quality, landmark in product(QUALITIES, LANDMARKS):
        assert clean_name(f"{quality} {landmark}") == f"{quality} {landmark}"
    assert len(set(QUALITIES)) * len(set(LANDMARKS)) == len(QUALITIES) * len(LANDMARKS) > 2_000


async def test_a_guest_is_known_again_by_the_token(identity: Identity) -> None:
    user, token = await identity.guest()
    other, _ = await identity.guest()
    assert await identity.user_of(token) == user
    assert user.id != other.id


@pytest.mark.parametrize("change", ["last", "user", "empty", "no_dot", "long", "surrogate", "letter"])
async def test_a_token_that_was_not_issued_belongs_to_nobody(identity: Identity, change: str) -> None:
    user, token = await identity.guest()
    other, _ = await identity.guest()
    wrong = {
        "last": token[:-1] + ("A" if token[-1] != "A" else "B"),
        "user": token.replace(user.id, other.id),
        "empty": "",
        "no_dot": token.replace(".", ""),
        "long": token + "A" * 100_000,
        "surrogate": token[:-1] + "\ud800",
        "letter": token[:-1] + "é",
    }
    assert await identity.user_of(wrong[change]) is None
    assert await identity.user_of(token) == user


async def test_no_secret_is_stored_in_clear(identity: Identity, key_values: WatchedStore) -> None:
    user, token = await identity.guest()
    program = await identity.make_token(user)
    code = await identity.make_code(user)
    secrets = [token, token.partition(".")[2], program, program.partition(".")[2], code]
    found = await identity.redeem(code)
    assert found is not None
    secrets += [found[1], await identity.make_code(user)]
    assert user.id in key_values.contents()
    assert [secret for secret in secrets if secret in key_values.contents()] == []


async def test_a_session_ends_400_days_after_its_last_use(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, token = await identity.guest()
    for _ in range(3):
        clock.now += SESSION_SECONDS - 1
        assert await Identity(key_values, clock).user_of(token) == user
        assert await identity.user_of(token) == user
    clock.now += SESSION_SECONDS
    assert await identity.user_of(token) is None
    assert await Identity(key_values, clock).user_of(token) is None


async def test_the_use_of_a_session_is_stored_at_most_once_a_day(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    _, token = await identity.guest()
    for hour in range(1, 24 * 3):
        clock.now += 3600
        assert await identity.user_of(token) is not None, hour
    assert key_values.asked["put session"] == 1 + 2


async def test_a_session_works_though_its_use_cannot_be_stored(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, token = await identity.guest()
    clock.now += 2 * DAY
    key_values.writes_fail = True
    assert await identity.user_of(token) == user
    key_values.writes_fail = False
    assert await identity.user_of(token) == user
    assert key_values.asked["put session"] == 2


async def test_a_user_lives_as_long_as_any_of_the_sessions(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, _ = await identity.guest()
    clock.now += 300 * DAY
    program = await identity.make_token(user)
    clock.now += 300 * DAY
    assert await Identity(key_values, clock).user_of(program) == user


async def test_many_reconnections_need_no_read_of_the_store(identity: Identity, key_values: WatchedStore) -> None:
    guests = [await identity.guest() for _ in range(50)]
    for user, token in guests:
        assert await identity.user_of(token) == user
    key_values.asked.clear()
    found = await asyncio.gather(*(identity.user_of(token) for _, token in guests * 10))
    assert found == [user for user, _ in guests] * 10
    assert not key_values.asked


async def test_the_cache_is_bounded(
    identity: Identity, key_values: WatchedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CACHED", 10)
    guests = [await identity.guest() for _ in range(11)]
    for _, token in [guests[0], *guests[1:10], guests[0], guests[10]]:
        await identity.user_of(token)
    key_values.asked.clear()
    assert await identity.user_of(guests[0][1]) == guests[0][0]
    assert key_values.asked["get session"] == 0
    assert await identity.user_of(guests[1][1]) == guests[1][0]
    assert key_values.asked["get session"] == 1


async def test_a_session_is_cached_until_its_use_must_be_stored_again(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, token = await identity.guest()
    assert not identity.is_cached(token)
    await identity.user_of(token)
    assert identity.is_cached(token)
    assert not identity.is_cached(await identity.make_token(user))
    assert not identity.is_cached("nonsense")
    clock.now += DAY
    assert not identity.is_cached(token)


async def test_the_age_and_the_first_game_of_a_user_are_kept(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    created = int(clock.now)
    user, token = await identity.guest()
    assert (user.created, user.has_played) == (created, False)
    await identity.user_of(token)
    clock.now += 2 * DAY
    # The caller may know no more than id and name.
    await identity.rename(User(user.id, user.name), "Ada")
    await identity.note_played(User(user.id, user.name))
    for known in (identity, Identity(key_values, clock)):
        found = await known.user_of(token)
        assert found is not None
        assert (found.name, found.created, found.has_played) == ("Ada", created, True)
    key_values.asked.clear()
    await identity.note_played(user)
    assert key_values.asked == {"get user": 1, "get account": 1}


async def test_a_user_of_an_earlier_version_counts_as_old(identity: Identity, key_values: WatchedStore) -> None:
    user, token = await identity.guest()
    await key_values.put("user", user.id, b'{"name": "Ada"}')
    found = await identity.user_of(token)
    assert found is not None
    assert (found.created, found.has_played) == (0, True)


async def test_a_new_name_is_seen_on_every_device(identity: Identity, key_values: WatchedStore, clock: Time) -> None:
    user, token = await identity.guest()
    program = await identity.make_token(user)
    assert await identity.user_of(token) == await identity.user_of(program) == user
    renamed = await identity.rename(user, "  Ada   King ")
    assert renamed == User(user.id, "Ada King")
    assert await identity.user_of(token) == await identity.user_of(program) == renamed
    assert await Identity(key_values, clock).user_of(token) == renamed


async def test_a_language_is_kept_with_the_user_for_every_device(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, token = await identity.guest()
    assert user.language is None
    program = await identity.make_token(user)
    await identity.set_language(user, "pl")
    await identity.rename(user, "Ada")
    for device in (token, program):
        found = await Identity(key_values, clock).user_of(device)
        assert found is not None
        assert (found.name, found.language) == ("Ada", "pl")
    await key_values.delete("user", user.id)
    assert await identity.set_language(user, "it") == refused("storage_failed")


async def test_a_bad_name_is_refused_with_its_reason_and_changes_nothing(identity: Identity) -> None:
    user, token = await identity.guest()
    disguised = await identity.rename(user, "S\u0435rver 1")
    assert isinstance(disguised, Refused)
    assert disguised.code == "bad_name"
    assert await identity.rename(user, "a\u202eb") == Refused(
        "bad_name", "A name cannot contain characters that change the direction of text.", "characters"
    )
    assert await identity.user_of(token) == user


async def test_a_name_that_could_not_be_stored_is_not_shown(identity: Identity, key_values: WatchedStore) -> None:
    user, token = await identity.guest()
    key_values.writes_fail = True
    with pytest.raises(StorageFailed):
        await identity.rename(user, "Ada")
    assert await identity.user_of(token) == user


async def test_storing_a_use_does_not_bring_an_old_name_back(identity: Identity, clock: Time) -> None:
    user, token = await identity.guest()
    await identity.user_of(token)
    clock.now += 2 * DAY
    await asyncio.gather(identity.user_of(token), identity.rename(user, "Ada"), identity.user_of(token))
    assert await identity.user_of(token) == User(user.id, "Ada")


async def test_a_new_session_does_not_bring_an_old_name_back(identity: Identity) -> None:
    user, token = await identity.guest()
    await identity.rename(user, "Ada")
    await identity.make_token(user)
    assert await identity.user_of(token) == User(user.id, "Ada")


async def test_a_code_makes_a_second_device_the_same_user(identity: Identity) -> None:
    user, token = await identity.guest()
    found = await identity.redeem(await identity.make_code(user))
    assert found is not None
    assert found[0] == user
    assert found[1] != token
    assert await identity.user_of(found[1]) == await identity.user_of(token) == user


async def test_a_code_is_easy_to_type(identity: Identity) -> None:
    user, _ = await identity.guest()
    code = await identity.make_code(user)
    assert len(code) == 10
    assert not set(code) & set("01ILOU")
    assert await identity.redeem(f" {code[:5].lower()}-{code[5:].lower()} ") is not None


async def test_a_code_works_once_even_when_two_devices_try_at_once(identity: Identity) -> None:
    user, _ = await identity.guest()
    code = await identity.make_code(user)
    found = await asyncio.gather(*(identity.redeem(code) for _ in range(5)))
    assert len([one for one in found if one is not None]) == 1
    assert await identity.redeem(code) is None


async def test_a_code_lives_five_minutes(identity: Identity, clock: Time) -> None:
    user, _ = await identity.guest()
    code = await identity.make_code(user)
    clock.now += CODE_SECONDS - 1
    assert await identity.redeem(code) is not None
    code = await identity.make_code(user)
    clock.now += CODE_SECONDS
    assert await identity.redeem(code) is None


async def test_a_new_code_makes_the_earlier_one_void(identity: Identity) -> None:
    user, _ = await identity.guest()
    earlier, later = await identity.make_code(user), await identity.make_code(user)
    assert await identity.redeem(earlier) is None
    assert await identity.redeem(later) is not None


def wrong_secret(code: str, number: int = 0) -> str:
    """Return a code with the same selector and another secret."""
    characters = CODE_ALPHABET.replace(code[-1], "")
    return code[:-1] + characters[number]


def wrong_selectors(code: str) -> list[str]:
    """Return a thousand codes with other selectors, and the same secret."""
    characters = CODE_ALPHABET.replace(code[0], "")
    fronts = [a + b + c for a, b, c in product(characters[:10], CODE_ALPHABET[:10], CODE_ALPHABET[:10])]
    return [front + code[3:] for front in fronts]


async def test_a_flood_of_guesses_does_not_keep_the_owner_from_redeeming(
    identity: Identity, key_values: WatchedStore
) -> None:
    user, _ = await identity.guest()
    code = await identity.make_code(user)
    key_values.asked.clear()
    guesses = wrong_selectors(code)
    assert len(guesses) == 1_000
    assert set(await asyncio.gather(*(identity.redeem(guess) for guess in guesses))) == {None}
    # A guess that finds no code costs one read, and no write that waits for the disk.
    assert key_values.asked == {"get code": 1_000}
    found = await identity.redeem(code)
    assert found is not None
    assert found[0] == user


async def test_a_code_is_void_after_five_wrong_secrets_even_after_a_restart(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, _ = await identity.guest()
    code = await identity.make_code(user)
    for number in range(MAX_WRONG_SECRETS - 1):
        # Each guess goes to another worker, or to the same one after a restart.
        assert await Identity(key_values, clock).redeem(wrong_secret(code, number)) is None
    assert await Identity(key_values, clock).redeem(wrong_secret(code, 20)) is None
    assert await identity.redeem(code) is None
    again = await identity.make_code(user)
    for number in range(MAX_WRONG_SECRETS - 1):
        assert await identity.redeem(wrong_secret(again, number)) is None
    assert await identity.redeem(again) is not None


async def test_guesses_at_once_get_no_more_tries_than_one_after_the_other(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, _ = await identity.guest()
    for _ in range(20):
        code = await identity.make_code(user)
        workers = [Identity(key_values, clock) for _ in range(3)]
        guesses = [worker.redeem(wrong_secret(code, number)) for number in range(10) for worker in workers]
        assert set(await asyncio.gather(*guesses)) == {None}
        tried = 0
        while await key_values.get("code", code[:SELECTOR_LENGTH]) is not None:
            await identity.redeem(wrong_secret(code, tried))
            tried += 1
        assert tried < MAX_WRONG_SECRETS


async def test_a_wrong_secret_does_not_make_a_code_live_longer(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, _ = await identity.guest()
    code = await identity.make_code(user)
    clock.now += CODE_SECONDS - 1
    assert await identity.redeem(wrong_secret(code)) is None
    clock.now += 1
    assert await key_values.find("code") == []
    assert await identity.redeem(code) is None


async def test_many_codes_of_one_user_use_up_no_selectors(identity: Identity, key_values: WatchedStore) -> None:
    user, _ = await identity.guest()
    for _ in range(50):
        code = await identity.make_code(user)
    assert [selector for selector, _ in await key_values.find("code")] == [code[:SELECTOR_LENGTH]]


async def test_two_codes_never_have_the_same_selector(identity: Identity, monkeypatch: pytest.MonkeyPatch) -> None:
    (ada, _), (ben, _) = await identity.guest(), await identity.guest()
    drawn = iter("AAAABBBBBB" + "AAAACCCCCC" * 3 + "DDDDCCCCCC")
    monkeypatch.setattr(module.secrets, "choice", lambda characters: next(drawn))
    codes = {await identity.make_code(ada): ada, await identity.make_code(ben): ben}
    assert list(codes) == ["AAAABBBBBB", "DDDDCCCCCC"]
    for code, user in codes.items():
        found = await identity.redeem(code)
        assert found is not None
        assert found[0] == user


@pytest.mark.parametrize("code", ["", "ABC", "ABCDEFGHJ0", "ABCDEFGHJ\ud800", "A" * 100_000, "ﬁﬁﬁﬁﬁ", "ABCDEFGH"])
async def test_a_malformed_code_is_wrong_without_a_look_up(
    identity: Identity, key_values: WatchedStore, code: str
) -> None:
    assert await identity.redeem(code) is None
    assert not key_values.asked
    user, _ = await identity.guest()
    assert await identity.redeem(await identity.make_code(user)) is not None


async def test_forgetting_the_others_ends_sessions_programs_and_codes(identity: Identity) -> None:
    user, token = await identity.guest()
    stranger, strange_token = await identity.guest()
    program = await identity.make_token(user)
    code = await identity.make_code(user)
    assert None not in [await identity.user_of(one) for one in (token, program, strange_token)]
    await identity.forget_others(user, token)
    assert await identity.user_of(token) == user
    assert await identity.user_of(program) is None
    assert await identity.redeem(code) is None
    assert await identity.user_of(strange_token) == stranger


async def test_a_session_that_is_read_while_it_ends_is_not_kept_in_the_cache(
    identity: Identity, key_values: WatchedStore
) -> None:
    user, token = await identity.guest()
    program = await identity.make_token(user)
    key_values.held = asyncio.Event()
    reading = asyncio.create_task(identity.user_of(program))
    await asyncio.sleep(0)
    await identity.forget_others(user, token)
    key_values.held.set()
    assert await reading is None
    assert await identity.user_of(program) is None


async def test_storing_a_use_does_not_bring_an_ended_session_back(identity: Identity, clock: Time) -> None:
    user, token = await identity.guest()
    program = await identity.make_token(user)
    assert await identity.user_of(program) == user
    clock.now += 2 * DAY
    await asyncio.gather(identity.forget_others(user, token), identity.user_of(program))
    assert await identity.user_of(program) is None


async def test_a_user_has_a_bounded_number_of_sessions(identity: Identity, clock: Time) -> None:
    user, token = await identity.guest()
    tokens = [token]
    for _ in range(MAX_SESSIONS + 5):
        clock.now += DAY
        assert await identity.user_of(token) == user
        tokens.append(await identity.make_token(user))
    alive = [one for one in tokens if await identity.user_of(one) is not None]
    assert len(alive) == MAX_SESSIONS
    assert token in alive
    assert tokens[-1] in alive


async def test_a_user_whom_another_process_has_changed_is_read_again(
    identity: Identity, key_values: WatchedStore, clock: Time
) -> None:
    user, token = await identity.guest()
    assert await identity.user_of(token) == user
    renamed = await Identity(key_values, clock).rename(user, "Ada")
    identity.forget(user.id)
    assert await identity.user_of(token) == renamed
