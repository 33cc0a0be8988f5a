"""Score corpora and sentences, and resample intervals, for each of sacreBLEU's metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import checked_integer
from vecbleu.arguments.errors import ArgumentTypeError, argument
from vecbleu.bleu.second_look import look_again
from vecbleu.core import corpus as core
from vecbleu.core.count import count_rows, count_total
from vecbleu.core.counts import sum_counts
from vecbleu.core.metric import AnyMetric
from vecbleu.inputs.alignment import listed_strings
from vecbleu.inputs.doubts import warn_of_corpus
from vecbleu.kernel.arrays import Counts, Float64
from vecbleu.sacrebleu.options import environment_seed, warn, warn_of_input
from vecbleu.sacrebleu.score import MetricSignature, Score
from vecbleu.sacrebleu.streams import (
    Hypotheses,
    ReferenceStreams,
    Streams,
    checked_hypotheses,
    checked_streams,
)

AnyScore = TypeVar("AnyScore", bound=Score)
Counted = TypeVar("Counted")
AnySignature = TypeVar("AnySignature", bound=MetricSignature)

# Methods that sacreBLEU calls for every segment or score, but these metrics do not.
_NOT_CALLED = (
    "_aggregate_and_compute",
    "_cache_references",
    "_check_corpus_score_args",
    "_check_sentence_score_args",
    "_compute_f_score",
    "_compute_score_from_stats",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_extract_reference_info",
    "_get_closest_ref_len",
    "_get_match_statistics",
    "_preprocess_segment",
    "_remove_punctuation",
    "compute_bleu",
    "tokenizer",
)


class Metric(Generic[AnyScore, AnySignature]):
    """A metric with sacreBLEU's interface. Its class counts segments, and scores rows of counts."""

    _SIGNATURE_TYPE: Any  # class that makes a signature of a metric's attributes
    effective_order = True

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        metric = next(base for base in cls.__mro__ if Metric in base.__bases__)
        for name in _NOT_CALLED:
            if getattr(cls, name, None) is not getattr(metric, name, None):
                raise TypeError(
                    f"{cls.__name__}.{name} would never be called, since vecbleu counts and scores "
                    "arrays: derive from the installed package's class, "
                    f"`from sacrebleu.metrics import {metric.__name__}`, without install()"
                )

    def __init__(self, references: Streams | None) -> None:
        self.num_refs: int | None = None
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._ref_cache = None if references is None else self._cache_references(references)

    def corpus_score(
        self, hypotheses: Hypotheses, references: Streams | None, n_bootstrap: int = 1
    ) -> AnyScore:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence (segments,) of str
            Output of the system.
        references : sequence (streams,) of sequences (segments,) of str or None
            ``references[k][i]`` is the k-th reference of segment i, or None if it has fewer. Pass
            None to use the references of the object. For BLEU, a `vecbleu.SharedReferences` can be
            passed, too.
        n_bootstrap : int
            Number of resampled corpora for a 95% interval; 1 means no interval. The seed is 12345,
            or the environment variable SACREBLEU_SEED ("none" draws a new seed).

        Returns
        -------
        The score of the metric, such as a BLEUScore

        Raises
        ------
        TypeError, ValueError
            A segment is not a string, lengths differ, or a segment has no reference.
        RuntimeError
            `references` is None, and the object was made without references.
        """
        with argument("n_bootstrap"):
            n_bootstrap = checked_integer(n_bootstrap)
        if n_bootstrap <= 1:
            return self._score_of(self._counted(count_total, hypotheses, references))
        from vecbleu.significance.resampling import (
            Draws,
            draw_sums,
            warn_if_few,
        )  # few calls need it

        rows = self._counted(count_rows, hypotheses, references)
        score = self._score_of(sum_counts(rows).tolist())
        self.n_bootstrap = n_bootstrap
        self.seed, seed = environment_seed()
        draws = Draws.checked("bootstrap", n_bootstrap, seed)
        warn_if_few(draws.test, len(rows))
        sums = draw_sums([rows], draws, n_bootstrap)[:, 0]
        score.set_interval(self._percents(sums, np.float32))
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        """Score one segment.

        Parameters
        ----------
        hypothesis : str
            Hypothesis of the segment.
        references : sequence of str or None
            Its references; None is left out.

        Returns
        -------
        The score of the metric, such as a BLEUScore
        """
        self._warn_of_short_sentences()
        if not isinstance(hypothesis, str):
            found = f"is {type(hypothesis).__name__}"
            raise ArgumentTypeError(found, "a string", argument="hypothesis")
        with argument("references"):
            listed = listed_strings(references, or_none=True)
        streams = ReferenceStreams([[reference] for reference in listed])
        self.num_refs = streams.number
        corpus = streams.corpus([hypothesis])
        self._warn_of(corpus, "hypothesis")
        return self._score_of(count_total(corpus, self._metric()))

    def sentence_scores(self, hypotheses: Hypotheses, references: Streams | None) -> Float64:
        """Score each segment in one call, as a loop over `sentence_score` would.

        Parameters
        ----------
        hypotheses, references
            As for `corpus_score`: references are streams.

        Returns
        -------
        float64 array (segments,)
            Score of each segment, between 0 and 100.
        """
        self._warn_of_short_sentences()
        corpus = self._aligned(hypotheses, references)
        return self._percents(count_rows(corpus, self._metric()))

    def get_signature(self) -> AnySignature:
        """Return the signature; raise ValueError if the number of references is unknown."""
        signature: AnySignature = self._SIGNATURE_TYPE(self.__dict__)
        return signature

    def _cache_references(self, references: Streams) -> ReferenceStreams:
        """Check and prepare references once, for any number of systems."""
        cache = self._prepared(references)
        self.num_refs = cache.number
        self._warn_of(core.TextCorpus.alone(cache.units), "references")
        return cache

    def _extract_corpus_statistics(
        self, hypotheses: Hypotheses, references: Streams | None
    ) -> Sequence[Sequence[float]]:
        """Return one row per segment, with sacreBLEU's columns."""
        rows = self._counted(count_rows, hypotheses, references)
        return self._as_sacrebleus(rows.tolist())

    def _aggregate_and_compute(self, stats: npt.ArrayLike) -> AnyScore:
        """Score the sum of rows of statistics (segments, columns)."""
        rows = np.asarray(stats)
        exact = np.float64 if rows.dtype.kind == "f" else None
        return self._compute_score_from_stats(rows.sum(axis=0, dtype=exact))

    def _counted(
        self,
        count: Callable[[core.Countable, AnyMetric], Counted],
        hypotheses: Hypotheses,
        references: Streams | None,
    ) -> Counted:
        """Return what `count` returns of a system; if it scores very low, look for the cause."""
        corpus = self._aligned(hypotheses, references)
        metric = self._metric()
        counts = count(corpus, metric)
        if self._tokenizer_to_check():
            total = sum_counts(np.atleast_2d(np.array(counts))).tolist()
            look_again(corpus, metric, total, tell=warn_of_input)
        return counts

    def _aligned(self, hypotheses: Hypotheses, references: Streams | None) -> core.Countable:
        """Align a system with its references, and warn of text that is hardly meant."""
        listed = checked_hypotheses(hypotheses)
        corpus = self._corpus(listed, references)
        first_stream = references[0] if isinstance(references, (list, tuple)) else ()
        is_prepared = references is None or not isinstance(corpus, core.Corpus)
        checked = core.TextCorpus.alone(listed) if is_prepared else corpus
        self._warn_of(checked, "hypotheses", (hypotheses, first_stream))
        return corpus

    def _warn_of(self, corpus: core.Countable, name: str, given: Sequence[object] = ()) -> None:
        """Warn of text that is hardly meant, if it was not prepared, and checked, before."""
        if isinstance(corpus, core.Corpus):
            warn_of_corpus(corpus, name, self._tokenizer_to_check(), given, warn_of_input)

    def _corpus(self, hypotheses: Sequence[str], references: Streams | None) -> core.Countable:
        """Align a system with the given references, or with those of the object."""
        streams = self._ref_cache
        if references is not None:
            streams = ReferenceStreams(checked_streams(references))
        if streams is None:
            raise RuntimeError("references is None, and the object was made without references")
        self.num_refs = streams.number
        return streams.corpus(hypotheses)

    def _prepared(self, references: Streams) -> ReferenceStreams:
        """Return the references for any number of systems."""
        return ReferenceStreams(checked_streams(references))

    def _metric(self) -> AnyMetric:
        """Return the metric with options from the current attributes."""
        raise NotImplementedError

    def _percents(
        self, counts: Counts, resampled_type: npt.DTypeLike = np.float64
    ) -> npt.NDArray[Any]:
        """Score rows of counts (..., columns), between 0 and 100.

        `resampled_type` is that of sacreBLEU's resampled counts; a metric may be more exact.
        """
        raise NotImplementedError

    def _as_sacrebleus(self, rows: list[list[int]]) -> Sequence[Sequence[float]]:
        """Return rows of counts with sacreBLEU's columns; a metric may have others."""
        return rows

    def _score_of(self, row: list[int]) -> AnyScore:
        """Score a row of counts."""
        (stats,) = self._as_sacrebleus([row])
        return self._compute_score_from_stats(stats)

    def _compute_score_from_stats(self, stats: Sequence[float] | Counts) -> AnyScore:
        """Score the summed statistics of a corpus, which have sacreBLEU's columns."""
        raise NotImplementedError

    def _tokenizer_to_check(self) -> str:
        """Return the name of the tokenizer that text has to fit; empty if any text does."""
        return self._metric().tokenizer

    def _warn_of_short_sentences(self) -> None:
        if not self.effective_order:
            warn(
                "without `effective_order`, most sentences shorter than the longest n-grams "
                "get a score of 0"
            )
