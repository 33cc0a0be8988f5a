"""Result of `explain`: counts and score of one segment, as text, tables and HTML."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from vecbleu.analysis.marks import matched_orders, text_pieces
from vecbleu.core.scoring.score import BleuScore
from vecbleu.show.table import Column, Result, Table, safe_html
from vecbleu.show.terminal import escaped, escaped_name

Tokens = tuple[Hashable, ...]
Unit = TypeVar("Unit")

# Largest number of references that have a column each.
_MOST_COLUMNS = 8


@dataclass(frozen=True)
class NgramCounts:
    """Counts of one n-gram of the hypothesis.

    Parameters
    ----------
    tokens : tuple (order,)
        The n-gram.
    count : int
        Occurrences in the hypothesis.
    reference_counts : tuple of int (references,)
        Occurrences in each reference.
    max_count : int
        The largest of `reference_counts`.
    clipped : int
        Matches: the smaller of `count` and `max_count`.
    positions : tuple of int (count,)
        Index of the first token of each occurrence in the hypothesis. The first `clipped`
        occurrences match.
    """

    __module__ = "vecbleu.analysis"

    tokens: Tokens
    count: int
    reference_counts: tuple[int, ...]
    max_count: int
    clipped: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class OrderCounts:
    """Counts of the n-grams of one order.

    Parameters
    ----------
    order : int
        Length of the n-grams, n.
    ngrams : tuple of NgramCounts
        Distinct n-grams of the hypothesis, in the order in which they first occur.
    matches : int
        Sum of the clipped counts.
    total : int
        Sum of the counts: number of n-grams in the hypothesis.
    smoothed_precision : float
        Precision after smoothing, as used in the score. If nothing matches in any order, the score
        is 0, and so is this.
    weight : float
        Factor of the logarithm of the precision; 0 for an order left out by `effective_order` or
        by a shorter set of weights.
    """

    __module__ = "vecbleu.analysis"

    order: int
    ngrams: tuple[NgramCounts, ...]
    matches: int
    total: int
    smoothed_precision: float
    weight: float

    @property
    def precision(self) -> float:
        """Matches divided by total, between 0 and 1; 0 without n-grams."""
        return self.matches / self.total if self.total else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Result):
    """BLEU of one segment with all of its counts, as returned by `vecbleu.explain`.

    ``print(explanation)`` shows the counts of each order as tables, and the computation of the
    score. A notebook also marks each token of the hypothesis by the longest match that covers it.

    Parameters
    ----------
    hypothesis : str or tuple
        The hypothesis as it was passed: text, or tokens.
    references : tuple of str or tuple (references,)
        The references as they were passed.
    tokens : tuple (tokens,)
        The tokens of the hypothesis.
    reference_tokens : tuple of tuple (references,)
        The tokens of each reference.
    orders : tuple of OrderCounts (max_order,)
        Counts of order 1, 2, ...
    score : BleuScore
        BLEU between 0 and 1, with its lengths, brevity penalty, precisions and signature.
    """

    __module__ = "vecbleu"

    hypothesis: str | Tokens
    references: tuple[str | Tokens, ...]
    tokens: Tokens
    reference_tokens: tuple[Tokens, ...]
    orders: tuple[OrderCounts, ...]
    score: BleuScore

    @property
    def matched_orders(self) -> tuple[int, ...]:
        """Order of the longest match that covers each token (tokens,); 0 if there is none.

        If occurrences of an n-gram are clipped, the first ones from the left match.

        Examples
        --------
        >>> import vecbleu
        >>> vecbleu.explain("the the cat", "the cat sat").matched_orders
        (1, 2, 2)
        """
        return tuple(matched_orders(self.tokens, self.reference_tokens, len(self.orders)))

    def table(self) -> Table:
        """Return the counts of all n-grams, one per row."""
        rows = [(order.order, ngram) for order in self.orders for ngram in order.ngrams]
        ngrams = Column("n-gram", [_shown(ngram.tokens) for _, ngram in rows])
        orders = Column("order", [order for order, _ in rows], "count")
        return Table([ngrams, orders, *self._counts([ngram for _, ngram in rows])])

    def to_dict(self) -> dict[str, Any]:
        """Return counts and score as a dict that JSON can hold.

        Tokens other than `str` and `int` are replaced by their `repr`.

        Examples
        --------
        >>> import vecbleu
        >>> found = vecbleu.explain("the the cat", "the cat sat", max_order=1).to_dict()
        >>> found["orders"][0]["ngrams"][0]["reference_counts"]
        [1]
        """
        orders = [vars(one) | {"precision": one.precision} for one in self.orders]
        for order in orders:
            order["ngrams"] = [_plain_counts(ngram) for ngram in order["ngrams"]]
        return {
            "hypothesis": _plain(self.hypothesis),
            "references": [*map(_plain, self.references)],
            "tokens": _plain(self.tokens),
            "reference_tokens": [*map(_plain, self.reference_tokens)],
            "orders": orders,
            **self.score.to_dict(),
        }

    def __repr__(self) -> str:
        return f"Explanation({self.score!r})"

    def __str__(self) -> str:
        rows = {"hypothesis": self.tokens} | dict(self._named(self.reference_tokens))
        left = max(map(len, rows))
        texts = (f"{name:{left}}  {_shown(tokens)}".rstrip() for name, tokens in rows.items())
        tables = [self._table_of(order) for order in self.orders if order.ngrams]
        blocks = ["\n".join(texts), *(one.to_text() for one in [*tables, self._precisions()])]
        return "\n\n".join([*blocks, "\n".join(self._computation())])

    def _repr_html_(self) -> str:
        """Return the marked hypothesis, the computation and the counts as HTML."""
        texts = {"hypothesis": self._marked()}
        for name, unit in self._named(self.references):
            texts[name] = safe_html(unit if isinstance(unit, str) else _shown(unit))
        above = "".join(f"<p><b>{name}</b> <bdi>{text}</bdi></p>" for name, text in texts.items())
        lines = "".join(f"<p>{safe_html(line)}</p>" for line in self._computation())
        tables = f"{self._precisions().to_html()}{lines}{self.table()._repr_html_()}"
        return f'<div class="vecbleu-explanation">{above}{tables}</div>'

    def _named(self, references: Sequence[Unit]) -> list[tuple[str, Unit]]:
        """Name the references; number them if there are several."""
        if len(references) == 1:
            return [("reference", references[0])]
        return [(f"reference {number}", one) for number, one in enumerate(references, 1)]

    def _counts(self, ngrams: Sequence[NgramCounts]) -> list[Column]:
        """Return columns of counts: hypothesis, each reference if there are few, clipped."""
        number = len(self.references)
        counts = {"count": [one.count for one in ngrams]}
        for place in range(number) if 1 < number <= _MOST_COLUMNS else ():
            counts[f"ref {place + 1}"] = [one.reference_counts[place] for one in ngrams]
        counts["max" if number > 1 else "reference"] = [one.max_count for one in ngrams]
        counts["clipped"] = [one.clipped for one in ngrams]
        return [Column(title, values, "count") for title, values in counts.items()]

    def _table_of(self, order: OrderCounts) -> Table:
        """Return the n-grams of one order, with totals in the last row."""
        totals = {"count": order.total, "clipped": order.matches}
        counts = self._counts(order.ngrams)
        counts = [one._replace(values=[*one.values, totals.get(one.title)]) for one in counts]
        ngrams = [*(_shown(one.tokens) for one in order.ngrams), "total"]
        positions = [*(" ".join(map(str, one.positions)) for one in order.ngrams), ""]
        columns = [Column(f"{order.order}-gram", ngrams), *counts, Column("positions", positions)]
        return Table(columns)

    def _precisions(self) -> Table:
        """Return precisions by order; also smoothed ones, if smoothing changes any."""
        orders = self.orders
        plain = [one.precision if one.total else None for one in orders]
        smoothed = [one.smoothed_precision or None for one in orders]
        is_smoothed = any(abs(one.smoothed_precision - one.precision) > 1e-9 for one in orders)
        columns = [
            Column("order", [one.order for one in orders], "count"),
            Column("matches", [one.matches for one in orders], "count"),
            Column("total", [one.total for one in orders], "count"),
            Column("precision", plain, "number"),
            *([Column("smoothed", smoothed, "number")] if is_smoothed else []),
            Column("weight", [one.weight for one in orders], "number"),
        ]
        return Table(columns)

    def _computation(self) -> Iterator[str]:
        """Yield lines on the lengths, the brevity penalty and the score."""
        own, other = self.score.hyp_len, self.score.ref_len
        lengths = [*map(len, self.reference_tokens)]
        shown, choice = ", ".join(map(str, lengths)), self.score.signature.ref_length
        place = f" (reference {lengths.index(int(other)) + 1}, the {choice} of {shown})"
        yield f"hyp_len {own}, ref_len {other}{place if len(lengths) > 1 else ''}"
        penalty = f"{self.score.brevity_penalty:.4g}"
        is_short = f"exp(1 - {other} / {own})" if own else "the hypothesis is empty"
        yield f"brevity penalty {penalty}: {is_short if own < other else f'{own} >= {other}'}"
        used = [one for one in self.orders if one.weight]
        zeros = [one.order for one in used if not one.smoothed_precision]
        if self.score:
            terms = [
                f"{one.weight:.4f} ln {one.smoothed_precision:.4f}"
                for one in used
                if one.smoothed_precision
            ]
            score = f"{self.score:.4f}, or {self.score.percent:.2f} of 100"
            yield f"BLEU = {penalty} * exp({' + '.join(terms) or '0'}) = {score}"
        elif not any(one.matches for one in self.orders):
            yield "BLEU = 0: nothing matches"
        elif zeros:
            advice = 'use smoothing "exp" with effective order'
            yield f"BLEU = 0: no {zeros[0]}-gram matches; {advice}"
        else:
            reason = "the hypothesis is too short for the orders with a weight"
            yield f"BLEU = 0: {reason}, or the score underflows"

    def _marked(self) -> str:
        """Return the hypothesis as HTML; longer matches have stronger marks."""
        pieces: list[tuple[str, int | None]] = []
        if isinstance(self.hypothesis, str):
            lowercase = bool(self.score.signature.lowercase)
            pieces = text_pieces(self.hypothesis, [*map(str, self.tokens)], lowercase)
        else:
            for place, token in enumerate(self.tokens):
                pieces += [(shown_token(token), place), (" ", None)]
        matched, found = self.matched_orders, []
        for piece, index in pieces:
            text, order = safe_html(piece), 0 if index is None else matched[index]
            style = f"color:inherit;background:rgba(46,160,67,{0.6 * order / len(self.orders):.2f})"
            mark = f'<mark title="in a matching {order}-gram" style="{style}">{text}</mark>'
            found.append(mark if order else text)
        return "".join(found).rstrip(" ")


def shown_token(token: Hashable) -> str:
    """Return a token as one line; its `repr` if it has spaces or is not a string."""
    if isinstance(token, str) and token and not any(map(str.isspace, token)):
        return escaped_name(token)
    return escaped(repr(token))


def _shown(tokens: Iterable[Hashable]) -> str:
    """Join tokens with spaces."""
    return " ".join(map(shown_token, tokens))


def _plain(unit: str | Tokens) -> str | list[Any]:
    """Return text, or a list of strings, integers and the `repr` of other tokens."""
    if isinstance(unit, str):
        return unit
    return [token if isinstance(token, (str, int)) else repr(token) for token in unit]


def _plain_counts(ngram: NgramCounts) -> dict[str, Any]:
    """Return the counts of an n-gram as a dict that JSON can hold."""
    lists = {"reference_counts": [*ngram.reference_counts], "positions": [*ngram.positions]}
    return vars(ngram) | lists | {"tokens": _plain(ngram.tokens)}
