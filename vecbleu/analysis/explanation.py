"""One segment's score, n-gram by n-gram: `explain`, and what it returns."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from vecbleu.analysis import explanation_html, explanation_text
from vecbleu.analysis.marks import matched_orders
from vecbleu.core.options import Smoothing
from vecbleu.core.public import public
from vecbleu.core.records import dataclass, field_names
from vecbleu.core.statistics.signature import Signature
from vecbleu.significance.tables import data_frame, latex_columns

Tokens = tuple[Hashable, ...]


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True)
class NgramCounts:
    """How often an n-gram of the hypothesis stands where.

    Parameters
    ----------
    tokens : tuple (order,)
        The n-gram.
    count : int
        How often the hypothesis has it.
    reference_counts : tuple of int (references,)
        How often each reference has it.
    max_count : int
        The largest of `reference_counts`.
    clipped : int
        What counts as a match: the smaller one of `count` and `max_count`.
    positions : tuple of int (count,)
        Indices of the tokens of the hypothesis that it begins with. The first `clipped` of them
        are the matches.
    """

    tokens: Tokens
    count: int
    reference_counts: tuple[int, ...]
    max_count: int
    clipped: int
    positions: tuple[int, ...]

    def _repr_html_(self) -> str:
        """The counts as a table, for notebooks."""
        return explanation_html.ngram_row(self)


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True)
class OrderCounts:
    """The n-grams of one order.

    Parameters
    ----------
    order : int
        n.
    ngrams : tuple of NgramCounts
        The distinct n-grams of the hypothesis, in the order in which they first stand there.
    matches : int
        The sum of their clipped counts.
    total : int
        The sum of their counts: n-grams of the hypothesis.
    precision : float
        matches / total, on 0 to 1; 0 without n-grams.
    smoothed_precision : float
        The same after smoothing, which is what the score is made of; 0 for all orders where
        nothing matches, as then the score is 0.
    weight : float
        What the logarithm of the precision is multiplied with; 0 for an order that an
        `effective_order` or a shorter set of weights leaves out.
    """

    order: int
    ngrams: tuple[NgramCounts, ...]
    matches: int
    total: int
    precision: float
    smoothed_precision: float
    weight: float

    def _repr_html_(self) -> str:
        """The n-grams as a table, for notebooks; at most 10,000 of them."""
        return explanation_html.order_table(self)


@public("vecbleu")
@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """One segment's BLEU and all that it is made of; `vecbleu.explain` returns it.

    ``print(explanation)`` prints the counts of each order as tables, the computation of the score,
    and where that is 0, options of `vecbleu.explain` with which it is not. A notebook shows the
    words of the hypothesis marked by the longest n-gram that matches and covers them, and at most
    10,000 n-grams of each order.

    Parameters
    ----------
    hypothesis : str or tuple
        What was passed: text, or tokens.
    references : tuple of str or tuple (references,)
        The same of each reference.
    tokens : tuple (tokens,)
        The tokens of the hypothesis.
    reference_tokens : tuple of tuple (references,)
        The tokens of each reference.
    orders : tuple of OrderCounts (max_order,)
        The n-grams of order 1, 2, ...
    hyp_len : int
        Tokens of the hypothesis.
    ref_len : int or float
        The reference length that the hypothesis is compared with.
    ref_lens : tuple of int (references,)
        Tokens of each reference.
    ref_index : int or None
        Index of the reference that `ref_len` is the length of, the first of several; None for an
        average of lengths.
    brevity_penalty : float
        1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len).
    score : float
        BLEU, 0 to 1.
    percent : float
        BLEU on sacreBLEU's 0 to 100.
    smoothing : str
        As for `vecbleu.corpus_bleu`.
    smoothing_value : float or None
        The same.
    effective_order : bool
        The same.
    signature : Signature
        How the n-grams were counted.
    """

    hypothesis: str | Tokens
    references: tuple[str | Tokens, ...]
    tokens: Tokens
    reference_tokens: tuple[Tokens, ...]
    orders: tuple[OrderCounts, ...]
    hyp_len: int
    ref_len: int | float
    ref_lens: tuple[int, ...]
    ref_index: int | None
    brevity_penalty: float
    score: float
    percent: float
    smoothing: Smoothing
    smoothing_value: float | None
    effective_order: bool
    signature: Signature

    @property
    def matched_orders(self) -> tuple[int, ...]:
        """The longest n-gram that matches and covers each token (tokens,); 0 where there is none.

        Copies of an n-gram match from the left, as many as are not clipped.

        Examples
        --------
        >>> import vecbleu
        >>> vecbleu.explain("the the cat", "the cat sat").matched_orders
        (1, 2, 2)
        """
        found = matched_orders(self.tokens, self.reference_tokens, len(self.orders))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """All fields, records as dicts and tuples as lists: what JSON can hold.

        Tokens that are neither `str` nor `int` are represented by their `repr`.

        Examples
        --------
        >>> import vecbleu
        >>> found = vecbleu.explain("the the cat", "the cat sat", max_order=1).to_dict()
        >>> found["orders"][0]["ngrams"][0]["reference_counts"]
        [1]
        """
        values = {name: getattr(self, name) for name in field_names(self)}
        orders = [_as_dict(order) for order in self.orders]
        for order in orders:
            order["ngrams"] = [_as_dict(ngram) for ngram in order["ngrams"]]
            for ngram in order["ngrams"]:
                ngram["tokens"] = _plain_tokens(ngram["tokens"])
                ngram["reference_counts"] = [*ngram["reference_counts"]]
                ngram["positions"] = [*ngram["positions"]]
        return values | {
            "hypothesis": _plain_unit(self.hypothesis),
            "references": [*map(_plain_unit, self.references)],
            "tokens": _plain_tokens(self.tokens),
            "reference_tokens": [*map(_plain_tokens, self.reference_tokens)],
            "orders": orders,
            "ref_lens": [*self.ref_lens],
            "signature": self.signature.to_dict(),
        }

    def to_dataframe(self) -> Any:
        """The n-grams as a pandas DataFrame: each with its order and its counts.

        Returns
        -------
        pandas.DataFrame
            A row for each n-gram; a column for each reference's count.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        return data_frame(explanation_text.columns(self))

    def to_latex(self) -> str:
        r"""The n-grams as a LaTeX table for the package booktabs, with the same columns.

        Returns
        -------
        str
            From ``\begin{tabular}`` to ``\end{tabular}``; tokens are escaped.

        Examples
        --------
        >>> import vecbleu
        >>> print(vecbleu.explain("the the cat", "the cat sat", max_order=1).to_latex())
        \begin{tabular}{lrrrrr}
        \toprule
        ngram & order & count & reference & max count & clipped \\
        \midrule
        the   &     1 &     2 &         1 &         1 &       1 \\
        cat   &     1 &     1 &         1 &         1 &       1 \\
        \bottomrule
        \end{tabular}
        """
        return latex_columns(explanation_text.columns(self), 0)

    def __repr__(self) -> str:
        matches = tuple(order.matches for order in self.orders)
        lengths = f"hyp_len={self.hyp_len}, ref_len={self.ref_len}"
        return f"Explanation(score={self.score:.4f}, matches={matches}, {lengths})"

    def __str__(self) -> str:
        return "\n".join([*explanation_text.lines(self), *explanation_text.other_options(self)])

    def _repr_html_(self) -> str:
        """The hypothesis with its matched words marked, and the tables, for notebooks."""
        return explanation_html.page(self)


def _as_dict(record: OrderCounts | NgramCounts) -> dict[str, Any]:
    """A record's fields by name."""
    return {name: getattr(record, name) for name in field_names(record)}


def _plain_unit(unit: str | Tokens) -> str | list[Any]:
    """Text as it is, and a list of tokens."""
    return unit if isinstance(unit, str) else _plain_tokens(unit)


def _plain_tokens(tokens: Tokens) -> list[Any]:
    """Strings and integers as they are, what else there is by its `repr`."""
    own = map(explanation_text.own_token, tokens)
    return [token if isinstance(token, (str, int)) else repr(token) for token in own]
