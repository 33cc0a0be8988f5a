"""Token ids to the keys of n-grams: equal n-grams, equal keys.

Unequal n-grams get equal keys with a probability of about 2**-63 a pair, or 2**-(64 - b) where some
segment has 2**(b - 1) to 2**b - 1 references; n-grams that repeat tokens alike (`a b` and `b a`,
`a a` and `b b`), up to 2**(2b + 3) times as often. Those of a small alphabet get keys one to one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import UInt64
from vecbleu.core.kernel.hashing import FOLD, ROLL, mix

Keys = npt.NDArray[np.unsignedinteger[Any]]  # 64 bits, or 32

# Ids as they come: hashes (int64), or numbers of an alphabet, of any width.
Values = npt.NDArray[np.integer[Any]]

ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)

# Orders whose keys have one multiplier, so that what is added is computed once. With powers of one
# multiplier for all, n-grams like the sequence of Thue and Morse and its opposite get equal keys
# from order 32 to 1,024 on, whatever the multiplier: it makes a factor of 2 of every pair.
_SAME_ROLL = 4

# Counts up to here, Unicode's among them, are numbered anew by a table of them all.
_MOST_RANKED = 1 << 21

# Ids that NumPy makes indices of, 8 bytes each, at a time.
_RANKED_AT_ONCE = 1 << 20


def make_ids(values: Values, max_order: int, bits: int, alphabet: int | None) -> tuple[Keys, Keys]:
    """Ids with `bits` of zero at their end, and the multipliers of keys (orders,).

    N-grams of a small alphabet fit into 32 bits as digits, one to one: such keys are sorted in a
    quarter (rows of more than 256) to two thirds of the time. The numbers of several references
    would leave few bits to each digit.
    """
    if alphabet is None:
        return values.view(np.uint64) & (ALL_BITS << np.uint64(bits)), _rolls(max_order, bits)
    if bits == 1 and _fits(alphabet, max_order):
        rolls = np.full(max_order, np.uint32(1) << _size(alphabet))
        return values.astype(np.uint32) << np.uint32(1), rolls
    return mix(values.astype(np.uint64)) & (ALL_BITS << np.uint64(bits)), _rolls(max_order, bits)


@lru_cache(maxsize=16)  # a tenth of counting a single segment
def _rolls(max_order: int, bits: int) -> UInt64:
    """Multipliers that are 1 in their last `bits`, and as far from 1 and -1 as that allows.

    By powers of two, that is: they are what (a, b) and (b, a) lose of their difference.
    """
    rolls: UInt64 = np.full(max_order, ROLL)
    further = rolls[_SAME_ROLL:]
    further[:] = mix(FOLD + np.arange(len(further), dtype=np.uint64))
    rolls = rolls & (ALL_BITS << np.uint64(bits + 2)) | np.uint64((1 << bits) + 1)
    rolls.flags.writeable = False
    return rolls


def _size(alphabet: int) -> np.uint32:
    """Bits of a digit: the numbers below `alphabet`, and the unit's."""
    return np.uint32(max(alphabet - 1, 1).bit_length() + 1)


def _fits(alphabet: int, max_order: int) -> bool:
    """Whether n-grams of such digits take at most 32 bits, and no single digit takes them all.

    Of two digits at least, `ALL_BITS` differs from any key in more than the last bit.
    """
    return int(_size(alphabet)) * max(max_order, 2) <= 32


def ranked(
    values: Values, max_order: int, bits: int, alphabet: int | None
) -> tuple[Values, int | None]:
    """Numbers that are as small as `make_ids` wants them, and the size of their alphabet.

    The values that occur are numbered from 0 on, if the alphabet is too large for digits.
    """
    if alphabet is None or bits > 1 or _fits(alphabet, max_order) or alphabet > _MOST_RANKED:
        return values, alphabet
    occurs = np.zeros(alphabet, bool)
    for piece in _pieces(len(values)):
        occurs[values[piece]] = True
    ranks = np.cumsum(occurs) - 1
    number = int(ranks[-1]) + 1
    found = np.empty(len(values), np.min_scalar_type(number))
    for piece in _pieces(len(values)):
        found[piece] = ranks[values[piece]]
    return found, number


def _pieces(size: int) -> Iterator[slice]:
    """Cut so many ids into pieces."""
    return (slice(at, at + _RANKED_AT_ONCE) for at in range(0, size, _RANKED_AT_ONCE))


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
