"""Say whether people would notice a difference."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import checked_name
from vecbleu.arguments.errors import ArgumentError, argument
from vecbleu.core.agreement import AgreementCurve
from vecbleu.core.metric import METRICS, metric_named
from vecbleu.kernel.arrays import Float64


def human_agreement(difference: npt.ArrayLike, metric: str = "BLEU") -> float | Float64:
    """Return how often people prefer the system whose score is higher by this difference.

    It is the share of pairs of systems, in percent, of which human judges agree with the metric:
    a / (1 + exp(-b * difference)), with the a and b that were fitted to pairs of systems of WMT.

    Parameters
    ----------
    difference : float or array
        Difference of two corpus scores in points, as tables print it: 100 times that of the fields
        of a `Ranking`. Its sign does not matter.
    metric : {"BLEU", "chrF", "spBLEU-200"}
        Metric of the scores, with sacreBLEU's default options: BLEU with its tokenizer of the
        language, chrF2, or BLEU with the tokenizer "flores200".

    Returns
    -------
    float, or float64 array in the shape of `difference`
        In percent. 50 means that the difference tells nothing.

    Raises
    ------
    ValueError
        There is no curve of the metric, or a difference is not a number.

    Notes
    -----
    The curves are of recent systems on texts like those of WMT. They say little about systems of
    another kind, other texts, and small test sets. Whether a difference is chance is another
    question: see `paired_bootstrap`.

    Examples
    --------
    >>> from vecbleu.significance import human_agreement
    >>> round(human_agreement(1.06, "BLEU")), round(human_agreement(1.0, "chrF"))
    (65, 70)

    References
    ----------
    Kocmi, Zouhar, Federmann and Post (2024), "Navigating the Metrics Maze: Reconciling Score
    Magnitudes and Accuracies", ACL.
    """
    curves: dict[str, AgreementCurve] = {}
    for name in METRICS:
        curves |= metric_named(name.lower()).of_options()[0].table.agreement
    with argument("metric"):
        curve = curves[checked_name(metric, curves)]
    differences = np.asarray(difference, np.float64)
    if np.isnan(differences).any():
        raise ArgumentError("has NaN", "numbers", argument="difference")
    percents = curve.percents(differences)
    return percents if percents.ndim else float(percents)
