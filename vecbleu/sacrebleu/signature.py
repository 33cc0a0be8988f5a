"""Signatures: what was computed, in sacreBLEU's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import vecbleu
from vecbleu.core.options import ScoreOptions
from vecbleu.core.public import public
from vecbleu.core.statistics.signature import Signature

# The order that has no field, since sacreBLEU's signatures have none for the order.
_USUAL_ORDER = 4

_SHORT = {
    "nrefs": "#",
    "bs": "bs",
    "ar": "ar",
    "sides": "sides",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
    "case": "c",
    "eff": "e",
    "tok": "tok",
    "smooth": "s",
    "max_order": "n",
    "ref_length": "rl",
    "version": "v",
}


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
        version = f"vecbleu-{vecbleu.__version__}"
        self.info: dict[str, Any] = {**dict.fromkeys(_SHORT), "version": version, **fields}

    def format(self, short: bool = False) -> str:
        """Join the fields; `short` abbreviates their names."""
        names = [*(name for name in self.info if name != "version"), "version"]
        return "|".join(
            f"{_SHORT.get(name, name) if short else name}:{_yes_or_no(self.info[name])}"
            for name in names
            if self.info[name] is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Add a field, or give it another value."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


def _yes_or_no(value: Any) -> Any:
    """Write booleans as words."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


def signature_of(
    counted: Signature, score: ScoreOptions, **resampling: int | str | None
) -> BLEUSignature:
    """Describe how segments were counted, scored and resampled; what is unknown is left out."""
    smoothing: str = score.smoothing
    if score.smoothing_value is not None:
        smoothing += f"[{score.smoothing_value:.2f}]"
    fields = {
        "nrefs": "var" if counted.references == -1 else counted.references,
        "case": {None: None, True: "lc", False: "mixed"}[counted.lowercase],
        "eff": "yes" if score.effective_order else "no",
        "tok": counted.tokenize,
        "smooth": smoothing,
        "max_order": None if counted.max_order == _USUAL_ORDER else counted.max_order,
        "ref_length": None if counted.ref_length == "closest" else counted.ref_length,
    }
    return BLEUSignature(fields | resampling)
