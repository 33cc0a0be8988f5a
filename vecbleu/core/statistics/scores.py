"""Scores of statistics: of a corpus, of one row, of many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from vecbleu.core.arrays import Counts, Float64
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.formula import bleu_and_percent, brevity_penalty
from vecbleu.core.scoring.rows import are_few, score_row
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.scoring.signature import ScoreSignature, score_signatures
from vecbleu.core.scoring.smoothing import smoothed_precisions
from vecbleu.core.statistics.signature import Signature

if TYPE_CHECKING:
    from vecbleu.core.statistics.table import Statistics

_ROWS_AT_ONCE = 8192


def corpus_score(
    total: Statistics, options: ScoreOptions, counted: Signature | None = None
) -> BleuScore | tuple[BleuScore, ...]:
    """Score summed statistics: one result, or one for each of several sets of weights."""
    results = row_scores(total, options, counted)
    return results if options.several else results[0]


def row_scores(
    row: Statistics, options: ScoreOptions, counted: Signature | None = None
) -> tuple[BleuScore, ...]:
    """Score a single row, once with each set of weights; `counted` if it does not say how."""
    signatures = score_signatures(counted or row.signature, row.max_order, options)
    if are_few(1, row.max_order, options):
        return _plain_scores(row, options, signatures)
    return tuple(_score_block(row[None], options, signatures))


def score_rows(rows: Statistics, options: ScoreOptions) -> Iterator[BleuScore]:
    """Score each row; for several sets of weights, every row once with each of them."""
    signatures = score_signatures(rows.signature, rows.max_order, options)
    if are_few(len(rows), rows.max_order, options):
        yield from chain.from_iterable(_plain_scores(row, options, signatures) for row in rows)
        return
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        yield from _score_block(rows[start : start + _ROWS_AT_ONCE], options, signatures)


def _plain_scores(
    row: Statistics, options: ScoreOptions, signatures: list[ScoreSignature]
) -> tuple[BleuScore, ...]:
    """Score a row as plain numbers, once with each set of weights."""
    hyp_len, ref_len = int(row.hyp_len), row.ref_len.item()
    matches, totals = row.matches.tolist(), row.totals.tolist()
    scores, percents, hundredths, penalty = score_row(hyp_len, ref_len, matches, totals, options)
    precisions = tuple([precision / 100 for precision in hundredths]), tuple(hundredths)
    counts, lengths = (tuple(matches), tuple(totals)), (hyp_len, ref_len)
    return tuple(
        [
            BleuScore(score, percent, *precisions, penalty, *counts, *lengths, signature)
            for score, percent, signature in zip(scores, percents, signatures, strict=True)
        ]
    )


def _score_block(
    rows: Statistics, options: ScoreOptions, signatures: list[ScoreSignature]
) -> Iterator[BleuScore]:
    """Score rows that fit the cache, as objects."""
    scores, percents = bleu_and_percent(rows.to_array(), options)
    by_set = len(rows), -1  # (rows, sets)
    precisions = percent_precisions(rows.matches, rows.totals, options)
    columns = (
        *(scores.reshape(by_set), percents.reshape(by_set), precisions / 100, precisions),
        *(brevity_penalty(rows.hyp_len, rows.ref_len), rows.matches, rows.totals),
        *(rows.hyp_len, rows.ref_len),
    )
    for row in zip(*(column.tolist() for column in columns), strict=True):
        of_sets, percents_of_sets, *listed, penalty, matches, totals, hyp_len, ref_len = row
        fractions, hundredths = map(tuple, listed)
        counts = tuple(matches), tuple(totals), hyp_len, ref_len
        for numbers in zip(of_sets, percents_of_sets, signatures, strict=True):
            score, percent, signature = numbers
            yield BleuScore(score, percent, fractions, hundredths, penalty, *counts, signature)


def percent_precisions(matches: Counts, totals: Counts, options: ScoreOptions) -> Float64:
    """Precisions (..., N) after smoothing, 0 to 100; 0 where nothing matches at all."""
    last_first = -1, *range(matches.ndim - 1)
    first_last = *range(1, matches.ndim), 0
    orders_first = matches.transpose(last_first), totals.transpose(last_first)
    precisions = smoothed_precisions(*orders_first, 100.0, options).transpose(first_last)
    found: Float64 = np.where(matches.any(axis=-1, keepdims=True), precisions, 0.0)
    return found
