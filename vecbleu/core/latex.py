"""LaTeX: text that stands for itself, and tables for the package booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vecbleu.core.terminal import escaped_name

_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}
    | {"<": r"\ensuremath{<}", ">": r"\ensuremath{>}"}
)


def escaped_latex(text: str) -> str:
    r"""Text with commands for the characters that LaTeX takes for its own.

    Parameters
    ----------
    text : str
        The name of a system, the label of a group, or any other text.

    Returns
    -------
    str

    Examples
    --------
    >>> print(escaped_latex("50% of a_b"))
    50\% of a\_b
    """
    return text.translate(_SPECIAL)


def latex_cell(value: object, decimals: int) -> str:
    """A cell of a table: rounded numbers, nothing for None and NaN, text for itself."""
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return escaped_latex(escaped_name(str(value))).replace(r"\ensuremath{>}=", r"$\geq$")


def booktabs(columns: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Lines of a table, whose cells are LaTeX already; `columns` says how they are aligned."""
    yield from (rf"\begin{{tabular}}{{{columns}}}", r"\toprule")
    yield " & ".join(header) + r" \\"
    yield r"\midrule"
    for row in rows:
        # The end of the row before would take a bracket or an asterisk for its own.
        protection = "{}" if row[0].lstrip().startswith(("[", "*")) else ""
        yield protection + " & ".join(row) + r" \\"
    yield from (r"\bottomrule", r"\end{tabular}")


def aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Rows of cells, padded to the width of their columns: the first from the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
