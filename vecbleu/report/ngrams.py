"""The n-grams in which the best system differs from the others, as a report lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vecbleu.analysis import NgramDifference, NgramDifferences, ngram_differences
from vecbleu.core.options import CountOptions, RunOptions
from vecbleu.core.records import dataclass
from vecbleu.core.terminal import escaped_name
from vecbleu.report.inputs import Inputs

# Systems that are compared with the best, and rows of each list.
_MOST_SYSTEMS = 11
_ROWS = 12

# What a list is about: a kind of counts, whether it is the best system that has more, and a title.
_LISTS: Any = [
    ("match", True, "gets right more often"),
    ("match", False, "gets right more often"),
    ("over", True, "writes too often"),
    ("over", False, "writes too often"),
    ("under", True, "lacks more often"),
    ("under", False, "lacks more often"),
]


@dataclass(frozen=True, slots=True, repr=False)
class NgramRow:
    """An n-gram with the counts of the best system and of another, and lines as examples."""

    ngram: str
    best: int
    other: int
    lines: list[int]


@dataclass(frozen=True, slots=True, repr=False)
class NgramList:
    """N-grams of one kind that one of two systems has more often."""

    system: int  # the one that has more
    title: str
    rows: list[NgramRow]


@dataclass(frozen=True, slots=True, repr=False)
class NgramPair:
    """The lists of the best system and another."""

    other: int
    lists: list[NgramList]


def report_ngrams(
    inputs: Inputs, ranking: Sequence[int], counting: CountOptions, run: RunOptions
) -> list[NgramPair]:
    """Compare the best system with those behind it; nothing where its text is not known."""
    names = [*inputs.systems]
    best, *others = [names[place] for place in ranking]
    texts = {name: inputs.outputs[name] for name in (best, *others) if name in inputs.outputs}
    if inputs.references is None or best not in texts or len(texts) < 2:
        return []
    tokenizer: Any = counting.tokenize
    found = ngram_differences(
        {name: texts[name] for name in [*texts][: 1 + _MOST_SYSTEMS]},
        inputs.references,
        baseline=best,
        kinds=["match", "over", "under"],
        top=_ROWS,
        max_order=counting.max_order,
        tokenize=getattr(tokenizer, tokenizer.__match_args__[0]),
        lowercase=counting.lowercase,
        workers=run.workers,
        progress=run.progress,
    )
    others = [str(name) for name in found.names if name != best]
    return [NgramPair(names.index(other), _lists(found, names, best, other)) for other in others]


def _lists(found: NgramDifferences, names: Sequence[str], best: str, other: str) -> list[NgramList]:
    """What the best system and another do more often than each other."""
    lists = []
    for kind, is_best, title in _LISTS:
        more, less = (best, other) if is_best else (other, best)
        rows = [_row(one, is_best) for one in found.rows if one[:3] == (kind, more, less)]
        lists.append(NgramList(names.index(more), title, rows))
    return lists


def _row(found: NgramDifference, is_best: bool) -> NgramRow:
    """An n-gram that can be shown, with counts and lines from 1."""
    counts = found.counts if is_best else found.counts[::-1]
    text = escaped_name(" ".join(map(str, found.ngram)))
    return NgramRow(text, *counts, [segment + 1 for segment in found.examples])
