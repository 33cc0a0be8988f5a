"""Explain the score of one segment: count, clip and score its n-grams."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Unpack

from vecbleu.analysis.explanation import Explanation, NgramCounts, OrderCounts, Tokens, plain_tokens
from vecbleu.api import aligned
from vecbleu.core.corpus import Corpus
from vecbleu.core.inputs.alignment import align_quietly
from vecbleu.core.inputs.mistakes import is_listed_text
from vecbleu.core.inputs.types import Array, Segment
from vecbleu.core.options import NO_SPECIAL_IDS, Options, SegmentArgs, takes
from vecbleu.core.scoring import BleuScore, row_precisions
from vecbleu.core.small import count_segments
from vecbleu.core.text.text import UnitError
from vecbleu.core.text.tokens import token_ids
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
    settings = Options.checked(options)
    counting = settings.counting
    if isinstance(references, SharedReferences):
        prepared = references.units(counting, settings.special_ids)
        references = [unit if isinstance(unit, str) else list(unit) for unit in prepared]
    corpus, kept = _aligned_segment(hypothesis, references, settings)
    tokens, *reference_tokens = _segment_tokens(kept, settings)
    size, ref_length = counting.max_order, counting.ref_length
    (row,) = count_segments([tokens], [reference_tokens], size, ref_length)
    signature = counting.signature(corpus.is_text, len(reference_tokens))
    score = BleuScore(row, settings.scoring, signature)
    of_corpora = settings.scoring._replace(effective_order=False)
    scores = score, BleuScore(row, of_corpora, signature)
    orders = range(1, size + 1)
    ngrams = [_ngrams(tokens, reference_tokens, order) for order in orders]
    weights = _weights(score.totals, settings)
    columns = orders, ngrams, score.matches, score.totals, score.precisions, weights
    counts = tuple(map(OrderCounts, *columns))
    text, *texts = _units(corpus)
    return Explanation(text, tuple(texts), tokens, tuple(reference_tokens), counts, *scores)


def _aligned_segment(hypothesis: Any, references: Any, settings: Options) -> tuple[Corpus, Corpus]:
    """Align one segment, with and without special ids; errors name the arguments of `explain`."""
    for name, unit, split in ("hypothesis", hypothesis, ""), ("references", references, ".split()"):
        if is_listed_text(unit) and not isinstance(hypothesis, str):
            at = ".iloc" * hasattr(unit, "iloc")
            advice = f"which would be a single token; pass {name}{at}[0]{split}"
            raise TypeError(f"{name} is a list of one string with spaces, {advice}")
    sides, special_ids = ([hypothesis], [references]), settings.special_ids
    try:
        # Quietly first: advice is for lists of segments.
        corpus: Any = align_quietly(*sides, NO_SPECIAL_IDS)
        align_quietly(*sides, special_ids)
        kept: Any = aligned(*sides, settings.counting, special_ids)
    except (TypeError, ValueError) as error:
        message = re.sub(r"hypotheses(\[0\])?", "hypothesis", str(error))
        message = re.sub(r"references\[0\], reference (\d+)", r"references[\1]", message)
        raise type(error)(message.replace("references[0]", "references", 1)) from None
    return corpus, kept


def _units(corpus: Corpus) -> list[Any]:
    """Return the hypothesis, then its references."""
    units = *corpus.hypotheses, *corpus.references
    return [*units] if corpus.is_text else [*map(plain_tokens, units)]


def _segment_tokens(corpus: Corpus, settings: Options) -> list[Tokens]:
    """Return the tokens of each unit; an error names the unit with a token that can't be hashed."""
    units = _units(corpus)
    try:
        if corpus.is_text:
            return [*map(tuple, settings.counting.split(units))]
        token_ids(units)
    except UnitError as error:
        name = f"references[{error.unit - 1}]" if error.unit else "hypothesis"
        raise TypeError(f"{name}: {error}") from None
    return units


def _ngrams(tokens: Tokens, references: Sequence[Tokens], order: int) -> tuple[NgramCounts, ...]:
    """Count each distinct n-gram, in the hypothesis and in each reference."""
    positions: defaultdict[Tokens, list[int]] = defaultdict(list)
    for position, ngram in enumerate(_windows(tokens, order)):
        positions[ngram].append(position)
    windows = (_windows(reference, order) for reference in references)
    counters = [Counter(filter(positions.__contains__, ngrams)) for ngrams in windows]
    rows = []
    for ngram, starts in positions.items():
        reference_counts = tuple(counter[ngram] for counter in counters)
        count, most = len(starts), max(reference_counts)
        counts = count, reference_counts, most, min(count, most)
        rows.append(NgramCounts(ngram, *counts, tuple(starts)))
    return tuple(rows)


def _windows(tokens: Tokens, order: int) -> Iterable[Tokens]:
    """Return the n-grams of one order, from left to right."""
    return zip(*(tokens[first:] for first in range(order)), strict=False)


def _weights(totals: Sequence[int], settings: Options) -> list[float]:
    """Return the weight of each order, scaled up if orders are left out."""
    orders, options = len(totals), settings.scoring
    weights = options.weights or (1 / orders,) * orders
    _, reached = row_precisions(totals, totals, 1.0, options)
    kept = weights[:reached] if options.effective_order else weights
    scale = sum(weights) / sum(kept) if any(kept) else 0.0
    return [*(scale * weight for weight in kept), *[0.0] * (orders - len(kept))]
