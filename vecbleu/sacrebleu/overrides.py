"""Which methods of a class a program has overridden: in a subclass, an object or the class."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


class Methods:
    """Methods of a class as they are defined, whatever a program makes of the class later.

    Parameters
    ----------
    cls : type
        The class.
    *names : str
        Names of several methods.
    """

    def __init__(self, cls: type, *names: str) -> None:
        self._names = frozenset(names)
        self._of = attrgetter(*names)
        self._own = self._of(cls)

    def are_overridden(self, value: Any) -> bool:
        """Whether an object has another one of these methods; takes 0.6 us."""
        is_own = self._of(type(value)) == self._own
        return not (is_own and self._names.isdisjoint(value.__dict__))
