"""Explain the score of one segment, as text, tables and HTML."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError
from vecbleu.arguments.options import NO_SPECIAL_IDS, Ids
from vecbleu.bleu import aligned
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import (
    Options,
    RefLength,
    Smoothing,
    Tokenize,
    Weights,
)
from vecbleu.bleu.plain import row_precisions
from vecbleu.bleu.results import BleuScore
from vecbleu.bleu.shared import SharedReferences
from vecbleu.core.corpus import Corpus, TokenCorpus
from vecbleu.core.count import count_total
from vecbleu.inputs.alignment import Array, Segment, align_quietly
from vecbleu.inputs.mistakes import is_listed_text
from vecbleu.show.table import Column, Result, Table, safe_html
from vecbleu.show.terminal import escaped, escaped_name
from vecbleu.text.edits import Normalize
from vecbleu.text.tokens import token_ids

Tokens = tuple[Hashable, ...]

# Largest number of references that have a column each.
_MOST_COLUMNS = 8

# Letters of other alphabets, with a cedilla, or of Arabic, and those that look like them.
_LOOKS = str.maketrans(
    "асеорхуіјѕһԁԛԝАВСЕНІЈКМОРЅТХУοΑΒΕΖΗΙΚΜΝΟΡΤΥΧşţŞŢيك",
    "aceopxyijshdqwABCEHIJKMOPSTXYoABEZHIKMNOPTYXșțȘȚیک",
)


class NgramCounts(NamedTuple):
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

    tokens: Tokens
    count: int  # type: ignore[assignment]  # not the method of tuples
    reference_counts: tuple[int, ...]
    max_count: int
    clipped: int
    positions: tuple[int, ...]


class OrderCounts(NamedTuple):
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


NgramCounts.__module__ = OrderCounts.__module__ = "vecbleu.analysis"


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Result):
    """BLEU of one segment with all of its counts, as returned by `vecbleu.explain`.

    ``print(explanation)`` shows the counts of each order as tables, the computation of the score,
    and in what tokens differ that look the same. A notebook also marks each token of the hypothesis
    by the longest match that covers it.

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
    corpus_score : BleuScore
        The same without effective order: the score of a corpus of this one segment.
    """

    __module__ = "vecbleu"

    hypothesis: str | Tokens
    references: tuple[str | Tokens, ...]
    tokens: Tokens
    reference_tokens: tuple[Tokens, ...]
    orders: tuple[OrderCounts, ...]
    score: BleuScore
    corpus_score: BleuScore

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
        matched = [0] * len(self.tokens)
        for ngram in self._ngrams():
            order = len(ngram.tokens)
            for first in ngram.positions[: ngram.clipped]:
                for position in range(first, first + order):
                    matched[position] = order
        return tuple(matched)

    def table(self) -> Table:
        """Return the counts of all n-grams, one per row."""
        ngrams = self._ngrams()
        shown = Column("n-gram", [_shown(ngram.tokens) for ngram in ngrams])
        orders = Column("order", [len(ngram.tokens) for ngram in ngrams], "count")
        return Table([shown, orders, *self._counts(ngrams)])

    def to_dict(self) -> dict[str, Any]:
        """Return counts and score as a dict that JSON can hold.

        Tokens that JSON can't hold are replaced by their `str`, tuples by lists.

        Examples
        --------
        >>> import vecbleu
        >>> fields = vecbleu.explain("the the cat", "the cat sat", max_order=1).to_dict()
        >>> fields["orders"][0]["ngrams"][0]["reference_counts"]
        [1]
        """
        return {**super().to_dict(), **self.score.to_dict()}

    def __repr__(self) -> str:
        return f"Explanation({self.score!r})"

    def __str__(self) -> str:
        names = self._names()
        width = max(map(len, names))
        units = zip(names, [self.tokens, *self.reference_tokens], strict=True)
        texts = [f"{name:{width}}  {_shown(tokens)}".rstrip() for name, tokens in units]
        tables = [self._table_of(order) for order in self.orders if order.ngrams]
        tables.append(self._precisions())
        blocks = ["\n".join(texts)]
        blocks += [table.to_text() for table in tables]
        blocks.append("\n".join(self._computation()))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        """Return the marked hypothesis, the computation and the counts as HTML."""
        shown = (unit if isinstance(unit, str) else _shown(unit) for unit in self.references)
        texts = zip(self._names(), [self._marked(), *map(safe_html, shown)], strict=True)
        above = "".join(f"<p><b>{name}</b> <bdi>{text}</bdi></p>" for name, text in texts)
        lines = "".join(f"<p>{safe_html(line)}</p>" for line in self._computation())
        tables = f"{self._precisions().to_html()}{lines}{self.table()._repr_html_()}"
        return f'<div class="vecbleu-explanation">{above}{tables}</div>'

    def _ngrams(self) -> list[NgramCounts]:
        return [ngram for order in self.orders for ngram in order.ngrams]

    def _names(self) -> list[str]:
        """Name the hypothesis and its references; number these if there are several."""
        size = len(self.references)
        if size == 1:
            return ["hypothesis", "reference"]
        return ["hypothesis", *(f"reference {number}" for number in range(1, size + 1))]

    def _counts(self, ngrams: Sequence[NgramCounts]) -> list[Column]:
        """Return columns of counts: hypothesis, each reference if there are few, clipped."""
        size = len(self.references)
        counts = {"count": [ngram.count for ngram in ngrams]}
        if 1 < size <= _MOST_COLUMNS:
            for index in range(size):
                counts[f"ref {index + 1}"] = [ngram.reference_counts[index] for ngram in ngrams]
        counts["max" if size > 1 else "reference"] = [ngram.max_count for ngram in ngrams]
        counts["clipped"] = [ngram.clipped for ngram in ngrams]
        return [Column(title, values, "count") for title, values in counts.items()]

    def _table_of(self, order: OrderCounts) -> Table:
        """Return the n-grams of one order, with totals in the last row."""
        shown = [_shown(ngram.tokens) for ngram in order.ngrams]
        columns = [Column(f"{order.order}-gram", [*shown, "total"])]
        totals = {"count": order.total, "clipped": order.matches}
        for column in self._counts(order.ngrams):
            values = [*column.values, totals.get(column.title)]
            columns.append(column._replace(values=values))
        positions = [" ".join(map(str, ngram.positions)) for ngram in order.ngrams]
        return Table([*columns, Column("positions", [*positions, ""])])

    def _precisions(self) -> Table:
        """Return counts, precisions and weights by order, as the formula of the score has them."""
        columns = self.score.table().columns
        shares = (column._replace(format="number") for column in columns[3:])
        weights = Column("weight", [row.weight for row in self.orders], "number")
        return Table([*columns[:3], *shares, weights])

    def _computation(self) -> Iterator[str]:
        """Yield lines on the lengths, the brevity penalty and the score."""
        score = self.score
        used = [row for row in self.orders if row.weight]
        factors = [row for row in used if row.smoothed_precision]
        hyp_len = score.hyp_len
        ref_len = score.ref_len
        lengths = list(map(len, self.reference_tokens))
        chosen = ""
        if len(lengths) > 1:
            number = lengths.index(int(ref_len)) + 1
            listed = ", ".join(map(str, lengths))
            chosen = f" (reference {number}, the {score.signature.ref_length} of {listed})"
        yield f"hyp_len {hyp_len}, ref_len {ref_len}{chosen}"
        penalty = f"{score.brevity_penalty:.4g}"
        formula = f"{hyp_len} >= {ref_len}"
        if hyp_len < ref_len:
            formula = f"exp(1 - {ref_len} / {hyp_len})" if hyp_len else "the hypothesis is empty"
        yield f"brevity penalty {penalty}: {formula}"
        if score:
            logs = [f"{row.weight:.4f} ln {row.smoothed_precision:.4f}" for row in factors]
            total = f"{score:.4f}, or {score.percent:.2f} of 100"
            yield f"BLEU = {penalty} * exp({' + '.join(logs) or '0'}) = {total}"
        elif not any(row.matches for row in self.orders):
            yield "BLEU = 0: nothing matches"
        elif zeros := [row for row in used if row not in factors]:
            first = zeros[0]
            reason = f"no {first.order}-gram matches"
            advice = 'smoothing "exp"'
            if not first.total:
                reason = f"the hypothesis has no {first.order}-gram"
                advice = "effective order"
            elif not zeros[-1].total:
                advice += " and effective order"
            yield f"BLEU = 0: {reason}; use {advice}"
        else:
            reason = "the hypothesis is too short for the orders with a weight"
            yield f"BLEU = 0: {reason}, or the score underflows"
        if self.corpus_score != score:
            reason = f"it has no {next(row.order for row in self.orders if not row.total)}-gram"
            yield f"as a corpus of one segment: {self.corpus_score.percent:.2f} of 100; {reason}"
        yield from self._look_alikes()

    def _look_alikes(self) -> Iterator[str]:
        """Yield lines on tokens that look like one of a reference, but differ from it."""
        others = set(chain.from_iterable(self.reference_tokens)).difference(self.tokens)
        by_look = {_look_of(token): token for token in others}
        for token in dict.fromkeys(self.tokens):
            other = by_look.get(_look_of(token))
            if isinstance(other, str):
                found = f"{shown_token(token)} looks like {shown_token(other)} of a reference"
                yield f"{found}: {_difference(token, other)}"

    def _marked(self) -> str:
        """Return the tokens of the hypothesis as HTML; longer matches have stronger marks."""
        parts = []
        for token, order in zip(self.tokens, self.matched_orders, strict=True):
            part = safe_html(shown_token(token))
            if order:
                opacity = 0.6 * order / len(self.orders)
                style = f"color:inherit;background:rgba(46,160,67,{opacity:.2f})"
                part = f'<mark title="in a matching {order}-gram" style="{style}">{part}</mark>'
            parts.append(part)
        return " ".join(parts)


def plain_tokens(unit: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return tokens as a tuple, NumPy's scalars as Python's."""
    return tuple(token.item() if isinstance(token, np.generic) else token for token in unit)


def shown_token(token: Hashable) -> str:
    """Return a token as one line; its `repr` if it has spaces or is not a string."""
    if isinstance(token, str) and token and not any(map(str.isspace, token)):
        return escaped_name(token)
    return escaped(repr(token))


def _look_of(token: Hashable) -> Hashable:
    """Return the same text for strings that look the same, or nearly."""
    if not isinstance(token, str):
        return token
    text = unicodedata.normalize("NFKC", token).translate(_LOOKS)
    return "".join(
        [char for char in text if unicodedata.category(char) != "Cf"]
    )  # those are invisible


def _difference(first: Any, second: Any) -> str:
    """Return the code points that only one of two strings has, and what makes them equal."""
    pairs = (first, second), (second, first)
    codes = [
        " ".join(f"U+{ord(char):04X}" for char in own if char not in other) or "nothing"
        for own, other in pairs
    ]
    change = unicodedata.normalize
    forms = [form for form in ("NFC", "NFKC") if change(form, first) == change(form, second)]
    return " against ".join(codes) + "".join(f"; equal in {form}" for form in forms[:1])


def _shown(tokens: Iterable[Hashable]) -> str:
    """Join tokens with spaces."""
    return " ".join(map(shown_token, tokens))


def explain(
    hypothesis: Segment,
    references: Segment | Sequence[Segment] | Array | SharedReferences,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
) -> Explanation:
    """Explain the BLEU score of one segment, n-gram by n-gram.

    The count of each n-gram is clipped: Count_clip = min(Count, Max_Ref_Count). The precision p_n
    is the sum of the clipped counts of order n, divided by the sum of the counts. Then
    BLEU = BP * exp(sum over n of w_n * ln(p_n)).

    For chrF, ``print(vecbleu.chrf.corpus_chrf([hypothesis], [references]))`` shows the n-grams and
    matches of each order, against the reference with the best score.

    Parameters
    ----------
    hypothesis : str, or sequence of hashables, or 1-D integer array
        One segment: text, which is tokenized, or tokens. A list of strings is a list of tokens.
    references : str, sequence of hashables, 1-D integer array, or a sequence of these
        One or several references, like ``references[i]`` of `vecbleu.corpus_bleu`; or a
        `vecbleu.SharedReferences`.
    tokenize, lowercase, normalize, max_order, ref_length, ignore_ids, eos_id, weights, smoothing,
    smoothing_value, effective_order
        As for `vecbleu.sentence_bleu`: tokenize, lowercase, normalize, max_order, ref_length,
        ignore_ids, eos_id, weights, smoothing, smoothing_value, effective_order (by default True).

    Returns
    -------
    Explanation
        Counts, precisions and score; ``print`` shows them as tables. The counts equal
        `vecbleu.statistics`, and ``explain(h, r, **options).score`` equals
        ``vecbleu.sentence_bleu([h], [r], **options)[0]``, bit for bit.

    Raises
    ------
    TypeError
        The hypothesis or a reference is not a string, a sequence of hashables or an array; or text
        and tokens are mixed.
    ValueError
        There is no reference, or an option is unknown.

    Examples
    --------
    >>> import vecbleu
    >>> explanation = vecbleu.explain("the the the cat", "the cat sat", max_order=2)
    >>> print(explanation)
    hypothesis  the the the cat
    reference   the cat sat
    <BLANKLINE>
    1-gram  count  reference  clipped  positions
    the         3          1        1  0 1 2
    cat         1          1        1  3
    total       4                   2
    <BLANKLINE>
    2-gram   count  reference  clipped  positions
    the the      2          0        0  0 1
    the cat      1          1        1  2
    total        3                   1
    <BLANKLINE>
    order  matches  total  precision  weight
        1        2      4     0.5000  0.5000
        2        1      3     0.3333  0.5000
    <BLANKLINE>
    hyp_len 4, ref_len 3
    brevity penalty 1: 4 >= 3
    BLEU = 1 * exp(0.5000 ln 0.5000 + 0.5000 ln 0.3333) = 0.4082, or 40.82 of 100
    >>> explanation.orders[0].ngrams[0].clipped
    1

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation", ACL,
    section 2.
    """
    settings = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ref_length=ref_length,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
    )
    counting = settings.counting
    if isinstance(references, SharedReferences):
        prepared = references.units(counting, settings.special_ids)
        references = [unit if isinstance(unit, str) else list(unit) for unit in prepared]
    corpus, kept = _aligned_segment(hypothesis, references, settings)
    tokens, *reference_tokens = _segment_tokens(kept, settings)
    size = counting.max_order
    row = count_total(TokenCorpus.of_lists([tokens], [reference_tokens]), Bleu(counting))
    signature = counting.signature(corpus.is_text, len(reference_tokens))
    score = BleuScore(row, settings.scoring, signature)
    of_corpora = replace(settings.scoring, effective_order=False)
    orders = range(1, size + 1)
    ngrams = [_ngrams(tokens, reference_tokens, order) for order in orders]
    weights = _weights(score.totals, settings)
    rows = map(OrderCounts, orders, ngrams, score.matches, score.totals, score.precisions, weights)
    text, *texts = _units(corpus)
    return Explanation(
        hypothesis=text,
        references=tuple(texts),
        tokens=tokens,
        reference_tokens=tuple(reference_tokens),
        orders=tuple(rows),
        score=score,
        corpus_score=BleuScore(row, of_corpora, signature),
    )


def _aligned_segment(
    hypothesis: Segment, references: object, settings: Options
) -> tuple[Corpus, Corpus]:
    """Align one segment, with and without special ids; errors name the arguments of `explain`."""
    for name, unit, split in ("hypothesis", hypothesis, ""), ("references", references, ".split()"):
        if is_listed_text(unit) and not isinstance(hypothesis, str):
            at = ".iloc" if hasattr(unit, "iloc") else ""
            found = "is a list of one string with spaces, which would be a single token"
            advice = f"pass {name}{at}[0]{split}"
            raise ArgumentTypeError(found, advice=advice, argument=name)
    hypotheses = [hypothesis]
    lists = [references]
    special_ids = settings.special_ids
    try:
        # Quietly first: advice is for lists of segments.
        corpus: Any = align_quietly(hypotheses, lists, NO_SPECIAL_IDS)
        align_quietly(hypotheses, lists, special_ids)
        kept: Any = aligned(hypotheses, lists, settings.counting, special_ids)
    except (ArgumentError, ArgumentTypeError) as error:
        if error.argument == "hypotheses":
            error.argument = "hypothesis"
        error.index = error.index[1:]  # there is one segment
        raise
    return corpus, kept


def _units(corpus: Corpus) -> list[Any]:
    """Return the hypothesis, then its references."""
    units = *corpus.hypotheses, *corpus.references
    return list(units) if corpus.is_text else list(map(plain_tokens, units))


def _segment_tokens(corpus: Corpus, settings: Options) -> list[Tokens]:
    """Return the tokens of each unit; an error names the unit with a token that can't be hashed."""
    units = _units(corpus)
    try:
        if corpus.is_text:
            return list(map(tuple, settings.counting.split(units)))
        token_ids(units)
    except ArgumentTypeError as error:
        error.name_unit(lambda unit: ("references", unit - 1) if unit else ("hypothesis",))
        raise
    return units


def _ngrams(tokens: Tokens, references: Sequence[Tokens], order: int) -> tuple[NgramCounts, ...]:
    """Count each distinct n-gram, in the hypothesis and in each reference."""
    positions: defaultdict[Tokens, list[int]] = defaultdict(list)
    for position, ngram in enumerate(_windows(tokens, order)):
        positions[ngram].append(position)
    counters = []
    for reference in references:
        shared = filter(positions.__contains__, _windows(reference, order))
        counters.append(Counter(shared))
    rows = []
    for ngram, starts in positions.items():
        reference_counts = tuple(counter[ngram] for counter in counters)
        count = len(starts)
        most = max(reference_counts)
        clipped = min(count, most)
        rows.append(NgramCounts(ngram, count, reference_counts, most, clipped, tuple(starts)))
    return tuple(rows)


def _windows(tokens: Tokens, order: int) -> Iterable[Tokens]:
    """Return the n-grams of one order, from left to right."""
    shifted = [tokens[first:] for first in range(order)]
    return zip(*shifted, strict=False)


def _weights(totals: Sequence[int], settings: Options) -> list[float]:
    """Return the weight of each order, scaled up if orders are left out."""
    orders = len(totals)
    options = settings.scoring
    weights = options.weights or (1 / orders,) * orders
    _, reached = row_precisions(totals, totals, 1.0, options)
    kept = weights[:reached] if options.effective_order else weights
    scale = sum(weights) / sum(kept) if any(kept) else 0.0
    left_out = orders - len(kept)
    return [scale * weight for weight in kept] + [0.0] * left_out
