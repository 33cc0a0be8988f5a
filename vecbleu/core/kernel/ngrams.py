"""Token ids to n-gram keys to clipped matches: the kernel.

The input is units (hypotheses and references) in one `Ragged`, ordered so that every segment is
its hypothesis followed by its references. Every n-gram of every order gets a 64-bit key whose
lowest bits say which unit of its segment it comes from (0: the hypothesis). The keys of a segment
form a row; rows of about one width are sorted together, and after the sort the copies of an n-gram
in the hypothesis stand right before those in the reference::

    hypothesis  the the cat       keys  t0 t0 c0        sorted  c0 m1 t0 t0 t1 t1 t1
    reference   the the mat the         t1 t1 m1 t1                      ^^^^^      1st match
                                                                      ^^^^^^^^^^^   2nd match

A matched n-gram is a neighboring pair whose keys differ in the lowest bit alone, and its k-th
clipped match exists where all pairs up to k - 1 steps further out are equal on both sides. No
counters, and no comparison outside a row. Keys are made along whole rows, too; those of n-grams
that run over a unit's end match nothing. Only keys of one segment meet.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Int64, Mask, UInt64, as_index
from vecbleu.core.kernel.hashing import FOLD, mix
from vecbleu.core.kernel.keys import ALL_BITS, Keys, make_ids, ngram_keys, ranked
from vecbleu.core.kernel.ragged import Ragged, offsets_of
from vecbleu.core.kernel.wide import wide_matches

# Bytes of keys made, sorted and compared together: half a megabyte, and as much again for the
# comparison, stay in the level-2 cache. NumPy's overhead is about 60 us a group; half or twice the
# size take 5 to 10% longer.
_GROUP_BYTES = 1 << 19

# Matches of one n-gram that are counted by passes over the keys up to the last one; where there are
# more, the keys around are looked at, so far for a start. With 4 in place of 8, words take 5% and
# characters, which repeat a lot, 10% longer; with 16, both 10%. Other reaches change nothing.
_COUNTED = 8
_REACH = 16

# Bytes that a view may have, each of the rows that overlap counted: few on 32-bit platforms.
_MOST_BYTES = np.iinfo(np.intp).max

# A group may waste an eighth of its keys and an eighth of the budget on padding before it is cut;
# sorting them costs what the overhead of one more group does.
_SLACK = 8

# Tokens of a segment that make a row: wider ones take much memory, 70 bytes a token. One reference
# is counted as fast in either way from here on, several ones from an eighth of it.
_WIDEST_ROW = 1 << 17


def clipped_matches(
    units: Ragged, segments: Int64, max_order: int, alphabet: int | None = None
) -> Int64:
    """Count each hypothesis' n-grams found in its references, clipped, for every order.

    Ids must be hashes (`hashing.mix`), or, if `alphabet` is given, numbers below it. `segments`
    (S + 1,) are offsets into the units; each segment's first unit is its hypothesis.
    """
    is_wide = np.diff(units.offsets[segments]) > _WIDEST_ROW  # (S,)
    if not is_wide.any():
        return _count_rows(units, segments, max_order, alphabet)
    matches = np.empty((len(is_wide), max_order), np.int64)
    for segment in np.flatnonzero(is_wide).tolist():
        own = units[segments[segment] : segments[segment + 1]]
        matches[segment] = wide_matches(own, max_order, alphabet)
    counts = np.diff(segments)
    others = units.take(np.flatnonzero(np.repeat(~is_wide, as_index(counts))))
    matches[~is_wide] = _count_rows(others, offsets_of(counts[~is_wide]), max_order, alphabet)
    return matches


def _count_rows(units: Ragged, segments: Int64, max_order: int, alphabet: int | None) -> Int64:
    """Count the matches of segments, the keys of each in a row."""
    bits = max(int(np.diff(segments).max(initial=0)) - 1, 1).bit_length()
    values, alphabet = ranked(units.values, max_order, bits, alphabet)
    ids, rolls = make_ids(values, max_order, bits, alphabet)
    ends = units.offsets[segments]  # (S + 1,)
    widths = np.diff(ends)  # (S,)
    margin = int(widths.max(initial=0))
    order = np.argsort(widths.astype(np.min_scalar_type(margin)), kind="stable")  # by radix
    tokens = _numbered_tokens(ids, units, segments, margin)
    matches = np.zeros((len(widths), max_order), np.int64)
    budget = _GROUP_BYTES // ids.itemsize
    buffers = np.empty((2, max(budget, margin * max_order)), ids.dtype)
    for group in _groups(widths[order], max_order, budget):
        segment = order[group]
        width = int(widths[segment[-1]])
        keys = buffers[0, : max_order * len(segment) * width].reshape(max_order, -1)
        row_tokens = _slices(tokens, ends[segment + 1] + (margin - width), width)
        ngram_keys(row_tokens.reshape(-1), bits, rolls, keys)
        _erase_strays(keys, widths[segment])
        rows = keys.reshape(-1, width)
        _sort(rows)
        if bits > 1:
            _number_repeats(rows, bits)
            _sort(rows)
        matches[segment] = _count_matches(rows, buffers[1]).reshape(max_order, -1).T
    return matches


def _numbered_tokens(ids: Keys, units: Ragged, segments: Int64, margin: int) -> Keys:
    """Ids with the number of the unit in their lowest bits (margin + tokens,).

    The hypothesis has 0; its references count down to 1.
    """
    sizes, lengths = as_index(np.diff(segments)), as_index(units.lengths)
    numbers = np.repeat(segments[1:], sizes) - np.arange(len(units))  # (units,)
    numbers[segments[:-1]] = 0
    tokens = np.empty(margin + len(ids), ids.dtype)
    np.bitwise_or(ids, np.repeat(numbers.astype(ids.dtype), lengths), out=tokens[margin:])
    return tokens


def _groups(widths: Int64, max_order: int, budget: int) -> Iterator[slice]:
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


def _slices(values: npt.NDArray[Any], starts: Int64, width: int) -> npt.NDArray[Any]:
    """Copy the values from each start on (starts, width)."""
    shape, size = (len(values) - width + 1, width), values.itemsize
    if math.prod(shape) * size > _MOST_BYTES:
        return values.take(starts[:, None] + np.arange(width))
    # Rows that overlap: indices take 8 to 17 times as long, and `as_strided` 15 times.
    windows: npt.NDArray[Any] = np.ndarray(shape, values.dtype, values, strides=(size, size))
    slices: npt.NDArray[Any] = windows[starts]
    return slices


def _sort(rows: Keys) -> None:
    """Sort each row, as signed integers: without AVX-512, unsigned ones take a sixth longer."""
    rows.view(f"i{rows.itemsize}").sort(axis=-1)


def _erase_strays(keys: Keys, widths: Int64) -> None:
    """Overwrite the keys (orders, segments * width) of n-grams that run over their row's ends."""
    width = int(widths[-1])
    nothing = ~keys.dtype.type(0)
    for order, rows in enumerate(keys.reshape(len(keys), -1, width)):
        rows[:, max(width - order, 0) :] = nothing
    if width == widths[0]:
        return
    before = as_index(width - widths)
    starts = np.arange(0, len(widths) * width, width)
    starts += before - np.cumsum(before)
    strays = np.repeat(starts, before)
    strays += np.arange(len(strays))
    for of_order in keys:
        of_order[strays] = nothing


def _number_repeats(rows: UInt64, bits: int) -> None:
    """Fold into each key which copy in its unit it is, and merge the references.

    Clipping against the maximum over references is then membership in a set: the k-th copy in
    the hypothesis matches if any reference has a k-th copy.
    """
    keys = rows.reshape(-1)
    low = ~(ALL_BITS << np.uint64(bits))
    repeats = np.flatnonzero(keys[1:] == keys[:-1]) + 1
    repeats = repeats[(repeats % rows.shape[1] != 0) & (keys[repeats] != ALL_BITS)]
    starts_run = np.ones(len(repeats), bool)
    starts_run[1:] = np.diff(repeats) != 1
    run = np.maximum.accumulate(np.where(starts_run, np.arange(len(repeats)), 0))
    copy = np.arange(1, len(repeats) + 1, dtype=np.int64) - run  # 1 for the second one
    # Times FOLD, or the second copy of the id 3 would be the third copy of the id 2: unigrams'
    # keys are mixed ids themselves.
    keys[repeats] ^= mix(copy.view(np.uint64)) * FOLD & ~low
    from_reference = (keys & low) != 0
    keys &= ~low
    keys |= from_reference


def _count_matches(rows: Keys, buffer: Keys) -> Int64:
    """Clipped matches of each sorted row (rows,)."""
    width = rows.shape[1]
    keys = rows.reshape(-1)
    difference = np.bitwise_xor(keys[1:], keys[:-1], out=buffer[: keys.size - 1])
    first = np.empty(keys.size, bool)
    around = np.zeros(keys.size + 2 * width, bool)  # a row without pairs on both sides
    equal = around[width:-width]
    for value, pairs in ((1, first), (0, equal)):
        np.equal(difference, value, out=pairs[:-1])
        pairs.reshape(rows.shape)[:, -1] = False  # the last key of a row has no neighbor
    found, kth = first.view(np.uint8), first
    for k in range(2, _COUNTED + 1):
        inner = kth[1:-1]
        kth = inner & equal[: len(inner)]
        kth &= equal[2 * k - 2 :][: len(inner)]
        found[k - 1 : k - 1 + len(kth)] += kth.view(np.uint8)
        # Words repeat as unigrams, which come first: what is behind the last pair need not be seen.
        kth = kth[: kth.tobytes().rfind(1) + 1 + _COUNTED]
    # Adding bytes takes two thirds of the time; a row of 510 keys has at most 255 matches.
    narrow = np.uint8 if width <= 510 else np.int64
    counts: Int64 = np.add.reduce(found.reshape(rows.shape), axis=1, dtype=narrow).astype(np.int64)
    at = np.flatnonzero(kth) + (_COUNTED - 1)
    near, far = _COUNTED, min(_REACH, width)
    while at.size:
        further = _count_further(around, at + width, near, far)
        counts += np.bincount(at // width, further, len(counts)).astype(np.int64)
        at = at[further == far + 1 - near]
        near, far = far + 1, min(4 * far, width)
    return counts


def _count_further(equal: Mask, at: Int64, near: int, far: int) -> Int64:
    """How many pairs are equal on both sides of each place, from `near` steps off up to `far`.

    Where all nearer ones are equal, so many keys belong to one place: the windows take no more
    memory than some times the keys.
    """
    windows = _slices(equal, at - far, 2 * far + 1)
    both = windows[:, far - near :: -1] & windows[:, far + near :]
    further: Int64 = both.argmin(axis=1)  # 0, too, where all are equal
    further[both[:, 0] & (further == 0)] = both.shape[1]
    return further
