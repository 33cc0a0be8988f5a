"""Define how options are declared and checked, and the options that all metrics share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import Field, dataclass, field
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from vecbleu.arguments.checks import checked_ids, checked_integer, import_extra
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError

Ids = int | str | Iterable[int | str]


class Executor(Protocol):
    """The part of `concurrent.futures.Executor` that is used; Dask and mpi4py have it, too."""

    def submit(self, fn: Callable[..., object], /, *args: object) -> object:
        """Schedule a call, and return a future of its result."""


# A limit, since each order adds two counts to every segment and takes time.
MOST_ORDERS = 100


class Declared(NamedTuple):
    """Describe an option: its default, its check, and its place on the command line."""

    default: object  # as users pass it
    check: Callable[[object], Any]  # returns what the field holds; its errors need no name
    flags: str  # of the command line; empty if it has none
    summary: str  # for --help
    tried: Sequence[object]  # other values that people use, to find the settings of a score


def option(
    default: object,
    check: Callable[[object], object],
    flags: str = "",
    summary: str = "",
    tried: Sequence[object] = (),
) -> Any:
    """Declare a field of a group of options."""
    if isinstance(default, bool):
        tried = (not default,)
    declared = Declared(default, check, flags, summary, tried)
    return field(default=check(default), metadata={"option": declared})


class OptionGroup:
    """Options that belong together: the base of frozen dataclasses whose fields are `option`s."""

    declared: ClassVar[dict[str, Declared]] = {}  # by name

    def __init_subclass__(cls) -> None:
        cls.declared = cls.declared | {
            name: value.metadata["option"]
            for name, value in vars(cls).items()
            if isinstance(value, Field)
        }

    @classmethod
    def checked(cls, **values: object) -> Self:
        """Check options as users pass them; an error names the option."""
        chosen = {}
        for name, value in values.items():
            declared = cls.declared[name]
            if value is not declared.default:
                try:  # no `with`, which would take longer than the checks
                    chosen[name] = declared.check(value)
                except (ArgumentError, ArgumentTypeError) as error:
                    error.add_name(name)
                    raise
        return cls(**chosen) if chosen else cls._default()

    @classmethod
    @cache
    def _default(cls) -> Self:
        """Return the options of calls that pass none, made once."""
        return cls()


def _checked_special(ids: object) -> tuple[int | str, ...]:
    """Return ids as `checked_ids` does, or string tokens."""
    listed = [ids] if isinstance(ids, str) else ids
    if isinstance(listed, (list, tuple, AbstractSet)) and all(
        isinstance(one, str) for one in listed
    ):
        return tuple(sorted(set(map(str, listed))))
    return checked_ids(listed)


def _checked_ends(eos_id: object) -> tuple[int | str, ...]:
    return () if eos_id is None else _checked_special(eos_id)


@dataclass(frozen=True)
class SpecialIds(OptionGroup):
    """Ids or string tokens to ignore, and those that end a sequence; sorted, without duplicates."""

    ignore_ids: tuple[int | str, ...] = option((), _checked_special)
    eos_id: tuple[int | str, ...] = option(None, _checked_ends)


NO_SPECIAL_IDS = SpecialIds()


def _checked_workers(workers: Any) -> int | Executor | None:
    """Check the number of processes, or an executor."""
    if workers is None:
        return None
    if callable(getattr(workers, "submit", None)) and not isinstance(workers, type):
        executor: Executor = workers
        return executor
    return checked_integer(workers, 1, or_else=", a concurrent.futures.Executor or None")


def checked_progress(progress: object) -> bool | None:
    """Check `progress`; None shows a bar on a terminal if tqdm is installed."""
    if progress is not None and not isinstance(progress, bool):
        raise ArgumentTypeError(f"is {progress!r}", "True, False or None")
    if progress:
        import_extra("progress needs", "progress", "tqdm")
    return progress


@dataclass(frozen=True)
class RunOptions(OptionGroup):
    """Options for worker processes and the progress bar."""

    # None: chosen by the work and the number of cores.
    workers: int | Executor | None = option(None, _checked_workers)
    progress: bool | None = option(False, checked_progress)

    @property
    def processes(self) -> int | None:
        """The number of processes, if it is given."""
        return self.workers if isinstance(self.workers, int) else None

    @property
    def executor(self) -> Executor | None:
        """The user's executor, which replaces our worker processes."""
        return None if isinstance(self.workers, int) else self.workers

    def __reduce__(self) -> tuple[object, ...]:
        return RunOptions, (self.processes, self.progress)  # few executors can be pickled


DEFAULT_RUN = RunOptions()
