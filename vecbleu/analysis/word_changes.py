"""The words in which texts differ, such as two systems' outputs of one segment."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

Pieces = list[tuple[str, bool]]

# Scripts that are written without spaces, whose letters are words here: Thai, Lao, Tibetan,
# Myanmar, Khmer, Han, kana, and full-width forms.
_LETTERS = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff9f"
    "\U00020000-\U0003ffff"
)
# Marks that are words of their own before and behind a word, as in "(yes)," but not inside "3.5".
_MARKS = re.escape('!"#$%&()*+,./:;<=>?@[\\]^_`{|}~¡¿«»„“”‚‘…–—')
_INSIDE = rf"[^\s{_LETTERS}{_MARKS}]"
_WORDS = rf"\s+|[{_LETTERS}{_MARKS}]|{_INSIDE}(?:[^\s{_LETTERS}]*{_INSIDE})?"

# Beyond these, difflib would take more than some 30 ms, which grow with the square: words of both
# texts, and pairs of equal words.
_MOST_WORDS = 1_000
_MOST_PAIRS = 10_000


def word_changes(texts: Sequence[str]) -> list[Pieces]:
    """Cut each text into pieces, and say of each whether its words differ from the first text's.

    The words of the first text differ if any other text lacks them at that place. Words are
    separated by spaces, and from the punctuation before and behind them; in scripts without
    spaces every letter is a word. Two texts are aligned by `difflib`; of long texts, whose
    alignment would take a time that grows with the square of their length, a word differs if the
    other text has it less often, between the beginning and the end that are the same.

    Parameters
    ----------
    texts : sequence of str (texts,)
        Texts of one segment, such as outputs of several systems.

    Returns
    -------
    list of list of tuple of str and bool
        Of each text its pieces, which joined are the text, and whether they differ. White space
        differs only between two words that do.

    Raises
    ------
    TypeError
        `texts` is a single string, a dict or a set, or holds anything else than strings.

    Examples
    --------
    >>> from vecbleu.analysis import word_changes
    >>> for pieces in word_changes(["The cat sat.", "A cat sat down."]):
    ...     print(pieces)
    [('The', True), (' cat sat.', False)]
    [('A', True), (' cat sat ', False), ('down', True), ('.', False)]
    """
    cut = [_words(text) for text in _checked(texts)]
    if not cut:
        return []
    first = cut[0]
    changed = [[False] * len(words) for words in cut]
    for words, flags in zip(cut[1:], changed[1:], strict=True):
        _mark(first, words, changed[0], flags)
    return [_pieces(words, flags) for words, flags in zip(cut, changed, strict=True)]


def _checked(texts: Any) -> list[str]:
    """Texts as the user passed them; an iterator is read once."""
    if isinstance(texts, Mapping):
        are_texts = all(isinstance(text, str) for text in texts.values())
        instead = "; pass [*texts.values()]" if are_texts else ""
        raise TypeError(f"texts is {type(texts).__name__}, expected a sequence of str{instead}")
    if isinstance(texts, (str, AbstractSet)) or not isinstance(texts, Iterable):
        raise TypeError(f"texts is {type(texts).__name__}, expected a sequence of str")
    listed = [*texts]
    for place, text in enumerate(listed):
        if not isinstance(text, str):
            raise TypeError(f"texts[{place}] is {type(text).__name__}, expected str")
    return listed


def _words(text: str) -> list[str]:
    """The words and the spaces of a text, in order; letters keep the marks that combine."""
    words: list[str] = []
    for word in re.findall(_WORDS, text):
        # A vowel sign by itself would be torn from its letter.
        if words and unicodedata.category(word[0])[0] == "M" and not words[-1].isspace():
            words[-1] += word
        else:
            words.append(word)
    return words


def _mark(first: list[str], other: list[str], of_first: list[bool], of_other: list[bool]) -> None:
    """Set the flags of the words of either text that the other does not have at their place."""
    places = [[i for i, word in enumerate(one) if not word.isspace()] for one in (first, other)]
    one, two = ([words[i] for i in own] for words, own in zip((first, other), places, strict=True))
    start = _same(zip(one, two, strict=False))
    end = _same(zip(one[start:][::-1], two[start:][::-1], strict=False))
    one, two = one[start : len(one) - end], two[start : len(two) - end]
    for flags, own, changed in zip((of_first, of_other), places, _changed(one, two), strict=True):
        for place in changed:
            flags[own[start + place]] = True


def _same(pairs: Iterable[tuple[str, str]]) -> int:
    """How many first pairs are of equal words."""
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count


def _changed(one: list[str], two: list[str]) -> tuple[list[int], list[int]]:
    """Places of the words of either text that the other does not have there."""
    if not one or not two:
        return [*range(len(one))], [*range(len(two))]
    counts, others = Counter(one), Counter(two)
    pairs = sum(count * others[word] for word, count in counts.items())
    if len(one) + len(two) > _MOST_WORDS or pairs > _MOST_PAIRS:
        return _surplus(one, others), _surplus(two, counts)
    changed: tuple[list[int], list[int]] = [], []
    for kind, i, j, k, m in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind != "equal":
            changed[0].extend(range(i, j))
            changed[1].extend(range(k, m))
    return changed


def _surplus(words: list[str], others: Counter[str]) -> list[int]:
    """Places of the words beyond their number in the other text; copies count from the left."""
    used: Counter[str] = Counter()
    places = []
    for place, word in enumerate(words):
        used[word] += 1
        if used[word] > others[word]:
            places.append(place)
    return places


def _pieces(words: list[str], flags: list[bool]) -> Pieces:
    """Neighbors with the same flag as one piece, with the spaces between them."""
    for place in range(1, len(words) - 1):
        if words[place].isspace():
            flags[place] = flags[place - 1] and flags[place + 1]
    pairs = zip(words, flags, strict=True)
    return [
        ("".join(word for word, _ in group), changed)
        for changed, group in groupby(pairs, key=lambda pair: pair[1])
    ]
