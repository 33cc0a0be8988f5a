"""Types of the arguments that users pass; their values are checked by `alignment`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from vecbleu.core.corpus import Countable
from vecbleu.core.kernel.ragged import Ragged


class SupportsArray(Protocol):
    """An array or a column of another library: torch, JAX, pandas, Polars."""

    def __array__(self) -> npt.NDArray[Any]:
        """Return a NumPy array."""


class SupportsDLPack(Protocol):
    """An array of another library that shares its memory through DLPack."""

    def __dlpack__(self) -> Any:
        """Return a DLPack capsule."""


class SupportsArrowStream(Protocol):
    """A column of another library that shares its memory through Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream."""


Array = npt.NDArray[np.integer[Any]] | SupportsArray | SupportsDLPack
Column = SupportsArray | SupportsArrowStream


class Aligned(Countable, Protocol):
    """Input in memory, with a known number of segments."""

    def __len__(self) -> int:
        """Return the number of segments."""

    def references_each(self) -> int | str | None:
        """Return the number of references of each segment, "var" if it differs."""

    def sample(self) -> Sequence[str]:
        """Return text whose script is to be checked: the hypotheses, or nothing for tokens."""


class PreparedReferences:
    """References that are prepared in advance: the base of `SharedReferences`."""

    # Aligns hypotheses, whose special ids are removed already, with the references.
    with_hypotheses: Callable[..., Aligned]


# A hypothesis or a reference, which core calls a unit: text, tokens or ids.
Segment = str | Sequence[Hashable] | Array

Hypotheses = Iterable[Segment] | Array | Column | Ragged
References = Iterable[Segment | Sequence[Segment]] | Array | Column | Ragged | PreparedReferences
