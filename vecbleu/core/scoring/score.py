"""`BleuScore`, the score of a corpus and what it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from vecbleu.core.options import ScoreOptions
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.formula import bleu_and_percent, brevity_penalty
from vecbleu.core.scoring.rows import are_few, score_row
from vecbleu.core.scoring.smoothing import smoothed_precisions
from vecbleu.core.statistics.table import Statistics

_ROWS_AT_ONCE = 8192


@public("vecbleu")
@dataclass(frozen=True, slots=True)
class BleuScore:
    """A corpus' BLEU and what it is made of.

    ``float(score)`` is the score on 0 to 1 (Papineni et al. 2002); `percent` is the same number
    on sacreBLEU's 0 to 100. Where sacreBLEU has the options (no weights, no "skip-zero"), it is
    bit-equal to the score that sacreBLEU publishes, which ``100 * score`` need not be.

    Parameters
    ----------
    score : float
        BLEU, 0 to 1.
    percent : float
        BLEU, 0 to 100.
    precisions : tuple of float (orders,)
        Modified n-gram precisions after smoothing, 0 to 1.
    percent_precisions : tuple of float (orders,)
        The same, 0 to 100.
    brevity_penalty : float
        1 if the hypotheses are at least as long as the references, else
        exp(1 - ref_len / hyp_len).
    matches, totals : tuple of int (orders,)
        Clipped matches and n-grams of the hypotheses.
    hyp_len : int
        Tokens of the hypotheses.
    ref_len : int
        Tokens of the references compared with (a float for averages).

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> print(score)
    BLEU = 0.5373 0.8333/0.6000/0.5000/0.3333 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> float(score) == score.percent / 100
    True
    """

    score: float
    percent: float
    precisions: tuple[float, ...]
    percent_precisions: tuple[float, ...]
    brevity_penalty: float
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    hyp_len: int
    ref_len: int | float

    def __float__(self) -> float:
        return self.score

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len; 0 where there is no reference length, as sacreBLEU has it."""
        return self.hyp_len / self.ref_len if self.ref_len else 0.0

    def __str__(self) -> str:
        precisions = "/".join(f"{precision:.4f}" for precision in self.precisions)
        return f"BLEU = {self.score:.4f} {precisions} {self.lengths()}"

    def lengths(self) -> str:
        """The part of sacreBLEU's line that speaks of lengths."""
        return (
            f"(BP = {self.brevity_penalty:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.hyp_len} ref_len = {self.ref_len})"
        )


def corpus_score(total: Statistics, options: ScoreOptions) -> BleuScore | tuple[BleuScore, ...]:
    """Score summed statistics: one result, or one for each of several sets of weights."""
    results = row_scores(total, options)
    return results if options.several else results[0]


def row_scores(row: Statistics, options: ScoreOptions) -> tuple[BleuScore, ...]:
    """Score a single row, once with each set of weights."""
    if are_few(1, row.max_order, options):
        lengths = int(row.hyp_len), row.ref_len.item()
        return _plain_scores(*lengths, row.matches.tolist(), row.totals.tolist(), options)
    return tuple(score_rows(row[None], options))


def score_rows(rows: Statistics, options: ScoreOptions) -> Iterator[BleuScore]:
    """Score each row; for several sets of weights, every row once with each of them."""
    if are_few(len(rows), rows.max_order, options):
        yield from chain.from_iterable(row_scores(row, options) for row in rows)
        return
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        yield from _score_block(rows[start : start + _ROWS_AT_ONCE], options)


def _plain_scores(
    hyp_len: int, ref_len: float, matches: list[int], totals: list[int], options: ScoreOptions
) -> tuple[BleuScore, ...]:
    """Score a row of plain numbers, once with each set of weights."""
    scores, percents, hundredths, penalty = score_row(hyp_len, ref_len, matches, totals, options)
    precisions = tuple([precision / 100 for precision in hundredths]), tuple(hundredths)
    counts = tuple(matches), tuple(totals)
    return tuple(
        BleuScore(score, percent, *precisions, penalty, *counts, hyp_len, ref_len)
        for score, percent in zip(scores, percents, strict=True)
    )


def _score_block(rows: Statistics, options: ScoreOptions) -> Iterator[BleuScore]:
    """Score rows that fit the cache, as objects."""
    scores, percents = bleu_and_percent(rows.to_array(), options)
    by_set = len(rows), -1  # (rows, sets)
    precisions = smoothed_precisions(rows.matches.T, rows.totals.T, 100.0, options).T
    precisions = np.where(rows.matches.any(axis=-1, keepdims=True), precisions, 0.0)
    columns = (
        *(scores.reshape(by_set), percents.reshape(by_set), precisions / 100, precisions),
        *(brevity_penalty(rows.hyp_len, rows.ref_len), rows.matches, rows.totals),
        *(rows.hyp_len, rows.ref_len),
    )
    for row in zip(*(column.tolist() for column in columns), strict=True):
        of_sets, percents_of_sets, fractions, hundredths, penalty, matches, totals, *lengths = row
        parts = tuple(fractions), tuple(hundredths), penalty, tuple(matches), tuple(totals)
        for score, percent in zip(of_sets, percents_of_sets, strict=True):
            yield BleuScore(score, percent, *parts, *lengths)
