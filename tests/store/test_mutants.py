"""The state machines find the bug in every mutant of the stores (mutation testing)."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.backends import Backend, MemoryBackend, SqliteBackend
from tests.store.machine import BackendMachine, KeyValueMachine, TableMachine
from tests.store.mutants import (
    MEMORY_TABLES,
    MEMORY_VALUES,
    SQLITE_TABLES,
    SQLITE_VALUES,
    Mutant,
    memory_store,
    sqlite_store,
    sqlite_store_with_values,
)

# Without shrinking: finding the bug is enough.
BUDGET = settings(
    max_examples=200,
    stateful_step_count=40,
    phases=(Phase.generate,),
    report_multiple_bugs=False,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def is_found(machine: type[BackendMachine], backend: Callable[[], Backend]) -> bool:
    wrong = type(machine.__name__, (machine,), {"backend": staticmethod(backend)})
    try:
        run_state_machine_as_test(wrong, settings=BUDGET)
    except Exception as error:  # noqa: BLE001 - a failed comparison, or an exception that the bug causes
        return not isinstance(error, NameError | TypeError | AttributeError)  # the mutant itself is wrong
    return False


def each(mutants: Sequence[Mutant]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("mutant", mutants, ids=[mutant.bug for mutant in mutants])


@each(MEMORY_TABLES)
def test_a_bug_with_tables_in_memory_is_found(mutant: Mutant) -> None:
    store = memory_store(mutant)
    assert is_found(TableMachine, lambda: MemoryBackend(store))


@each(MEMORY_VALUES)
def test_a_bug_with_key_values_in_memory_is_found(mutant: Mutant) -> None:
    store = memory_store(mutant)
    assert is_found(KeyValueMachine, lambda: MemoryBackend(store))


@each(SQLITE_TABLES)
def test_a_bug_with_tables_in_a_file_is_found(mutant: Mutant) -> None:
    store = sqlite_store(mutant)
    assert is_found(TableMachine, lambda: SqliteBackend(store))


@each(SQLITE_VALUES)
def test_a_bug_with_key_values_in_a_file_is_found(mutant: Mutant) -> None:
    store = sqlite_store_with_values(mutant)
    assert is_found(KeyValueMachine, lambda: SqliteBackend(store))
