"""The machines notice mistakes: each store here has one, and each is found."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.backends import Backend, MemoryBackend, SqliteBackend
from tests.store.machine import BackendMachine, RecordMachine, TableMachine
from tests.store.mutants import (
    MEMORY_RECORDS,
    MEMORY_TABLES,
    SQLITE_RECORDS,
    SQLITE_TABLES,
    Mutant,
    memory_store,
    sqlite_store,
    sqlite_store_with_records,
)

# A mistake found is enough; the smallest way to show it is not needed.
BUDGET = settings(
    max_examples=200,
    stateful_step_count=40,
    phases=(Phase.generate,),
    report_multiple_bugs=False,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def is_caught(machine: type[BackendMachine], backend: Callable[[], Backend]) -> bool:
    wrong = type(machine.__name__, (machine,), {"backend": staticmethod(backend)})
    try:
        run_state_machine_as_test(wrong, settings=BUDGET)
    except Exception as error:  # noqa: BLE001 - a wrong answer, or a store that trips over its own mistake
        return not isinstance(error, NameError | TypeError | AttributeError)  # those would be mistakes of the mutant
    return False


def each(mutants: Sequence[Mutant]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("mutant", mutants, ids=[mutant.mistake for mutant in mutants])


@each(MEMORY_TABLES)
def test_a_mistake_with_tables_in_memory_is_caught(mutant: Mutant) -> None:
    store = memory_store(mutant)
    assert is_caught(TableMachine, lambda: MemoryBackend(store))


@each(MEMORY_RECORDS)
def test_a_mistake_with_records_in_memory_is_caught(mutant: Mutant) -> None:
    store = memory_store(mutant)
    assert is_caught(RecordMachine, lambda: MemoryBackend(store))


@each(SQLITE_TABLES)
def test_a_mistake_with_tables_in_a_file_is_caught(mutant: Mutant) -> None:
    store = sqlite_store(mutant)
    assert is_caught(TableMachine, lambda: SqliteBackend(store))


@each(SQLITE_RECORDS)
def test_a_mistake_with_records_in_a_file_is_caught(mutant: Mutant) -> None:
    store = sqlite_store_with_records(mutant)
    assert is_caught(RecordMachine, lambda: SqliteBackend(store))
