"""Scores and signatures with sacreBLEU's attributes and formats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from vecbleu.arguments.errors import named_as
from vecbleu.arguments.options import OptionGroup
from vecbleu.core import score as core
from vecbleu.core.signature import SHORT_NAMES, VARYING, Signature, join_fields
from vecbleu.kernel.arrays import Float

Options = TypeVar("Options", bound=OptionGroup)


class Score:
    """Score times 100, with sacreBLEU's formats and its interval."""

    name: str
    score: float
    _details = ""
    _mean = _ci = -1.0

    @classmethod
    def of(cls, score: core.Score) -> Score:
        """Return what sacreBLEU prints of a score of any metric."""
        line = Score()
        line.name = score.name
        line.score = score.percent
        line._details = score.details
        return line

    @property
    def _verbose(self) -> str:
        """Return what is printed behind the score."""
        return self._details

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Format the score with `width` decimals: alone, as sacreBLEU's line, or as its JSON."""
        text = f"{self.score:.{width}f}"
        entry: dict[str, object] = {"name": self.name, "score": float(text), "signature": signature}
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {mean} ± {half_width}"
            text += f" ({confidence})"
            entry["confidence_mean"], entry["confidence_var"] = float(mean), float(half_width)
            entry["confidence"] = confidence
        if score_only:
            return text
        if is_json:
            import json

            if self._verbose:
                entry["verbose_score"] = self._verbose
            fields = [field for field in signature.split("|") if ":" in field]
            entry.update(dict(field.split(":", 1) for field in fields))
            return json.dumps(entry, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {text} {self._verbose}".rstrip()

    def estimate_ci(self, scores: Iterable[Any]) -> None:
        """Store the mean and the 95% interval of the scores of resampled corpora."""
        self.set_interval(np.array([score.score for score in scores]))

    def set_interval(self, scores: Float) -> None:
        """Store the mean of resampled scores, and half the width of their 95% interval."""
        from vecbleu.significance.resampling import central_interval  # scores do not need it

        lower, upper = central_interval(scores, 0.95)
        self._ci = 0.5 * float(upper - lower)
        self._mean = float(scores.dtype.type(math.fsum(scores) / len(scores)))

    def __repr__(self) -> str:
        return self.format()


# Short names of all fields, in sacreBLEU's order; resampling and test sets have fields, too.
_SHORT_NAMES = (
    {"nrefs": "#", "bs": "bs", "ar": "ar", "sides": "sides", "seed": "rs"}
    | {"test": "t", "lang": "l", "origlang": "o", "subset": "S"}
    | SHORT_NAMES
)


@named_as("BLEUSignature")
class MetricSignature:
    """Signature with its fields in sacreBLEU's order; vecbleu's version comes last."""

    def __init__(self, known: Signature, **resampling: int | str | None) -> None:
        self._abbr = {**_SHORT_NAMES, **known.short_names}
        self.info: dict[str, Any] = dict.fromkeys(_SHORT_NAMES) | known.fields() | resampling

    def format(self, short: bool = False) -> str:
        """Return the signature as text; `short` abbreviates the names of fields."""
        return join_fields(self.info, short, self._abbr)

    def update(self, key: str, value: object) -> None:
        """Add or change a field."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


def options_of(group: type[Options], args: Mapping[str, Any]) -> Options:
    """Return the options of a group, checked, from a metric's attributes."""
    return group.checked(**{name: args[name] for name in group.declared if name in args})


def references_of(args: Mapping[str, Any]) -> int | str:
    """Return the number of references from a metric's attributes."""
    number: int | None = args.get("num_refs")
    if number is None:
        raise ValueError("the number of references is not known yet: score something first")
    return VARYING if number == -1 else number
