"""Say how often human judges agree that the system with the higher score is better.

Kocmi, Zouhar, Federmann and Post (2024), "Navigating the Metrics Maze: Reconciling Score Magnitudes
and Accuracies", ACL, fitted a curve to pairs of systems of WMT for each metric.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from vecbleu.core.signature import Signature
from vecbleu.kernel.arrays import Float64


class AgreementCurve(NamedTuple):
    """Curve of a metric: a / (1 + exp(-b * difference)), in percent.

    Parameters
    ----------
    settings : str
        Regular expression of the signatures that it was fitted to, without references and version.
    a, b : float
        Its parameters.
    """

    settings: str
    a: float
    b: float

    def holds_for(self, signature: Signature) -> bool:
        """Return whether it was fitted to scores of this signature."""
        text = re.sub(r"^nrefs:\w+\|", "", signature.format(version=False))
        return re.fullmatch(self.settings, text) is not None

    def percents(self, differences: Float64) -> Float64:
        """Return the share of pairs with such differences, in percent; signs do not matter."""
        share: Float64 = self.a / (1 + np.exp(-self.b * abs(differences)))
        return share
