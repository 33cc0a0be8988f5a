"""Paired tests and intervals by sacreBLEU's names and rules, and with its draws.

BLEU is resampled as arrays, by `vecbleu.significance`. What other metrics' resampled scores are
only these metrics know: they are tested by the installed sacreBLEU.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Float64
from vecbleu.core.checks import checked_integer
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.formula import percent_bleu
from vecbleu.core.statistics.table import Statistics
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.installed import installed_module, pass_on
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.score import Score
from vecbleu.sacrebleu.signature import Signature
from vecbleu.significance.inference import PairedResampling
from vecbleu.significance.resampling import (
    DrawOptions,
    central_interval,
    draw_sums,
    generator,
)
from vecbleu.significance.resampling import Test as Kind
from vecbleu.significance.systems import checked_systems

if TYPE_CHECKING:
    from sacrebleu.significance import IS_WINDOWS as IS_WINDOWS
    from sacrebleu.significance import _paired_ar_test as _paired_ar_test
    from sacrebleu.significance import _paired_bs_test as _paired_bs_test
    from sacrebleu.significance import sacrelogger as sacrelogger

__all__ = ["Metric", "PairedTest", "Result", "Score", "Signature", "estimate_ci"]

_TESTS: dict[str, Kind] = {"ar": "randomization", "bs": "bootstrap"}


class Result:
    """What a test says of a system.

    Parameters
    ----------
    score : float
        The system's score.
    p_value : float, optional
        Of its difference from the baseline; None for the baseline itself.
    mean, ci : float, optional
        The mean of the resampled scores, and half the width of the middle 95% of them.
    """

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


# Signatures, and results, by the names of metrics' scores.
_Tested = tuple[dict[str, Signature], dict[str, list[str | Result]]]


def estimate_ci(scores: npt.ArrayLike) -> tuple[float, float]:
    """Mean of resampled scores, and half the width of the middle 95% of them.

    Parameters
    ----------
    scores : array (resamples,)
        The scores.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> from vecbleu.sacrebleu.significance import estimate_ci
    >>> estimate_ci([30.0, 31.0, 32.0, 34.0])
    (31.75, 2.0)
    """
    found: Float64 = np.asarray(scores, np.float64)
    lower, upper = central_interval(found, 0.95)
    return float(found.mean()), float(0.5 * (upper - lower))


def _compute_p_value(stats: npt.ArrayLike, real_difference: float) -> float:
    """The share of draws above the real difference; one more, in both, keeps it from being 0."""
    drawn = np.asarray(stats)
    return (int(np.count_nonzero(drawn > real_difference)) + 1) / (len(drawn) + 1)


def _bootstrap_resample(
    stats: npt.ArrayLike, metric: Any, n_samples: int = 1000
) -> tuple[str, list[Score]]:
    """Scores of resampled corpora, by the statistics of segments; the seed for signatures."""
    name, seed = options.environment_seed()
    sums = draw_sums([np.asarray(stats)], DrawOptions("bootstrap", n_samples, seed))[:, 0]
    return name, [metric._compute_score_from_stats(row) for row in sums]


class PairedTest:
    """Test systems against the first one, the baseline, as sacreBLEU does.

    Parameters
    ----------
    named_systems : sequence of (str, sequence (segments,) of str)
        Names and outputs of systems, the baseline first.
    metrics : dict of str to Metric
        Metrics that the systems are tested by. Those other than `vecbleu.sacrebleu.BLEU` are
        passed on to sacreBLEU.
    references : sequence (streams,) of sequences (segments,) of str or None, optional
        As for `BLEU.corpus_score`; None for those that each metric was given.
    test_type : {"ar", "bs"}
        Approximate randomization, or the paired bootstrap.
    n_samples : int
        Trials or resamples; 0 for 10000 trials, or 1000 resamples.
    n_ar_confidence : int
        Resamples for intervals beside approximate randomization; 0 for 1000, -1 for none.
    n_jobs : int
        Worker processes of metrics that sacreBLEU tests; 0 for one a system. BLEU needs none.

    Raises
    ------
    ImportError
        There is a metric to pass on, but no sacreBLEU.
    ValueError
        The kind of test is unknown, or systems have different numbers of segments.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> from vecbleu.sacrebleu.significance import PairedTest
    >>> references = [["a b c d e", "a b c d", "e d c b a"] * 20]
    >>> systems = [("one", ["a b c d", "a b x d", "e d c a"] * 20), ("two", references[0])]
    >>> signatures, scores = PairedTest(systems, {"BLEU": BLEU()}, references, "bs")()
    >>> scores["System"]
    ['one', 'two']
    >>> round(scores["BLEU"][1].p_value, 4)
    0.001
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}  # noqa: RUF012  # sacreBLEU's name, not to change

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Any],
        references: Any,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in _TESTS:
            raise ValueError(f"test_type is {test_type!r}, expected one of {', '.join(_TESTS)}")
        self.test_type = test_type
        self.named_systems = [*named_systems]
        self.metrics = dict(metrics)
        self.references = references
        samples = checked_integer(n_samples, "n_samples")
        resamples = checked_integer(n_ar_confidence, "n_ar_confidence")
        self.n_samples = samples if samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = resamples if resamples != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_jobs = n_jobs
        self.n_systems = len(self.named_systems) - 1  # without the baseline
        _, self._seed = options.environment_seed()

    def __call__(self) -> _Tested:
        """Test all systems by all metrics.

        Returns
        -------
        dict of str to Signature
            Signatures by the names of metrics' scores.
        dict of str to list (systems,)
            Names of systems ("System"), and a `Result` of each by the names of metrics' scores.
        """
        signatures: dict[str, Signature] = {}
        scores: dict[str, list[str | Result]] = {"System": [name for name, _ in self.named_systems]}
        for name, metric in self.metrics.items():
            is_bleu = isinstance(metric, BLEU) and not metric._is_overridden(self.references)
            test = self._test_bleu if is_bleu else self._pass_on
            signature, results = test(name, metric)
            for score_name in signature:
                if score_name in signatures:
                    raise ValueError(
                        f"metrics[{name!r}] gives scores of the name {score_name!r}, as another "
                        "metric does: test them one by one"
                    )
            signatures |= signature
            scores |= results
        return signatures, scores

    def _pass_on(self, name: str, metric: Any) -> _Tested:
        """Have sacreBLEU test the systems by a metric that is not vecbleu's."""
        try:
            paired_test = installed_module("significance").PairedTest
        except ImportError as error:
            raise ImportError(f"metrics[{name!r}] is tested by sacreBLEU, {error}") from None
        counts = self.n_samples, self.n_ar_confidence, self.n_jobs
        tested = paired_test(
            self.named_systems, {name: metric}, self.references, self.test_type, *counts
        )
        signatures, scores = tested()
        results: dict[str, list[str | Result]] = {
            key: [Result(**vars(one)) for one in scores[key]] for key in signatures
        }
        return signatures, results

    def _test_bleu(self, _: str, metric: BLEU) -> _Tested:
        """Test the systems by BLEU."""
        tables = [metric._rows(output, self.references) for _, output in self.named_systems]
        systems, scoring = checked_systems(tables, least=1), metric._score_options()
        rng = generator(self._seed)
        draws = DrawOptions(_TESTS[self.test_type], self.n_samples, rng)
        tested = PairedResampling(systems, draws, scoring._asdict(), sides=1, least=1)
        p_values = tested.compare().p_values.tolist()
        results = [
            Result(percent, p_value)
            for percent, p_value in zip(tested.percents.tolist(), p_values, strict=True)
        ]
        results[0].p_value = None
        resampled = tested.resampled
        if resampled is None and self.n_ar_confidence > 0:
            resampled = self._resample(tables, scoring, rng)
        if resampled is not None:
            for result, column in zip(results, resampled.T, strict=True):
                result.mean, result.ci = estimate_ci(column)
        return {"BLEU": self._signature(metric)}, {"BLEU": [*results]}

    def _resample(
        self, tables: Sequence[Statistics], scoring: ScoreOptions, rng: np.random.Generator
    ) -> Float64:
        """Scores of resampled corpora (resamples, systems), beside a test of another kind.

        sacreBLEU draws those of the baseline from the seed, and those of the others from where the
        test has left the generator.
        """
        columns = []
        drawn = [(tables[:1], generator(self._seed)), (tables[1:], rng)]
        for some, source in drawn:
            if some:
                draws = DrawOptions("bootstrap", self.n_ar_confidence, source)
                by_system = draw_sums([one.array for one in some], draws)
                columns.append(percent_bleu(by_system, scoring))
        return np.concatenate(columns, axis=1)

    def _signature(self, metric: BLEU) -> Signature:
        """What has been computed, and with how many draws."""
        signature: Signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature


if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "significance")
