"""Format tables of several systems as sacreBLEU does: text, JSON or LaTeX."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vecbleu.cli.systems import entries, json_lines, percent
from vecbleu.show.table import latex_lines
from vecbleu.show.terminal import escaped_name

if TYPE_CHECKING:
    from vecbleu.significance import Comparison

FORMATS = ("json", "text", "latex")

# The largest p-value with an asterisk.
_LEVEL = 0.05

_INTERVAL_EXPLANATION = """\
 - Scores are those of the test set; in parentheses, the mean of the resampled corpora and half
   the width of their {:g}% interval.
"""
_EXPLANATION = f"""\
 - The first system is the baseline; all others are compared with it.
 - p is the estimated probability that two equal systems differ by this much or more, by chance;
   an asterisk marks p <= {_LEVEL}. A small p does not mean a large difference.
 - p-values are not adjusted for the number of systems.
"""
_ONE_SIDED = """\
 - p counts one of two tails, as in sacreBLEU: one in ten pairs of equal systems gets an
   asterisk. --sides 2 counts both tails, as vecbleu rank does.
"""

# The name of a row, and the lines of its score.
_Rows = Sequence[tuple[str, Sequence[str]]]


def format_table(
    systems: Sequence[str],
    scores: Sequence[str | dict[str, float | None]],
    signature: str,
    options: Namespace,
    level: float = 0.95,
    explanation: Sequence[str] = (),
) -> list[str]:
    """Format systems and their scores as sacreBLEU's JSON, grid or LaTeX table.

    A score is text, or a dict with the numbers of a test; `level` is the confidence level.
    """
    form, width = options.format, options.width
    if form == "json":
        return json_lines(entries(system=systems, BLEU=scores), indent=4)
    has_means = any(isinstance(row, dict) and row["mean"] is not None for row in scores)
    title = "BLEU" + (f" (μ ± {100 * level:g}% CI)" if has_means else "")
    separator = " " if form == "latex" else "\n"
    cells = [_format_cell(row, width, separator).split("\n") for row in scores]
    rows = [("System", [title]), *zip(map(escaped_name, systems), cells, strict=True)]
    # As in sacreBLEU, titles have two more characters of padding.
    left = max(len("System") + 2, *(len(name) for name, _ in rows))
    right = max(len(title) + 2, *(len(line) for lines in cells for line in lines))
    if form == "latex":
        padded = ([f" {name:>{left}}", f"{line:^{right}}"] for name, (line,) in rows)
        table = latex_lines("rc", padded)
    else:
        table = _grid(rows, left, right)
    return [*table, "", *explanation, *_headline("Metric signatures"), f" - BLEU       {signature}"]


def format_comparison(
    systems: Sequence[str],
    percents: Sequence[float],
    found: Comparison,
    signature: str,
    options: Namespace,
    count: int,
) -> list[str]:
    """Format systems with intervals and p-values; with --json, also adjusted ones."""
    level, lower, upper = found.confidence_level, found.lower, found.upper
    half = None if lower is None or upper is None else 50 * (upper - lower)
    # With sacreBLEU's names.
    rows = entries(score=percents, p_value=found.p_values, mean=percent(found.means), ci=half)
    if options.json:
        more = entries(holm=found.holm, benjamini_hochberg=found.benjamini_hochberg)
        named = [
            {"system": name} | row | adjusted
            for name, row, adjusted in zip(systems, rows, more, strict=True)
        ]
        return json_lines({"signature": signature, "systems": named})
    explanation = _EXPLANATION
    test = f"Paired approximate randomization test with {count} trials"
    if level is not None:
        explanation = _INTERVAL_EXPLANATION.format(100 * level) + _EXPLANATION
        explanation += _ONE_SIDED if options.sides == 1 else ""
        test = f"Paired bootstrap resampling test with {count} resampling trials"
    lines = [*_headline(test), *explanation.splitlines(), ""]
    return format_table(systems, rows, signature, options, level or 0.95, lines)


def _format_cell(row: str | dict[str, float | None], width: int, separator: str) -> str:
    """Return a system's numbers as text."""
    if isinstance(row, str):
        return row
    text = f"{row['score']:.{width}f}"
    if row["mean"] is not None:
        text += f" ({row['mean']:.{width}f} ± {row['ci']:.{width}f})"
    if row["p_value"] is not None:
        star = "*" if row["p_value"] <= _LEVEL else ""
        text += f"{separator}(p = {row['p_value']:.4f}){star}"
    return text


def _headline(title: str) -> list[str]:
    """Return a title between two lines of the same length."""
    return ["-" * len(title), title, "-" * len(title)]


def _grid(rows: _Rows, left: int, right: int) -> Iterator[str]:
    """Draw a table with box-drawing characters; `left` and `right` are widths."""

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
