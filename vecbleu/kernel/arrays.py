"""Names for the array types of the package, and the memory of arrays."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
UInt64 = npt.NDArray[np.uint64]
Float64 = npt.NDArray[np.float64]
Float = npt.NDArray[np.floating[Any]]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]
Counts = npt.NDArray[Any]  # int64 or float64


@cache
def keep_freed_memory() -> None:
    """Make glibc keep the memory of freed arrays; call it before much is counted or drawn.

    glibc returns the memory of large arrays to the system, and each new array then costs a page
    fault for every 4 KB. It keeps the memory of arrays smaller than one that was freed before. The
    array freed here is never written, so it takes no memory.
    """
    with suppress(MemoryError):  # a limit may refuse this array but not the work
        np.empty(1 << 24, np.uint8)
