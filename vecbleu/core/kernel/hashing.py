"""Secret hash constants and the bijection that everything hashed goes through."""

from __future__ import annotations

import os

import numpy as np

from vecbleu.core.arrays import UInt64

try:  # `hashlib` loads OpenSSL, which takes 4 ms, and has this function from the same module
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

SEED_VARIABLE = "VECBLEU_HASH_SEED"


def _draw_constants(seed: bytes, count: int) -> list[int]:
    """Derive `count` odd 64-bit constants from a seed."""
    digests = (blake2b(seed, digest_size=8, salt=bytes([i])) for i in range(count))
    return [int.from_bytes(digest.digest(), "little") | 1 for digest in digests]


# Drawn anew for every program, so that text whose n-grams collide can't be prepared. The
# environment variable pins it: for worker processes, whose ids meet the caller's, and for
# debuggers. No result depends on it, and any bytes will do: the environment may hold no text.
SEED = os.environ.get(SEED_VARIABLE) or os.urandom(16).hex()
#
# ROLL takes an n-gram's key to that of the next longer one, FOLD one 8-byte word of a long token
# to the next.
_OFFSET, ROLL, FOLD = (np.uint64(constant) for constant in _draw_constants(os.fsencode(SEED), 3))

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
