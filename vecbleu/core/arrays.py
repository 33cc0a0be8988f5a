"""Names for the array types of the package."""

from __future__ import annotations

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
