"""Frozen classes of named fields: dataclasses, for which importing a module compiles nothing.

The standard library's decorator writes the methods of a class as source text and compiles them
when the class is defined. That takes 1 ms a class, in which 0.03 ms are enough, and was more than
half of the time of importing this package. Here methods are the same functions for all classes,
and only ``__init__``, whose parameters differ, is compiled: in 0.1 ms, when a class is first used.
As it writes to the slots themselves, a call with two fields takes 0.26 us, a dataclass's 0.43;
one that takes ``*values, **named`` needs no compilation, but 0.62 us a call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn


def _dataclass(
    *,
    frozen: bool,
    slots: bool,
    eq: bool = True,
    repr: bool = True,  # noqa: A002
) -> Callable[[type], type]:
    """The standard library's decorator for classes that are frozen and have slots."""
    assert frozen
    assert slots
    generated = _ALWAYS | (_EQUALITY if eq else {}) | ({"__repr__": _repr} if repr else {})
    return lambda cls: _with_fields(cls, generated)


def _with_fields(cls: type, generated: dict[str, Any]) -> type:
    """The class with slots for its annotations, and with methods that it does not define itself."""
    namespace = generated | vars(cls)
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    hints = {name: hint for name, hint in cls.__annotations__.items() if "ClassVar" not in hint}
    inherited = field_names(cls)
    given = {name: namespace.pop(name) for name in hints if name in namespace}
    namespace["_field_hints"] = getattr(cls, "_field_hints", {}) | hints
    namespace["_field_defaults"] = getattr(cls, "_field_defaults", {}) | given
    namespace["__match_args__"] = tuple(namespace["_field_hints"])
    namespace["__slots__"] = tuple(name for name in hints if name not in inherited)
    namespace["__init__"] = _WhenUsed(partial(_compile_init, cls.__module__))
    for name in ("__dataclass_fields__", "__dataclass_params__"):
        namespace[name] = _WhenUsed(partial(_from_dataclass, name))
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


def field_names(record: Any) -> tuple[str, ...]:
    """Names of the fields of an object or a class, in order."""
    names: tuple[str, ...] = getattr(record, "__match_args__", ())
    return names


class _WhenUsed:
    """An attribute of a class that is made when it is first used."""

    def __init__(self, make: Callable[[type], Any]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        setattr(self._owner, self._name, self._make(self._owner))
        return getattr(owner if instance is None else instance, self._name)


def _compile_init(module: str, cls: Any) -> Any:
    """Write ``__init__`` with the fields as parameters, and compile it in a module's namespace."""
    hints, defaults = cls._field_hints, cls._field_defaults
    parameters = [f"{name}=_defaults[{name!r}]" if name in defaults else name for name in hints]
    lines = [f"_set_{name}(self, {name})" for name in hints]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    scope = {f"_set_{name}": getattr(cls, name).__set__ for name in hints} | {"_defaults": defaults}
    source = f"""
def make({", ".join(scope)}):
    def __init__({", ".join(["self", *parameters])}):
        {"; ".join(lines) or "pass"}
    return __init__
"""
    found: dict[str, Any] = {}
    # Not `exec` of a string: after Ctrl-C in that, Python ends by the signal, whoever catches it.
    code = compile(source, f"<{cls.__qualname__}.__init__>", "exec")
    exec(code, vars(sys.modules[module]), found)
    init = found["make"](**scope)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = hints | {"return": None}
    return init


def _from_dataclass(name: str, cls: Any) -> Any:
    """What `dataclasses.fields`, `replace` and `is_dataclass` look for."""
    from dataclasses import field, make_dataclass

    defaults = cls._field_defaults
    fields = [
        (name, hint, field(default=defaults[name]) if name in defaults else field())
        for name, hint in cls._field_hints.items()
    ]
    like = make_dataclass(cls.__name__, fields, init=False, repr=False, eq=False, frozen=True)
    return getattr(like, name)


def _values(self: Any) -> tuple[Any, ...]:
    """The values of all fields."""
    return tuple([getattr(self, name) for name in self.__match_args__])


def _repr(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({fields})"


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _refuse(self: Any, name: str, change: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {change} field {name!r}")


def _setattr(self: Any, name: str, value: Any) -> None:
    if _is_frozen(self, name):
        _refuse(self, name, "assign to")
    object.__setattr__(self, name, value)


def _delattr(self: Any, name: str) -> None:
    if _is_frozen(self, name):
        _refuse(self, name, "delete")
    object.__delattr__(self, name)


def _is_frozen(self: Any, name: str) -> bool:
    """Whether it is a field; a class of a user's that inherits from one of ours can have others."""
    return name in self.__match_args__ or "__match_args__" in vars(type(self))


def _getstate(self: Any) -> list[Any]:
    """The state of a pickle: a list, as dataclasses with slots write it."""
    return [*_values(self)]


def set_fields(self: Any, state: list[Any]) -> None:
    """Take over the state of a pickle."""
    names, defaults = self.__match_args__, self._field_defaults
    added = [defaults[name] for name in names[len(state) :]]  # since the pickle was written
    for name, value in zip(names, [*state, *added], strict=True):
        object.__setattr__(self, name, value)


def _replace(record: Any, /, **changes: Any) -> Any:
    """A record with other values in some fields."""
    values = {name: getattr(record, name) for name in record.__match_args__}
    return type(record)(**(values | changes))


_ALWAYS = {
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": set_fields,
    "__replace__": _replace,
}
_EQUALITY = {"__eq__": _eq, "__hash__": _hash}

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:
    dataclass, replace = _dataclass, _replace
