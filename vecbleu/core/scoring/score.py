"""`BleuScore`, a number that knows what it is made of."""

from __future__ import annotations

from itertools import islice
from typing import Any, NoReturn, SupportsFloat

from vecbleu.core.html import html_table
from vecbleu.core.public import public
from vecbleu.core.scoring.signature import ScoreSignature

_UNKNOWN = ScoreSignature()

# Orders that a notebook shows unasked.
_MOST_SHOWN = 20


def _part(place: int) -> Any:
    """One of the parts that a score keeps together: writing them one by one takes 0.7 us more."""

    def read(self: BleuScore) -> Any:
        return self._parts[place]

    return property(read)


@public("vecbleu")
class BleuScore(float):
    """A corpus' BLEU: a float on 0 to 1 that knows what it is made of.

    It computes, compares, formats and serializes as the number that it is (Papineni et al. 2002);
    arithmetic gives plain floats. `percent` is the same number on sacreBLEU's 0 to 100. Where
    sacreBLEU has the options (no weights, no "skip-zero"), it is bit-equal to the score that
    sacreBLEU publishes, which ``100 * score`` need not be. A notebook and the interactive prompt
    show sacreBLEU's line; ``print(score)`` prints the number.

    Parameters
    ----------
    score : float
        BLEU, 0 to 1. A score without its parts is a plain float: ``BleuScore(0.5)`` is 0.5.
    percent : float
        BLEU, 0 to 100.
    precisions : tuple of float (orders,)
        Modified n-gram precisions after smoothing, 0 to 1.
    percent_precisions : tuple of float (orders,)
        The same, 0 to 100.
    brevity_penalty : float
        1 if the hypotheses are at least as long as the references, else
        exp(1 - ref_len / hyp_len).
    matches, totals : tuple of int (orders,)
        Clipped matches and n-grams of the hypotheses.
    hyp_len : int
        Tokens of the hypotheses.
    ref_len : int
        Tokens of the references compared with (a float for averages).
    signature : ScoreSignature
        How it was counted and scored, as far as that is known.

    Raises
    ------
    TypeError
        Some of the parts are given and others are not.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> score
    BLEU = 0.5373 0.8333/0.6000/0.5000/0.3333 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> print(f"{score:.3f} {100 * score:.1f} {score > 0.5}")
    0.537 53.7 True
    >>> score == score.percent / 100
    True
    >>> score.matches
    (5, 3, 2, 1)
    """

    __slots__ = ("_parts",)

    _parts: tuple[Any, ...]
    percent: float = _part(0)
    precisions: tuple[float, ...] = _part(1)
    percent_precisions: tuple[float, ...] = _part(2)
    brevity_penalty: float = _part(3)
    matches: tuple[int, ...] = _part(4)
    totals: tuple[int, ...] = _part(5)
    hyp_len: int = _part(6)
    ref_len: int | float = _part(7)
    signature: ScoreSignature = _part(8)

    def __new__(
        cls,
        score: SupportsFloat,
        percent: float | None = None,
        precisions: tuple[float, ...] | None = None,
        percent_precisions: tuple[float, ...] | None = None,
        brevity_penalty: float | None = None,
        matches: tuple[int, ...] | None = None,
        totals: tuple[int, ...] | None = None,
        hyp_len: int | None = None,
        ref_len: float | None = None,
        signature: ScoreSignature = _UNKNOWN,
    ) -> BleuScore:
        """Make a score of all of its parts, or a plain float of the number alone."""
        parts = (
            percent,
            precisions,
            percent_precisions,
            brevity_penalty,
            matches,
            totals,
            hyp_len,
            ref_len,
            signature,
        )
        if None in parts:
            # What `statistics.mean` and its like make of a number is of the scores' type.
            return _plain(score, parts)  # type: ignore[return-value]
        made = float.__new__(cls, score)
        _write_parts(made, parts)
        return made

    @property
    def score(self) -> float:
        """BLEU, 0 to 1, as a plain float."""
        return float(self)

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len; 0 where there is no reference length, as sacreBLEU has it."""
        return self.hyp_len / self.ref_len if self.ref_len else 0.0

    def lengths(self) -> str:
        """The part of sacreBLEU's line that speaks of lengths."""
        return (
            f"(BP = {self.brevity_penalty:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.hyp_len} ref_len = {self.ref_len})"
        )

    def to_dict(self) -> dict[str, Any]:
        """The score and all of its parts, tuples as lists: what JSON can hold.

        Examples
        --------
        >>> import vecbleu
        >>> parts = vecbleu.corpus_bleu(["a b"], ["a c"], max_order=2).to_dict()
        >>> parts["score"], parts["matches"], parts["ref_len"]
        (0.0, [1, 0], 2)
        """
        return {
            "score": self.score,
            "percent": self.percent,
            "precisions": [*self.precisions],
            "percent_precisions": [*self.percent_precisions],
            "brevity_penalty": self.brevity_penalty,
            "matches": [*self.matches],
            "totals": [*self.totals],
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
            "ratio": self.ratio,
            "signature": str(self.signature),
        }

    # By default it would be the `repr`.
    __str__ = float.__repr__

    def __repr__(self) -> str:
        precisions = "/".join(f"{precision:.4f}" for precision in self.precisions)
        return f"BLEU = {self.score:.4f} {precisions} {self.lengths()}"

    def _repr_html_(self) -> str:
        """The score and its parts as a table, for notebooks."""
        orders = zip(self.matches, self.totals, self.precisions, strict=True)
        rows = [
            [f"{order}-grams", str(matches), str(total), f"{precision:.4f}"]
            for order, (matches, total, precision) in enumerate(islice(orders, _MOST_SHOWN), 1)
        ]
        title = f"BLEU = {self.score:.4f} {self.lengths()}"
        hidden = len(self.matches) - len(rows)
        note = f"... and {hidden} more orders; {self.signature}" if hidden else str(self.signature)
        return html_table(["", "matches", "totals", "precision"], rows, title, note)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.score, *self._parts)

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse(name)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        raise AttributeError(f"a BleuScore is a number: its {name!r} can't be changed")


_PARTS = (
    *("percent", "precisions", "percent_precisions", "brevity_penalty"),
    *("matches", "totals", "hyp_len", "ref_len", "signature"),
)
_write_parts = vars(BleuScore)["_parts"].__set__


def _plain(score: SupportsFloat, parts: tuple[object, ...]) -> float:
    """A number without parts."""
    named = zip(_PARTS, parts, strict=True)
    given = [name for name, part in named if part is not None and part is not _UNKNOWN]
    if given:
        missing = next(name for name in _PARTS if name not in given)
        raise TypeError(f"{missing} is None but {given[0]} is given; a score has all parts or none")
    return float(score)
