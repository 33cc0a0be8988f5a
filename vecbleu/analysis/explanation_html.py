"""Explanations as HTML: marked words, and tables that open; nothing in it can become markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from vecbleu.analysis.explanation_text import (
    computation,
    ngram_rows,
    ngram_table,
    other_options,
    precision_table,
    reference_names,
    shown_token,
)
from vecbleu.analysis.marks import text_pieces
from vecbleu.core.html import html_table, safe_html
from vecbleu.core.records import replace

if TYPE_CHECKING:
    from vecbleu.analysis.explanation import Explanation, NgramCounts, OrderCounts

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
        f"{order_table(order)}</details>"
        for order in found.orders
        if order.ngrams
    )
    head, *precisions = precision_table(found, _DIGITS)
    lines = [*computation(found, _DIGITS), *other_options(found)]
    sentences = "".join(f"<p>{safe_html(line)}</p>" for line in lines)
    return (
        '<div class="vecbleu-explanation">'
        f"{''.join(f'<p><b>{name}</b> <bdi>{text}</bdi></p>' for name, text in texts)}"
        f"<p>{_legend(len(found.orders))}</p>"
        f"{html_table(head, precisions, left=())}{sentences}{orders}</div>"
    )


def ngram_row(ngram: NgramCounts) -> str:
    """The counts of one n-gram."""
    head, *rows = ngram_rows(len(ngram.tokens), [ngram], len(ngram.reference_counts))
    return html_table(head, rows, left=(0, len(head) - 1))


def order_table(order: OrderCounts) -> str:
    """The table of an order, whose first and last columns are text."""
    references = len(order.ngrams[0].reference_counts) if order.ngrams else 1
    rows = ngram_table(replace(order, ngrams=order.ngrams[:_MOST_ROWS]), references)
    more = len(order.ngrams) - _MOST_ROWS
    note = f"<p>... and {more} more, which print and to_dataframe() have</p>" if more > 0 else ""
    return html_table(rows[0], rows[1:], left=(0, len(rows[0]) - 1)) + note


def _text(unit: str | Iterable[object]) -> str:
    """Text, or tokens with spaces between."""
    return safe_html(unit) if isinstance(unit, str) else safe_html(" ".join(map(shown_token, unit)))


def _marked(found: Explanation) -> str:
    """The hypothesis with its matched words marked."""
    if isinstance(found.hypothesis, str):
        tokens = [*map(str, found.tokens)]
        pieces = text_pieces(found.hypothesis, tokens, bool(found.signature.lowercase))
        shown = [(safe_html(piece), index) for piece, index in pieces]
    else:
        shown = []
        for index, token in enumerate(found.tokens):
            shown += [(safe_html(shown_token(token)), index), (" ", None)]
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
