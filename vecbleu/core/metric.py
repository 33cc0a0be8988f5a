"""Define what a metric is: how segments are counted into rows; and find a metric by its name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, Protocol, Self, TypeVar

from vecbleu.arguments.checks import checked_name
from vecbleu.arguments.errors import argument
from vecbleu.arguments.options import OptionGroup
from vecbleu.core.block import Block
from vecbleu.core.count_table import CountTable
from vecbleu.core.signature import Signature
from vecbleu.kernel.arrays import Int64

Table = TypeVar("Table", bound=CountTable, covariant=True)


class Metric(Protocol[Table]):
    """A metric with its options of counting."""

    groups: ClassVar[Sequence[type[OptionGroup]]]  # of its options

    @classmethod
    def of_options(cls, **options: object) -> tuple[Self, dict[str, object]]:
        """Return the metric with these options, and those of them that its tables score with."""

    @property
    def table(self) -> type[Table]:
        """The class of its tables of counts, which score them."""

    @property
    def columns(self) -> int:
        """The number of counts in a row."""

    @property
    def cost(self) -> float:
        """The time to encode and count text, as a multiple of that of words by 13a."""

    @property
    def is_portable(self) -> bool:
        """Whether other processes can encode text for it."""

    def pinned(self) -> Self:
        """Return the metric for other processes, bound to the model that it reads here."""

    def signature(self, is_text: bool, references: int | str | None) -> Signature:
        """Return the signature of counts; `references` is the number of references a segment."""

    def encode(self, units: object) -> Any:
        """Return what is counted, such as token ids, of the units of a block."""

    def count(self, block: Block) -> Int64:
        """Count the segments of a block (S, columns), in any process."""

    def most_plain(self, is_text: bool) -> int:
        """Return the most characters, or tokens, that plain Python counts faster than arrays."""

    def count_plain(self, units: list[Any], offsets: list[int], is_text: bool) -> list[list[int]]:
        """Count a few segments in plain Python.

        `units` are the hypotheses, then all references, of which segment i has those from
        ``offsets[i]`` to ``offsets[i + 1] - 1``.
        """


AnyMetric = Metric[CountTable]


# All metrics, by the names that tables have; users write them in lower case.
METRICS = {
    "BLEU": "vecbleu.bleu.metric.Bleu",
    "chrF": "vecbleu.chrf.metric.Chrf",
    "TER": "vecbleu.ter.metric.Ter",
}


def metric_named(name: str) -> type[Metric[Any]]:
    """Return the class of the metric that users call by this name, which is imported now."""
    paths = {known.lower(): path for known, path in METRICS.items()}
    with argument("metric"):
        module, _, metric = paths[checked_name(name, paths)].rpartition(".")
    found: type[Metric[Any]] = getattr(import_module(module), metric)
    return found
