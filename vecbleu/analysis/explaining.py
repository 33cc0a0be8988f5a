"""`explain`: one segment's n-grams, clipped and added up as its score has them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.analysis.explanation import Explanation, Tokens
from vecbleu.analysis.explanation_counts import explained
from vecbleu.api import aligned
from vecbleu.core.corpus.ids import IdBlock
from vecbleu.core.corpus.lists import ListBlock
from vecbleu.core.corpus.shared import PreparedReferences, SharedCorpus, SideBlock
from vecbleu.core.inputs import AlignedCorpus
from vecbleu.core.inputs.advice import SWAP
from vecbleu.core.inputs.types import Array, Segment
from vecbleu.core.options import (
    CountOptions,
    RefLength,
    ScoreOptions,
    Smoothing,
    SpecialIds,
    Tokenize,
    WeightSet,
)
from vecbleu.core.text.spans import UnitError

# What errors about many segments call things, and their names in a call about one.
_NAMES = [
    (r"; (if [^;]*, )?(pass|a segment without|for files) .*$", ""),  # advice for corpora
    (r"\bhypotheses\[0\]", "hypothesis"),
    (r"\breferences\[0\], reference (\d+)", r"references[\1]"),
    (r"\breferences\[0\]", "references"),
    (r"\bhypotheses holds strings", "hypothesis is a string"),
    (r"\bhypotheses\b", "hypothesis"),
    (r"\bsegment 0 has 0 references", "there are 0 references"),
    (
        r"^(hypothesis is .*, expected) a sequence of tokens$",
        r"\1 a string or a sequence of tokens",
    ),
    (r"^(references.* is .*, expected a sequence of tokens)$", r"\1 as in hypothesis"),
]


def explain(
    hypothesis: Segment,
    references: Segment | Sequence[Segment] | Array | PreparedReferences,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: RefLength = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
) -> Explanation:
    """Show how the BLEU of one segment comes about, n-gram by n-gram.

    For each n-gram of the hypothesis Count_clip = min(Count, Max_Ref_Count); their sum over the
    number of n-grams is the precision p_n; BLEU = BP * exp(sum over n of w_n * ln p_n).

    Parameters
    ----------
    hypothesis : str, or sequence of hashables, or 1-D integer array
        One segment: text, which is tokenized, or tokens. A list of strings is a list of tokens.
    references : one such segment, or a sequence of them
        One reference or several, as ``references[i]`` of `vecbleu.corpus_bleu`.
    tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order,
    ref_length, pad_id, eos_id, ignore_ids
        As for `vecbleu.corpus_bleu`, with the same defaults, but one set of weights at most.

    Returns
    -------
    Explanation
        ``explain(h, r, **options).score`` is ``vecbleu.sentence_bleu([h], [r], **options)[0]``,
        to the last bit, and its counts are those of `vecbleu.statistics`. ``print`` it for tables.

    Raises
    ------
    TypeError
        The hypothesis or a reference is no string, no sequence of hashables and no integer array.
    ValueError
        There is no reference, an option is unknown, or n-grams up to `max_order` are too many to
        be listed.

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
    counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
    scoring = ScoreOptions.checked(
        counting.max_order, weights, smoothing, smoothing_value, effective_order
    ).single("explain")
    special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
    corpus = _aligned(hypothesis, references, counting, special_ids)
    units, split = _split(corpus, counting)
    return explained(units, split, counting, scoring, corpus.is_text)


def _aligned(
    hypothesis: Any, references: Any, counting: CountOptions, special_ids: SpecialIds
) -> AlignedCorpus:
    """The segment as a corpus of one."""
    is_shared = isinstance(references, PreparedReferences)
    entries = references if is_shared else [references]
    try:
        corpus = aligned([hypothesis], entries, counting, special_ids)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        message, swap, order = _of_one(str(error)).partition(SWAP)
        raise kind(f"{message}{_out_of_lists(hypothesis, references)}{swap}{order}") from None
    return corpus.prepared(counting) if isinstance(corpus, SharedCorpus) else corpus


def _out_of_lists(hypothesis: Any, references: Any) -> str:
    """What to pass where a hypothesis is in a list of its own, as that of a corpus."""
    if not isinstance(hypothesis, (list, tuple)) or len(hypothesis) != 1:
        return ""
    is_row = isinstance(hypothesis, tuple) and isinstance(hypothesis[0], str)
    is_text = is_row or (isinstance(hypothesis[0], str) and isinstance(references, str))
    if not is_text and not isinstance(hypothesis[0], list):
        return ""
    depth, entry = 0, references
    while isinstance(entry, (list, tuple)) and len(entry) and depth < 3:
        depth, entry = depth + 1, entry[0]
    is_of_corpus = depth == 3 and len(references) == 1
    return f"; pass hypothesis[0]{', references[0]' if is_of_corpus else ''}"


def _of_one(message: str) -> str:
    """A message about many segments as one about the only segment."""
    for pattern, name in _NAMES:
        message = re.sub(pattern, name, message)
    return message


def _split(
    corpus: AlignedCorpus, counting: CountOptions
) -> tuple[list[str | Tokens], list[Tokens]]:
    """The hypothesis and its references: as they were passed, and their tokens."""
    sides: list[Any] = [corpus]
    if isinstance(corpus, SharedCorpus):
        assert isinstance(corpus.references, PreparedReferences)
        sides = [corpus.hypotheses, corpus.references.side]
    units: list[str | Tokens] = []
    split: list[Tokens] = []
    for block in chain.from_iterable(side.blocks() for side in sides):
        found = _units_of(block)
        units += found
        if not corpus.is_text:
            split += found
            continue
        try:
            strings = [*map(str.lower, found)] if counting.lowercase else found
            split += map(tuple, counting.tokenize.split(strings))
        except UnitError as error:
            raise TypeError(f"{_of_one(block.locate(error.unit))}: {error}") from None
    return units, split


def _units_of(block: SideBlock) -> list[Any]:
    """The units of a block: strings, or tuples of tokens."""
    if isinstance(block, IdBlock):
        return [tuple(row.tolist()) for row in block.numbers]
    if not isinstance(block, ListBlock):
        return block.text.strings()
    if block.corpus.is_text:
        return [*map(str.__str__, block.objects)]  # of subclasses of str, too
    return [tuple(_listed(tokens)) for tokens in block.objects]


def _listed(tokens: Sequence[Hashable]) -> Sequence[Hashable]:
    """Tokens of an array as Python's own."""
    return tokens.tolist() if isinstance(tokens, np.ndarray) else tokens
