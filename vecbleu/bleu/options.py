"""Define the options of BLEU: their types, defaults and checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypedDict, get_args

import numpy as np
import numpy.typing as npt

from vecbleu.core.checks import check_name, checked_bool, checked_integer
from vecbleu.core.options import (
    LEAST,
    MOST_ORDERS,
    Executor,
    Ids,
    RunOptions,
    SpecialIds,
    checked_number,
)
from vecbleu.core.signature import Signature
from vecbleu.text.tokenizers import resolve_tokenizer
from vecbleu.text.tokens import Tokenizer

Tokenize = str | Callable[[str], Sequence[str]]


RefLength = Literal["closest", "shortest", "longest"]


Smoothing = Literal["none", "floor", "add-k", "exp", "skip-zero"]


Weights = Sequence[float] | npt.NDArray[np.floating[Any]]


# Default of `smoothing_value`; None if a smoothing takes no value.
SMOOTHING_VALUES: dict[Smoothing, float | None] = {
    "none": None,
    "floor": 0.1,
    "add-k": 1.0,
    "exp": None,
    "skip-zero": None,
}


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
        return self.tokenize.split(list(map(str.lower, strings)) if self.lowercase else strings)


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
    return tuple(checked_number(w, f"weights[{n}]", LEAST) for n, w in enumerate(values))


class ScoreArgs(TypedDict, total=False):
    """Arguments that turn counts into a score."""

    weights: Weights | None
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool


class CorpusArgs(ScoreArgs, total=False):
    """Arguments of `corpus_bleu`, `sentence_bleu` and `Accumulator`."""

    tokenize: Tokenize
    lowercase: bool
    max_order: int
    ref_length: RefLength
    ignore_ids: Ids
    eos_id: Ids | None
    workers: int | Executor | None
    progress: bool | None


class Options(NamedTuple):
    """All options of a call, checked once."""

    counting: CountOptions
    scoring: ScoreOptions
    special_ids: SpecialIds
    run: RunOptions

    @classmethod
    def checked(
        cls,
        *,
        tokenize: Any = "13a",
        lowercase: Any = False,
        max_order: Any = 4,
        ref_length: Any = "closest",
        ignore_ids: Any = (),
        eos_id: Any = None,
        weights: Any = None,
        smoothing: Any = "exp",
        smoothing_value: Any = None,
        effective_order: Any = False,
        workers: Any = None,
        progress: Any = False,
    ) -> Options:
        """Check options as the user passed them."""
        counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
        orders = counting.max_order
        return cls(
            counting,
            ScoreOptions.checked(orders, weights, smoothing, smoothing_value, effective_order),
            SpecialIds.checked(ignore_ids, eos_id),
            RunOptions.checked(workers, progress),
        )

    def named(self) -> dict[str, Any]:
        """Return the options that affect scores, by name."""
        groups = self.counting, self.scoring, self.special_ids
        return {name: value for group in groups for name, value in group._asdict().items()}
