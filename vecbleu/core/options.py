"""Define options: their types, defaults and checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from numbers import Real
from operator import itemgetter
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, TypeVar, cast, get_args

import numpy as np
import numpy.typing as npt

from vecbleu.core.checks import check_name, checked_bool, checked_integer, import_extra
from vecbleu.kernel.ragged import checked_ids
from vecbleu.show.signature import Signature
from vecbleu.text.tokenizers import resolve_tokenizer
from vecbleu.text.tokens import TokenEncoder, Tokenizer

Tokenize = str | Callable[[str], Sequence[str]]
RefLength = Literal["closest", "shortest", "longest"]
Smoothing = Literal["none", "floor", "add-k", "exp", "skip-zero"]
Weights = Sequence[float] | npt.NDArray[np.floating[Any]]
Ids = int | Iterable[int]


class Executor(Protocol):
    """The part of `concurrent.futures.Executor` that is used; Dask and mpi4py have it, too."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Schedule a call, and return a future of its result."""


# Default of `smoothing_value`; None if a smoothing takes no value.
SMOOTHING_VALUES: dict[Smoothing, float | None] = {
    "none": None,
    "floor": 0.1,
    "add-k": 1.0,
    "exp": None,
    "skip-zero": None,
}

# A limit, since each order adds two counts to every segment and takes time.
MOST_ORDERS = 100

# Limits of weights and smoothing values: no product or quotient of these overflows.
_LEAST, _MOST = 1e-100, 1e100

_OF_NLTK = (
    "; NLTK's method0 to method3 are the first four, and vecbleu.nltk.corpus_bleu takes "
    "its smoothing functions"
)


class CountOptions(NamedTuple):
    """Options that change counts. `tokenize` and `lowercase` are for text alone."""

    tokenize: Tokenizer
    lowercase: bool = False
    max_order: int = 4
    ref_length: RefLength = "closest"

    @classmethod
    def checked(
        cls,
        tokenize: Any = "13a",
        lowercase: Any = False,
        max_order: Any = 4,
        ref_length: Any = "closest",
    ) -> CountOptions:
        """Check options as the user passed them."""
        tokenizer = resolve_tokenizer(tokenize)
        check_name(ref_length, "ref_length", get_args(RefLength))
        order = checked_integer(max_order, "max_order", 1, MOST_ORDERS)
        return cls(tokenizer, checked_bool(lowercase, "lowercase"), order, ref_length)

    def signature(self, is_text: bool = True, references: int | str | None = None) -> Signature:
        """Return the signature of counts; `references` is the number of references a segment."""
        tokenize = self.tokenize.signature() if is_text else None
        lowercase = self.lowercase if is_text else None
        return Signature(tokenize, lowercase, self.max_order, self.ref_length, references)

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string."""
        return self.tokenize.split([*map(str.lower, strings)] if self.lowercase else strings)

    def encoder(self, in_block: bool = False) -> TokenEncoder:
        """Return what turns text into token ids; `in_block`: ids that hold within one block."""
        return TokenEncoder(self.tokenize, self.lowercase, in_block)


class ScoreOptions(NamedTuple):
    """Options that turn statistics into a score."""

    weights: tuple[float, ...] | None
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool

    @classmethod
    def checked(
        cls,
        max_order: int,
        weights: Any = None,
        smoothing: Any = "exp",
        smoothing_value: Any = None,
        effective_order: Any = False,
    ) -> ScoreOptions:
        """Check options as the user passed them, for statistics of `max_order` orders."""
        value = _checked_smoothing_value(smoothing, smoothing_value)
        effective_order = checked_bool(effective_order, "effective_order")
        if weights is not None:
            weights = _checked_weights(weights, max_order)
        elif smoothing == "skip-zero":
            # "skip-zero" leaves out orders without changing the weights of the others.
            weights = (1.0 / max_order,) * max_order
        return cls(weights, smoothing, value, effective_order)


def _checked_smoothing_value(smoothing: Any, value: Any) -> float | None:
    """Return the value of a smoothing, or its default."""
    check_name(smoothing, "smoothing", SMOOTHING_VALUES, _OF_NLTK)
    default: float | None = SMOOTHING_VALUES[smoothing]
    if value is None:
        return default
    if default is None:
        raise ValueError(f"smoothing_value is {value} but smoothing {smoothing!r} takes none")
    return checked_number(value, "smoothing_value")


def _checked_weights(weights: Any, max_order: int) -> tuple[float, ...]:
    values = weights.tolist() if isinstance(weights, np.ndarray) else weights
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"weights is {weights!r}, expected a sequence of numbers")
    if values and isinstance(values[0], (list, tuple, np.ndarray)):
        raise TypeError(
            f"weights has {len(values)} sets, expected one; count once and score each: "
            "[stats.score(weights=w) for w in weights]"
        )
    if not 1 <= len(values) <= max_order:
        raise ValueError(f"weights has {len(values)} values, expected 1 to {max_order} (max_order)")
    return tuple(checked_number(w, f"weights[{n}]", _LEAST) for n, w in enumerate(values))


def checked_number(value: Any, name: str, least: float = 0) -> float:
    """Return a number as a float, if it is 0 or between `least` and 1e100; refuse strings."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}, expected a number")
    number = float(value)
    if number and not least <= number <= _MOST:
        limits = f"0, or {least:g}" if least else "0"
        raise ValueError(f"{name} is {number}, expected {limits} to {_MOST:g}")
    return number


class SpecialIds(NamedTuple):
    """Ids to ignore, and end-of-sequence ids; sorted, without duplicates."""

    ignore_ids: tuple[int, ...] = ()
    eos_ids: tuple[int, ...] = ()

    @classmethod
    def checked(cls, ignore_ids: Any = (), eos_id: Any = None) -> SpecialIds:
        """Check ids as the user passed them."""
        ends = () if eos_id is None else checked_ids(eos_id, "eos_id")
        return cls(checked_ids(ignore_ids, "ignore_ids"), ends)

    def __bool__(self) -> bool:
        return bool(self.ignore_ids or self.eos_ids)


NO_SPECIAL_IDS = SpecialIds()


class RunOptions(NamedTuple):
    """Options for worker processes and the progress bar."""

    workers: int | None = None  # None: chosen by the work and the number of cores
    progress: bool | None = False  # see `checked_progress`
    executor: Executor | None = None  # the user's, which replaces our worker processes

    def __reduce__(self) -> tuple[Any, ...]:
        return RunOptions, (self.workers, self.progress)  # few executors can be pickled

    @classmethod
    def checked(cls, workers: Any = None, progress: Any = False) -> RunOptions:
        """Check options as the user passed them."""
        checked_progress(progress)
        if callable(getattr(workers, "submit", None)) and not isinstance(workers, type):
            return cls(None, progress, workers)
        if workers is not None:
            expected = ", a concurrent.futures.Executor or None"
            workers = checked_integer(workers, "workers", 1, expected=expected)
        return cls(workers, progress)


DEFAULT_RUN = RunOptions()


def checked_progress(progress: Any) -> bool | None:
    """Check `progress`; None shows a bar on a terminal if tqdm is installed."""
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is {progress!r}, expected True, False or None")
    if progress:
        import_extra("progress needs", "progress", "tqdm")
    return progress


class CountArgs(TypedDict, total=False):
    """Arguments that change counts."""

    tokenize: Tokenize
    lowercase: bool
    max_order: int


class IdArgs(TypedDict, total=False):
    """Arguments for token ids."""

    ignore_ids: Ids
    eos_id: Ids | None


class ScoreArgs(TypedDict, total=False):
    """Arguments that turn counts into a score."""

    weights: Weights | None
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool


class RunArgs(TypedDict, total=False):
    """Arguments for worker processes and the progress bar."""

    workers: int | Executor | None
    progress: bool | None


class TextArgs(CountArgs, IdArgs, RunArgs, total=False):
    """Arguments of functions that count n-grams but do not score."""


class FileArgs(CountArgs, RunArgs, total=False):
    """Arguments of `file_statistics`."""

    ref_length: RefLength


class StatisticsArgs(FileArgs, IdArgs, total=False):
    """Arguments of `statistics`."""


class PairArgs(CountArgs, ScoreArgs, IdArgs, RunArgs, total=False):
    """Arguments of `self_bleu`, `pairwise_bleu`, `nearest` and `expected_bleu`."""


class SegmentArgs(CountArgs, ScoreArgs, IdArgs, total=False):
    """Arguments of `explain`."""

    ref_length: RefLength


class CorpusArgs(SegmentArgs, RunArgs, total=False):
    """Arguments of `corpus_bleu`, `sentence_bleu` and `Accumulator`."""


class ReportArgs(CountArgs, total=False):
    """Arguments of `vecbleu.report.write`."""

    ref_length: RefLength
    smoothing: Smoothing
    smoothing_value: float | None


# The options of each group. Signatures show options in the order of `DEFAULTS`.
_OPTIONS = [
    inspect.signature(group.checked).parameters
    for group in (CountOptions, SpecialIds, ScoreOptions, RunOptions)
]
_VALUES = [itemgetter(*group) for group in _OPTIONS]
DEFAULTS: dict[str, Any] = {
    option.name: option.default
    for group in _OPTIONS
    for option in group.values()
    if option.default is not option.empty
}


class Options(NamedTuple):
    """All options of a call, checked once."""

    counting: CountOptions
    scoring: ScoreOptions
    special_ids: SpecialIds
    run: RunOptions

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> Options:
        """Check options as the user passed them; missing ones get their defaults."""
        values = DEFAULTS | dict(given)
        of_counting, of_ids, of_scoring, of_run = _VALUES
        counting = CountOptions.checked(*of_counting(values))
        values["max_order"] = counting.max_order
        return cls(
            counting,
            ScoreOptions.checked(*of_scoring(values)),
            SpecialIds.checked(*of_ids(values)),
            RunOptions.checked(*of_run(values)),
        )

    def named(self) -> dict[str, Any]:
        """Return the options that affect scores, by name."""
        groups = self.counting, self.scoring, self.special_ids
        return {name: value for group in groups for name, value in group._asdict().items()}


Function = TypeVar("Function", bound=Callable[..., Any])


def takes(group: Any, **defaults: Any) -> Callable[[Function], Function]:
    """Show each option of ``**options: Unpack[group]`` in the signature, and fill in defaults.

    `defaults` override `DEFAULTS`.
    """
    # TypedDict wraps annotations; show them as they are written.
    hints = {
        name: getattr(hint, "__forward_arg__", hint) for name, hint in group.__annotations__.items()
    }
    values = {name: value for name, value in DEFAULTS.items() if name in hints} | defaults

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        kind = inspect.Parameter.KEYWORD_ONLY
        written = [known for known in signature.parameters.values() if known.name != "options"]
        shown = [
            inspect.Parameter(name, kind, default=value, annotation=hints[name])
            for name, value in values.items()
        ]
        names = [parameter.name for parameter in written if parameter.name != "self"] + [*values]

        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            for name in given.keys() - {*names}:
                called, known = function.__qualname__, ", ".join(names)
                raise TypeError(f"{called}() got an unexpected argument {name!r}; known: {known}")
            return function(*args, **(values | given))

        call.__signature__ = signature.replace(parameters=[*written, *shown])  # type: ignore[attr-defined]
        return cast(Function, call)

    return decorate
