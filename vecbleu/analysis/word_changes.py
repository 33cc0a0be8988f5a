"""Find the words in which texts differ, such as two systems' outputs for one segment."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count, groupby, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from vecbleu.arguments.errors import argument
from vecbleu.inputs.alignment import listed_strings

# Each Chinese or Japanese letter is a word. A punctuation mark beside a word, as in "(yes),", is a
# word of its own; a mark inside a word, as in "3.5", is not.
_LETTERS = r"\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff"
_MARKS = re.escape('!"#$%&()*+,./:;<=>?@[\\]^_`{|}~¡¿«»„“”‚‘…–—')
_INSIDE = rf"[^\s{_LETTERS}{_MARKS}]"
_WORDS = rf"\s+|[{_LETTERS}{_MARKS}]|{_INSIDE}(?:[^\s{_LETTERS}]*{_INSIDE})?"


def word_changes(texts: Sequence[str]) -> list[list[tuple[str, bool]]]:
    """Cut each text into pieces, and flag the pieces that differ from the first text.

    A word of the first text differs if any other text lacks it at that place. Words end at spaces
    and at punctuation around them; in Chinese and Japanese, every letter is a word. For texts of n
    words, the time grows as n log n.

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
    with argument("texts"):
        texts = listed_strings(texts)
    cut = [re.findall(_WORDS, text) for text in texts]
    words = [[word for word in pieces if not word.isspace()] for pieces in cut]
    changed: list[set[int]] = [set() for _ in words]
    for other, indices in zip(words[1:], changed[1:], strict=True):
        first = words[0]
        pairs = _aligned(first, other)
        places = {place for place, _ in pairs}
        partners = {partner for _, partner in pairs}
        changed[0] |= set(range(len(first))) - places
        indices |= set(range(len(other))) - partners
    return list(map(_flagged, cut, changed))


def _aligned(words: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    """Return places of the same words in two texts, which increase in both.

    The script of the report's page aligns in the same way.
    """
    before = (-1, -1)
    after = (len(words), len(others))
    pairs = [before, after]
    # More rounds hardly find more pairs.
    for matched in (_same_ends, _same_copies, _same_ends, _same_copies, _same_ends):
        found = pairs[:1]
        for (start, first), (stop, last) in pairwise(pairs):
            start += 1
            first += 1
            gap = matched(words[start:stop], others[first:last])
            found += [(start + place, first + partner) for place, partner in gap]
            found.append((stop, last))
        pairs = found
    return pairs[1:-1]


def _same_ends(words: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    """Pair the words at the beginning and at the end of two texts, up to one that differs."""
    most = min(len(words), len(others))
    start = end = 0
    while start < most and words[start] == others[start]:
        start += 1
    while end < most - start and words[-1 - end] == others[-1 - end]:
        end += 1
    ahead = [(place, place) for place in range(start)]
    behind = [(len(words) - left, len(others) - left) for left in range(end, 0, -1)]
    return ahead + behind


class _Run(NamedTuple):
    """Pairs that do not cross: the last one, and the run of those before it."""

    place: int
    partner: int
    before: _Run | None


def _same_copies(words: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    """Pair each copy of a word with that of the same number; keep the most that do not cross."""
    places = defaultdict(list)  # of the copies of each word, the first one last
    for place in reversed(range(len(others))):
        places[others[place]].append(place)
    runs: list[_Run] = []  # by length: the run that ends first in `others`
    for place, word in enumerate(words):
        if places[word]:
            partner = places[word].pop()
            length = bisect_left(runs, partner, key=attrgetter("partner"))
            before = runs[length - 1] if length else None
            runs[length : length + 1] = [_Run(place, partner, before)]
    pairs = []
    run = runs[-1] if runs else None
    while run:
        pairs.append((run.place, run.partner))
        run = run.before
    return pairs[::-1]


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
