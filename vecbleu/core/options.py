"""The options of a call in four frozen groups, each checked in one place: here."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from numbers import Real
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, TypeVar, cast, get_args

import numpy as np
import numpy.typing as npt

from vecbleu.core.checks import check_name, checked_bool, checked_integer
from vecbleu.core.kernel.ragged import checked_id
from vecbleu.core.parallel.progress import checked_progress
from vecbleu.core.records import dataclass, replace
from vecbleu.core.statistics.signature import Signature
from vecbleu.core.text.tokenizers import Tokenizer, resolve_tokenizer

Tokenize = str | Callable[[str], Sequence[str]]
RefLength = Literal["closest", "shortest", "average", "longest"]
Smoothing = Literal["none", "floor", "add-k", "exp", "skip-zero"]
WeightSet = Sequence[float] | npt.NDArray[np.floating[Any]]
Weights = WeightSet | Sequence[Sequence[float]]


class Executor(Protocol):
    """The part of `concurrent.futures.Executor` that is used, which Dask's and MPI's have, too."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Have a function called; a future of what it returns."""


# What "smoothing_value" is by default; None where a smoothing takes none.
SMOOTHING_VALUES: dict[Smoothing, float | None] = {
    "none": None,
    "floor": 0.1,
    "add-k": 1.0,
    "exp": None,
    "skip-zero": None,
}

# Every segment has two columns of counts for each order.
_MOST_ORDERS = 10_000


@dataclass(frozen=True, slots=True)
class CountOptions:
    """What the statistics of text depend on; tokens and ids need no tokenizer."""

    tokenize: Tokenizer
    lowercase: bool
    max_order: int
    ref_length: RefLength

    @classmethod
    def checked(
        cls,
        tokenize: Any = "13a",
        lowercase: Any = False,
        max_order: Any = 4,
        ref_length: Any = "closest",
    ) -> CountOptions:
        """Options as the user passed them."""
        tokenizer = resolve_tokenizer(tokenize)
        check_name(ref_length, "ref_length", get_args(RefLength))
        order = checked_integer(max_order, "max_order", 1, _MOST_ORDERS)
        lowercase = checked_bool(lowercase, "lowercase")
        return cls(tokenizer, lowercase, order, cast(RefLength, ref_length))

    def pinned(self) -> CountOptions:
        """The same for other processes, which may find another model under the same name."""
        return replace(self, tokenize=self.tokenize.pinned())

    def signature(self, is_text: bool = True, references: int | None = None) -> Signature:
        """How segments are counted, with a number of references each."""
        tokenize = self.tokenize.signature() if is_text else None
        lowercase = self.lowercase if is_text else None
        return _signature(tokenize, lowercase, self.max_order, self.ref_length, references)


@lru_cache(maxsize=64)  # a small call gets it back in a third of the time
def _signature(*fields: Any) -> Signature:
    """A signature of its fields."""
    return Signature(*fields)


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What a score depends on besides statistics."""

    weights: tuple[tuple[float, ...], ...] | None
    several: bool  # sets of weights: a score for each
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool

    @classmethod
    def checked(
        cls,
        max_order: int,
        weights: Any = None,
        smoothing: Any = "none",
        smoothing_value: Any = None,
        effective_order: Any = False,
    ) -> ScoreOptions:
        """Options as the user passed them, for statistics up to some order."""
        value = _checked_smoothing_value(smoothing, smoothing_value)
        effective_order = checked_bool(effective_order, "effective_order")
        if weights is None:
            # The order that "skip-zero" leaves out changes no mean of the others.
            uniform = ((1.0 / max_order,) * max_order,) if smoothing == "skip-zero" else None
            return cls(uniform, False, smoothing, value, effective_order)
        if not _is_listing(weights):
            raise TypeError(f"weights is {weights!r}, expected a sequence of numbers or several")
        several = len(weights) > 0 and _is_listing(weights[0])
        given = weights if several else [weights]
        sets = tuple(_checked_weights(one, max_order) for one in given)
        return cls(sets, several, smoothing, value, effective_order)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one score: (), or (W,) for several sets of weights."""
        return (len(self.weights or ()),) if self.several else ()

    def single(self, user: str) -> ScoreOptions:
        """The same; ValueError for several sets of weights."""
        if self.several:
            raise ValueError(
                f"weights has {len(self.weights or ())} sets; {user} has one score, so pass one of "
                "them, such as weights[0]"
            )
        return self


def _checked_smoothing_value(smoothing: Any, value: Any) -> float | None:
    """The value of a smoothing, or its default."""
    if not isinstance(smoothing, str) or smoothing not in SMOOTHING_VALUES:
        check_name(smoothing, "smoothing", SMOOTHING_VALUES, _smoothing_instead(smoothing))
    default = SMOOTHING_VALUES[cast(Smoothing, smoothing)]
    if value is None:
        return default
    if default is None:
        raise ValueError(f"smoothing_value is {value} but smoothing {smoothing!r} takes none")
    if not isinstance(value, Real):
        raise TypeError(f"smoothing_value is {value!r}, expected a number")
    number = _as_float(value)
    if not 0 <= number < math.inf:
        raise ValueError(f"smoothing_value is {number}, expected a finite number >= 0")
    return number


def _smoothing_instead(smoothing: Any) -> str:
    """What to pass in place of no smoothing, or of a method of NLTK's."""
    if smoothing is None:
        return '; pass "none"'
    name = getattr(smoothing, "__name__", smoothing)
    own = {"method0": "none", "method1": "floor", "method2": "add-k", "method3": "exp"}
    if isinstance(name, str) and name in own:
        return f'; NLTK\'s {name} is "{own[name]}"'
    if callable(smoothing):
        return "; functions are for smoothing_function of vecbleu.nltk.corpus_bleu"
    return ""


def _as_float(number: Any) -> float:
    """A number as a float, infinite if it is beyond the largest one."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _is_listing(value: Any) -> bool:
    """Whether a value is a list, a tuple or an array of one or more dimensions."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _checked_weights(weights: Any, max_order: int) -> tuple[float, ...]:
    """One set of weights, of numbers and nothing that only converts to them."""
    if not _is_listing(weights) or not all(isinstance(weight, Real) for weight in weights):
        raise TypeError(f"weights has the set {weights!r}, expected a sequence of numbers")
    found = tuple(map(_as_float, weights))
    if not 1 <= len(found) <= max_order:
        size = len(found)
        raise ValueError(f"weights has a set of {size}, expected 1 to {max_order} (max_order)")
    if not all(0 <= weight < math.inf for weight in found):
        raise ValueError(f"weights has the set {found}, expected finite numbers >= 0")
    return found


@dataclass(frozen=True, slots=True)
class SpecialIds:
    """Ids that are no tokens, and one behind which there are none."""

    ignore_ids: tuple[int, ...] = ()  # sorted, none of them twice; the padding is among them
    eos_id: int | None = None

    @classmethod
    def checked(cls, pad_id: Any, eos_id: Any, ignore_ids: Any) -> SpecialIds:
        """Ids as the user passed them."""
        several = isinstance(ignore_ids, Iterable) and getattr(ignore_ids, "ndim", 1) > 0
        if isinstance(ignore_ids, (str, bytes, Mapping)) or not several:
            found = f"{type(ignore_ids).__name__} {ignore_ids!r}"
            raise TypeError(f"ignore_ids is {found}, expected a sequence of integers")
        ignored = [checked_id(one, f"ignore_ids[{place}]") for place, one in enumerate(ignore_ids)]
        if pad_id is not None:
            ignored.append(checked_id(pad_id, "pad_id"))
        end = None if eos_id is None else checked_id(eos_id, "eos_id")
        return cls(tuple(sorted({*ignored})), end)

    def __bool__(self) -> bool:
        return bool(self.ignore_ids) or self.eos_id is not None


NO_SPECIAL_IDS = SpecialIds()


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Which processes count, and whether a progress bar is shown."""

    workers: int | None = None  # None: by the number of cores, where there is much to count
    progress: bool | None = False  # as in `checked_progress`
    executor: Executor | None = None  # counts in place of processes of this machine
    retries: int = 2  # of a block that is lost with its worker

    def __post_init__(self) -> None:
        checked_progress(self.progress)
        executor = self.executor
        is_class = isinstance(executor, type)
        if is_class or not (executor is None or callable(getattr(executor, "submit", None))):
            found = executor if is_class else type(executor).__name__
            raise TypeError(f"executor is {found}, expected a concurrent.futures.Executor")
        if self.workers is not None:
            checked_integer(self.workers, "workers", 1, expected=" or None")
        checked_integer(self.retries, "retries", 0)


DEFAULT_RUN = RunOptions()


class CountArgs(TypedDict, total=False):
    """Options that say how text is counted."""

    tokenize: Tokenize
    lowercase: bool
    max_order: int


class IdArgs(TypedDict, total=False):
    """Options for token ids."""

    ignore_ids: int | Iterable[int]
    eos_id: int | Iterable[int] | None


class ScoreArgs(TypedDict, total=False):
    """Options that turn counts into a score."""

    weights: Sequence[float] | None
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool


class RunArgs(TypedDict, total=False):
    """Options that say where the work is done."""

    workers: int | Executor | None
    progress: bool | None


class TextArgs(CountArgs, IdArgs, RunArgs, total=False):
    """Options of functions that count text, and score nothing."""


class PairArgs(CountArgs, ScoreArgs, IdArgs, RunArgs, total=False):
    """Options of functions that score pairs of units."""


class SegmentArgs(CountArgs, ScoreArgs, IdArgs, total=False):
    """Options of `explain`."""

    ref_length: RefLength


DEFAULTS: dict[str, Any] = {
    "tokenize": "13a",
    "lowercase": False,
    "max_order": 4,
    "ref_length": "closest",
    "weights": None,
    "smoothing": "exp",
    "smoothing_value": None,
    "effective_order": False,
    "ignore_ids": (),
    "eos_id": None,
    "workers": None,
    "progress": False,
}


class Options(NamedTuple):
    """All options of a call, checked."""

    counting: CountOptions
    scoring: ScoreOptions
    special_ids: SpecialIds
    run: RunOptions

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> Options:
        """Check options as the user passed them; those that are not given have their defaults."""
        of = DEFAULTS | dict(given)
        counting = CountOptions.checked(
            of["tokenize"], of["lowercase"], of["max_order"], of["ref_length"]
        )
        scoring = ScoreOptions.checked(
            counting.max_order,
            of["weights"],
            of["smoothing"],
            of["smoothing_value"],
            of["effective_order"],
        )
        special_ids = SpecialIds.checked(None, of["eos_id"], of["ignore_ids"])
        return cls(counting, scoring, special_ids, RunOptions(of["workers"], of["progress"]))


Function = TypeVar("Function", bound=Callable[..., Any])


def takes(group: Any, **defaults: Any) -> Callable[[Function], Function]:
    """Show the options behind ``**options: Unpack[group]`` in a signature, and fill in defaults.

    `defaults` are those that differ from `DEFAULTS`.
    """
    own = {name: DEFAULTS[name] for name in group.__annotations__} | defaults

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        kind = inspect.Parameter.KEYWORD_ONLY
        written = [one for one in signature.parameters.values() if one.name != "options"]
        shown = [
            inspect.Parameter(name, kind, default=value, annotation=_hint(group, name))
            for name, value in own.items()
        ]
        names = {one.name for one in written} | {*own}

        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            for name in given:
                if name not in names:
                    raise TypeError(
                        f"{function.__name__}() got an unexpected keyword argument {name!r}"
                    )
            return function(*args, **(own | given))

        call.__signature__ = signature.replace(parameters=[*written, *shown])  # type: ignore[attr-defined]
        return cast(Function, call)

    return decorate


def _hint(group: Any, name: str) -> Any:
    """The annotation of an option, as it is written."""
    hint = group.__annotations__[name]
    return getattr(hint, "__forward_arg__", hint)
