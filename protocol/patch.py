"""Structural patches between two views.

A patch is a list of operations, applied in order:

    ["set", path, value]                     set the value at the path
    ["drop", path]                           remove this key from its object
    ["splice", path, start, count, values]   in the list, replace `count` entries from `start` by these values

A path is a list of keys and indices from the root; the empty path is the root. `web/src/patch.js` applies the same
patches. Neither direction changes its arguments; results share parts with them.
"""

from __future__ import annotations

from typing import Any, Final

from protocol.codec import pack

Patch = list[list[Any]]
Path = list[str | int]


class Unpatchable(ValueError):
    """A patch was made for another view."""


# -- making ---------------------------------------------------------------------------------------------------

_MISSING: Final = object()


def difference(old: Any, new: Any) -> Patch:
    """Return the patch from the old view to the new one; it is empty if they are equal.

    Python's `==`, the only comparison that is fast enough, takes True for 1 inside lists and objects. So a place inside
    a list or an object must not change from 0 or 1 to false or true.
    """
    if type(new) not in _CONTAINERS and _same(old, new):
        return []
    return _changes(old, new, [])


def entries_changed(old: dict[str, Any], new: dict[str, Any], at: Path) -> Patch:
    """Return the patch from the old object to the new one, entry by entry; `at` is their path in the view."""
    patch: Patch = []
    for key, value in new.items():
        before = old.get(key, _MISSING)
        # `_same` written out: this loop visits every key of a view.
        if before is value or (type(before) is type(value) and before == value):
            continue
        patch += _changes(before, value, [*at, key])
    if not old.keys() <= new.keys():
        patch += [["drop", [*at, key]] for key in old if key not in new]
    return patch


def _same(old: Any, new: Any) -> bool:
    return old is new or (type(old) is type(new) and old == new)


def _changes(old: Any, new: Any, path: Path) -> Patch:
    """Return the patch between two lists or objects, or between other values that differ."""
    kind = type(new)
    if kind is type(old):
        if kind is list:
            return _changes_in_list(old, new, path)
        if kind is dict:
            return _changes_in_object(old, new, path)
    return [["set", path, new]]


def _changes_in_object(old: dict[str, Any], new: dict[str, Any], path: Path) -> Patch:
    return _or_whole(entries_changed(old, new, path), new, path)


def _changes_in_list(old: list[Any], new: list[Any], path: Path) -> Patch:
    dropped = _dropped_at_the_start(old, new)
    if dropped:
        left = len(old) - dropped
        patch: Patch = [["splice", path, 0, dropped, []]]
        if len(new) > left:
            patch.append(["splice", path, left, 0, new[left:]])
        return _or_whole(patch, new, path)
    common = min(len(old), len(new))
    changed = [index for index in range(common) if not _same(old[index], new[index])]
    patch = []
    for index in changed:
        patch += _changes(old[index], new[index], [*path, index])
    if len(old) != len(new):
        patch.append(["splice", path, common, len(old) - common, new[common:]])
    if len(patch) > 1:
        start = changed[0]
        at_the_end = next(
            (back for back in range(common - start) if not _same(old[-1 - back], new[-1 - back])), common - start
        )
        middle = new[start : len(new) - at_the_end]
        patch = _smaller(patch, [["splice", path, start, len(old) - start - at_the_end, middle]], middle)
    return _or_whole(patch, new, path)


def _dropped_at_the_start(old: list[Any], new: list[Any]) -> int:
    """Return how many entries a sliding list has dropped at its start; 0 for any other list."""
    if not old or not new or _same(old[0], new[0]) or new[0] not in old:
        return 0
    dropped = old.index(new[0])
    return dropped if _same(old[dropped:], new[: len(old) - dropped]) else 0


def _or_whole(patch: Patch, new: Any, path: Path) -> Patch:
    """Return the patch, or one that sets the whole value if that is smaller."""
    # If most entries are unchanged, or a large one changed only inside, the whole is hardly ever smaller, and measuring
    # it costs more than it saves.
    if len(patch) < 2 or len(new) > 3 * len(patch):
        return patch
    depth = len(path)
    if any(len(change[1]) > depth + 1 and _is_large(new[change[1][depth]]) for change in patch):
        return patch
    return _smaller(patch, [["set", path, new]], new)


def _is_large(part: Any) -> bool:
    """Return whether a part is too large to be sent as a whole for a change inside it."""
    return _min_bytes(part, _LARGE) >= _LARGE


_LARGE: Final = 64


def _smaller(patch: Patch, other: Patch, values: Any) -> Patch:
    """Return the smaller of two patches in bytes; `values` are those that the other one contains."""
    size = len(pack(patch))
    return patch if _min_bytes(values, size) >= size or len(pack(other)) >= size else other


def _min_bytes(whole: list[Any] | dict[str, Any], enough: int) -> int:
    """Return a lower bound of the encoded size of the values; stop counting at `enough`.

    Encoding a whole view only to learn that it is larger than its patch would cost more than everything else here.
    """
    total = len(whole)
    level: list[Any] = [whole]
    while level and total < enough:
        deeper: list[Any] = []
        for part in level:
            is_object = type(part) is dict
            if is_object:
                total += len("".join(part))
            deeper += [value for value in (part.values() if is_object else part) if type(value) in _CONTAINERS]
        total += sum(map(len, deeper))
        level = deeper
    return total


_CONTAINERS: Final = (dict, list)


# -- applying -------------------------------------------------------------------------------------------------


def patched(view: Any, patch: Patch) -> Any:
    """Return the view after the patch; raise `Unpatchable` if the patch was made for another view."""
    for operation in patch:
        match operation:
            case [str(), list(), *_]:
                view = _applied(operation, view, 0)
            case _:
                raise Unpatchable(f"{str(operation)[:100]} is not an operation.")
    return view


def _applied(operation: list[Any], part: Any, depth: int) -> Any:
    """Return the part of a view at this depth of the path after the operation."""
    path = operation[1]
    if depth == len(path):
        return _replaced(operation, part)
    key = path[depth]
    if type(part) is list and type(key) is int and 0 <= key < len(part):
        return [*part[:key], _applied(operation, part[key], depth + 1), *part[key + 1 :]]
    if type(part) is dict and type(key) is str:
        is_last = depth + 1 == len(path)
        if key in part and not (is_last and operation[0] == "drop"):
            return {**part, key: _applied(operation, part[key], depth + 1)}
        if key in part:
            return {name: value for name, value in part.items() if name != key}
        if is_last and operation[0] == "set":
            return {**part, key: _replaced(operation, None)}
    raise Unpatchable(f"The view has nothing at {str(path)[:100]}.")


def _replaced(operation: list[Any], part: Any) -> Any:
    match operation:
        case ["set", _, value]:
            return value
        case ["splice", _, int(start), int(count), list(values)] if type(part) is list:
            if start >= 0 and count >= 0 and start + count <= len(part):
                return [*part[:start], *values, *part[start + count :]]
    raise Unpatchable(f"{str(operation)[:100]} does not fit what the view has there.")
