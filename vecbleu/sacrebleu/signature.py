"""Signatures: what was computed, in sacreBLEU's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vecbleu.core.options import ScoreOptions
from vecbleu.core.public import public
from vecbleu.core.scoring.signature import (
    SHORT_NAMES,
    ScoreSignature,
    join_fields,
    own_version,
)
from vecbleu.core.statistics.signature import Signature


@public("vecbleu.sacrebleu")
class BLEUSignature:
    """The fields of a signature, in sacreBLEU's order; the version, vecbleu's, comes last.

    Parameters
    ----------
    fields : dict
        Values by name; those that are None are left out.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> metric = BLEU(references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    >>> metric.get_signature().format(short=True).partition("|v:")[0]
    '#:1|c:mixed|e:no|tok:13a|s:exp'
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        usual = {**dict.fromkeys(SHORT_NAMES), "version": own_version()}
        self.info: dict[str, Any] = {**usual, **fields}

    def format(self, short: bool = False) -> str:
        """Join the fields; `short` abbreviates their names."""
        return join_fields(self.info, short)

    def update(self, key: str, value: Any) -> None:
        """Add a field, or give it another value."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


def signature_of(
    counted: Signature, score: ScoreOptions, **resampling: int | str | None
) -> BLEUSignature:
    """Describe how segments were counted, scored and resampled; what is unknown is left out."""
    made = ScoreSignature(counted, score.smoothing, score.smoothing_value, score.effective_order)
    return BLEUSignature(made.fields() | resampling)
