"""The types of what users pass; what values of them hold is checked where they are aligned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from vecbleu.core.corpus.blocks import Corpus
from vecbleu.core.corpus.columns import ColumnCorpus
from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.lists import TextCorpus, TokenCorpus
from vecbleu.core.kernel.ragged import Ragged


class SupportsArray(Protocol):
    """An array or a column of another library: torch, JAX, pandas, Polars."""

    def __array__(self) -> npt.NDArray[Any]:
        """The same as NumPy's."""


class SupportsDLPack(Protocol):
    """An array of another library."""

    def __dlpack__(self) -> Any:
        """Its memory."""


class SupportsArrowStream(Protocol):
    """A column of another library in Arrow's layout."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Its memory."""


Array = npt.NDArray[np.integer[Any]] | SupportsArray | SupportsDLPack
Column = SupportsArray | SupportsArrowStream

# One side: hypotheses without references, or references in their place.
UnitCorpus = TextCorpus | TokenCorpus | IdCorpus | ColumnCorpus


class AlignedCorpus(Corpus, Protocol):
    """Segments in memory, of which there is a known number."""

    def __len__(self) -> int:
        """Number of segments."""


class PreparedReferences(ABC):
    """References of all segments, which bring their own way to count: `SharedReferences`."""

    @abstractmethod
    def with_hypotheses(self, hypotheses: UnitCorpus) -> AlignedCorpus:
        """Align hypotheses with the references."""


# A segment on one side: text to be tokenized, tokens, or ids.
Segment = str | Sequence[Hashable] | Array

Hypotheses = Iterable[Segment] | Array | Column | Ragged
References = Iterable[Segment | Sequence[Segment]] | Array | Column | Ragged | PreparedReferences
