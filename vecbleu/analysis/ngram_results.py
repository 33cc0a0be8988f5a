"""What `ngram_differences` returns: n-grams with their counts, and tables of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby
from typing import Any, get_args

from vecbleu.analysis.explanation import shown_token
from vecbleu.analysis.ranking import By, Kind
from vecbleu.core.checks import check_name, checked_integer
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.terminal import escaped_name, table_lines
from vecbleu.significance.results import Result
from vecbleu.significance.tables import Columns, latex_columns

_TITLES: dict[Kind, str] = {
    "match": "n-grams of the references that {more} has more often than {less}",
    "over": "n-grams that {more} has too often, and more so than {less}",
    "under": "n-grams of the references that {more} lacks more often than {less}",
}


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NgramDifference(Result):
    """An n-gram that one system gets right, or produces too often or too rarely, more than another.

    Parameters
    ----------
    kind : {"match", "over", "under"}
        Which occurrences are counted: those in a reference, too; those beyond the reference's; or
        those that the reference has beyond the system's.
    more, less : str
        Names of the systems: the first one has the higher count.
    ngram : tuple (order,)
        Its tokens.
    counts : tuple of int (2,)
        Of `more` and of `less`, clipped in each segment and added up over all.
    score : float
        (counts[0] + alpha) / (counts[0] + counts[1] + 2 alpha).
    examples : tuple of int
        The first segments, counted from 0, in which `more` has the higher count.
    """

    kind: Kind
    more: str
    less: str
    ngram: tuple[Hashable, ...]
    counts: tuple[int, int]
    score: float
    examples: tuple[int, ...]

    def _columns(self) -> Columns:
        return _columns([self])

    def _latex(self, decimals: int, level: float) -> str:
        return _latex([self], decimals)

    @property
    def order(self) -> int:
        """How many tokens the n-gram has."""
        return len(self.ngram)

    def __repr__(self) -> str:
        more, less = escaped_name(self.more), escaped_name(self.less)
        counts = f"{more}={self.counts[0]}, {less}={self.counts[1]}"
        return f"NgramDifference({self.kind} {self.ngram!r}: {counts}, score={self.score:.4f})"


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NgramDifferences(Result):
    """The n-grams in which systems differ most from a baseline, which is one of them.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    baseline : int
        Index of the baseline.
    by : {"score", "count"}
        What n-grams are ranked by.
    alpha : float
        Smoothing of the score.
    segments : int
        Number of segments.
    rows : tuple of NgramDifference
        By system, kind and direction (first those of which the system has more than the baseline);
        the best first.
    """

    names: tuple[str, ...]
    baseline: int
    by: By
    alpha: float
    segments: int
    rows: tuple[NgramDifference, ...]

    def select(
        self, kind: Kind | None = None, more: str | None = None, less: str | None = None
    ) -> tuple[NgramDifference, ...]:
        """The rows of one kind, and of systems that have more or less; by default of all.

        Parameters
        ----------
        kind : {"match", "over", "under"}, optional
            Which occurrences are counted.
        more, less : str, optional
            Name of the system that has the higher, and the lower count.

        Returns
        -------
        tuple of NgramDifference

        Raises
        ------
        ValueError
            There is no such kind or system.
        """
        known = get_args(Kind), self.names, self.names
        asked = {"kind": kind, "more": more, "less": less}
        given = [(name, value) for name, value in asked.items() if value is not None]
        for (name, value), values in zip(asked.items(), known, strict=True):
            if value is not None:
                check_name(value, name, values)
        return tuple(
            row for row in self.rows if all(getattr(row, name) == value for name, value in given)
        )

    def to_dict(self) -> dict[str, Any]:
        """All fields, and rows as such dicts: what JSON can hold, if it can hold the tokens."""
        return Result.to_dict(self) | {"rows": [row.to_dict() for row in self.rows]}

    def to_text(self, most: int = 10) -> str:
        """Tables for people, one for each pair of systems, kind and direction.

        Parameters
        ----------
        most : int
            Rows of a table.

        Returns
        -------
        str

        Raises
        ------
        TypeError, ValueError
            `most` is no integer, or below 0.
        """
        shown = checked_integer(most, "most", 0)
        tables = groupby(self.rows, lambda row: (row.kind, row.more, row.less))
        blocks = ["\n".join(_table([*rows], shown, self.by)) for _, rows in tables]
        return "\n\n".join(blocks) or "No n-gram has different counts."

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        names = [*map(escaped_name, self.names)]
        base = names.pop(self.baseline)
        return f"NgramDifferences({', '.join(names)} against {base}: {len(self.rows)})"

    def _columns(self) -> Columns:
        return _columns(self.rows)

    def _latex(self, decimals: int, level: float) -> str:
        return _latex(self.rows, decimals)


def _columns(rows: Sequence[NgramDifference]) -> dict[str, list[Any]]:
    """The columns of a table with a line for each row."""
    return {
        "kind": [row.kind for row in rows],
        "more": [row.more for row in rows],
        "less": [row.less for row in rows],
        "order": [row.order for row in rows],
        "ngram": [" ".join(map(shown_token, row.ngram)) for row in rows],
        "more_count": [row.counts[0] for row in rows],
        "less_count": [row.counts[1] for row in rows],
        "score": [row.score for row in rows],
        "examples": [" ".join(map(str, row.examples)) for row in rows],
    }


def _latex(rows: Sequence[NgramDifference], decimals: int) -> str:
    """The same as LaTeX, without examples; scores, which are no BLEU, stay on 0 to 1."""
    columns = _columns(rows)
    del columns["examples"]
    columns["smoothed score"] = [f"{score:.{decimals + 2}f}" for score in columns.pop("score")]
    return latex_columns(columns, decimals)


def _table(rows: Sequence[NgramDifference], most: int, by: By) -> Iterator[str]:
    """The lines of a table; what n-grams are ranked by is the first column."""
    more, less = escaped_name(rows[0].more), escaped_name(rows[0].less)
    yield _TITLES[rows[0].kind].format(more=more, less=less)
    cells = [["score" if by == "score" else "difference", more, less, "n-gram", "segments"]]
    for row in rows[:most]:
        first = f"{row.score:.4f}" if by == "score" else f"{row.counts[0] - row.counts[1]}"
        numbers = [first, *map(str, row.counts)]
        cells.append(
            [*numbers, " ".join(map(shown_token, row.ngram)), ", ".join(map(str, row.examples))]
        )
    yield from table_lines(cells, left=(3, 4))
    if len(rows) > most:
        yield f"... and {len(rows) - most} more"
