"""Score objects with sacreBLEU's attributes and formats."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterable, Sequence
from typing import Any

from vecbleu.core.public import public
from vecbleu.core.scoring.score import BleuScore


@public("vecbleu.sacrebleu.metrics.base")
class Score(metaclass=ABCMeta):  # noqa: B024  # sacreBLEU's scores are registered
    """A score by name, and the interval of resampled ones, in sacreBLEU's formats.

    Parameters
    ----------
    name : str
        The metric's name.
    score : float
        The score.

    Examples
    --------
    >>> from vecbleu.sacrebleu.metrics.base import Score
    >>> Score("Overlap", 31.416)
    Overlap = 31.42
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""  # what stands behind the score

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Format the score with `width` digits: alone, as sacreBLEU's line, or as its JSON."""
        text = f"{self.score:.{width}f}"
        entry: dict[str, Any] = {"name": self.name, "score": float(text), "signature": signature}
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
        line = f"{name} = {text}"
        return f"{line} {self._verbose}" if self._verbose else line

    def estimate_ci(self, scores: Iterable[Score]) -> None:
        """Store the mean and the 95% interval of the scores of resampled corpora."""
        self.set_interval([score.score for score in scores])

    def set_interval(self, scores: Sequence[float]) -> None:
        """Store the mean of resampled scores, and half the width of the middle 95% of them."""
        import statistics  # 4 ms, which only intervals need

        ordered = sorted(scores)
        low = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - low - 1] - ordered[low])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


@public("vecbleu.sacrebleu")
class BLEUScore(Score):
    """A BLEU score on 0 to 100 and what it is made of.

    Parameters
    ----------
    score : float
        BLEU, 0 to 100.
    counts, totals : list of int (orders,)
        Matches and n-grams of the hypotheses; after smoothing with add-k.
    precisions : list of float (orders,)
        Modified precisions after smoothing, 0 to 100.
    bp : float
        Brevity penalty.
    sys_len, ref_len : int
        Tokens of the hypotheses and of the references compared with.

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_bleu
    >>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat"]])
    BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len} ref_len = {self.ref_len})"
        )

    @classmethod
    def from_result(cls, result: BleuScore, added: float | None = None) -> BLEUScore:
        """Convert a score of vecbleu's; `added` is what add-k adds to the counts of n > 1."""
        counts = smoothed_counts(result.matches, result.totals, added)
        lengths = result.hyp_len, int(result.ref_len)
        precisions = [*result.percent_precisions]
        return cls(result.percent, *counts, precisions, result.brevity_penalty, *lengths)


def smoothed_counts(
    matches: Iterable[int], totals: Iterable[int], added: float | None
) -> tuple[list[int], list[int]]:
    """Counts as sacreBLEU's scores have them: with what add-k adds, where it adds something."""
    correct: list[Any] = [*matches]  # integers, as typed, unless add-k adds a fraction
    total: list[Any] = [*totals]
    if added is not None and any(correct):
        for order in range(1, len(total)):
            if total[order - 1] == 0:  # where sacreBLEU's loop stops
                break
            correct[order] += added
            total[order] += added
    return correct, total
