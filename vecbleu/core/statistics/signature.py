"""How statistics were counted, and whether those of two tables can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vecbleu.core.public import public
from vecbleu.core.records import dataclass


@public("vecbleu")
@dataclass(frozen=True, slots=True)
class Signature:
    """How statistics were counted; None, which fits everything, where that is not known.

    Parameters
    ----------
    tokenize : str, optional
        The tokenizer, in the words of sacreBLEU's signature. Not known where the user brought
        tokens, ids or a function.
    lowercase : bool, optional
        Whether the text was made lower case first.
    max_order : int, optional
        The longest n-gram counted.
    ref_length : str, optional
        Which of several references' lengths counts.
    references : int, optional
        References of each segment.

    Examples
    --------
    >>> import vecbleu
    >>> vecbleu.statistics(["A b"], ["a b"], tokenize="none", lowercase=True).signature
    Signature(tokenize='none', lowercase=True, max_order=4, ref_length='closest')
    """

    tokenize: str | None = None
    lowercase: bool | None = None
    max_order: int | None = None
    ref_length: str | None = None
    references: int | None = None

    def __post_init__(self) -> None:
        for name, kind in _TYPES.items():
            value = getattr(self, name)
            if value is not None and type(value) is not kind:
                raise TypeError(f"{name} is {value!r}, expected {kind.__name__} or None")

    def to_dict(self) -> dict[str, Any]:
        """What is known, by name."""
        values = ((name, getattr(self, name)) for name in _TYPES)  # `asdict` takes 7 us, this 1
        return {name: value for name, value in values if value is not None}

    def __repr__(self) -> str:
        known = (f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"Signature({', '.join(known)})"


# The type of each field, besides None.
_TYPES = {
    "tokenize": str,
    "lowercase": bool,
    "max_order": int,
    "ref_length": str,
    "references": int,
}

UNKNOWN = Signature()


def read_signature(fields: Any) -> Signature:
    """A signature of what `to_dict` gave; ValueError for anything else."""
    if not isinstance(fields, dict):
        raise ValueError(f"the signature is {type(fields).__name__}, expected fields by name")
    for name in fields:
        if name not in _TYPES:
            raise ValueError(f"the signature has the field {name!r}, expected one of {[*_TYPES]}")
    return Signature(**fields)


def check_alike(named: Iterable[tuple[str, Signature]]) -> Signature:
    """What is known of some of them; ValueError where two were counted in ways that differ."""
    first: dict[str, tuple[str, Any]] = {}
    pairs = [*named]
    for name, signature in pairs:
        for field, value in signature.to_dict().items():
            other, expected = first.setdefault(field, (name, value))
            if value != expected:
                raise ValueError(
                    f"{name} has {field} {value!r} but {other} has {expected!r}: they were counted "
                    "in different ways"
                )
    if any(signature.references is None for _, signature in pairs):
        first.pop("references", None)  # it may be another from segment to segment
    return Signature(**{field: value for field, (_, value) in first.items()})


def are_alike(one: Signature, other: Signature) -> bool:
    """Whether nothing that is known of both differs."""
    known = other.to_dict()
    return all(known.get(field, value) == value for field, value in one.to_dict().items())


def common(named: Iterable[tuple[str, Signature]]) -> Signature:
    """What is known of all of them; ValueError where they differ."""
    pairs = [*named]
    check_alike(pairs)
    known = [signature.to_dict().items() for _, signature in pairs]
    shared = set(known[0]).intersection(*known[1:]) if known else set()
    return Signature(**dict(shared))
