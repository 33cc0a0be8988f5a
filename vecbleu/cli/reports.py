"""How the command line prints scores of several systems: the lines of JSON or of a table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from vecbleu.core.latex import booktabs, escaped_latex
from vecbleu.core.terminal import escaped_name

if TYPE_CHECKING:
    from vecbleu.significance import Comparison

FORMATS = ("json", "text", "latex")

# The largest p-value with an asterisk.
_LEVEL = 0.05

_INTERVAL_EXPLANATION = """\
 - BLEU is that of the test set; in parentheses stand the mean of the resampled corpora and
   half the width of their 95% interval.
"""
_EXPLANATION = f"""\
 - The first system is the baseline, with which each of the others is compared.
 - p estimates how often a difference of this size or more would come about if the two
   systems were interchangeable; an asterisk marks p <= {_LEVEL}.
 - A small p makes chance an unlikely reason for a difference, whose size it says nothing
   about. No p is adjusted for the number of systems.
"""

# The name of a row, and the lines of its score.
_Rows = Sequence[tuple[str, Sequence[str]]]


def format_table(
    systems: Sequence[str],
    scores: Sequence[str],
    form: str,
    signature: str,
    title: str = "BLEU",
    explanation: Sequence[str] = (),
) -> list[str]:
    """Format systems and their scores as sacreBLEU's JSON, grid or LaTeX table."""
    if form == "json":
        return _format_json(systems, scores)
    systems = [*map(escaped_name, systems)]
    cells = [score.split("\n") for score in scores]
    rows = [("System", [title]), *zip(systems, cells, strict=True)]
    # A title is padded by two more characters, as sacreBLEU's are.
    left = max(len("System") + 2, *map(len, systems))
    right = max(len(title) + 2, *(len(line) for lines in cells for line in lines))
    table = _latex(rows, left, right) if form == "latex" else _grid(rows, left, right)
    footer = [*_headline("Metric signatures"), f" - {'BLEU':<10} {signature}"]
    return [*table, "", *explanation, *footer]


def format_comparison(
    systems: Sequence[str], found: Comparison, options: Namespace, count: int, signature: str
) -> list[str]:
    """Format systems with their intervals and p-values as sacreBLEU's JSON, grid or LaTeX table."""
    form, width = options.format, options.width
    rows = [*_comparison_rows(found)]
    if form == "json":
        return _format_json(systems, rows)
    cells = [_format_cell(row, width, " " if form == "latex" else "\n") for row in rows]
    title, explanation = "BLEU", _EXPLANATION
    test = f"Paired approximate randomization test with {count} trials"
    if found.means is not None:
        title, explanation = "BLEU (μ ± 95% CI)", _INTERVAL_EXPLANATION + _EXPLANATION
        test = f"Paired bootstrap resampling test with {count} resampling trials"
    lines = [*_headline(test), *explanation.splitlines(), ""]
    return format_table(systems, cells, form, signature, title, lines)


def comparison_entries(systems: Sequence[str], found: Comparison, signature: str) -> dict[str, Any]:
    """The rows of a comparison and the adjusted p-values, with every digit, for JSON."""
    own = found.to_dict()
    columns = systems, _comparison_rows(found), own["holm"], own["benjamini_hochberg"]
    entries = [
        {"system": name} | row | {"holm": holm, "benjamini_hochberg": adjusted}
        for name, row, holm, adjusted in zip(*columns, strict=True)
    ]
    return {"signature": signature, "systems": entries}


def _comparison_rows(found: Comparison) -> Iterator[dict[str, float | None]]:
    """Each system's numbers by sacreBLEU's names, scores on 0 to 100."""
    own, unknown = found.to_dict(), [None] * len(found.names)
    names = "percents", "p_values", "means", "lower", "upper"
    columns = [own[name] or unknown for name in names]
    for score, p_value, mean, lower, upper in zip(*columns, strict=True):
        row = {"score": score, "p_value": p_value, "mean": None, "ci": None}
        if mean is not None:
            row |= {"mean": 100 * mean, "ci": 50 * (upper - lower)}
        yield row


def _format_cell(row: dict[str, float | None], width: int, separator: str) -> str:
    """A system's numbers as text."""
    text = f"{row['score']:.{width}f}"
    if row["mean"] is not None:
        text += f" ({row['mean']:.{width}f} ± {row['ci']:.{width}f})"
    if row["p_value"] is not None:
        star = "*" if row["p_value"] <= _LEVEL else ""
        text += f"{separator}(p = {row['p_value']:.4f}){star}"
    return text


def _format_json(systems: Sequence[str], scores: Sequence[Any]) -> list[str]:
    """Format one object a system."""
    rows = zip(systems, scores, strict=True)
    entries = [{"system": name, "BLEU": score} for name, score in rows]
    return json_lines(entries, indent=4)


def json_lines(value: Any, indent: int | None = 1) -> list[str]:
    """JSON with every digit, as lines."""
    import json  # 2 ms, which text need not wait for

    return json.dumps(value, indent=indent).split("\n")


def _headline(title: str) -> list[str]:
    """A title between lines as long as itself."""
    return ["-" * len(title), title, "-" * len(title)]


def _grid(rows: _Rows, left: int, right: int) -> Iterator[str]:
    """Draw a table with box-drawing characters, its columns of the given widths."""

    def rule(start: str, dash: str, cross: str, end: str) -> str:
        return start + dash * (left + 2) + cross + dash * (right + 2) + end

    yield rule("╒", "═", "╤", "╕")
    for number, (name, lines) in enumerate(rows):
        if number:
            yield rule("├", "─", "┼", "┤") if number > 1 else rule("╞", "═", "╪", "╡")
        for line in lines:
            yield f"│ {name:>{left}} │ {line:^{right}} │"
            name = ""
    yield rule("╘", "═", "╧", "╛")


def _latex(rows: _Rows, left: int, right: int) -> Iterator[str]:
    """Write a table for the package booktabs, its cells padded to the given widths."""
    header, *cells = (
        [escaped_latex(cell) for cell in (f" {name:>{left}}", f"{line:^{right}}")]
        for name, (line,) in rows
    )
    return booktabs("rc", header, cells)
