"""Our dataclasses do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from abc import ABC, abstractmethod
from typing import ClassVar, get_type_hints

import pytest

from vecbleu.core import records


class Named:
    __slots__ = ()

    def hello(self):
        return f"hello {self.name}"


class Shape(ABC):
    __slots__ = ()

    @abstractmethod
    def size(self): ...


def classes(dataclass, suffix):
    """A plain class, one that inherits, one with its own methods, and an abstract one."""

    @dataclass(frozen=True, slots=True)
    class Plain(Named):
        name: str
        number: int = 3
        kind: ClassVar[str] = "kind"

    @dataclass(frozen=True, slots=True)
    class Inheriting(Plain):
        number: int = 4
        more: tuple = ()

        def __post_init__(self):
            if self.number < 0:
                raise ValueError("number is negative")

    @dataclass(frozen=True, slots=True, eq=False, repr=False)
    class Own:
        one: int

        def __repr__(self):
            return "own"

    @dataclass(frozen=True, slots=True)
    class Abstract(Shape):
        one: int

    found = Plain, Inheriting, Own, Abstract
    for one in found:
        one.__qualname__ = one.__name__ + suffix
        globals()[one.__qualname__] = one  # where pickle looks for it
    return found


OURS = classes(records.dataclass, "")
THEIRS = classes(dataclasses.dataclass, "OfPython")


def outcome(check, kinds):
    """What a call returns or raises, in words that do not tell the two kinds apart."""
    try:
        found = repr(check(*kinds))
    except Exception as error:
        found = f"{type(error)}: {error}"
    return found.replace("OfPython", "").replace("classes.<locals>.", "")


@pytest.mark.parametrize(
    "check",
    [
        lambda plain, *_: plain("a"),
        lambda plain, *_: plain("a", 5),
        lambda plain, *_: plain(number=1, name="b"),
        lambda plain, *_: plain(),
        lambda plain, *_: plain("a", 1, 2),
        lambda plain, *_: plain("a", name="b"),
        lambda plain, *_: plain("a", other=1),
        lambda plain, *_: plain("a").hello(),
        lambda plain, *_: plain.kind,
        lambda plain, *_: plain("a") == plain("a", 3),
        lambda plain, *_: plain("a") == plain("a", 4),
        lambda plain, *_: plain("a") == ("a", 3),
        lambda plain, *_: hash(plain("a", 3)) == hash(plain("a")),
        lambda plain, *_: hash(plain("a", [])),
        lambda plain, *_: plain.__match_args__,
        lambda plain, *_: plain.__init__.__qualname__,
        lambda plain, *_: inspect.signature(plain),
        lambda plain, *_: get_type_hints(plain.__init__),
        lambda plain, *_: setattr(plain("a"), "name", "b"),
        lambda plain, *_: delattr(plain("a"), "name"),
        lambda plain, *_: dataclasses.is_dataclass(plain),
        lambda plain, *_: dataclasses.asdict(plain("a")),
        lambda plain, *_: dataclasses.replace(plain("a"), number=7),
        lambda plain, *_: dataclasses.replace(plain("a"), other=7),
        lambda plain, *_: copy.copy(plain("a")),
        lambda plain, *_: pickle.loads(pickle.dumps(plain("a", [1]))),
        lambda plain, *_: plain("a").__getstate__(),
        lambda _, inheriting, *__: inheriting("a"),
        lambda _, inheriting, *__: inheriting("a", 1, (2,)),
        lambda _, inheriting, *__: inheriting("a", -1),
        lambda plain, inheriting, *_: inheriting("a", 3) == plain("a", 3),
        lambda _, inheriting, *__: [
            (one.name, one.type, one.default) for one in dataclasses.fields(inheriting)[:2]
        ],
        lambda _, __, own, *___: own(1),
        lambda _, __, own, *___: own(1) == own(1),
        lambda *kinds: kinds[-1](1),
    ],
)
def test_they_are_like_those_of_the_standard_library(check):
    assert outcome(check, OURS) == outcome(check, THEIRS)


def test_only_fields_can_be_set_at_all():
    plain, *_ = OURS
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'other'"):
        plain("a").other = 1


def test_replace_keeps_the_other_fields():
    plain, inheriting, *_ = OURS
    assert records.replace(plain("a", 5), name="b") == plain("b", 5)
    assert records.replace(inheriting("a"), more=(1,)) == inheriting("a", 4, (1,))
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        records.replace(plain("a"), other=1)


def test_a_pickle_from_before_a_field_with_a_default_was_added():
    plain = OURS[0]
    old = plain.__new__(plain)
    old.__setstate__(["a"])
    assert old == plain("a")
    with pytest.raises(KeyError, match="name"):
        old.__setstate__([])
    with pytest.raises(ValueError, match="longer"):
        old.__setstate__(["a", 1, 2])
