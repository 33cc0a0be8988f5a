"""What all results can do: be compared, become plain values, data frames and LaTeX tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vecbleu.core.checks import checked_integer
from vecbleu.core.records import dataclass, field_names
from vecbleu.significance.tables import Columns, data_frame, latex_columns


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """A frozen record; it equals another of its class if all fields do, and NaN equals NaN."""

    def to_dict(self) -> dict[str, Any]:
        """All fields, arrays as lists, and None for NaN: what JSON can hold."""
        return {name: plain(getattr(self, name)) for name in field_names(self)}

    def to_dataframe(self) -> Any:
        """The result as a pandas DataFrame, scores on 0 to 1.

        A row is a system, a segment, a pair of systems, or whatever else there are several of:
        tables are long, for ``pivot``, ``groupby`` and ``query``.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        return data_frame(self._columns())

    def to_latex(self, decimals: int = 1, level: float = 0.05) -> str:
        r"""The result as a LaTeX table for the package booktabs, scores on 0 to 100.

        The best score is bold. Of tests against a baseline, an asterisk marks the systems that
        differ from it; of tests of all pairs, a dagger those not worse than the best. Names are
        escaped.

        Parameters
        ----------
        decimals : int
            Decimal places of scores.
        level : float
            Significance level of the marks, where there are tests.

        Returns
        -------
        str
            From ``\begin{tabular}`` to ``\end{tabular}``, after comments that say what is marked.
        """
        return self._latex(checked_integer(decimals, "decimals", 0, 15), level)

    def _latex(self, decimals: int, level: float) -> str:
        """The table of `to_latex`; by default all columns of the data frame."""
        return latex_columns(self._columns(), decimals)

    def _repr_html_(self) -> str:
        """The result as a table under its `repr`, for notebooks; of many rows the first ones."""
        from vecbleu.significance.html import result_page

        return result_page(repr(self), self._html_columns())

    def _html_columns(self) -> Columns:
        """Columns that a notebook shows; by default those of the data frame."""
        return self._columns()

    def _columns(self) -> Columns:
        """Columns of the data frame by name, all of one length; by default one row of fields."""
        return {name: [getattr(self, name)] for name in field_names(self)}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = field_names(self)
        return all(_are_equal(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash(repr(self))  # which equal results share


def plain(value: Any) -> Any:
    """Python's own numbers and lists."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [*map(plain, value)]
    return None if isinstance(value, float) and math.isnan(value) else value


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two fields are equal; NaN equals NaN, in an array or by itself."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    return bool(one == other or (one != one and other != other))
