"""Define the options of BLEU: their types, defaults and checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import (
    LEAST,
    checked_bool,
    checked_integer,
    checked_name,
    checked_number,
    warn_caller,
)
from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    InputWarning,
    checked_each,
)
from vecbleu.arguments.options import (
    MOST_ORDERS,
    OptionGroup,
    RunOptions,
    SpecialIds,
    option,
)
from vecbleu.core.signature import Signature
from vecbleu.text.edits import TextOptions
from vecbleu.text.tokenizer import Tokenizer
from vecbleu.text.tokenizers import NAMES, resolve_tokenizer

Group = TypeVar("Group", bound=OptionGroup)

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
    "NLTK's method0 to method3 are the first four, and vecbleu.nltk.corpus_bleu takes "
    "its smoothing functions"
)


# Tokenizers to try for a score that 13a does not give; flores101 is spm.
_OTHER_TOKENIZERS = tuple([name for name in NAMES if name not in ("13a", "spm")])


@dataclass(frozen=True)
class CountOptions(TextOptions):
    """Options that change counts. Tokens have `max_order` and `ref_length` alone."""

    tokenize: Tokenizer = option(
        "13a",
        resolve_tokenizer,
        "-tok --tokenize",
        f"tokenizer: {', '.join(NAMES)}, or the path of a SentencePiece model "
        "(default: the target language's, or 13a)",
        _OTHER_TOKENIZERS,
    )
    lowercase: bool = option(False, checked_bool, "-lc --lowercase", "ignore case")
    max_order: int = option(
        4,
        partial(checked_integer, least=1, most=MOST_ORDERS),
        "--max-order",
        "longest n-gram",
        (1, 2, 3),
    )
    ref_length: RefLength = option("closest", partial(checked_name, known=get_args(RefLength)))

    def signature(self, is_text: bool = True, references: int | str | None = None) -> Signature:
        """Return the signature of counts; `references` is the number of references a segment."""
        tokenize = self.tokenize.signature() if is_text else None
        lowercase = self.lowercase if is_text else None
        return Signature(
            tokenize,
            lowercase,
            self.max_order,
            self.ref_length,
            references,
            normalize=self.normalize,
        )

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string."""
        return self.tokenize.split(list(map(self.edit, strings)) if self.edits else strings)


def _checked_weights(weights: object) -> tuple[float, ...] | None:
    if weights is None:
        return None
    values = weights.tolist() if isinstance(weights, np.ndarray) else weights
    if not isinstance(values, (list, tuple)):
        raise ArgumentTypeError(f"is {weights!r}", "a sequence of numbers")
    if values and isinstance(values[0], (list, tuple, np.ndarray)):
        advice = "count once and score each: [stats.score(weights=w) for w in weights]"
        raise ArgumentTypeError(f"has {len(values)} sets", "one", advice)
    checked = tuple(checked_each(partial(checked_number, least=LEAST), values))
    warn_of_weights(checked)
    return checked


def warn_of_weights(weights: Sequence[float]) -> None:
    """Warn of weights that do not sum to 1; tutorials have thirds as 0.33."""
    total = sum(weights)
    if len(weights) and not 0.98 < total < 1.02:
        found = f"sums to {total:g}, so a score is a power of one"
        advice = "pass weights that sum to 1, such as (0.5, 0.5)"
        warn_caller(InputWarning(found, advice=advice, argument="weights"))


def _checked_smoothing_value(value: object) -> float | None:
    return None if value is None else checked_number(value)


@dataclass(frozen=True)
class ScoreOptions(OptionGroup):
    """Options that turn statistics into a score. `of_order` fits them to statistics."""

    weights: tuple[float, ...] | None = option(None, _checked_weights)
    smoothing: Smoothing = option(
        "exp",
        partial(checked_name, known=SMOOTHING_VALUES, advice=_OF_NLTK),
        "-s --smooth-method --smoothing",
        f"smoothing of orders without matches: {', '.join(SMOOTHING_VALUES)}",
        ("none", "floor", "add-k", "skip-zero"),
    )
    smoothing_value: float | None = option(
        None,
        _checked_smoothing_value,
        "-sv --smooth-value --smoothing-value",
        "value of floor (default: 0.1) or add-k (default: 1)",
    )
    effective_order: bool = option(
        False,
        checked_bool,
        "--effective-order",
        "leave out orders without n-grams, as -sl always does",
    )

    def of_order(self, max_order: int) -> ScoreOptions:
        """Return the options for statistics of `max_order` orders, with the smoothing's value."""
        weights, value = self.weights, self.smoothing_value
        default = SMOOTHING_VALUES[self.smoothing]
        if value is None:
            value = default
        elif default is None:
            found = f"is {value} but smoothing {self.smoothing!r} takes none"
            raise ArgumentError(found, argument="smoothing_value")
        if weights is None and self.smoothing == "skip-zero":
            # "skip-zero" leaves out orders without changing the weights of the others.
            weights = (1.0 / max_order,) * max_order
        elif weights is not None and not 1 <= len(weights) <= max_order:
            found = f"has {len(weights)} values"
            raise ArgumentError(found, f"1 to {max_order} (max_order)", argument="weights")
        if weights is self.weights and value is self.smoothing_value:
            return self
        return ScoreOptions(weights, self.smoothing, value, self.effective_order)


class ScoreArgs(TypedDict, total=False):
    """Arguments that turn counts into a score."""

    weights: Weights | None
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool


class Options(NamedTuple):
    """All options of a call, checked once."""

    counting: CountOptions
    scoring: ScoreOptions
    special_ids: SpecialIds
    run: RunOptions

    @classmethod
    def checked(cls, **values: object) -> Options:
        """Check options as users pass them."""
        given = {name: value for name, value in values.items() if value is not _DEFAULTS[name]}
        if not given:
            return DEFAULT_OPTIONS
        counting = _checked_group(CountOptions, given)
        scoring = _checked_group(ScoreOptions, given).of_order(counting.max_order)
        special_ids = _checked_group(SpecialIds, given)
        return cls(counting, scoring, special_ids, _checked_group(RunOptions, given))

    def named(self) -> dict[str, object]:
        """Return the options that affect scores, by name."""
        return {**vars(self.counting), **vars(self.scoring), **vars(self.special_ids)}


def _checked_group(group: type[Group], given: dict[str, object]) -> Group:
    """Check those of the given options that belong to a group."""
    return group.checked(**{name: given[name] for name in group.declared if name in given})


# Made once; a call without options takes it as it is.
DEFAULT_OPTIONS = Options(CountOptions(), ScoreOptions(), SpecialIds(), RunOptions())

_DEFAULTS = {
    name: declared.default for group in DEFAULT_OPTIONS for name, declared in group.declared.items()
}
