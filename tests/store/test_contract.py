"""Every store fulfils the contract of `server.store.api`."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.backends import BACKENDS
from tests.store.machine import BackendMachine, KeyValueMachine, TableMachine

EXAMPLES = {"memory": 100, "sqlite": 40, "redis": 25, "cluster": 10}  # as many as a few seconds allow


def run_machine(machine: type[BackendMachine], name: str, examples: int, steps: int) -> None:
    on_backend = type(machine.__name__, (machine,), {"backend": staticmethod(BACKENDS[name])})
    run_state_machine_as_test(on_backend, settings=settings(max_examples=examples, stateful_step_count=steps))


@pytest.mark.parametrize("name", BACKENDS)
def test_a_table_equals_its_model_after_every_call(name: str) -> None:
    run_machine(TableMachine, name, EXAMPLES[name], steps=40)


@pytest.mark.parametrize("name", BACKENDS)
def test_a_value_is_there_until_it_is_deleted_or_expires(name: str) -> None:
    run_machine(KeyValueMachine, name, EXAMPLES[name], steps=30)
