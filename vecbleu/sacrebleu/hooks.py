"""BLEU a segment at a time, in the methods that subclasses of sacreBLEU's `BLEU` override.

`vecbleu.sacrebleu.BLEU` computes the same from arrays, many segments at a time, and asks these
methods where one of them has been overridden.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import le
from typing import Any

import numpy as np

from vecbleu.core.arrays import Counts
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.rows import are_few, score_row
from vecbleu.core.statistics.columns import MOST, whole_columns
from vecbleu.core.statistics.scores import row_scores
from vecbleu.core.statistics.table import Statistics
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.ngrams import extract_all_word_ngrams
from vecbleu.sacrebleu.options import SmoothMethod
from vecbleu.sacrebleu.score import BLEUScore, smoothed_counts
from vecbleu.sacrebleu.signature import BLEUSignature
from vecbleu.sacrebleu.tokenizer import signature_of_tokenizer

MAX_NGRAM_ORDER = 4


class SegmentBLEU(Metric):
    """BLEU of one segment after the other, by methods that can be overridden."""

    _TOKENIZER_MAP = options.LANGUAGE_TOKENIZERS
    _SIGNATURE_TYPE = BLEUSignature

    lowercase: bool
    smooth_method: SmoothMethod | str
    smooth_value: float | None
    max_ngram_order: int
    effective_order: bool

    @property
    def tokenizer(self) -> Any:
        """What separates the tokens of a line by spaces; any callable can be assigned."""
        return self._tokenizer

    @tokenizer.setter
    def tokenizer(self, tokenizer: Any) -> None:
        if not callable(tokenizer):
            raise TypeError(f"tokenizer is {tokenizer!r}, expected a callable from str to str")
        self._tokenizer = tokenizer
        self.tokenizer_signature = signature_of_tokenizer(tokenizer)

    def _signature_args(self) -> dict[str, Any]:
        """What a signature is made of, with the tokenizer, which is kept under another name."""
        return super()._signature_args() | {"tokenizer": self.tokenizer}

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: SmoothMethod | str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Score counts: matches and totals of each order, and two lengths; no list is changed.

        Examples
        --------
        >>> from vecbleu.sacrebleu import BLEU
        >>> BLEU.compute_bleu([5, 3, 2, 1], [6, 5, 4, 3], 6, 6)
        BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        """
        scored = options.score_options(
            smooth_method, smooth_value, max_ngram_order, effective_order
        )
        if not len(correct) == len(total) == max_ngram_order:
            raise ValueError(
                f"correct and total have {len(correct)} and {len(total)} orders but "
                f"max_ngram_order is {max_ngram_order}"
            )
        row = [sys_len, ref_len, *correct, *total]
        lengths, matches, totals = _whole_counts(row, max_ngram_order)
        if not are_few(1, max_ngram_order, scored):
            table = Statistics(*whole_columns(np.array([row])))
            return score_object(table[0], scored, smooth_value)
        return _score_plain(lengths, matches, totals, scored, smooth_value)

    def _preprocess_segment(self, sent: str) -> str:
        """Lower the case if asked to, strip, and tokenize."""
        line: str = self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())
        return line

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """N-grams of prepared references, as often as one has them at most; their lengths."""
        found = [extract_all_word_ngrams(one, 1, self.max_ngram_order) for one in refs]
        most, *others = (ngrams for ngrams, _ in found)
        for ngrams in others:
            most |= ngrams
        return {"ref_ngrams": most, "ref_lens": [length for _, length in found]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """The row of a prepared hypothesis: two lengths, clipped matches, totals."""
        ngrams, length = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        counts = {"matches": ngrams & ref_kwargs["ref_ngrams"], "totals": ngrams}
        columns = []
        for found in counts.values():
            column = [0] * self.max_ngram_order
            for ngram, number in found.items():
                column[len(ngram) - 1] += number
            columns += column
        return [length, self._get_closest_ref_len(length, ref_kwargs["ref_lens"]), *columns]

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        """The reference length that a hypothesis' is compared with: of two as close, the less."""
        return min(ref_lens, key=lambda length: (abs(length - hyp_len), length))

    def _aggregate_and_compute(self, stats: Any) -> BLEUScore:
        """Score rows of statistics (segments, 2 + 2N), summed."""
        rows: Counts = np.asarray(stats)
        if rows.ndim != 2:
            raise ValueError(
                f"stats has the shape {rows.shape}, expected (segments, 2 + 2 * max_ngram_order)"
            )
        exact = np.float64 if rows.dtype.kind == "f" else None
        return self._compute_score_from_stats(rows.sum(axis=0, dtype=exact).tolist())

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        """Score a row of statistics (2 + 2N,): a sum, as numbers in a list or an array."""
        sys_len, ref_len, *counts = stats
        order = self.max_ngram_order
        return self.compute_bleu(
            correct=counts[:order],
            total=counts[order:],
            sys_len=sys_len,
            ref_len=ref_len,
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=order,
        )

    def _score_options(self) -> ScoreOptions:
        """How counts are scored, by the options as they are now: the attributes can be changed."""
        return options.score_options(
            self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )


def score_object(row: Statistics, scored: ScoreOptions, smooth_value: float | None) -> BLEUScore:
    """The score of a row."""
    if not are_few(1, row.max_order, scored):
        return BLEUScore.from_result(row_scores(row, scored)[0], _added(scored, smooth_value))
    lengths = row.hyp_len.item(), row.ref_len.item()
    return _score_plain(lengths, row.matches.tolist(), row.totals.tolist(), scored, smooth_value)


def _score_plain(
    lengths: tuple[int, int],
    matches: list[int],
    totals: list[int],
    scored: ScoreOptions,
    smooth_value: float | None,
) -> BLEUScore:
    """The score of plain numbers, in half the time that it takes by way of a `BleuScore`."""
    _, (percent,), precisions, penalty = score_row(*lengths, matches, totals, scored)
    counts = smoothed_counts(matches, totals, _added(scored, smooth_value))
    return BLEUScore(percent, *counts, precisions, penalty, *lengths)


def _added(scored: ScoreOptions, smooth_value: float | None) -> float | None:
    """What add-k adds: the value as the user gave it, an int as an int."""
    is_add_k = scored.smoothing == "add-k"
    return options.smoothing_value("add-k", smooth_value) if is_add_k else None


def _whole_counts(row: Sequence[float], order: int) -> tuple[tuple[int, int], list[int], list[int]]:
    """Lengths, matches and totals as plain integers, checked in a tenth of the time of arrays."""
    try:
        numbers = [*map(int, row)]
    except (TypeError, ValueError, OverflowError):
        numbers = []
    matches, totals = numbers[2 : 2 + order], numbers[2 + order :]
    in_range = numbers == row and min(numbers) >= 0 and max(numbers) <= MOST
    if not (in_range and all(map(le, matches, totals))):
        ref_len = whole_columns(np.array([row]))[1]  # raises, and names the count
        raise ValueError(f"ref_len is {ref_len[0]}, expected a whole number")
    return (numbers[0], numbers[1]), matches, totals
