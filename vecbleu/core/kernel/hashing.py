"""Hash constants, and the bijection that everything hashed goes through."""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import UInt64

# Digits of pi, the last two odd; the same in all processes, whose ids have to meet. The
# multipliers of n-grams begin with ROLL; FOLD takes one 8-byte word of a long token to the next.
_OFFSET = np.uint64(0x243F6A8885A308D3)
ROLL = np.uint64(0xA4093822299F31D1)
FOLD = np.uint64(0x082EFA98EC4E6C89)

# murmur3's 64-bit finalizer: every input bit changes every output bit with probability 1/2.
_SHIFT = np.uint64(33)
_FIRST = np.uint64(0xFF51AFD7ED558CCD)
_SECOND = np.uint64(0xC4CEB9FE1A85EC53)


def mix(values: UInt64) -> UInt64:
    """Map 64-bit values to 64-bit values, one to one, in an order that looks random."""
    mixed = values ^ _OFFSET
    shifted = mixed >> _SHIFT
    mixed ^= shifted
    for multiplier in (_FIRST, _SECOND):
        mixed *= multiplier
        np.right_shift(mixed, _SHIFT, out=shifted)
        mixed ^= shifted
    return mixed
