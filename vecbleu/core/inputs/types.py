"""The types of what users pass; what values of them hold is checked where they are aligned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from vecbleu.core.corpus import Corpus, Countable
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import NO_SPECIAL_IDS, SpecialIds


class SupportsArray(Protocol):
    """An array or a column of another library: torch, JAX, pandas, Polars."""

    def __array__(self) -> npt.NDArray[Any]:
        """Return it as NumPy's."""


class SupportsDLPack(Protocol):
    """An array of another library."""

    def __dlpack__(self) -> Any:
        """Return its memory."""


class SupportsArrowStream(Protocol):
    """A column of another library in Arrow's layout."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return its memory."""


Array = npt.NDArray[np.integer[Any]] | SupportsArray | SupportsDLPack
Column = SupportsArray | SupportsArrowStream


class Aligned(Countable, Protocol):
    """Segments in memory, of which there is a known number."""

    def __len__(self) -> int:
        """Return the number of segments."""

    def references_each(self) -> int | str | None:
        """Return the number of references of every segment, "var" if it differs."""

    def sample(self) -> Sequence[str]:
        """Return the text of the first hypotheses; nothing of tokens."""


class PreparedReferences(ABC):
    """References of all segments, which bring their own way to count: `SharedReferences`."""

    @abstractmethod
    def with_hypotheses(
        self, hypotheses: Corpus, special_ids: SpecialIds = NO_SPECIAL_IDS
    ) -> Aligned:
        """Align hypotheses, of which special ids were taken out, with the references."""


# A segment on one side: text to be tokenized, tokens, or ids.
Segment = str | Sequence[Hashable] | Array

Hypotheses = Iterable[Segment] | Array | Column | Ragged
References = Iterable[Segment | Sequence[Segment]] | Array | Column | Ragged | PreparedReferences
