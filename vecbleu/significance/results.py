"""What estimates and tests return: frozen records of numbers and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.terminal import escaped_name
from vecbleu.significance.multiple_testing import clusters
from vecbleu.significance.ranking_text import ranking_lines
from vecbleu.significance.record import Result as Result
from vecbleu.significance.record import plain
from vecbleu.significance.tables import Columns, comparison_latex, ranking_latex


@public("vecbleu.significance")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Interval(Result):
    """A score with its bootstrap interval, on 0 to 1.

    Parameters
    ----------
    score : float
        BLEU of the corpus itself.
    mean : float
        Mean of the resampled scores.
    lower, upper : float
        Bounds of the interval: the middle of the resampled scores lies between them.
    level : float
        The share of the resampled scores inside, such as 0.95.
    resampled : float64 array (resamples,)
        The scores of the resampled corpora, in the order in which they were drawn.
    """

    score: float
    mean: float
    lower: float
    upper: float
    level: float
    resampled: Float64

    @property
    def half_width(self) -> float:
        """Half the distance of `lower` and `upper`: sacreBLEU's "confidence"."""
        return 0.5 * (self.upper - self.lower)

    def _columns(self) -> Columns:
        names = "score", "mean", "lower", "upper", "level"
        return {name: [getattr(self, name)] for name in names}

    def __repr__(self) -> str:
        ends = f"lower={self.lower:.4f}, upper={self.upper:.4f}"
        return f"Interval(score={self.score:.4f}, mean={self.mean:.4f}, {ends}, level={self.level})"


@public("vecbleu.significance")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Jackknife(Result):
    """A score and its leave-one-out scores, on 0 to 1.

    Parameters
    ----------
    score : float
        BLEU of all S segments.
    without : float64 array (segments,)
        BLEU without each segment.
    standard_error : float
        sqrt((S - 1) / S * sum((without - mean)**2)), where mean is that of `without`.
    bias : float
        (S - 1) * (mean - score).
    """

    score: float
    without: Float64
    standard_error: float
    bias: float

    @property
    def influence(self) -> Float64:
        """What each segment adds to the score (segments,)."""
        return self.score - self.without

    def _columns(self) -> Columns:
        segments = range(len(self.without))
        influence = self.influence.tolist()
        return {"segment": segments, "without": self.without.tolist(), "influence": influence}

    def __repr__(self) -> str:
        score = f"score={self.score:.4f}, standard_error={self.standard_error:.4f}"
        return f"Jackknife({score}, segments={len(self.without)})"


@public("vecbleu.significance")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result):
    """Systems tested against a baseline, which is one of them; scores are on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    baseline : int
        Index of the baseline.
    scores : float64 array (systems,)
        BLEU of each system.
    percents : float64 array (systems,)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (systems,)
        Each system's score minus the baseline's.
    p_values : float64 array (systems,)
        Of the differences; NaN for the baseline.
    holm, benjamini_hochberg : float64 array (systems,)
        The p-values adjusted for the number of comparisons.
    means, lower, upper : float64 array (systems,), or None
        The mean of the resampled scores and their 95% interval (bootstrap only).
    """

    names: tuple[str, ...]
    baseline: int
    scores: Float64
    percents: Float64
    differences: Float64
    p_values: Float64
    holm: Float64
    benjamini_hochberg: Float64
    means: Float64 | None = None
    lower: Float64 | None = None
    upper: Float64 | None = None

    def _columns(self) -> Columns:
        columns = {
            "system": self.names,
            "score": self.scores,
            "difference": self.differences,
            "p_value": self.p_values,
            "holm": self.holm,
            "benjamini_hochberg": self.benjamini_hochberg,
            "mean": self.means,
            "lower": self.lower,
            "upper": self.upper,
        }
        return {name: column for name, column in columns.items() if column is not None}

    def _latex(self, decimals: int, level: float) -> str:
        return comparison_latex(self, decimals, level)

    def __repr__(self) -> str:
        parts = [
            f"{escaped_name(str(name))}: {score:.4f}" + ("" if np.isnan(p) else f" (p = {p:.4f})")
            for name, score, p in zip(self.names, self.scores, self.p_values, strict=True)
        ]
        return f"Comparison({', '.join(parts[:6])}{', ...' if len(parts) > 6 else ''})"


@public("vecbleu.significance")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllPairs(Result):
    """Every system tested against every other; scores are on 0 to 1.

    ``print(found)`` prints the leaderboard: systems from the best down, with their clusters and,
    of up to ten systems, the p-values against each one above.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    scores : float64 array (systems,)
        BLEU of each system.
    percents : float64 array (systems,)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (systems, systems)
        The score of the row's system minus that of the column's.
    p_values : float64 array (systems, systems)
        Of the differences; NaN on the diagonal.
    holm, benjamini_hochberg : float64 array (systems, systems)
        The p-values adjusted for the number of pairs.
    """

    names: tuple[str, ...]
    scores: Float64
    percents: Float64
    differences: Float64
    p_values: Float64
    holm: Float64
    benjamini_hochberg: Float64

    def clusters(self, level: float = 0.05) -> Int64:
        """Cluster of each system (systems,), from 1 for the best, by unadjusted p-values.

        In the order of `names`; `leaderboard` has them from the best down.

        Parameters
        ----------
        level : float
            Significance level, as for `vecbleu.significance.clusters`.

        Returns
        -------
        int64 array (systems,)
        """
        return clusters(self.scores, self.p_values, level)

    def leaderboard(self, level: float = 0.05) -> dict[str, list[Any]]:
        """Columns of the systems from the best down, as a data frame takes them.

        Parameters
        ----------
        level : float
            Significance level of the clusters, as for `clusters`.

        Returns
        -------
        dict of str to list (systems,)
            "system"; "score", 0 to 1; "cluster"; "difference" from the best; "p_value" of that
            difference, which is None for the best itself.

        Examples
        --------
        >>> import vecbleu
        >>> from vecbleu.significance import all_pairs
        >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
        >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
        >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
        >>> found = all_pairs({"one": one, "two": two}).leaderboard()
        >>> found["system"], found["cluster"]
        (['two', 'one'], [1, 2])
        """
        return {name: plain(column) for name, column in self._ranked(level).items()}

    def _columns(self) -> Columns:
        number = len(self.names)
        one, other = np.nonzero(~np.eye(number, dtype=bool))  # each pair in both directions
        return {
            "system": [self.names[place] for place in one],
            "other": [self.names[place] for place in other],
            "difference": self.differences[one, other],
            "p_value": self.p_values[one, other],
            "holm": self.holm[one, other],
            "benjamini_hochberg": self.benjamini_hochberg[one, other],
        }

    def _html_columns(self) -> Columns:
        return self._ranked(0.05)

    def _ranked(self, level: float) -> Columns:
        """Columns of the systems from the best down."""
        order = np.argsort(-self.percents, kind="stable")
        best = order[0]
        return {
            "system": [self.names[place] for place in order],
            "score": self.scores[order],
            "cluster": self.clusters(level)[order],
            "difference": self.differences[order, best],
            "p_value": self.p_values[order, best],
        }

    def _latex(self, decimals: int, level: float) -> str:
        return ranking_latex(self, decimals, level)

    def __str__(self) -> str:
        return "\n".join(ranking_lines(self))

    def __repr__(self) -> str:
        place = int(self.scores.argmax())
        best = f"{escaped_name(str(self.names[place]))}: {self.scores[place]:.4f}"
        return f"AllPairs(systems={len(self.names)}, best={best}, clusters={self.clusters().max()})"
