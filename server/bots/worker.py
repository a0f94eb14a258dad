"""A worker process of the pool: reads a request from each line of standard input, writes a line with its answer.

It ends at the end of its input, so it cannot outlive the server. A strategy that never returns cannot either: SIGALRM
ends the process at the deadline.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from server.bots.question import choice_to_json, read_question
from server.bots.registry import strategy_of
from server.bots.strategy import Strategy

NICENESS = 10
"""A lower priority than the server, so that bots never delay the requests of people."""

READY = b'{"ready":true}\n'


def work(find: Callable[[str, str], Strategy] = strategy_of) -> None:
    """Answer requests until the input ends; `find` returns the strategy of a game and a strength."""
    # Redirect the output of print() to standard error, so that it is not taken for an answer.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # Signals to the process group are for the server; it closes our input when it has stopped.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(BrokenPipeError):
        answers.write(READY)
        for line in sys.stdin.buffer:
            request = json.loads(line)
            _set_alarm(request["deadline"])
            answer = _answer(find, request)
            _set_alarm(0)
            answers.write(json.dumps(answer).encode() + b"\n")


def _answer(find: Callable[[str, str], Strategy], request: dict[str, Any]) -> dict[str, Any]:
    try:
        question = read_question(request["question"])
        strategy = find(question.game, request["strength"])
        # A predictable seed is fine: a bot has no secrets beyond those of its seat.
        rng = Random(request["seed"])  # noqa: S311
        choice = strategy.choose(question, rng, request["seconds"])
        refusal = question.prompt.admit(choice.command)
        return choice_to_json(choice) if refusal is None else {"mistake": f"{choice.command}: {refusal.sentence}"}
    except Exception:  # noqa: BLE001 - the server logs it and plays the fallback
        return {"mistake": traceback.format_exc()}


def _set_alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    work()
