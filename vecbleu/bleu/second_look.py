"""Look again at a very low score: find on a sample what is wrong, and what raises the score.

Characters agree where two texts say the same, whatever cuts them into words. If they agree far more
than words do, something is wrong with the words. If they agree with the line beside, lines are
shifted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np

from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import InputWarning
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import ScoreOptions
from vecbleu.bleu.plain import score_row
from vecbleu.core.corpus import Countable, TextCorpus
from vecbleu.core.count import count_rows
from vecbleu.core.metric import OF_CHARACTERS, AnyMetric, metric_named
from vecbleu.inputs.doubts import Tell, warn_of_texts

# Segments of a sample, the fewest that are looked at, and the first characters of each.
_SAMPLE, _FEWEST, _CHARACTERS = 50, 10, 300

# Percents: scores from here on are not looked at; texts are alike from here on.
_LOW, _ALIKE = 5, 25

# Texts that say the same are so much more alike than a text and the line beside the other. They
# score at least this share of their likeness, in each of 446 systems of WMT 2021 and 2022.
_MORE_ALIKE, _SHARE = 1.5, 0.1

# What was wrong raises the score to this share of the likeness.
_EXPECTED = 0.4

# A mark is a character that one side has so many times as often as the other; there are few.
_MORE_OFTEN, _MOST_MARKS = 10, 8


class Trial(NamedTuple):
    """Texts of both sides, a reference each; how they were changed, and how to write that."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    how: str = ""
    advice: str = ""

    def changed(self, change: Callable[[str], str], how: str = "", advice: str = "") -> Trial:
        """Return the trial with each text changed."""
        hypotheses = list(map(change, self.hypotheses))
        return Trial(hypotheses, list(map(change, self.references)), how, advice)

    def moved(self) -> list[Trial]:
        """Return the trials with each text against the reference before, and after."""
        hypotheses, references, *_ = self
        before = "with the references before", "pass hypotheses[1:], references[:-1]"
        after = "with the references after", "pass hypotheses[:-1], references[1:]"
        return [
            Trial(hypotheses[1:], references[:-1], *before),
            Trial(hypotheses[:-1], references[1:], *after),
        ]

    def table(self, metric: AnyMetric) -> Any:
        """Return the table of counts by a metric."""
        corpus = TextCorpus(self.hypotheses, self.references, np.arange(len(self.hypotheses) + 1))
        return metric.table.of(count_rows(corpus, metric), metric.signature(True, 1))

    def score(self, metric: Bleu) -> float:
        """Return BLEU, in percent."""
        return 100 * float(self.table(metric).sum().scores())

    def likeness(self) -> float:
        """Return how alike the characters of most segments are, in percent."""
        metric, _ = metric_named(OF_CHARACTERS).of_options()
        return 100 * float(self.table(metric).scores().mean())


def look_again(
    corpus: Countable,
    metric: AnyMetric,
    counts: Sequence[int],
    name: str = "hypotheses",
    tell: Tell = warn_caller,
) -> None:
    """Warn of texts that have far less BLEU than their characters let expect.

    `counts` are the sums of the rows. What was warned of before is enough.
    """
    if not isinstance(metric, Bleu) or not isinstance(corpus, TextCorpus):
        return
    if len(corpus) < _FEWEST or not isinstance(corpus.references, list):  # they are prepared
        return
    tokenize = metric.options.tokenize.name  # none for functions, which are called once for a text
    if tokenize and score_row(counts, ScoreOptions()).percent < _LOW:
        trial = _sample(corpus)
        sides = [(name, trial.hypotheses), ("references", trial.references)]
        told: list[InputWarning] = []
        warn_of_texts(sides, tokenize, told.append, metric.options.normalize)
        if told:
            return
        for found, advice in _doubts(trial, metric):
            tell(InputWarning(found, advice=advice, argument=name))


def _sample(corpus: TextCorpus) -> Trial:
    """Return the beginnings of segments in the middle, with a reference each."""
    first = max(0, len(corpus) - _SAMPLE) // 2
    places = corpus.offsets[first:-1][:_SAMPLE].tolist()
    references = [corpus.references[place] for place in places]
    trial = Trial(corpus.hypotheses[first : first + _SAMPLE], references)
    return trial.changed(lambda text: text[:_CHARACTERS])


def _doubts(trial: Trial, metric: Bleu) -> Iterator[tuple[str, str]]:
    """Yield what raises the score, if it is lower than can be, and how to write that."""
    before = trial.score(metric)
    folded = trial.changed(lambda text: normalize("NFKD", text).lower())
    marks = _marks(folded)
    folded = folded.changed(partial(_replaced, marks, ""))
    likeness = folded.likeness()
    beside = max(map(Trial.likeness, folded.moved()))
    most = max(likeness, beside)
    if most < _ALIKE or before >= _SHARE * most:
        return
    trials: Iterable[Trial] = ()
    if beside >= _MORE_ALIKE * likeness:
        trials = trial.moved()
    elif likeness >= _MORE_ALIKE * beside:
        trials = _trials(trial, marks)
    for changed in trials:
        after = changed.score(metric)
        if after >= _EXPECTED * most:
            yield f"scores {before:.1f} in a sample, but {after:.1f} {changed.how}", changed.advice
            return


def _trials(trial: Trial, marks: str) -> Iterator[Trial]:
    """Yield what may raise the score, the most telling first."""
    yield trial.changed(str.lower, "if case is ignored", "pass lowercase=True (-lc)")
    for form in ("NFC", "NFKC"):
        advice = f"pass normalize={form!r} (--normalize {form}), or normalize both sides before"
        yield trial.changed(partial(normalize, form), f"in {form}", advice)
    names = ", ".join(f"U+{ord(mark):04X}" for mark in marks)
    for other, how in (("", "without"), (" ", "with spaces for")):
        changes = f"translate(dict.fromkeys(map(ord, {marks!a}), {other!r}))"
        advice = f"one side alone has that: pass unicodedata.normalize('NFKD', text).{changes}"
        yield trial.changed(partial(_replaced, marks, other), f"{how} {names}", advice)
    turned = [" ".join(text.split()[::-1]) for text in trial.hypotheses]
    advice = "pass ' '.join(text.split()[::-1]) for each text of one side"
    yield Trial(turned, trial.references, "with reversed tokens", advice)
    advice = "see vecbleu.explain(hypothesis, reference); if spaces differ, pass tokenize='char'"
    advice += " (-tok char)"
    yield trial.changed(lambda text: " ".join("".join(text.split())), "by characters", advice)


def _marks(trial: Trial) -> str:
    """Return marks that nearly one side alone has, the most frequent first."""
    first, second = Counter("".join(trial.hypotheses)), Counter("".join(trial.references))
    return "".join(
        mark
        for mark, count in (first + second).most_common()
        if count >= max(_SAMPLE, _MORE_OFTEN * min(first[mark], second[mark]))
        and not (mark.isalnum() or mark.isspace())
    )[:_MOST_MARKS]


def _replaced(marks: str, other: str, text: str) -> str:
    """Return a text, decomposed, with other text for marks."""
    return normalize("NFKD", text).translate(dict.fromkeys(map(ord, marks), other))
