"""Errors of arguments: they carry fields, and their message is made from these."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, TypeVar

# Where a value is: the name of an argument, or the path of a file, then the index in it.
Place = tuple[Any, ...]

Checked = TypeVar("Checked")
AnyClass = TypeVar("AnyClass", bound=type)


def named_as(public: str) -> Callable[[AnyClass], AnyClass]:
    """Let Python's errors name the methods of an internal base class as those of a public one."""

    def decorate(kind: AnyClass) -> AnyClass:
        for name, member in vars(kind).items():
            function = getattr(member, "__func__", member)  # of a class method
            if isinstance(function, FunctionType):
                function.__qualname__ = f"{public}.{name}"
        return kind

    return decorate


class Line(int):
    """The number of a line, from 1: the index in a file."""


def place_text(place: Place) -> str:
    """Return where a value is: as code would select it, or as a file and its line."""
    text: str
    text, *index = place
    for step in index:
        text += f": line {step}" if isinstance(step, Line) else f"[{step!r}]"
    return text


@named_as("ArgumentError")
class ArgumentFields:
    """Hold what is wrong with an argument; the base of the errors and the warning below.

    The function that finds it knows the value. The call that passed the value knows the name of the
    argument, and adds it. `message` can use another name, such as that of an option. In `found` and
    `advice`, "{argument}" stands for what the function was passed.
    """

    def __init__(
        self,
        found: str = "",  # a clause, such as "is 'x'" or "has 2 segments but references has 3"
        expected: str = "",
        advice: str = "",
        *,
        argument: str = "",
        index: tuple[Any, ...] = (),
    ) -> None:
        self.found = found
        self.expected = expected
        self.advice = advice
        self.argument = argument
        self.index = index

    def add_name(self, argument: str, *index: object) -> None:
        """Name the argument, unless it is named; `index` is where in it the value is."""
        if not self.argument:
            self.argument = argument
            self.index = (*index, *self.index)
            inside = place_text(("{argument}", *index))
            self.found = self.found.replace("{argument}", inside)
            self.advice = self.advice.replace("{argument}", inside)

    def name_unit(self, locate: Callable[[int], Place]) -> None:
        """Name the argument of a unit, unless it is named; the number of the unit is the index."""
        if self.index and not self.argument:
            place = locate(*self.index)
            self.argument = place[0]
            self.index = place[1:]

    def message(self, name: str) -> str:
        """Return the message under this name of the argument."""
        text = f"{place_text((name, *self.index))} {self.found}".lstrip()
        if self.expected:
            text += f", expected {self.expected}"
        if self.advice:
            text += f"; {self.advice}"
        return text.replace("{argument}", name)

    def __str__(self) -> str:
        return self.message(self.argument)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.found,), self.__dict__


class ArgumentError(ArgumentFields, ValueError):
    """An argument has a value that is not allowed; a ValueError.

    Attributes
    ----------
    argument : str
        The name of the argument.
    index : tuple
        Where in the argument the value is; empty if it is the argument itself.
    found, expected, advice : str
        What is wrong, what would be right, and what to write instead; empty if there is none.

    Examples
    --------
    >>> import vecbleu
    >>> try:
    ...     vecbleu.corpus_bleu(["a"], ["a"], max_order=0)
    ... except vecbleu.ArgumentError as error:
    ...     print(error.argument, "|", error.found, "|", error.expected)
    max_order | is 0 | 1 to 100
    """

    __module__ = "vecbleu"


class ArgumentTypeError(ArgumentFields, TypeError):
    """An argument has the wrong type; a TypeError.

    Attributes
    ----------
    argument, index, found, expected, advice
        As of `ArgumentError`.

    Examples
    --------
    >>> import vecbleu
    >>> try:
    ...     vecbleu.corpus_bleu(["a", None], ["a", "b"])
    ... except vecbleu.ArgumentTypeError as error:
    ...     print(error.argument, error.index)
    hypotheses (1,)
    """

    __module__ = "vecbleu"


class InputWarning(ArgumentFields, UserWarning):
    """Input can be scored, but is probably a mistake; the category of all warnings about input.

    Attributes
    ----------
    argument, index, found, expected, advice
        As of `ArgumentError`.

    Examples
    --------
    >>> import vecbleu, warnings
    >>> warnings.simplefilter("error", vecbleu.InputWarning)  # or "ignore", to silence it
    >>> try:
    ...     vecbleu.corpus_bleu(["the &#39;cat&#39;"], ["the 'cat'"])
    ... except vecbleu.InputWarning as warning:
    ...     print(warning.advice)
    unescape it first, by html.unescape
    """

    __module__ = "vecbleu"


class argument:  # noqa: N801  # like `contextlib.suppress`; a generator would take longer
    """Name the argument, or where in it a value is, in errors that are raised inside."""

    __slots__ = ("_index", "_name")

    def __init__(self, name: str, *index: object) -> None:
        self._name = name
        self._index = index

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, ArgumentFields):
            error.add_name(self._name, *self._index)


def checked_each(check: Callable[[Any], Checked], values: Iterable[object]) -> list[Checked]:
    """Return each value as it is checked; an error knows the index of its value."""
    checked: list[Checked] = []
    try:  # once, since there may be as many values as segments
        for value in values:
            checked.append(check(value))  # noqa: PERF401  # its length is the index
    except Exception as error:
        if isinstance(error, ArgumentFields):
            error.add_name("", len(checked))
        raise
    return checked
