"""Reads a trace of Chromium: the processor time of the main thread of a page, by kind of work and by task."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8.execute"]

_KINDS = {
    "style": ("UpdateLayoutTree", "ParseAuthorStyleSheet"),
    "layout": ("Layout",),
    "paint": ("PrePaint", "Paint", "Layerize", "UpdateLayer", "Commit"),
    "script": (
        *("FunctionCall", "RunMicrotasks", "EvaluateScript", "v8.run", "v8.callFunction", "EventDispatch"),
        *("TimerFire", "FireAnimationFrame", "MinorGC", "MajorGC"),
    ),
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names}

KINDS = (*_KINDS, "other")


@dataclass
class Work:
    """Milliseconds of processor time on the main thread."""

    by_kind: Counter[str] = field(default_factory=Counter)
    tasks: list[float] = field(default_factory=list)


def work_of(trace: bytes) -> Work:
    """Return the work of the main thread that called the most functions."""
    events = [event for event in json.loads(trace)["traceEvents"] if event.get("ph") == "X"]
    calls = Counter((event["pid"], event["tid"]) for event in events if event["name"] == "FunctionCall")
    main = calls.most_common(1)[0][0]
    own = sorted(
        (event for event in events if (event["pid"], event["tid"]) == main),
        key=lambda event: (event["ts"], -event.get("dur", 0)),
    )
    work = Work()
    stack: list[dict[str, Any]] = []
    for event in own:
        while stack and stack[-1]["ts"] + stack[-1].get("dur", 0) <= event["ts"]:
            stack.pop()
        milliseconds = event.get("tdur", 0) / 1000
        if stack:
            # What happens within other work does not count for that, too.
            work.by_kind[stack[-1]["kind"]] -= milliseconds
        around = stack[-1]["kind"] if stack else "other"
        kind = _KIND_OF.get(event["name"], around)
        work.by_kind[kind] += milliseconds
        stack.append({**event, "kind": kind})
        if event["name"] == "RunTask":
            work.tasks.append(milliseconds)
    return work
