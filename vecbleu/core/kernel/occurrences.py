"""How often each n-gram occurs on each side of each segment of a corpus: n-grams by number.

The units of a segment stand next to each other: the systems', then the references'. The n-gram that
starts at a place has a number; it and the word behind it make the n-gram of the next order, so that
nothing but ids of words is hashed::

    words     the cat the cat sat | the cat |     0 1 0 1 2 | 0 1 |
    order 2   (number, word behind)               3 4 3 5 - | 3 - |

Sorted by number and unit, the occurrences of an n-gram are a run, and those in a segment a part of
it. N-grams are shared out by a hash of their keys, so that some are looked at at a time. One of no
further use is left out when longer ones are made: they occur no more often than it does.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial

import numpy as np

from vecbleu.core.arrays import Int64, Mask, as_index
from vecbleu.core.kernel.groups import Layout, Share, Shown, Visitor, show
from vecbleu.core.kernel.numbering import Numbers, Words, number_type
from vecbleu.core.kernel.ragged import Ragged, cuts

# Places that are looked at together: random accesses stay in the cache, and numbers are sorted by
# radix, 16 bits at a time, at 6 ns each; keys of 64 bits take 50.
_SHARE = 1 << 17

# Places that are shared out together.
_PIECE = 1 << 20

# Places whose keys are kept, 16 bytes each; with more of them, keys are made several times.
_KEPT = 1 << 25

# Applies a function to every share, in any process; results in the order of shares.
Apply = Callable[[Callable[[Share], Shown], Iterable[Share]], Generator[Shown]]


def _in_this_process(
    function: Callable[[Share], Shown], shares: Iterable[Share]
) -> Generator[Shown]:
    """Apply a function to every share."""
    yield from map(function, shares)


class Occurrences:
    """The words of systems and references, those of each segment next to each other.

    Parameters
    ----------
    systems : sequence of Words (segments,)
        Of each system.
    references : Words
        Of all segments, one after the other.
    offsets : int64 array (segments + 1,)
        Which of the references each segment begins with.

    Attributes
    ----------
    words : integer array (words,)
        The word at each place.
    """

    def __init__(self, systems: Sequence[Words], references: Words, offsets: Int64) -> None:
        self._size = references.size
        self._segments = offsets + len(systems) * np.arange(len(offsets))  # into the units
        units = _side_by_side(systems, references, offsets)
        self.words, self._offsets = units.values, units.offsets
        sizes = np.diff(self._segments)
        self._layout = Layout(len(systems), int(sizes.max(initial=1) - 1).bit_length())
        codes = np.arange(len(units)) - np.repeat(self._segments[:-1], as_index(sizes))
        codes += np.repeat(np.arange(len(sizes)) << self._layout.bits, as_index(sizes))
        narrow = number_type(len(sizes) << self._layout.bits)
        self._unit = np.repeat(codes.astype(narrow), as_index(units.lengths))  # (words,)

    def locate(self, place: int) -> tuple[int, int, int]:
        """The segment of a place, which of its units it is in, and where there."""
        segment, number = divmod(int(self._unit[place]), 1 << self._layout.bits)
        unit = int(self._segments[segment]) + number
        return segment, number, place - int(self._offsets[unit])

    def accept(self, visitor: Visitor, max_order: int, apply: Apply = _in_this_process) -> None:
        """Show n-grams to a visitor: some at a time, those of an order after all shorter ones."""
        numbers = self.words
        is_start: Mask = np.ones(len(self.words), bool)
        for order in range(1, max_order + 1):
            task = partial(show, visitor, self._layout, order)
            longer, known = np.full(len(numbers), -1, numbers.dtype), 0
            with closing(apply(task, self._shares(numbers, is_start, order))) as results:
                for shown in results:
                    if shown.found is not None:
                        visitor.take(shown.found)
                    longer[shown.places] = shown.numbers + known
                    known += shown.size
            if not known:
                return
            numbers, is_start = longer, longer >= 0
            is_start[:-1] &= is_start[1:]
            if order == 1:  # where the next word is another unit's
                is_start[self._offsets[1:] - 1] = False

    def _share(self, numbers: Numbers, is_start: Mask, order: int, at: int) -> Share:
        """The n-grams that start in a piece, behind a place."""
        places = np.flatnonzero(is_start[at : at + _PIECE]) + at
        keys = numbers[places].astype(np.int64)
        if order > 1:
            keys *= self._size
            keys += self.words[places + (order - 1)]
        return Share(keys, self._unit[places], places.astype(number_type(len(numbers))))

    def _shares(self, numbers: Numbers, is_start: Mask, order: int) -> Iterator[Share]:
        """N-grams that start at places: all equal ones together, in the order of places."""
        starts = int(np.count_nonzero(is_start))
        bits, rounds = (starts // _SHARE).bit_length(), 1 << (starts // _KEPT).bit_length()
        size = max((1 << bits) // rounds, 1)
        for first in range(0, 1 << bits, size):
            wanted = range(first, first + size)
            pieces = [
                self._share(numbers, is_start, order, at).parts(bits, wanted)
                for at in range(0, len(numbers), _PIECE)
            ]
            for parts in zip(*pieces, strict=True):
                yield Share(*map(np.concatenate, zip(*parts, strict=True)))


def _side_by_side(systems: Sequence[Words], references: Words, offsets: Int64) -> Ragged:
    """The units of each segment next to each other; some segments at a time, in the cache."""
    sides = [one.rows for one in (*systems, references)]
    blocks = [sides[0][:0]]
    for start, stop in cuts(sides[-1].offsets[offsets], _PIECE):
        own = offsets[start : stop + 1]
        size, some = stop - start, [side[start:stop] for side in sides[:-1]]
        units = Ragged.concatenate([*some, sides[-1][own[0] : own[-1]]])
        firsts = own[:-1] - own[0] + len(systems) * np.arange(size)
        order = np.full(len(units), -1)
        for system in range(len(systems)):
            order[firsts + system] = system * size + np.arange(size)
        order[order < 0] = np.arange(len(systems) * size, len(units))
        blocks.append(units.take(order))
    return Ragged.concatenate(blocks)
