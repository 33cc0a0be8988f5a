"""Explanations as HTML: marked words, and tables that open; nothing in it can become markup."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from vecbleu.analysis.explanation_text import (
    computation,
    ngram_table,
    precision_table,
    reference_names,
    shown_token,
)
from vecbleu.analysis.marks import text_pieces
from vecbleu.core.records import replace
from vecbleu.core.terminal import escaped

if TYPE_CHECKING:
    from vecbleu.analysis.explanation import Explanation, OrderCounts

_DIGITS = 4

# A color that is seen on light and on dark pages, the stronger the longer the n-gram.
_COLOR = "rgba(46,160,67,{:.2f})"
_LARGEST = 0.6

# Rows of a table, which a notebook shows unasked: a browser takes seconds for some 100,000.
_MOST_ROWS = 10_000


def page(found: Explanation) -> str:
    """The marked hypothesis, the references, the computation, and a table for each order."""
    names = reference_names(len(found.references))
    texts = [("hypothesis", _marked(found))]
    texts += [(name, _text(unit)) for name, unit in zip(names, found.references, strict=True)]
    orders = "".join(
        f"<details><summary>{order.order}-grams: {order.matches} of {order.total} match</summary>"
        f"{_ngrams(order, len(names))}</details>"
        for order in found.orders
        if order.ngrams
    )
    sentences = "".join(f"<p>{escape(line)}</p>" for line in computation(found, _DIGITS))
    return (
        '<div class="vecbleu-explanation">'
        f"{''.join(f'<p><b>{name}</b> <bdi>{text}</bdi></p>' for name, text in texts)}"
        f"<p>{_legend(len(found.orders))}</p>"
        f"{_table(precision_table(found, _DIGITS))}{sentences}{orders}</div>"
    )


def _ngrams(order: OrderCounts, references: int) -> str:
    """The table of an order, whose first and last columns are text."""
    rows = ngram_table(replace(order, ngrams=order.ngrams[:_MOST_ROWS]), references)
    more = len(order.ngrams) - _MOST_ROWS
    note = f"<p>... and {more} more, which print and to_dataframe() have</p>" if more > 0 else ""
    return _table(rows, left=(0, len(rows[0]) - 1)) + note


def _text(unit: str | Iterable[object]) -> str:
    """Text, or tokens with spaces between."""
    return _safe(unit) if isinstance(unit, str) else escape(" ".join(map(shown_token, unit)))


def _safe(text: str) -> str:
    """Text in which nothing is markup or a control character."""
    return escape(escaped(text))


def _marked(found: Explanation) -> str:
    """The hypothesis with its matched words marked."""
    if isinstance(found.hypothesis, str):
        tokens = [*map(str, found.tokens)]
        pieces = text_pieces(found.hypothesis, tokens, bool(found.signature.lowercase))
        shown = [(_safe(piece), index) for piece, index in pieces]
    else:
        shown = []
        for index, token in enumerate(found.tokens):
            shown += [(escape(shown_token(token)), index), (" ", None)]
    matched, most = found.matched_orders, len(found.orders)
    marked = [
        _mark(piece, matched[index], most) if index is not None and matched[index] else piece
        for piece, index in shown
    ]
    return "".join(marked).rstrip(" ")


def _mark(text: str, order: int, most: int) -> str:
    """A piece of text that matched in n-grams of an order at most."""
    color = _COLOR.format(_LARGEST * order / most)
    return (
        f'<mark data-order="{order}" title="in a {order}-gram that matches" '
        f'style="color:inherit;background:{color}">{text}</mark>'
    )


def _legend(most: int) -> str:
    """What the colors mean, of few orders."""
    shown = range(1, most + 1) if most <= 8 else (1, most)
    return "marked by the longest match: " + " ".join(
        _mark(f"{order}-gram", order, most) for order in shown
    )


def _table(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> str:
    """A table whose first row is its head; numbers stand right, the given columns left."""
    tags = ["th"] + ["td"] * (len(rows) - 1)
    lines = "".join(_row(row, tag, left) for row, tag in zip(rows, tags, strict=True))
    return f'<table cellpadding="3" style="text-align:right">{lines}</table>'


def _row(cells: Sequence[str], tag: str, left: Collection[int]) -> str:
    """A row of a table; a style of every cell would make most of a page."""
    style = ' style="text-align:left"'
    shown = [
        f"<{tag}{style if place in left else ''}>{escape(cell)}</{tag}>"
        for place, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(shown)}</tr>"
