"""An event loop with virtual time: the clock jumps to the next timer when no task can run."""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class NothingWillEverHappen(Exception):
    """All tasks wait, and there is no timer."""


class _JumpingSelector(selectors.SelectSelector):
    """A selector that advances the virtual clock instead of waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise NothingWillEverHappen
        self.now += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on the virtual clock."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)
        # After a year of seconds, a float cannot represent smaller differences.
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self._jumping.now


def run_in_virtual_time(run: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a loop of its own and return its result; all such loops start at the same time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run)


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Decorate a test so that it runs on a loop with virtual time."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        run_in_virtual_time(test(*args, **kwargs))

    return run
