"""Patches: how one view becomes the next, in less than the whole next view.

A patch is a list of operations, carried out in order:

    ["set", path, value]                     the value at the path is now this one
    ["drop", path]                           the object has this key no longer
    ["splice", path, start, count, values]   in the list, these values stand in place of `count` entries from `start`

A path is a list of keys and indices from the root; the empty path is the root itself. `web/src/patch.js` reads the same
patches. Views are plain values; neither function changes its arguments, and what it gives shares parts with them.
"""

from __future__ import annotations

from operator import is_
from typing import Any, Final

import msgpack

Patch = list[list[Any]]
Path = list[str | int]


class Unpatchable(ValueError):
    """A patch does not belong to this view."""


# -- making ---------------------------------------------------------------------------------------------------

_MISSING: Final = object()
_pack = msgpack.Packer().pack


def difference(old: Any, new: Any) -> Patch:
    """Give the patch that makes the old view the new one; it is empty when they are the same.

    What is the same object in both is not looked into, so views that share parts are compared faster.
    """
    return [] if old is new else _changes(old, new, [])


def _changes(old: Any, new: Any, path: Path) -> Patch:
    # Python takes True for 1; whoever reads the patch does not. So types are compared before values.
    kind = type(new)
    if kind is not type(old):
        return [["set", path, new]]
    if kind is dict:
        return _changes_in_object(old, new, path)
    if kind is list:
        return _changes_in_list(old, new, path)
    return [] if old == new else [["set", path, new]]


def _changes_in_object(old: dict[str, Any], new: dict[str, Any], path: Path) -> Patch:
    patch: Patch = []
    for key, value in new.items():
        before = old.get(key, _MISSING)
        if before is not value:
            patch += _changes(before, value, [*path, key])
    if not old.keys() <= new.keys():
        patch += [["drop", [*path, key]] for key in old if key not in new]
    return _or_whole(patch, new, path) if len(patch) > 1 else patch


def _changes_in_list(old: list[Any], new: list[Any], path: Path) -> Patch:
    if len(old) == len(new) and all(map(is_, old, new)):
        return []
    patch: Patch = []
    for index, (before, value) in enumerate(zip(old, new, strict=False)):
        if before is not value:
            patch += _changes(before, value, [*path, index])
    common = min(len(old), len(new))
    if len(old) != len(new):
        patch.append(["splice", path, common, len(old) - common, new[common:]])
    if len(patch) < 2:
        return patch
    start = next(index for index in range(common) if not _same(old[index], new[index]))
    end = next((back for back in range(common - start) if not _same(old[-1 - back], new[-1 - back])), common - start)
    middle = new[start : len(new) - end]
    spliced = ["splice", path, start, len(old) - start - end, middle]
    return _or_whole(_smaller(patch, [spliced], middle), new, path)


def _same(old: Any, new: Any) -> bool:
    return old is new or (old == new and not _changes(old, new, []))


def _or_whole(patch: Patch, new: Any, path: Path) -> Patch:
    return _smaller(patch, [["set", path, new]], new)


def _smaller(patch: Patch, other: Patch, values: Any) -> Patch:
    """Give the other patch, which brings these values, where it takes fewer bytes."""
    size = len(_pack(patch))
    if _least_bytes(values, size) >= size or len(_pack(other)) >= size:
        return patch
    return other


def _least_bytes(value: Any, enough: int) -> int:
    """Give a number of bytes that the value takes at least, without counting on when that is enough.

    Encoding a whole view only to learn that it is larger than a patch would take longer than all the rest.
    """
    kind = type(value)
    if kind is str:
        return 1 + len(value)
    if kind is dict:
        total = 1 + 2 * len(value)
        parts = value.values()
    elif kind is list:
        total = 1 + len(value)
        parts = value
    else:
        return 1
    for part in parts:
        if total >= enough:
            break
        if type(part) is not int:
            total += _least_bytes(part, enough - total) - 1
    return total


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
