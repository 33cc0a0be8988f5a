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
counters, and no comparison outside a row.

Only keys of one segment meet. Unequal n-grams get equal keys with a probability of about 2**-63 a
pair, or 2**-(64 - b) in a block where some segment has 2**(b - 1) to 2**b - 1 references; n-grams
that are rearrangements of each other, some tens of times as often. N-grams of a small alphabet get
keys one to one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.hashing import FOLD, ROLL, mix
from vecbleu.ragged import Int64, Ragged, offsets_of

UInt64 = npt.NDArray[np.uint64]
Keys = npt.NDArray[np.unsignedinteger[Any]]  # 64 bits, or 32

# What stands where there is no n-gram (in 32 bits, its lower half). It is odd, so it is nobody's
# hypothesis, and `|` with it overwrites any key: 0.3 ns a key, where a masked copy costs 5.8.
_NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)

# Bytes of keys made, sorted and compared together: half a megabyte, and as much again for the
# comparison, stay in the level-2 cache. NumPy's overhead is about 60 us a group; half or twice the
# size take 5 to 10% longer.
_GROUP_BYTES = 1 << 19

# Numbers up to here, Unicode's among them, are numbered anew by a table of them all.
_MOST_RANKED = 1 << 21

# Matches of one n-gram that are counted by passes over all keys, 0.1 ns a key each; where there are
# more, the runs of equal keys are measured. With 2 instead of 4, a corpus of characters, which
# repeat a lot, takes a quarter longer; with more, words do.
_COUNTED = 4

# A group may waste an eighth of its keys and an eighth of the budget on padding before it is cut;
# sorting them costs what the overhead of one more group does.
_SLACK = 8


def clipped_matches(
    units: Ragged, segments: Int64, max_order: int, alphabet: int | None = None
) -> Int64:
    """Count each hypothesis' n-grams found in its references, clipped, for every order.

    Ids must be hashes (`hashing.mix`), or, if `alphabet` is given, numbers below it. `segments`
    (S + 1,) are offsets into the units; each segment's first unit is its hypothesis.
    """
    bits = max(int(np.diff(segments).max(initial=0)) - 1, 0).bit_length()
    ids, roll = _make_ids(units.values, max_order, bits, alphabet)
    ends = units.offsets[segments]  # (S + 1,)
    widths = np.diff(ends)  # (S,)
    order = np.argsort(widths, kind="stable")
    joints = _joints(units, segments).take(order)
    joint_rows = np.repeat(np.arange(1, len(order) + 1), joints.lengths)  # from 1
    margin = int(widths.max(initial=0))
    tokens = _numbered_tokens(ids, units, segments, margin)
    matches = np.zeros((len(widths), max_order), np.int64)
    budget = _GROUP_BYTES // ids.itemsize
    room = np.empty((2, max(budget, margin * max_order)), ids.dtype)
    for group in _groups(widths[order], max_order, budget):
        segment = order[group]
        width = int(widths[segment[-1]])
        keys = room[0, : max_order * len(segment) * width].reshape(max_order, -1)
        row_tokens = _gather_rows(tokens, ends[segment + 1] + (margin - width), width)
        marks = _split_numbers(row_tokens, bits)
        _mark_before(marks, widths[segment])
        ngram_keys(row_tokens, roll, keys)
        keys |= marks
        own = slice(*joints.offsets[[group.start, group.stop]])
        _erase_crossing(keys, (joint_rows[own] - group.start) * width - joints.values[own], width)
        rows = keys.reshape(-1, width)
        rows.sort(axis=-1)
        if bits > 1:
            _number_repeats(rows, bits)
            rows.sort(axis=-1)
        matches[segment] = _count_matches(rows, room[1]).reshape(max_order, -1).T
    return matches


def _make_ids(
    values: Int64, max_order: int, bits: int, alphabet: int | None
) -> tuple[Keys, np.unsignedinteger[Any]]:
    """Ids with `bits` of zero at their end, and the multiplier that rolls their n-grams' keys.

    N-grams of a small alphabet fit into 32 bits as they are, one to one: such keys are sorted in a
    quarter (rows of more than 256) to two thirds of the time. Repeats in several references need
    hashes to be folded into.
    """
    if alphabet is None:
        return values.view(np.uint64) & (_NOTHING << np.uint64(bits)), ROLL
    if bits <= 1:
        if not _fits(alphabet, max_order) and alphabet <= _MOST_RANKED:
            values, alphabet = _ranked(values, alphabet)
        if _fits(alphabet, max_order):
            roll = np.uint32(1 << _size(alphabet))
            return values.astype(np.uint32) << np.uint32(bits), roll
    return mix(values.view(np.uint64)) & (_NOTHING << np.uint64(bits)), ROLL


def _size(alphabet: int) -> int:
    """Bits of the numbers below one."""
    return max(alphabet - 1, 1).bit_length()


def _fits(alphabet: int, max_order: int) -> bool:
    """Whether n-grams of these numbers, and one bit more, take less than 32 bits."""
    return _size(alphabet) * max_order + 1 < 32


def _ranked(values: Int64, alphabet: int) -> tuple[Int64, int]:
    """Number the values that occur, from 0 on; and how many there are."""
    occurs = np.zeros(alphabet, bool)
    occurs[values] = True
    ranks = np.cumsum(occurs) - 1
    return ranks[values], int(ranks[-1]) + 1


def ngram_keys(tokens: Keys, roll: np.unsignedinteger[Any], out: Keys) -> None:
    """Hash the n-grams of all orders that start at each token, into `out` (orders, tokens).

    key_n[i] = key_{n-1}[i] * roll ^ key_1[i+n-1]. Bits that end all tokens as zeros stay zeros.
    """
    out[0] = tokens
    for order in range(1, len(out)):
        np.multiply(out[order - 1], roll, out=out[order])
        out[order, :-order] ^= tokens[order:]


def _joints(units: Ragged, segments: Int64) -> Ragged:
    """Where units meet, counted in tokens from their segment's end (S, units - 1)."""
    meets = np.ones(len(units), bool)
    meets[segments[1:] - 1] = False
    to_end = np.repeat(units.offsets[segments[1:]], np.diff(segments)) - units.offsets[1:]
    return Ragged(to_end[meets], segments - np.arange(len(segments)))


def _numbered_tokens(ids: Keys, units: Ragged, segments: Int64, margin: int) -> Keys:
    """Ids with the number of the unit in its segment in their lowest bits (margin + tokens,)."""
    numbers = np.arange(len(units)) - np.repeat(segments[:-1], np.diff(segments))  # (units,)
    tokens = np.empty(margin + len(ids), ids.dtype)
    np.bitwise_or(ids, np.repeat(numbers.astype(ids.dtype), units.lengths), out=tokens[margin:])
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


def _gather_rows(tokens: Keys, starts: Int64, width: int) -> Keys:
    """Copy the tokens of segments, and of what stands before them, to rows (segments * width,)."""
    windows: Keys = np.ndarray(  # rows that overlap; `as_strided` takes 15 times as long
        (len(tokens) - width + 1, width), tokens.dtype, tokens, strides=(tokens.itemsize,) * 2
    )
    return windows[starts].reshape(-1)


def _split_numbers(tokens: Keys, bits: int) -> Keys:
    """Take the numbers of the units out of the tokens, and return them."""
    numbers = tokens & tokens.dtype.type((1 << bits) - 1)
    tokens ^= numbers
    return numbers


def _mark_before(marks: Keys, widths: Int64) -> None:
    """Mark as nothing what stands in rows before their segments, sorted by width."""
    least, width = int(widths[0]), int(widths[-1])
    before = (np.arange(least, width) < (width + least - widths)[:, None]).astype(marks.dtype)
    marks.reshape(-1, width)[:, : width - least] |= np.negative(before, out=before)


def _erase_crossing(keys: Keys, joints: Int64, width: int) -> None:
    """Overwrite the keys (orders, segments * width) of n-grams that run over a unit's end.

    `joints` are the places where the segments' further units begin. Where fewer tokens stand before
    one than an n-gram has, the place is at the end of the row above, where n-grams of that order
    cross the row's end; or it is the first of all, whose n-gram crosses that joint, or belongs to a
    segment whose hypothesis is empty.
    """
    rows = keys.reshape(len(keys), -1, width)
    before = np.maximum(joints[:, None] - np.arange(1, len(keys)), 0)  # (joints, orders - 1)
    for order in range(1, len(keys)):
        rows[order, :, max(width - order, 0) :] = ~keys.dtype.type(0)
        keys[order, before[:, :order]] = ~keys.dtype.type(0)


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


def _count_matches(rows: Keys, room: Keys) -> Int64:
    """Clipped matches of each sorted row (rows,)."""
    width = rows.shape[1]
    keys = rows.reshape(-1)
    difference = np.bitwise_xor(keys[1:], keys[:-1], out=room[: keys.size - 1])
    first, equal = np.empty((2, keys.size), bool)
    for value, pairs in ((1, first), (0, equal)):
        np.equal(difference, value, out=pairs[:-1])
        pairs.reshape(rows.shape)[:, -1] = False  # the last key of a row has no neighbor
    found, kth = first.view(np.uint8), first
    for k in range(2, _COUNTED + 1):
        inner = kth[1:-1]
        kth = inner & equal[: len(inner)] & equal[2 * k - 2 :]
        found[k - 1 : k - 1 + len(kth)] += kth.view(np.uint8)
    # Adding bytes takes two thirds of the time; a row of 510 keys has at most 255 matches.
    narrow = np.uint8 if width <= 510 else np.int64
    counts: Int64 = np.add.reduce(found.reshape(rows.shape), axis=1, dtype=narrow).astype(np.int64)
    at = np.flatnonzero(kth) + (_COUNTED - 1)
    if at.size:
        counts += _count_further(equal.reshape(rows.shape), at)
    return counts


def _count_further(equal: npt.NDArray[np.bool_], at: Int64) -> Int64:
    """Matches beyond `_COUNTED` (rows,), by the lengths of the runs on both sides of each place.

    Only the rows that have such places are looked at, which are few in most corpora.
    """
    width = equal.shape[1]
    row = at // width
    is_new = np.ones(len(row), bool)
    np.not_equal(row[1:], row[:-1], out=is_new[1:])
    at = at + (np.cumsum(is_new) - 1 - row) * width
    run_ends = np.concatenate([[-1], np.flatnonzero(~equal[row[is_new]])])
    run = np.searchsorted(run_ends, at)  # of the copies in the hypothesis
    copies = np.minimum(at - run_ends[run - 1], run_ends[run + 1] - at)
    return np.bincount(row, copies - _COUNTED, len(equal)).astype(np.int64)
