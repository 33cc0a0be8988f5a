"""Signatures: what was computed, in sacreBLEU's format."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Mapping
from typing import Any

from vecbleu.core.options import ScoreOptions
from vecbleu.core.public import public
from vecbleu.core.scoring.signature import SHORT_NAMES, join_fields, own_version
from vecbleu.core.statistics import signature as counting
from vecbleu.sacrebleu.options import smoothing_value

# The order that has no field, since sacreBLEU's signatures have none for the order.
_USUAL_ORDER = 4

# Fields of all metrics, in order; the version is written last.
_OF_ALL = ("nrefs", "bs", "ar", "sides", "seed", "test", "lang", "origlang", "subset", "version")

# Which attributes of a metric are fields under another name.
_ATTRIBUTES = {
    "bs": "n_bootstrap",
    "seed": "seed",
    "test": "test_set",
    "lang": "langpair",
    "origlang": "origlang",
    "subset": "subset",
}


@public("vecbleu.sacrebleu.metrics.base")
class Signature(metaclass=ABCMeta):  # noqa: B024  # sacreBLEU's are registered
    """The fields of a metric's signature, in sacreBLEU's order; vecbleu's version comes last.

    Parameters
    ----------
    args : dict
        The metric's attributes, of which `num_refs` is -1 where segments have different numbers.

    Raises
    ------
    ValueError
        The number of references is not known.

    Examples
    --------
    >>> from vecbleu.sacrebleu.metrics.base import Signature
    >>> str(Signature({"num_refs": -1, "seed": "12345"})).partition("|version")[0]
    'nrefs:var|seed:12345'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("the number of references is not known before something is scored")
        references = args["num_refs"]
        self._abbr = {name: SHORT_NAMES[name] for name in _OF_ALL}
        self.info: dict[str, Any] = dict.fromkeys(_OF_ALL)
        self.info["version"] = own_version()
        self.info["nrefs"] = "var" if references == -1 else references
        self.info.update({name: args.get(attribute) for name, attribute in _ATTRIBUTES.items()})

    def format(self, short: bool = False) -> str:
        """Join the fields; `short` abbreviates their names."""
        return join_fields(self.info, short, self._abbr)

    def update(self, key: str, value: Any) -> None:
        """Add a field, or give it another value."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


@public("vecbleu.sacrebleu")
class BLEUSignature(Signature):
    """The fields of a signature of BLEU.

    Parameters
    ----------
    args : dict
        The attributes of a `BLEU`.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> metric = BLEU(references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    >>> metric.get_signature().format(short=True).partition("|v:")[0]
    '#:1|c:mixed|e:no|tok:13a|s:exp'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr = dict(SHORT_NAMES)
        order = args.get("max_ngram_order")
        fields = {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": _smoothing(args["smooth_method"], args["smooth_value"]),
            "max_order": None if order == _USUAL_ORDER else order,
        }
        self.info.update(fields)


def _smoothing(method: str, value: float | None) -> str:
    """A smoothing with its value, if it takes one."""
    value = smoothing_value(method, value)
    return method if value is None else f"{method}[{value:.2f}]"


def signature_of(
    counted: counting.Signature, score: ScoreOptions, **resampling: int | str | None
) -> BLEUSignature:
    """Describe how segments were counted, scored and resampled; what is unknown is left out."""
    signature = BLEUSignature(
        {
            "num_refs": counted.references,
            "lowercase": counted.lowercase,
            "effective_order": score.effective_order,
            "tokenizer_signature": counted.tokenize,
            "smooth_method": score.smoothing,
            "smooth_value": score.smoothing_value,
            "max_ngram_order": counted.max_order,
        }
    )
    if counted.lowercase is None:
        signature.update("case", None)
    if counted.ref_length != "closest":
        signature.update("ref_length", counted.ref_length)
    signature.info.update(resampling)
    return signature
