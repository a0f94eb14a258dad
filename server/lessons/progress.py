"""How far each user has come in each lesson."""

from __future__ import annotations

import json
from typing import Any, Final

from server.lessons.lesson import lesson_names, lesson_of
from server.store.api import KeyValueStore

LESSON: Final = "lesson"
"""The kind of the stored values; a key is the id of the user."""


class LessonProgress:
    """The progress of all users."""

    def __init__(self, key_values: KeyValueStore) -> None:
        self._key_values = key_values

    async def of(self, user_id: str) -> dict[str, dict[str, Any]]:
        """Return, for each lesson, how many steps it has, the step that the user is at, and whether it was finished."""
        stored = await self.stored(user_id)
        shown: dict[str, dict[str, Any]] = {}
        for game in lesson_names():
            lesson = lesson_of(game)
            assert lesson is not None
            ids = [step.id for step in lesson.steps]
            reached = stored.get(game, {})
            # A lesson that was changed since goes on from its beginning.
            step = ids.index(reached["step"]) if reached.get("step") in ids else 0
            shown[game] = {"steps": len(ids), "step": step, "done": bool(reached.get("done"))}
        return shown

    async def keep(self, user_id: str, game: str, step_id: str, *, is_done: bool) -> None:
        """Store the step that a user is at. A lesson that was finished once stays finished."""
        while True:
            before = await self._key_values.get(LESSON, user_id)
            stored = _read(before)
            done = is_done or bool(stored.get(game, {}).get("done"))
            after = {**stored, game: {"step": step_id, "done": done}}
            if after == stored:
                return
            value = json.dumps(after, separators=(",", ":")).encode()
            if await self._replaced(user_id, before, value):
                return

    async def _replaced(self, user_id: str, before: bytes | None, value: bytes) -> bool:
        if before is None:
            return await self._key_values.put_if_absent(LESSON, user_id, value)
        return await self._key_values.replace(LESSON, user_id, before, value)

    async def stored(self, user_id: str) -> dict[str, dict[str, Any]]:
        """Return what is stored about a user: the step, by its id, and whether the lesson was finished."""
        return _read(await self._key_values.get(LESSON, user_id))


def _read(value: bytes | None) -> dict[str, dict[str, Any]]:
    if value is None:
        return {}
    stored: dict[str, dict[str, Any]] = json.loads(value)
    return stored
