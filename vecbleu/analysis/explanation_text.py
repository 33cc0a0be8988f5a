"""Explanations as text: the tables of a textbook, aligned by what characters take on a terminal."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from vecbleu.core.terminal import escaped, escaped_name, table_lines

if TYPE_CHECKING:
    from vecbleu.analysis.explanation import Explanation, NgramCounts, OrderCounts
    from vecbleu.significance.tables import Columns

# References from which on a table has the largest count alone; the records have all.
MOST_COLUMNS = 8


def lines(found: Explanation, digits: int = 4) -> Iterator[str]:
    """The lines of an explanation: the tokens, a table for each order, and the computation."""
    names = reference_names(len(found.reference_tokens))
    rows = [("hypothesis", found.tokens), *zip(names, found.reference_tokens, strict=True)]
    left = max(len(name) for name, _ in rows)
    for name, tokens in rows:
        yield f"{name:{left}}  {shown_ngram(tokens)}".rstrip()
    for order in found.orders:
        if order.ngrams:
            yield ""
            yield from _table(ngram_table(order, len(names)))
    yield ""
    yield from _table(precision_table(found, digits))
    yield ""
    yield from computation(found, digits)


def reference_names(count: int) -> list[str]:
    """What the references are called: by numbers where there are several."""
    numbers = range(1, count + 1)
    return [f"reference {number}" for number in numbers] if count > 1 else ["reference"]


def shown_ngram(tokens: Iterable[Hashable]) -> str:
    """Tokens with spaces between."""
    return " ".join(map(shown_token, tokens))


def shown_token(token: Hashable) -> str:
    """A token on one line; what holds spaces, or is no string, as Python writes it."""
    token = own_token(token)
    if isinstance(token, str) and token and not any(map(str.isspace, token)):
        return escaped_name(token)
    return escaped(repr(token))


def own_token(token: Hashable) -> Hashable:
    """A token, or what NumPy's is equal to: its numbers are tokens of lists of ids."""
    if isinstance(token, np.generic):
        own: Hashable = token.item()
        return own
    return token


def ngram_table(order: OrderCounts, references: int) -> list[list[str]]:
    """Rows of cells: titles, a row for each n-gram, totals."""
    rows = ngram_rows(order.order, order.ngrams, references)
    blank = [""] * (len(rows[0]) - 4)
    return [*rows, ["total", str(order.total), *blank, str(order.matches), ""]]


def ngram_rows(order: int, ngrams: Iterable[NgramCounts], references: int) -> list[list[str]]:
    """Rows of cells: titles, and a row for each n-gram."""
    several = references > 1
    has_columns = several and references <= MOST_COLUMNS
    columns = [f"ref {number}" for number in range(1, references + 1)] if has_columns else []
    middle = [*columns, "max" if several else "reference"]
    rows = [[f"{order}-gram", "count", *middle, "clipped", "positions"]]
    for ngram in ngrams:
        counts = [*(ngram.reference_counts if has_columns else ()), ngram.max_count]
        numbers = [*map(str, [ngram.count, *counts, ngram.clipped])]
        rows.append([shown_ngram(ngram.tokens), *numbers, " ".join(map(str, ngram.positions))])
    return rows


def columns(found: Explanation) -> Columns:
    """Columns of all n-grams, a row each; the orders one below the other."""
    rows = [(order.order, ngram) for order in found.orders for ngram in order.ngrams]
    counts = [*zip(*(ngram.reference_counts for _, ngram in rows), strict=True)]
    names = reference_names(len(found.reference_tokens))
    return {
        "ngram": [shown_ngram(ngram.tokens) for _, ngram in rows],
        "order": [order for order, _ in rows],
        "count": [ngram.count for _, ngram in rows],
        **dict(zip(names, counts or [() for _ in names], strict=True)),
        "max_count": [ngram.max_count for _, ngram in rows],
        "clipped": [ngram.clipped for _, ngram in rows],
    }


def precision_table(found: Explanation, digits: int) -> list[list[str]]:
    """Rows of cells: titles, and the precision of each order."""
    is_smoothed = found.smoothing not in ("none", "skip-zero")
    smoothed = ["smoothed"] if is_smoothed else []
    rows = [["order", "matches", "total", "precision", *smoothed, "weight"]]
    for order in found.orders:
        numbers = [order.precision, *([order.smoothed_precision] if is_smoothed else [])]
        cells = [f"{number:.{digits}f}" for number in [*numbers, order.weight]]
        if is_smoothed and not order.total and not order.smoothed_precision:
            cells[1] = "-"  # this smoothing needs n-grams
        rows.append([*map(str, (order.order, order.matches, order.total)), *cells])
    return rows


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table; its first column is aligned left if it holds n-grams, its last as well."""
    has_ngrams = rows[0][-1] == "positions"
    yield from table_lines(rows, left=(0, -1) if has_ngrams else ())


def computation(found: Explanation, digits: int) -> Iterator[str]:
    """The lengths, the brevity penalty, and the score."""
    yield f"hyp_len {found.hyp_len}, ref_len {_length(found)}"
    penalty = _number(found.brevity_penalty, digits)
    yield f"brevity penalty {penalty}: {_reason(found)}"
    if not found.score:
        yield f"BLEU = 0: {_zero(found)}"
        return
    score = f"{found.score:.{digits}f}, or {found.percent:.{max(digits - 2, 0)}f} of 100"
    yield f"BLEU = {penalty} * exp({_exponent(found, digits)}) = {score}"


def _length(found: Explanation) -> str:
    """The reference length, and which of several it is."""
    choice = found.signature.ref_length
    if len(found.ref_lens) == 1:
        return f"{found.ref_len}"
    if len(found.ref_lens) > MOST_COLUMNS:
        every = f"{len(found.ref_lens)} lengths"
    else:
        every = ", ".join(map(str, found.ref_lens))
    if found.ref_index is None:
        return f"{found.ref_len} (the {choice} of {every})"
    distances = {length: abs(length - found.hyp_len) for length in found.ref_lens}
    own = distances[found.ref_lens[found.ref_index]]
    is_tie = choice == "closest" and [*distances.values()].count(own) > 1
    tie = ", the shorter of two equally close" if is_tie else ""
    return f"{found.ref_len} (reference {found.ref_index + 1}, the {choice} of {every}{tie})"


def _reason(found: Explanation) -> str:
    """How the brevity penalty comes about."""
    own, other = found.hyp_len, found.ref_len
    if own >= other:
        return f"{own} >= {other}"
    return f"exp(1 - {other} / {own})" if own else "the hypothesis is empty"


def _zero(found: Explanation) -> str:
    """Why the score is 0."""
    if not any(order.matches for order in found.orders):
        return "nothing matches"
    for order in found.orders:
        if order.weight and not order.smoothed_precision:
            if not order.total:
                return f"the hypothesis has no {order.order}-grams"
            counts = f"{order.matches} of {order.total}"
            return f"{counts} {order.order}-grams match, and ln 0 is -infinity"
    return "it is smaller than any number that a float holds"


def other_options(found: Explanation) -> Iterator[str]:
    """Options of `explain` that give a score above 0, where it is 0 and there are some."""
    if found.score:
        return
    if not any(order.matches for order in found.orders):
        if any(isinstance(token, str) and len(token.split()) > 1 for token in found.tokens):
            yield "a list of strings is a list of tokens; pass text as a string"
        return
    zeros = [order for order in found.orders if order.weight and not order.smoothed_precision]
    if not zeros:
        return
    smoothing = ['smoothing="exp"'] if any(order.total for order in zeros) else []
    effective = [] if all(order.total for order in zeros) else ["effective_order=True"]
    ways = [" with ".join([*smoothing, *effective])]
    first = zeros[0].order
    if first == 2:
        ways.append("weights=[1]")
    elif first > 2:
        ways.append(f"weights=[1 / {first - 1}] * {first - 1}")
    yield f"above 0: {', or '.join(ways)}"


def _exponent(found: Explanation, digits: int) -> str:
    """The weighted sum of logarithms, of orders whose precision is above 0."""
    terms = [
        f"{order.weight:.{digits}f} ln {order.smoothed_precision:.{digits}f}"
        for order in found.orders
        if order.weight and order.smoothed_precision
    ]
    return " + ".join(terms) or "0"


def _number(value: float, digits: int) -> str:
    """A number of so many digits, a whole one without."""
    return f"{value:.0f}" if value in (0, 1) else f"{value:.{digits}f}"
