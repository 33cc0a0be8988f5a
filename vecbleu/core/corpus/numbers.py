"""How many references the segments of a corpus have."""

from __future__ import annotations

import numpy as np

from vecbleu.core.corpus.columns import ColumnCorpus
from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.lists import ListCorpus
from vecbleu.core.corpus.references import ParallelReferences, ReferenceLists

VARYING = "var"


def references_each(corpus: object) -> int | str | None:
    """The number that every segment has, or `VARYING`; None where no segment says it."""
    if isinstance(corpus, ListCorpus):
        return _of_lists(corpus)
    if isinstance(corpus, (ColumnCorpus, IdCorpus)):
        return _only({*np.unique(np.diff(corpus.reference_offsets)).tolist()})
    each: int | None = getattr(corpus, "references_each", None)
    return each


def _of_lists(corpus: ListCorpus) -> int | str | None:
    """The number of references of Python objects."""
    references = corpus.references
    if not len(corpus):
        return None
    if isinstance(references, ReferenceLists):
        return _only({*map(len, references.lists)})
    if isinstance(references, ParallelReferences) and references.present is None:
        return len(references.streams)
    return _only({*np.unique(np.diff(references.offsets())).tolist()})


def _only(numbers: set[int]) -> int | str | None:
    """The only one of some numbers."""
    if len(numbers) > 1:
        return VARYING
    return next(iter(numbers), None)
