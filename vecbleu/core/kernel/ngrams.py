"""Token ids to n-gram keys to clipped matches: the kernel.

The input is units (hypotheses and references) in one `Ragged`, ordered so that every segment is
its hypothesis followed by its references. Every n-gram of every order gets a 64-bit key whose
lowest bits say which unit of its segment it comes from (0: the hypothesis). The keys of a segment
form a row; rows of about one width are sorted together, and after the sort the copies of an n-gram
in the hypothesis stand right before those in the reference::

    hypothesis  the the cat       keys  t0 t0 c0        sorted  c0 m1 t0 t0 t1 t1 t1
    reference   the the mat the         t1 t1 m1 t1                      ^^^^^      1st match
                                                                      ^^^^^^^^^^^   2nd match

Matches are counted among neighbors (`matches`). Keys are made along whole rows, too; those of
n-grams that run over a unit's end match nothing. Only keys of one segment meet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import numpy as np

from vecbleu.core.arrays import Int64, Mask, as_index
from vecbleu.core.kernel.keys import Keys, make_ids, ngram_keys, ranked
from vecbleu.core.kernel.matches import count_matches
from vecbleu.core.kernel.ragged import Ragged, offsets_of, slices
from vecbleu.core.kernel.wide import wide_matches

# Bytes of keys made, sorted and compared together: half a megabyte, and as much again for the
# comparison, stay in the level-2 cache. NumPy's overhead is about 60 us a group; half or twice the
# size take 5 to 10% longer.
GROUP_BYTES = 1 << 19

# A group may waste an eighth of its keys and an eighth of the budget on padding before it is cut;
# sorting them costs what the overhead of one more group does.
_SLACK = 8

# Tokens of a segment that make a row: wider ones take much memory, 70 bytes a token. Both ways are
# equally fast from a quarter of it on, and rows are up to twice as fast below.
_WIDEST_ROW = 1 << 17


def clipped_matches(
    units: Ragged, segments: Int64, max_order: int, alphabet: int | None = None
) -> Int64:
    """Count each hypothesis' n-grams found in its references, clipped, for every order.

    Ids must be hashes (`hashing.mix`), or, if `alphabet` is given, numbers below it. `segments`
    (S + 1,) are offsets into the units; each segment's first unit is its hypothesis.
    """
    ends = units.offsets[segments]  # (S + 1,)
    widths = ends[1:] - ends[:-1]
    margin = int(widths.max(initial=0))
    if margin > _WIDEST_ROW:
        return _count_apart(widths > _WIDEST_ROW, units, segments, max_order, alphabet)
    sizes = segments[1:] - segments[:-1]
    bits = max(int(sizes.max(initial=0)) - 1, 1).bit_length()
    values, alphabet = ranked(units.values, max_order, bits, alphabet)
    ids, rolls = make_ids(values, max_order, bits, alphabet)
    tokens = _numbered_tokens(ids, units, segments, margin)
    order = np.argsort(widths.astype(np.min_scalar_type(margin)), kind="stable")  # by radix
    widths = widths[order]
    matches = np.zeros((len(widths), max_order), np.int64)
    budget = GROUP_BYTES // ids.itemsize
    buffers = np.empty((2, max(budget, margin * max_order)), ids.dtype)
    for group in groups(widths, max_order, budget):
        segment, own = order[group], widths[group]
        width = int(own[-1])
        keys = buffers[0, : max_order * len(segment) * width].reshape(max_order, -1)
        row_tokens = slices(tokens, ends[segment + 1] + (margin - width), width)
        ngram_keys(row_tokens.reshape(-1), bits, rolls, keys)
        erase_strays(keys, own)
        rows = keys.reshape(-1, width)
        # As signed integers: without AVX-512, unsigned ones take a sixth longer.
        rows.view(f"i{rows.itemsize}").sort(axis=-1)
        matches[segment] = count_matches(rows, bits, buffers[1]).reshape(max_order, -1).T
    return matches


def _count_apart(
    is_wide: Mask, units: Ragged, segments: Int64, max_order: int, alphabet: int | None
) -> Int64:
    """Count wide segments each by itself, and the others together."""
    matches = np.empty((len(is_wide), max_order), np.int64)
    for segment in np.flatnonzero(is_wide).tolist():
        own = units[segments[segment] : segments[segment + 1]]
        matches[segment] = wide_matches(own, max_order, alphabet)
    sizes = np.diff(segments)
    others = units.take(np.flatnonzero(np.repeat(~is_wide, as_index(sizes))))
    matches[~is_wide] = clipped_matches(others, offsets_of(sizes[~is_wide]), max_order, alphabet)
    return matches


def _numbered_tokens(ids: Keys, units: Ragged, segments: Int64, margin: int) -> Keys:
    """Ids with the number of the unit in their lowest bits (margin + tokens,).

    The hypothesis has 0; its references count down to 1.
    """
    sizes = as_index(segments[1:] - segments[:-1])
    numbers = np.repeat(segments[1:], sizes) - np.arange(len(units))  # (units,)
    numbers[segments[:-1]] = 0
    tokens = np.empty(margin + len(ids), ids.dtype)
    repeated = np.repeat(numbers.astype(ids.dtype), as_index(units.lengths))
    np.bitwise_or(ids, repeated, out=tokens[margin:])
    return tokens


def groups(widths: Int64, max_order: int, budget: int) -> Iterator[slice]:
    """Cut segments sorted by width into groups within a budget of keys, or of one segment."""
    width, total = widths.tolist(), offsets_of(widths).tolist()

    def too_much(last: int) -> bool:
        area = (last + 1 - first) * width[last]
        waste = area - (total[last + 1] - total[first])
        return bool(area * max_order > budget or waste > area // _SLACK + spare)

    spare = budget // (_SLACK * max_order)
    first = bisect_right(width, 0)  # segments without a token match nothing
    while first < len(width):
        most = min(len(width), first + budget // (width[first] * max_order) + 1)
        stop = bisect_left(range(most), True, lo=first + 1, key=too_much)
        yield slice(first, stop)
        first = stop


def erase_strays(keys: Keys, widths: Int64) -> None:
    """Overwrite the keys (orders, segments * width) of n-grams that run over their row's ends."""
    width = int(widths[-1])
    nothing = ~keys.dtype.type(0)
    rows = keys.reshape(len(keys), -1, width)
    for order in range(1, len(keys)):
        rows[order, :, max(width - order, 0) :] = nothing
    if width == widths[0]:
        return
    before = as_index(width - widths)
    starts = np.arange(0, len(widths) * width, width)
    starts += before - np.cumsum(before)
    strays = np.repeat(starts, before)
    strays += np.arange(len(strays))
    for of_order in keys:
        of_order[strays] = nothing
