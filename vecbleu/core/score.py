"""Define `Score`, a number that has parts, such as BLEU; each metric derives its score."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

from vecbleu.core.signature import Signature
from vecbleu.show.table import Table


class Score(float):
    """A float that keeps what it was computed from.

    A notebook shows its table, and ``print(score)`` prints the number.
    """

    __slots__ = ()

    def __new__(cls, value: float) -> Self:
        """Make a score, and let PyYAML write it."""
        if "yaml" in sys.modules:
            _teach_yaml(cls)
        return super().__new__(cls, value)

    @property
    def name(self) -> str:
        """The name of the score, such as BLEU or chrF2++."""
        raise NotImplementedError

    @property
    def percent(self) -> float:
        """The score times 100."""
        return 100 * float(self)

    @property
    def signature(self) -> Signature:
        """The options of the score."""
        raise NotImplementedError

    @property
    def details(self) -> str:
        """Return the text that sacreBLEU prints behind the score; empty if there is none."""
        return ""

    def named_parts(self) -> dict[str, object]:
        """Return what the score was computed from, for JSON of the command line."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return the score and what it was computed from, ready for JSON.

        Examples
        --------
        >>> from vecbleu import ter
        >>> parts = ter.corpus_ter(["on the mat the cat sat"], ["the cat sat on the mat"]).to_dict()
        >>> parts["edits"], parts["ref_len"]
        (1, 6.0)
        """
        whole = {"score": float(self), "percent": self.percent}
        return {**whole, **self.named_parts(), "signature": str(self.signature)}

    def table(self) -> Table:
        """Return the score and its parts as a table."""
        raise NotImplementedError

    # The default would be the `__repr__` of a metric's score.
    __str__ = float.__repr__

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    if not TYPE_CHECKING:  # it would accept any attribute

        def __getattr__(self, name: str) -> object:
            """Name what to write for sacreBLEU's attribute."""
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name == "score":
                message += "; it is a number from 0 to 1, and `percent` is from 0 to 100"
            raise AttributeError(message, name=name, obj=self)


def _teach_yaml(kind: type[Score]) -> None:
    """Let `yaml.safe_dump` write these scores as numbers; it knows exact types only."""
    yaml = sys.modules["yaml"]
    for dumper in (getattr(yaml, name, None) for name in ("SafeDumper", "CSafeDumper")):
        if dumper is not None and kind not in dumper.yaml_representers:
            dumper.add_representer(kind, _represented)


def _represented(dumper: Any, score: Score) -> object:
    return dumper.represent_float(float(score))
