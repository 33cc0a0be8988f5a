r"""The rules of mteval-v13a.pl, which sacreBLEU's tokenizers ``13a`` and ``zh`` share.

Four regular expressions are applied to the line one after the other::

    1.  ([{-~[-` -&(-+:-@/])   ->  ' \1 '     punctuation stands alone
    2.  ([^0-9])([.,])         ->  '\1 \2 '   a stop, unless a digit stands before it
    3.  ([.,])([^0-9])         ->  ' \1 \2'   a stop, unless a digit stands after it
    4.  ([0-9])(-)             ->  '\1 \2 '   a dash behind a digit

Rules 1 and 4 look at one and two characters; `stops` has the other two.
"""

from __future__ import annotations

import numpy as np

from vecbleu.ragged import Int64
from vecbleu.text import Bytes
from vecbleu.tokenizers.spans import Mask
from vecbleu.tokenizers.stops import neighbors, stop_boundaries, with_next

_NONE = np.empty(0, np.int64)

# First byte and size of the ranges of rule 1.
_ALONE = ((0x7B, 4), (0x5B, 6), (0x20, 7), (0x28, 4), (0x3A, 7), (0x2F, 1))


def mteval_boundaries(data: Bytes, first: Int64 = _NONE, last: Int64 = _NONE) -> Mask:
    """Mark the bytes that a token is cut before.

    `first` and `last` are the bytes that lines begin and end with, unless lines are padded.
    """
    digit: Mask = (data - np.uint8(ord("0"))) < 10
    behind_digit, before_digit = neighbors(digit)
    alone: Mask = (data == ord("-")) & behind_digit
    for start, size in _ALONE:
        alone |= (data - np.uint8(start)) < size
    behind_digit[first] = before_digit[last] = True
    stop = (data == ord(".")) | (data == ord(","))
    return with_next(alone) | stop_boundaries(stop, behind_digit, before_digit)
