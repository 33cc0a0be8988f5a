"""sacreBLEU's signatures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vecbleu.core.options import ScoreOptions
from vecbleu.sacrebleu.options import smoothing_value
from vecbleu.show.signature import SHORT_NAMES, VARYING, Signature, join_fields

# Short names of all fields, in sacreBLEU's order; resampling and test sets have fields, too.
_SHORT_NAMES = (
    {"nrefs": "#", "bs": "bs", "ar": "ar", "sides": "sides", "seed": "rs"}
    | {"test": "t", "lang": "l", "origlang": "o", "subset": "S"}
    | SHORT_NAMES
)


class MetricSignature:
    """Signature with its fields in sacreBLEU's order; vecbleu's version comes last."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        references = args.get("num_refs")
        if references is None:
            raise ValueError("the number of references is not known yet: score something first")
        known = self._known(args, VARYING if references == -1 else references)
        self._set(known, {"bs": args.get("n_bootstrap"), "seed": args.get("seed")})

    def _known(self, args: Mapping[str, Any], references: int | str) -> Signature:
        """Return the options of a metric from its attributes."""
        raise NotImplementedError

    def _set(self, known: Signature, more: dict[str, Any]) -> None:
        self._abbr = dict(_SHORT_NAMES)
        self.info: dict[str, Any] = dict.fromkeys(_SHORT_NAMES) | known.fields() | more

    def format(self, short: bool = False) -> str:
        """Return the signature as text; `short` abbreviates the names of fields."""
        return join_fields(self.info, short, self._abbr)

    def update(self, key: str, value: Any) -> None:
        """Add or change a field."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


class BLEUSignature(MetricSignature):
    """Signature with its fields in sacreBLEU's order; vecbleu's version comes last.

    Parameters
    ----------
    args : dict
        Attributes of a `BLEU`; `num_refs` is -1 if segments differ in their number of references.

    Raises
    ------
    ValueError
        The number of references is not known yet.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> metric = BLEU(references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    >>> metric.get_signature().format(short=True).partition("|v:")[0]
    '#:1|c:mixed|e:no|tok:13a|s:exp'
    """

    def _known(self, args: Mapping[str, Any], references: int | str) -> Signature:
        method = args["smooth_method"]
        return Signature(
            args["tokenizer_signature"],
            bool(args["lowercase"]),
            args["max_ngram_order"],
            references=references,
            smoothing=method,
            smoothing_value=smoothing_value(method, args["smooth_value"]),
            effective_order=bool(args["effective_order"]),
        )


class CHRFSignature(MetricSignature):
    """Signature of chrF, with `beta` if it is not 2.

    Parameters
    ----------
    args : dict
        Attributes of a `CHRF`; `num_refs` is -1 if segments differ in their number of references.

    Raises
    ------
    ValueError
        The number of references is not known yet.

    Examples
    --------
    >>> from vecbleu.sacrebleu import CHRF
    >>> metric = CHRF(word_order=2, references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no'
    """

    def _known(self, args: Mapping[str, Any], references: int | str) -> Signature:
        from vecbleu.chrf.options import ChrfOptions  # BLEU alone does not need it

        return ChrfOptions.checked(args).signature(references)


def signature_of(
    known: Signature, scoring: ScoreOptions | None = None, **resampling: int | str | None
) -> MetricSignature:
    """Return the signature of counting, scoring and resampling, without unknown fields."""
    if scoring is not None:
        known = known._replace(
            smoothing=scoring.smoothing,
            smoothing_value=scoring.smoothing_value,
            effective_order=scoring.effective_order,
        )
    signature = MetricSignature.__new__(MetricSignature)
    signature._set(known, resampling)
    return signature
