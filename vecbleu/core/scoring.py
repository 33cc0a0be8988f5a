"""Compute BLEU from counts (..., 2 + 2N), a pure function of the array; define `BleuScore`.

BLEU is ``BP * exp(sum of w_n * log(p_n))``: BP is the brevity penalty, p_n the precision of order
n, and w_n its weight. Few rows are scored in plain Python, many in NumPy, with the same digits.

Without weights, the digits are sacreBLEU's, whose precisions are ``100 * matches / totals``. With
weights they are NLTK's, whose precisions are ``matches / totals``. Rounding differs between the
two, so neither can be computed from the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any, NamedTuple, Self

import numpy as np

from vecbleu.core.arrays import Counts, Float64, Mask
from vecbleu.core.counts import split_columns
from vecbleu.core.options import ScoreOptions
from vecbleu.core.score import Score
from vecbleu.show.signature import Signature
from vecbleu.show.table import Column, Table

# What sacreBLEU takes for the logarithm of 0.
_LOG_ZERO = -9999999999.0

# Up to this many rows, plain Python is faster: NumPy takes as many calls for any number of rows.
_FEW_ROWS = 16

# The hash table of `libm_map` has 2 to the power of this many slots.
_SLOT_BITS = 14


def array_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """Compute BLEU of counts (..., 2 + 2N), between 0 and 1."""
    return bleu_and_percent(array, options)[0]


def bleu_and_percent(array: Counts, options: ScoreOptions) -> tuple[Float64, Float64]:
    """Compute BLEU of counts (..., 2 + 2N); return it twice: between 0 and 1, and 0 and 100."""
    hyp_len = split_columns(array)[0]
    if 0 < hyp_len.size <= _FEW_ROWS:
        rows = array.reshape(-1, array.shape[-1]).tolist()
        pairs = np.array([score_row(row, options)[:2] for row in rows])
        scores, percents = (pairs[:, column].reshape(hyp_len.shape)[()] for column in range(2))
        return scores, percents
    if options.weights is None:
        percents = _sacrebleu_score(array, options)
        return percents / 100, percents
    scores = _nltk_score(array, options.weights, options)
    return scores, 100 * scores


def _sacrebleu_score(array: Counts, options: ScoreOptions) -> Float64:
    """Compute BLEU without weights, between 0 and 100, in sacreBLEU's order of operations.

    Add the logarithms from the left. sacreBLEU uses the built-in sum, whose rounding changed with
    Python 3.12; published scores were added from the left.
    """
    hyp_len, ref_len, matches, totals = _orders_first(array)
    precisions, reached = smoothed_precisions(matches, totals, 100.0, options)
    total, orders = np.zeros(hyp_len.shape), np.full(hyp_len.shape, len(precisions))
    logs = _logarithms(precisions, _LOG_ZERO)
    if options.effective_order:
        logs = np.where(reached, logs, 0.0)
        orders = np.maximum(reached.sum(axis=0), 1)
    for log in logs:
        total = total + log
    means = libm_map(math.exp, total / orders)
    has_score = matches.any(axis=0) & reached[0]
    return np.where(has_score, _brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def _nltk_score(array: Counts, weights: Sequence[float], options: ScoreOptions) -> Float64:
    """Compute BLEU with weights, between 0 and 1, in NLTK's order of operations."""
    hyp_len, ref_len, matches, totals = _orders_first(array)
    precisions, reached = smoothed_precisions(matches, totals, 1.0, options)
    precisions, reached = precisions[: len(weights)], reached[: len(weights)]
    shares = np.reshape(weights, (-1, *[1] * hyp_len.ndim))
    if options.effective_order:  # orders not reached give their weights to the others
        kept = np.where(reached, shares, 0.0)
        # The built-in sum: NumPy's order of additions depends on the number of segments.
        total, whole = np.asarray(sum(kept)), np.asarray(sum(shares))
        shares = kept * (whole / np.where(total > 0, total, 1.0))
    has_score = matches.any(axis=0) & (shares > 0).any(axis=0)
    if options.smoothing != "skip-zero":
        has_score &= ~((precisions == 0) & (shares > 0)).any(axis=0)
    logs = _logarithms(np.where(has_score, precisions, 1.0), 0.0)
    means = libm_map(math.exp, fsum(shares * logs))
    return np.where(has_score, _brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def _orders_first(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (N, ...).

    Scoring loops over orders, which would take twice as long with orders last.
    """
    hyp_len, ref_len, matches, totals = split_columns(np.asfortranarray(array))
    last_first = -1, *range(array.ndim - 1)
    return hyp_len, ref_len, matches.transpose(last_first), totals.transpose(last_first)


def smoothed_precisions(
    matches: Counts, totals: Counts, scale: float, options: ScoreOptions
) -> tuple[Float64, Mask]:
    """Return smoothed precisions (N, ...) between 0 and `scale`, and a mask of orders reached.

    An order is reached if it and all lower orders have n-grams. The precisions of other orders are
    0, as in sacreBLEU. The methods are numbered as in Chen and Cherry (2014).
    """
    smoothing, value = options.smoothing, options.smoothing_value or 0.0
    if smoothing == "add-k":  # add `value` to both for n > 1 (method 2; Lin and Och 2004)
        matches, totals = matches.astype(np.float64), totals.astype(np.float64)
        matches[1:] += value
        totals[1:] += value
    reached: Mask = totals > 0
    for order in range(1, len(totals)):
        reached[order] &= reached[order - 1]
    precisions = _divide(scale * matches, totals, reached)
    zero = reached & (matches == 0)
    if smoothing == "floor":  # replace 0 matches by `value` (method 1)
        precisions = np.where(zero, _divide(scale * value, totals, zero), precisions)
    if smoothing == "exp":  # replace the k-th 0 by 1 / 2**k (method 3; mteval-v13a)
        divisors = np.ldexp(totals.astype(np.float64), zero.cumsum(axis=0, dtype=np.intc))
        precisions = np.where(zero, _divide(scale, divisors, zero), precisions)
    return precisions, reached


def _divide(numerators: Counts | float, denominators: Counts, where: Mask) -> Float64:
    """Divide where the mask is True, else return 0."""
    return np.divide(numerators, denominators, out=np.zeros(where.shape), where=where)


def _logarithms(precisions: Float64, of_zero: float) -> Float64:
    """Return logarithms with the digits of the C library, and `of_zero` for 0."""
    zero = precisions == 0
    return np.where(zero, of_zero, libm_map(math.log, np.where(zero, 1.0, precisions)))


def libm_map(function: Callable[[float], float], values: Float64) -> Float64:
    """Apply a function of `math` to every value.

    NumPy's own functions differ in the last bit from those of the C library, which NLTK and
    sacreBLEU call (with AVX-512, exp in one value of 20, log in one of 300).

    Quotients of small counts repeat, so most values are found in a small hash table, which keeps
    one value a slot. The function is called for the values in the table, and for each value that
    is not in it: that takes a fifth of the time of a call for each value.
    """
    flat = values.reshape(-1)
    if flat.size < 1000:
        mapped = map(function, flat.tolist())
        return np.fromiter(mapped, np.float64, flat.size).reshape(values.shape)
    # Fibonacci hashing: the highest bits of a product with 2**64 / 1.618...
    slots = (flat.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _SLOT_BITS)
    table = np.full(1 << _SLOT_BITS, np.nan)
    table[slots] = flat
    lost = np.flatnonzero(table[slots] != flat)
    filled = np.flatnonzero(table == table)  # NaN, an empty slot, is not equal to itself
    table[filled] = [*map(function, table[filled].tolist())]
    results: Float64 = table[slots]
    results[lost] = [*map(function, flat[lost].tolist())]
    return results.reshape(values.shape)


def fsum(terms: Float64) -> Float64:
    """Sum over the first axis as `math.fsum` does: the exact sum, rounded once.

    Add up the terms, and separately the rounding errors of these additions. If the errors add up
    exactly, total + error is the exact sum, rounded once. `math.fsum`, which is slow, computes
    the few other sums.
    """
    total, error, inexact = np.zeros((3, *terms.shape[1:]))
    for term in terms:
        total, lost = _two_sum(total, term)
        error, lost_again = _two_sum(error, lost)
        inexact += abs(lost_again)
    sums = np.asarray(total + error)
    if inexact.any():
        sums[inexact > 0] = [*map(math.fsum, terms[:, inexact > 0].T.tolist())]
    return sums


def _two_sum(a: Float64, b: Float64) -> tuple[Float64, Float64]:
    """Return the rounded sum, and its exact rounding error (Knuth, TAOCP 2, 4.2.2)."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def _brevity_penalty(hyp_len: Counts, ref_len: Counts) -> Float64:
    """Compute 1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for hyp_len 0."""
    short = np.asarray(hyp_len < ref_len)
    penalty = np.where(short, 0.0, 1.0)
    is_penalized = short & (hyp_len > 0)
    penalty[is_penalized] = libm_map(math.exp, 1 - ref_len[is_penalized] / hyp_len[is_penalized])
    return penalty


class RowScore(NamedTuple):
    """The score of one row, and its parts."""

    score: float  # 0 to 1
    percent: float
    precisions: list[float]  # 0 to 100
    penalty: float


def score_row(row: Sequence[float], options: ScoreOptions) -> RowScore:
    """Score one row in plain Python, with the same digits as arrays."""
    hyp_len, ref_len, middle = row[0], row[1], len(row) // 2 + 1
    matches, totals = row[2:middle], row[middle:]
    penalty = 1.0
    if hyp_len < ref_len:
        penalty = math.exp(1 - float(ref_len) / float(hyp_len)) if hyp_len else 0.0
    precisions, reached = row_precisions(matches, totals, 100.0, options)
    if not any(matches):
        return RowScore(0.0, 0.0, [0.0] * len(precisions), penalty)
    if options.weights is None:
        orders = max(reached, 1) if options.effective_order else len(precisions)
        total = 0.0
        for precision in precisions[:orders]:
            total += math.log(precision) if precision else _LOG_ZERO
        percent = penalty * math.exp(total / orders)
        return RowScore(percent / 100, percent, precisions, penalty)
    fractions, _ = row_precisions(matches, totals, 1.0, options)
    score = penalty * _weighted_mean(fractions, reached, options.weights, options)
    return RowScore(score, 100 * score, precisions, penalty)


def row_precisions(
    matches: Sequence[float], totals: Sequence[float], scale: float, options: ScoreOptions
) -> tuple[list[float], int]:
    """Return the smoothed precisions of one row, and the number of orders reached."""
    smoothing, value = options.smoothing, options.smoothing_value or 0.0
    if smoothing == "add-k":
        matches, totals = (
            [counts[0], *(count + value for count in counts[1:])] for counts in (matches, totals)
        )
    precisions = [0.0] * len(matches)
    zeros = 0
    for order, (match, total) in enumerate(zip(matches, totals, strict=True)):
        if not total:
            return precisions, order
        if match:
            precisions[order] = scale * match / total
        elif smoothing == "floor":
            precisions[order] = scale * value / total
        elif smoothing == "exp":
            zeros += 1
            precisions[order] = scale / (2.0**zeros * total)
    return precisions, len(precisions)


def _weighted_mean(
    precisions: list[float], reached: int, weights: Sequence[float], options: ScoreOptions
) -> float:
    """Return NLTK's weighted geometric mean; 0 if a weighted precision or all weights are 0."""
    if options.effective_order:
        kept = [weight if order < reached else 0.0 for order, weight in enumerate(weights)]
        # From the left; the built-in sum corrects rounding since Python 3.12.
        scale = reduce(add, weights) / (reduce(add, kept) or 1.0)
        weights = [weight * scale for weight in kept]
    pairs = [*zip(weights, precisions, strict=False)]
    if not any(weights):
        return 0.0
    if options.smoothing != "skip-zero" and any(weight and not p for weight, p in pairs):
        return 0.0
    return math.exp(math.fsum(weight * math.log(p) for weight, p in pairs if p))


class _Made(NamedTuple):
    """The counts and options of a score, and the parts computed from them."""

    row: tuple[int, ...]
    options: ScoreOptions
    signature: Signature  # of the counts
    parts: RowScore


class BleuScore(Score):
    """BLEU of a corpus (Papineni et al. 2002): a float between 0 and 1 with its components.

    It can be used like any float; arithmetic returns plain floats. It also keeps the counts and
    options that it was computed from.

    `percent` is BLEU between 0 and 100, as sacreBLEU prints it. It equals sacreBLEU's score bit for
    bit, unless weights or "skip-zero" are used; ``100 * score`` may differ in the last bit.

    The interactive prompt shows a line like sacreBLEU's, a notebook shows a table, and
    ``print(score)`` prints the number.

    Parameters
    ----------
    row : sequence of int (2 + 2N,)
        Counts: hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N.
    options : ScoreOptions
        How to score them.
    signature : Signature
        The options that they were counted with.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> score
    BLEU = 0.5373 0.8333/0.6000/0.5000/0.3333 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> print(f"{score:.3f} {100 * score:.1f} {score > 0.5}")
    0.537 53.7 True
    >>> score == score.percent / 100
    True
    >>> score.matches
    (5, 3, 2, 1)
    """

    __module__ = "vecbleu"
    __slots__ = ("_made",)  # no other attribute can be set

    _made: _Made

    def __new__(cls, row: Sequence[int], options: ScoreOptions, signature: Signature) -> Self:
        """Score one row of statistics."""
        parts = score_row(row, options)
        score = super().__new__(cls, parts.score)
        score._made = _Made(tuple(row), options, signature, parts)
        return score

    @property
    def percent(self) -> float:
        """BLEU between 0 and 100."""
        return self._made.parts.percent

    @property
    def precisions(self) -> tuple[float, ...]:
        """Modified n-gram precisions after smoothing (N,), between 0 and 1."""
        return tuple([precision / 100 for precision in self._made.parts.precisions])

    @property
    def percent_precisions(self) -> tuple[float, ...]:
        """Modified n-gram precisions after smoothing (N,), between 0 and 100."""
        return tuple(self._made.parts.precisions)

    @property
    def brevity_penalty(self) -> float:
        """1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for hyp_len 0."""
        return self._made.parts.penalty

    @property
    def hyp_len(self) -> int:
        """Number of tokens in the hypotheses."""
        return self._made.row[0]

    @property
    def ref_len(self) -> int:
        """Sum of the reference lengths, one for each segment, as `ref_length` chooses them."""
        return self._made.row[1]

    @property
    def matches(self) -> tuple[int, ...]:
        """Clipped matches, for each order (N,)."""
        row = self._made.row
        return row[2 : len(row) // 2 + 1]

    @property
    def totals(self) -> tuple[int, ...]:
        """Number of n-grams in the hypotheses, for each order (N,)."""
        row = self._made.row
        return row[len(row) // 2 + 1 :]

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len; 0 if ref_len is 0, as in sacreBLEU."""
        return self.hyp_len / self.ref_len if self.ref_len else 0.0

    @property
    def signature(self) -> Signature:
        """The options of the score, as far as they are known."""
        row, options, signature, _ = self._made
        orders = len(row) // 2 - 1
        uniform = (1.0 / orders,) * orders  # the default weights of "skip-zero"
        return signature._replace(
            max_order=orders,
            smoothing=options.smoothing,
            smoothing_value=options.smoothing_value,
            effective_order=options.effective_order,
            weights=None if options.weights == uniform else options.weights,
        )

    def lengths(self) -> str:
        """Return the brevity penalty and the lengths, formatted as in sacreBLEU's line."""
        return (
            f"(BP = {self.brevity_penalty:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.hyp_len} ref_len = {self.ref_len})"
        )

    def table(self) -> Table:
        """Return counts and precision of each order; also smoothed ones, if they differ."""
        pairs = zip(self.matches, self.totals, strict=True)
        precisions = [matches / total if total else 0.0 for matches, total in pairs]
        columns = [
            Column("order", [*range(1, len(self.matches) + 1)], "count"),
            Column("matches", self.matches, "count"),
            Column("total", self.totals, "count"),
            Column("precision", precisions, "score"),
        ]
        if not np.allclose(precisions, self.precisions, rtol=0, atol=1e-12):
            columns.append(Column("smoothed", self.precisions, "score"))
        return Table(columns, f"BLEU = {self.percent:.2f} {self.lengths()}", [str(self.signature)])

    def to_dict(self) -> dict[str, Any]:
        """Return the score and its components, ready for JSON.

        Examples
        --------
        >>> import vecbleu
        >>> parts = vecbleu.corpus_bleu(["a b"], ["a c"], max_order=2).to_dict()
        >>> parts["matches"], parts["totals"], parts["ref_len"]
        ([1, 0], [2, 1], 2)
        """
        return {
            "score": float(self),
            "percent": self.percent,
            "precisions": [*self.precisions],
            "percent_precisions": [*self.percent_precisions],
            "brevity_penalty": self.brevity_penalty,
            "matches": [*self.matches],
            "totals": [*self.totals],
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
            "ratio": self.ratio,
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        precisions = "/".join(f"{precision:.4f}" for precision in self.precisions)
        return f"BLEU = {float(self):.4f} {precisions} {self.lengths()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made[:3]
