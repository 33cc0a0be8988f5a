"""Find the words in which texts differ, such as two systems' outputs for one segment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import count, groupby
from operator import itemgetter

from vecbleu.core.inputs.alignment import listed_strings

# Each Chinese or Japanese letter is a word. A punctuation mark beside a word, as in "(yes),", is a
# word of its own; a mark inside a word, as in "3.5", is not.
_LETTERS = r"\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff"
_MARKS = re.escape('!"#$%&()*+,./:;<=>?@[\\]^_`{|}~¡¿«»„“”‚‘…–—')
_INSIDE = rf"[^\s{_LETTERS}{_MARKS}]"
_WORDS = rf"\s+|[{_LETTERS}{_MARKS}]|{_INSIDE}(?:[^\s{_LETTERS}]*{_INSIDE})?"


def word_changes(texts: Sequence[str]) -> list[list[tuple[str, bool]]]:
    """Cut each text into pieces, and flag the pieces that differ from the first text.

    A word of the first text differs if any other text lacks it at that place. Words end at spaces
    and at punctuation around them; in Chinese and Japanese, every letter is a word. Texts are
    aligned with `difflib.SequenceMatcher`.

    Parameters
    ----------
    texts : sequence of str (texts,)
        Texts of one segment, such as outputs of several systems.

    Returns
    -------
    list of list of tuple of str and bool
        Pieces of each text, with True if they differ. Joined, they give the text. White space
        differs only between two words that differ.

    Raises
    ------
    TypeError
        `texts` is a single string, or an entry is not a string.

    Examples
    --------
    >>> from vecbleu.analysis import word_changes
    >>> for pieces in word_changes(["The cat sat.", "A cat sat down."]):
    ...     print(pieces)
    [('The', True), (' cat sat.', False)]
    [('A', True), (' cat sat ', False), ('down', True), ('.', False)]
    """
    texts = listed_strings(texts, "texts")
    cut = [re.findall(_WORDS, text) for text in texts]
    words = [[word for word in pieces if not word.isspace()] for pieces in cut]
    changed: list[set[int]] = [set() for _ in words]
    for other, indices in zip(words[1:], changed[1:], strict=True):
        # By default, `SequenceMatcher` ignores frequent words of long texts, to stay fast.
        for kind, i, j, k, m in SequenceMatcher(None, words[0], other).get_opcodes():
            if kind != "equal":
                changed[0].update(range(i, j))
                indices.update(range(k, m))
    return [*map(_flagged, cut, changed)]


def _flagged(pieces: list[str], changed: set[int]) -> list[tuple[str, bool]]:
    """Flag the words that differ, and the spaces between two of them."""
    indices = count()
    flags = [not piece.isspace() and next(indices) in changed for piece in pieces]
    for index in range(1, len(pieces) - 1):
        if pieces[index].isspace():
            flags[index] = flags[index - 1] and flags[index + 1]
    return joined_pieces(zip(pieces, flags, strict=True))


def joined_pieces(pieces: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Join neighboring pieces with the same flag."""
    return [
        ("".join(piece for piece, _ in group), flag)
        for flag, group in groupby(pieces, key=itemgetter(1))
    ]
