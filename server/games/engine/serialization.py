"""JSON values, and how events and commands are written as JSON and read back.

Both encodings of the wire carry these values unchanged: None, bool, int, str, and lists and string-keyed mappings of
them. There are no floats (half points are integers) and no numeric keys, since JSON would return them as strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import NoneType, UnionType
from typing import Any, ClassVar, NamedTuple, Self, TypeGuard, Union, cast, get_args, get_origin, get_type_hints

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def wire_name(kind: type) -> str:
    """Return the name of a class on the wire and in logs: `StickPlaced` is `stick_placed`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether this is an int and not a bool."""
    return type(value) is int


class BadJson(ValueError):
    """A JSON value does not describe the expected class; the message says where."""


class Serializable:
    """A value in logs and messages: an event, a command, or a part of one. Subclasses are frozen dataclasses.

    Fields hold None, bool, int, str, other serializable values and tuples of these. A field that is None is not
    written. Events and commands write their name under a tag. A subclass with `family=True` knows all classes that are
    derived from it.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    tag: ClassVar[str | None] = None
    name: ClassVar[str]
    _family: ClassVar[dict[str, type[Serializable]] | None] = None

    def __init_subclass__(cls, *, family: bool = False) -> None:
        """Name the class and register it with the family that it is derived from, if any."""
        if "name" not in vars(cls):
            cls.name = wire_name(cls)
        if family:
            cls._family = {}
        elif cls._family is not None:
            # A dataclass with slots is made twice under the same qualified name; the second one counts.
            known = cls._family.setdefault(cls.name, cls)
            assert (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__), f"two named {cls.name}"
            cls._family[cls.name] = cls

    @classmethod
    def members(cls) -> tuple[type[Self], ...]:
        """Return all classes of this family in the order of their definition."""
        return tuple(cast("dict[str, type[Self]]", cls._family or {}).values())


_ATOMS = frozenset((bool, int, str))


def to_json(value: Serializable) -> dict[str, Json]:
    """Return the fields of a value by name, and its own name under its tag."""
    written: dict[str, Json] = {} if value.tag is None else {value.tag: value.name}
    for name in value.__match_args__:
        field = getattr(value, name)
        if field is not None:
            written[name] = field if type(field) in _ATOMS else value_to_json(field)
    return written


def value_to_json(value: Any) -> Json:
    """Return the value of a field as JSON."""
    if isinstance(value, tuple):
        return [part if type(part) in _ATOMS else value_to_json(part) for part in value]
    if isinstance(value, Serializable):
        return to_json(value)
    assert value is None or isinstance(value, (bool, int, str)), value
    return value


Read = Callable[[object], object]


class _Fields(NamedTuple):
    keys: frozenset[str]
    readers: tuple[tuple[str, Read], ...]


class JsonReader:
    """A reader that turns JSON values into instances of the given classes and refuses everything else."""

    def __init__(self, kinds: Iterable[type[Serializable]]) -> None:
        self._kinds: dict[tuple[str, str], type[Serializable]] = {}
        for kind in kinds:
            assert kind.tag is not None, kind
            self._kinds[kind.tag, kind.name] = kind
        self._fields: dict[type[Serializable], _Fields] = {}

    def read(self, tag: str, json_value: object) -> Serializable:
        """Return the event or command that a value describes; raise `BadJson` if it is none of the given classes."""
        if not isinstance(json_value, dict):
            raise BadJson("an object is expected")
        name = json_value.get(tag)
        kind = self._kinds.get((tag, name)) if isinstance(name, str) else None
        if kind is None:
            raise BadJson(f"unknown {tag} {str(name)[:40]!r}")
        return self._read_fields(kind, json_value)

    def _read_fields(self, kind: type[Serializable], json_value: object) -> Serializable:
        if not isinstance(json_value, dict):
            raise BadJson(f"{kind.name} is not an object")
        fields = self._fields.get(kind)
        if fields is None:
            fields = self._fields[kind] = self._fields_of(kind)
        if not json_value.keys() <= fields.keys:
            raise BadJson(f"{kind.name} has no field {min(map(str, json_value.keys() - fields.keys))!r}")
        values = []
        for name, read in fields.readers:
            try:
                values.append(read(json_value.get(name)))
            except BadJson as reason:
                raise BadJson(f"{kind.name}.{name}: {reason}") from None
        return kind(*values)

    def _fields_of(self, kind: type[Serializable]) -> _Fields:
        hints = get_type_hints(kind)
        readers = tuple((name, self._reader(hints[name])) for name in kind.__match_args__)
        tag = () if kind.tag is None else (kind.tag,)
        return _Fields(frozenset((*kind.__match_args__, *tag)), readers)

    def _reader(self, hint: Any) -> Read:
        origin = get_origin(hint)
        if origin is tuple:
            return self._tuple_reader(get_args(hint))
        if origin in (Union, UnionType):
            return self._union_reader(get_args(hint))
        if isinstance(hint, type) and issubclass(hint, Serializable):
            tag = hint.tag
            return (
                (lambda value: self._read_fields(hint, value)) if tag is None else lambda value: self.read(tag, value)
            )
        assert hint in (int, str, bool, NoneType), f"a serializable field cannot hold {hint}"

        def read(value: object) -> object:
            if type(value) is not hint:
                raise BadJson(f"{str(value)[:40]!r} is not of the kind {hint.__name__}")
            return value

        return read

    def _tuple_reader(self, parts: tuple[Any, ...]) -> Read:
        alike = self._reader(parts[0]) if len(parts) == 2 and parts[1] is Ellipsis else None
        each = [] if alike else [self._reader(part) for part in parts]

        def read(value: object) -> object:
            if not isinstance(value, list):
                raise BadJson("a list is expected")
            if alike:
                return tuple(alike(part) for part in value)
            if len(value) != len(each):
                raise BadJson(f"{len(each)} values are expected, not {len(value)}")
            return tuple(reader(part) for reader, part in zip(each, value, strict=True))

        return read

    def _union_reader(self, parts: tuple[Any, ...]) -> Read:
        readers = [self._reader(part) for part in parts]

        def read(value: object) -> object:
            for reader in readers:
                try:
                    return reader(value)
                except BadJson:
                    continue
            raise BadJson(f"{str(value)[:40]!r} is of none of the {len(readers)} kinds that are possible")

        return read
