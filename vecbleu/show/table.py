"""Show any result as a table: columns with formats, as text, HTML, LaTeX or plain lists."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.show.terminal import escaped, escaped_name, table_lines

Format = Literal["text", "count", "score", "difference", "p", "number", "percent"]
Values = Sequence[Any] | npt.NDArray[Any]  # of a column: texts or numbers

# Significance level, unless the user asks for another.
LEVEL = 0.05

# Rows that a terminal or a notebook shows by default.
_MOST_ROWS = 60

_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}
    | {"<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\textbar{}"}
)


def safe_html(text: str) -> str:
    r"""Escape markup and control characters.

    Examples
    --------
    >>> safe_html("<b>&\x1b")
    '&lt;b&gt;&amp;\\u001b'
    """
    from html import escape  # only HTML needs it

    return escape(escaped(text))


class Column(NamedTuple):
    """A column of a table.

    Parameters
    ----------
    title : str
        The heading of the column.
    values : sequence or array
        One value a row; None and NaN are empty cells.
    format : {"text", "count", "score", "difference", "p", "number", "percent"}
        "score" shows a score times 100, "difference" also with its sign. "p" shows a p-value
        as `p_value` does; "number" shows four decimals; "percent" shows a number of 0 to 100.
    digits : int
        Decimals of scores and differences.
    key : str
        The name of the column in dicts, if it is not the title.
    texts : sequence of str
        The cells, if the format does not make them.
    """

    title: str
    values: Values
    format: Format = "text"
    digits: int = 2
    key: str = ""
    texts: Sequence[str] = ()

    def cells(self) -> list[str]:
        """Return the column as text, one cell a row."""
        return list(self.texts[: len(self.values)] or map(self._cell, self.values))

    def _cell(self, value: Any) -> str:
        if value is None or value != value:
            return ""
        if self.format == "score":
            return f"{100 * value:.{self.digits}f}"
        if self.format == "difference":
            return f"{100 * value:+.{self.digits}f}"
        if self.format == "p":
            return p_value(float(value))
        if self.format == "percent":
            return f"{value:.0f}%"
        if self.format == "number":
            return f"{value:.4f}"
        return escaped_name(str(value))


class Table(NamedTuple):
    r"""Columns of equal length, shown as text, HTML or LaTeX.

    Parameters
    ----------
    columns : sequence of Column
        Text is aligned to the left, numbers to the right.
    title : str
        A line above the table.
    notes : sequence of str
        Lines below it.

    Examples
    --------
    >>> from vecbleu.show.table import Column, Table
    >>> table = Table([Column("system", ["a", "b"]), Column("BLEU", [0.25, 0.5], "score")])
    >>> print(table)
    system   BLEU
    a       25.00
    b       50.00
    >>> table.to_dict()
    {'system': ['a', 'b'], 'BLEU': [0.25, 0.5]}
    """

    columns: Sequence[Column]
    title: str = ""
    notes: Sequence[str] = ()

    def to_dict(self) -> dict[str, list[Any]]:
        """Return unrounded lists by title, ready for ``pandas.DataFrame``."""
        columns: dict[str, list[Any]] = {}
        for column in self.columns:
            title = column.key or column.title
            while title in columns:  # a system may have the name of another column
                title += "_"
            columns[title] = plain(column.values)
        return columns

    def records(self) -> list[dict[str, Any]]:
        """Return one dict a row, for JSON: unrounded values by title, scores from 0 to 100.

        Examples
        --------
        >>> from vecbleu.show.table import Column, Table
        >>> Table([Column("system", ["a", "b"]), Column("BLEU", [0.25, None], "score")]).records()
        [{'system': 'a', 'BLEU': 25.0}, {'system': 'b', 'BLEU': None}]
        """
        columns = self.to_dict()
        for title, column in zip(columns, self.columns, strict=True):
            if column.format in ("score", "difference"):
                shares = columns[title]
                columns[title] = [None if value is None else 100 * value for value in shares]
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def to_text(self, max_rows: int | None = None) -> str:
        """Return aligned text; a line below it says how many rows beyond `max_rows` are hidden."""
        lines = table_lines(self._cells(max_rows), self._left())
        above = [self.title] if self.title else []
        below = self._below(max_rows)
        return "\n".join([*map(escaped_name, above), *lines, *map(escaped_name, below)])

    def to_html(
        self, max_rows: int | None = None, *, css_class: str = "", rules: Collection[int] = ()
    ) -> str:
        """Return an HTML table, in which all text is escaped; the title is its caption.

        With `css_class`, a style sheet defines its look, and text cells have the class "left". Rows
        whose index is in `rules` have the class "rule", for a line above them.
        """
        header, *rows = self._cells(max_rows)
        left = ' class="left"' if css_class else ' style="text-align:left"'
        look = f'class="{css_class}"' if css_class else 'cellpadding="3" style="text-align:right"'
        caption = f"<caption>{safe_html(self.title)}</caption>" if self.title else ""
        written = [f"<table {look}>{caption}<thead><tr>"]
        for index, title in enumerate(header):
            side = left if index in self._left() else ""
            written.append(f'<th scope="col"{side}>{safe_html(title)}</th>')
        written.append("</tr></thead><tbody>")
        for index, row in enumerate(rows):
            rule = ' class="rule"' if index in rules else ""
            written += [f"<tr{rule}>", *self._html_cells(row, left), "</tr>"]
        notes = [f"<p>{safe_html(note)}</p>" for note in self._below(max_rows)]
        return "".join([*written, "</tbody></table>", *notes])

    def to_latex(self) -> str:
        r"""Return a LaTeX table for the package booktabs; title and notes are comments.

        Examples
        --------
        >>> from vecbleu.show.table import Column, Table
        >>> print(Table([Column("system", ["a_b"]), Column("BLEU", [0.5], "score")]).to_latex())
        \begin{tabular}{lr}
        \toprule
        system & BLEU \\
        \midrule
        a\_b & 50.00 \\
        \bottomrule
        \end{tabular}
        """
        sides = ["l" if column.format == "text" else "r" for column in self.columns]
        header, *rows = (" & ".join(map(_latex, row)) + r" \\" for row in self._cells(None))
        lines = [rf"\begin{{tabular}}{{{''.join(sides)}}}", r"\toprule", header, r"\midrule"]
        for row in rows:
            # `\\` would take a bracket or an asterisk at the start of the next row as its argument.
            is_argument = row.lstrip().startswith(("[", "*"))
            lines.append("{}" + row if is_argument else row)
        lines += [r"\bottomrule", r"\end{tabular}"]
        comments = [f"% {escaped_name(line)}" for line in (self.title, *self.notes) if line]
        return "\n".join([*lines, *comments])

    def __str__(self) -> str:
        return self.to_text(_MOST_ROWS)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.to_html(_MOST_ROWS)

    def _left(self) -> list[int]:
        """Return the indices of the columns that are aligned to the left."""
        return [index for index, column in enumerate(self.columns) if column.format == "text"]

    def _cells(self, max_rows: int | None) -> list[list[str]]:
        """Return the titles, then the cells of the first rows."""
        titles = [escaped_name(column.title) for column in self.columns]
        shown = (column._replace(values=column.values[:max_rows]) for column in self.columns)
        rows = zip(*(column.cells() for column in shown), strict=True)
        return [titles, *map(list, rows)]

    def _below(self, max_rows: int | None) -> list[str]:
        """Return the lines below the table: how many rows are hidden, and the notes."""
        rows = len(self.columns[0].values)
        hidden = 0 if max_rows is None else rows - max_rows
        more = [f"... and {hidden:,} more rows"] if hidden > 0 else []
        return [*more, *self.notes]

    def _html_cells(self, row: Sequence[str], left: str) -> Iterator[str]:
        """Yield the cells of a row, the first text of which is a heading."""
        texts = self._left()
        for index, cell in enumerate(row):
            if index not in texts:
                number = re.sub("^-", "−", cell)
                yield f"<td>{safe_html(number)}</td>"
            elif index == texts[0]:
                yield f'<th scope="row"{left}>{safe_html(cell)}</th>'
            else:
                yield f"<td{left}>{safe_html(cell)}</td>"


class Result:
    """Base of all result dataclasses, which print as their tables."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[Mapping[str, object]]

    def table(self) -> Table:
        """Return the result as a table, for ``print``, notebooks, LaTeX and data frames."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, ready for JSON."""
        return {name: plain(getattr(self, name)) for name in self.__dataclass_fields__}

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def plain(value: object) -> Any:
    """Convert a value for JSON: arrays become lists, NaN becomes None, other types their `str`."""
    if isinstance(value, Result):
        return value.to_dict()
    if hasattr(value, "_asdict"):  # a named tuple
        value = value._asdict()
    if isinstance(value, dict):
        return {name: plain(field) for name, field in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        return list(map(plain, value))
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _latex(cell: str) -> str:
    """Escape a cell for LaTeX; a hyphen before a number is a minus, and >= a sign of its own."""
    escaped_cell = re.sub(r"\A-(?=[\d.]+\Z)", "$-$", cell.translate(_LATEX))
    return escaped_cell.replace(r"\ensuremath{>}=", r"\ensuremath{\geq}")


def direction_notes(metric: str, higher_is_better: bool) -> list[str]:
    """Return what a reader of scores must know, if lower is better."""
    return [] if higher_is_better else [f"{metric}: lower is better"]


def points(value: float, sign: str = "+") -> str:
    """Format a difference for a sentence, with enough digits to differ from 0.0.

    Examples
    --------
    >>> points(0.00123), points(-0.0001, sign="")
    ('+0.1', '−0.01')
    """
    value = 100 * value
    digits = 1
    if 0 < abs(value) < 0.095:
        digits = 2 if abs(value) >= 0.0095 else 4
    return f"{value:{sign}.{digits}f}".replace("-", "−") if value else "0.0"


def p_value(
    value: float, level: float = LEVEL, error: float = 0.0, is_borderline: bool = False
) -> str:
    """Format a p-value with the digits that its standard error leaves, three at most.

    A p-value that is not borderline has as many as tell it from the significance level.

    Examples
    --------
    >>> p_value(1 / 1001), p_value(0.04), p_value(0.0498), p_value(0.0012, level=0.001)
    ('< 0.001', '0.040', '0.0498', '0.0012')
    >>> p_value(0.213, error=0.013), p_value(0.0481, error=0.002, is_borderline=True)
    ('0.21', '0.05, borderline')
    """
    digits = 3 if error <= 0.001 else 2
    floor = min(10**-digits, level)
    if value != value:
        return ""
    if is_borderline:
        return f"{p_value(max(value, floor), 0, error)}, borderline"
    if value < floor:
        return f"< {floor:g}"
    shown = round(value, digits)
    while (shown < level, shown > level) != (value < level, value > level):
        digits += 1
        shown = round(value, digits)
    return f"{value:.{digits}f}"


def p_phrase(text: str) -> str:
    """Return a formatted p-value for a sentence.

    Examples
    --------
    >>> p_phrase(p_value(1 / 1001)), p_phrase(p_value(0.04))
    ('p < 0.001', 'p = 0.040')
    """
    return f"p {text}" if text.startswith("<") else f"p = {text}"
