"""Define what a metric is: how segments are counted into rows; and find a metric by its name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

from vecbleu.arguments.checks import checked_name
from vecbleu.arguments.errors import ArgumentTypeError, argument
from vecbleu.arguments.options import OptionGroup
from vecbleu.core.block import Block
from vecbleu.core.count_table import CountTable
from vecbleu.core.signature import Signature
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.kernel.ragged import Integers, Ragged

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
    def tokenizer(self) -> str:
        """The name of the tokenizer that text has to fit; empty if any text does."""

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


class NgramMetric(Protocol):
    """A metric that scores two units by their lengths and the n-grams that match."""

    @property
    def max_orders(self) -> tuple[int, ...]:
        """The longest n-grams of each kind of token, such as characters and words."""

    def check_units(self, is_text: bool, name: str) -> None:
        """Raise an error unless the options fit the units of an argument: text, or tokens."""

    def ngram_units(self, units: Any) -> list[Ragged]:
        """Return hashed ids of the units of a block, once for each kind of token."""

    def pair_scores(
        self, hyp_len: Int64, ref_len: Int64, matches: Integers, **scoring: Any
    ) -> Float64:
        """Return the scores of pairs (pairs,), each that of a segment with one reference.

        Lengths are (kinds of tokens, pairs), matches are (orders, pairs).
        """

    def needs_long_matches(self, **scoring: Any) -> bool:
        """Whether pairs without a long match score low, and more matches never lower a score."""


def ngram_metric(metric: AnyMetric) -> NgramMetric:
    """Return the metric; TypeError if it does not score two units by their n-grams."""
    if not hasattr(metric, "pair_scores"):
        found = f"is {metric.table.metric}, which does not count n-grams"
        advice = "score each pair as a segment"
        raise ArgumentTypeError(found, advice=advice, argument="metric")
    return cast(NgramMetric, metric)


# All metrics, by the names that tables have; users write them in lower case.
METRICS = {
    "BLEU": "vecbleu.bleu.metric.Bleu",
    "chrF": "vecbleu.chrf.metric.Chrf",
    "TER": "vecbleu.ter.metric.Ter",
}


# The metric of characters, whose scores depend on no tokenizer.
OF_CHARACTERS = "chrf"


def metric_named(name: str) -> type[Metric[Any]]:
    """Return the class of the metric that users call by this name, which is imported now."""
    paths = {known.lower(): path for known, path in METRICS.items()}
    with argument("metric"):
        module, _, metric = paths[checked_name(name, paths)].rpartition(".")
    found: type[Metric[Any]] = getattr(import_module(module), metric)
    return found
