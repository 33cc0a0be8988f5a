"""How the command line prints scores of several systems: the lines of JSON or of a table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from vecbleu.core.latex import booktabs, escaped_latex
from vecbleu.core.records import dataclass
from vecbleu.core.terminal import escaped_name

if TYPE_CHECKING:
    from vecbleu.significance import Comparison

FORMATS = ("json", "text", "latex")

# The largest p-value with an asterisk.
_LEVEL = 0.05

_INTERVAL_EXPLANATION = """\
 - A score is that of the test set; in parentheses stand the mean of the resampled corpora and
   half the width of their 95% interval.
"""
_EXPLANATION = f"""\
 - The first system is the baseline, with which each of the others is compared.
 - p estimates how often a difference of this size or more would come about if the two
   systems were interchangeable; an asterisk marks p <= {_LEVEL}.
 - A small p makes chance an unlikely reason for a difference, whose size it says nothing
   about. No p is adjusted for the number of systems.
"""

# The name of a row, and the lines of its scores.
_Rows = Sequence[tuple[str, Sequence[Sequence[str]]]]


@dataclass(frozen=True, slots=True)
class Column:
    """A metric and its scores of all systems: as text, or as the numbers of a test by name."""

    name: str
    scores: Sequence[str | dict[str, float | None]]
    signature: str


def format_scores(results: Sequence[str], form: str) -> list[str]:
    """Format one system's scores by each metric as sacreBLEU's JSON, or lines aligned at `=`.

    A line end in text is one of a signature, which nobody may take for ours.
    """
    if form == "json":
        text = results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]"
        return text.split("\n")
    if len(results) == 1:
        return [*results]
    width = max(len(result.partition(" =")[0]) for result in results)
    return [
        f"{left:>{width}}{sign}{right}" if sign else left
        for left, sign, right in (result.partition(" =") for result in results)
    ]


def format_table(
    systems: Sequence[str],
    columns: Sequence[Column],
    form: str,
    width: int,
    explanation: Sequence[str] = (),
) -> list[str]:
    """Format systems and their scores as sacreBLEU's JSON, grid or LaTeX table."""
    if form == "json":
        return _format_json(systems, columns)
    has_means = any(isinstance(row, dict) and row["mean"] is not None for row in columns[0].scores)
    titles = [column.name + (" (μ ± 95% CI)" if has_means else "") for column in columns]
    separator = " " if form == "latex" else "\n"
    cells = [
        [_format_cell(row, width, separator).split("\n") for row in column.scores]
        for column in columns
    ]
    header = "System", [[title] for title in titles]
    rows = [header, *zip(map(escaped_name, systems), [*zip(*cells, strict=True)], strict=True)]
    # A title is padded by two more characters, as sacreBLEU's are.
    widths = [
        max(len(title) + 2, *(len(line) for lines in column for line in lines))
        for title, column in zip(titles, cells, strict=True)
    ]
    left = max(len("System") + 2, *(len(name) for name, _ in rows))
    table = (_latex if form == "latex" else _grid)(rows, left, widths)
    footer = [f" - {column.name:<10} {column.signature}" for column in columns]
    return [*table, "", *explanation, *_headline("Metric signatures"), *footer]


def format_comparison(
    systems: Sequence[str], columns: Sequence[Column], options: Namespace, count: int
) -> list[str]:
    """Format systems with their intervals and p-values as sacreBLEU's JSON, grid or LaTeX table."""
    explanation = _EXPLANATION
    test = f"Paired approximate randomization test with {count} trials"
    if options.paired_bs:
        explanation = _INTERVAL_EXPLANATION + _EXPLANATION
        test = f"Paired bootstrap resampling test with {count} resampling trials"
    lines = [*_headline(test), *explanation.splitlines(), ""]
    return format_table(systems, columns, options.format, options.width, lines)


def comparison_entries(
    systems: Sequence[str], percents: Sequence[float], found: Comparison, signature: str
) -> dict[str, Any]:
    """The rows of a comparison and the adjusted p-values, with every digit, for JSON."""
    own = found.to_dict()
    columns = systems, comparison_rows(percents, found), own["holm"], own["benjamini_hochberg"]
    entries = [
        {"system": name} | row | {"holm": holm, "benjamini_hochberg": adjusted}
        for name, row, holm, adjusted in zip(*columns, strict=True)
    ]
    return {"signature": signature, "systems": entries}


def comparison_rows(
    percents: Sequence[float], found: Comparison
) -> Iterator[dict[str, float | None]]:
    """Each system's numbers by sacreBLEU's names, scores on 0 to 100."""
    own, unknown = found.to_dict(), [None] * len(found.names)
    names = "p_values", "means", "lower", "upper"
    columns = [percents, *(own[name] or unknown for name in names)]
    for score, p_value, mean, lower, upper in zip(*columns, strict=True):
        row = {"score": score, "p_value": p_value, "mean": None, "ci": None}
        if mean is not None:
            row |= {"mean": 100 * mean, "ci": 50 * (upper - lower)}
        yield row


def _format_cell(row: str | dict[str, float | None], width: int, separator: str) -> str:
    """A system's numbers as text."""
    if isinstance(row, str):
        return row
    text = f"{row['score']:.{width}f}"
    if row["mean"] is not None:
        text += f" ({row['mean']:.{width}f} ± {row['ci']:.{width}f})"
    if row["p_value"] is not None:
        star = "*" if row["p_value"] <= _LEVEL else ""
        text += f"{separator}(p = {row['p_value']:.4f}){star}"
    return text


def _format_json(systems: Sequence[str], columns: Sequence[Column]) -> list[str]:
    """Format one object a system."""
    rows = zip(*(column.scores for column in columns), strict=True)
    names = [column.name for column in columns]
    entries = [
        {"system": system} | dict(zip(names, row, strict=True))
        for system, row in zip(systems, rows, strict=True)
    ]
    return json_lines(entries, indent=4)


def json_lines(value: Any, indent: int | None = 1) -> list[str]:
    """JSON with every digit, as lines."""
    import json  # 2 ms, which text need not wait for

    return json.dumps(value, indent=indent).split("\n")


def _headline(title: str) -> list[str]:
    """A title between lines as long as itself."""
    return ["-" * len(title), title, "-" * len(title)]


def _grid(rows: _Rows, left: int, widths: Sequence[int]) -> Iterator[str]:
    """Draw a table with box-drawing characters, its columns of the given widths."""

    def rule(start: str, dash: str, cross: str, end: str) -> str:
        return start + cross.join(dash * (width + 2) for width in (left, *widths)) + end

    yield rule("╒", "═", "╤", "╕")
    for number, (name, cells) in enumerate(rows):
        if number:
            yield rule("├", "─", "┼", "┤") if number > 1 else rule("╞", "═", "╪", "╡")
        for lines in zip_longest(*cells, fillvalue=""):
            shown = [f"{line:^{width}}" for line, width in zip(lines, widths, strict=True)]
            yield f"│ {' │ '.join([f'{name:>{left}}', *shown])} │"
            name = ""
    yield rule("╘", "═", "╧", "╛")


def _latex(rows: _Rows, left: int, widths: Sequence[int]) -> Iterator[str]:
    """Write a table for the package booktabs, its cells padded to the given widths."""
    header, *cells = (
        [escaped_latex(f" {name:>{left}}")]
        + [escaped_latex(f"{line:^{width}}") for (line,), width in zip(lines, widths, strict=True)]
        for name, lines in rows
    )
    return booktabs("r" + "c" * len(widths), header, cells)
