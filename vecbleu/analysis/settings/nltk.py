"""Score counts as NLTK does, with the tokens that its users make."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import product
from shlex import quote
from typing import Any

from vecbleu.analysis.settings.files import File
from vecbleu.analysis.settings.ways import Scored
from vecbleu.bleu.metric import Bleu
from vecbleu.core.count_table import CountTable
from vecbleu.core.metric import AnyMetric
from vecbleu.kernel.arrays import Int64
from vecbleu.nltk import SmoothingFunction, count_as_nltk, score_rows

# How tokens are made of a line, and the options that count the same tokens.
_TOKENS: list[tuple[str, dict[str, object]]] = [
    ("line.split()", {"tokenize": "none"}),
    ("split_13a(line)", {"tokenize": "13a"}),
    ("line.lower().split()", {"tokenize": "none", "lowercase": True}),
    ("split_13a(line.lower())", {"tokenize": "13a", "lowercase": True}),
]

_WEIGHTS = (0.25, 0.25, 0.25, 0.25)
_METHODS = "method0", "method1", "method2", "method3", "method4"


def scored_by_nltk(files: list[File], tables: dict[AnyMetric, CountTable]) -> Iterator[Scored]:
    """Score the corpus, and the mean of its sentences, with NLTK's methods of smoothing.

    The command is a program whose arguments are the files.
    """
    names = ""
    for file in files:
        names += f" <({file.stream})"
    for (tokens, options), method in product(_TOKENS, _METHODS):
        table = tables[Bleu.of_options(**options)[0]]
        rows = table.array.copy()
        count_as_nltk(rows)
        total = rows.sum(axis=0, keepdims=True)
        for function, counts in (("corpus_bleu", total), ("sentence_bleu_batch", rows)):
            program = (
                "import sys, numpy; from vecbleu.nltk import *; "
                "from vecbleu.text.tokenize_13a import split_13a; "
                f"h, *r = ([{tokens} for line in "
                'open(name, encoding="utf-8", newline="\\n")] '
                f"for name in sys.argv[1:]); print(numpy.mean({function}("
                f"[*zip(*r)], h, smoothing_function=SmoothingFunction().{method})))"
            )
            command = f"python -c {quote(program)}{names}"
            signature = f"NLTK {function}|smooth:{method}|{table.signature}"
            yield Scored(_mean_score(counts, method), command, signature)


def _mean_score(rows: Int64, method: str) -> float:
    """Return the mean of the scores of rows of counts; a row without a match scores 0."""
    matching = rows[rows[:, 2] > 0]
    smooth = getattr(SmoothingFunction(), method)
    with warnings.catch_warnings(action="ignore"):  # of orders without a match
        scores: Any = score_rows(matching, [_WEIGHTS], smooth, False)
    mean: float = scores.sum() / len(rows)
    return mean
