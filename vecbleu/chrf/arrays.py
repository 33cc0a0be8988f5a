"""chrF of blocks and tables, in NumPy: the same digits as in `plain`."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.plain import EPSILON, row_percent
from vecbleu.core.block import Block
from vecbleu.kernel.arrays import Counts, Float, Float64, Int64, keep_freed_memory
from vecbleu.kernel.matches import clipped_matches
from vecbleu.kernel.packed import Symbols, packed_matches
from vecbleu.kernel.ragged import Integers, Ragged, lengths_of, offsets_of, starts_of
from vecbleu.text.text import Spans, Text, begins_character, cut_tokens, white_space
from vecbleu.text.tokens import characters, span_ids

# So many are faster scored row by row than by NumPy's calls.
_FEW_COUNTS = 100

# Pairs scored at a time: they fit into the cache.
_PAIRS = 1 << 12

Units = TypeVar("Units", Ragged, Symbols)

_IS_PUNCTUATION = np.array([chr(byte) in string.punctuation for byte in range(0x100)])  # (256,)


def encoded_text(text: Text, options: ChrfOptions) -> tuple[Symbols, Ragged | None]:
    """Return the characters of each unit, and its words if they are counted."""
    text = options.edit_text(text)
    words = span_ids(_word_spans(text)) if options.word_order else None
    return characters(text, options.whitespace), words


def chrf_rows(units: tuple[Symbols, Ragged | None], block: Block, options: ChrfOptions) -> Int64:
    """Count the segments of a block, whose text is encoded; return rows (S, 3K)."""
    keep_freed_memory()
    symbols, words = units
    pairs = block.pairs()
    tables = [_pair_counts(symbols, pairs, packed_matches, options.char_order)]
    if words is not None:
        tables.append(_pair_counts(words, pairs, clipped_matches, options.word_order))
    rows: Int64 = np.concatenate(tables, axis=1).reshape(-1, 3 * options.orders)  # (P, 3K)
    references = lengths_of(block.segments) - 1
    if len(rows) == len(references):
        return rows
    starts = starts_of(references)
    percents = chrf_percents(rows, options)
    best = np.repeat(np.maximum.reduceat(percents, starts), references)
    is_best = np.flatnonzero(percents == best)
    first: Int64 = rows[is_best[np.searchsorted(is_best, starts)]]
    return first


def _pair_counts(
    units: Units, pairs: Int64 | None, matches: Callable[[Units, Int64, int], Int64], max_order: int
) -> Int64:
    """Count n-grams of both units and matches of each pair and order (P, N, 3)."""
    units = units if pairs is None else units.take(pairs)
    lengths = units.lengths
    totals = np.maximum(lengths[:, None] - np.arange(max_order), 0)
    hyp, ref = totals[0::2], totals[1::2]
    hyp[ref == 0] = 0  # as sacreBLEU has it
    counts: Int64 = np.stack(
        [hyp, ref, matches(units, np.arange(0, len(lengths) + 1, 2), max_order)], axis=2
    )
    return counts


def ngram_units(text: Text, options: ChrfOptions) -> list[Ragged]:
    """Return the characters of each unit, and its words if they are counted, as hashed ids.

    Those of `encoded_text` hold within one block.
    """
    text = options.edit_text(text)
    space = np.zeros(len(text.used), bool)
    space[text.offsets[1:] - 1] = True  # the newlines that end units
    if not options.whitespace:
        space |= white_space(text.used)
    spans = [cut_tokens(text, space, begins_character(text.used))]
    if options.word_order:
        spans.append(_word_spans(text))
    return list(map(span_ids, spans))


def pair_scores(hyp_len: Int64, ref_len: Int64, matches: Integers, options: ChrfOptions) -> Float64:
    """Return chrF of pairs (pairs,), from lengths (kinds of tokens, pairs) and matches (K, pairs).

    Each pair is scored in the cache.
    """
    orders = options.char_order, options.word_order
    kind = np.repeat([0, 1], orders)
    shorter = np.concatenate(list(map(np.arange, orders)))[:, None]
    scores = np.empty(matches.shape[1])
    for start in range(0, len(scores), _PAIRS):
        part = slice(start, start + _PAIRS)
        hyp = np.maximum(hyp_len[kind, part] - shorter, 0)  # (K, pairs)
        ref = np.maximum(ref_len[kind, part] - shorter, 0)
        hyp[ref == 0] = 0
        columns = np.stack([hyp, ref, matches[:, part]], axis=1)  # (K, 3, pairs)
        rows = columns.reshape(3 * options.orders, -1).T
        scores[part] = chrf_percents(rows, options) / 100
    return scores


def _word_spans(text: Text) -> Spans:
    """Cut a text into words; of longer ones, cut off the last sign of punctuation, else the first.

    A character of several bytes is no ASCII punctuation, and none of its bytes is.
    """
    data, starts, ends, offsets = cut_tokens(text, white_space(text.used))
    is_long = ends - starts > 1
    cuts_last = is_long & _IS_PUNCTUATION[data[ends - 1]]
    cuts_first = is_long & _IS_PUNCTUATION[data[starts]]
    bounds = offsets_of(1 + (cuts_last | cuts_first))  # (words + 1,)
    new_starts, new_ends = np.empty((2, bounds[-1]), np.int64)
    new_starts[bounds[:-1]], new_ends[bounds[1:] - 1] = starts, ends
    cut = np.flatnonzero(cuts_last | cuts_first)
    middle = np.where(cuts_last[cut], ends[cut] - 1, starts[cut] + 1)
    new_ends[bounds[cut]] = new_starts[bounds[cut] + 1] = middle
    return Spans(data, new_starts, new_ends, bounds[offsets])


def chrf_percents(counts: Counts, options: ChrfOptions, dtype: npt.DTypeLike = np.float64) -> Float:
    """Compute chrF of counts (..., 3K), between 0 and 100, in sacreBLEU's order of operations.

    Orders are added from the left: `np.sum` would add pairs.
    """
    if counts.size < _FEW_COUNTS and dtype == np.float64:
        rows = counts.reshape(-1, counts.shape[-1]).tolist()
        return np.array([row_percent(row, options) for row in rows]).reshape(counts.shape[:-1])
    by_order = counts.reshape(*counts.shape[:-1], -1, 3).astype(dtype)
    hyp, ref, match = np.moveaxis(by_order, (-1, -2), (0, 1))  # each (K, ...)
    factor = options.beta**2
    of_zero = 0.0 if options.effective_order else EPSILON
    precision, recall = _divided(match, hyp, of_zero), _divided(match, ref, of_zero)
    if options.effective_order:
        reached = (hyp > 0) & (ref > 0)
        orders = np.maximum(np.count_nonzero(reached, axis=0), 1).astype(dtype)
        precision, recall = (
            np.add.accumulate(np.where(reached, share, 0))[-1:] / orders
            for share in (precision, recall)
        )
    scores = _divided((1 + factor) * precision * recall, factor * precision + recall, of_zero)
    percents: Float = 100 * np.add.accumulate(scores)[-1] / len(scores)
    return percents


def _divided(numerator: Float, denominator: Float, of_zero: float) -> Float:
    """Divide; return `of_zero` where the denominator is 0."""
    quotient = np.full_like(numerator, of_zero)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient
