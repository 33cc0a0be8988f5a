"""Describe the options of counts and scores, in sacreBLEU's format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from vecbleu._version import __version__
from vecbleu.arguments.errors import ArgumentError, Place, argument, place_text

# Short names of the fields of a signature, in sacreBLEU's order.
SHORT_NAMES = {
    "nrefs": "#",
    "case": "c",
    "eff": "e",
    "nc": "nc",
    "nw": "nw",
    "space": "s",
    "beta": "b",
    "tok": "tok",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
    "smooth": "s",
    "max_order": "n",
    "weights": "w",
    "ref_length": "rl",
    "unicode": "u",
    "version": "v",
}

# Options that must be equal before statistics are joined or compared, and their types in a file.
# Five are those of chrF, the three before the last those of TER.
_COUNTED: dict[str, Any] = {
    "tokenize": str,
    "lowercase": bool,
    "max_order": int,
    "ref_length": str,
    "references": int,
    "effective_order": bool,
    "char_order": int,
    "word_order": int,
    "whitespace": bool,
    "beta": float,
    "normalized": bool,
    "no_punct": bool,
    "asian_support": bool,
    "normalize": str,
}
VARYING = "var"


class Signature(NamedTuple):
    """Options of a score, to be published with it.

    ``str(signature)`` has sacreBLEU's format. It leaves out options that are unknown (None), and
    max_order, weights, ref_length and the normal form (``unicode``) if they have sacreBLEU's
    values. The signature of statistics has the options of counting only.

    Parameters
    ----------
    tokenize : str, optional
        The tokenizer; None for tokens, ids and functions.
    lowercase : bool, optional
        Whether text was lowercased.
    max_order : int, optional
        The longest n-gram counted.
    ref_length : str, optional
        Which reference length counts if there are several references.
    references : int or "var", optional
        Number of references of each segment; "var" if it differs.
    smoothing, smoothing_value, effective_order, weights : optional
        As for `vecbleu.corpus_bleu`. For chrF, `effective_order` is False with epsilon smoothing.
    char_order, word_order, whitespace, beta : optional
        As for `vecbleu.chrf.corpus_chrf`; None for other metrics.
    normalized, no_punct, asian_support : optional
        As for `vecbleu.ter.corpus_ter`; None for other metrics.
    normalize : str, optional
        The Unicode normal form of the text; None if it was left as it is.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["A cat sat."], ["A cat sat."])
    >>> print(score.signature.format(version=False))
    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp
    >>> vecbleu.statistics(["A b"], ["a b"], tokenize="none", lowercase=True).signature
    Signature(tokenize='none', lowercase=True, max_order=4, ref_length='closest', references=1)
    """

    tokenize: str | None = None
    lowercase: bool | None = None
    max_order: int | None = None
    ref_length: str | None = None
    references: int | str | None = None
    smoothing: str | None = None
    smoothing_value: float | None = None
    effective_order: bool | None = None
    weights: tuple[float, ...] | None = None
    char_order: int | None = None
    word_order: int | None = None
    whitespace: bool | None = None
    beta: float | None = None
    normalized: bool | None = None
    no_punct: bool | None = None
    asian_support: bool | None = None
    normalize: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return the known options by sacreBLEU's names, and the version of vecbleu.

        Examples
        --------
        >>> import vecbleu
        >>> vecbleu.corpus_bleu([["a"]], [["a"]], max_order=2).signature.fields()["max_order"]
        2
        """
        smooth = self.smoothing
        if smooth is not None and self.smoothing_value is not None:
            smooth = f"{smooth}[{self.smoothing_value:.2f}]"
        fields = {
            "nrefs": self.references,
            "case": {None: None, True: "lc", False: "mixed"}[self.lowercase],
            "eff": _yes_or_no(self.effective_order),
            "nc": self.char_order,
            "nw": self.word_order,
            "space": _yes_or_no(self.whitespace),
            "beta": None if self.beta in (None, 2) else f"{self.beta:g}",
            "tok": self.tokenize,
            "norm": _yes_or_no(self.normalized),
            "punct": None if self.no_punct is None else _yes_or_no(not self.no_punct),
            "asian": _yes_or_no(self.asian_support),
            "smooth": smooth,
            "max_order": None if self.max_order == 4 else self.max_order,
            "weights": self.weights and "/".join(f"{weight:g}" for weight in self.weights),
            "ref_length": None if self.ref_length == "closest" else self.ref_length,
            "unicode": self.normalize,
            "version": f"vecbleu-{__version__}",
        }
        return {name: value for name, value in fields.items() if value is not None}

    def format(self, *, short: bool = False, version: bool = True) -> str:
        """Join the fields with ``|``.

        Parameters
        ----------
        short : bool
            Abbreviate the names, as sacreBLEU's ``-sh`` does.
        version : bool
            Add the version of vecbleu at the end.

        Returns
        -------
        str
        """
        fields = self.fields()
        if not version:
            del fields["version"]
        return join_fields(fields, short, self.short_names)

    @property
    def short_names(self) -> Mapping[str, str]:
        """Short names of the fields, as sacreBLEU has them: the tokenizer of TER is ``t``."""
        return SHORT_NAMES if self.normalized is None else {**SHORT_NAMES, "tok": "t"}

    def to_dict(self) -> dict[str, Any]:
        """Return the known options by name."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        known = (f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"Signature({', '.join(known)})"


Signature.__module__ = "vecbleu"
UNKNOWN = Signature()


def join_fields(fields: Mapping[str, object], short: bool, short_names: Mapping[str, str]) -> str:
    """Join the fields of a signature with ``|``; leave out None, and put the version last."""
    names = [*(name for name in fields if name != "version"), "version"]
    return "|".join(
        f"{short_names.get(name, name) if short else name}:{_yes_or_no(fields[name])}"
        for name in names
        if fields.get(name) is not None
    )


def _yes_or_no(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def common(placed: Iterable[tuple[Place, Signature]], joined: bool = False) -> Signature:
    """Return the options known in all signatures; ValueError if two signatures differ in one.

    If statistics are `joined`, their numbers of references may differ. A number may also stand
    beside "var": a selection of segments keeps the "var" of the whole.
    """
    pairs = list(placed)
    known: dict[str, Any] = {}
    for field in _COUNTED:
        # Each value, with the place of the first signature that has it.
        told = [(where, signature) for where, signature in pairs if _is_told(signature, field)]
        values = {getattr(signature, field): where for where, signature in reversed(told)}
        if len(values) > 1:
            may_vary = field == "references" and (
                joined or (VARYING in values and len(values) == 2)
            )
            if not may_vary:
                (value, where), (expected, first) = list(values.items())[-2:]
                found = f"has {field} {value!r} but {place_text(first)} has {expected!r}"
                with argument(*where):
                    raise ArgumentError(found, advice="count again, with the same options")
            values = {VARYING: ()}
        if values and len(told) == len(pairs):
            known[field] = next(iter(values))
    return Signature(**known)


def _is_told(signature: Signature, field: str) -> bool:
    """Return whether a signature tells an option: no normal form is one, if the case is known."""
    is_of_text = field == "normalize" and signature.lowercase is not None
    return is_of_text or getattr(signature, field) is not None


def read_signature(fields: object) -> Signature:
    """Return the signature from a file; ValueError for fields that no version has written."""
    if not isinstance(fields, dict) or not fields.keys() <= _COUNTED.keys():
        raise ValueError(f"the signature is {fields!r:.80}, expected some of {list(_COUNTED)}")
    if fields.get("references") == -1:  # as 0.2 wrote it
        fields = fields | {"references": VARYING}
    for name, value in fields.items():
        if name == "references" and value == VARYING:
            continue
        kind = _COUNTED[name]
        if type(value) is not kind or (kind is int and value < 0):
            raise ValueError(f"the signature has {name} {value!r}, expected {kind.__name__}")
    return Signature(**fields)
