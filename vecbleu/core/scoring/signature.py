"""How scores came about: what was counted and how that was scored, in sacreBLEU's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import vecbleu
from vecbleu.core.options import ScoreOptions
from vecbleu.core.public import public
from vecbleu.core.records import dataclass, field_names, replace
from vecbleu.core.statistics.signature import UNKNOWN, Signature

# The order that has no field, since sacreBLEU's signatures have none for the order.
_USUAL_ORDER = 4

# The fields of a signature in their order, and their short names.
SHORT_NAMES = {
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
    "weights": "w",
    "ref_length": "rl",
    "version": "v",
}


@public("vecbleu")
@dataclass(frozen=True, slots=True, repr=False)
class ScoreSignature:
    """How a score came about, as far as it is known: what to publish beside it.

    ``str(signature)`` is sacreBLEU's format. What is not known, such as the tokenizer of tokens
    or of a function, is left out; fields that sacreBLEU does not have (max_order, weights,
    ref_length) are there where they are not its own.

    Parameters
    ----------
    counted : Signature
        How the n-grams were counted.
    smoothing : str, optional
        As for `vecbleu.corpus_bleu`.
    smoothing_value : float, optional
        The same.
    effective_order : bool, optional
        The same.
    weights : tuple of float, optional
        The weights of the orders, where they are not equal by default.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["A cat sat."], ["A cat sat."], smoothing="exp")
    >>> print(score.signature.format(version=False))
    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp
    >>> score.signature.counted.tokenize
    '13a'
    """

    counted: Signature = UNKNOWN
    smoothing: str | None = None
    smoothing_value: float | None = None
    effective_order: bool | None = None
    weights: tuple[float, ...] | None = None

    def fields(self) -> dict[str, Any]:
        """What is known, by sacreBLEU's names and in its words; the version is vecbleu's.

        Examples
        --------
        >>> import vecbleu
        >>> vecbleu.corpus_bleu([["a"]], [["a"]], max_order=2).signature.fields()["max_order"]
        2
        """
        known = self.counted
        order = None if known.max_order == _USUAL_ORDER else known.max_order
        ref_length = None if known.ref_length == "closest" else known.ref_length
        fields = {
            "nrefs": "var" if known.references == -1 else known.references,
            "case": {None: None, True: "lc", False: "mixed"}[known.lowercase],
            "eff": {None: None, True: "yes", False: "no"}[self.effective_order],
            "tok": known.tokenize,
            "smooth": self._smooth(),
            "max_order": order,
            "weights": self.weights and "/".join(f"{weight:g}" for weight in self.weights),
            "ref_length": ref_length,
            "version": own_version(),
        }
        return {name: value for name, value in fields.items() if value is not None}

    def _smooth(self) -> str | None:
        """The smoothing with its value, if it has one."""
        if self.smoothing is None or self.smoothing_value is None:
            return self.smoothing
        return f"{self.smoothing}[{self.smoothing_value:.2f}]"

    def format(self, *, short: bool = False, version: bool = True) -> str:
        """Join the fields.

        Parameters
        ----------
        short : bool
            Abbreviate their names, as sacreBLEU's ``-sh`` does.
        version : bool
            Name the version of vecbleu at the end.

        Returns
        -------
        str
        """
        fields = self.fields()
        if not version:
            del fields["version"]
        return join_fields(fields, short)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in field_names(self)}
        known = (f"{name}={value!r}" for name, value in values.items() if value is not None)
        return f"ScoreSignature({', '.join(known)})"


def own_version() -> str:
    """The version that signatures name."""
    return f"vecbleu-{vecbleu.__version__}"


def join_fields(
    fields: Mapping[str, Any], short: bool = False, short_names: Mapping[str, str] = SHORT_NAMES
) -> str:
    """Fields of a signature as one string; None is left out, and the version comes last."""
    names = [*(name for name in fields if name != "version"), "version"]
    return "|".join(
        f"{short_names.get(name, name) if short else name}:{_yes_or_no(fields[name])}"
        for name in names
        if fields.get(name) is not None
    )


def _yes_or_no(value: Any) -> Any:
    """Write booleans as words."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


def score_signatures(
    counted: Signature, max_order: int, options: ScoreOptions
) -> list[ScoreSignature]:
    """Of the scores of one row: one, or one for each set of weights."""
    if counted.max_order is None:
        counted = replace(counted, max_order=max_order)
    own = options.smoothing, options.smoothing_value, options.effective_order
    if options.weights is None:
        return [ScoreSignature(counted, *own)]
    uniform = (1.0 / max_order,) * max_order  # which "skip-zero" has without weights
    if options.weights == (uniform,) and not options.several:
        return [ScoreSignature(counted, *own)]
    return [ScoreSignature(counted, *own, weights) for weights in options.weights]
