"""An event loop whose clock stands still while anything happens and jumps to the next timer when nothing does."""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class NothingWillEverHappen(Exception):
    """Everybody waits, and there is no timer."""


class _JumpingSelector(selectors.SelectSelector):
    """Instead of waiting, lets the time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise NothingWillEverHappen
        self.now += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Hours pass in no time."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)
        # After a year of seconds, a float cannot tell two moments apart that are closer than this.
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self._jumping.now


def run_in_virtual_time(run: Coroutine[Any, Any, T]) -> T:
    """Give what a coroutine gives, on a loop of its own; all such loops begin at the same time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run)


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test on a loop of its own that needs no real time."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        run_in_virtual_time(test(*args, **kwargs))

    return run
