"""What comparing systems results in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vecbleu.ragged import Int64
from vecbleu.significance.adjusting import clusters
from vecbleu.significance.scoring import Floats, Result


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result):
    """Systems against one of them, the baseline; scores on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        What the systems are called.
    baseline : int
        The place of the one that the others are compared with.
    scores : float64 array (systems,)
        BLEU of each.
    percents : float64 array (systems,)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (systems,)
        Their scores less the baseline's.
    p_values : float64 array (systems,)
        Of the differences; NaN for the baseline.
    holm, benjamini_hochberg : float64 array (systems,)
        The same, adjusted for the number of systems.
    means, lower, upper : float64 array (systems,), or None
        The mean of the resampled scores and the interval of 95% (bootstrap only).
    """

    names: tuple[str, ...]
    baseline: int
    scores: Floats
    percents: Floats
    differences: Floats
    p_values: Floats
    holm: Floats
    benjamini_hochberg: Floats
    means: Floats | None = None
    lower: Floats | None = None
    upper: Floats | None = None

    def __repr__(self) -> str:
        parts = [
            f"{name}: {score:.4f}" + ("" if np.isnan(p) else f" (p = {p:.4f})")
            for name, score, p in zip(self.names, self.scores, self.p_values, strict=True)
        ]
        return f"Comparison({', '.join(parts[:6])}{', ...' if len(parts) > 6 else ''})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllPairs(Result):
    """Every system against every other; scores on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        What the systems are called.
    scores : float64 array (systems,)
        BLEU of each.
    percents : float64 array (systems,)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (systems, systems)
        The row's score less the column's.
    p_values : float64 array (systems, systems)
        Of the differences; NaN on the diagonal.
    holm, benjamini_hochberg : float64 array (systems, systems)
        The same, adjusted for the number of pairs.
    """

    names: tuple[str, ...]
    scores: Floats
    percents: Floats
    differences: Floats
    p_values: Floats
    holm: Floats
    benjamini_hochberg: Floats

    def clusters(self, level: float = 0.05) -> Int64:
        """Groups that can't be told apart (systems,), from 1 for the best; see `clusters`."""
        return clusters(self.scores, self.p_values, level)

    def __repr__(self) -> str:
        best = int(self.scores.argmax())
        return (
            f"AllPairs(systems={len(self.names)}, best={self.names[best]}: "
            f"{self.scores[best]:.4f}, clusters={int(self.clusters().max())})"
        )
