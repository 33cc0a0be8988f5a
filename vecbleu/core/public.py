"""Classes that belong to a public module, wherever they are defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, get_type_hints

Class = TypeVar("Class", bound=type)


def public(module: str) -> Callable[[Class], Class]:
    """Have a class carry its public module's name: pickles then outlive a change of layout.

    Annotations are resolved first, since they are looked up in the module that a class names.
    """

    def decorate(cls: Class) -> Class:
        cls.__annotations__ = get_type_hints(cls)
        cls.__module__ = module
        return cls

    return decorate
