"""Explain the score of one segment: count, clip and score its n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, Unpack

import numpy as np

from vecbleu.analysis.explanation import Explanation, NgramCounts, OrderCounts, Tokens
from vecbleu.core.inputs.types import Array, Segment
from vecbleu.core.inputs.values import as_array, describe, is_foreign, is_sequence
from vecbleu.core.options import CountOptions, Options, ScoreOptions, SegmentArgs, SpecialIds, takes
from vecbleu.core.scoring.formula import row_precisions
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.small import ref_len_of
from vecbleu.core.text.text import UnitError
from vecbleu.pairwise.shared import SharedReferences


@takes(SegmentArgs, effective_order=True)
def explain(
    hypothesis: Segment,
    references: Segment | Sequence[Segment] | Array | SharedReferences,
    **options: Unpack[SegmentArgs],
) -> Explanation:
    """Explain the BLEU score of one segment, n-gram by n-gram.

    The count of each n-gram is clipped: Count_clip = min(Count, Max_Ref_Count). The precision p_n
    is the sum of the clipped counts of order n, divided by the sum of the counts. Then
    BLEU = BP * exp(sum over n of w_n * ln(p_n)).

    Parameters
    ----------
    hypothesis : str, or sequence of hashables, or 1-D integer array
        One segment: text, which is tokenized, or tokens. A list of strings is a list of tokens.
    references : str, sequence of hashables, 1-D integer array, or a sequence of these
        One or several references, like ``references[i]`` of `vecbleu.corpus_bleu`; or a
        `vecbleu.SharedReferences`.
    **options
        As for `vecbleu.sentence_bleu`: tokenize, lowercase, max_order, ref_length, ignore_ids,
        eos_id, weights, smoothing, smoothing_value, effective_order (by default True).

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
    >>> found = vecbleu.explain("the the the cat", "the cat sat", max_order=2)
    >>> print(found)
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
    >>> found.orders[0].ngrams[0].clipped
    1

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation", ACL,
    section 2.
    """
    counting, scoring, special_ids, _ = Options.checked(options)
    if isinstance(references, SharedReferences):
        prepared = references.units(counting, special_ids)
        references = [one if isinstance(one, str) else list(one) for one in prepared]
    units = _units(hypothesis, references)
    tokens, *others = _tokens(units, counting, special_ids)
    numbers = range(1, counting.max_order + 1)
    ngrams = [_ngrams(tokens, others, one) if one <= len(tokens) else () for one in numbers]
    matches = [sum(one.clipped for one in some) for some in ngrams]
    totals = [sum(one.count for one in some) for some in ngrams]
    ref_len = ref_len_of([*map(len, others)], len(tokens), counting.ref_length)
    row = [len(tokens), ref_len, *matches, *totals]
    signature = counting.signature(isinstance(hypothesis, str), len(others))
    score = BleuScore.of(row, scoring, signature)
    columns = numbers, ngrams, matches, totals, score.precisions, _weights(totals, scoring)
    own, *texts = (unit if isinstance(unit, str) else tuple(unit) for unit in units.values())
    orders = tuple(map(OrderCounts, *columns))
    return Explanation(own, tuple(texts), tokens, tuple(others), orders, score)


def _units(hypothesis: Any, references: Any) -> dict[str, str | list[Any]]:
    """Return the hypothesis and its references, by their names in error messages."""
    own, given = _unit(hypothesis, "hypothesis"), _unit(references, "references")
    is_text, units = isinstance(own, str), {"references": given}
    if not isinstance(given, str) and (is_text or _are_several(given, own)):
        named = ((f"references[{place}]", one) for place, one in enumerate(given))
        units = {name: _unit(one, name) for name, one in named}
    if not units:
        raise ValueError("references is empty: there are 0 references")
    kind = "a string" if is_text else "a sequence of tokens"
    for name, unit in units.items():
        if isinstance(unit, str) != is_text:
            found = describe(unit)
            raise TypeError(f"{name} is {found}, expected {kind} like the hypothesis")
    return {"hypothesis": own} | units


def _unit(value: Any, name: str) -> str | list[Any]:
    """Return text, or a list of tokens."""
    if isinstance(value, str):
        return value
    if is_foreign(value):
        value = as_array(value, name)
    if not is_sequence(value):
        raise TypeError(f"{name} is {describe(value)}, expected a string or a sequence of tokens")
    if isinstance(value, np.ndarray):
        return [*value.tolist()]
    return [one.item() if isinstance(one, np.generic) else one for one in value]


def _are_several(references: list[Any], tokens: str | list[Any]) -> bool:
    """Return whether a list holds references instead of tokens; tuples can be tokens."""
    has_tuples = any(isinstance(token, tuple) for token in tokens)
    first = references[0] if references else None
    return is_sequence(first) and not (has_tuples and isinstance(first, tuple))


def _tokens(
    units: dict[str, str | list[Any]], counting: CountOptions, special_ids: SpecialIds
) -> list[Tokens]:
    for name, unit in units.items():
        try:
            hash(tuple(unit))
        except TypeError as error:
            raise TypeError(f"{name}: a token can't be used: {error}") from None
        if special_ids and (isinstance(unit, str) or {*map(type, unit)} - {int}):
            raise TypeError(f"eos_id and ignore_ids are for integer ids; {name} has other tokens")
        if counting.lowercase and not isinstance(unit, str):
            raise ValueError(f"lowercase is for strings; {name} holds tokens")
    values: list[Any] = [*units.values()]
    if not isinstance(values[0], str):
        return [tuple(_without(tokens, special_ids)) for tokens in values]
    strings = [*map(str.lower, values)] if counting.lowercase else values
    try:
        return [*map(tuple, counting.tokenize.split(strings))]
    except UnitError as error:
        raise TypeError(f"{[*units][error.unit]}: {error}") from None


def _without(tokens: list[Any], special_ids: SpecialIds) -> list[Any]:
    """Drop ignored ids, and everything from the end-of-sequence id on."""
    if not special_ids:
        return tokens
    before = takewhile(lambda token: token not in special_ids.eos_ids, tokens)
    return [token for token in before if token not in special_ids.ignore_ids]


def _ngrams(tokens: Tokens, others: Sequence[Tokens], order: int) -> tuple[NgramCounts, ...]:
    """Count each distinct n-gram, in the hypothesis and in each reference."""
    positions: dict[Tokens, list[int]] = {}
    for place, ngram in enumerate(_windows(tokens, order)):
        positions.setdefault(ngram, []).append(place)
    counts = [Counter(filter(positions.__contains__, _windows(other, order))) for other in others]
    found = []
    for ngram, places in positions.items():
        each, count = tuple(one[ngram] for one in counts), len(places)
        clipped = min(count, max(each))
        found.append(NgramCounts(ngram, count, each, max(each), clipped, tuple(places)))
    return tuple(found)


def _windows(tokens: Tokens, order: int) -> Iterable[Tokens]:
    """Return the n-grams of one order, from left to right."""
    return zip(*(tokens[first:] for first in range(order)), strict=False)


def _weights(totals: Sequence[int], options: ScoreOptions) -> list[float]:
    """Return the weight of each order, scaled up if orders are left out."""
    orders = len(totals)
    weights = options.weights or (1 / orders,) * orders
    _, reached = row_precisions(totals, totals, 1.0, options)
    kept = weights[:reached] if options.effective_order else weights
    scale = sum(weights) / sum(kept) if any(kept) else 0.0
    return [*(scale * weight for weight in kept), *[0.0] * (orders - len(kept))]
