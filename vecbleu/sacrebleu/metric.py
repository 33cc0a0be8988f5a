"""The base class of metrics: what sacreBLEU's metrics have in common, and programs derive from."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from vecbleu.core.checks import checked_integer
from vecbleu.core.public import public
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.signature import Signature
from vecbleu.sacrebleu.streams import (
    ReferenceStreams,
    check_listings,
    check_references,
    checked_hypotheses,
)


@public("vecbleu.sacrebleu.metrics.base")
class Metric(metaclass=ABCMeta):
    """A metric of segments whose statistics add up, to derive from.

    A subclass says how a segment is prepared, what is kept of its references, what is counted in
    a hypothesis, and how sums of that are scored; corpora, cached references, intervals and
    paired tests follow. `vecbleu.sacrebleu.BLEU` is one.
    """

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int

    def __init__(self) -> None:
        self._ref_cache: Any = None
        self._force = True  # no warnings of data that look tokenized
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """Prepare a segment: its tokens with white space between them."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Keep of a segment's prepared references what hypotheses are compared with."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """Compare a prepared hypothesis with its references: numbers that add up."""

    @abstractmethod
    def _aggregate_and_compute(self, stats: Any) -> Any:
        """Score a corpus by the statistics of its segments."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> Any:
        """Score a corpus by the sum of these."""

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        """TypeError unless they are a string, and a sequence of strings and None."""
        if not isinstance(hyp, str):
            raise TypeError(f"hypothesis is {type(hyp).__name__}, expected a string")
        check_references(refs)

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        """TypeError unless both are listings; what is in them is checked when it is read."""
        check_listings(hyps, refs)

    def _cache_references(self, references: Any) -> Any:
        """Prepare references, a list of what is kept for each segment."""
        streams = ReferenceStreams(references)
        self.num_refs = streams.number
        prepared = ([*map(self._preprocess_segment, some)] for some in streams.segments())
        return [*map(self._extract_reference_info, prepared)]

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[Any]]:
        """The statistics of each segment, against these references or the cached ones."""
        listed = checked_hypotheses(hypotheses)
        cache = self._ref_cache if references is None else self._cache_references(references)
        if cache is None:
            raise RuntimeError("references is None, and the class was given none either")
        if len(cache) != len(listed):
            raise ValueError(
                f"hypotheses has {len(listed)} segments but references has {len(cache)}"
            )
        self._warn_of_tokenized(listed)
        prepared = map(self._preprocess_segment, listed)
        return [*map(self._compute_segment_statistics, prepared, cache)]

    def _warn_of_tokenized(self, hypotheses: Sequence[str]) -> None:
        """Warn if hypotheses look tokenized."""
        if not self._force:
            options.warn_of_tokenized([*map(str.endswith, hypotheses, repeat(" ."))].count(True))

    def sentence_score(self, hypothesis: str, references: Any) -> Any:
        """Score one segment against its references.

        Parameters
        ----------
        hypothesis : str
            The segment.
        references : sequence of str or None
            Its references; None is none.

        Returns
        -------
        Score
        """
        self._check_sentence_score_args(hypothesis, references)
        streams = [[reference] for reference in references]
        return self._aggregate_and_compute(self._extract_corpus_statistics([hypothesis], streams))

    def corpus_score(self, hypotheses: Any, references: Any, n_bootstrap: int = 1) -> Any:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence (segments,) of str
            The system's output.
        references : sequence (streams,) of sequences (segments,) of str or None
            ``references[k][i]`` is the k-th reference of segment i, None if there is none; or
            None for those that were given to the class.
        n_bootstrap : int
            Resample the corpus so many times for an interval of 95%; 1 is none.

        Returns
        -------
        Score
        """
        n_bootstrap = checked_integer(n_bootstrap, "n_bootstrap")
        self._check_corpus_score_args(hypotheses, references)
        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(stats)
        if n_bootstrap > 1:
            from vecbleu.sacrebleu.significance import _bootstrap_resample  # takes 8 ms

            self.n_bootstrap = n_bootstrap
            self.seed, resampled = _bootstrap_resample(stats, self, n_bootstrap)
            score.estimate_ci(resampled)
        return score

    def get_signature(self) -> Signature:
        """Say what has been computed; ValueError before there have been references."""
        if getattr(self, "num_refs", None) is None:
            raise ValueError("the number of references is not known before something is scored")
        return self._SIGNATURE_TYPE(self._signature_args())

    def _signature_args(self) -> dict[str, Any]:
        """What a signature is made of: attributes by sacreBLEU's names."""
        return self.__dict__
