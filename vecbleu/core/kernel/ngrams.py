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
that run over a unit's end match nothing.

Only keys of one segment meet. Unequal n-grams get equal keys with a probability of about 2**-63 a
pair, or 2**-(64 - b) in a block where some segment has 2**(b - 1) to 2**b - 1 references; n-grams
that repeat tokens alike (`a b` and `b a`, `a a` and `b b`), up to 2**(2b + 3) times as often. Those
of a small alphabet get keys one to one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Int64, Mask, UInt64
from vecbleu.core.kernel.hashing import FOLD, ROLL, mix
from vecbleu.core.kernel.ragged import Ragged, offsets_of

Keys = npt.NDArray[np.unsignedinteger[Any]]  # 64 bits, or 32

# The key where there is no n-gram (in 32 bits, its lower half). It is odd, so it belongs to no
# hypothesis, and `|` with it overwrites any key: 0.3 ns a key, where a masked copy costs 5.8.
_NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)

# Bytes of keys made, sorted and compared together: half a megabyte, and as much again for the
# comparison, stay in the level-2 cache. NumPy's overhead is about 60 us a group; half or twice the
# size take 5 to 10% longer.
_GROUP_BYTES = 1 << 19

# Orders whose keys have one multiplier, so that what is added is computed once. With powers of one
# multiplier for all, n-grams like the sequence of Thue and Morse and its opposite get equal keys
# from order 32 to 1,024 on, whatever the multiplier: it makes a factor of 2 of every pair.
_SAME_ROLL = 4

# Counts up to here, Unicode's among them, are numbered anew by a table of them all.
_MOST_RANKED = 1 << 21

# Matches of one n-gram that are counted by passes over all keys, 0.1 ns a key each; where there are
# more, the keys around are looked at, so far for a start. With 2 in place of 4, words take 6%
# longer and characters, which repeat a lot, 7%; other reaches change nothing.
_COUNTED = 4
_REACH = 16

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
    bits = max(int(np.diff(segments).max(initial=0)) - 1, 1).bit_length()
    ids, rolls = _make_ids(units.values, max_order, bits, alphabet)
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
        row_tokens = _gather_rows(tokens, ends[segment + 1] + (margin - width), width)
        ngram_keys(row_tokens, bits, rolls, keys)
        _erase_strays(keys, widths[segment])
        rows = keys.reshape(-1, width)
        rows.sort(axis=-1)
        if bits > 1:
            _number_repeats(rows, bits)
            rows.sort(axis=-1)
        matches[segment] = _count_matches(rows, buffers[1]).reshape(max_order, -1).T
    return matches


def _make_ids(values: Int64, max_order: int, bits: int, alphabet: int | None) -> tuple[Keys, Keys]:
    """Ids with `bits` of zero at their end, and the multipliers of keys (orders,).

    N-grams of a small alphabet fit into 32 bits as digits, one to one: such keys are sorted in a
    quarter (rows of more than 256) to two thirds of the time. Repeats in several references need
    hashes to be folded into.
    """
    if alphabet is None:
        return values.view(np.uint64) & (_NOTHING << np.uint64(bits)), _rolls(max_order, bits)
    if bits == 1:
        if not _fits(alphabet, max_order) and alphabet <= _MOST_RANKED:
            values, alphabet = _ranked(values, alphabet)
        if _fits(alphabet, max_order):
            rolls = np.full(max_order, np.uint32(1) << _size(alphabet))
            return values.astype(np.uint32) << np.uint32(1), rolls
    return mix(values.view(np.uint64)) & (_NOTHING << np.uint64(bits)), _rolls(max_order, bits)


def _rolls(max_order: int, bits: int) -> UInt64:
    """Multipliers that are 1 in their last `bits`, and as far from 1 and -1 as that allows.

    By powers of two, that is: they are what (a, b) and (b, a) lose of their difference.
    """
    rolls = np.full(max_order, ROLL)
    further = rolls[_SAME_ROLL:]
    further[:] = mix(FOLD + np.arange(len(further), dtype=np.uint64))
    return rolls & (_NOTHING << np.uint64(bits + 2)) | np.uint64((1 << bits) + 1)


def _size(alphabet: int) -> np.uint32:
    """Bits of a digit: the numbers below `alphabet`, and the unit's."""
    return np.uint32(max(alphabet - 1, 1).bit_length() + 1)


def _fits(alphabet: int, max_order: int) -> bool:
    """Whether n-grams of such digits take at most 32 bits, and no single digit takes them all.

    Of two digits at least, `_NOTHING` differs from any key in more than the last bit.
    """
    return int(_size(alphabet)) * max(max_order, 2) <= 32


def _ranked(values: Int64, alphabet: int) -> tuple[Int64, int]:
    """Number the values that occur, from 0 on; and how many there are."""
    occurs = np.zeros(alphabet, bool)
    occurs[values] = True
    ranks = np.cumsum(occurs) - 1
    return ranks[values], int(ranks[-1]) + 1


def ngram_keys(tokens: Keys, bits: int, rolls: Keys, out: Keys) -> None:
    """Hash the n-grams of all orders that start at each token, into `out` (orders, tokens).

    Without the numbers of units, a key is a sum of tokens times products of multipliers. The
    number, in a token's last `bits`, is added once and taken off again when the next token is::

        key_n[i] = key_{n-1}[i] * roll_n + t[i+n-1] + number[i+n-1] - number[i+n-1] * roll_n

    So it stays in the last bits of the keys of one unit's n-grams. An n-gram over the unit's end
    keeps (number[j] - number[j+1]) times a product of multipliers too. Those differences are less
    than 0 from a hypothesis to a reference, and greater from one reference to the next
    (`_numbered_tokens`): no other n-gram in the row has them on the other side. Digits, all even,
    it leaves with an odd one.
    """
    out[0] = tokens
    numbers = tokens & tokens.dtype.type((1 << bits) - 1)
    for order in range(1, len(out)):
        roll = rolls[order]
        if order == 1 or roll != rolls[order - 1]:
            added = numbers * roll
            np.subtract(tokens, added, out=added)
        np.multiply(out[order - 1], roll, out=out[order])
        out[order, :-order] += added[order:]


def _numbered_tokens(ids: Keys, units: Ragged, segments: Int64, margin: int) -> Keys:
    """Ids with the number of the unit in their lowest bits (margin + tokens,).

    The hypothesis has 0; its references count down to 1.
    """
    numbers = np.repeat(segments[1:], np.diff(segments)) - np.arange(len(units))  # (units,)
    numbers[segments[:-1]] = 0
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


def _erase_strays(keys: Keys, widths: Int64) -> None:
    """Overwrite the keys (orders, segments * width) of n-grams that run over their row's ends."""
    width = int(widths[-1])
    nothing = ~keys.dtype.type(0)
    for order, rows in enumerate(keys.reshape(len(keys), -1, width)):
        rows[:, max(width - order, 0) :] = nothing
    if width == widths[0]:
        return
    before = width - widths
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
        kth = inner & equal[: len(inner)] & equal[2 * k - 2 :]
        found[k - 1 : k - 1 + len(kth)] += kth.view(np.uint8)
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
    shape = len(equal) - 2 * far, 2 * far + 1
    windows = np.ndarray(shape, bool, equal, strides=(1, 1))[at - far]
    both = windows[:, far - near :: -1] & windows[:, far + near :]
    further: Int64 = both.argmin(axis=1)  # 0, too, where all are equal
    further[both[:, 0] & (further == 0)] = both.shape[1]
    return further
