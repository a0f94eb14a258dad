"""Settings that every test shares."""

import os

import pytest
from hypothesis import settings

# Examples are the same in every run, so that a failing test is caused by the change and not by luck;
# HYPOTHESIS_PROFILE=search looks for new ones. Time limits per example would only measure the machine.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

WORKERS_PER_CORE = 2
"""Many tests wait for a browser, for Redis or for a process that starts: with one worker per core, cores are idle."""


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of worker processes for `--numprocesses auto`."""
    return WORKERS_PER_CORE * (os.cpu_count() or 1)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests have recorded with `record_property`, wherever they ran."""
    measured = [
        f"{name}: {value}"
        for report in terminalreporter.getreports("passed")
        if report.when == "call"
        for name, value in report.user_properties
    ]
    if measured:
        terminalreporter.section("figures")
        for line in measured:
            terminalreporter.write_line(line)
