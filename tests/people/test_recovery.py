"""Recovery codes: each once, on any worker; guessing is limited and does not keep the owner out."""

from __future__ import annotations

import asyncio
import hashlib
import re

import pytest

from server.lobby.one_time_codes import CODE_ALPHABET
from server.people import recovery
from server.people.recovery import GUESSES, NEW_CODES
from tests.people.workers import Worker
from tests.store.backends import Backend


async def signed_in(worker: Worker, handle: str, code: str) -> str | None:
    found = await worker.service.sign_in_with_code(handle, code, "Chrome on Linux")
    return None if found is None else found[0].id


def another(code: str) -> str:
    """Return a wrong code with the same selector."""
    return code[:-1] + next(character for character in CODE_ALPHABET if character != code[-1])


async def test_ten_codes_sign_in_once_each_however_they_are_typed(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, codes = await here.member("ada")
    assert len(set(codes)) == 10
    assert all(re.fullmatch(f"([{CODE_ALPHABET}]{{4}}-){{3}}[{CODE_ALPHABET}]{{4}}", code) for code in codes)
    typed = [codes[0], codes[1].lower(), codes[2].replace("-", " "), codes[3].replace("-", ""), *codes[4:]]
    for number, code in enumerate(typed):
        assert await signed_in(there, " ADA", code) == ada.user.id
        assert await signed_in(here, "ada", code) is None
        assert (await here.do(ada, "get_account"))["account"]["recovery"]["left"] == 9 - number


async def test_a_code_that_is_used_on_two_workers_at_once_gives_one_session(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, codes = await here.member("ada")
    for code in codes[:5]:
        results = await asyncio.gather(*(signed_in(worker, "ada", code) for worker in (here, there, here, there)))
        assert sorted(results, key=lambda result: result or "") == [None, None, None, ada.user.id]


async def test_two_codes_that_are_used_at_once_are_both_used_up(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, codes = await here.member("ada")
    results = await asyncio.gather(signed_in(here, "ada", codes[0]), signed_in(there, "ada", codes[1]))
    assert results == [ada.user.id] * 2
    assert await signed_in(here, "ada", codes[0]) is None
    assert await signed_in(here, "ada", codes[1]) is None


async def test_new_codes_make_the_earlier_ones_void(worker: Worker) -> None:
    ada, codes = await worker.member("ada")
    new: list[str] = (await worker.do(ada, "make_recovery_codes"))["codes"]
    assert await signed_in(worker, "ada", codes[0]) is None
    assert await signed_in(worker, "ada", new[0]) == ada.user.id


async def test_sheets_of_codes_are_limited(worker: Worker, memory: Backend) -> None:
    ada, _ = await worker.member("ada")
    for _ in range(NEW_CODES.burst - 1):
        last: list[str] = (await worker.do(ada, "make_recovery_codes"))["codes"]
    assert await worker.refused(ada, "make_recovery_codes") == "too_fast"
    assert await signed_in(worker, "ada", last[0]) == ada.user.id
    memory.clock.now += NEW_CODES.interval
    await worker.do(ada, "make_recovery_codes")


async def test_a_code_belongs_to_its_account(worker: Worker) -> None:
    _, codes = await worker.member("ada")
    await worker.member("bob")
    assert await signed_in(worker, "bob", codes[0]) is None
    # A handle that looks like it is not it.
    assert await signed_in(worker, "a-da", codes[0]) is None


async def test_knowing_a_selector_slows_that_code_down_and_no_other(worker: Worker, memory: Backend) -> None:
    ada, codes = await worker.member("ada")
    for _ in range(GUESSES.burst):
        assert await signed_in(worker, "ada", another(codes[0])) is None
    assert await signed_in(worker, "ada", codes[0]) is None
    assert await signed_in(worker, "ada", codes[1]) == ada.user.id
    memory.clock.now += GUESSES.interval
    assert await signed_in(worker, "ada", codes[0]) == ada.user.id


async def test_guesses_without_a_selector_never_keep_the_owner_out(worker: Worker) -> None:
    ada, codes = await worker.member("ada")
    selectors = {code[:4] for code in codes}
    strangers = [first + "222" for first in CODE_ALPHABET if first + "222" not in selectors]
    for selector in strangers * 3:
        assert await signed_in(worker, "ada", f"{selector}-2222-2222-2222") is None
    assert await signed_in(worker, "ada", codes[0]) == ada.user.id


async def test_the_store_has_no_code_in_clear(worker: Worker, memory: Backend) -> None:
    _, codes = await worker.member("ada")
    stored = repr(memory.store.key_values.__dict__)
    for code in codes:
        assert code not in stored
        assert code.replace("-", "") not in stored
        assert code.replace("-", "")[4:] not in stored


async def test_a_handle_that_nobody_has_costs_as_much_as_one_that_somebody_has(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the time nor the sentence may tell whether there is an account."""
    await worker.member("ada")
    asked: list[str] = []
    get = worker.key_values.get

    async def counted(kind: str, key: str) -> bytes | None:
        asked.append(kind)
        return await get(kind, key)

    monkeypatch.setattr(worker.key_values, "get", counted)
    costs = []
    for handle in ("ada", "nobody-is-called-so", "bad handle!", ""):
        asked.clear()
        assert await signed_in(worker, handle, "2222-2222-2222-2222") is None
        costs.append(list(asked))
    assert costs == [["handle", "account"]] * 4


def test_the_hash_of_a_code_is_salted_and_takes_eight_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    scrypt, costs = hashlib.scrypt, []

    def measured(password: bytes, *, salt: bytes, n: int, r: int, p: int, dklen: int) -> bytes:
        costs.append(128 * n * r * p)
        return scrypt(password, salt=salt, n=n, r=r, p=p, dklen=dklen)

    monkeypatch.setattr(recovery.hashlib, "scrypt", measured)
    assert recovery._scrypt(b"salt", "CODE") != recovery._scrypt(b"other", "CODE")
    assert costs == [8 * 2**20] * 2
