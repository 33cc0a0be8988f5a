"""chrF in plain Python: count segments, and score a row.

This is the definition, and the fastest way for a few segments.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import partial, reduce
from operator import add

from vecbleu.chrf.options import ChrfOptions
from vecbleu.kernel.plain import pair_matches

# Precision, recall and F-score of orders without n-grams, with epsilon smoothing.
EPSILON = 1e-16

# A sign at the end of a longer word, or at the beginning of one that does not end in such a sign.
_SIGN = re.escape(string.punctuation)
_CUT = rf"(?<=\S)([{_SIGN}])(?!\S)|(?<!\S)([{_SIGN}])(?=\S*[^\s{_SIGN}](?!\S))"


def _words(line: str) -> list[str]:
    """Return the words of a string, as `_word_spans` cuts them."""
    return re.sub(_CUT, r" \1\2 ", line).split()


def count_segments(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], options: ChrfOptions
) -> list[list[int]]:
    """Count segments; each has the row of its reference with the best score, the first of them."""
    rows = []
    for hypothesis, lines in zip(hypotheses, references, strict=True):
        units = _units(hypothesis, options)
        pairs = [_pair_row(units, _units(line, options), options) for line in lines]
        best = pairs[0]
        if len(pairs) > 1:
            best = max(pairs, key=partial(row_percent, options=options))
        rows.append(best)
    return rows


def _units(line: str, options: ChrfOptions) -> tuple[str, tuple[str, ...]]:
    """Return the characters of a string, and its words if they are counted."""
    line = options.edit(line)
    characters = line if options.whitespace else "".join(line.split())
    return characters, tuple(_words(line)) if options.word_order else ()


def _pair_row(
    hyp: tuple[str, tuple[str, ...]], ref: tuple[str, tuple[str, ...]], options: ChrfOptions
) -> list[int]:
    """Count characters and words of a hypothesis and one reference (3K,)."""
    row = []
    orders = options.char_order, options.word_order
    for own, other, max_order in zip(hyp, ref, orders, strict=True):
        if not max_order:
            continue
        hyp_total = len(own)
        ref_total = len(other)
        for match in pair_matches(own, other, max_order):
            row += [hyp_total if ref_total else 0, ref_total, match]
            hyp_total, ref_total = max(hyp_total - 1, 0), max(ref_total - 1, 0)
    return row


def row_percent(row: Sequence[int], options: ChrfOptions) -> float:
    """Compute chrF of one row (3K,) as `chrf_percents` does, but without its NumPy calls."""
    factor = options.beta**2
    of_zero = 0.0 if options.effective_order else EPSILON
    shares = [
        (match / hyp if hyp else of_zero, match / ref if ref else of_zero)
        for hyp, ref, match in zip(row[0::3], row[1::3], row[2::3], strict=True)
        if (hyp and ref) or not options.effective_order
    ]
    if options.effective_order:
        count = max(len(shares), 1)
        columns = zip((0.0, 0.0), *shares, strict=True)
        precision, recall = (reduce(add, column) / count for column in columns)
        shares = [(precision, recall)]
    total = 0.0
    for precision, recall in shares:
        below = factor * precision + recall
        total += (1 + factor) * precision * recall / below if below > 0 else of_zero
    return 100 * total / len(shares)
