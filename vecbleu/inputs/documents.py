"""Join the segments of each document, to score whole documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument


def join_documents(texts: Iterable[str], documents: Iterable[Hashable]) -> list[str]:
    """Join the texts of each document by a space, to score documents as segments.

    BLEU of texts that are joined so is called document BLEU, or d-BLEU.

    Parameters
    ----------
    texts : iterable of str (segments,)
        One side: hypotheses, or one reference of each segment.
    documents : iterable of hashables (segments,)
        The document of each segment. Segments of a document stand one after the other.

    Returns
    -------
    list of str (documents,)
        In the order of the documents.

    Raises
    ------
    ArgumentError
        If the numbers of texts and documents differ, or a document begins again after another one.
    ArgumentTypeError
        If an entry of `texts` is not a string, or `texts` is one.

    Examples
    --------
    >>> import vecbleu
    >>> documents = ["news", "news", "talk"]
    >>> hypotheses = ["It rained.", "We left.", "Hello there."]
    >>> references = ["It was raining.", "We left.", "Hello there."]
    >>> joined = vecbleu.join_documents(hypotheses, documents)
    >>> joined
    ['It rained. We left.', 'Hello there.']
    >>> score = vecbleu.corpus_bleu(joined, vecbleu.join_documents(references, documents))
    >>> round(score.percent, 2)
    53.42

    References
    ----------
    Liu et al. (2020), "Multilingual Denoising Pre-training for Neural Machine Translation",
    section 4.1: document-level BLEU.
    """
    listed, names = listed_labels(texts, "texts"), listed_labels(documents, "documents")
    if len(listed) != len(names):
        found = f"has {len(listed)} segments but documents has {len(names)}"
        raise ArgumentError(found, argument="texts")
    checked: list[str] = []
    for index, text in enumerate(listed):
        if isinstance(text, str):
            checked.append(text)
        else:
            found = f"is {type(text).__name__}"
            advice = "join each reference by itself: the rows of zip(*references)"
            raise ArgumentTypeError(found, "a string", advice, argument="texts", index=(index,))
    with argument("documents"):
        starts = first_segments(names, set())
    return [" ".join(checked[start:end]) for start, end in pairwise([*starts, None])]


def listed_labels(labels: Iterable[Hashable], name: str) -> list[Hashable]:
    """List labels, or other values that stand one for a segment."""
    is_other = isinstance(labels, (str, bytes, Mapping, AbstractSet))
    if is_other or not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) != 1:
        found = f"is {type(labels).__name__}"
        raise ArgumentTypeError(found, "one for each segment", argument=name)
    # Scalars of Arrow do not print like Python's, and are not equal to them.
    listed: list[Hashable] = labels.to_pylist() if hasattr(labels, "to_pylist") else list(labels)
    return listed


def first_segments(documents: Sequence[Hashable], ended: set[Hashable]) -> list[int]:
    """Return the index of the first segment of each document.

    Add all documents but the last one to those that have `ended`; these can't begin again.
    """
    starts: list[int] = []
    for index, document in enumerate(documents):
        if index and document == documents[index - 1]:
            continue
        ended.update(documents[index - 1 : index])
        if document in ended:
            found = f"is {document!r} again, after another document"
            advice = "sort the segments by document"
            raise ArgumentError(found, advice=advice, index=(index,))
        starts.append(index)
    return starts
