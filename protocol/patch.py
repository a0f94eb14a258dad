"""Patches: how one view becomes the next, in less than the whole next view.

A patch is a list of operations, carried out in order:

    ["set", path, value]                     the value at the path is now this one
    ["drop", path]                           the object has this key no longer
    ["splice", path, start, count, values]   in the list, these values stand in place of `count` entries from `start`

A path is a list of keys and indices from the root; the empty path is the root itself. `web/src/patch.js` reads the same
patches. Views are plain values; neither function changes its arguments, and what it gives shares parts with them.
"""

from __future__ import annotations

from typing import Any, Final

from protocol.codec import pack

Patch = list[list[Any]]
Path = list[str | int]


class Unpatchable(ValueError):
    """A patch does not belong to this view."""


# -- making ---------------------------------------------------------------------------------------------------

_MISSING: Final = object()


def difference(old: Any, new: Any) -> Patch:
    """Give the patch that makes the old view the new one; it is empty when they are the same.

    Python takes True for 1 when it compares lists and objects, and nothing else is fast enough to compare them. So a
    place within a list or an object must not hold 0 or 1 in one view and false or true in the next.
    """
    if type(new) not in _CONTAINERS and _same(old, new):
        return []
    return _changes(old, new, [])


def entries_changed(old: dict[str, Any], new: dict[str, Any], at: Path) -> Patch:
    """Give the patch that makes the old object, which lies at this place of a view, the new one entry by entry."""
    patch: Patch = []
    for key, value in new.items():
        before = old.get(key, _MISSING)
        if before is not value and not _same(before, value):
            patch += _changes(before, value, [*at, key])
    if not old.keys() <= new.keys():
        patch += [["drop", [*at, key]] for key in old if key not in new]
    return patch


def _same(old: Any, new: Any) -> bool:
    return old is new or (type(old) is type(new) and old == new)


def _changes(old: Any, new: Any, path: Path) -> Patch:
    """Give the patch between two lists or objects, or between other values that are not the same."""
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
    gone = _gone_at_the_start(old, new)
    if gone:
        left = len(old) - gone
        patch: Patch = [["splice", path, 0, gone, []]]
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


def _gone_at_the_start(old: list[Any], new: list[Any]) -> int:
    """Give how many entries a list of the latest things has lost at its start; 0 for any other list."""
    if not old or not new or _same(old[0], new[0]) or new[0] not in old:
        return 0
    gone = old.index(new[0])
    return gone if _same(old[gone:], new[: len(old) - gone]) else 0


def _or_whole(patch: Patch, new: Any, path: Path) -> Patch:
    """Give a patch that sets the whole where that is smaller than changing entries of it."""
    # Where most entries stayed as they were, or a large one changed only within, the whole is hardly ever smaller;
    # looking would cost more than it saves.
    if len(patch) < 2 or len(new) > 3 * len(patch):
        return patch
    depth = len(path)
    if any(len(change[1]) > depth + 1 and _is_large(new[change[1][depth]]) for change in patch):
        return patch
    return _smaller(patch, [["set", path, new]], new)


def _is_large(part: Any) -> bool:
    """Tell whether a part is not likely to be sent as a whole for a change within it."""
    return _least_bytes(part, _LARGE) >= _LARGE


_LARGE: Final = 64


def _smaller(patch: Patch, other: Patch, values: Any) -> Patch:
    """Give the other patch, which brings these values, where it takes fewer bytes."""
    size = len(pack(patch))
    return patch if _least_bytes(values, size) >= size or len(pack(other)) >= size else other


def _least_bytes(whole: list[Any] | dict[str, Any], enough: int) -> int:
    """Give a number of bytes that the values take at least, without counting on when that is enough.

    Encoding a whole view only to learn that it is larger than its patch would take longer than all the rest.
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
    """Give the view after the patch; raise `Unpatchable` if it was made for another view."""
    for operation in patch:
        match operation:
            case [str(), list(), *_]:
                view = _applied(operation, view, 0)
            case _:
                raise Unpatchable(f"{str(operation)[:100]} is not an operation.")
    return view


def _applied(operation: list[Any], part: Any, depth: int) -> Any:
    """Give what the part of a view, which lies at this depth of the path, is after the operation."""
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
