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
clipped match exists where the pair k - 1 steps further out on both sides differs in that bit too.
No counters, and no comparison outside a row.

Only keys of one segment meet. Unequal n-grams get equal keys with a probability of about 2**-63 a
pair, or 2**-(64 - b) in a block where some segment has 2**(b - 1) to 2**b - 1 references; n-grams
that are rearrangements of each other, some tens of times as often.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from vecbleu.hashing import FOLD, ROLL, mix
from vecbleu.ragged import Int64, Ragged

UInt64 = npt.NDArray[np.uint64]

# What stands where there is no n-gram. It is odd, so it is nobody's hypothesis, and `|` with it
# overwrites any key: 0.3 ns a key, where a masked copy costs 5.8.
_NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)

# Keys sorted in one call: a megabyte. NumPy's overhead of about 100 us a group is small against
# the work on them; a quarter of it is no faster, and more leaves the level-2 cache.
_GROUP_KEYS = 1 << 17

# A group may waste an eighth of its keys and this many on padding before it is cut; sorting
# them costs what the overhead of one more group does.
_GROUP_SLACK = 1 << 14


def clipped_matches(units: Ragged, segments: Int64, max_order: int) -> Int64:
    """Count each hypothesis' n-grams found in its references, clipped, for every order.

    `segments` (S + 1,) are offsets into the units; each segment's first unit is its hypothesis.
    """
    bits = max(int(np.diff(segments).max(initial=0)) - 1, 0).bit_length()
    starts = units.offsets[segments]  # (S + 1,)
    widths = np.diff(starts)  # (S,)
    matches = np.zeros((len(widths), max_order), np.int64)
    keys = _unit_keys(units, segments, max_order, bits, int(widths.max(initial=0)))
    for group in _groups(widths, max_order):
        rows = _gather_rows(keys, len(units.values), max_order, starts[group], widths[group])
        rows.sort(axis=-1)
        if bits > 1:
            _number_repeats(rows, bits)
            rows.sort(axis=-1)
        matches[group] = _count_matches(rows).reshape(max_order, -1).T
    return matches


def ngram_keys(ids: Int64, bits: int, out: UInt64) -> None:
    """Hash the n-grams of all orders that start at each token, into `out` (orders, tokens).

    key_n[i] = key_{n-1}[i] * ROLL ^ key_1[i+n-1]. The lowest `bits` are zero in key_1, and so in
    all; they are the bits that products mix least.
    """
    out[0] = mix(ids.view(np.uint64)) & (_NOTHING << np.uint64(bits))
    for order in range(1, len(out)):
        last = max(len(ids) - order, 0)
        longer = out[order, :last]
        np.multiply(out[order - 1, :last], ROLL, out=longer)
        longer ^= out[0, order:]
        out[order, last:] = _NOTHING


def _unit_keys(units: Ragged, segments: Int64, max_order: int, bits: int, margin: int) -> UInt64:
    """Keys of all n-grams inside units, flat (orders * tokens + margin,)."""
    tokens = len(units.values)
    flat = np.empty(max_order * tokens + margin, np.uint64)
    keys = flat[: max_order * tokens].reshape(max_order, tokens)
    lengths = units.lengths
    numbers = np.arange(len(units)) - np.repeat(segments[:-1], np.diff(segments))  # (units,)
    ngram_keys(np.ascontiguousarray(units.values), bits, keys)
    keys |= np.repeat(numbers.view(np.uint64), lengths)
    for back in range(1, max_order):
        ends = units.offsets[1:][lengths >= back]
        keys[back:, ends - back] = _NOTHING  # an n-gram longer than `back` leaves its unit here
    return flat


def _groups(widths: Int64, max_order: int) -> Iterator[Int64]:
    """Cut the segments into groups of about one width, none of them much over the key budget."""
    order = np.argsort(widths, kind="stable")
    widths = widths[order]
    total = np.concatenate([[0], np.cumsum(widths)])
    first = int(np.searchsorted(widths, 1))  # segments without a token match nothing
    while first < len(order):
        most = max(1, _GROUP_KEYS // int(widths[first] * max_order))
        sizes = np.arange(1, len(widths[first : first + most]) + 1)
        area = sizes * widths[first : first + most]
        waste = area - (total[first + 1 : first + 1 + len(sizes)] - total[first])
        fits = (area * max_order <= _GROUP_KEYS) & (waste <= area // 8 + _GROUP_SLACK // max_order)
        fits[0] = True
        size = len(fits) if fits.all() else int(np.argmin(fits))
        yield order[first : first + size]
        first += size


def _gather_rows(keys: UInt64, tokens: int, max_order: int, starts: Int64, widths: Int64) -> UInt64:
    """Copy the keys of each segment into a row (orders * segments, width)."""
    width = int(widths.max())
    windows = as_strided(keys, (max_order * tokens, width), (keys.itemsize, keys.itemsize))
    rows: UInt64 = windows[(np.arange(max_order)[:, None] * tokens + starts).reshape(-1)]
    beyond = (np.arange(width) >= widths[:, None]).astype(np.uint64)  # (segments, width)
    by_order = rows.reshape(max_order, len(starts), width)
    by_order |= np.negative(beyond, out=beyond)
    return rows


def _number_repeats(rows: UInt64, bits: int) -> None:
    """Fold into each key which copy in its unit it is, and merge the references.

    Clipping against the maximum over references is then membership in a set: the k-th copy in
    the hypothesis matches if any reference has a k-th copy.
    """
    keys = rows.reshape(-1)
    low = ~(_NOTHING << np.uint64(bits))
    repeats = np.flatnonzero(keys[1:] == keys[:-1]) + 1
    repeats = repeats[(repeats % rows.shape[1] != 0) & (keys[repeats] != _NOTHING)]
    starts_run = np.ones(len(repeats), bool)
    starts_run[1:] = np.diff(repeats) != 1
    run = np.maximum.accumulate(np.where(starts_run, np.arange(len(repeats)), 0))
    copy = np.arange(1, len(repeats) + 1) - run  # 1 for the second copy, 2 for the third
    # Times FOLD, or the second copy of the id 3 would be the third copy of the id 2: unigrams'
    # keys are mixed ids themselves.
    keys[repeats] ^= mix(copy.view(np.uint64)) * FOLD & ~low
    from_reference = (keys & low) != 0
    keys &= ~low
    keys |= from_reference


def _count_matches(rows: UInt64) -> Int64:
    """Clipped matches of each sorted row (rows,)."""
    width = rows.shape[1]
    keys = rows.reshape(-1)
    difference = keys[1:] ^ keys[:-1]
    first = np.zeros(keys.size, bool)
    np.equal(difference, 1, out=first[:-1])
    by_row = first.reshape(rows.shape)
    by_row[:, -1] = False  # the last key of a row has no neighbor
    # Adding bytes takes two thirds of the time; a row of 510 keys has at most 255 matches.
    narrow = np.uint8 if width <= 510 else np.int64
    counts: Int64 = np.add.reduce(by_row.view(np.uint8), axis=1, dtype=narrow).astype(np.int64)
    equal = difference == 0
    at = np.flatnonzero(first[1:-2] & equal[:-2] & equal[2:]) + 1  # a second match around it
    if at.size:
        row, column = np.divmod(at, width)
        copies = _copies(keys, at, np.minimum(column + 1, width - 1 - column))
        counts += np.bincount(row, copies - 1, len(rows)).astype(np.int64)
    return counts


def _copies(keys: UInt64, at: Int64, most: Int64) -> Int64:
    """Number of clipped matches (1 to `most`) of the n-grams whose first match is at `at`.

    Nearly all have fewer than ten, found by one look at all of those places. For the rest the
    number is bisected, since where there is a k-th match there are all before it: a row of one
    token 100,000 times costs 17 steps, not 50,000.
    """
    k = np.arange(2, 10)[:, None]  # (looks, 1)
    copies: Int64 = 1 + (_matched(keys, at, k) & (k <= most)).sum(axis=0)
    open_ = np.flatnonzero(copies == k[-1])
    low, high, at = copies[open_], most[open_], at[open_]
    while (low < high).any():
        middle = (low + high + 1) >> 1
        found = _matched(keys, at, middle)
        low = np.where(found, middle, low)
        high = np.where(found, high, middle - 1)
    copies[open_] = low
    return copies


def _matched(keys: UInt64, at: Int64, k: Int64) -> npt.NDArray[np.bool_]:
    """Whether there is a k-th match around each first match; unspecified outside its row."""
    left, right = keys.take(at - k + 1, mode="clip"), keys.take(at + k, mode="clip")
    found: npt.NDArray[np.bool_] = (left ^ right) == 1
    return found
