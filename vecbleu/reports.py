"""What the command line prints: a score as text or JSON, several systems as a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from vecbleu.results import BleuScore

FORMATS = ("json", "text", "latex")

_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "^": r"\^{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}


def table(systems: Sequence[str], scores: Sequence[str], form: str, signature: str) -> str:
    """List systems and their scores in one of the formats, as sacreBLEU prints them."""
    if form == "json":
        rows = zip(systems, scores, strict=True)
        return json.dumps([{"system": name, "BLEU": score} for name, score in rows], indent=4)
    lines = _latex(systems, scores) if form == "latex" else _grid(systems, scores)
    title = "Metric signatures"
    rule = "-" * len(title)
    return "\n".join([*lines, "", rule, title, rule, f" - {'BLEU':<10} {signature}"])


def _grid(systems: Sequence[str], scores: Sequence[str]) -> list[str]:
    """Draw a table with lines."""
    (head, *rows), widths = _cells(systems, scores)

    def rule(left: str, dash: str, cross: str, right: str) -> str:
        return left + cross.join(dash * (width + 2) for width in widths) + right

    lines = [rule("╒", "═", "╤", "╕"), f"│ {head[0]} │ {head[1]} │"]
    for row in rows:
        lines.append(rule("├", "─", "┼", "┤") if len(lines) > 2 else rule("╞", "═", "╪", "╡"))
        lines.append(f"│ {row[0]} │ {row[1]} │")
    return [*lines, rule("╘", "═", "╧", "╛")]


def _latex(systems: Sequence[str], scores: Sequence[str]) -> list[str]:
    """Write a table for the package booktabs."""
    (head, *rows), _ = _cells(systems, scores)
    return [
        r"\begin{tabular}{rc}",
        r"\toprule",
        f" {head[0]} & {head[1]} \\\\",
        r"\midrule",
        *(f" {_escaped(name)} & {score} \\\\" for name, score in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _escaped(text: str) -> str:
    """Text for LaTeX."""
    return "".join(_LATEX.get(character, character) for character in text)


def _cells(systems: Sequence[str], scores: Sequence[str]) -> tuple[list[list[str]], list[int]]:
    """Pad the cells of both columns, and their widths; a title has room for two more letters."""
    names, values = ["System", *systems], ["BLEU", *scores]
    widths = [max(len(column[0]) + 2, *map(len, column)) for column in (names, values)]
    rows = zip(names, values, strict=True)
    return [[f"{name:>{widths[0]}}", f"{value:^{widths[1]}}"] for name, value in rows], widths


def entry(
    hypothesis: str, references: Sequence[str], score: BleuScore, signature: str
) -> dict[str, Any]:
    """One score at full precision, for JSON."""
    return {
        "name": "BLEU",
        "score": score.percent,
        "signature": signature,
        "hypothesis": hypothesis,
        "references": list(references),
        "precisions": score.percent_precisions,
        "brevity_penalty": score.brevity_penalty,
        "matches": score.matches,
        "totals": score.totals,
        "hyp_len": score.hyp_len,
        "ref_len": score.ref_len,
    }
